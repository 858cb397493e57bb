// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmAxes.H"
#include "emptyPolyPatch.H"
#include "ListOps.H"
#include "Time.H"

Foam::lbmAxes::lbmAxes(const polyMesh& mesh)
:
    dimensions_(mesh.nGeometricD()),
    foamAxis_({0, 1, 2})
{
    if (dimensions_ < 2)
    {
        wordList empty;
        for (const polyPatch& patch : mesh.boundaryMesh())
        {
            if (patch.size() && isA<emptyPolyPatch>(patch)) empty.append(patch.name());
        }
        FatalErrorInFunction
            << "The mesh in "
            << mesh.time().path()/mesh.facesInstance()/polyMesh::meshSubDir
            << " has " << dimensions_ << " geometric direction(s); lbmFoam"
            << " needs two or three. Those that patches of type empty in"
            << " boundary leave count; here " << flatOutput(empty) << nl
            << "Way out: type empty for those alone across which the case does not"
            << " extend (subsetMesh -patch NAME gives a patch that there is to the"
            << " faces that it lays open)" << exit(FatalError);
    }
    if (dimensions_ == 2)
    {
        for (direction normal = 0; normal < 3; ++normal)
        {
            if (mesh.geometricD()[normal] > 0) continue;
            foamAxis_[0] = (normal + 1) % 3;
            foamAxis_[1] = (normal + 2) % 3;
            foamAxis_[2] = normal;
        }
    }
}


lbm::Vec3 Foam::lbmAxes::coordinates
(
    const lbm::Domain& domain,
    const point& position
) const
{
    lbm::Vec3 x(toLattice(position));
    for (int a = 0; a < 3; ++a)
    {
        x[a] = (x[a] - domain.origin[a])/domain.spacing;
    }
    return x;
}


Foam::point Foam::lbmAxes::position
(
    const lbm::Domain& domain,
    const lbm::Vec3& coordinates
) const
{
    lbm::Vec3 x(coordinates);
    for (int a = 0; a < 3; ++a)
    {
        x[a] = domain.origin[a] + domain.spacing*x[a];
    }
    return toFoam(x);
}
