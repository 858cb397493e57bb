// LinkedRegisters: of rows of a box in blocks (BlockSweep.hpp), the registers that have nodes which are no fluid, or links that end at such
// nodes, or links to walls and openings that add something. Lines, rows and directions are those of sweeps (alongSweep). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/BlockReach.hpp"
#include "lbm/storage/moments/cpu/BlockCounts.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

namespace lbm {

// Of the lattices that have blocks, which Domain's links are more than.
inline bool isOfLattice(const Int3& c) { return std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]) <= 2; }

// A wall without thickness: both ends of the link are fluid.
inline bool isThin(const Domain& domain, const Link& link)
{
    const Int3 c = directionOf(link.direction);
    const NodeIndex end = domain.neighbour(domain.coordinates(link.node), c);
    return isOfLattice(c) && end >= 0 && domain.fluid[end];
}

// A node whose state is kept (BlockBorder).
struct LinkedNode {
    Int3 place;
    std::int32_t number, lane = 0;
};

struct LinkedRegister {
    std::uint16_t at, fluid; // number in its row; lanes that are fluid
    std::uint32_t firstNode = 0, lastNode = 0;
    std::int32_t told = -1;     // which one of those that are added something; -1: is not
    std::uint16_t cut[27] = {}; // by directionCode: lanes whose links that way end at no node
};

class LinkedRegisters {
public:
    // A link that walls and openings add something to, along the sweep's `direction`.
    struct Teller {
        std::int32_t told, lane;
        std::uint8_t direction;
        std::size_t link; // of Domain::links
        double value;
    };

    LinkedRegisters() = default;

    // Lane k has the k-th part of a row of so many registers; what a row has beyond the domain's nodes is no fluid.
    LinkedRegisters(const Domain& domain, int registers, int lanes, const std::vector<LinkValue>& patches,
                    const std::vector<LinkedNode>& kept) :
        nodes(kept), registers_(registers), lanes_(lanes)
    {
        for (LinkedNode& node : nodes) {
            node.place = alongSweep(node.place, domain.dimensions);
            node.lane = node.place[0] / registers_;
        }
        const auto order = [&](const LinkedNode& node) {
            return std::array{node.place[2], node.place[1], node.place[0] % registers_, node.lane};
        };
        std::sort(nodes.begin(), nodes.end(),
                  [&](const LinkedNode& a, const LinkedNode& b) { return order(a) < order(b); });
        const Int3 n = alongSweep(domain.size, domain.dimensions);
        first.push_back(0);
        std::size_t link = 0, node = 0;
        for (int z = 0; z < n[2]; ++z)
            for (int y = 0; y < n[1]; ++y) {
                std::map<int, LinkedRegister> row;
                addSolids(domain, y, z, row);
                const NodeIndex end = indexOf(domain, 0, y, z) + n[0];
                for (; link < domain.links.size() && domain.links[link].node < end; ++link)
                    addLink(domain, link, patches, row);
                for (; node < nodes.size() && nodes[node].place[1] == y && nodes[node].place[2] == z; ++node)
                    addNode(std::uint32_t(node), row);
                for (const auto& [at, r] : row) all.push_back(r);
                first.push_back(all.size());
            }
    }

    std::size_t bytes() const
    {
        return first.size() * sizeof(first[0]) + all.size() * sizeof(all[0]) + nodes.size() * sizeof(nodes[0])
            + tellers.size() * sizeof(tellers[0]);
    }

    // Ends of the box across y and z reflect by themselves (BlockLine), and what moving walls there add has places of its own.
    // x, c: of the lattice; a: of the sweep.
    static bool leaves(const Domain& domain, const Int3& x, const Int3& c, int axis)
    {
        const int a = alongSweep(Int3{0, 1, 2}, domain.dimensions)[axis];
        return !domain.periodic[a] && (x[a] + c[a] < 0 || x[a] + c[a] >= domain.size[a]);
    }

    std::vector<std::size_t> first; // of a row, y fastest, in `all`; and behind the last
    std::vector<LinkedRegister> all;
    std::vector<LinkedNode> nodes; // by register
    std::vector<Teller> tellers;   // in the order of the Domain's links
    std::int32_t told = 0;         // registers that are added something
    bool faces[4] = {};            // before, behind, below, above: walls there may move

private:
    static NodeIndex indexOf(const Domain& domain, int x, int y, int z)
    {
        const Int3 at = alongSweep(Int3{x, y, z}, domain.dimensions);
        return domain.index(at[0], at[1], at[2]);
    }

    LinkedRegister& registerOf(std::map<int, LinkedRegister>& row, int x) const
    {
        LinkedRegister fresh{};
        fresh.at = std::uint16_t(x % registers_);
        fresh.fluid = std::uint16_t((1u << lanes_) - 1);
        return row.try_emplace(fresh.at, fresh).first->second;
    }

    void addSolids(const Domain& domain, int y, int z, std::map<int, LinkedRegister>& row) const
    {
        for (int x = 0; x < registers_ * lanes_; ++x)
            if (x >= domain.size[0] || !domain.fluid[indexOf(domain, x, y, z)])
                registerOf(row, x).fluid &= std::uint16_t(~(1u << x / registers_));
    }

    void addNode(std::uint32_t number, std::map<int, LinkedRegister>& row)
    {
        LinkedRegister& r = registerOf(row, nodes[number].place[0]);
        if (r.lastNode == 0) r.firstNode = number;
        r.lastNode = number + 1;
    }

    void addLink(const Domain& domain, std::size_t number, const std::vector<LinkValue>& patches,
                 std::map<int, LinkedRegister>& row)
    {
        const Link& link = domain.links[number];
        const Int3 x = domain.coordinates(link.node), c = directionOf(link.direction),
                   along = alongSweep(c, domain.dimensions);
        if (!isOfLattice(c)) return;
        const bool acrossRows = leaves(domain, x, c, 1) || leaves(domain, x, c, 2);
        const LinkValue& patch = patches[link.patch];
        const bool moves = patch.kind != BoundaryKind::wall && addsFixedValues(patch);
        for (int a = 1; moves && a < 3; ++a)
            if (leaves(domain, x, c, a)) {
                faces[2 * (a - 1) + (along[a] > 0)] = true;
                break;
            }
        const bool tells = moves && !acrossRows;
        // The far end along x reflects by itself where rows end there
        const bool cut = domain.neighbour(x, c) >= 0
            || (!acrossRows && x[0] + c[0] >= domain.size[0] && domain.size[0] < registers_ * lanes_);
        if (!cut && !tells) return;
        LinkedRegister& r = registerOf(row, x[0]);
        const std::uint8_t direction = directionCode(along[0], along[1], along[2]);
        if (cut) r.cut[direction] |= std::uint16_t(1u << x[0] / registers_);
        if (!tells) return;
        if (r.told < 0) r.told = told++;
        tellers.push_back({r.told, x[0] / registers_, direction, number, 0});
    }

    int registers_ = 0, lanes_ = 0;
};

} // namespace lbm
