// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmViscosity.H"

namespace
{
    // Between the slowest and the fastest shear rate this many are looked at:
    // a viscosity may have its extremes between them
    const Foam::label nRates = 64;
}


Foam::lbmViscosity::lbmViscosity(const scalar nu)
:
    lbmViscosity(std::string(lbm::uniformClosure().name), {}, nu)
{}


Foam::lbmViscosity::lbmViscosity
(
    const word& closure,
    const lbm::ClosureCoefficients& coefficients,
    const scalar nu
)
:
    closure_(&lbm::checkClosure(closure, coefficients)),
    coefficients_(coefficients),
    nu_(nu),
    slowest_(0),
    speed_(0)
{}


bool Foam::lbmViscosity::eddies() const
{
    return closure_->addsEddies();
}


void Foam::lbmViscosity::expect(const scalar speed, const scalar length)
{
    slowest_ = speed/length;
    speed_ = speed;
}


Foam::scalar Foam::lbmViscosity::nu(const scalar shearRate) const
{
    return ofShearRate()
      ? lbm::viscosity(*closure_, coefficients_, shearRate) : nu_;
}


Foam::word Foam::lbmViscosity::guardClosure()
{
    return "smagorinsky";
}


bool Foam::lbmViscosity::canBeGuarded() const
{
    return !ofShearRate() && !closure_->byNode;
}


bool Foam::lbmViscosity::onlyGuarded() const
{
    return eddies() && !(coefficients_[0] > 0);
}


void Foam::lbmViscosity::guardBelow(const scalar maxGridReynolds)
{
    if (!eddies())
    {
        closure_ = lbm::findClosure(guardClosure());
        coefficients_ = {};
    }
    coefficients_[1] = maxGridReynolds;
}


Foam::scalar Foam::lbmViscosity::nut
(
    const scalar shearRate,
    const scalar speed,
    const scalar dx
) const
{
    if (!eddies()) return 0;
    const scalar own = ofGradient() ? 0 : sqr(coefficients_[0]*dx)*shearRate;
    return max(own, guarded(speed, dx) - nu_);
}


Foam::scalar Foam::lbmViscosity::nut
(
    const tensor& gradU,
    const scalar speed,
    const scalar dx
) const
{
    const double g[3][3] =
    {
        {gradU.xx(), gradU.xy(), gradU.xz()},
        {gradU.yx(), gradU.yy(), gradU.yz()},
        {gradU.zx(), gradU.zy(), gradU.zz()}
    };
    return max
    (
        sqr(dx)*lbm::eddyViscosity(*closure_, coefficients_, g),
        guarded(speed, dx) - nu_
    );
}


Foam::lbmViscosity::range Foam::lbmViscosity::expected(const scalar dx) const
{
    if (!ofShearRate()) return {nu_, nu_};

    range result{GREAT, 0};
    const scalar steps = log(fastest(dx)/slowest_)/nRates;
    for (label i = 0; i <= nRates; ++i)
    {
        const scalar here = nu(slowest_*exp(i*steps));
        result.least = min(result.least, here);
        result.most = max(result.most, here);
    }
    return result;
}


lbm::ClosureCoefficients Foam::lbmViscosity::inLatticeUnits
(
    const scalar dx,
    const scalar dt
) const
{
    return lbm::inLatticeUnits(*closure_, coefficients_, dx, dt);
}


Foam::lbmViscosity Foam::lbmViscosity::with
(
    const lbm::ClosureCoefficients& coefficients,
    const scalar nu
) const
{
    lbmViscosity other(*this);
    other.coefficients_ = coefficients;
    other.nu_ = nu;
    return other;
}


bool Foam::lbmViscosity::operator==(const lbmViscosity& other) const
{
    return closure_ == other.closure_ && coefficients_ == other.coefficients_
        && (ofShearRate() || nu_ == other.nu_);
}
