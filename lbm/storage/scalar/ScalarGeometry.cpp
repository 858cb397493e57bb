// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/scalar/ScalarGeometry.hpp"

#include <limits>
#include <stdexcept>

namespace lbm {

namespace {

constexpr std::int32_t longestRun = 4096; // threads share them

// The number of a link along an axis; 0: another one.
int numberOf(const Int3& c)
{
    if (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] != 1) return 0;
    for (int a = 0; a < 3; ++a)
        if (c[a] != 0) return 1 + 2 * a + (c[a] < 0);
    return 0;
}

Int3 along(int link)
{
    Int3 c{0, 0, 0};
    c[std::size_t((link - 1) / 2)] = link % 2 ? 1 : -1;
    return c;
}

} // namespace

ScalarGeometry::ScalarGeometry(const Domain& domain) : links_(1 + 2 * domain.dimensions)
{
    if (!domain.turns.empty()) throw std::invalid_argument("a scalar's lattice has no patches that turn");
    if (domain.hasGhosts()) throw std::invalid_argument("a scalar's lattice takes whole domains, not parts of them");
    if (domain.fluidNodes() >= std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("a scalar's lattice has room for 2^31 nodes");

    std::vector<std::int32_t> numbers(std::size_t(domain.nodes()), -1);
    domain.fluid.forEachIn(0, domain.nodes(), [&](NodeIndex i) { numbers[std::size_t(i)] = nodes_++; });
    findSlots(domain, numbers);
    domain.fluid.forEachIn(0, domain.nodes(), [&](NodeIndex i) {
        append(domain, i, numbers[std::size_t(i)], sources(domain, i, numbers));
    });
    for (ScalarSlot& slot : slots_) {
        const Sources from = sources(domain, slot.behind, numbers); // for now the node in the box
        slot.behind = from[slot.link];
        if (slot.behind < 0) slot.behind = -1;
    }
    firstSlot_ = {};
}

void ScalarGeometry::findSlots(const Domain& domain, const std::vector<std::int32_t>& numbers)
{
    slotsOf_.resize(domain.patches.size());
    firstSlot_.assign(std::size_t(nodes_) + 1, 0);
    if (domain.nodes() > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("a scalar's lattice has room for boxes of 2^31 nodes");
    for (const Link& link : domain.links) {
        const int number = numberOf(directionOf(link.direction));
        slotsOf_[std::size_t(link.patch)].push_back(number ? std::int32_t(slots_.size()) : -1);
        if (!number) continue;
        const std::int32_t node = numbers[std::size_t(link.node)];
        slots_.push_back({node, std::int32_t(link.node), std::uint8_t(number), link.fraction});
        firstSlot_[std::size_t(node) + 1] = std::int32_t(slots_.size());
    }
    for (std::size_t i = 1; i < firstSlot_.size(); ++i)
        if (firstSlot_[i] < firstSlot_[i - 1]) firstSlot_[i] = firstSlot_[i - 1];
}

ScalarGeometry::Sources ScalarGeometry::sources(const Domain& domain, NodeIndex at,
                                                const std::vector<std::int32_t>& numbers) const
{
    Sources from{};
    const std::int32_t own = numbers[std::size_t(at)];
    const Int3 x = domain.coordinates(at);
    from[0] = own;
    for (int q = 1; q < links_; ++q) {
        const int back = oppositeScalarLink(q);
        const NodeIndex source = domain.neighbour(x, along(back));
        from[q] = source >= 0 ? numbers[std::size_t(source)] : -1;
        bool found = from[q] >= 0;
        for (std::int32_t s = firstSlot_[own]; s < firstSlot_[own + 1]; ++s)
            if (slots_[s].link == back) {
                from[q] = -1 - s;
                found = true;
            }
        if (!found) throw std::invalid_argument("a scalar's lattice: a link leaves the fluid, and meets no patch");
    }
    return from;
}

void ScalarGeometry::append(const Domain& domain, NodeIndex at, std::int32_t number, const Sources& from)
{
    bool inside = true;
    ScalarRun run{number, number + 1, {}};
    for (int q = 0; q < links_; ++q) {
        inside = inside && from[q] >= 0;
        run.from[q] = from[q] - number;
    }
    if (!inside) {
        edges_.push_back({number, from});
        return;
    }
    const bool goesOn = !runs_.empty() && runs_.back().end == number && runs_.back().from == run.from
        && number - runs_.back().begin < longestRun && domain.coordinates(at)[0] > 0;
    if (goesOn) runs_.back().end = number + 1;
    else runs_.push_back(run);
}

std::size_t ScalarGeometry::bytes() const
{
    std::size_t all =
        runs_.size() * sizeof(ScalarRun) + edges_.size() * sizeof(ScalarEdge) + slots_.size() * sizeof(ScalarSlot);
    for (const auto& patch : slotsOf_) all += patch.size() * sizeof(patch[0]);
    return all;
}

} // namespace lbm
