// Part of lbmFoam, GPL-3.0-or-later.

#include "latticePiecesChannel.H"
#include "latticeChannel.H"
#include "latticeView.H"


Foam::latticePiecesChannel::latticePiecesChannel
(
    const word& name,
    const fvMesh& mesh,
    const dictionary& dict,
    const List<string>& scripts,
    const bool ghosts
)
:
    insituChannel(name, mesh, dict, scripts),
    lattice_(latticeChannel::find(mesh, dict)),
    ghosts_(ghosts)
{}


void Foam::latticePiecesChannel::make()
{
    if (pieces_) return;
    const lbm::SeriesFrame place(latticeChannel::frame(lattice_, mesh()));
    lbm::LatticePieces::Frame frame;
    frame.caseAxis = place.caseAxis;
    frame.thickness = place.thickness;
    frame.walls = lattice_.walls();
    frame.ghosts = ghosts_;
    pieces_ = std::make_unique<lbm::LatticePieces>(lattice_.solver(), frame);
    const scalar most = pieces_->mostCells();
    Info<< "    " << name() << ": " << pieces_->cells() << " lattice cells, at"
        << " most " << pieces_->mostCells() << " on a rank with those around, "
        << scalar(pieces_->mostBytes())/max(most, scalar(1)) << " bytes each"
        << endl;
}


const lbm::LatticePiece& Foam::latticePiecesChannel::own() const
{
    return lbm::LatticePiece::find(pieces_->number());
}


Foam::label Foam::latticePiecesChannel::piece()
{
    make();
    return pieces_->number();
}


Foam::wordList Foam::latticePiecesChannel::available() const
{
    return latticeChannel::names();
}


const lbmInsituMesh& Foam::latticePiecesChannel::cells()
{
    make();
    return own().mesh();
}


std::vector<lbmInsituArray> Foam::latticePiecesChannel::fields
(
    const wordList& names
)
{
    make();
    const std::vector<std::string> all(names.begin(), names.end());
    pieces_->tell(all, latticeView::scales(lattice_, names));
    return own().fields(all);
}


const lbmInsituSource* Foam::latticePiecesChannel::source()
{
    make();
    return own().source();
}
