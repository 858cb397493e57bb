// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Domain.hpp"

#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lbm {

namespace {

[[noreturn]] void fail(const std::string& what) { throw std::invalid_argument("domain: " + what); }

std::string where(const Domain& domain, const Link& link)
{
    const Int3 c = domain.coordinates(link.node), d = directionOf(link.direction);
    auto triple = [](const Int3& v) {
        return "(" + std::to_string(v[0]) + " " + std::to_string(v[1]) + " " + std::to_string(v[2]) + ")";
    };
    return "link of node " + triple(c) + " along " + triple(d);
}

const Turn* turnOf(const Domain& domain, int patch)
{
    const auto found =
        std::find_if(domain.turns.begin(), domain.turns.end(), [=](const Turn& t) { return t.patch == patch; });
    return found == domain.turns.end() ? nullptr : &*found;
}

// What is wrong with a link; empty: nothing.
std::string faultOf(const Domain& domain, std::size_t number)
{
    const Link& link = domain.links[number];
    if (link.node < 0 || link.node >= domain.nodes()) return "a link's node lies outside the box";
    if (link.direction > 26 || link.direction == 13) return "a link has no direction";
    if (!domain.fluid[link.node]) return where(domain, link) + " starts at a solid node";
    if (link.patch < 0 || link.patch >= int(domain.patches.size()))
        return where(domain, link) + " names patch " + std::to_string(link.patch) + " of "
            + std::to_string(domain.patches.size());
    if (!(link.fraction > 0 && link.fraction <= 1))
        return where(domain, link) + " has fraction " + std::to_string(link.fraction) + ", not in (0, 1]";
    if (number == 0) return {};
    const Link& before = domain.links[number - 1];
    if (before.node > link.node || (before.node == link.node && before.direction >= link.direction))
        return where(domain, link) + " is out of order or listed twice";
    return {};
}

} // namespace

NodeIndex Domain::neighbour(const Int3& node, const Int3& c) const
{
    Int3 target;
    for (int a = 0; a < 3; ++a) {
        target[a] = node[a] + c[a];
        if (target[a] >= 0 && target[a] < size[a]) continue;
        if (!periodic[a]) return -1;
        target[a] = (target[a] % size[a] + size[a]) % size[a];
    }
    return index(target[0], target[1], target[2]);
}

void Domain::check() const
{
    if (size[0] < 1 || size[1] < 1 || size[2] < 1) fail("a side of the box has no node");
    if (dimensions != 2 && dimensions != 3) fail("dimensions must be 2 or 3");
    if (dimensions == 2 && size[2] != 1) fail("two dimensions, but more than one layer of nodes in z");
    if (fluid.size() != nodes()) fail("the fluid flags do not fill the box");
    if (fluidNodes() == 0) fail("no fluid node");
    if (!(spacing > 0)) fail("the spacing must be positive");

    for (const Turn& turn : turns) {
        if (turn.axis > 2 || turn.quarters < 1 || turn.quarters > 3) fail("a turn is none of the lattice's");
        const int b = (turn.axis + 1) % 3, c = (turn.axis + 2) % 3;
        if ((turn.twiceCentre[b] + turn.twiceCentre[c]) % 2 != 0) fail("a turn does not take nodes to nodes");
    }
    // The first one: faults that threads find by chance would differ from run to run
    std::size_t first = links.size();
    TeamFault fault;
#pragma omp parallel for schedule(static) reduction(min : first) if (links.size() > 100000)
    for (std::size_t i = 0; i < links.size(); ++i)
        fault.keep([&] {
            if (i < first && !faultOf(*this, i).empty()) first = i;
        });
    fault.rethrow();
    if (first < links.size()) fail(faultOf(*this, first));
}

const Link* findLink(const Domain& domain, NodeIndex node, const Int3& c)
{
    const std::uint8_t direction = directionCode(c[0], c[1], c[2]);
    const auto record =
        std::lower_bound(domain.links.begin(), domain.links.end(), node, [=](const Link& link, NodeIndex n) {
            return link.node < n || (link.node == n && link.direction < direction);
        });
    const bool found = record != domain.links.end() && record->node == node && record->direction == direction;
    return found ? &*record : nullptr;
}

TurnedEnd turnedEnd(const Domain& domain, const Link& link)
{
    const Turn* turn = turnOf(domain, link.patch);
    if (!turn) return {};
    const int b = (turn->axis + 1) % 3, c = (turn->axis + 2) % 3;
    Int3 direction = directionOf(link.direction), end = domain.coordinates(link.node), twice;
    for (int a = 0; a < 3; ++a) {
        end[a] += direction[a];
        twice[a] = 2 * end[a] - turn->twiceCentre[a];
    }
    for (int quarter = 1; quarter < 4 * turn->quarters; ++quarter) {
        twice[c] = std::exchange(twice[b], -twice[c]);
        direction[c] = std::exchange(direction[b], -direction[c]);
        if (quarter % turn->quarters != 0) continue;
        for (const int a : {b, c}) end[a] = (twice[a] + turn->twiceCentre[a]) / 2;
        const NodeIndex node = domain.neighbour(end, {0, 0, 0}); // round periodic sides
        if (node < 0 || !domain.fluid[node]) continue;
        const Link* back = findLink(domain, node, {-direction[0], -direction[1], -direction[2]});
        return back && turnOf(domain, back->patch) ? TurnedEnd{node, direction} : TurnedEnd{};
    }
    return {};
}

std::vector<std::int64_t> linksPerPatch(const Domain& domain)
{
    std::vector<std::int64_t> count(domain.patches.size(), 0);
    for (const Link& link : domain.links) ++count[link.patch];
    return count;
}

} // namespace lbm
