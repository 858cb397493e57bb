// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/SurfaceDomain.hpp"

#include "adapters/surface/ColumnScan.hpp"
#include "adapters/surface/LinkSearch.hpp"
#include "adapters/surface/NearNodes.hpp"

#include <chrono>
#include <cmath>
#include <exception>
#include <numeric>
#include <omp.h>

namespace lbm {

namespace {

using exact::Slab;

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
    if (options.requireClosed) requireClosed(mesh, options.name);
}

// Slabs that start at a word of the BitSet, about eight a thread.
std::vector<Slab> slabs(const Int3& size, int threads)
{
    const NodeIndex plane = NodeIndex(size[0])*size[1];
    const int grain = int(64/std::gcd<NodeIndex>(64, plane));
    const int wanted = std::max(1, size[2]/(8*threads));
    const int thick = (wanted + grain - 1)/grain*grain;
    std::vector<Slab> result;
    for (int begin = 0; begin < size[2]; begin += thick)
        result.push_back({size, begin, std::min(size[2], begin + thick)});
    return result;
}

// Runs body(i) for i < n on several threads; an exception of one is thrown here after all ended.
template<class Body>
void parallelFor(int n, int threads, const Body& body)
{
    std::exception_ptr error;
    #pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int i = 0; i < n; ++i) {
        try {
            body(i);
        } catch (...) {
            #pragma omp critical(lbmSurfaceError)
            if (!error) error = std::current_exception();
        }
    }
    if (error) std::rethrow_exception(error);
}

class Builder {
public:
    Builder
    (
        const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
        const SurfaceOptions& options, SurfaceFacts& facts
    )
    :
        box_(box), options_(options), facts_(facts), directions_(moving(directions)), surface_(mesh, box),
        threads_(options.threads > 0 ? options.threads : omp_get_max_threads()), slabs_(slabs(box.size, threads_))
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
        chooseSide();
        markFluid();
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
        std::int64_t guessed = 0, thin = 0;
    };

    void chooseSide()
    {
        if (!options_.insidePoint) return;
        const Vec3& p = *options_.insidePoint;
        for (int a = 0; a < 3; ++a) {
            const double x = (p[a] - box_.origin[a])/box_.spacing;
            if (!(x >= -0.5 && x <= box_.size[a] - 0.5))
                throw SurfaceError("the inside point lies outside the box of the lattice");
        }
        fluidInside_ = exact::isInside(surface_, surface_.snap(p));
    }

    void markFluid()
    {
        domain_.fluid = BitSet(domain_.nodes());
        std::int64_t cleared = 0;
        parallelFor(int(slabs_.size()), threads_, [&](int i) {
            const Slab& slab = slabs_[i];
            exact::flipInside(surface_, slab, domain_.fluid);
            if (!fluidInside_) invert(slab);
            const std::int64_t n = exact::clearOnSurface(surface_, options_.transparent, slab, domain_.fluid);
            #pragma omp atomic
            cleared += n;
        });
        facts_.nodesOnSurface = cleared;
        if (domain_.fluidNodes() == 0) throw SurfaceError(options_.name + " holds no fluid node");
    }

    void invert(const Slab& slab)
    {
        const NodeIndex plane = NodeIndex(slab.size[0])*slab.size[1];
        for (NodeIndex node = plane*slab.begin; node < plane*slab.end; ++node)
            domain_.fluid.set(node, !domain_.fluid[node]);
    }

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
        }
    }

    SlabLinks linksOf(const Slab& slab, const exact::TriangleFinder& finder) const
    {
        SlabLinks result;
        std::vector<Int3> steps;
        for (const Direction& d : directions_) steps.push_back(d.step);
        exact::LinkSearch search(surface_, finder, box_, steps, options_.preferred, fluidInside_ ? 1 : -1);
        const BitSet near = exact::nearNodes(surface_, options_.transparent, box_.periodic, slab);

        const NodeIndex first = NodeIndex(slab.size[0])*slab.size[1]*slab.begin;
        for (NodeIndex i = 0; i < near.size(); ++i)
            if (domain_.fluid[first + i] && (near[i] || atEnd(first + i))) addLinks(first + i, search, result);
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

    void addLinks(NodeIndex node, exact::LinkSearch& search, SlabLinks& result) const
    {
        const Int3 at = domain_.coordinates(node);
        const std::vector<exact::Hit>& hits = search.search(at);
        for (std::size_t q = 0; q < directions_.size(); ++q) {
            const NodeIndex next = domain_.neighbour(at, directions_[q].step);
            const bool open = next >= 0 && domain_.fluid[next];
            exact::Hit hit = hits[q];
            if (!hit && open) continue;
            if (!hit) {
                hit = search.nearestMiss(at, directions_[q].step);
                if (!hit) refuse(at, directions_[q].step, next < 0);
                ++result.guessed;
            }
            result.thin += open;
            result.links.push_back({node, float(hit.fraction), hit.region, directions_[q].code});
        }
    }

    [[noreturn]] void refuse(const Int3& at, const Int3& step, bool leavesBox) const
    {
        std::string place, along;
        for (int a = 0; a < 3; ++a) {
            place += (a ? " " : "") + std::to_string(box_.origin[a] + at[a]*box_.spacing);
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
    bool fluidInside_ = true;
    Domain domain_;
};

} // namespace

Domain makeDomain
(
    const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
    const SurfaceOptions& options, SurfaceFacts* facts
)
{
    checkArguments(mesh, box, options);
    SurfaceFacts unasked;
    SurfaceFacts& filled = facts ? *facts : unasked;
    filled = SurfaceFacts();
    return Builder(mesh, box, directions, options, filled).build();
}

LatticeBox boxAround(const TriangleMesh& mesh, int n)
{
    if (n < 1) throw std::invalid_argument("boxAround: at least one node along the longest side");
    if (mesh.triangles.empty()) throw SurfaceError("a surface without a triangle has no bounds");
    const Bounds b = bounds(mesh);
    const double longest = std::max({b.max[0] - b.min[0], b.max[1] - b.min[1], b.max[2] - b.min[2]});
    if (!(longest > 0)) throw SurfaceError("the surface is a point");
    LatticeBox box;
    box.spacing = longest/n;
    for (int a = 0; a < 3; ++a) {
        const double side = b.max[a] - b.min[a];
        // a side that is a whole number of spacings, but for rounding, gets no further node
        box.size[a] = std::max(1, int(std::ceil(side/box.spacing - 1e-9)));
        box.origin[a] = (b.min[a] + b.max[a])/2 - box.spacing*(box.size[a] - 1)/2;
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
