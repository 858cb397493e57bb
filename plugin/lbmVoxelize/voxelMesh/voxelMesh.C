/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/voxelMesh/voxelMesh.H"

#include "DynamicList.H"
#include "lbm/api/inParallel.hpp"

#include <cstdlib>

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

std::int64_t Foam::voxelMesh::vertex(const lbm::Int3& at) const
{
    const lbm::Int3& n = cells_.domain().size;
    return at[0] + (n[0] + 1)*(at[1] + std::int64_t(n[1] + 1)*at[2]);
}


std::array<lbm::Int3, 4> Foam::voxelMesh::corners(const voxelCells::cellSide& side) const
{
    const voxelCells::nodeBox& nodes = side.nodes;
    const int a = (side.axis + 1) % 3, b = (side.axis + 2) % 3;
    lbm::Int3 first(nodes.low);
    first[side.axis] = (side.upper ? nodes.high : nodes.low)[side.axis];

    std::array<lbm::Int3, 4> result{first, first, first, first};
    result[1][side.upper ? a : b] = nodes.high[side.upper ? a : b];
    result[3][side.upper ? b : a] = nodes.high[side.upper ? b : a];
    result[2][a] = nodes.high[a];
    result[2][b] = nodes.high[b];
    return result;
}


Foam::face Foam::voxelMesh::faceOf(const voxelCells::cellSide& side) const
{
    const std::array<lbm::Int3, 4> corner(corners(side));
    DynamicList<label, 8> points;
    for (int i = 0; i < 4; ++i)
    {
        const lbm::Int3& end = corner[(i + 1) % 4];
        lbm::Int3 at(corner[i]);
        points.append(vertices_.numberOf(vertex(at)));
        for (int axis = 0; axis < 3; ++axis)
        {
            const int step = end[axis] > at[axis] ? 1 : -1;
            const int between = std::abs(end[axis] - at[axis]) - 1;
            for (int n = 0; n < between; ++n)
            {
                at[axis] += step;
                const std::int64_t hanging = vertex(at);
                if (vertices_[hanging]) points.append(vertices_.numberOf(hanging));
            }
        }
    }
    return face(points);
}


void Foam::voxelMesh::measure()
{
    struct counter
    {
        voxelMesh& mesh;
        labelList& n;

        void mark(const voxelCells::cellSide& side)
        {
            for (const lbm::Int3& corner : mesh.corners(side)) mesh.vertices_.setShared(mesh.vertex(corner));
        }
        void internal(const label, const label, const voxelCells::cellSide& side)
        {
            ++n[0];
            mark(side);
        }
        void boundary(const label, const label patchi, const voxelCells::cellSide& side)
        {
            ++n[patchi + 1];
            mark(side);
        }
    };
    layerStart_.resize(std::size_t(cells_.layers()));
    lbm::inParallel(layerStart_.size(), [&](const std::size_t layer)
    {
        layerStart_[layer].setSize(start_.size(), Zero);
        counter found{*this, layerStart_[layer]};
        cells_.visitFaces(int(layer), found);
    });
    vertices_.number();
}


void Foam::voxelMesh::place()
{
    label next = 0;
    forAll(start_, kind)
    {
        for (labelList& layer : layerStart_)
        {
            const label n = layer[kind];
            layer[kind] = next;
            next += n;
        }
        start_[kind] = next;
    }
}


void Foam::voxelMesh::fill()
{
    struct filler
    {
        voxelMesh& mesh;
        labelList next;

        void add(const label facei, const label cell, const voxelCells::cellSide& side)
        {
            mesh.faces_[facei] = mesh.faceOf(side);
            mesh.owner_[facei] = cell;
        }
        void internal(const label cell, const label other, const voxelCells::cellSide& side)
        {
            mesh.neighbour_[next[0]] = other;
            add(next[0]++, cell, side);
        }
        void boundary(const label cell, const label patchi, const voxelCells::cellSide& side)
        {
            add(next[patchi + 1]++, cell, side);
        }
    };
    faces_.setSize(start_.last());
    owner_.setSize(start_.last());
    neighbour_.setSize(start_.first());
    lbm::inParallel(layerStart_.size(), [&](const std::size_t layer)
    {
        filler own{*this, layerStart_[layer]};
        cells_.visitFaces(int(layer), own);
    });
    layerStart_.clear();
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::voxelMesh::voxelMesh(const voxelCells& cells)
:
    cells_(cells),
    start_(label(cells.domain().patches.size()) + 1)
{
    const lbm::Int3& n = cells.domain().size;
    vertices_ = rankedBits(vertex(n) + 1);
    try
    {
        measure();
    }
    catch (const voxelCells::missingLinks& fault)
    {
        FatalErrorInFunction << fault.what() << exit(FatalError);
    }
    place();
    fill();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

Foam::pointField Foam::voxelMesh::points() const
{
    const lbm::Domain& domain = cells_.domain();
    const lbm::Int3& n = domain.size;
    pointField result(vertices_.size());
    label pointi = 0;
    vertices_.forEach
    (
        [&](const std::int64_t i)
        {
            const label x = i % (n[0] + 1), y = i/(n[0] + 1) % (n[1] + 1), z = i/(n[0] + 1)/(n[1] + 1);
            result[pointi++] = point(cells_.plane(0, x), cells_.plane(1, y), cells_.plane(2, z));
        }
    );
    return result;
}


Foam::faceList Foam::voxelMesh::faces()
{
    return std::move(faces_);
}


Foam::labelList Foam::voxelMesh::owner()
{
    return std::move(owner_);
}


Foam::labelList Foam::voxelMesh::neighbour()
{
    return std::move(neighbour_);
}
