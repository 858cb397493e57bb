/*---------------------------------------------------------------------------*\
Description
    Surface files by OpenFOAM's triSurface, handed on as plain triangles.

    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "SurfaceFileCheck.H"
#include "adapters/surface/ReaderEntry.hpp"

#include "sigFpe.H"
#include "triSurface.H"

#include <cmath>

namespace
{

// While it lives, OpenFOAM's fatal errors are exceptions
class ThrowingErrors
{
    const bool error_ = Foam::FatalError.throwExceptions();
    const bool ioError_ = Foam::FatalIOError.throwExceptions();

public:

    ~ThrowingErrors()
    {
        Foam::FatalError.throwExceptions(error_);
        Foam::FatalIOError.throwExceptions(ioError_);
    }
};


std::string regionName(const Foam::triSurface& surface, const Foam::label region)
{
    const Foam::geometricSurfacePatchList& patches = surface.patches();
    if (region < patches.size() && !patches[region].name().empty())
    {
        return patches[region].name();
    }
    return "patch" + std::to_string(region);
}


void addPoints(const Foam::triSurface& surface, const std::string& file, lbm::TriangleMesh& mesh)
{
    for (const Foam::point& p : surface.points())
    {
        mesh.points.push_back({p.x(), p.y(), p.z()});
        for (const double x : mesh.points.back())
        {
            if (!std::isfinite(x))
            {
                throw lbm::SurfaceError("surface file " + file + ": a coordinate is not finite");
            }
        }
    }
}


// Regions are numbered as they first occur; one without a triangle does not
void addTriangles(const Foam::triSurface& surface, lbm::TriangleMesh& mesh)
{
    for (const Foam::labelledTri& t : surface)
    {
        mesh.triangles.push_back({t[0], t[1], t[2]});
        mesh.regions.push_back(lbm::regionNumber(mesh, regionName(surface, t.region())));
    }
}


lbm::TriangleMesh read(const std::string& file, const double scale)
{
    // A number that is too large for the file's precision must become an error, not a signal
    const Foam::sigFpe::ignore noSignal;
    const lbm::SurfaceFileCheck check(Foam::fileName(file, false), scale);
    const Foam::triSurface surface(check.plain(), check.kind(), scale);

    lbm::TriangleMesh mesh;
    addPoints(surface, file, mesh);
    addTriangles(surface, mesh);
    return mesh;
}

} // End anonymous namespace


void lbmReadSurface(const std::string& file, double scale, lbm::TriangleMesh& mesh, std::string& error)
{
    const ThrowingErrors guard;
    try
    {
        mesh = read(file, scale);
    }
    catch (const Foam::error& e)
    {
        error = "surface file " + file + ": " + e.message();
    }
    catch (const std::exception& e)
    {
        error = e.what();
    }
}
