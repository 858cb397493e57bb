/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/surfaceReport/surfaceReport.H"
#include "plugin/common/lbmWholeFolder.H"

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

bool Foam::surfaceReport::writeJson(const fileName& file) const
{
    std::ofstream os(file);
    os << lbm::reportJson(report_);
    os.close();
    return bool(os);
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
        report_.rims = settings.rims();
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
    mkDir(folder.path());
    const lbmWholeFolder whole(folder);
    string why(whole.make());
    if (why.empty())
    {
        const bool written = writeJson(whole.path()/"geometry.json");
        writeVtp(whole.path()/"geometry.vtp");
        why = written ? whole.finish([](const fileName&) { return false; }) : whole.reason();
    }
    if (!why.empty())
    {
        whole.discard();
        FatalErrorInFunction
            << "The report cannot be written to " << folder << ": " << why.c_str() << exit(FatalError);
    }
    Info<< "Wrote " << folder/"geometry.json" << nl << "Wrote " << folder/"geometry.vtp" << nl << endl;
}
