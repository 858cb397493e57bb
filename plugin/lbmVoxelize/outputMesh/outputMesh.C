/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/outputMesh/outputMesh.H"

#include <cmath>

namespace
{

//- Of sizes that are as large, rounded
const Foam::scalar alike = 1e-9;

//- Of cells, by which a box may end beyond one
const Foam::scalar sameSide = 1e-6;

//- Default of maxCellSize, in cells of the box
const Foam::scalar largestPreset = 8;

//- Beyond it blocks of any domain are larger than this
const int mostLevels = 20;

Foam::point asPoint(const lbm::Vec3& v)
{
    return Foam::point(v[0], v[1], v[2]);
}

} // End anonymous namespace


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::outputMesh::readSizes(const scalar lattice)
{
    if (!dict_.found("cellSize") && lattice <= 0)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry cellSize is missing: that of the lattice is auto, and becomes known with the mesh alone"
            << exit(FatalIOError);
    }
    const bool given = dict_.found("cellSize");
    cellSize_ = given ? dict_.getCheck<scalar>("cellSize", scalarMinMax::ge(VSMALL)) : lattice;
    largest_ = dict_.getOrDefault<scalar>("maxCellSize", largestPreset*cellSize_);
    if (!(largest_ >= cellSize_*(1 - alike)))
    {
        FatalIOErrorInFunction(dict_)
            << "Entry maxCellSize is " << largest_ << " m, less than the cellSize of " << cellSize_ << " m in the box"
            << exit(FatalIOError);
    }
    if (dict_.found("maxCellSize") && !dict_.found("box"))
    {
        FatalIOErrorInFunction(dict_)
            << "Entry maxCellSize is of cells outside a box, and entry box is missing" << exit(FatalIOError);
    }
}


void Foam::outputMesh::readBox()
{
    if (!dict_.found("box")) return;
    box_ = dict_.get<boundBox>("box");
    const boundBox all(asPoint(domain_.min), asPoint(domain_.max));
    for (direction a = 0; a < 3; ++a)
    {
        const scalar side = box_.max()[a] - box_.min()[a];
        const char axis = "xyz"[a];
        if (!(side >= cellSize_*(1 - alike)))
        {
            FatalIOErrorInFunction(dict_)
                << "Entry box: from " << box_.min() << " to " << box_.max() << " m it is " << side << " m wide along "
                << axis << ", less than a cell (cellSize " << cellSize_ << " m); give its lower corner and its upper one"
                << exit(FatalIOError);
        }
        if (box_.min()[a] < all.max()[a] && box_.max()[a] > all.min()[a]) continue;
        FatalIOErrorInFunction(dict_)
            << "Entry box: from " << box_.min() << " to " << box_.max() << " m it lies outside the domain, which extends"
            << " from " << all.min() << " to " << all.max() << " m: look along " << axis << exit(FatalIOError);
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::outputMesh::outputMesh(const dictionary& dict, const scalar lattice, const lbm::Bounds& domain)
:
    dict_(dict),
    domain_(domain)
{
    readSizes(lattice);
    readBox();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::voxelCells::nodeBox Foam::outputMesh::nodes(const lbm::LatticeBox& all) const
{
    if (uniform()) return {{0, 0, 0}, all.size};
    voxelCells::nodeBox result;
    for (int a = 0; a < 3; ++a)
    {
        // In cells, from the domain's lower end on
        const auto cells = [&](const scalar x) { return (x - all.origin[a])/all.spacing + 0.5; };
        const scalar low = std::floor(cells(box_.min()[a]) + sameSide);
        const scalar high = std::ceil(cells(box_.max()[a]) - sameSide);
        result.low[a] = int(min(max(low, scalar(0)), scalar(all.size[a] - 1)));
        result.high[a] = int(min(max(high, scalar(result.low[a] + 1)), scalar(all.size[a])));
    }
    return result;
}


int Foam::outputMesh::levels(const scalar smallest) const
{
    if (uniform()) return 0;
    int level = 0;
    while (level < mostLevels && smallest*(2 << level) <= largest_*(1 + alike)) ++level;
    return level;
}


void Foam::outputMesh::checkLattice(const scalar spacing) const
{
    if (cellSize_ >= spacing*(1 - alike)) return;
    FatalIOErrorInFunction(dict_)
        << "Entry cellSize: cells of " << cellSize_ << " m are smaller than those of the lattice, " << spacing << " m"
        << nl << "Give the lattice smaller ones (cellSize of lbmDict or lbmVoxelizeDict; auto: more memory), or these"
        << " larger ones"
        << exit(FatalIOError);
}
