// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCellTree.H"
#include "polyMesh.H"
#include "Random.H"
#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace
{

using namespace Foam;

using cellTree = indexedOctree<treeDataCell>;
using cellTreePtr = autoPtr<cellTree>;

cellTreePtr& cellTreeOf(const polyMesh&);

// polyMesh takes no tree from outside. Arguments of an explicit instantiation
// may name private members
template<cellTreePtr polyMesh::*member>
struct cellTreeAccess
{
    friend cellTreePtr& cellTreeOf(const polyMesh& mesh)
    {
        return const_cast<polyMesh&>(mesh).*member;
    }
};

template struct cellTreeAccess<&polyMesh::cellTreePtr_>;


// As polyMesh::cellTree has them, so that places on a face are found in the same cell
const label maxLevel = 8;
const label leafSize = 10;
const scalar duplicity = 5;


// indexedOctree's own way, level by level, each by all threads: the same nodes and
// contents in the same order
class treeBuilder
{
    using node = cellTree::node;
    using eighths = std::array<labelList, 8>;

    //- Cells of a piece of a box's, which one thread looks through
    static const label atOnce = 8192;

    //- A box to be made a node of: where it hangs, and its cells
    struct split
    {
        label parent;           // -1: the whole
        direction octant;
        treeBoundBox box;
        label content;
        std::size_t firstPiece;
    };

    struct piece
    {
        std::size_t split;
        label begin;
        std::array<DynamicList<label>, 8> cells;
    };

    std::vector<treeBoundBox> bounds_;
    DynamicList<node> nodes_;
    DynamicList<labelList> contents_;
    std::vector<split> splits_;
    std::vector<piece> pieces_;

    // As indexedOctree encodes what hangs below a node
    static labelBits content(const label i, const direction octant)
    {
        return labelBits(-i - 1, octant);
    }
    static labelBits below(const label nodei, const direction octant)
    {
        return labelBits(nodei + 1, octant);
    }
    static labelBits nothing(const direction octant)
    {
        return labelBits(0, octant);
    }

    void findBounds(const polyMesh& mesh)
    {
        const cellList& cells = mesh.cells();   // made when asked for first
        bounds_.resize(std::size_t(mesh.nCells()));
        #pragma omp parallel for schedule(static)
        for (label celli = 0; celli < mesh.nCells(); ++celli)
        {
            treeBoundBox box(vector::uniform(GREAT), vector::uniform(-GREAT));
            for (const label facei : cells[celli])
            {
                for (const label pointi : mesh.faces()[facei])
                {
                    const point& p = mesh.points()[pointi];
                    box.min() = min(box.min(), p);
                    box.max() = max(box.max(), p);
                }
            }
            bounds_[celli] = box;
        }
    }

    void divide(piece& mine) const
    {
        const split& of = splits_[mine.split];
        const labelList& cells = contents_[of.content];
        const label end = min(mine.begin + atOnce, cells.size());
        for (direction octant = 0; octant < 8; ++octant)
        {
            const treeBoundBox box(of.box.subBbox(octant));
            for (label i = mine.begin; i < end; ++i)
            {
                if (box.overlaps(bounds_[cells[i]])) mine.cells[octant].append(cells[i]);
            }
        }
    }

    void join(const std::size_t s, eighths& result)
    {
        const std::size_t end =
            s + 1 < splits_.size() ? splits_[s + 1].firstPiece : pieces_.size();
        for (direction octant = 0; octant < 8; ++octant)
        {
            label size = 0;
            for (std::size_t k = splits_[s].firstPiece; k < end; ++k)
            {
                size += pieces_[k].cells[octant].size();
            }
            result[octant].setSize(size);
            auto to = result[octant].begin();
            for (std::size_t k = splits_[s].firstPiece; k < end; ++k)
            {
                DynamicList<label>& from = pieces_[k].cells[octant];
                to = std::copy(from.begin(), from.end(), to);
                from.clearStorage();
            }
        }
    }

    // The first part takes the place of the whole, the others come at the end
    void append(const split& of, eighths& parts)
    {
        node made;
        made.bb_ = of.box;
        made.parent_ = of.parent;
        bool replaced = false;
        for (direction octant = 0; octant < 8; ++octant)
        {
            if (parts[octant].empty())
            {
                made.subNodes_[octant] = nothing(octant);
                continue;
            }
            label i = of.content;
            if (replaced)
            {
                i = contents_.size();
                contents_.append(labelList());
            }
            replaced = true;
            contents_[i].transfer(parts[octant]);
            made.subNodes_[octant] = content(i, octant);
        }
        if (of.parent >= 0)
        {
            nodes_[of.parent].subNodes_[of.octant] = below(nodes_.size(), of.octant);
        }
        nodes_.append(made);
    }

    void add(const split& of)
    {
        splits_.push_back(of);
        splits_.back().firstPiece = pieces_.size();
        for (label i = 0; i < contents_[of.content].size(); i += atOnce)
        {
            pieces_.push_back({splits_.size() - 1, i, {}});
        }
    }

    void makeNodes()
    {
        lbm::inParallel(pieces_.size(), [&](const std::size_t k) { divide(pieces_[k]); });
        std::vector<eighths> parts(splits_.size());
        lbm::inParallel(splits_.size(), [&](const std::size_t s) { join(s, parts[s]); });
        for (std::size_t s = 0; s < splits_.size(); ++s) append(splits_[s], parts[s]);
        splits_.clear();
        pieces_.clear();
    }

    bool tooMany() const
    {
        scalar all = 0;
        for (const labelList& cells : contents_) all += cells.size();
        return all > duplicity*bounds_.size();
    }

    // Of nodes since this one: those before have none that is large
    void addLarge(const label first)
    {
        for (label nodei = first; nodei < nodes_.size(); ++nodei)
        {
            for (direction octant = 0; octant < 8; ++octant)
            {
                const labelBits index = nodes_[nodei].subNodes_[octant];
                if (!cellTree::isContent(index)) continue;
                const label i = cellTree::getContent(index);
                if (contents_[i].size() <= leafSize) continue;
                add({nodei, octant, nodes_[nodei].bb_.subBbox(octant), i, 0});
            }
        }
    }

    // Those of a level together
    labelListList inOrder()
    {
        labelListList result(contents_.size());
        label next = 0;
        for (node& of : nodes_)
        {
            for (labelBits& index : of.subNodes_)
            {
                if (!cellTree::isContent(index)) continue;
                result[next].transfer(contents_[cellTree::getContent(index)]);
                index = content(next++, cellTree::getOctant(index));
            }
        }
        return result;
    }

public:

    treeBuilder(const polyMesh& mesh, const treeBoundBox& box)
    {
        if (!mesh.nCells()) return;
        findBounds(mesh);
        contents_.append(identity(mesh.nCells()));
        add({-1, 0, box, 0, 0});
        makeNodes();
        label first = 0;
        for (label level = 1; level < maxLevel && !tooMany(); ++level)
        {
            const label before = nodes_.size();
            addLarge(first);
            if (splits_.empty()) break;
            makeNodes();
            first = before;
        }
    }

    //- Once
    cellTree* tree(const polyMesh& mesh)
    {
        bounds_ = {};
        const labelListList contents(inOrder());
        const bool keepsBounds = false;     // which places are not looked for in
        return new cellTree
        (
            treeDataCell(keepsBounds, mesh, polyMesh::CELL_TETS), nodes_, contents
        );
    }
};

} // End anonymous namespace


const Foam::indexedOctree<Foam::treeDataCell>& Foam::lbmCellTree::make
(
    const polyMesh& mesh
)
{
    Random random(261782);
    treeBoundBox bounds(treeBoundBox(mesh.points()).extend(random, 1e-4));
    bounds.min() -= vector::uniform(ROOTVSMALL);
    bounds.max() += vector::uniform(ROOTVSMALL);
    cellTreeOf(mesh).reset(treeBuilder(mesh, bounds).tree(mesh));
    return mesh.cellTree();
}
