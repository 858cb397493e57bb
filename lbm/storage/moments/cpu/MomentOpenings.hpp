// MomentOpenings: openings that impose whole nodes (boundary/VelocityGradient) where storage `moments` is: density and
// momentum of boundary nodes after each collision, which differences of velocities need, and what takes the place of
// the moments of a node at an opening.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/VelocityGradient.hpp"
#include "lbm/storage/moments/cpu/CollideMoments.hpp"

#include <vector>

namespace lbm {

// Moments of a node are given by the first one's address; the next ones follow at a distance of momentStep.
template<class L, class T>
class MomentOpenings {
public:
    static constexpr int count = MomentSet<L, T>::count;

    // nodes: 0 if there are no such openings.
    void resize(std::size_t nodes)
    {
        for (auto& flows : flows_) flows.resize(nodes);
    }

    // Of boundary node i, after a collision.
    void keep(int copy, std::size_t i, const T* at)
    {
        if (flows_[copy].empty()) return;
        for (int k = 0; k <= L::D; ++k) flows_[copy][i][k] = at[k * momentStep<T>];
    }

    // at: collided moments of what has arrived at the node, density and momentum being the same but for the force. own: what the
    // node was told, or what holds for all, or what the step has found.
    void impose(const BoundaryTable<L, T>& table, const OpeningNode& opening, const MomentKernel<T>& kernel, T* at,
                const NodeValues<T>& own) const
    {
        T m[count], j[3] = {0, 0, 0};
        for (int a = 0; a < L::D; ++a) j[a] = at[(1 + a) * momentStep<T>] - own.force[a];
        const VelocityGradient<L, T, FlowOfMoments<L, T>> gradient(table, opening, {table, flows_[table.now].data()});
        const OpeningState<T> whole = gradient.state(at[0], j);
        if (!whole.imposed) return;
        gradient.moments(whole, m);
        kernel.relax(m, table.parameters, own);
        for (int k = 0; k < count; ++k) at[k * momentStep<T>] = m[k];
    }

private:
    std::vector<std::array<T, 4>> flows_[2];
};

} // namespace lbm
