// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/ClosureState.hpp"

#include "lbm/physics/EddyViscosity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace lbm {

namespace {

constexpr std::pair<std::string_view, RateKind> gradientClosures[] = {
    {"WALE", RateKind::wale}, {"Vreman", RateKind::vreman}, {"QR", RateKind::qr}};

RateKind kindOf(const ClosureDescriptor& closure)
{
    if (closure.byNode) return RateKind::node;
    for (const auto& [name, kind] : gradientClosures)
        if (closure.name == name) return kind;
    if (closure.kernel == Smagorinsky::name) return RateKind::smagorinsky;
    return closure.ofShearRate() ? RateKind::shearRate : RateKind::constant;
}

double gradientConstant(RateKind kind, const ClosureCoefficients& coefficients)
{
    return kind == RateKind::wale ? coefficients[0] * coefficients[0] : coefficients[0];
}

} // namespace

double eddyViscosity(const ClosureDescriptor& closure, const ClosureCoefficients& coefficients,
                     const double (&gradient)[3][3])
{
    const RateKind kind = kindOf(closure);
    double nu = 0;
    withGradientKind(kind, [&](auto k) {
        nu = eddies::viscosity<static_cast<RateKind>(decltype(k)::value)>(gradient,
                                                                          gradientConstant(kind, coefficients));
    });
    return nu;
}

template<class T>
ClosureState<T>::ClosureState(const Config& config) :
    descriptor_(&checkClosure(config.closure, config.coefficients)), kind_(kindOf(*descriptor_)), tau_(config.tau)
{
    set(config.tau, config.coefficients);
}

template<class T>
void ClosureState<T>::set(double tau, const ClosureCoefficients& coefficients)
{
    if (!(tau > 0.5))
        throw std::invalid_argument("relaxation time tau = " + std::to_string(tau) + ": must be above 0.5");
    checkClosure(std::string(descriptor_->name), coefficients);
    const bool same = coefficients == coefficients_ && !table_.empty();
    tau_ = tau;
    coefficients_ = coefficients;
    if (kind_ == RateKind::shearRate && !same) makeTable();
}

template<class T>
void ClosureState<T>::fill(ClosureData<T>& c) const
{
    c.kind = kind_;
    c.tau = T(tau_);
    if (kind_ == RateKind::smagorinsky) {
        const double square = coefficients_[0] * coefficients_[0];
        c.square = T(square);
        c.half = T(tau_ / 2);
        c.halfSquare = T(tau_ * tau_ / 4);
        c.growth = T(9 / std::sqrt(2.0) * square);
        c.least = T(leastPerSpeed());
    }
    if (ofGradient()) {
        c.square = T(gradientConstant(kind_, coefficients_));
        c.least = T(leastPerSpeed());
    }
    if (kind_ != RateKind::shearRate) return;
    const int least = descriptor_->least, most = descriptor_->most;
    c.least = least < 0 ? T(0.5) : T(0.5 + 3 * coefficients_[least]);
    c.most = most < 0 ? std::numeric_limits<T>::max() : T(0.5 + 3 * coefficients_[most]);
    c.ofStress = table_.data();
    c.ofStrain = table_.data() + RateTable<T>::values;
}

template<class T>
double ClosureState<T>::tau(const std::array<double, 6>& strainRate, const Vec3& velocity, double own) const
{
    if (kind_ == RateKind::constant || ofGradient()) return tau_;
    if (kind_ == RateKind::node) return own;
    double s[6];
    std::copy(strainRate.begin(), strainRate.end(), s);
    const double rate = shearRateOf(s);
    if (kind_ == RateKind::smagorinsky)
        return viscosity().tauOfStrain(rate, std::hypot(velocity[0], velocity[1], velocity[2]));
    return 0.5 + 3 * lbm::viscosity(*descriptor_, coefficients_, rate);
}

// The kernels bound tau exactly; here wider, so that no interval of the table holds a kink that matters and none overflows.
template<class T>
double ClosureState<T>::bounded(double shearRate) const
{
    auto wider = coefficients_;
    if (descriptor_->least >= 0) wider[descriptor_->least] *= 0.5;
    if (descriptor_->most >= 0) wider[descriptor_->most] = 2 * wider[descriptor_->most] + 1;
    return 0.5 + 3 * lbm::viscosity(*descriptor_, wider, shearRate);
}

// tau g grows with g: for viscosities that fall faster than 1/g it would not, and none here does.
template<class T>
double ClosureState<T>::tauOfStress(double stress) const
{
    const double product = 3 * stress / std::sqrt(2.0); // tau g
    double low = 0, high = 2 * product;                 // tau > 1/2
    double middle = product;
    while (middle > low && middle < high) { // until no number is left between them
        (bounded(middle) * middle < product ? low : high) = middle;
        middle = 0.5 * (low + high);
    }
    return bounded(middle);
}

template<class T>
void ClosureState<T>::makeTable()
{
    table_.resize(2 * RateTable<T>::values);
    RateTable<T>::fill(table_.data(), [this](double stress) { return tauOfStress(stress); });
    RateTable<T>::fill(table_.data() + RateTable<T>::values, [this](double rate) { return bounded(rate); });
}

template class ClosureState<float>;
template class ClosureState<double>;

} // namespace lbm
