// BlockLinks: links of a block's nodes that end at no fluid node inside the box, see BlockSweep.hpp. Sums go over all nodes of a box: what
// is no fluid sends nothing, and what its neighbours sent there comes back to them at the half-way wall. All of that is added to a
// node's moments before its next collision, and waits until then beside them, for registers that have such nodes.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"
#include "lbm/storage/moments/cpu/BlockBorder.hpp"

#include <algorithm>
#include <vector>

namespace lbm {

// Of a row, in order.
template<class L, class T>
struct LinkedRow {
    using Rows = BlockRows<L, T>;
    using V = typename Rows::V;
    const LinkedRegister *begin = nullptr, *end = nullptr;
    V* waiting = nullptr;    // [register][count]
    const V* told = nullptr; // [LinkedRegister::told][count]
    const LinkedNode* nodes = nullptr;
    BlockBorder<L, T>* border = nullptr;

    const LinkedRegister* from(int at) const
    {
        return std::lower_bound(begin, end, at, [](const LinkedRegister& l, int i) { return l.at < i; });
    }
    V* waitingOf(const LinkedRegister* l) const { return waiting + (l - begin) * Rows::count; }

    // Moments with what walls sent back, and what arrives over other links.
    LBM_INLINE void complete(const LinkedRegister* l, const BlockRates<T>& rates, const V* m, V* completed) const
    {
        const V* const w = waitingOf(l);
        for (int k = 0; k < Rows::count; ++k) completed[k] = m[k] + w[k];
        if (l->lastNode > l->firstNode && !rates.begins)
            border->arrive(nodes + l->firstNode, nodes + l->lastNode, 1 - rates.copy, completed);
    }

    // Populations of what is no fluid vanish, and walls send theirs back.
    LBM_INLINE void sendBack(const LinkedRegister* l, const BlockRates<T>& rates, typename Rows::Populations& f) const
    {
        V m[Rows::count] = {};
        Rows::eachLink(
            f, [&](V & v, auto x, auto y, auto z) __attribute__((always_inline)) {
                v = Rows::only(v, l->fluid);
                const V a = Rows::only(v, l->cut[directionCode(x, y, z)]);
                Rows::addAlong(m, a, x, y, z);
            });
        f.still[0] = Rows::only(f.still[0], l->fluid);
        if (l->lastNode > l->firstNode) {
            const typename Rows::Populations kept = f; // of which alone an address is asked for: f stays in registers
            border->keep(nodes + l->firstNode, nodes + l->lastNode, rates.copy, kept);
        }
        V* const w = waitingOf(l);
        for (int k = 0; k < Rows::count; ++k) w[k] = l->told < 0 ? m[k] : m[k] + told[l->told * Rows::count + k];
    }
};

template<class L, class T>
class BlockLinks {
public:
    using Rows = BlockRows<L, T>;
    using V = typename Rows::V;

    BlockLinks() = default;

    BlockLinks(const Domain& domain, int registers, const std::vector<LinkValue>& patches, BorderNodes<L, T> border) :
        border_(domain, std::move(border), patches),
        lists_(domain, registers, Rows::lanes, patches, border_.kept()),
        lines_(alongSweep(domain.size, L::D)[1]),
        waiting_(lists_.all.size() * Rows::count),
        told_(std::size_t(lists_.told) * Rows::count)
    {}

    // Of rows z from .. to - 1, by the thread that works on them: who first writes memory has it near.
    void touch(int from, int to)
    {
        if (lists_.all.empty()) return;
        const std::size_t begin = lists_.first[std::size_t(from) * lines_],
                          end = lists_.first[std::size_t(to) * lines_];
        std::fill(waiting_.data() + begin * Rows::count, waiting_.data() + end * Rows::count, V{});
        std::int32_t first = lists_.told, last = 0;
        for (std::size_t i = begin; i < end; ++i)
            if (const std::int32_t told = lists_.all[i].told; told >= 0) {
                first = std::min(first, told);
                last = std::max(last, told + 1);
            }
        for (std::int32_t i = first * std::int32_t(Rows::count); i < last * std::int32_t(Rows::count); ++i)
            told_.data()[i] = V{};
    }

    // That it stores, of one precision.
    static std::size_t valuesOf(const LinkedRegisters& lists)
    {
        return (lists.all.size() + lists.told) * Rows::count * Rows::lanes;
    }
    std::size_t values() const { return valuesOf(lists_); }
    std::size_t bytes() const { return lists_.bytes() + border_.bytes(); }

    void begin(const BoundaryTable<L, T>& table) { border_.begin(table); }

    LinkedRow<L, T> row(int y, int z)
    {
        if (lists_.all.empty()) return {};
        const std::size_t* const at = &lists_.first[std::size_t(z) * lines_ + y];
        const LinkedRegister* const all = lists_.all.data();
        return {all + at[0],  all + at[1],         waiting_.data() + at[0] * Rows::count,
                told_.data(), lists_.nodes.data(), &border_};
    }

    // What walls sent back, to moments of all nodes.
    void complete(int y, int z, const BlockRates<T>& rates, V* moments)
    {
        const LinkedRow<L, T> linked = row(y, z);
        for (const LinkedRegister* l = linked.begin; l != linked.end; ++l) {
            V* const m = moments + l->at * Rows::count;
            linked.complete(l, rates, m, m);
            std::fill_n(linked.waitingOf(l), Rows::count, V{});
        }
    }

    // Of the link of that number in the Domain: what is added to what it sends back. False: it can be added nothing.
    bool tell(std::size_t link, double value)
    {
        const auto t = std::lower_bound(lists_.tellers.begin(), lists_.tellers.end(), link,
                                        [](const auto& a, std::size_t b) { return a.link < b; });
        if (t == lists_.tellers.end() || t->link != link) return value == 0;
        t->value = value;
        return true;
    }

    // After links were told something.
    void sumTold()
    {
        std::vector<double> sums(std::size_t(lists_.told) * Rows::count * Rows::lanes, 0.0);
        for (const auto& t : lists_.tellers) {
            const Int3 c = directionOf(t.direction);
            double m[Rows::count] = {};
            Rows::addAlong(m, t.value, c[0], c[1], c[2]);
            for (int k = 0; k < Rows::count; ++k)
                sums[(std::size_t(t.told) * Rows::count + k) * Rows::lanes + t.lane] += m[k];
        }
        for (std::size_t i = 0; i < sums.size(); ++i) told_.data()[i / Rows::lanes][i % Rows::lanes] = T(sums[i]);
    }

private:
    BlockBorder<L, T> border_;
    LinkedRegisters lists_;
    int lines_ = 0;
    HostArray<V> waiting_, told_;
};

} // namespace lbm
