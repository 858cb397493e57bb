// RowBorder: nodes of rows in blocks (PopulationBlocks.hpp) at openings, planes of symmetry and interpolated walls, of Aa's lists. Before a
// row's step what waits for half-way reflection, at the node itself, is replaced by what belongs there (lbm/boundary/Boundaries.hpp,
// InterpolatedWall.hpp), as in steps one by one. Two copies of states take turns from step to step: of nodes a line or row apart
// neither is ever more than a step ahead. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Boundaries.hpp"
#include "lbm/boundary/InterpolatedWall.hpp"
#include "lbm/storage/LinkKinds.hpp"
#include "lbm/storage/rows/PopulationRows.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace lbm {

template<class L, class T>
class RowBorder {
public:
    using Rows = PopulationRows<L, T>;

    RowBorder() = default;

    // completes(patch): it adds what depends on the flow.
    template<class Geometry, class Completes>
    RowBorder(const Domain& domain, Geometry& geometry, const Rows& rows, Completes&& completes) :
        states_(geometry.boundaryNodes()), sent_{geometry.sent(0), geometry.sent(1)}, curved_(geometry.curvedLinks())
    {
        std::vector<std::pair<std::size_t, Node>> nodes;   // by row
        std::vector<std::pair<std::size_t, Curved>> walls; // likewise
        listCompleted(domain, geometry, completes);
        const std::vector<std::uint8_t> asked = askedStates(geometry, seenTo_);
        for (std::int32_t t = 0; t < geometry.grid().tiles(); ++t) {
            if (geometry.uniform(t)) continue;
            const auto& d = geometry.detail(t);
            for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
                const Int3 x = geometry.coordinates({t, states_[i].local});
                if (asked[i]) nodes.push_back({rows.numberOf(x), {std::int32_t(i), rows.nodeAt(x)}});
            }
            for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i) {
                const Int3 x = geometry.coordinates({t, curved_[i].local});
                walls.push_back({rows.numberOf(x), {std::int32_t(i), rows.nodeAt(x)}});
            }
        }
        sort(nodes, nodes_, firstNode_, rows.shape());
        sort(walls, walls_, firstWall_, rows.shape());
    }

    std::size_t bytes() const
    {
        return nodes_.size() * sizeof(Node) + walls_.size() * sizeof(Curved)
            + (firstNode_.size() + firstWall_.size()) * sizeof(std::uint32_t) + seenTo_.size() / 8;
    }

    // table: of which `now` follows from the step.
    void replace(Rows& rows, int y, int z, bool odd, const BoundaryTable<L, T>& given) const
    {
        const std::size_t number = rows.shape().number(y, z);
        if (any(firstNode_, number)) {
            const typename Rows::Around around = rows.around(y, z);
            BoundaryTable<L, T> table = given;
            table.now = odd;
            for (std::uint32_t i = firstNode_[number]; i < firstNode_[number + 1]; ++i)
                complete(nodes_[i], table, around);
        }
        if (!any(firstWall_, number)) return;
        const typename Rows::Around around = rows.around(y, z);
        for (std::uint32_t i = firstWall_[number]; i < firstWall_[number + 1]; ++i) {
            const CurvedLink<T>& link = curved_[walls_[i].link];
            T& value = around.own[link.direction][walls_[i].at.place()];
            value = interpolated(T(link.reflected), T(link.arriving), link.kept(), value,
                                 reached(around, walls_[i].at, link.direction, odd), link.sentAway, link.move);
        }
    }

    // After the step.
    void keep(Rows& rows, int y, int z, bool odd)
    {
        const std::size_t number = rows.shape().number(y, z);
        const bool anyNode = any(firstNode_, number), anyWall = any(firstWall_, number);
        if (!anyNode && !anyWall) return;
        const typename Rows::Around around = rows.around(y, z);
        for (std::uint32_t i = anyNode ? firstNode_[number] : 0; anyNode && i < firstNode_[number + 1]; ++i) {
            T(&after)[L::Q] = sent_[!odd][nodes_[i].state].of;
            unroll<L::Q>([&](auto q) { after[q] = reached(around, nodes_[i].at, q, odd); });
        }
        for (std::uint32_t i = anyWall ? firstWall_[number] : 0; anyWall && i < firstWall_[number + 1]; ++i) {
            CurvedLink<T>& link = curved_[walls_[i].link];
            link.sentAway = reached(around, walls_[i].at, link.direction, odd);
        }
    }

private:
    struct Node {
        std::int32_t state;
        typename Rows::NodeAt at;
    };
    struct Curved {
        std::int32_t link;
        typename Rows::NodeAt at;
    };

    static bool any(const std::vector<std::uint32_t>& first, std::size_t row)
    {
        return !first.empty() && first[row] != first[row + 1];
    }

    // One place has what arrives along the opposite link before a step, and what the node sends along q afterwards: the node's own, or the one
    // that an odd step reaches.
    static T reached(const typename Rows::Around& around, const typename Rows::NodeAt& at, int q, bool odd)
    {
        return odd && at.reaches >> q & 1 ? around.beside[q][at.places[1 + L::c[q][0]]]
                                          : around.own[opposite(q)][at.place()];
    }

    void complete(const Node& one, const BoundaryTable<L, T>& table, const typename Rows::Around& around) const
    {
        const BoundaryState& state = table.nodes[one.state];
        const auto put = [&](std::uint32_t k, T value) {
            around.own[table.links.made[k].direction][one.at.place()] = value;
        };
        bool others = false;
        for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
            if (seenTo_[k]) continue;
            if (Slip::isMirror(table.links.made[k])) put(k, Slip::seenInMirror<L>(table, table.links[k]));
            else others = true;
        }
        if (!others) return;
        const BoundaryNode<L, T> node(table, one.state); // sums its populations, which mirrors do not ask for
        for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k)
            if (!seenTo_[k] && !Slip::isMirror(table.links.made[k])) put(k, incoming(node, k));
    }

    template<class Geometry, class Completes>
    void listCompleted(const Domain& domain, const Geometry& geometry, Completes&& completes)
    {
        seenTo_.assign(geometry.boundaryLinkCount(), true);
        for (std::int32_t t = 0; t < geometry.grid().tiles(); ++t) {
            if (geometry.uniform(t)) continue;
            const auto& d = geometry.detail(t);
            for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
                const Int3 x = geometry.coordinates({t, states_[i].local});
                const NodeIndex node = domain.index(x[0], x[1], x[2]);
                for (std::uint32_t k = states_[i].firstLink; k < states_[i].lastLink; ++k) {
                    const int* const c = L::c[opposite(geometry.boundaryLinks().made[k].direction)];
                    const Link* const link = findLink(domain, node, {c[0], c[1], c[2]});
                    seenTo_[k] = !link || !completes(link->patch);
                }
            }
        }
    }

    template<class Entry>
    static void sort(std::vector<std::pair<std::size_t, Entry>>& found, std::vector<Entry>& all,
                     std::vector<std::uint32_t>& first, const RowShape& shape)
    {
        if (found.empty()) return;
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        first.assign(shape.number(shape.lines(), 0) + 1, 0);
        for (const auto& [row, entry] : found) {
            all.push_back(entry);
            ++first[row + 1];
        }
        std::partial_sum(first.begin(), first.end(), first.begin());
    }

    const BoundaryState* states_ = nullptr;
    SentPopulations<L, T>* sent_[2] = {nullptr, nullptr};
    CurvedLink<T>* curved_ = nullptr;
    std::vector<Node> nodes_;                          // by row
    std::vector<Curved> walls_;                        // likewise
    std::vector<std::uint32_t> firstNode_, firstWall_; // of a row; empty: there is none
    std::vector<bool> seenTo_;                         // by boundary link: it needs no state of a node
};

} // namespace lbm
