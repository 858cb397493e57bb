// BlockBorder: boundary nodes of a box in blocks (BlockSweep.hpp): openings, planes of symmetry and what else is completed from states
// that are kept whole (lbm/boundary/Boundaries.hpp). Sums have half-way walls there; what arrives instead is added, less what they
// send back. Two copies of the states take turns from step to step, as in steps one by one: of nodes a line apart neither is ever more than
// a step ahead. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/LinkFinder.hpp"
#include "lbm/boundary/Boundaries.hpp"
#include "lbm/storage/moments/cpu/BlockRows.hpp"
#include "lbm/storage/moments/cpu/LinkedRegisters.hpp"

#include <algorithm>
#include <vector>

namespace lbm {

// As a storage has them: nodes and where they are.
template<class T>
struct BorderNodes {
    BoundaryState<D3Q19, T>* states = nullptr;
    const BoundaryLink<T>* links = nullptr;
    std::vector<Int3> places;
};

template<class T>
class BlockBorder {
public:
    using L = D3Q19;
    using Rows = BlockRows<T>;
    using V = typename Rows::V;

    BlockBorder() = default;

    // Of patches that add what depends on the flow.
    BlockBorder(const Domain& domain, BorderNodes<T> nodes, const std::vector<LinkValue>& patches) :
        nodes_(std::move(nodes))
    {
        const bool any = !std::all_of(patches.begin(), patches.end(), addsFixedValues);
        for (std::size_t i = 0; any && i < nodes_.places.size(); ++i) {
            const BoundaryState<L, T>& state = nodes_.states[i];
            kept_.push_back({nodes_.places[i], std::int32_t(i)});
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                const int q = opposite(nodes_.links[k].direction);
                const Int3& x = nodes_.places[i];
                const Link* const link =
                    findLink(domain, domain.index(x[0], x[1], x[2]), {L::c[q][0], L::c[q][1], L::c[q][2]});
                completed_.resize(std::max<std::size_t>(completed_.size(), k + 1));
                completed_[k] = link && !addsFixedValues(patches[link->patch]);
            }
        }
    }

    const std::vector<LinkedNode>& kept() const { return kept_; }
    std::size_t bytes() const { return kept_.size() * sizeof(LinkedNode) + completed_.size() / 8; }

    // Before steps; it must live as long as they take.
    void begin(const BoundaryTable<L, T>& table) { table_ = &table; }

    // copy: of the states that the last step left. moments: of the node's register.
    void arrive(const LinkedNode* first, const LinkedNode* last, int copy, V* moments) const
    {
        BoundaryTable<L, T> table = *table_;
        table.now = copy;
        for (const LinkedNode* at = first; at != last; ++at) {
            const BoundaryNode<L, T> node(table, at->number);
            const BoundaryState<L, T>& state = table.nodes[at->number];
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                if (!completed_[k]) continue;
                const int sent = opposite(table.links[k].direction);
                T m[Rows::count] = {};
                Rows::addAlong(m, incoming(node, k) - node.after(sent), L::c[sent][0], L::c[sent][1], L::c[sent][2]);
                for (int j = 0; j < Rows::count; ++j) moments[j][at->lane] += m[j];
            }
        }
    }

    void keep(const LinkedNode* first, const LinkedNode* last, int copy, typename Rows::Populations& f) const
    {
        for (const LinkedNode* at = first; at != last; ++at) {
            T(&after)[L::Q] = nodes_.states[at->number].after[copy];
            after[0] = f.still[0][at->lane];
            Rows::eachLink(f, [&](V& v, auto x, auto y, auto z) { after[linkAlong(x, y, z)] = v[at->lane]; });
        }
    }

private:
    static constexpr int linkAlong(int x, int y, int z)
    {
        int q = 0;
        while (L::c[q][0] != x || L::c[q][1] != y || L::c[q][2] != z) ++q;
        return q;
    }

    BorderNodes<T> nodes_;
    const BoundaryTable<L, T>* table_ = nullptr;
    std::vector<LinkedNode> kept_;
    std::vector<bool> completed_; // by boundary link: those of other walls are not
};

} // namespace lbm
