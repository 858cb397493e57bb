// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/LawTables.hpp"

#include "lbm/api/SlipBalance.hpp"
#include "lbm/boundary/SlippingWall.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>

namespace lbm {

namespace {

// Nearest place that is sampled, and how much each is nearer than the one before
constexpr double nearestSample = 1, sampleStep = 0.5;

// Of a place's weights, those of fluid nodes; smaller ones are rounding
constexpr double wholeSample = 0.99, noWeight = 1e-15;

// The nodes around a place.
struct SamplePlace {
    std::array<NodeIndex, 8> nodes;
    std::array<double, 8> weights;
    int terms = 0;
    double distance = 0; // 0: not all are fluid
};

SamplePlace samplePlaceAt(const Domain& domain, const Link& link, const Vec3& normal, double distance)
{
    const Int3 at = domain.coordinates(link.node), c = directionOf(link.direction);
    Int3 low;
    double up[3];
    for (int a = 0; a < 3; ++a) {
        const double x = link.fraction * c[a] - distance * normal[a];
        low[a] = int(std::floor(x));
        up[a] = x - low[a];
    }
    SamplePlace place;
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        Int3 to = low;
        double weight = 1;
        for (int a = 0; a < 3; ++a) {
            const bool above = corner >> a & 1;
            weight *= above ? up[a] : 1 - up[a];
            to[a] += above;
        }
        if (weight < noWeight) continue;
        const NodeIndex there = domain.neighbour(at, to);
        if (there < 0 || !domain.fluid[there]) continue;
        place.nodes[std::size_t(place.terms)] = there;
        place.weights[std::size_t(place.terms++)] = weight;
        sum += weight;
    }
    if (sum < wholeSample) return place;
    for (int k = 0; k < place.terms; ++k) place.weights[std::size_t(k)] /= sum;
    place.distance = distance;
    return place;
}

// As far off as there are fluid nodes around, at last the link's own node.
SamplePlace sampledBy(const Domain& domain, const Link& link, const Vec3& normal, double nodeAt)
{
    for (double d = WallLaw::away; d >= nearestSample; d -= sampleStep)
        if (const SamplePlace place = samplePlaceAt(domain, link, normal, d); place.distance > 0) return place;
    SamplePlace own;
    own.nodes[0] = link.node;
    own.weights[0] = 1;
    own.terms = 1;
    own.distance = std::max(nodeAt, sampleStep);
    return own;
}

[[noreturn]] void refuseLaw(const std::string& why) { throw std::invalid_argument("wall law: " + why); }

std::string lawNumbers(std::size_t given, std::size_t wanted)
{
    return std::to_string(given) + " values for " + std::to_string(wanted) + " links";
}

void checkLaw(const Domain& domain, const WallLawSetup& setup, std::size_t links)
{
    if (setup.patches.size() != domain.patches.size()) refuseLaw("patches are not those of the domain");
    const LinkValue& patch = setup.patches[std::size_t(setup.patch)];
    if (patch.kind != BoundaryKind::interpolatedWall || patch.scheme != WallScheme::slipping)
        refuseLaw("patch " + domain.patches[std::size_t(setup.patch)] + " is no wall past which the fluid slips");
    if (setup.normals.size() != links) refuseLaw("normals: " + lawNumbers(setup.normals.size(), links));
    if (!setup.sticks.empty() && setup.sticks.size() != links)
        refuseLaw("sticks: " + lawNumbers(setup.sticks.size(), links));
    if (!setup.sides.empty() && setup.sides.size() != links)
        refuseLaw("sides: " + lawNumbers(setup.sides.size(), links));
    for (const std::uint32_t side : setup.sides)
        if (side >= links) refuseLaw("side " + std::to_string(side) + " of " + std::to_string(links) + " links");
    if (!(setup.kappa > 0) || !(setup.E > 0))
        refuseLaw("kappa " + std::to_string(setup.kappa) + " and E " + std::to_string(setup.E) + " must be above 0");
}

std::vector<std::size_t> lawLinksOf(const Domain& domain, int patch)
{
    std::vector<std::size_t> links;
    for (std::size_t i = 0; i < domain.links.size(); ++i)
        if (domain.links[i].patch == patch) links.push_back(i);
    return links;
}

} // namespace

LawTables::LawTables(const Solver& solver, const WallLawSetup& setup) :
    constants{setup.kappa, setup.E},
    sampled(NodeSet::Kind::sumsOfFlow),
    incompressible(solver.row().equilibrium == "incompressible")
{
    const Domain& domain = solver.domain();
    if (setup.patch < 0 || std::size_t(setup.patch) >= domain.patches.size())
        refuseLaw("no patch number " + std::to_string(setup.patch));
    const std::vector<std::size_t> which = lawLinksOf(domain, setup.patch);
    const std::size_t n = which.size();
    checkLaw(domain, setup, n);

    std::array<double, 27> weights{};
    const std::vector<Int3> directions = latticeDirections(solver.row().lattice);
    const std::vector<double> of = latticeWeights(solver.row().lattice);
    for (std::size_t q = 0; q < of.size(); ++q)
        weights[directionCode(directions[q][0], directions[q][1], directions[q][2])] = of[q];

    WallPieces pieces(domain, which, setup.sides);
    for (const int along : domain.size) diagonal = std::hypot(diagonal, along);
    links.resize(n);
    nodes.resize(n);
    std::vector<SamplePlace> places(n);
    std::vector<Vec3> slipping = setup.normals;
#pragma omp parallel for schedule(static) if (n > 1000)
    for (std::size_t i = 0; i < n; ++i) {
        const Link& link = domain.links[which[i]];
        LawLink& own = links[i];
        own.normal = setup.normals[i];
        own.fraction = link.fraction;
        own.direction = link.direction;
        own.piece = pieces.places[i];
        own.sticks = !setup.sticks.empty() && setup.sticks[i];
        if (own.sticks) slipping[i] = {0, 0, 0};
        own.nodeAt = std::max(link.fraction * law::product(own.along(), own.normal), 0.0);
        own.weight = 6 * weights[link.direction];
        own.shares = slipShares(domain, setup.patches, link);
        nodes[i] = link.node;
        places[i] = sampledBy(domain, link, own.normal, own.nodeAt);
        own.sampledAt = places[i].distance;
    }
    const std::vector<std::int64_t> partner = slipPartners(domain, setup.patches, which, slipping);
    std::vector<double> slips(n), all(n);
    for (std::size_t i = 0; i < n; ++i) {
        slips[i] = law::takenBy(links[i].weight, links[i].along(), slipping[i]);
        all[i] = law::takenBy(links[i].weight, links[i].along(), setup.normals[i]);
        area += slips[i];
    }
    pieces.joinWhereFluidSticks(slips, all);
    areas = pieces.sums(slips);
    sums = LawSums(pieces, n);
    corners = std::move(pieces.corners);
    for (std::size_t i = 0; i < n; ++i) {
        links[i].partner = partner[i];
        for (int k = 0; k < places[i].terms; ++k)
            sampled.add(places[i].nodes[std::size_t(k)], places[i].weights[std::size_t(k)]);
        sampled.endGroup();
    }
}

LawSums::LawSums(const WallPieces& pieces, std::size_t links)
{
    const std::size_t blocks = pieces.corners.size();
    std::vector<std::uint32_t> ends(blocks + 1, 0);
    for (const WallPieces::Place& place : pieces.places) ++ends[place.block + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    order.resize(links);
    std::vector<std::uint32_t> next = ends;
    for (std::size_t i = 0; i < links; ++i) order[next[pieces.places[i].block]++] = std::uint32_t(i);

    // No run is of two blocks
    do {
        std::vector<std::uint32_t> runs, runEnds{0};
        for (std::size_t block = 0; block < blocks; ++block) {
            for (std::uint32_t at = ends[block]; at < ends[block + 1]; at += std::uint32_t(law::sumsOf))
                runs.push_back(at);
            runEnds.push_back(std::uint32_t(runs.size()));
        }
        runs.push_back(ends.back());
        levels.push_back(std::move(runs));
        ends = std::move(runEnds);
    } while (ends.back() > blocks);

    begin.assign(pieces.count + 1, 0);
    for (const auto& corners : pieces.corners)
        for (const std::uint32_t piece : corners) ++begin[piece + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    terms.resize(8 * blocks);
    next = begin;
    for (std::size_t term = 0; term < terms.size(); ++term)
        terms[next[pieces.corners[term / 8][term % 8]]++] = std::uint32_t(term);
}

namespace {

// Of each member all links one after the other
constexpr Vec3 LawState::*lawVectors[] = {&LawState::stress, &LawState::slip, &LawState::gain};

} // namespace

std::vector<double> LawMemory::values() const
{
    std::vector<double> all;
    all.reserve(WallLaw::stateSize(states.size(), leaks.size()));
    for (Vec3 LawState::*member : lawVectors)
        for (const LawState& state : states) all.insert(all.end(), (state.*member).begin(), (state.*member).end());
    for (const LawState& state : states) all.push_back(state.third);
    for (int lag = 0; lag < wallLags::count; ++lag)
        for (const LawState& state : states) all.push_back(state.across[lag]);
    for (const LawLeak& leak : leaks) all.insert(all.end(), std::begin(leak.behind), std::end(leak.behind));
    return all;
}

LawMemory LawMemory::of(const std::vector<double>& values, std::size_t links, std::size_t pieces)
{
    if (values.size() != WallLaw::stateSize(links, pieces))
        refuseLaw("state: " + lawNumbers(values.size(), links) + " and " + std::to_string(pieces)
                  + " pieces of the wall");
    LawMemory memory{std::vector<LawState>(links), std::vector<LawLeak>(pieces)};
    const double* from = values.data();
    for (Vec3 LawState::*member : lawVectors)
        for (LawState& state : memory.states) {
            std::copy_n(from, 3, (state.*member).begin());
            from += 3;
        }
    for (LawState& state : memory.states) state.third = *from++;
    for (int lag = 0; lag < wallLags::count; ++lag)
        for (LawState& state : memory.states) state.across[lag] = *from++;
    for (LawLeak& leak : memory.leaks) {
        std::copy_n(from, wallLags::count, leak.behind);
        from += wallLags::count;
    }
    return memory;
}

void LawMemory::convert(double faster)
{
    for (LawState& state : states) {
        state.stress = law::part(faster * faster, state.stress);
        state.slip = law::part(faster, state.slip);
        state.gain = law::part(faster, state.gain);
        state.third *= faster * faster * faster;
        for (double& across : state.across) across *= faster;
    }
    for (LawLeak& leak : leaks)
        for (double& its : leak.behind) its *= faster;
}

WallLaw::Report reportOf(const std::vector<LawLink>& links, const std::vector<LawState>& states,
                         const std::vector<std::uint8_t>& clipped, double viscosity)
{
    WallLaw::Report report;
    if (links.empty()) return report;
    for (std::size_t i = 0; i < links.size(); ++i) {
        report.yPlus += links[i].sampledAt * std::sqrt(law::lengthOf(states[i].stress)) / viscosity;
        report.clipped += clipped[i];
    }
    report.yPlus /= double(links.size());
    report.clipped /= double(links.size());
    return report;
}

double sampledBytes(double groups, double terms)
{
    return terms * (sizeof(NodeIndex) + sizeof(std::uint32_t) + sizeof(double)) + (groups + 1) * sizeof(std::size_t);
}

std::size_t bytesOf(const NodeGroups& groups)
{
    return std::size_t(sampledBytes(double(groups.size()), double(groups.nodes.size())));
}

// A plane of nodes beside a wall across an axis: where it lies at an angle, nodes have fewer links each, but not all of theirs
WallLawMemory expectedLawMemory(const Config& config, double links)
{
    const KernelRow& row = findKernel(config);
    const double around = std::exp2(latticeDimensions(row.lattice)); // nodes of a place that is sampled
    if (!isOnHost(row) && partsOf(config) == 1)
        return {links * sizeof(LawLink), links * lawBytesOnDevice + sampledBytes(links, links * (around + 1))};
    const std::vector<Int3> directions = latticeDirections(row.lattice);
    double ofNode = 0;
    for (const Int3& c : directions) ofNode += c[0] == 1;
    const double nodes = links / ofNode;
    return {links * lawBytesOnHost + sampledBytes(links, links * around)
                + nodes * (sizeof(NodeIndex) + double(directions.size()) * sizeof(double)),
            0};
}

void checkWall(const std::vector<Vec3>& velocities, std::size_t links)
{
    if (!velocities.empty() && velocities.size() != links)
        refuseLaw("velocities of the wall: " + lawNumbers(velocities.size(), links));
}

void checkViscosity(double viscosity)
{
    if (!(viscosity > 0)) refuseLaw("viscosity " + std::to_string(viscosity) + " must be above 0");
}

} // namespace lbm
