// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/boundary/Donors.hpp"
#include "lbm/api/inParallel.hpp"
#include "lbm/boundary/PatchPlane.hpp"
#include "lbm/boundary/dot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace lbm {

namespace {

// The axes on which the links lean most, turned inwards.
Int3 inwardOf(const Int3& linkSum)
{
    const int most = std::max({std::abs(linkSum[0]), std::abs(linkSum[1]), std::abs(linkSum[2])});
    Int3 inward{0, 0, 0};
    for (int a = 0; a < 3; ++a)
        if (most > 0 && std::abs(linkSum[a]) == most) inward[a] = linkSum[a] > 0 ? -1 : 1;
    return inward;
}

bool isLink(const Int3& c)
{
    return std::all_of(c.begin(), c.end(), [](int v) { return v >= -1 && v <= 1; });
}

Int3 minus(const Int3& a) { return {-a[0], -a[1], -a[2]}; }

Int3 part(const Int3& c, int axis)
{
    Int3 along{0, 0, 0};
    along[axis] = c[axis];
    return along;
}

Int3 flipped(Int3 c, int axis)
{
    c[axis] = -c[axis];
    return c;
}

Int3 sum(const Int3& a, const Int3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

// A place between lattice nodes, as steps from the ghost.
struct Corner {
    Int3 step;
    double weight;
};

// A patch as a node sees it.
struct Plane {
    Int3 inward; // along the lattice
    Vec3 outward;
    double deviation = 0; // see PatchPlane
    bool aligned = true;

    // Half-way between nodes, across this axis of the lattice.
    explicit Plane(const Int3& axis) :
        inward{-axis[0], -axis[1], -axis[2]}, outward{double(axis[0]), double(axis[1]), double(axis[2])}
    {}

    Plane(const Domain& domain, const LinkFinder& finder, NodeIndex node, int patch, const Int3& linkSum) :
        inward(inwardOf(linkSum))
    {
        const PatchPlane fit = patchPlane(domain, finder, node, patch, linkSum);
        outward = fit.outward;
        deviation = fit.deviation;
        const double length = std::sqrt(double(inward[0] * inward[0] + inward[1] * inward[1] + inward[2] * inward[2]));
        // True, too, without a direction (a patch on both sides of a node): then no place lies inwards.
        aligned = -dot(outward, inward) >= (1 - 1e-6) * length;
    }

    // The link's ends are each other's image. Planes along the axes are taken to be half-way, as walls there are.
    bool mirrors(const Int3& out, double fraction) const
    {
        const int axes = std::abs(inward[0]) + std::abs(inward[1]) + std::abs(inward[2]);
        if (axes > 1 && std::abs(fraction - 0.5) > 0.01) return false;
        for (int a = 0; a < 3; ++a)
            if (std::abs(dot(outward, out) * outward[a] + inward[a]) > 1e-4) return false;
        return true;
    }

    // Nodes around the place `depth` layers of nodes inwards of the ghost, across the patch.
    std::vector<Corner> inwards(int depth) const
    {
        if (aligned) return {{{depth * inward[0], depth * inward[1], depth * inward[2]}, 1}};
        int axis = 0;
        for (int a = 1; a < 3; ++a)
            if (std::abs(outward[a]) > std::abs(outward[axis])) axis = a;
        std::vector<Corner> corners{{{0, 0, 0}, 1}};
        for (int a = 0; a < 3; ++a) {
            const double steps = -depth * outward[a] / std::abs(outward[axis]), whole = std::floor(steps + 1e-6);
            const double rest = std::max(steps - whole, 0.0);
            std::vector<Corner> split;
            for (Corner corner : corners) {
                corner.step[a] = int(whole);
                split.push_back({corner.step, corner.weight * (1 - rest)});
                ++corner.step[a];
                if (rest > 1e-6) split.push_back({corner.step, corner.weight * rest});
            }
            corners = split;
        }
        return corners;
    }
};

// Records [first, last) of one node.
class NodeLinks {
public:
    NodeLinks(const Domain& domain, const LinkFinder& finder, const std::vector<bool>& symmetric,
              const std::vector<bool>& frames, std::size_t first, std::size_t last) :
        domain_(domain), finder_(finder), symmetric_(symmetric), frames_(frames), first_(first), last_(last)
    {}

    Donor donor(std::size_t record, bool symmetric)
    {
        const Link& link = domain_.links[record];
        const Int3 out = directionOf(link.direction);
        Donor d;
        d.link = std::int64_t(record);
        if (symmetric && (goesRound(d) || meetsCorner(link))) return d;
        const Plane plane = planeOf(link, symmetric);
        d.outward = plane.outward;
        d.inward = directionCode(plane.inward[0], plane.inward[1], plane.inward[2]);

        // A mirror half-way gives back to the node what leaves it: a deeper donor would add to the momentum along the plane.
        const bool mirror = symmetric && plane.mirrors(out, link.fraction);
        int depth = 1;
        d.shares = sharesAt(link, plane, depth, d.reach);
        if (d.reach > 2 + 1e-6 && !mirror) {
            double reach = 2;
            const auto deeper = sharesAt(link, plane, 2, reach);
            if (!deeper.empty()) {
                depth = 2;
                d.shares = deeper;
                d.reach = reach;
            }
        }
        d.reach = std::clamp(d.reach, 1.0, 2.0);
        if (d.shares.empty()) d.corner = recordAt(link.node, sum(out, plane.inward));
        double none;
        const bool open = d.shares.size() != 1 || recordAt(d.shares[0].node, plane.inward) < 0;
        if (!d.shares.empty() && open && !symmetric) d.beyond = sharesAt(link, plane, depth + 1, none);
        if (symmetric && !mirror) addFit(d, plane);
        return d;
    }

    Donor turned(std::size_t record) const
    {
        const TurnedEnd end = turnedEnd(domain_, domain_.links[record]);
        Donor d;
        d.link = std::int64_t(record);
        d.reach = 1;
        if (end.node < 0) return d;
        d.shares = {{end.node, 1}};
        d.sent = directionCode(-end.direction[0], -end.direction[1], -end.direction[2]);
        return d;
    }

    Donor otherEnd(std::size_t record) const
    {
        const Link& link = domain_.links[record];
        Donor d;
        d.link = std::int64_t(record);
        d.reach = 1;
        if (const NodeIndex there = fluidAt(link.node, directionOf(link.direction)); there >= 0)
            d.shares = {{there, 1}};
        return d;
    }

private:
    std::int64_t recordAt(NodeIndex node, const Int3& c) const
    {
        return isLink(c) && c != Int3{0, 0, 0} ? finder_.find(node, c) : -1;
    }

    bool meetsPlane(NodeIndex node, const Int3& c) const
    {
        const std::int64_t record = node < 0 ? -1 : recordAt(node, c);
        return record >= 0 && symmetric_[domain_.links[record].patch];
    }

    // An edge that B is beyond: planes end the links of A and D to the node between them that is not fluid, and all that meet it.
    bool isEdge(NodeIndex b, const Int3& toA, const Int3& toD) const
    {
        if (b < 0 || recordAt(b, toA) >= 0 || recordAt(b, toD) >= 0 || fluidAt(b, sum(toA, toD)) >= 0) return false;
        const NodeIndex a = fluidAt(b, toA), d = fluidAt(b, toD);
        return a >= 0 && d >= 0 && meetsPlane(a, toD) && meetsPlane(d, toA) && meetsPlane(b, sum(toA, toD))
            && meetsPlane(a, sum(toD, minus(toA))) && meetsPlane(d, sum(toA, minus(toD)));
    }

    // Links between fluid nodes (frames) let through.
    bool isClosed(NodeIndex node, const Int3& c) const
    {
        const std::int64_t record = recordAt(node, c);
        return record >= 0 && (frames_.empty() || !frames_[domain_.links[record].patch]);
    }

    // The edge of a plate without thickness: it lies between the nodes `aside` of l and its neighbour `across`.
    bool isPlateEdge(NodeIndex l, const Int3& across, const Int3& aside) const
    {
        if (l < 0 || isClosed(l, across) || recordAt(l, aside) >= 0) return false;
        const NodeIndex r = fluidAt(l, across), besideL = fluidAt(l, aside);
        if (r < 0 || besideL < 0 || recordAt(r, aside) >= 0) return false;
        const NodeIndex besideR = fluidAt(r, aside);
        return besideR >= 0 && meetsPlane(besideL, across) && meetsPlane(besideR, minus(across))
            && meetsPlane(l, sum(across, aside)) && meetsPlane(r, sum(minus(across), aside))
            && meetsPlane(besideL, sum(across, minus(aside))) && meetsPlane(besideR, minus(sum(across, aside)));
    }

    // As goesRound, of the edge of a plate across axis a. All four nodes there send half on, half is mirrored.
    bool goesRoundPlate(Donor& d, int a, int b) const
    {
        const NodeIndex node = domain_.links[d.link].node;
        const Int3 out = directionOf(domain_.links[d.link].direction), in = minus(out);
        const Int3 across = part(out, a), alongB = part(out, b), alongT = part(out, 3 - a - b);
        const bool beyond = !isClosed(node, across);
        const NodeIndex free = beyond ? node : fluidAt(node, alongB);
        const Int3 aside = beyond ? alongB : minus(alongB);
        if (!isPlateEdge(free, across, aside)) return false;
        int ended = 0;
        for (const Int3& step : {Int3{0, 0, 0}, across, aside, sum(across, aside)})
            ended += meetsPlane(fluidAt(free, step), alongT);
        if (ended == 4 && !beyond) return false;
        const bool level = alongT == Int3{0, 0, 0} || isPlateEdge(fluidAt(free, alongT), across, aside);
        if (ended != 4 && (ended != 0 || !level)) return false;
        const std::int64_t link = d.link;
        d = Donor();
        d.link = link;
        takeFrom(d, ended == 4 ? Int3{0, 0, 0} : sum(alongB, alongT), ended == 4 ? out : flipped(in, a));
        takeFrom(d, ended == 4 ? Int3{0, 0, 0} : out, ended == 4 ? out : in);
        d.inward = directionCode(-across[0], -across[1], -across[2]);
        d.outward = {double(across[0]), double(across[1]), double(across[2])};
        return true;
    }

    // Half of what the node that lies `step` from the link's sends this way.
    void takeFrom(Donor& d, const Int3& step, const Int3& sent) const
    {
        d.round[d.shares.size()] = directionCode(sent[0], sent[1], sent[2]);
        d.shares.push_back({fluidAt(domain_.links[d.link].node, step), 0.5});
    }

    // False: the link meets no edge, or several.
    bool goesRound(Donor& d) const
    {
        const NodeIndex node = domain_.links[d.link].node;
        const Int3 out = directionOf(domain_.links[d.link].direction), in = minus(out);
        Donor found;
        int edges = 0;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) {
                if (a == b || out[a] == 0 || out[b] == 0) continue;
                const int t = 3 - a - b;
                const Int3 alongA = part(out, a), alongB = part(out, b), alongT = part(out, t);
                Donor plate = d;
                if (goesRoundPlate(plate, a, b)) {
                    found = plate;
                    ++edges;
                    continue;
                }
                const bool beyond = recordAt(node, alongA) < 0 && recordAt(node, alongB) < 0;
                if ((beyond && a > b) || (!beyond && recordAt(node, alongB) < 0)) continue;
                const NodeIndex outer = beyond ? node : fluidAt(node, alongA);
                const Int3 toA = beyond ? alongA : minus(alongA);
                if (!isEdge(outer, toA, alongB)) continue;
                const auto ends = [&](const Int3& step) { return meetsPlane(fluidAt(outer, step), alongT); };
                const int ended = int(ends({0, 0, 0})) + int(ends(toA)) + int(ends(alongB));
                // Where a third plane ends the edge, links of nodes at two planes give back to them what they sent (atCorner)
                if (ended == 3 && !beyond) continue;
                if (ended != 3 && (ended != 0 || !isEdge(fluidAt(outer, alongT), toA, alongB))) continue;
                found = Donor();
                found.link = d.link;
                if (ended == 3) {
                    for (int i = 0; i < 2; ++i) takeFrom(found, {0, 0, 0}, out);
                } else {
                    takeFrom(found, sum(alongA, alongT), flipped(in, b));
                    if (beyond) takeFrom(found, sum(alongB, alongT), flipped(in, a));
                    else takeFrom(found, out, in);
                }
                found.inward = directionCode(-alongB[0], -alongB[1], -alongB[2]);
                found.outward = {double(alongB[0]), double(alongB[1]), double(alongB[2])};
                ++edges;
            }
        if (edges == 1) d = found;
        return edges == 1;
    }

    // A patch of symmetry that goes round an edge is no single plane there: links that cross one of its planes across an axis
    // have that one. (With the plane that fits both, flows along edges grow waves.) The fitted one tells little of an edge that is near:
    // where nodes see planes across axes alone, what is off these is no curve.
    Plane planeOf(const Link& link, bool symmetric)
    {
        constexpr double edge = 0.15, flat = 0.01; // of a node distance; the first is more than curved patches have
        const Plane& fitted = fittedPlane(link);
        const bool bent = symmetric && (fitted.deviation > edge || (fitted.deviation > flat && allAcross(link, false)));
        const Int3 axis = bent ? crossedAxis(link) : Int3{0, 0, 0};
        return axis == Int3{0, 0, 0} ? fitted : Plane(axis);
    }

    // Of the axes across which the patch lies where the node's own link meets it, the one that the link meets first, by more than what
    // rounding makes of places; 0: none. Half-way it counts as across the axis, wherever the patch goes from there; anywhere else only
    // beside planes that are across axes, too: with an oblique one (OpenFOAM's angledDuct) flows along the edge grow.
    Int3 crossedAxis(const Link& link) const
    {
        const bool square = allAcross(link, true);
        const Int3 out = directionOf(link.direction);
        Int3 first{0, 0, 0};
        float least = 2;
        for (int a = 0; a < 3; ++a) {
            Int3 axis{0, 0, 0};
            axis[a] = out[a];
            const std::int64_t record = out[a] != 0 ? recordAt(link.node, axis) : -1;
            if (record < 0 || domain_.links[record].patch != link.patch) continue;
            const float fraction = domain_.links[record].fraction;
            const bool across = isHalfway(fraction) || (square && liesAcross(a, domain_.links[record]));
            if (!across || fraction > least - same) continue;
            first = axis;
            least = fraction;
        }
        return first;
    }

    static constexpr float same = 0.01f; // places, but for rounding
    static bool isHalfway(float fraction) { return std::abs(fraction - 0.5f) < same; }

    // Wherever the node sees the patch along an axis, somewhere. halfway: there it counts as across.
    bool allAcross(const Link& link, bool halfway) const
    {
        for (int a = 0; a < domain_.dimensions; ++a)
            for (const int sign : {-1, 1}) {
                Int3 axis{0, 0, 0};
                axis[a] = sign;
                const std::int64_t record = recordAt(link.node, axis);
                if (record < 0 || domain_.links[record].patch != link.patch) continue;
                const bool taken = halfway && isHalfway(domain_.links[record].fraction);
                if (!taken && !liesAcross(a, domain_.links[record])) return false;
            }
        return true;
    }

    // The patch is as far from the nodes beside this one that see it along this axis, of which there are some either way.
    bool liesAcross(int axis, const Link& link) const
    {
        const Int3 out = directionOf(link.direction);
        for (int b = 0; b < domain_.dimensions; ++b) {
            if (b == axis) continue;
            bool seen = false;
            for (const int step : {-1, 1}) {
                Int3 aside{0, 0, 0};
                aside[b] = step;
                const NodeIndex beside = fluidAt(link.node, aside);
                const std::int64_t record = beside < 0 ? -1 : recordAt(beside, out);
                if (record < 0 || domain_.links[record].patch != link.patch) continue;
                if (std::abs(domain_.links[record].fraction - link.fraction) > same) return false;
                seen = true;
            }
            if (!seen) return false;
        }
        return true;
    }

    // The link ends behind the corner that two planes across axes make, where its node sees neither straight. What would be mirrored at
    // one of them goes past the corner, between the nodes on either side: what the node sends comes back to it.
    bool meetsCorner(const Link& link) const
    {
        const Int3 out = directionOf(link.direction);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < a; ++b)
                if (out[a] != 0 && out[b] != 0 && seesBeside(link.node, part(out, a), b, out[b])
                    && seesBeside(link.node, part(out, b), a, out[a]))
                    return true;
        return false;
    }

    // The fluid node `aside` sees a plane across this axis straight.
    bool seesBeside(NodeIndex node, const Int3& aside, int axis, int sign) const
    {
        const NodeIndex there = recordAt(node, aside) < 0 ? fluidAt(node, aside) : -1;
        Int3 across{0, 0, 0};
        across[axis] = sign;
        return meetsPlane(there, across) && liesAcross(axis, domain_.links[recordAt(there, across)]);
    }

    // The same for all links of the node through a patch: fitted once.
    const Plane& fittedPlane(const Link& link)
    {
        for (const auto& [patch, plane] : planes_)
            if (patch == link.patch) return plane;
        planes_.emplace_back(link.patch, Plane(domain_, finder_, link.node, link.patch, linkSum(link.patch)));
        return planes_.back().second;
    }

    // Of the nodes around a place behind the ghost those that are fluid, and how far the ghost is from there.
    std::vector<DonorShare> sharesAt(const Link& link, const Plane& plane, int depth, double& reach) const
    {
        const Int3 out = directionOf(link.direction);
        std::vector<DonorShare> shares;
        double whole = 0, inside = 0;
        for (const Corner& corner : plane.inwards(depth)) {
            Int3 along = sum(out, corner.step);
            if (plane.aligned && depth == 1 && !isLink(along)) along = {0, 0, 0};
            const NodeIndex node = recordAt(link.node, along) < 0 ? fluidAt(link.node, along) : -1;
            if (node < 0) continue;
            shares.push_back({node, corner.weight});
            whole += corner.weight;
            inside -= corner.weight * dot(plane.outward, along);
        }
        for (DonorShare& share : shares) share.weight /= whole;
        const double toLink = dot(plane.outward, out), opening = inside / whole + double(link.fraction) * toLink;
        reach = !shares.empty() && opening > 0 ? (inside / whole + toLink) / opening : 2;
        return shares;
    }

    // Where nodes do not tell, another patch is near, and a mirror may show that.
    void addFit(Donor& d, const Plane& plane)
    {
        const Link& link = domain_.links[d.link];
        const Int3 out = directionOf(link.direction);
        const auto along = [&](double s) { return Vec3{s * out[0], s * out[1], s * out[2]}; };
        MirrorFit fit(plane.outward, along(link.fraction), along(1));
        if (seen_.empty()) survey();
        for (const auto& [node, step] : seen_) fit.add(node, {double(step[0]), double(step[1]), double(step[2])});
        d.fit = fit.shares();
        const std::int64_t shown = recordAt(link.node, sum(out, plane.inward));
        if (!d.fit.empty() || shown < 0 || domain_.links[shown].patch == link.patch) return;
        d.corner = shown;
        d.shares.clear();
    }

    // Fluid nodes that no patch cuts off: in two steps, the first of which goes as far as a link can.
    void survey()
    {
        const int most = MirrorFit::reach, depth = domain_.dimensions == 3 ? most : 0;
        for (int z = -depth; z <= depth; ++z)
            for (int y = -most; y <= most; ++y)
                for (int x = -most; x <= most; ++x) {
                    const Int3 first{std::clamp(x, -1, 1), std::clamp(y, -1, 1), std::clamp(z, -1, 1)};
                    const NodeIndex between = openAt(domain_.links[first_].node, first);
                    if (between < 0) continue;
                    const NodeIndex node = openAt(between, {x - first[0], y - first[1], z - first[2]});
                    if (node >= 0) seen_.push_back({node, {x, y, z}});
                }
    }

    NodeIndex openAt(NodeIndex node, const Int3& c) const
    {
        return c == Int3{0, 0, 0} ? node : recordAt(node, c) < 0 ? fluidAt(node, c) : -1;
    }

    // Sum of the node's links through a patch.
    Int3 linkSum(int patch) const
    {
        Int3 linkSum{0, 0, 0};
        for (std::size_t i = first_; i < last_; ++i)
            if (domain_.links[i].patch == patch) linkSum = sum(linkSum, directionOf(domain_.links[i].direction));
        return linkSum;
    }

    NodeIndex fluidAt(NodeIndex node, const Int3& c) const
    {
        const NodeIndex there = domain_.neighbour(domain_.coordinates(node), c);
        return there >= 0 && domain_.fluid[there] ? there : -1;
    }

    const Domain& domain_;
    const LinkFinder& finder_;
    const std::vector<bool>&symmetric_, &frames_;
    std::size_t first_, last_;
    std::vector<std::pair<int, Plane>> planes_;
    std::vector<std::pair<NodeIndex, Int3>> seen_; // the nodes around that a fit may use, and the way there
};

constexpr std::size_t linksOfRun = 16384;

// Where a run begins: a node's links are not parted.
std::size_t beginOfRun(const Domain& domain, std::size_t run)
{
    const std::size_t links = domain.links.size();
    std::size_t i = std::min(run * linksOfRun, links);
    while (i > 0 && i < links && domain.links[i].node == domain.links[i - 1].node) ++i;
    return i;
}

} // namespace

std::size_t donorRuns(const Domain& domain) { return (domain.links.size() + linksOfRun - 1) / linksOfRun; }

void eachDonorRun(const Domain& domain, const std::vector<bool>& patches, const std::vector<bool>& symmetric,
                  const std::vector<bool>& frames, const std::function<void(std::size_t, std::vector<Donor>&&)>& visit)
{
    const auto repeats = [&](int patch) {
        return std::any_of(domain.turns.begin(), domain.turns.end(), [=](const Turn& t) { return t.patch == patch; });
    };
    const auto is = [](const std::vector<bool>& kinds, int patch) { return !kinds.empty() && kinds[patch]; };
    const LinkFinder finder(domain);
    const auto find = [&](std::size_t begin, std::size_t end) {
        std::vector<Donor> donors;
        donors.reserve(std::size_t(std::count_if(domain.links.begin() + std::ptrdiff_t(begin),
                                                 domain.links.begin() + std::ptrdiff_t(end),
                                                 [&](const Link& link) { return patches[link.patch]; })));
        for (std::size_t first = begin, last = begin; first < end; first = last) {
            while (last < end && domain.links[last].node == domain.links[first].node) ++last;
            NodeLinks links(domain, finder, symmetric, frames, first, last);
            for (std::size_t i = first; i < last; ++i)
                if (const int patch = domain.links[i].patch; patches[patch])
                    donors.push_back(is(frames, patch)    ? links.otherEnd(i)
                                         : repeats(patch) ? links.turned(i)
                                                          : links.donor(i, is(symmetric, patch)));
        }
        return donors;
    };
    inParallel(donorRuns(domain),
               [&](std::size_t run) { visit(run, find(beginOfRun(domain, run), beginOfRun(domain, run + 1))); });
}

DonorRuns findDonors(const Domain& domain, const std::vector<bool>& patches, const std::vector<bool>& symmetric,
                     const std::vector<bool>& frames)
{
    DonorRuns found(donorRuns(domain));
    eachDonorRun(domain, patches, symmetric, frames,
                 [&](std::size_t run, std::vector<Donor>&& donors) { found[run] = std::move(donors); });
    return found;
}

} // namespace lbm
