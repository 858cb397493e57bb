// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/SurfaceDomain.hpp"

#include "adapters/surface/FluidSide.hpp"
#include "adapters/surface/LinkSearch.hpp"
#include "adapters/surface/NearNodes.hpp"

#include <chrono>
#include <cmath>
#include <omp.h>

namespace lbm {

namespace {

using exact::Slab;
using exact::parallelFor;

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Direction {
    Int3 step;
    std::uint8_t code;
};

// Moving directions, in the order of their codes.
std::vector<Direction> moving(const std::vector<Int3>& directions)
{
    std::vector<Direction> result;
    for (const Int3& c : directions) {
        for (int a = 0; a < 3; ++a)
            if (c[a] < -1 || c[a] > 1) throw std::invalid_argument("makeDomain: a direction leaves -1..1");
        const std::uint8_t code = directionCode(c[0], c[1], c[2]);
        if (code != directionCode(0, 0, 0)) result.push_back({c, code});
    }
    if (result.empty()) throw std::invalid_argument("makeDomain: no lattice direction");
    std::sort(result.begin(), result.end(), [](const Direction& a, const Direction& b) { return a.code < b.code; });
    return result;
}

void checkArguments(const TriangleMesh& mesh, const LatticeBox& box, const SurfaceOptions& options)
{
    for (int n : box.size)
        if (n < 1) throw std::invalid_argument("makeDomain: a side of the box has no node");
    if (!(box.spacing > 0 && std::isfinite(box.spacing)))
        throw std::invalid_argument("makeDomain: the spacing must be positive");
    if (mesh.triangles.empty()) throw SurfaceError(options.name + " has no triangle");
    if (!options.transparent.empty() && options.transparent.size() != mesh.regionNames.size())
        throw std::invalid_argument("makeDomain: `transparent` needs one entry a region");
    if (options.rule == InsideRule::exact) requireClosed(mesh, options.name);
    if (options.enclosure == 0 || options.enclosure >= std::int64_t(mesh.triangles.size()))
        throw std::invalid_argument("makeDomain: the enclosure needs triangles, and others before it");
}

class Builder {
public:
    Builder(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
            const SurfaceOptions& options, SurfaceFacts& facts) :
        box_(box),
        options_(options),
        facts_(facts),
        directions_(moving(directions)),
        surface_(mesh, box),
        threads_(options.threads > 0 ? options.threads : omp_get_max_threads()),
        slabs_(exact::slabs(box.size, threads_)),
        side_(mesh, surface_, box, options, facts)
    {
        domain_.size = box.size;
        domain_.periodic = box.periodic;
        domain_.origin = box.origin;
        domain_.spacing = box.spacing;
        domain_.patches = mesh.regionNames;
        domain_.dimensions = 2;
        for (const Direction& d : directions_)
            if (d.step[2]) domain_.dimensions = 3;
        if (domain_.dimensions == 2 && box.size[2] != 1)
            throw std::invalid_argument("makeDomain: two-dimensional directions need a box of one layer");
        facts_.resolutionBits = surface_.bits();
    }

    Domain build()
    {
        auto start = std::chrono::steady_clock::now();
        domain_.fluid = side_.mark(slabs_, threads_);
        if (domain_.fluidNodes() == 0) throw SurfaceError(options_.name + " holds no fluid node");
        facts_.voxelizeSeconds = secondsSince(start);

        start = std::chrono::steady_clock::now();
        findLinks();
        facts_.linkSeconds = secondsSince(start);
        domain_.check();
        return std::move(domain_);
    }

private:
    struct SlabLinks {
        std::vector<Link> links;
        std::int64_t guessed = 0, thin = 0, bulges = 0, united = 0;
        std::array<std::int64_t, 27> caps{};
    };

    struct Asked {
        std::size_t direction;
        bool leavesBox;
    };

    void findLinks()
    {
        const exact::TriangleFinder finder(surface_, options_.transparent);
        std::vector<SlabLinks> found(slabs_.size());
        parallelFor(int(slabs_.size()), threads_, [&](int i) {
            const exact::QuietFloats quiet;
            found[i] = linksOf(slabs_[i], finder);
        });

        std::size_t n = 0;
        for (const SlabLinks& part : found) n += part.links.size();
        domain_.links.reserve(n);
        for (SlabLinks& part : found) {
            domain_.links.insert(domain_.links.end(), part.links.begin(), part.links.end());
            std::vector<Link>().swap(part.links);
            facts_.guessedLinks += part.guessed;
            facts_.thinWallLinks += part.thin;
            facts_.bulgeLinks += part.bulges;
            for (int code = 0; code < 27; ++code) facts_.capLinksAlong[code] += part.caps[code];
            facts_.unitedLinks += part.united;
        }
        for (std::int64_t along : facts_.capLinksAlong) facts_.capLinks += along;
    }

    SlabLinks linksOf(const Slab& slab, const exact::TriangleFinder& finder) const
    {
        SlabLinks result;
        std::vector<Int3> steps;
        for (const Direction& d : directions_) steps.push_back(d.step);
        exact::LinkSearch search(surface_, finder, box_, steps, options_.preferred, side_.inside() ? 1 : -1);
        const BitSet near = exact::nearNodes(surface_, options_.transparent, box_.periodic, slab);

        const NodeIndex first = NodeIndex(slab.size[0]) * slab.size[1] * slab.begin;
        for (NodeIndex i = 0; i < near.size(); ++i)
            if (domain_.fluid[first + i] && (near[i] || atEnd(first + i) || besideSolid(first + i)))
                addLinks(first + i, finder, search, result);
        return result;
    }

    // A fluid node at the end of the box has neighbours outside, whether or not a triangle is near.
    bool atEnd(NodeIndex node) const
    {
        const Int3 at = domain_.coordinates(node);
        for (int a = 0; a < domain_.dimensions; ++a)
            if (!box_.periodic[a] && (at[a] == 0 || at[a] == box_.size[a] - 1)) return true;
        return false;
    }

    // Across a hole the fluid ends where no triangle is near.
    bool besideSolid(NodeIndex node) const
    {
        if (!side_.winding()) return false;
        const Int3 at = domain_.coordinates(node);
        for (const Direction& d : directions_) {
            const NodeIndex next = domain_.neighbour(at, d.step);
            if (next >= 0 && !domain_.fluid[next]) return true;
        }
        return false;
    }

    void addLinks(NodeIndex node, const exact::TriangleFinder& finder, exact::LinkSearch& search,
                  SlabLinks& result) const
    {
        const Int3 at = domain_.coordinates(node);
        std::vector<exact::Hit> hits = search.search(at);
        std::vector<Asked> asked;
        for (std::size_t q = 0; q < directions_.size(); ++q) {
            const Int3& step = directions_[q].step;
            const NodeIndex next = domain_.neighbour(at, step);
            const bool open = next >= 0 && domain_.fluid[next];
            if (!hits[q] && open) continue;
            if (!hits[q]) {
                hits[q] = search.nearestMiss(at, step);
                if (hits[q]) ++result.guessed;
                else if (!side_.winding()) refuse(at, step, next < 0);
            }
            if (side_.winding() && (!hits[q] || (open && side_.inside()))) asked.push_back({q, next < 0});
        }
        if (!asked.empty()) askNumbers(at, asked, finder, hits, result);
        for (std::size_t q = 0; q < directions_.size(); ++q) {
            if (!hits[q]) continue;
            result.links.push_back({node, float(hits[q].fraction), hits[q].region, directions_[q].code});
            const NodeIndex next = domain_.neighbour(at, directions_[q].step);
            if (next >= 0 && domain_.fluid[next]) ++(besideBody(at, directions_[q].step) ? result.bulges : result.thin);
        }
    }

    // Of a link that is cut between two fluid nodes: the body there is no thin wall if it holds a node that is a
    // neighbour of both.
    bool besideBody(const Int3& at, const Int3& step) const
    {
        Int3 c;
        for (c[0] = -1; c[0] <= 1; ++c[0])
            for (c[1] = -1; c[1] <= 1; ++c[1])
                for (c[2] = -1; c[2] <= 1; ++c[2]) {
                    bool near = true;
                    for (int a = 0; a < 3; ++a) near = near && std::abs(c[a] - step[a]) <= 1;
                    const NodeIndex node = near ? domain_.neighbour(at, c) : -1;
                    if (node >= 0 && !domain_.fluid[node]) return true;
                }
        return false;
    }

    // Links that the winding number decides: those that end at the face across a hole, and walls within
    // a union of bodies, which are taken away.
    void askNumbers(const Int3& at, const std::vector<Asked>& asked, const exact::TriangleFinder& finder,
                    std::vector<exact::Hit>& hits, SlabLinks& result) const
    {
        std::vector<Vec3> places = {exact::FluidSide::placeOf(at)};
        for (const Asked& a : asked) places.push_back(end(at, directions_[a.direction].step));
        const std::vector<double> w = side_.winding()->numbers(places);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            exact::Hit& hit = hits[asked[i].direction];
            const double there = w[i + 1];
            if (hit) {
                if (!exact::WindingSide::united(w[0], there)) continue;
                hit = exact::Hit();
                ++result.united;
            } else {
                const bool fluidThere =
                    side_.enclosed(places[i + 1]) && exact::WindingSide::clearlyInside(there) == side_.inside();
                if (asked[i].leavesBox && fluidThere) refuse(at, directions_[asked[i].direction].step, true);
                hit.fraction = exact::WindingSide::crossing(w[0], there);
                hit.region = std::int16_t(surface_.region(finder.nearest(at)));
                ++result.caps[directions_[asked[i].direction].code];
            }
        }
    }

    static Vec3 end(const Int3& node, const Int3& step)
    {
        return {double(node[0] + step[0]), double(node[1] + step[1]), double(node[2] + step[2])};
    }

    [[noreturn]] void refuse(const Int3& at, const Int3& step, bool leavesBox) const
    {
        std::string place, along;
        for (int a = 0; a < 3; ++a) {
            place += (a ? " " : "") + std::to_string(box_.origin[a] + at[a] * box_.spacing);
            along += (a ? " " : "") + std::to_string(step[a]);
        }
        throw SurfaceError(options_.name + ": the fluid at (" + place + ") reaches "
                           + (leavesBox ? "the end of the lattice's box" : "a solid node") + " along (" + along
                           + ") without meeting the surface");
    }

    const LatticeBox& box_;
    const SurfaceOptions& options_;
    SurfaceFacts& facts_;
    std::vector<Direction> directions_;
    exact::Surface surface_;
    int threads_;
    std::vector<Slab> slabs_;
    exact::FluidSide side_;
    Domain domain_;
};

} // namespace

Domain makeDomain(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                  const SurfaceOptions& options, SurfaceFacts* facts)
{
    checkArguments(mesh, box, options);
    SurfaceFacts unasked;
    SurfaceFacts& filled = facts ? *facts : unasked;
    filled = SurfaceFacts();
    return Builder(mesh, box, directions, options, filled).build();
}

TriangleMesh bodiesOf(const TriangleMesh& mesh, const SurfaceOptions& options)
{
    TriangleMesh bodies = mesh;
    if (options.enclosure > 0) {
        bodies.triangles.resize(options.enclosure);
        bodies.regions.resize(options.enclosure);
    }
    return bodies;
}

LatticeBox boxAround(const TriangleMesh& mesh, int n)
{
    if (n < 1) throw std::invalid_argument("boxAround: at least one node along the longest side");
    if (mesh.triangles.empty()) throw SurfaceError("a surface without a triangle has no bounds");
    const Bounds b = bounds(mesh);
    const double longest = std::max({b.max[0] - b.min[0], b.max[1] - b.min[1], b.max[2] - b.min[2]});
    if (!(longest > 0)) throw SurfaceError("the surface is a point");
    LatticeBox box;
    box.spacing = longest / n;
    for (int a = 0; a < 3; ++a) {
        const double side = b.max[a] - b.min[a];
        // a side that is a whole number of spacings, but for rounding, gets no further node
        box.size[a] = std::max(1, int(std::ceil(side / box.spacing - 1e-9)));
        box.origin[a] = (b.min[a] + b.max[a]) / 2 - box.spacing * (box.size[a] - 1) / 2;
    }
    return box;
}

Domain surfaceDomain(const std::string& file, int n, const std::vector<Int3>& directions)
{
    const TriangleMesh mesh = readSurface(file);
    SurfaceOptions options;
    options.name = file;
    return makeDomain(mesh, boxAround(mesh, n), directions, options);
}

} // namespace lbm
