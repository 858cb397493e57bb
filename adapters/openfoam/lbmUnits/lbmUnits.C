// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmUnits.H"

const Foam::scalar Foam::lbmUnits::soundSpeed = 1/Foam::sqrt(3.0);


Foam::lbmUnits::lbmUnits
(
    const scalar dx,
    const scalar dt,
    const lbmViscosity& viscosity,
    const scalar pOffset
)
:
    dx_(dx),
    dt_(dt),
    viscosity_(viscosity),
    pOffset_(pOffset)
{}


Foam::scalar Foam::lbmUnits::shearRate(const double* s) const
{
    const scalar along = sqr(s[0]) + sqr(s[3]) + sqr(s[5]);
    const scalar across = sqr(s[1]) + sqr(s[2]) + sqr(s[4]);
    return sqrt(2*along + 4*across)/dt_;
}


lbm::Vec3 Foam::lbmUnits::velocity(const lbmAxes& axes, const vector& U) const
{
    return axes.toLattice(U*(dt_/dx_));
}


Foam::vector Foam::lbmUnits::velocity
(
    const lbmAxes& axes,
    const lbm::Vec3& u
) const
{
    return axes.toFoam(u)*(dx_/dt_);
}


lbm::Vec3 Foam::lbmUnits::acceleration
(
    const lbmAxes& axes,
    const vector& a
) const
{
    return axes.toLattice(a*(sqr(dt_)/dx_));
}


lbm::Macroscopic Foam::lbmUnits::state
(
    const lbmAxes& axes,
    const vector& U,
    const scalar p,
    const tensor& gradU
) const
{
    const tensor S(0.5*dt_*(gradU + gradU.T()));
    const auto component = [&](const label a, const label b)
    {
        return S(axes.foamAxis(a), axes.foamAxis(b));
    };

    lbm::Macroscopic m;
    m.density = density(p);
    m.velocity = velocity(axes, U);
    m.strainRate =
    {
        component(0, 0), component(0, 1), component(0, 2),
        component(1, 1), component(1, 2), component(2, 2)
    };
    return m;
}


lbm::Macroscopic Foam::lbmUnits::convert
(
    lbm::Macroscopic m,
    const lbmUnits& to
) const
{
    const scalar speeds = dx_/dt_*to.dt_/to.dx_;
    m.density = to.density(pressure(m.density));
    for (double& u : m.velocity) u *= speeds;
    for (double& s : m.strainRate) s *= to.dt_/dt_;
    return m;
}


lbm::OpeningMemory Foam::lbmUnits::convert
(
    lbm::OpeningMemory m,
    const lbmUnits& to
) const
{
    // Of a velocity the part by speed, which is small in a flow that is what
    // is imposed, goes with the density's; so does a stress that leaves, of
    // which the next ten steps make another mean
    m.mean = m.kind == lbm::BoundaryKind::velocity
      ? to.density(pressure(1 + m.mean)) - 1
      : m.mean*(dx_/dt_*to.dt_/to.dx_);
    return m;
}
