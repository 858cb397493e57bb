// Collide: the arithmetic of blocks of nodes, given where they are read and written. Storage patterns
// move data, this loop computes, and one function pointer per run of nodes (a tile) joins them, so that
// patterns and collisions are compiled once each instead of once per pair.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

enum class Traffic {
    cached,      // target is in cache or will be read again
    streamed     // target goes past the caches; aligned to 64 bytes
};

// source, target: [blocks][Q][block] values; block is a multiple of the pack width. fetch: as many values that
// will be wanted soon. Asking for them here, a line at a time between the arithmetic, is what keeps memory
// busy: asked for in a burst by the copying around it they fill the core's few miss registers and stall it.
// columns: where the results of population q go, [Q]; in place they go to the opposite link's column.
template<class T>
using CollideFunction = void (*)(const T* source, T* target, const int* columns, int blocks, int block,
                                 const Parameters<T>&, const T* fetch);

template<class T>
struct CollideKernel {
    CollideFunction<T> cached, streamed;
};

template<class L, class Collision, class Eq, class R, Traffic traffic, class T>
void collide(const T* source, T* target, const int* columns, int blocks, int block, const Parameters<T>& p,
             const T* fetch)
{
    using Traits = PackTraits<R>;
    const int size = L::Q*block;
    for (int first = 0; first < blocks*size; first += size)
        for (int i = first; i < first + block; i += Traits::width) {
            R g[L::Q];
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
                g[q] = Traits::load(source + i + q*block);
                __builtin_prefetch(fetch + i + q*block, 0, 2);
            });
            Collision::template apply<L, Eq>(g, p);
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
                if constexpr (traffic == Traffic::streamed) Traits::stream(target + i + q*block, g[q]);
                else Traits::store(target + i + columns[q]*block, g[q]);
            });
        }
}

template<class L, class Collision, class Eq, class R, class T>
constexpr CollideKernel<T> collideKernel()
{
    return {&collide<L, Collision, Eq, R, Traffic::cached, T>, &collide<L, Collision, Eq, R, Traffic::streamed, T>};
}

} // namespace lbm
