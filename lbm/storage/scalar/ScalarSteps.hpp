// ScalarSteps: the two halves of a scalar's step on a CPU. Two copies of populations, link by link: [links][nodes].
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/scalar/ScalarPull.hpp"

#include <vector>

namespace lbm {

// What links bring of what nodes have sent.
template<class R>
struct ScalarEnds {
    std::vector<ScalarEnd<R>> ends; // of each slot
    std::vector<R> arrives;         // in the present step
};

template<int D, class R>
struct ScalarSteps {
    static constexpr int Q = ScalarLinks<D>::Q;

    const ScalarGeometry& geometry;
    int threads;

    // sent: populations after collision. arrives: of the ends, then the scalar of each node.
    void arrive(const std::vector<R>& sent, ScalarEnds<R>& ends, std::vector<double>& scalar) const;

    // What has arrived, not collided.
    void stream(const std::vector<R>& sent, const ScalarEnds<R>& ends, std::vector<R>& next) const;

    // flow: density and velocity of each node.
    void collide(const std::vector<R>& sent, const ScalarEnds<R>& ends, const double* flow,
                 const ScalarRatesOfNodes<R>& rates, std::vector<R>& next) const;

private:
    template<class RatesAt>
    void collideWith(const std::vector<R>& sent, const ScalarEnds<R>& ends, const double* flow, const RatesAt&,
                     std::vector<R>& next) const;
};

extern template struct ScalarSteps<2, double>;
extern template struct ScalarSteps<2, float>;
extern template struct ScalarSteps<3, double>;
extern template struct ScalarSteps<3, float>;

} // namespace lbm
