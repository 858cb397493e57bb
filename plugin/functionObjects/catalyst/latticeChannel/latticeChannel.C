// Part of lbmFoam, GPL-3.0-or-later.

#include "latticeChannel.H"
#include "latticeView.H"


Foam::lbmLattice& Foam::latticeChannel::find
(
    const fvMesh& mesh,
    const dictionary& dict
)
{
    if (!mesh.foundObject<lbmLattice>(lbmLattice::typeName))
    {
        FatalIOErrorInFunction(dict)
            << "Entry type is " << dict.get<word>("type")
            << ", which lbmFoam alone has"
            << exit(FatalIOError);
    }
    return mesh.lookupObjectRef<lbmLattice>(lbmLattice::typeName);
}


Foam::latticeChannel::latticeChannel
(
    const word& name,
    const fvMesh& mesh,
    const dictionary& dict,
    const List<string>& scripts
)
:
    insituChannel(name, mesh, dict, scripts),
    lattice_(find(mesh, dict)),
    solver_(nullptr),
    source_{this, &latticeChannel::sample}
{}


void Foam::latticeChannel::make()
{
    const lbm::Solver* solver = &lattice_.solver();
    if (solver_ == solver) return;
    const bool fresh = !cells_;     // of another solver cells are the same
    if (fresh)
    {
        const lbm::SeriesFrame place(frame());
        cells_ = std::make_unique<lbm::LatticeCells>
        (
            solver->domain(), place.caseAxis, place.thickness
        );
    }
    fields_.reset();
    reader_ = std::make_unique<lbm::SolverReader>(*solver);
    fields_ = std::make_unique<lbm::LatticeFields>
    (
        *reader_,
        cells_->nodes(),
        std::vector<lbm::NodeIndex>(),
        lattice_.walls()
    );
    solver_ = solver;
    if (!fresh) return;
    const lbm::NodeIndex nodes = cells_->nodes().size();
    Info<< "    " << name() << ": " << nodes << " lattice cells, "
        << scalar(cells_->bytes())/scalar(nodes) << " bytes each" << endl;
}


lbm::SeriesFrame Foam::latticeChannel::frame
(
    const lbmLattice& lattice,
    const fvMesh& mesh
)
{
    lbm::SeriesFrame result;
    for (label a = 0; a < 3; ++a)
    {
        result.caseAxis[a] = lattice.axes().foamAxis(a);
    }
    result.thickness = mesh.bounds().span()[result.caseAxis[2]];
    return result;
}


const lbm::LatticeCells& Foam::latticeChannel::latticeCells()
{
    make();
    return *cells_;
}


Foam::wordList Foam::latticeChannel::names()
{
    DynamicList<word> names;
    for (const std::string& name : lbm::LatticeFields::names())
    {
        names.append(name);
    }
    return wordList(std::move(names));
}


const lbmInsituMesh& Foam::latticeChannel::cells()
{
    make();
    return cells_->mesh();
}


std::vector<lbmInsituArray> Foam::latticeChannel::fields
(
    const wordList& names
)
{
    make();
    scales_ = latticeView::scales(lattice_, names);
    std::vector<lbmInsituArray> result;
    for (const word& name : names) result.push_back(fields_->describe(name));
    return result;
}


std::vector<lbmInsituArray> Foam::latticeChannel::values
(
    const wordList& names
)
{
    const std::vector<lbmInsituArray> described(fields(names));
    return values_.fill(described.data(), described.size(), &source_);
}


// No exception may cross the module
int Foam::latticeChannel::sample
(
    void* self,
    const char* const* names,
    int n,
    const int64_t* cells,
    int64_t count,
    void* const* values
)
{
    const latticeChannel& channel = *static_cast<latticeChannel*>(self);
    try
    {
        channel.fields_->compute
        (
            {names, names + n}, channel.scales_, cells, count, values
        );
        return 0;
    }
    catch (const std::exception& fault)
    {
        WarningInFunction << fault.what() << endl;
        return -1;
    }
}
