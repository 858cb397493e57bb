/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/surfaceSplit/surfaceSplit.H"

#include "boundBox.H"
#include "objectRegistry.H"
#include "plane.H"
#include "searchableSurface.H"
#include "Time.H"

namespace
{

using namespace Foam;

pointField centres(const lbm::TriangleMesh& mesh)
{
    pointField result(label(mesh.triangles.size()), Zero);
    forAll(result, t)
    {
        for (const int corner : mesh.triangles[t])
        {
            const lbm::Vec3& p = mesh.points[corner];
            result[t] += point(p[0], p[1], p[2])/3;
        }
    }
    return result;
}


boolList beyond(const plane& limit, const pointField& places)
{
    const scalar tolerance = 1e-6*mag(boundBox(places).span());
    boolList result(places.size());
    forAll(places, i) result[i] = ((places[i] - limit.origin()) & limit.normal()) >= -tolerance;
    return result;
}


boolList within(const searchableSurface& shape, const pointField& places)
{
    List<volumeType> type;
    shape.getVolumeType(places, type);
    boolList result(places.size());
    forAll(places, i) result[i] = type[i] == volumeType::INSIDE;
    return result;
}


plane planeOf(const dictionary& dict)
{
    if (dict.found("planeType")) return plane(dict);
    const vector normal(dict.get<vector>("normal"));
    if (!(mag(normal) > VSMALL))
    {
        FatalIOErrorInFunction(dict) << "Entry normal is " << normal << exit(FatalIOError);
    }
    return plane(dict.get<point>("point"), normal);
}


boolList trianglesIn(const dictionary& dict, const word& name, const objectRegistry& registry, const pointField& places)
{
    const word type(dict.get<word>("type"));
    if (type == "plane" || type == "searchablePlane") return beyond(planeOf(dict), places);

    const IOobject io
    (
        name, registry.time().constant(), "triSurface", registry, IOobject::NO_READ, IOobject::NO_WRITE, false
    );
    const autoPtr<searchableSurface> shape(searchableSurface::New(type, io, dict));
    if (!shape->hasVolumeType())
    {
        FatalIOErrorInFunction(dict)
            << "Shape " << type << " holds no volume: box, sphere, cylinder and plane do" << exit(FatalIOError);
    }
    return within(*shape, places);
}

} // End anonymous namespace


void Foam::surfaceSplit::byShapes
(
    lbm::TriangleMesh& mesh, const dictionary& dict, const objectRegistry& registry
)
{
    if (dict.empty()) return;
    const pointField places(centres(mesh));
    for (const entry& e : dict)
    {
        const word& name = e.keyword();
        const dictionary& shape = dict.subDict(name);
        const boolList from(chosen(mesh, shape));
        const boolList in(trianglesIn(shape, name, registry, places));
        const std::int16_t region = lbm::regionNumber(mesh, name);
        label count = 0;
        forAll(in, t)
        {
            const label old = mesh.regions[t];
            // The patch itself may be new
            if (!in[t] || old >= from.size() || !from[old]) continue;
            mesh.regions[t] = region;
            ++count;
        }
        if (count == 0)
        {
            FatalIOErrorInFunction(shape)
                << "The shape holds no triangle's centre" << nl << "The surfaces extend over "
                << boundBox(places) << " m (scale acts on the file's coordinates, not on shapes)"
                << exit(FatalIOError);
        }
        Info<< "Patch " << name << " is cut out: " << count << " triangles" << nl;
    }
    dropEmpty(mesh);
}


void Foam::surfaceSplit::dropEmpty(lbm::TriangleMesh& mesh)
{
    std::vector<std::string> names;
    names.swap(mesh.regionNames);
    std::vector<bool> used(names.size(), false);
    for (const std::int16_t region : mesh.regions) used[region] = true;
    std::vector<std::int16_t> number(names.size(), -1);
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (used[i]) number[i] = lbm::regionNumber(mesh, names[i]);
    }
    for (std::int16_t& region : mesh.regions) region = number[region];
}
