// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/StrainRates.hpp"

#include "lbm/api/inParallel.hpp"
#include "lbm/solver/GroupSum.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace lbm {

namespace {

// Of a patch: one thread is as fast as several.
constexpr std::size_t linksOfOneThread = 10000;

constexpr double halfway = 0.5;

// That a thread takes at a time.
constexpr std::size_t nodesOfPiece = 10000;

// Whose velocity differences look at (sideOf), not the kind alone: sides of billions of nodes have 10^7 links and more.
bool tellsVelocity(BoundaryKind kind)
{
    return kind == BoundaryKind::interpolatedWall || kind == BoundaryKind::movingWall || kind == BoundaryKind::velocity;
}

} // namespace

StrainRates::StrainRates(const Domain& domain, const Config& config) : domain_(domain), values_(config.patches.size())
{
    for (const LinkValue& patch : config.patches) patches_.push_back(told(patch));
    if (const ClosureDescriptor* closure = findClosure(config.closure); closure && closure->byNode)
        setRelaxationTime(config.tau);
}

void StrainRates::setRelaxationTime(double tau)
{
    silent_ = BitSet(domain_.nodes(), !NodeViscosity::leavesEnough(tau));
    silentNodes_ = silent_.count();
    ++version_;
}

void StrainRates::setRelaxationTimes(const std::vector<NodeIndex>& nodes, const double* tau)
{
    // Of very many that are told again and again few are others than before
    const std::size_t n = nodes.size();
    std::vector<std::vector<std::size_t>> others((n + nodesOfPiece - 1) / nodesOfPiece);
    const auto find = [&](std::size_t piece) {
        for (std::size_t i = piece * nodesOfPiece; i < std::min(n, (piece + 1) * nodesOfPiece); ++i)
            if (!NodeViscosity::leavesEnough(tau[i]) != silent_[nodes[i]]) others[piece].push_back(i);
    };
    inParallel(others.size(), find, std::min(int(others.size()), omp_get_max_threads()));
    bool same = true;
    for (const auto& piece : others)
        for (const std::size_t i : piece) {
            const bool silent = !NodeViscosity::leavesEnough(tau[i]);
            if (silent == silent_[nodes[i]]) continue; // a node that is listed twice
            same = false;
            silent_.set(nodes[i], silent);
            silentNodes_ += silent ? 1 : -1;
        }
    if (!same) ++version_;
}

void StrainRates::setBoundary(int patch, const LinkValue* values, std::size_t n)
{
    std::vector<Told>& known = values_.at(std::size_t(patch));
    const Told& plain = patches_[std::size_t(patch)];
    bool same = true, plainKind = true;
#pragma omp parallel for schedule(static) reduction(&& : same, plainKind) if (n > linksOfOneThread)
    for (std::size_t i = 0; i < n; ++i) {
        same = same && values[i].kind == (known.empty() ? plain : known[i]).kind;
        plainKind = plainKind && values[i].kind == plain.kind;
    }
    if (!same) ++version_;
    if (plainKind && !tellsVelocity(plain.kind)) {
        std::vector<Told>().swap(known);
        return;
    }
    known.resize(n);
#pragma omp parallel for schedule(static) if (n > linksOfOneThread)
    for (std::size_t i = 0; i < n; ++i) known[i] = told(values[i]);
    if (!numberInPatch_.empty()) return;
    std::vector<std::int32_t> found(patches_.size(), 0);
    numberInPatch_.reserve(domain_.links.size());
    for (const Link& link : domain_.links) numberInPatch_.push_back(found[std::size_t(link.patch)]++);
}

const StrainRates::Told& StrainRates::valueOf(const Link& link) const
{
    const auto& values = values_[std::size_t(link.patch)];
    if (values.empty()) return patches_[std::size_t(link.patch)];
    return values[std::size_t(numberInPatch_[std::size_t(&link - domain_.links.data())])];
}

StrainRates::Side StrainRates::sideOf(const Link& link) const
{
    switch (valueOf(link).kind) {
        case BoundaryKind::wall: return {-1, halfway, nullptr};
        case BoundaryKind::interpolatedWall:
            // What the fluid slips past with is told as of another place (lbm/api/SlippingWall.hpp)
            if (patches_[std::size_t(link.patch)].scheme == WallScheme::slipping) return {-1, 0, nullptr};
            return {-1, link.fraction, &link};
        case BoundaryKind::movingWall:
        case BoundaryKind::velocity: return {-1, halfway, &link};
        default: return {-1, 0, nullptr};
    }
}

StrainRates::Side StrainRates::sideOf(const Int3& x, NodeIndex node, const Int3& c) const
{
    if (const Link* link = findLink(domain_, node, c)) return sideOf(*link);
    const NodeIndex there = domain_.neighbour(x, c);
    if (there >= 0 && domain_.fluid[there]) return {there, 1, nullptr};
    return {-1, halfway, nullptr};
}

void StrainRates::placeAround(const Solver& solver, const OwnedSet& set) const
{
    StrainTerms& terms = set.strainTerms();
    terms = StrainTerms();
    terms.version = version_;
    const std::vector<NodeIndex>& nodes = set.blocks().nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (silent_.size() == 0 || silent_[nodes[i]]) terms.differing.push_back(i);
    const std::size_t n = terms.differing.size(), sides = 2 * std::size_t(domain_.dimensions);
    const auto nodeAt = [&](std::size_t i) { return nodes[terms.differing[i]]; };
    std::vector<NodeIndex> beside(n * sides);
    std::vector<std::vector<StrainTerms::Side>> others((n + nodesOfPiece - 1) / nodesOfPiece);
    inParallel(others.size(), [&](std::size_t piece) {
        for (std::size_t i = piece * nodesOfPiece; i < std::min(n, (piece + 1) * nodesOfPiece); ++i) {
            const Int3 x = domain_.coordinates(nodeAt(i));
            for (std::size_t s = 0; s < sides; ++s) {
                const int axis = int(s / 2), above = int(s % 2);
                Int3 c{0, 0, 0};
                c[std::size_t(axis)] = above ? 1 : -1;
                const Side side = sideOf(x, nodeAt(i), c);
                beside[i * sides + s] = side.node;
                if (side.node < 0 && (side.link || side.distance != halfway))
                    others[piece].push_back({i, axis, above, side.distance,
                                             side.link ? std::int64_t(side.link - domain_.links.data()) : -1});
            }
        }
    });
    for (const auto& of : others) terms.sides.insert(terms.sides.end(), of.begin(), of.end());

    std::vector<NodeIndex> all;
    all.reserve(n * (1 + sides));
    for (std::size_t i = 0; i < n; ++i) all.push_back(nodeAt(i));
    std::copy_if(beside.begin(), beside.end(), std::back_inserter(all), [](NodeIndex node) { return node >= 0; });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.size() > std::size_t(std::numeric_limits<std::int32_t>::max()))
        throw std::length_error("solver: strain rates of more than 2^31 nodes at a time");
    const auto numberOf = [&](NodeIndex node) {
        return node < 0 ? -1 : std::int32_t(std::lower_bound(all.begin(), all.end(), node) - all.begin());
    };
    terms.own.resize(n);
    terms.beside.resize(n * sides);
#pragma omp parallel for schedule(static) if (n > nodesOfPiece)
    for (std::size_t i = 0; i < n; ++i) {
        terms.own[i] = numberOf(nodeAt(i));
        for (std::size_t s = i * sides; s < (i + 1) * sides; ++s) terms.beside[s] = numberOf(beside[s]);
    }
    terms.nodes = solver.place(all.data(), all.size());
    terms.values.resize(all.size() * std::size_t(valuesOf(Reading::flow)));
}

void StrainRates::addOfNodes(const Solver& solver, const OwnedSet& set, Reading reading, double* values,
                             Extremes& extremes) const
{
    StrainTerms& terms = set.strainTerms();
    if (terms.version != version_) placeAround(solver, set);
    if (terms.differing.empty()) return;
    solver.sample(*terms.nodes, Reading::flow, terms.values.data());
    const int D = domain_.dimensions;
    const std::size_t count = std::size_t(valuesOf(reading)), first = count - 6;
    const auto velocityOf = [&](std::int32_t number) {
        return &terms.values[std::size_t(number) * std::size_t(valuesOf(Reading::flow)) + 1];
    };
    // What sides that are no nodes tell, in place of a wall at rest halfway
    const auto setSides = [&](std::size_t i, double(&distance)[3][2], double(&velocity)[3][2][3]) {
        auto side = std::lower_bound(terms.sides.begin(), terms.sides.end(), i,
                                     [](const StrainTerms::Side& s, std::size_t number) { return s.number < number; });
        for (; side != terms.sides.end() && side->number == i; ++side) {
            distance[side->axis][side->above] = side->distance;
            if (side->link < 0) continue;
            const Vec3& u = valueOf(domain_.links[std::size_t(side->link)]).velocity;
            for (std::size_t b = 0; b < 3; ++b) velocity[side->axis][side->above][b] = u[b];
        }
    };
#pragma omp parallel if (terms.differing.size() > nodesOfPiece)
    {
        Extremes own{0, 0, 0, 0};
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < terms.differing.size(); ++i) {
            double distance[3][2], velocity[3][2][3] = {};
            bool plain = true;
            for (int a = 0; a < D; ++a)
                for (int s = 0; s < 2; ++s) {
                    const std::int32_t there = terms.beside[(i * std::size_t(D) + std::size_t(a)) * 2 + std::size_t(s)];
                    plain = plain && there >= 0;
                    distance[a][s] = there < 0 ? halfway : 1;
                    if (there >= 0) std::copy_n(velocityOf(there), 3, velocity[a][s]);
                }
            if (!plain) setSides(i, distance, velocity);
            double* strain = values + terms.differing[i] * count + first;
            addDifferences(D, velocityOf(terms.own[i]), distance, velocity, strain);
            double rate = 0;
            for (int k = 0; k < 6; ++k) rate += std::abs(strain[k]);
            own.rate = larger(own.rate, rate);
        }
#pragma omp critical(lbmStrainRates)
        include(extremes, own);
    }
}

// Each part of them that a set which several parts have is cut into is summed in the same order from the same rates (sumStates).
void StrainRates::setOfGroups(const Solver& solver, const OwnedSet& set, Reading reading, double* values,
                              Extremes& extremes) const
{
    StrainTerms& terms = set.strainTerms();
    const NodeBlocks& blocks = set.blocks();
    constexpr std::size_t width = std::size_t(valuesOf(Reading::strainRate));
    if (!terms.nodes) {
        const std::vector<NodeIndex> nodes = blocks.listNodes(domain_);
        terms.nodes = solver.place(nodes.data(), nodes.size());
    }
    terms.values.resize(terms.nodes->size() * width);
    include(extremes, solver.sample(*terms.nodes, Reading::strainRate, terms.values.data()));
    const std::size_t count = std::size_t(valuesOf(reading)), first = count - width,
                      blockCount = blocks.blocks.size() - 1;
#pragma omp parallel for schedule(static) if (terms.nodes->size() > nodesOfPiece)
    for (std::size_t b = 0; b < blockCount; ++b) {
        for (std::size_t g = blocks.blocks[b].group; g < blocks.blocks[b + 1].group; ++g)
            std::fill_n(values + g * count + first, width, 0.0);
        blocks.forTerms(domain_, b, [&](std::size_t g, std::size_t number, double weight) {
            double* sum = values + g * count + first;
            for (std::size_t k = 0; k < width; ++k) sum[k] = std::fma(weight, terms.values[number * width + k], sum[k]);
        });
    }
}

void StrainRates::complete(const Solver& solver, const OwnedSet& set, Reading reading, double* values,
                           Extremes& extremes) const
{
    if (reading == Reading::flow || set.size() == 0) return;
    if (set.kind() == NodeSet::Kind::nodes) addOfNodes(solver, set, reading, values, extremes);
    else setOfGroups(solver, set, reading, values, extremes);
}

BoxDifferences StrainRates::differencesIn(const NodeBox& box) const
{
    return {domain_, box, silent_.size() > 0 ? &silent_ : nullptr, [this](const Link& link) {
                const Side side = sideOf(link);
                const Int3 c = directionOf(link.direction);
                BoxSide own{0, 0, side.distance, {0, 0, 0}};
                for (int a = 0; a < 3; ++a)
                    if (c[std::size_t(a)] != 0) own.side = 2 * a + (c[std::size_t(a)] > 0);
                if (side.link)
                    for (std::size_t b = 0; b < 3; ++b) own.velocity[b] = valueOf(*side.link).velocity[b];
                return own;
            }};
}

} // namespace lbm
