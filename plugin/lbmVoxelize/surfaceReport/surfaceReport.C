/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/surfaceReport/surfaceReport.H"

#include "OSspecific.H"
#include "faceList.H"
#include "foamVtkSurfaceWriter.H"
#include "pointField.H"
#include "scalarField.H"

#include <fstream>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace
{

template<class Values>
Foam::labelList labels(const Values& values)
{
    Foam::labelList result(Foam::label(values.size()));
    forAll(result, i)
    {
        result[i] = values[i];
    }
    return result;
}


Foam::scalarField lengths(const std::vector<float>& values)
{
    Foam::scalarField result(Foam::label(values.size()));
    forAll(result, i)
    {
        result[i] = values[i] > 0 ? values[i] : -1;
    }
    return result;
}

} // End anonymous namespace


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::surfaceReport::writeJson(const fileName& file) const
{
    std::ofstream os(file);
    os << lbm::reportJson(report_);
    os.close();
    if (!os)
    {
        FatalErrorInFunction << file << " cannot be written" << exit(FatalError);
    }
}


void Foam::surfaceReport::writeVtp(const fileName& file) const
{
    pointField points(label(surface_.points.size()));
    forAll(points, i)
    {
        const lbm::Vec3& p = surface_.points[i];
        points[i] = point(p[0], p[1], p[2]);
    }
    faceList faces(label(surface_.triangles.size()), face(3));
    forAll(faces, i)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            faces[i][corner] = surface_.triangles[i][corner];
        }
    }

    vtk::surfaceWriter writer(points, faces, file);
    writer.writeGeometry();
    writer.beginCellData(6);
    writer.write("defects", labels(report_.defects));
    writer.write("shell", labels(report_.shell));
    writer.write("region", labels(surface_.regions));
    writer.write("gap", lengths(report_.gaps));
    writer.write("wall", lengths(report_.walls));
    writer.write("wetted", labels(report_.wetted));
    writer.close();
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::surfaceReport::surfaceReport
(
    const lbm::TriangleMesh& surface, const lbm::LatticeBox& box, const voxelSettings& settings
)
:
    surface_(surface)
{
    try
    {
        report_ = lbm::geometryReport(surface, box, settings.options(surface));
    }
    catch (const lbm::SurfaceError& e)
    {
        FatalIOErrorInFunction(settings.dict()) << e.what() << exit(FatalIOError);
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::surfaceReport::print() const
{
    Info<< lbm::reportText(report_).c_str() << endl;
}


void Foam::surfaceReport::write(const fileName& folder) const
{
    mkDir(folder);
    const fileName json(folder/"geometry.json"), vtp(folder/"geometry.vtp");
    const fileName jsonPart(folder/"part.json"), vtpPart(folder/"part.vtp");
    writeJson(jsonPart);
    writeVtp(vtpPart);
    if (!mv(jsonPart, json) || !mv(vtpPart, vtp))
    {
        FatalErrorInFunction << "The report cannot be moved to its place in " << folder << exit(FatalError);
    }
    Info<< "Wrote " << json << nl << "Wrote " << vtp << nl << endl;
}
