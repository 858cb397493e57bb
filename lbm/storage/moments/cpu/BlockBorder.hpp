// BlockBorder: nodes of a box in blocks (BlockSweep.hpp) that are completed from states which are kept whole: at openings, planes of
// symmetry (lbm/boundary/Boundaries.hpp) and interpolated walls. Sums have half-way walls there; what arrives instead is added, less what they
// send back. Two copies of the states take turns from step to step, as in steps one by one: of nodes a line apart neither is ever more than
// a step ahead. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/LinkFinder.hpp"
#include "lbm/boundary/Boundaries.hpp"
#include "lbm/boundary/InterpolatedWall.hpp"
#include "lbm/storage/CurvedLink.hpp"
#include "lbm/storage/moments/cpu/BlockRows.hpp"
#include "lbm/storage/moments/cpu/LinkedRegisters.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace lbm {

// As a storage has them: nodes, links through interpolated walls, and where they are.
template<class L, class T>
struct BorderNodes {
    const BoundaryState* states = nullptr;
    SentPopulations<L, T>* sent[2] = {nullptr, nullptr};
    BoundaryLinks<T> links{nullptr, nullptr};
    const CurvedLink<T>* curved = nullptr;
    std::vector<Int3> places, curvedPlaces;

    template<class Geometry>
    static BorderNodes of(Geometry& geometry)
    {
        BorderNodes all{geometry.boundaryNodes(),
                        {geometry.sent(0), geometry.sent(1)},
                        geometry.boundaryLinks(),
                        geometry.curvedLinks(),
                        {},
                        {}};
        all.places.resize(geometry.boundaryNodeCount());
        all.curvedPlaces.resize(geometry.curvedLinkCount());
        for (std::int32_t t = 0; t < geometry.grid().tiles(); ++t) {
            if (geometry.uniform(t)) continue;
            const auto& d = geometry.detail(t);
            for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i)
                all.places[i] = geometry.coordinates({t, all.states[i].local});
            for (std::uint32_t i = d.firstCurved; i < d.lastCurved; ++i)
                all.curvedPlaces[i] = geometry.coordinates({t, all.curved[i].local});
        }
        return all;
    }
};

template<class L, class T>
class BlockBorder {
public:
    using Rows = BlockRows<L, T>;
    using V = typename Rows::V;

    BlockBorder() = default;

    // Of patches that add what depends on the flow.
    BlockBorder(const Domain& domain, BorderNodes<L, T> nodes, const std::vector<LinkValue>& patches) :
        nodes_(std::move(nodes))
    {
        const bool any = std::any_of(patches.begin(), patches.end(), [](const LinkValue& patch) {
            return !addsFixedValues(patch) && patch.kind != BoundaryKind::interpolatedWall;
        });
        for (std::size_t i = 0; any && i < nodes_.places.size(); ++i) {
            const BoundaryState& state = nodes_.states[i];
            kept_.push_back({nodes_.places[i], std::int32_t(i)});
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                const int q = opposite(nodes_.links.made[k].direction);
                const Int3& x = nodes_.places[i];
                const Link* const link =
                    findLink(domain, domain.index(x[0], x[1], x[2]), {L::c[q][0], L::c[q][1], L::c[q][2]});
                completed_.resize(std::max<std::size_t>(completed_.size(), k + 1));
                completed_[k] = link && !addsFixedValues(patches[link->patch]);
            }
        }
        addWalls(domain);
    }

    const std::vector<LinkedNode>& kept() const { return kept_; }
    std::size_t bytes() const
    {
        return kept_.size() * sizeof(LinkedNode) + completed_.size() / 8 + walls_.size() * sizeof(Wall)
            + thin_.size() * sizeof(Thin) + firstWall_.size() * sizeof(firstWall_[0]) + states_.size() * sizeof(State);
    }

    // Before steps; it must live as long as they take.
    void begin(const BoundaryTable<L, T>& table) { table_ = &table; }

    // copy: of the states that the last step left. moments: of the node's register.
    void arrive(const LinkedNode* first, const LinkedNode* last, int copy, V* moments) const
    {
        BoundaryTable<L, T> table = *table_;
        table.now = copy;
        for (const LinkedNode* at = first; at != last; ++at) {
            const auto replace = [&](int sent, T value, T by) {
                T m[Rows::count] = {};
                const Int3 c = alongSweep(Int3{L::c[sent][0], L::c[sent][1], L::c[sent][2]}, L::D);
                Rows::addAlong(m, by - value, c[0], c[1], c[2]);
                for (int j = 0; j < Rows::count; ++j) moments[j][at->lane] += m[j];
            };
            if (isOfWall(*at)) {
                stayBehindWall(stateOf(*at), copy, replace);
                comeFromWall(stateOf(*at), copy, replace);
            } else comeOver(table, at->number, replace);
        }
    }

    void keep(const LinkedNode* first, const LinkedNode* last, int copy, const typename Rows::Populations& f)
    {
        for (const LinkedNode* at = first; at != last; ++at) {
            T(&after)[L::Q] = isOfWall(*at) ? states_[stateOf(*at)].after[copy] : nodes_.sent[copy][at->number].of;
            after[0] = f.still[0][at->lane];
            Rows::eachLink(f, [&](const V& v, auto x, auto y, auto z) {
                const Int3 c = alongSweep(Int3{x, y, z}, L::D);
                after[linkAlong(c)] = v[at->lane];
            });
        }
    }

private:
    // Of a node at an interpolated wall, or behind one, or beside one without thickness.
    struct State {
        T after[2][L::Q];
    };

    // link: a CurvedLink; behind: the state of the node behind; -1: what the node itself sent comes back from there.
    struct Wall {
        std::int32_t link, behind;
    };

    // Of a node beside a wall without thickness: its state, that of the node beyond, and the direction there.
    struct Thin {
        std::int32_t state, beyond;
        int sent;
    };

    // Numbers of LinkedNodes: those of states_ are negative.
    static bool isOfWall(const LinkedNode& node) { return node.number < 0; }
    static std::int32_t stateOf(const LinkedNode& node) { return -1 - node.number; }

    void addWalls(const Domain& domain)
    {
        std::unordered_map<NodeIndex, std::int32_t> states;
        const auto stateAt = [&](const Int3& x) {
            const auto [at, fresh] = states.try_emplace(domain.index(x[0], x[1], x[2]), std::int32_t(states.size()));
            if (fresh) kept_.push_back({x, -1 - at->second});
            return at->second;
        };
        std::vector<std::pair<std::int32_t, Wall>> walls; // by state
        for (std::size_t i = 0; i < nodes_.curvedPlaces.size(); ++i) {
            const Int3& x = nodes_.curvedPlaces[i];
            const int* const c = L::c[nodes_.curved[i].direction];
            const std::int32_t own = stateAt(x);
            const NodeIndex behind = domain.neighbour(x, {c[0], c[1], c[2]});
            const bool comes = nodes_.curved[i].arriving != 0 && behind >= 0 && domain.fluid[behind]
                && !findLink(domain, domain.index(x[0], x[1], x[2]), {c[0], c[1], c[2]});
            walls.push_back({own, {std::int32_t(i), comes ? stateAt(domain.coordinates(behind)) : -1}});
        }
        for (const Link& link : domain.links) {
            if (!isThin(domain, link)) continue;
            const Int3 x = domain.coordinates(link.node), c = directionOf(link.direction);
            const std::int32_t own = stateAt(x), beyond = stateAt(domain.coordinates(domain.neighbour(x, c)));
            thin_.push_back({own, beyond, linkAlong(c)});
        }
        std::stable_sort(thin_.begin(), thin_.end(), [](const Thin& a, const Thin& b) { return a.state < b.state; });
        std::stable_sort(walls.begin(), walls.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        states_.resize(states.size());
        firstWall_.assign(states.size() + 1, 0);
        for (const auto& [state, wall] : walls) {
            ++firstWall_[state + 1];
            walls_.push_back(wall);
        }
        for (std::size_t i = 0; i < states.size(); ++i) firstWall_[i + 1] += firstWall_[i];
    }

    // Sums have brought what the node beyond a wall without thickness sent.
    template<class Replace>
    void stayBehindWall(std::int32_t number, int copy, Replace&& replace) const
    {
        const auto before = [](const Thin& a, std::int32_t state) { return a.state < state; };
        for (auto at = std::lower_bound(thin_.begin(), thin_.end(), number, before);
             at != thin_.end() && at->state == number; ++at)
            replace(at->sent, states_[at->beyond].after[copy][opposite(at->sent)], T(0));
    }

    // replace(direction in which the node sent what comes back, that, what arrives instead)
    template<class Replace>
    void comeFromWall(std::int32_t number, int copy, Replace&& replace) const
    {
        const State& own = states_[number];
        for (std::uint32_t i = firstWall_[number]; i < firstWall_[number + 1]; ++i) {
            const Wall& wall = walls_[i];
            const CurvedLink<T>& link = nodes_.curved[wall.link];
            const int sent = opposite(link.direction);
            const T out = own.after[copy][sent], away = own.after[copy][link.direction];
            const T arriving = wall.behind < 0 ? away : states_[wall.behind].after[copy][sent];
            replace(sent, out,
                    interpolated(T(link.reflected), T(link.arriving), link.kept(), out, arriving, away, link.move));
        }
    }

    template<class Replace>
    void comeOver(const BoundaryTable<L, T>& table, std::int32_t number, Replace&& replace) const
    {
        const BoundaryState& state = table.nodes[number];
        const auto completes = [&](std::uint32_t k, bool byMirror) {
            return completed_[k] && Slip::isMirror(table.links.made[k]) == byMirror;
        };
        bool others = false;
        for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
            others = others || completes(k, false);
            if (!completes(k, true)) continue;
            const int sent = opposite(table.links.made[k].direction);
            replace(sent, table.after(number)[sent], Slip::seenInMirror(table, table.links[k]));
        }
        if (!others) return;
        const BoundaryNode<L, T> node(table, number); // sums its populations, which mirrors do not ask for
        for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
            if (!completes(k, false)) continue;
            const int sent = opposite(table.links.made[k].direction);
            replace(sent, node.after(sent), incoming(node, k));
        }
    }

    static constexpr int linkAlong(const Int3& c)
    {
        int q = 0;
        while (L::c[q][0] != c[0] || L::c[q][1] != c[1] || L::c[q][2] != c[2]) ++q;
        return q;
    }

    BorderNodes<L, T> nodes_;
    const BoundaryTable<L, T>* table_ = nullptr;
    std::vector<LinkedNode> kept_;
    std::vector<State> states_;
    std::vector<std::uint32_t> firstWall_; // by state
    std::vector<Wall> walls_;
    std::vector<Thin> thin_;      // by state
    std::vector<bool> completed_; // by boundary link: those of other walls are not
};

} // namespace lbm
