// NodeViscosity: relaxation time of a node of which the stress is known that a collision has left, (1 - 1/tau) of it.
// In double, on a host or a device. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Scalar.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

class NodeViscosity {
public:
    // square: Cs^2; least: of (tau - 1/2)/speed.
    LBM_HD NodeViscosity(RateKind kind, double tau, double square, double least) :
        kind_(kind), tau_(tau), square_(square), least_(least)
    {}

    // false: the strain rate has to come from differences of velocity. Close to tau = 1 too little of the stress is left, and
    // of RateKind::shearRate several shear rates may leave the same; of a gradient's rates the node alone knows nothing.
    LBM_HD bool tellsStrain() const
    {
        return kind_ != RateKind::shearRate && !isOfGradient(kind_) && leavesEnough(tau_);
    }

    LBM_HD static bool leavesEnough(double tau)
    {
        constexpr double leastLeft = 0.01;
        const double left = 1 - 1 / tau;
        return left > leastLeft || left < -leastLeft;
    }

    LBM_HD bool isLocal() const { return kind_ == RateKind::smagorinsky || kind_ == RateKind::shearRate; }
    LBM_HD bool isByNode() const { return kind_ == RateKind::node; }

    // left: sqrt(Pi:Pi)/inertia after collision, with Pi as in Closures.hpp; where tellsStrain holds. Of smagorinsky's, tau below 1
    // grows with what is left, up to (1 + tau_0)/2: 3 left/sqrt(2) = (1 - tau) g. Where the speed asked for a larger one, less is
    // left than of its own, which then seems even smaller.
    template<class V>
    LBM_HD V tau(const V& left, const V& speed) const
    {
        if (kind_ != RateKind::smagorinsky) return V(tau_);
        const double gap = tau_ < 1 ? 1 - tau_ : tau_ - 1, sign = tau_ < 1 ? -1 : 1;
        const V product = V(2.1213203435596424) * left, square = V(gap * gap) + V(sign * 12 * square_) * product;
        const V root = squareRoot(laneByLane(square, [](double v) { return v > 0 ? v : 0; }));
        const V own = V(tau_) + V(3 * square_) * (V(2) * product / (V(gap) + root));
        return larger(own, V(V(0.5) + V(least_) * speed));
    }

    // The same at a shear rate and a speed, where ofStrain holds.
    LBM_HD bool ofStrain() const { return kind_ == RateKind::smagorinsky; }
    LBM_HD double tauOfStrain(double shearRate, double speed) const
    {
        const double own = tau_ + 3 * square_ * shearRate, least = 0.5 + least_ * speed;
        return own < least ? least : own;
    }

private:
    RateKind kind_;
    double tau_, square_, least_;
};

} // namespace lbm
