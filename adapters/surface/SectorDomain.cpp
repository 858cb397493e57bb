// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/SectorDomain.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace lbm {

namespace {

struct Circle {
    int axis, b, c;
    int step = 2; // quarters from one sector to the next

    explicit Circle(const std::vector<Turn>& turns) : axis(turns.at(0).axis), b((axis + 1) % 3), c((axis + 2) % 3)
    {
        for (const Turn& turn : turns) {
            if (turn.quarters % 2 != 0) step = 1;
            if (turn.axis != axis || turn.twiceCentre[b] % 2 == 0 || turn.twiceCentre[c] % 2 == 0)
                throw std::invalid_argument(
                    "makeSectorDomain: turns about an axis half-way between nodes, all about one");
        }
    }

    Vec3 turned(const Vec3& x, const Vec3& centre, int quarters) const
    {
        Vec3 result = x;
        for (int k = 0; k < quarters; ++k) {
            const double along = result[b] - centre[b];
            result[b] = centre[b] - (result[c] - centre[c]);
            result[c] = centre[c] + along;
        }
        return result;
    }

    // All its sectors, each with its sides.
    TriangleMesh of(const TriangleMesh& sector, const Vec3& centre) const
    {
        TriangleMesh all = sector;
        for (int quarters = step; quarters < 4; quarters += step) {
            const int first = int(all.points.size());
            for (const Vec3& x : sector.points) all.points.push_back(turned(x, centre, quarters));
            for (const auto& t : sector.triangles) all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
            all.regions.insert(all.regions.end(), sector.regions.begin(), sector.regions.end());
        }
        return all;
    }

    // Nodes all around, in the places of the sector's box.
    LatticeBox around(const LatticeBox& box, const Int3& twiceCentre) const
    {
        int reach = 1; // nodes on each side of the axis
        for (const int a : {b, c}) {
            reach = std::max(reach, (twiceCentre[a] + 1) / 2);
            reach = std::max(reach, (2 * box.size[a] - twiceCentre[a] + 1) / 2);
        }
        LatticeBox all = box;
        for (const int a : {b, c}) {
            all.size[a] = 2 * reach;
            all.origin[a] += 0.5 * (twiceCentre[a] - 2 * reach + 1) * box.spacing;
        }
        return all;
    }
};

bool isSide(const std::vector<Turn>& turns, int patch)
{
    return std::any_of(turns.begin(), turns.end(), [=](const Turn& t) { return t.patch == patch; });
}

// Links of the sector's nodes as the circle has them.
class SectorLinks {
public:
    SectorLinks(const Domain& sector, const Domain& all, const std::vector<Turn>& turns) :
        sector_(sector), all_(all), turns_(turns)
    {
        for (int a = 0; a < 3; ++a) shift_[a] = int(std::lround((sector.origin[a] - all.origin[a]) / sector.spacing));
    }

    void add(NodeIndex node, std::uint8_t code, std::vector<Link>& links) const
    {
        const Int3 c = directionOf(code), x = sector_.coordinates(node);
        const Int3 y{x[0] + shift_[0], x[1] + shift_[1], x[2] + shift_[2]};
        const NodeIndex same = all_.index(y[0], y[1], y[2]);
        const Link* walls = all_.fluid[same] ? findLink(all_, same, c) : nullptr;
        const Link* own = findLink(sector_, node, c);
        if (walls) links.push_back({node, walls->fraction, walls->patch, code});
        else if (own) {
            const NodeIndex there = all_.neighbour(y, c);
            const bool through = !isSide(turns_, own->patch) && there >= 0 && all_.fluid[there];
            links.push_back({node, own->fraction, through ? turns_[0].patch : own->patch, code});
        }
    }

private:
    const Domain &sector_, &all_;
    const std::vector<Turn>& turns_;
    Int3 shift_;
};

} // namespace

Domain makeSectorDomain(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                        const SurfaceOptions& options, const std::vector<Turn>& turns, const Vec3& centre,
                        SurfaceFacts* facts)
{
    const Circle circle(turns);
    Domain sector = makeDomain(mesh, box, directions, options, facts);
    SurfaceOptions opened = options;
    opened.transparent.resize(mesh.regionNames.size(), false);
    for (const Turn& turn : turns) opened.transparent.at(turn.patch) = true;
    const Domain all =
        makeDomain(circle.of(mesh, centre), circle.around(box, turns[0].twiceCentre), directions, opened);

    std::vector<std::uint8_t> codes;
    for (const Int3& c : directions) codes.push_back(directionCode(c[0], c[1], c[2]));
    std::sort(codes.begin(), codes.end());
    const SectorLinks ofCircle(sector, all, turns);
    std::vector<Link> links;
    NodeIndex last = -1;
    for (const Link& link : sector.links) {
        if (link.node == last) continue;
        last = link.node;
        for (const std::uint8_t code : codes) ofCircle.add(last, code, links);
    }
    sector.links = std::move(links);
    sector.turns = turns;
    sector.check();
    return sector;
}

} // namespace lbm
