/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/surfaceSplit/surfaceSplit.H"
#include "adapters/surface/MeshEdges.hpp"
#include "adapters/surface/Topology.hpp"
#include "adapters/surface/VectorMath.hpp"

#include "documentedDict.H"
#include "surfaceFeatures.H"
#include "triSurface.H"
#include "wordRes.H"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace
{

using namespace Foam;

point pointOf(const lbm::Vec3& p)
{
    return point(p[0], p[1], p[2]);
}


// One point a place, and triangles turned as their shells are, so that normals compare
triSurface joined(const lbm::TriangleMesh& mesh)
{
    const std::vector<int> merged(lbm::mergedPoints(mesh.points));
    const lbm::Topology topology(lbm::topologyOf(mesh));
    pointField points(label(mesh.points.size()));
    forAll(points, i) points[i] = pointOf(mesh.points[i]);
    List<labelledTri> triangles(label(mesh.triangles.size()));
    forAll(triangles, t)
    {
        const lbm::Int3& c = mesh.triangles[t];
        triangles[t] = labelledTri(merged[c[0]], merged[c[1]], merged[c[2]], mesh.regions[t]);
        if (topology.defects[t] & lbm::Topology::flipped) triangles[t].flip();
    }
    return triSurface(triangles, points);
}


struct piece
{
    int region = 0;
    scalar area = 0;
    vector moment = Zero;       // area times centre
    vector normal = Zero;       // area vector
    label triangles = 0;
    std::string name;

    point centre() const { return area > 0 ? moment/area : moment; }

    scalar flatness() const { return area > 0 ? mag(normal)/area : 0; }
};


class pieces
{
    lbm::TriangleMesh& mesh_;
    const triSurface surface_;
    const boolList split_;      // by region
    labelList zone_;
    std::vector<piece> all_;

    void mark(const scalar featureAngle)
    {
        const surfaceFeatures features(surface_, 180 - featureAngle);
        boolList border(surface_.nEdges(), false);
        for (const label edgei : features.featureEdges()) border[edgei] = true;
        all_.resize(surface_.markZones(border, zone_));
    }

    void measure()
    {
        for (piece& p : all_) p = piece();
        forAll(zone_, t)
        {
            piece& p = all_[zone_[t]];
            const vector normal(surface_[t].areaNormal(surface_.points()));
            p.region = mesh_.regions[t];
            p.area += mag(normal);
            p.normal += normal;
            p.moment += mag(normal)*surface_[t].centre(surface_.points());
            ++p.triangles;
        }
    }

    bool isSmall(const label zone, const scalar spacing) const
    {
        return all_[zone].area < sqr(surfaceSplit::leastCells*spacing);
    }

    // Length along which small pieces border larger ones of their region
    std::map<label, std::map<label, scalar>> borders(const scalar spacing) const
    {
        std::map<label, std::map<label, scalar>> length;
        const labelListList& faces = surface_.edgeFaces();
        forAll(faces, edgei)
        {
            const scalar here = surface_.edges()[edgei].mag(surface_.localPoints());
            for (const label a : faces[edgei])
            {
                for (const label b : faces[edgei])
                {
                    const label from = zone_[a], to = zone_[b];
                    if (all_[from].region != all_[to].region) continue;
                    if (isSmall(from, spacing) && !isSmall(to, spacing)) length[from][to] += here;
                }
            }
        }
        return length;
    }

    // Pieces of a region that has no larger one, or no way to it, stay
    void joinSmall(const scalar spacing)
    {
        while (true)
        {
            const auto length = borders(spacing);
            if (length.empty()) return;
            std::map<label, label> into;
            for (const auto& small : length)
            {
                into[small.first] = std::max_element
                (
                    small.second.begin(), small.second.end(),
                    [](const auto& a, const auto& b) { return a.second < b.second; }
                )->first;
            }
            for (label& zone : zone_)
            {
                const auto found = into.find(zone);
                if (found != into.end()) zone = found->second;
            }
            measure();
        }
    }

    std::vector<label> ofRegion(const int region) const
    {
        std::vector<label> numbers;
        for (label i = 0; i < label(all_.size()); ++i)
        {
            if (all_[i].triangles && all_[i].region == region) numbers.push_back(i);
        }
        // Equal ones by place, to digits that rounding leaves alone
        const scalar unit = 1e-6*mag(boundBox(surface_.points()).span());
        const auto key = [&](const label i)
        {
            const point c(all_[i].centre());
            return std::array<scalar, 4>
            {
                -round(std::sqrt(all_[i].area)/unit), round(c.x()/unit), round(c.y()/unit), round(c.z()/unit)
            };
        };
        std::stable_sort(numbers.begin(), numbers.end(), [&](label a, label b) { return key(a) < key(b); });
        return numbers;
    }

    void nameByNumber()
    {
        for (int region = 0; region < int(mesh_.regionNames.size()); ++region)
        {
            const std::vector<label> numbers(ofRegion(region));
            const std::string& name = mesh_.regionNames[region];
            for (std::size_t i = 0; i < numbers.size(); ++i)
            {
                const bool whole = numbers.size() == 1 || !split_[region];
                all_[numbers[i]].name = whole ? name : name + "_" + std::to_string(i);
            }
        }
    }

    // Of each piece that was split off
    std::map<label, scalar> distances(const point& p) const
    {
        std::map<label, scalar> nearest;
        forAll(zone_, t)
        {
            if (!split_[mesh_.regions[t]]) continue;
            std::array<lbm::Vec3, 3> corners;
            for (int i = 0; i < 3; ++i) corners[i] = mesh_.points[mesh_.triangles[t][i]];
            const scalar d = lbm::vec::distance(corners, {p.x(), p.y(), p.z()});
            const auto at = nearest.emplace(zone_[t], d).first;
            at->second = min(at->second, d);
        }
        return nearest;
    }

    label find(const dictionary& names, const word& name) const
    {
        const point p(names.get<point>(name));
        const std::map<label, scalar> distance(distances(p));
        if (distance.empty())
        {
            FatalIOErrorInFunction(names) << "No region is split" << exit(FatalIOError);
        }
        const auto nearest = std::min_element
        (
            distance.begin(), distance.end(), [](const auto& a, const auto& b) { return a.second < b.second; }
        );
        const scalar size = std::sqrt(all_[nearest->first].area);
        for (const auto& other : distance)
        {
            if (other.first == nearest->first || other.second > nearest->second + 1e-3*size) continue;
            FatalIOErrorInFunction(names)
                << "Entry " << name << ": the point " << p << " is as near to one piece as to another" << nl
                << text().c_str() << exit(FatalIOError);
        }
        if (nearest->second > size)
        {
            FatalIOErrorInFunction(names)
                << "Entry " << name << ": the point " << p << " is " << nearest->second
                << " m away from the nearest piece (scale acts on the file's coordinates, not on points here)" << nl
                << text().c_str() << exit(FatalIOError);
        }
        return nearest->first;
    }

public:

    pieces(lbm::TriangleMesh& mesh, const boolList& split, const scalar featureAngle, const scalar spacing)
    :
        mesh_(mesh),
        surface_(joined(mesh)),
        split_(split)
    {
        mark(featureAngle);
        measure();
        joinSmall(spacing);
        nameByNumber();
    }

    void name(const dictionary& names)
    {
        std::map<label, word> given;
        for (const entry& e : names)
        {
            const label zone = find(names, e.keyword());
            const auto before = given.emplace(zone, e.keyword());
            if (before.second) continue;
            FatalIOErrorInFunction(names)
                << "Entries " << before.first->second << " and " << e.keyword() << " mean the same piece" << nl
                << text().c_str() << exit(FatalIOError);
        }
        for (const auto& g : given) all_[g.first].name = g.second;
    }

    std::string text() const
    {
        OStringStream os;
        os.precision(6);
        os  << "Pieces of surfaces" << nl;
        for (int region = 0; region < int(split_.size()); ++region)
        {
            if (!split_[region]) continue;
            for (const label i : ofRegion(region))
            {
                const piece& p = all_[i];
                os  << "    " << p.name.c_str() << ": centre " << p.centre() << " m, area " << p.area << " m2, "
                    << p.triangles << " triangles";
                if (p.flatness() > 0.999) os << ", flat, normal " << p.normal/mag(p.normal);
                os  << nl;
            }
        }
        return os.str();
    }

    void apply() const
    {
        std::vector<std::string> names;
        names.swap(mesh_.regionNames);
        // Regions keep their order, pieces follow their own
        std::vector<std::int16_t> number(all_.size(), 0);
        for (int region = 0; region < int(names.size()); ++region)
        {
            for (const label i : ofRegion(region)) number[i] = lbm::regionNumber(mesh_, all_[i].name);
        }
        forAll(zone_, t) mesh_.regions[t] = number[zone_[t]];
    }
};

} // End anonymous namespace


void Foam::surfaceSplit::atEdges(lbm::TriangleMesh& mesh, const dictionary& dict, const scalar spacing)
{
    documentedDict::checkKeys(dict, {"featureAngle", "regions", "names"});
    const scalar angle = dict.get<scalar>("featureAngle");
    if (!(angle > 0 && angle < 180))
    {
        FatalIOErrorInFunction(dict)
            << "Entry featureAngle is " << angle << "; it must be between 0 and 180 degrees" << exit(FatalIOError);
    }
    pieces all(mesh, chosen(mesh, dict), angle, spacing);
    all.name(dict.subOrEmptyDict("names"));
    Info<< all.text().c_str() << nl;
    all.apply();
}


Foam::boolList Foam::surfaceSplit::chosen(const lbm::TriangleMesh& mesh, const dictionary& dict)
{
    boolList result(label(mesh.regionNames.size()), true);
    if (!dict.found("regions")) return result;
    result = false;
    wordList names(result.size());
    forAll(names, i) names[i] = mesh.regionNames[i];
    for (const wordRe& wanted : documentedDict::list<wordRes>(dict, "regions"))
    {
        bool found = false;
        forAll(names, i)
        {
            if (!wanted.match(names[i])) continue;
            result[i] = found = true;
        }
        if (found) continue;
        FatalIOErrorInFunction(dict)
            << "Entry regions: the surfaces have no region " << wanted << "; their regions are " << flatOutput(names)
            << exit(FatalIOError);
    }
    return result;
}
