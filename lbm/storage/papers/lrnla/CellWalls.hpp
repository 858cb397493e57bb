// CellWalls: half-way bounce-back at resting walls where somebody has one cell of one octant at a time, as a thread of a device does. The
// same as WallTier, on the same values. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Unroll.hpp"
#include "lbm/storage/papers/lrnla/WallCells.hpp"

namespace lbm::lrnla {

// Links for which test(q), a bit each.
template<class L, class Test>
constexpr std::uint32_t linksThat(Test&& test)
{
    std::uint32_t links = 0;
    for (int q = 1; q < L::Q; ++q) links |= std::uint32_t(bool(test(q))) << q;
    return links;
}
template<class L>
constexpr std::uint32_t linksByThird = linksThat<L>([](int q) { return goesByThird<L>(q); });

// Opposite links take each other's place; bit 0 is no link.
LBM_HD constexpr std::uint32_t oppositeLinks(std::uint32_t links)
{
    return (links & 0xaaaaaaaau) << 1 | (links >> 1 & 0xaaaaaaaau);
}
LBM_HD inline int countBits(std::uint32_t bits)
{
#ifdef __CUDA_ARCH__
    return __popc(bits);
#else
    return std::popcount(bits);
#endif
}

// What is kept beside the cells, as WallCells numbers it: values of `octants` lanes each, of which these are one's.
template<class S>
struct KeptValues {
    S* values = nullptr;
    int octants = 1;

    // link: as it arrives in a group that begins at even places.
    LBM_HD S* at(const KeptLinks& kept, int link) const
    {
        return values + std::size_t(kept.first + std::uint32_t(countBits(kept.links & ((1u << link) - 1)))) * octants;
    }
};

// Of a cell, as WallCells::blockedLinks and WallCells::kept.
template<class L, class S>
struct CellWalls {
    std::uint32_t blocked = 0;
    KeptLinks kept;

    // Of links of a group that begins at odd places, or at even ones.
    LBM_HD std::uint32_t arriving(bool odd) const { return odd ? oppositeLinks(blocked) : blocked & ~1u; }
    LBM_HD std::uint32_t leaving(bool odd) const { return arriving(!odd); }

    // What the cell has of link q after an exchange: its own, or the other cell's. sign: 1 compacts, -1 decompacts.
    template<int q, int sign>
    LBM_HD LBM_INLINE S exchanged(const S& own, const S& other, bool odd, const KeptValues<S>& values) const
    {
        if constexpr (goesByThird<L>(q)) {
            if (sign > 0 || !(arriving(odd) >> q & 1)) return other;
            if (blocked & 1) return S(0);
            return load(values.at(kept, odd ? opposite(q) : q));
        } else return (sign > 0 ? leaving(odd) : arriving(odd)) >> q & 1 ? own : other;
    }

    // After the collision, before cells are compacted.
    LBM_HD LBM_INLINE void keep(const S (&f)[L::Q], bool odd, const KeptValues<S>& values) const
    {
        const std::uint32_t links = leaving(odd) & linksByThird<L>;
        if (links == 0 || (blocked & 1)) return;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            if constexpr (goesByThird<L>(q))
                if (links >> q & 1) *values.at(kept, odd ? q : opposite(q)) = f[q];
        });
    }

private:
    // Others may have written it: not from a multiprocessor's own cache.
    static LBM_HD S load(const S* value)
    {
#ifdef __CUDA_ARCH__
        return __ldcg(value);
#else
        return *value;
#endif
    }
};

} // namespace lbm::lrnla
