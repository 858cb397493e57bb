// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallNodes.H"

#include <cmath>

Foam::lbmWallNodes::lbmWallNodes
(
    const fvMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const lbmBoundary& boundary
)
{
    forAll(boundary.kinds(), patchi)
    {
        if (!boundary.kinds()[patchi].slips) continue;
        const fvPatch& patch = mesh.boundary()[patchi];
        const vectorField normals(patch.nf());
        const lbmPackedLabels& links = boundary.links(patchi);
        const lbmPackedLabels& faces = boundary.linkFaces(patchi);
        forAll(links, i)
        {
            const label facei = faces[i];
            add
            (
                domain,
                domain.links[links[i]],
                axes.toLattice(normals[facei]),
                patch.faceCells()[facei]
            );
        }
    }
}


// Nodes around the place where a link crosses, unless another link does closer by
void Foam::lbmWallNodes::add
(
    const lbm::Domain& domain,
    const lbm::Link& link,
    const lbm::Vec3& normal,
    const label celli
)
{
    const int reach = int(std::ceil(far)), deep = domain.dimensions == 3 ? reach : 0;
    const lbm::Int3 c = lbm::directionOf(link.direction);
    const lbm::Int3 at = domain.coordinates(link.node);
    lbm::Int3 to;
    for (to[2] = -deep; to[2] <= deep; ++to[2])
    for (to[1] = -reach; to[1] <= reach; ++to[1])
    for (to[0] = -reach; to[0] <= reach; ++to[0])
    {
        const vector off
        (
            to[0] - link.fraction*c[0],
            to[1] - link.fraction*c[1],
            to[2] - link.fraction*c[2]
        );
        const scalar y = -(off & vector(normal[0], normal[1], normal[2]));
        const lbm::NodeIndex there = domain.neighbour(at, to);
        if (y < 0 || y >= far || there < 0 || !domain.fluid[there]) continue;
        const scalar share = min(scalar(1), (far - y)/(far - near));
        const node candidate{celli, share, magSqr(off)};
        node& kept = nodes_.emplace(there, candidate).first->second;
        if (candidate.fromLink < kept.fromLink) kept = candidate;
    }
}
