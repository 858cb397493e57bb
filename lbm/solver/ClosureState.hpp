// ClosureState: what a solver keeps of its closure: coefficients, tables where it needs them, and what belongs to a state
// in double, for initialisation and sampling. Units: lattice. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Closure.hpp"
#include "lbm/api/Config.hpp"
#include "lbm/physics/Closures.hpp"
#include "lbm/physics/NodeViscosity.hpp"

#include <vector>

namespace lbm {

template<class T>
class ClosureState {
public:
    // Throws std::invalid_argument, see checkClosure.
    explicit ClosureState(const Config&);

    // tau: without the closure's share. Throws std::invalid_argument where a node's tau could be 1/2 or below.
    void set(double tau, const ClosureCoefficients&);

    // Pointers to tables are those of the host.
    void fill(ClosureData<T>&) const;

    double tau() const { return tau_; }
    const ClosureCoefficients& coefficients() const { return coefficients_; }
    const std::vector<T>& table() const { return table_; } // of stress, then of strain; empty: none

    NodeViscosity viscosity() const
    {
        return {kind_, tau_, kind_ == RateKind::smagorinsky ? coefficients_[0] * coefficients_[0] : 0, leastPerSpeed()};
    }

    bool byNode() const { return kind_ == RateKind::node; }
    bool ofGradient() const { return isOfGradient(kind_); }
    const ClosureDescriptor& descriptor() const { return *descriptor_; }

    // At a strain rate (xx, xy, xz, yy, yz, zz) and a velocity. own: what the node was told, where that counts. Without
    // the eddies of a gradient, which a strain rate does not tell.
    double tau(const std::array<double, 6>& strainRate, const Vec3& velocity, double own) const;

private:
    // Of (tau - 1/2)/speed
    double leastPerSpeed() const
    {
        return descriptor_->addsEddies() && coefficients_[1] > 0 ? 3 / coefficients_[1] : 0;
    }
    void makeTable();
    double bounded(double shearRate) const;
    double tauOfStress(double stress) const;

    const ClosureDescriptor* descriptor_;
    RateKind kind_;
    double tau_;
    ClosureCoefficients coefficients_{0, 0, 0, 0};
    std::vector<T> table_;
};

} // namespace lbm
