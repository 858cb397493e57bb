// Part of lbmFoam, GPL-3.0-or-later.

#include "latticeBoxChannel.H"
#include "latticeChannel.H"


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
    image_()
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


const lbmInsituMesh& Foam::latticeBoxChannel::cells()
{
    make();
    return asImage_ ? imageMesh_ : cells_->mesh();
}


void Foam::latticeBoxChannel::read(const wordList& fields)
{
    if (asImage_)
    {
        values_ = view_.read(fields);
        return;
    }
    values_.resize(fields.size());
    std::vector<float*> rooms;
    for (label f = 0; f < fields.size(); ++f)
    {
        const int each = lbm::LatticeWindow::find(fields[f]).components;
        values_[f].resize(cells_->nodes().size()*each);
        rooms.push_back(values_[f].data());
    }
    view_.window().read
    (
        std::vector<std::string>(fields.begin(), fields.end()),
        view_.scales(fields),
        rooms.data()
    );
}


std::vector<lbmInsituArray> Foam::latticeBoxChannel::fields
(
    const wordList& asked
)
{
    make();
    wordList names(asked);
    if (asImage_ && !names.found("fluid")) names.append("fluid");
    read(names);
    std::vector<lbmInsituArray> result;
    for (label f = 0; f < names.size(); ++f)
    {
        const auto& field = lbm::LatticeWindow::find(names[f]);
        result.push_back
        ({
            field.name, LBM_FLOAT32, asImage_ ? LBM_POINTS : LBM_CELLS,
            field.components, int64_t(values_[f].size())/field.components,
            values_[f].data()
        });
    }
    return result;
}
