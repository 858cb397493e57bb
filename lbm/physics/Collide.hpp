// Collide: the arithmetic of n nodes, given where each population is read and written. Storage patterns
// move data, this loop computes, and one function pointer per run of nodes (a tile) joins them, so that
// patterns and collisions are compiled once each instead of once per pair.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

enum class Traffic {
    cached,      // source and destination are in cache (a tile's buffer)
    streamed,    // destination goes past the caches; aligned to 64 bytes
    inPlace      // source and destination are the same memory: fetch the next tile meanwhile
};

// source[q], destination[q]: first of n consecutive values; n is a multiple of the pack width or the
// memory behind may be read and written up to the next multiple. `ahead`: distance in elements to what
// inPlace fetches early.
template<class T>
using CollideFunction = void (*)(const T* const* source, T* const* destination, int n, const Parameters<T>&,
                                 std::ptrdiff_t ahead);

template<class T>
struct CollideKernel {
    CollideFunction<T> cached, streamed, inPlace;
};

template<class L, class Collision, class Eq, class R, bool forced, Traffic traffic, class T>
void collideRun(const T* const* source, T* const* destination, int n, const Parameters<T>& p,
                [[maybe_unused]] std::ptrdiff_t ahead)
{
    using Traits = PackTraits<R>;
    for (int i = 0; i < n; i += Traits::width) {
        R g[L::Q];
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            g[q] = Traits::load(source[q] + i);
            if constexpr (traffic == Traffic::inPlace) __builtin_prefetch(source[q] + i + ahead, 1);
        });
        Collision::template apply<L, Eq, forced>(g, p);
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            if constexpr (traffic == Traffic::streamed) Traits::stream(destination[q] + i, g[q]);
            else Traits::store(destination[q] + i, g[q]);
        });
    }
}

template<class L, class Collision, class Eq, class R, Traffic traffic, class T>
void collide(const T* const* source, T* const* destination, int n, const Parameters<T>& p, std::ptrdiff_t ahead)
{
    if (p.forced) collideRun<L, Collision, Eq, R, true, traffic>(source, destination, n, p, ahead);
    else collideRun<L, Collision, Eq, R, false, traffic>(source, destination, n, p, ahead);
}

template<class L, class Collision, class Eq, class R, class T>
constexpr CollideKernel<T> collideKernel()
{
    return {&collide<L, Collision, Eq, R, Traffic::cached, T>,
            &collide<L, Collision, Eq, R, Traffic::streamed, T>,
            &collide<L, Collision, Eq, R, Traffic::inPlace, T>};
}

} // namespace lbm
