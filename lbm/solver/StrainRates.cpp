// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/StrainRates.hpp"

#include "lbm/solver/GroupSum.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {

namespace {

// Of a patch: one thread is as fast as several.
constexpr std::size_t linksOfOneThread = 10000;

constexpr double halfway = 0.5;

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
    bool same = true;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool silent = !NodeViscosity::leavesEnough(tau[i]);
        if (silent == silent_[nodes[i]]) continue;
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

void StrainRates::place(const Solver& solver, const OwnedSet& set) const
{
    StrainSums& sums = set.strainSums();
    sums.version = version_;
    sums.links.clear();
    const int D = domain_.dimensions;
    // Groups come one after the other, their axes are to: terms of an axis wait until the group is through
    std::vector<NodeGroups> along(static_cast<std::size_t>(D), NodeGroups{NodeSet::Kind::sumsOfFlow});
    set.blocks().forTerms(
        domain_,
        [&](std::size_t group, NodeIndex node, double weight) {
            if (silent_.size() > 0 && !silent_[node]) return;
            const Int3 x = domain_.coordinates(node);
            for (int a = 0; a < D; ++a) {
                Int3 up{0, 0, 0}, down{0, 0, 0};
                up[a] = 1;
                down[a] = -1;
                const Side low = sideOf(x, node, down), high = sideOf(x, node, up);
                const double h = high.distance, l = low.distance;
                // (h (u - u_low)/l + l (u_high - u)/h)/(l + h), or what one side tells
                const double ofLow = l > 0 ? (h > 0 ? -h / (l * (l + h)) : -1 / l) : 0;
                const double ofHigh = h > 0 ? (l > 0 ? l / (h * (l + h)) : 1 / h) : 0;
                along[std::size_t(a)].add(node, -weight * (ofLow + ofHigh));
                for (const auto& [side, share] : {std::pair(low, ofLow), std::pair(high, ofHigh)}) {
                    if (side.node >= 0) along[std::size_t(a)].add(side.node, weight * share);
                    else if (side.link)
                        sums.links.push_back({group * std::size_t(D) + std::size_t(a),
                                              std::size_t(side.link - domain_.links.data()), weight * share});
                }
            }
        },
        [&] {
            for (NodeGroups& axis : along) axis.endGroup();
        });

    NodeGroups all(NodeSet::Kind::sumsOfFlow);
    for (std::size_t g = 0; g < set.size(); ++g)
        for (const NodeGroups& axis : along) {
            for (std::size_t i = axis.begin[g]; i < axis.begin[g + 1]; ++i) all.add(axis.nodes[i], axis.weights[i]);
            all.endGroup();
        }
    sums.gradients = solver.place(all);
}

void StrainRates::complete(const Solver& solver, const OwnedSet& set, Reading reading, double* values,
                           Extremes& extremes) const
{
    if (reading == Reading::flow || set.size() == 0) return;
    StrainSums& sums = set.strainSums();
    if (sums.version != version_) place(solver, set);
    constexpr int perFlow = valuesOf(Reading::flow);
    sums.flow.resize(sums.gradients->size() * perFlow);
    solver.sample(*sums.gradients, Reading::flow, sums.flow.data());
    for (const StrainSums::LinkTerm& term : sums.links) {
        const Vec3& u = valueOf(domain_.links[term.link]).velocity;
        for (int b = 0; b < 3; ++b) sums.flow[term.gradient * perFlow + 1 + std::size_t(b)] += term.weight * u[b];
    }

    const int D = domain_.dimensions;
    const std::size_t count = valuesOf(reading), first = count - 6;
    for (std::size_t g = 0; g < set.size(); ++g) {
        const auto gradient = [&](int a, int b) {
            return a < D && b < D ? sums.flow[(g * std::size_t(D) + std::size_t(a)) * perFlow + 1 + std::size_t(b)] : 0;
        };
        Extremes own{0, 0, 0, 0};
        double* strain = values + g * count + first;
        for (int a = 0, k = 0; a < 3; ++a)
            for (int b = a; b < 3; ++b, ++k) {
                strain[k] += 0.5 * (gradient(a, b) + gradient(b, a));
                own.rate += std::abs(strain[k]);
            }
        include(extremes, own);
    }
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
