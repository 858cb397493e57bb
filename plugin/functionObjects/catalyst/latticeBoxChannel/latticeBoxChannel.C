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
    source_{this, &latticeBoxChannel::sample}
{}


void Foam::latticeBoxChannel::make()
{
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


const lbmInsituMesh& Foam::latticeBoxChannel::cells()
{
    make();
    return cells_->mesh();
}


std::vector<lbmInsituArray> Foam::latticeBoxChannel::fields
(
    const wordList& names
)
{
    make();
    asked_ = names;
    values_.clear();
    scales_ = view_.scales(names);
    std::vector<lbmInsituArray> result;
    for (const word& name : names)
    {
        const lbm::LatticeWindow::Field& field = lbm::LatticeWindow::find(name);
        result.push_back
        ({
            field.name, LBM_FLOAT32, LBM_CELLS, field.components,
            int64_t(cells_->nodes().size()), nullptr
        });
    }
    return result;
}


// All at once: one reading of the lattice serves them
void Foam::latticeBoxChannel::compute()
{
    if (values_.size()) return;
    const std::vector<std::string> names(asked_.begin(), asked_.end());
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
