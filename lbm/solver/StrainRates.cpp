// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/StrainRates.hpp"

#include <algorithm>

namespace lbm {

StrainRates::StrainRates(const Domain& domain, const Config& config)
:
    domain_(domain), patches_(config.patches), values_(config.patches.size())
{}

void StrainRates::setBoundary(int patch, const LinkValue* values, std::size_t n)
{
    values_.at(std::size_t(patch)).assign(values, values + n);
    if (!numberInPatch_.empty()) return;
    std::vector<std::int32_t> found(patches_.size(), 0);
    for (const Link& link : domain_.links) numberInPatch_.push_back(found[std::size_t(link.patch)]++);
}

const LinkValue& StrainRates::valueOf(const Link& link) const
{
    const auto& values = values_[std::size_t(link.patch)];
    if (values.empty()) return patches_[std::size_t(link.patch)];
    return values[std::size_t(numberInPatch_[std::size_t(&link - domain_.links.data())])];
}

StrainRates::Side StrainRates::sideOf(const Int3& x, NodeIndex node, const Int3& c) const
{
    constexpr double halfway = 0.5;
    if (const Link* link = findLink(domain_, node, c)) {
        const LinkValue& value = valueOf(*link);
        switch (value.kind) {
            case BoundaryKind::wall: return {-1, halfway, {0, 0, 0}};
            case BoundaryKind::interpolatedWall: return {-1, link->fraction, value.velocity};
            case BoundaryKind::movingWall:
            case BoundaryKind::velocity: return {-1, halfway, value.velocity};
            default: return {-1, 0, {0, 0, 0}};
        }
    }
    const NodeIndex there = domain_.neighbour(x, c);
    if (there >= 0 && domain_.fluid[there]) return {there, 1, {0, 0, 0}};
    return {-1, halfway, {0, 0, 0}};
}

void StrainRates::complete(const NodeIndex* nodes, std::size_t n, Macroscopic* states, const Flow& flow) const
{
    constexpr std::size_t chunk = 1 << 16;
    const int D = domain_.dimensions;
    std::vector<std::array<Side, 6>> sides;
    std::vector<NodeIndex> around;
    std::vector<Macroscopic> there;
    for (std::size_t first = 0; first < n; first += chunk) {
        const std::size_t count = std::min(chunk, n - first);
        sides.resize(count);
        around.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const Int3 x = domain_.coordinates(nodes[first + i]);
            for (int side = 0; side < 2*D; ++side) {
                Int3 c{0, 0, 0};
                c[side/2] = 2*(side % 2) - 1;
                sides[i][side] = sideOf(x, nodes[first + i], c);
                if (sides[i][side].node >= 0) around.push_back(sides[i][side].node);
            }
        }
        there.resize(around.size());
        flow(around.data(), around.size(), there.data());
        std::size_t next = 0;
        for (std::size_t i = 0; i < count; ++i) {
            Macroscopic& state = states[first + i];
            double gradient[3][3] = {};
            for (int a = 0; a < D; ++a) {
                for (int side = 2*a; side < 2*a + 2; ++side)
                    if (sides[i][side].node >= 0) sides[i][side].velocity = there[next++].velocity;
                const Side& low = sides[i][2*a];
                const Side& high = sides[i][2*a + 1];
                for (int b = 0; b < D; ++b) {
                    const double down = low.distance > 0 ? (state.velocity[b] - low.velocity[b])/low.distance : 0;
                    const double up = high.distance > 0 ? (high.velocity[b] - state.velocity[b])/high.distance : 0;
                    gradient[a][b] = low.distance > 0 && high.distance > 0
                        ? (high.distance*down + low.distance*up)/(low.distance + high.distance) : down + up;
                }
            }
            for (int a = 0, k = 0; a < 3; ++a)
                for (int b = a; b < 3; ++b, ++k) state.strainRate[k] = 0.5*(gradient[a][b] + gradient[b][a]);
        }
    }
}

} // namespace lbm
