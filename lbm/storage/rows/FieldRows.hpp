// FieldRows: what the nodes of a tile have been given from outside, as collisions of rows load it: in tiles as populations are,
// a component of a cache line of nodes after the other's whole tile, so that a register is loaded at once.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/physics/NodeValues.hpp"

namespace lbm {

template<class T>
struct FieldRows {
    const T *tau = nullptr, *force = nullptr; // of the tile's first node; null: uniform
    int tileNodes = 0;                        // from one component of force to the next
    const T* strain = nullptr; // likewise, of as many nodes as strainNodes from one component to the next
    int strainNodes = 0;
    const std::uint8_t* row = nullptr; // of lines in a buffer: the row that each is; null: all of the tile in order
};

// For one tile. Uniform forces are spread over a line and loaded like others: no kernel asks which they are.
template<class L, class Collision, class R, class T>
class NodeReader {
public:
    static constexpr bool reads = takesNodeValues<Collision>;
    static constexpr int line = lineNodes<T>;

    NodeReader(const FieldRows<T>& fields, const T (&force)[3], bool forced)
    {
        if constexpr (reads) {
            tau_ = fields.tau;
            strain_ = fields.strain;
            strainNodes_ = fields.strainNodes;
            forced_ = forced || fields.force;
            force_ = fields.force ? fields.force : uniform_;
            apart_ = fields.force ? fields.tileNodes : line;
            step_ = fields.force ? line : 0;
            for (int a = 0; a < L::D; ++a)
                for (int i = 0; i < line; ++i) uniform_[a * line + i] = force[a];
        }
    }

    // Of the nodes from `first` on in a row of the tile.
    LBM_INLINE NodeValues<R> at(int row, int first) const
    {
        NodeValues<R> v = told(row, first);
        if constexpr (takesStrain<Collision>)
            unroll<strainComponents<L::D>>([&](auto k) __attribute__((always_inline)) {
                v.strain[k] = PackTraits<R>::load(strain_ + k * strainNodes_ + row * line + first);
            });
        return v;
    }

    // The same without a strain rate.
    LBM_INLINE NodeValues<R> told(int row, int first) const
    {
        NodeValues<R> v{R(0), {R(0), R(0), R(0)}, forced_, {}};
        if constexpr (takesNodeTau<Collision>) v.tau = PackTraits<R>::load(tau_ + row * line + first);
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            v.force[a] = PackTraits<R>::load(force_ + a * apart_ + row * step_ + first);
        });
        return v;
    }

private:
    const T *tau_ = nullptr, *force_ = nullptr, *strain_ = nullptr;
    std::ptrdiff_t apart_ = 0, step_ = 0, strainNodes_ = 0;
    bool forced_ = false;
    alignas(64) T uniform_[reads ? L::D * line : 1];
};

// A collision of the nodes from `first` on in a row.
template<class L, class Collision, class Eq, class R, class T>
LBM_INLINE void collideAt(R (&g)[L::Q], const Parameters<T>& p, const NodeReader<L, Collision, R, T>& reader, int row,
                          int first)
{
    if constexpr (takesNodeValues<Collision>) Collision::template apply<L, Eq>(g, p, reader.at(row, first));
    else Collision::template apply<L, Eq>(g, p);
}

} // namespace lbm
