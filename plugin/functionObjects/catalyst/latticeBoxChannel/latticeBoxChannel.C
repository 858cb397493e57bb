// Part of lbmFoam, GPL-3.0-or-later.

#include "latticeBoxChannel.H"
#include "latticeChannel.H"

#include <algorithm>


Foam::latticeBoxChannel::latticeBoxChannel
(
    const word& name,
    const fvMesh& mesh,
    const dictionary& dict,
    const List<string>& scripts
)
:
    insituChannel(name, mesh, dict, scripts),
    view_
    (
        latticeChannel::find(mesh, dict),
        mesh,
        dict,
        lbm::LatticeCells::most
    ),
    asImage_(dict.getOrDefault("image", false)),
    imageMesh_(),
    image_(),
    source_{this, &latticeBoxChannel::sample}
{}


void Foam::latticeBoxChannel::make()
{
    if (asImage_)
    {
        if (!imageMesh_.image) describeImage();
        return;
    }
    if (cells_) return;
    const lbm::LatticeWindow& window = view_.window();
    cells_ = std::make_unique<lbm::LatticeCells>
    (
        window.domain(), view_.scales(wordList()).caseAxis, view_.thickness()
    );
    const lbm::NodeIndex n = cells_->nodes().size();
    Info<< "    " << name() << ": " << n << " cells of the lattice, "
        << scalar(cells_->bytes())/scalar(max(n, lbm::NodeIndex(1)))
        << " bytes each" << endl;
}


void Foam::latticeBoxChannel::describeImage()
{
    const labelVector size(view_.size());
    const vector spacing(view_.spacing());
    const point origin(view_.origin() + 0.5*spacing);
    for (direction a = 0; a < 3; ++a)
    {
        image_.counts[a] = size[a];
        image_.origin[a] = origin[a];
        image_.spacing[a] = spacing[a];
    }
    imageMesh_.version = 1;
    imageMesh_.image = &image_;
    Info<< "    " << name() << ": an image of " << size << " points" << endl;
}


int64_t Foam::latticeBoxChannel::count() const
{
    if (!asImage_) return int64_t(cells_->nodes().size());
    return image_.counts[0]*image_.counts[1]*image_.counts[2];
}


const lbmInsituMesh& Foam::latticeBoxChannel::cells()
{
    make();
    return asImage_ ? imageMesh_ : cells_->mesh();
}


std::vector<lbmInsituArray> Foam::latticeBoxChannel::fields
(
    const wordList& names
)
{
    make();
    asked_ = names;
    values_.clear();
    if (!asImage_) scales_ = view_.scales(names);
    std::vector<lbmInsituArray> result;
    for (const word& name : names)
    {
        const lbm::LatticeWindow::Field& field = lbm::LatticeWindow::find(name);
        result.push_back
        ({
            field.name, LBM_FLOAT32, asImage_ ? LBM_POINTS : LBM_CELLS,
            field.components, count(), nullptr
        });
    }
    return result;
}


// All at once: one reading of the lattice serves them
void Foam::latticeBoxChannel::compute()
{
    if (values_.size()) return;
    const std::vector<std::string> names(asked_.begin(), asked_.end());
    if (asImage_)
    {
        std::vector<std::vector<float>> read(view_.read(asked_));
        for (std::size_t f = 0; f < names.size(); ++f)
        {
            values_[names[f]] = std::move(read[f]);
        }
        return;
    }
    std::vector<float*> rooms;
    for (const std::string& name : names)
    {
        std::vector<float>& values = values_[name];
        values.resize
        (
            cells_->nodes().size()*lbm::LatticeWindow::find(name).components
        );
        rooms.push_back(values.data());
    }
    view_.window().read(names, scales_, rooms.data());
}


// No exception may cross the module
int Foam::latticeBoxChannel::sample
(
    void* self,
    const char* const* names,
    int n,
    const int64_t* cells,
    int64_t count,
    void* const* values
)
{
    latticeBoxChannel& channel = *static_cast<latticeBoxChannel*>(self);
    try
    {
        channel.compute();
        for (int f = 0; f < n; ++f)
        {
            const std::vector<float>& from = channel.values_.at(names[f]);
            float* to = static_cast<float*>(values[f]);
            if (!cells)
            {
                std::copy(from.begin(), from.end(), to);
                continue;
            }
            const int each = lbm::LatticeWindow::find(names[f]).components;
            for (int64_t i = 0; i < count; ++i)
            {
                std::copy_n(&from[each*cells[i]], each, to + each*i);
            }
        }
        return 0;
    }
    catch (const std::exception& fault)
    {
        channel.values_.clear();
        WarningInFunction << fault.what() << endl;
        return -1;
    }
}
