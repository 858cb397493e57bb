/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/surfaceRims/surfaceRims.H"

#include "Enum.H"
#include "point.H"
#include "wordList.H"

#include <algorithm>
#include <sstream>

namespace
{

using namespace Foam;

enum class otherRims { patch, wall };

const Enum<otherRims> defaults
({
    { otherRims::patch, "patch" },
    { otherRims::wall, "wall" }
});


scalar distance(const point& p, const lbm::Rim& rim)
{
    return mag(p - point(rim.centre[0], rim.centre[1], rim.centre[2]));
}


std::string nameOf(const std::size_t number)
{
    return "rim" + std::to_string(number);
}


// Why a rim that nobody has named stays a hole; empty: it does not
std::string fault(const lbm::Rim& rim, const scalar spacing)
{
    std::ostringstream os;
    const scalar cells = rim.width()/spacing;
    if (rim.facing >= 0)
    {
        os << nameOf(rim.facing) << " is in the same place: surfaces that do not quite meet";
    }
    else if (!(cells >= surfaceRims::leastCells))
    {
        os.precision(2);
        os << cells << " cells across";
    }
    else if (!rim.simple)
    {
        os << "crosses itself, seen along its normal";
    }
    else if (!rim.flat())
    {
        os << "not flat: up to " << rim.deviation << " m beside its mean plane";
    }
    else if (rim.within >= 0)
    {
        os << "lies within " << nameOf(rim.within);
    }
    else if (rim.holds >= 0)
    {
        os << nameOf(rim.holds) << " lies within it";
    }
    return os.str();
}


// All rims by their numbers, for messages
std::string listed(std::vector<lbm::RimFate> fates)
{
    if (fates.empty()) return "The surfaces have no rim\n";
    for (std::size_t i = 0; i < fates.size(); ++i)
    {
        fates[i].patch = nameOf(i);
        fates[i].why.clear();
    }
    return lbm::rimsText(fates);
}


// The rim that a point means
std::size_t find(const dictionary& dict, const word& name, const std::vector<lbm::RimFate>& fates)
{
    const point p(dict.get<point>(name));
    std::size_t found = fates.size(), nearest = 0;
    label several = 0;
    for (std::size_t i = 0; i < fates.size(); ++i)
    {
        if (distance(p, fates[i].rim) < distance(p, fates[nearest].rim)) nearest = i;
        if (distance(p, fates[i].rim) > fates[i].rim.reach) continue;
        if (!several++) found = i;
    }
    if (several > 1)
    {
        FatalIOErrorInFunction(dict)
            << "Entry " << name << ": the point " << p << " belongs to " << several << " rims, of which each is farther"
            << " across than it is away" << nl << listed(fates).c_str()
            << "Close them by triangles of the surface, or give a point that is nearer to the centre of one"
            << exit(FatalIOError);
    }
    if (several == 0)
    {
        FatalIOErrorInFunction(dict) << "Entry " << name << ": no rim is at the point " << p;
        if (fates.size())
        {
            FatalIOError
                << "; the nearest one, " << nameOf(nearest).c_str() << ", is " << distance(p, fates[nearest].rim)
                << " m away (scale acts on the file's coordinates, not on points here)";
        }
        FatalIOError << nl << listed(fates).c_str() << exit(FatalIOError);
    }
    return found;
}


void nameRims(const dictionary& dict, std::vector<lbm::RimFate>& fates)
{
    for (const entry& e : dict)
    {
        const word& name = e.keyword();
        if (name == "default") continue;
        lbm::RimFate& fate = fates[find(dict, name, fates)];
        if (fate.patch.size())
        {
            FatalIOErrorInFunction(dict)
                << "Entries " << fate.patch.c_str() << " and " << name << " mean the same rim" << nl
                << listed(fates).c_str() << exit(FatalIOError);
        }
        const lbm::Rim& rim = fate.rim;
        const label other = max(rim.within, max(rim.holds, rim.facing));
        if (other >= 0)
        {
            FatalIOErrorInFunction(dict)
                << "Entry " << name << ": one of this rim and " << nameOf(other).c_str()
                << " lies in the other, and which of them the flow passes is not known" << nl << listed(fates).c_str()
                << "Close them by triangles of the surface" << exit(FatalIOError);
        }
        fate.patch = name;
    }
}


void checkNew(const dictionary& dict, const lbm::TriangleMesh& mesh, const std::string& name)
{
    const auto& names = mesh.regionNames;
    if (std::find(names.begin(), names.end(), name) == names.end()) return;
    FatalIOErrorInFunction(dict)
        << "A rim would be patch " << name.c_str() << ", which is a region of the surfaces: name the rim in rims"
        << exit(FatalIOError);
}

} // End anonymous namespace


std::vector<lbm::RimFate> Foam::surfaceRims::close
(
    lbm::TriangleMesh& mesh, const dictionary& dict, const bool boxed, const scalar spacing
)
{
    const otherRims others =
        defaults.getOrDefault("default", dict, boxed ? otherRims::wall : otherRims::patch);
    std::vector<lbm::RimFate> fates;
    if (boxed && dict.empty()) return fates;

    const lbm::RimList rims(lbm::rimsOf(mesh));
    for (const lbm::Rim& rim : rims.all)
    {
        fates.push_back({rim, "", mesh.regionNames[rim.region], ""});
    }
    nameRims(dict, fates);
    for (std::size_t i = 0; i < fates.size(); ++i)
    {
        lbm::RimFate& fate = fates[i];
        if (fate.patch.empty())
        {
            fate.why = others == otherRims::wall ? "default wall" : fault(fate.rim, spacing);
            if (fate.why.size()) continue;
            fate.patch = nameOf(i);
            checkNew(dict, mesh, fate.patch);
        }
        try
        {
            lbm::closeRim(mesh, fate.rim, fate.patch);
        }
        catch (const lbm::SurfaceError& e)
        {
            FatalIOErrorInFunction(dict)
                << "Entry " << fate.patch.c_str() << ": " << e.what() << exit(FatalIOError);
        }
    }
    return fates;
}
