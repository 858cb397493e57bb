/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/voxelMesh/voxelMesh.H"

namespace
{

//- Sides of a cell in the order of their direction codes: step, and corners
//  (bit 0: x, 1: y, 2: z) anticlockwise seen from outside
struct cellSide
{
    lbm::Int3 step;
    int corner[4];
};

const cellSide sides[6] =
{
    {{0, 0, -1}, {0, 2, 3, 1}},
    {{0, -1, 0}, {0, 1, 5, 4}},
    {{-1, 0, 0}, {0, 4, 6, 2}},
    {{1, 0, 0}, {1, 3, 7, 5}},
    {{0, 1, 0}, {2, 6, 7, 3}},
    {{0, 0, 1}, {4, 5, 7, 6}}
};

} // End anonymous namespace


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::voxelMesh::layer Foam::voxelMesh::numberCells(int z, label n) const
{
    if (z >= domain_.size[2])
    {
        return layer();
    }
    layer cells(columns(), -1);
    const lbm::NodeIndex first = domain_.index(0, 0, z);
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
        if (domain_.fluid[first + i])
        {
            cells[i] = n++;
        }
    }
    return cells;
}


Foam::label Foam::voxelMesh::vertex(const lbm::Int3& cell, int corner)
{
    const int x = cell[0] + (corner & 1);
    const int y = cell[1] + (corner >> 1 & 1);
    const int up = corner >> 2;
    label& number = (up ? high_ : low_)[x + std::size_t(domain_.size[0] + 1)*y];
    if (number < 0)
    {
        number = points_.size();
        const lbm::Vec3& o = domain_.origin;
        points_.append
        (
            point
            (
                o[0] + (x - 0.5)*domain_.spacing,
                o[1] + (y - 0.5)*domain_.spacing,
                o[2] + (cell[2] + up - 0.5)*domain_.spacing
            )
        );
    }
    return number;
}


Foam::face Foam::voxelMesh::side(const lbm::Int3& cell, int side)
{
    face f(4);
    forAll(f, i)
    {
        f[i] = vertex(cell, sides[side].corner[i]);
    }
    return f;
}


void Foam::voxelMesh::addCell
(
    lbm::NodeIndex node, label cell, const layer& here, const layer& above
)
{
    const lbm::Int3 at = domain_.coordinates(node);
    const std::size_t column = at[0] + std::size_t(domain_.size[0])*at[1];
    const std::vector<lbm::Link>& links = domain_.links;

    for (int s = 0; s < 6; ++s)
    {
        const lbm::Int3& step = sides[s].step;
        const std::uint8_t code = lbm::directionCode(step[0], step[1], step[2]);
        while (link_ < links.size() && links[link_].node == node && links[link_].direction < code)
        {
            ++link_;
        }
        if (link_ < links.size() && links[link_].node == node && links[link_].direction == code)
        {
            const label patchi = links[link_].patch;
            patchFaces_[patchi].append(side(at, s));
            patchOwner_[patchi].append(cell);
        }
        else if (step[0] + step[1] + step[2] > 0)
        {
            faces_.append(side(at, s));
            owner_.append(cell);
            neighbour_.append
            (
                step[2] ? above[column] : here[column + step[0] + std::size_t(domain_.size[0])*step[1]]
            );
        }
    }
    while (link_ < links.size() && links[link_].node == node)
    {
        ++link_;
    }
}


void Foam::voxelMesh::collectPatches()
{
    nInternalFaces_ = faces_.size();
    forAll(patchFaces_, patchi)
    {
        faces_.append(patchFaces_[patchi]);
        owner_.append(patchOwner_[patchi]);
        patchFaces_[patchi].clearStorage();
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::voxelMesh::voxelMesh(const lbm::Domain& domain)
:
    domain_(domain),
    patchFaces_(label(domain.patches.size())),
    patchOwner_(label(domain.patches.size()))
{
    const std::size_t vertices = std::size_t(domain.size[0] + 1)*(domain.size[1] + 1);
    high_.assign(vertices, -1);
    layer here = numberCells(0, 0);
    for (int z = 0; z < domain.size[2]; ++z)
    {
        label n = nCells_;
        for (const label cell : here)
        {
            n += cell >= 0;
        }
        const layer above = numberCells(z + 1, n);
        low_.swap(high_);
        high_.assign(vertices, -1);

        const lbm::NodeIndex first = domain.index(0, 0, z);
        for (std::size_t i = 0; i < here.size(); ++i)
        {
            if (here[i] >= 0)
            {
                addCell(first + i, here[i], here, above);
            }
        }
        nCells_ = n;
        here = above;
    }
    collectPatches();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::pointField Foam::voxelMesh::points()
{
    pointField result;
    result.transfer(points_);
    return result;
}


Foam::faceList Foam::voxelMesh::faces()
{
    faceList result;
    result.transfer(faces_);
    return result;
}


Foam::labelList Foam::voxelMesh::owner()
{
    labelList result;
    result.transfer(owner_);
    return result;
}


Foam::labelList Foam::voxelMesh::neighbour()
{
    labelList result;
    result.transfer(neighbour_);
    return result;
}
