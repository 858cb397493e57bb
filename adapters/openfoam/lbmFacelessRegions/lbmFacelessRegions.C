// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFacelessRegions.H"
#include "lbmAxes.H"
#include "indexedOctree.H"
#include "polyMesh.H"
#include "treeDataFace.H"
#include "wallPolyPatch.H"
#include "lbm/api/Domain.hpp"

#include <vector>

Foam::label Foam::lbmFacelessRegions::join
(
    lbm::Domain& domain,
    const lbmAxes& axes,
    const polyMesh& mesh
)
{
    const polyBoundaryMesh& patches = mesh.boundaryMesh();
    DynamicList<label> faces;
    std::vector<bool> faceless(patches.size(), false);
    for (const polyPatch& patch : patches)
    {
        if (!isA<wallPolyPatch>(patch)) continue;
        faceless[patch.index()] = patch.empty();
        forAll(patch, facei) faces.append(patch.start() + facei);
    }
    if (faces.empty()) return 0;

    label joined = 0;
    std::unique_ptr<indexedOctree<treeDataFace>> tree;
    for (lbm::Link& link : domain.links)
    {
        if (!faceless[link.patch]) continue;
        if (!tree)
        {
            treeBoundBox bounds(mesh.bounds());
            bounds.inflate(0.01);
            tree.reset
            (
                new indexedOctree<treeDataFace>
                (
                    treeDataFace(false, mesh, faces), bounds, 8, 10, 3.0
                )
            );
        }
        const lbm::Int3 node = domain.coordinates(link.node);
        const lbm::Int3 c = lbm::directionOf(link.direction);
        lbm::Vec3 x;
        for (int a = 0; a < 3; ++a) x[a] = node[a] + double(link.fraction)*c[a];
        const pointIndexHit hit = tree->findNearest
        (
            axes.position(domain, x), sqr(tree->bb().mag())
        );
        link.patch = std::int16_t(patches.whichPatch(faces[hit.index()]));
        ++joined;
    }
    return joined;
}
