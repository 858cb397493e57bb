// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallEdges.H"
#include "bitSet.H"

namespace
{

// Faces that meet at a larger angle than this cosine's make an edge
const Foam::scalar smooth = 0.85;

// In node distances: as far as a link of a node beside an edge reaches
const Foam::scalar reach = 1.5;

} // End anonymous namespace


Foam::lbmWallEdges::lbmWallEdges
(
    const fvMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const boolList& walls,
    const label patchi
)
:
    mesh_(mesh),
    domain_(domain),
    axes_(axes),
    walls_(walls),
    patchi_(patchi)
{
    const labelList found(edges());
    if (found.empty()) return;

    // In a box that is no plane, as the tree needs it
    treeBoundBox box(mesh.points());
    box.inflate(0.01);
    tree_.reset
    (
        new indexedOctree<treeDataEdge>
        (
            treeDataEdge(false, mesh.edges(), mesh.points(), found),
            box, 8, 10, 3.0
        )
    );
}


// Of the mesh
Foam::labelList Foam::lbmWallEdges::edges() const
{
    const polyPatch& patch = mesh_.boundaryMesh()[patchi_];
    bitSet otherWalls(mesh_.nPoints());
    for (const polyPatch& other : mesh_.boundaryMesh())
    {
        if (other.index() != patchi_ && walls_[other.index()])
        {
            otherWalls.set(other.meshPoints());
        }
    }

    DynamicList<label> found;
    forAll(patch.edgeFaces(), edgei)
    {
        const labelList& faces = patch.edgeFaces()[edgei];
        const edge& e = patch.edges()[edgei];
        const bool bent = faces.size() == 2
          && (patch.faceNormals()[faces[0]] & patch.faceNormals()[faces[1]])
           < smooth;
        const bool meets = faces.size() == 1
          && otherWalls.test(patch.meshPoints()[e.first()])
          && otherWalls.test(patch.meshPoints()[e.second()]);
        if (bent || meets || faces.size() > 2)
        {
            found.append(patch.meshEdges()[edgei]);
        }
    }
    return labelList(std::move(found));
}


bool Foam::lbmWallEdges::alone(const label linki) const
{
    const std::vector<lbm::Link>& all = domain_.links;
    const lbm::NodeIndex node = all[linki].node;
    std::size_t i = linki;
    while (i > 0 && all[i - 1].node == node) --i;
    for (; i < all.size() && all[i].node == node; ++i)
    {
        if (all[i].patch != patchi_) return false;
    }
    return true;
}


bool Foam::lbmWallEdges::near(const label linki) const
{
    if (!tree_) return false;
    const lbm::Link& link = domain_.links[linki];
    const lbm::Int3 x = domain_.coordinates(link.node);
    const lbm::Int3 c = lbm::directionOf(link.direction);
    lbm::Vec3 crossing;
    for (int a = 0; a < 3; ++a) crossing[a] = x[a] + link.fraction*c[a];
    return tree_->findNearest
    (
        axes_.position(domain_, crossing), sqr(reach*domain_.spacing)
    ).hit();
}


Foam::boolList Foam::lbmWallEdges::far(const labelList& links) const
{
    boolList result(links.size());
    forAll(links, i) result[i] = alone(links[i]) && !near(links[i]);
    return result;
}
