/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/snappyCase/shapeTriangles.H"

#include "cartesianCS.H"
#include "mathematicalConstants.H"

namespace
{

using namespace Foam;

// Of a cell, by which chords may lie within a circle
const scalar flatness = 0.01;

// Along a circle
const label fewestSides = 24, mostSides = 720;


lbm::Vec3 asVec3(const vector& v)
{
    return {v.x(), v.y(), v.z()};
}


scalar positive(const dictionary& dict, const word& key)
{
    const scalar value = dict.get<scalar>(key);
    if (!(value > 0 && value < GREAT))
    {
        FatalIOErrorInFunction(dict)
            << "Entry " << key << " is " << value << "; it must be a positive number" << exit(FatalIOError);
    }
    return value;
}


label sidesOf(const scalar radius, const scalar cell)
{
    // A chord of angle a lies radius (1 - Foam::cos(a/2)) within
    const scalar n = constant::mathematical::pi*Foam::sqrt(radius/(2*flatness*cell));
    return 2*label(ceil(max(scalar(fewestSides), min(scalar(mostSides), n))/2));
}


// Rings of points, each of which is a point where it has one, from one end of an axis to the other
lbm::TriangleMesh ofRings(const List<pointField>& rings)
{
    lbm::TriangleMesh mesh;
    const auto add = [&](int a, int b, int c)
    {
        mesh.triangles.push_back({a, b, c});
    };
    int before = 0;
    forAll(rings, r)
    {
        const int first = int(mesh.points.size());
        for (const point& p : rings[r]) mesh.points.push_back(asVec3(p));
        if (r > 0)
        {
            const int m = rings[r - 1].size(), n = rings[r].size();
            for (int i = 0; i < max(m, n); ++i)
            {
                const int j = (i + 1) % max(m, n);
                if (n > 1) add(before + i % m, first + j, first + i);
                if (m > 1) add(before + i, before + j, first + (n > 1 ? j : 0));
            }
        }
        before = first;
    }
    return mesh;
}


// About an axis; one point where the radius is none
pointField ring(const point& centre, const vector& axis, const scalar radius, const label n)
{
    if (radius <= 0) return pointField(1, centre);
    const vector unit(normalised(axis));
    vector aside(Zero);
    aside[findMin(cmptMag(unit))] = 1;
    const vector e1(normalised(aside - (aside & unit)*unit)), e2(unit ^ e1);
    pointField points(n);
    forAll(points, i)
    {
        const scalar angle = constant::mathematical::twoPi*i/n;
        points[i] = centre + radius*(Foam::cos(angle)*e1 + Foam::sin(angle)*e2);
    }
    return points;
}


lbm::TriangleMesh sphere(const dictionary& dict, const scalar cell)
{
    const point centre(dict.getCompat<point>("origin", {{"centre", -1806}}));
    const scalar radius = positive(dict, "radius");
    const label n = sidesOf(radius, cell), steps = n/2;
    const vector axis(0, 0, 1);
    List<pointField> rings(steps + 1);
    forAll(rings, r)
    {
        const scalar angle = constant::mathematical::pi*r/steps;
        const bool pole = r == 0 || r == steps;
        rings[r] = ring(centre - radius*Foam::cos(angle)*axis, axis, pole ? 0 : radius*Foam::sin(angle), n);
    }
    return ofRings(rings);
}


lbm::TriangleMesh frustum(const dictionary& dict, const scalar radius1, const scalar radius2, const scalar cell)
{
    const point a(dict.get<point>("point1")), b(dict.get<point>("point2"));
    if (!(mag(b - a) > VSMALL) || radius1 < 0 || radius2 < 0 || !(max(radius1, radius2) > 0))
    {
        FatalIOErrorInFunction(dict)
            << "From point1 " << a << " to point2 " << b << " with radii " << radius1 << " and " << radius2
            << " there is no volume" << exit(FatalIOError);
    }
    const label n = sidesOf(max(radius1, radius2), cell);
    return ofRings
    ({
        pointField(1, a), ring(a, b - a, radius1, n), ring(b, b - a, radius2, n), pointField(1, b)
    });
}


lbm::TriangleMesh cone(const dictionary& dict, const scalar cell)
{
    for (const word key : {"innerRadius1", "innerRadius2"})
    {
        if (dict.getOrDefault<scalar>(key, 0) <= 0) continue;
        FatalIOErrorInFunction(dict) << "Entry " << key << ": hollow cones are not taken" << exit(FatalIOError);
    }
    return frustum(dict, dict.get<scalar>("radius1"), dict.get<scalar>("radius2"), cell);
}


lbm::TriangleMesh straightBox(const point& low, const point& high)
{
    lbm::TriangleMesh mesh;
    lbm::appendBox(mesh, asVec3(low), asVec3(high), {"", "", "", "", "", ""});
    return mesh;
}


lbm::TriangleMesh box(const dictionary& dict)
{
    const point low(dict.get<point>("min")), high(dict.get<point>("max"));
    if (!(cmptMin(high - low) > 0))
    {
        FatalIOErrorInFunction(dict) << "min " << low << " is not below max " << high << exit(FatalIOError);
    }
    return straightBox(low, high);
}


lbm::TriangleMesh rotatedBox(const dictionary& dict)
{
    const vector span(dict.get<vector>("span"));
    if (!(cmptMin(span) > 0))
    {
        FatalIOErrorInFunction(dict) << "Entry span is " << span << "; it must be positive" << exit(FatalIOError);
    }
    lbm::TriangleMesh mesh(straightBox(point(Zero), span));
    const coordSystem::cartesian axes(dict.get<point>("origin"), dict.get<vector>("e3"), dict.get<vector>("e1"));
    for (lbm::Vec3& p : mesh.points) p = asVec3(axes.globalPosition(point(p[0], p[1], p[2])));
    return mesh;
}


bool isOf(const word& type, const char* shortName)
{
    word full(shortName);
    full[0] = char(toupper(full[0]));
    return type == shortName || type == "searchable" + full;
}

} // End anonymous namespace


lbm::TriangleMesh Foam::shapeTriangles::of(const dictionary& dict, const word& region, const scalar cell)
{
    const word type(dict.get<word>("type"));
    lbm::TriangleMesh mesh;
    if (isOf(type, "box")) mesh = box(dict);
    else if (isOf(type, "rotatedBox")) mesh = rotatedBox(dict);
    else if (isOf(type, "sphere")) mesh = sphere(dict, cell);
    else if (isOf(type, "cylinder")) { const scalar r = positive(dict, "radius"); mesh = frustum(dict, r, r, cell); }
    else if (isOf(type, "cone")) mesh = cone(dict, cell);
    else
    {
        FatalIOErrorInFunction(dict)
            << "Entry type is " << type << ": walls of a lattice are taken of surface files (triSurfaceMesh) and of box,"
            << " rotatedBox, sphere, cylinder, cone" << exit(FatalIOError);
    }
    mesh.regionNames = {region};
    mesh.regions.assign(mesh.triangles.size(), 0);
    return mesh;
}
