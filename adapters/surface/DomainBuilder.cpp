// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/DomainBuilder.hpp"

#include "adapters/surface/NearNodes.hpp"
#include "adapters/surface/NodeWords.hpp"
#include "adapters/surface/TriangleBlocks.hpp"

#include <omp.h>

namespace lbm::exact {

namespace {

Vec3 endOf(const Int3& node, const Int3& step)
{
    return {double(node[0] + step[0]), double(node[1] + step[1]), double(node[2] + step[2])};
}

} // namespace

void PlaneLinks::append(PlaneLinks&& other)
{
    links.insert(links.end(), other.links.begin(), other.links.end());
    std::vector<Link>().swap(other.links);
    guessed += other.guessed;
    thin += other.thin;
    bulges += other.bulges;
    united += other.united;
    for (std::size_t code = 0; code < caps.size(); ++code) caps[code] += other.caps[code];
}

// Moving directions, in the order of their codes.
std::vector<DomainBuilder::Direction> DomainBuilder::moving(const std::vector<Int3>& directions)
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

DomainBuilder::DomainBuilder(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                             const SurfaceOptions& options, SurfaceFacts& facts) :
    box_(box),
    options_(options),
    facts_(facts),
    directions_(moving(directions)),
    surface_(mesh, box),
    threads_(options.threads > 0 ? options.threads : omp_get_max_threads()),
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

void DomainBuilder::takeDevice(int share)
{
    const FindSurfaceDevice find = options_.findDevice ? options_.findDevice : &SurfaceDevice::find;
    device_ = find(options_.device, share, whyNotDevice_);
}

// What make() makes there; null where there is no device, or where it has no room.
template<class Make>
auto DomainBuilder::onDevice(const Make& make) -> decltype(make())
{
    if (!device_) return nullptr;
    try {
        return make();
    } catch (const NoDeviceRoom& fault) {
        whyNotDevice_ = fault.what();
        return nullptr;
    }
}

FluidSide::Marks DomainBuilder::marks(int begin, int end)
{
    std::unique_ptr<DeviceWinding> winding;
    if (side_.winding()) {
        const WindingTree& tree = side_.winding()->tree();
        winding = onDevice([&] { return device_->winding(tree.clusters(), tree.facets()); });
    }
    windingOnDevice_ = bool(winding);
    return side_.marks(slabs(box_.size, begin, end, threads_), threads_, winding.get());
}

void DomainBuilder::setFluid(FluidSide::Marks all)
{
    domain_.fluid = side_.mark(std::move(all), slabs(box_.size, 0, box_.size[2], threads_), threads_);
    if (domain_.fluidNodes() == 0) throw SurfaceError(options_.name + " holds no fluid node");
}

LinkRays DomainBuilder::rays() const
{
    LinkRays rays;
    rays.unit = surface_.unit();
    rays.outerSide = side_.inside() ? 1 : -1;
    for (const Direction& d : directions_) rays.direction[rays.count++] = d.step;
    return rays;
}

PlaneLinks DomainBuilder::links(int begin, int end)
{
    const TriangleFinder finder(surface_, options_.transparent);
    RaySearch search(surface_, finder, box_, rays(), options_.preferred);
    giveDevice(search, begin, end);
    const LinkRows all = linkRows(begin, end);
    std::vector<PlaneLinks> found;
    for (std::size_t first = 0, next = 0; first < all.rows.size(); first = next) {
        const int behind = beginPiece(search, all.rows[first].zBegin, end);
        while (next < all.rows.size() && all.rows[next].zEnd <= behind) ++next;
        addPiece(all, first, next, search, finder, found);
    }
    PlaneLinks joined;
    std::size_t n = 0;
    for (const PlaneLinks& part : found) n += part.links.size();
    joined.links.reserve(n);
    for (PlaneLinks& part : found) joined.append(std::move(part));
    noteDevice(search, n > 0);
    return joined;
}

void DomainBuilder::giveDevice(RaySearch& search, int begin, int end)
{
    if (!device_ || begin == end) return;
    const NodeReach within{{0, 0, begin}, {box_.size[0] - 1, box_.size[1] - 1, end - 1}};
    SearchTriangles triangles = searchTriangles(surface_, options_.transparent, options_.preferred, threads_);
    auto crossings = onDevice([&] { return device_->crossings(triangles, rays(), within); });
    if (crossings) search.take(std::move(triangles), std::move(crossings));
}

// A GPU without room for it is left before anything is asked of it.
int DomainBuilder::beginPiece(RaySearch& search, int begin, int end)
{
    try {
        return search.begin(begin, end, threads_);
    } catch (const NoDeviceRoom& fault) {
        whyNotDevice_ = fault.what();
        leftDeviceAt_ = begin;
        search.dropDevice();
        return end;
    }
}

void DomainBuilder::noteDevice(const RaySearch& search, bool anyLinks)
{
    raysOnDevice_ = search.nodesOnDevice() > 0 || (search.onDevice() && !anyLinks);
    if (search.onDevice() && !raysOnDevice_)
        whyNotDevice_ = "all nodes at walls are at periodic ends, behind which " + device_->name() + " does not look";
}

DomainBuilder::LinkRows DomainBuilder::linkRows(int begin, int end) const
{
    LinkRows all{slabs(box_.size, begin, end, threads_), {}, {}};
    all.near.resize(all.slabs.size());
    parallelFor(int(all.slabs.size()), threads_, [&](int i) {
        const QuietFloats quiet;
        all.near[std::size_t(i)] = nearNodes(surface_, options_.transparent, box_.periodic, all.slabs[std::size_t(i)]);
    });
    all.rows = rowsOf(all.slabs, 1);
    return all;
}

// Of rows [first, next). A GPU is asked for many nodes at a time, which are listed for that.
void DomainBuilder::addPiece(const LinkRows& all, std::size_t first, std::size_t next, const RaySearch& rays,
                             const TriangleFinder& finder, std::vector<PlaneLinks>& found) const
{
    std::vector<std::vector<Int3>> asked(rays.onDevice() ? next - first : 0);
    parallelFor(int(asked.size()), threads_,
                [&](int i) { asked[std::size_t(i)] = askedNodes(all, first + std::size_t(i)); });
    std::vector<std::size_t> counts(next - first, 1);
    for (std::size_t i = 0; i < asked.size(); ++i) counts[i] = asked[i].size();
    const std::vector<std::size_t> groups = groupsOf(counts, rays.onDevice() ? RaySearch::leastOnDevice : 1);
    const std::size_t before = found.size();
    found.resize(before + groups.size() - 1);
    parallelFor(int(groups.size()) - 1, threads_, [&](int g) {
        const QuietFloats quiet;
        std::vector<Int3> nodes;
        for (std::size_t i = groups[std::size_t(g)]; i < groups[std::size_t(g) + 1]; ++i) {
            const std::vector<Int3> more = asked.empty() ? askedNodes(all, first + i) : std::move(asked[i]);
            nodes.insert(nodes.end(), more.begin(), more.end());
        }
        if (!nodes.empty()) found[before + std::size_t(g)] = linksOf(nodes, rays, finder);
    });
}

Domain DomainBuilder::finish(PlaneLinks all)
{
    domain_.links = std::move(all.links);
    domain_.links.shrink_to_fit(); // what they grew by is up to half as much again
    facts_.guessedLinks = all.guessed;
    facts_.thinWallLinks = all.thin;
    facts_.bulgeLinks = all.bulges;
    facts_.unitedLinks = all.united;
    facts_.capLinksAlong = all.caps;
    for (const std::int64_t along : all.caps) facts_.capLinks += along;
    facts_.raysOn = raysOn();
    domain_.check();
    return std::move(domain_);
}

// Fluid nodes of some rows that may have links, in their order.
std::vector<Int3> DomainBuilder::askedNodes(const LinkRows& all, std::size_t row) const
{
    const SomeRows& rows = all.rows[row];
    const Slab& slab = all.slabs[rows.slab];
    const BitSet& near = all.near[rows.slab];
    std::vector<Int3> result;
    const NodeIndex first = firstNode(slab);
    for (int z = rows.zBegin; z < rows.zEnd; ++z)
        for (int y = rows.yBegin; y < rows.yEnd; ++y) {
            const NodeIndex row = domain_.index(0, y, z);
            forWords(box_.size[0], [&](int x, int n) {
                const NodeWord close = wordAt(near, row + x - first);
                NodeWord asked = (close | mayHaveLinks(row, x, n)) & wordAt(domain_.fluid, row + x, n) & lowest(n);
                for (; asked; asked &= asked - 1) {
                    const int i = __builtin_ctzll(asked);
                    const NodeIndex node = row + x + i;
                    if ((close >> i & 1) || atEnd(node) || besideSolid(node)) result.push_back({x + i, y, z});
                }
            });
        }
    return result;
}

std::string DomainBuilder::raysOn() const
{
    std::string words = raysOnDevice_ ? device_->name() : "the processor";
    if (raysOnDevice_ && leftDeviceAt_ >= 0)
        words += ", from plane " + std::to_string(leftDeviceAt_) + " on the processor";
    if (raysOnDevice_ && side_.winding() && !windingOnDevice_) words += ", winding numbers on the processor";
    if (!raysOnDevice_ && windingOnDevice_) words += ", winding numbers on " + device_->name();
    return whyNotDevice_.empty() ? words : words + ": " + whyNotDevice_;
}

PlaneLinks DomainBuilder::linksOf(const std::vector<Int3>& nodes, const RaySearch& rays,
                                  const TriangleFinder& finder) const
{
    PlaneLinks result;
    rays.forHits(nodes, [&](std::size_t i, std::vector<Hit>& hits, LinkSearch& search) {
        addLinks(nodes[i], hits, finder, search, result);
    });
    return result;
}

// Of n nodes of a row: all that are at an end of the box or beside a solid node, and some that are not.
NodeWord DomainBuilder::mayHaveLinks(NodeIndex row, int x, int n) const
{
    const Int3 at = domain_.coordinates(row);
    for (int a = 1; a < domain_.dimensions; ++a)
        if (at[a] == 0 || at[a] == box_.size[a] - 1) return lowest(n);
    NodeWord may = 0;
    if (x == 0) may |= 1;
    if (x + n == box_.size[0]) may |= NodeWord(1) << (n - 1);
    if (!side_.winding()) return may;
    NodeWord open = ~NodeWord(0);
    const NodeIndex plane = NodeIndex(box_.size[0]) * box_.size[1];
    const int planes = domain_.dimensions == 3 ? 1 : 0;
    for (int z = -planes; z <= planes; ++z)
        for (int y = -1; y <= 1; ++y) {
            const NodeIndex beside = row + x + y * NodeIndex(box_.size[0]) + z * plane;
            for (int along = -1; along <= 1; ++along) open &= wordAt(domain_.fluid, beside + along);
        }
    return may | ~open;
}

// A fluid node at the end of the box has neighbours outside, whether or not a triangle is near.
bool DomainBuilder::atEnd(NodeIndex node) const
{
    const Int3 at = domain_.coordinates(node);
    for (int a = 0; a < domain_.dimensions; ++a)
        if (!box_.periodic[a] && (at[a] == 0 || at[a] == box_.size[a] - 1)) return true;
    return false;
}

// Across a hole the fluid ends where no triangle is near.
bool DomainBuilder::besideSolid(NodeIndex node) const
{
    if (!side_.winding()) return false;
    const Int3 at = domain_.coordinates(node);
    for (const Direction& d : directions_) {
        const NodeIndex next = domain_.neighbour(at, d.step);
        if (next >= 0 && !domain_.fluid[next]) return true;
    }
    return false;
}

// hits: of the node's directions.
void DomainBuilder::addLinks(const Int3& at, std::vector<Hit>& hits, const TriangleFinder& finder, LinkSearch& search,
                             PlaneLinks& result) const
{
    const NodeIndex node = domain_.index(at[0], at[1], at[2]);
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
bool DomainBuilder::besideBody(const Int3& at, const Int3& step) const
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
void DomainBuilder::askNumbers(const Int3& at, const std::vector<Asked>& asked, const TriangleFinder& finder,
                               std::vector<Hit>& hits, PlaneLinks& result) const
{
    std::vector<Vec3> places = {FluidSide::placeOf(at)};
    for (const Asked& a : asked) places.push_back(endOf(at, directions_[a.direction].step));
    const std::vector<double> w = side_.winding()->numbers(places);
    for (std::size_t i = 0; i < asked.size(); ++i) {
        Hit& hit = hits[asked[i].direction];
        const double there = w[i + 1];
        if (hit) {
            if (!WindingSide::united(w[0], there)) continue;
            hit = Hit();
            ++result.united;
        } else {
            const bool fluidThere =
                side_.enclosed(places[i + 1]) && WindingSide::clearlyInside(there) == side_.inside();
            if (asked[i].leavesBox && fluidThere) refuse(at, directions_[asked[i].direction].step, true);
            hit.fraction = WindingSide::crossing(w[0], there);
            hit.region = std::int16_t(surface_.region(finder.nearest(at)));
            ++result.caps[directions_[asked[i].direction].code];
        }
    }
}

void DomainBuilder::refuse(const Int3& at, const Int3& step, bool leavesBox) const
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

} // namespace lbm::exact
