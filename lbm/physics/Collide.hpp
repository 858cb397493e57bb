// Collide: the arithmetic of blocks of nodes, given where they are read and written. Storage patterns
// move data, this loop computes, and one function pointer per run of nodes (a tile) joins them, so that
// patterns and collisions are compiled once each instead of once per pair.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

enum class Traffic {
    cached,      // source and target are in cache (a tile's buffer)
    streamed,    // target goes past the caches; aligned to 64 bytes
    inPlace      // target is the source, but each population goes to the column of the opposite link
};

// source, target: [blocks][Q][block] values; block is a multiple of the pack width. fetch: as many values that
// will be wanted soon. Asking for them here, a line at a time between the arithmetic, is what keeps memory
// busy: asked for in a burst by the copying around it they fill the core's few miss registers and stall it.
template<class T>
using CollideFunction = void (*)(const T* source, T* target, int blocks, int block, const Parameters<T>&,
                                 const T* fetch);

template<class T>
struct CollideKernel {
    CollideFunction<T> cached, streamed, inPlace;
};

template<class L, class Collision, class Eq, class R, bool forced, Traffic traffic, class T>
void collideRun(const T* source, T* target, int blocks, int block, const Parameters<T>& p, const T* fetch)
{
    using Traits = PackTraits<R>;
    // In place the first cache level takes the line, as owner; a tile that is gathered passes it by.
    constexpr int write = traffic == Traffic::inPlace, level = write ? 3 : 2;
    const int size = L::Q*block;
    for (int first = 0; first < blocks*size; first += size)
        for (int i = first; i < first + block; i += Traits::width) {
            R g[L::Q];
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
                g[q] = Traits::load(source + i + q*block);
                __builtin_prefetch(fetch + i + q*block, write, level);
            });
            Collision::template apply<L, Eq, forced>(g, p);
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
                constexpr int column = traffic == Traffic::inPlace ? opposite(q) : int(q);
                if constexpr (traffic == Traffic::streamed) Traits::stream(target + i + column*block, g[q]);
                else Traits::store(target + i + column*block, g[q]);
            });
        }
}

template<class L, class Collision, class Eq, class R, Traffic traffic, class T>
void collide(const T* source, T* target, int blocks, int block, const Parameters<T>& p, const T* fetch)
{
    if (p.forced) collideRun<L, Collision, Eq, R, true, traffic>(source, target, blocks, block, p, fetch);
    else collideRun<L, Collision, Eq, R, false, traffic>(source, target, blocks, block, p, fetch);
}

template<class L, class Collision, class Eq, class R, class T>
constexpr CollideKernel<T> collideKernel()
{
    return {&collide<L, Collision, Eq, R, Traffic::cached, T>,
            &collide<L, Collision, Eq, R, Traffic::streamed, T>,
            &collide<L, Collision, Eq, R, Traffic::inPlace, T>};
}

} // namespace lbm
