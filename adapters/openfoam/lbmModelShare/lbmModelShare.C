// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmModelShare.H"

Foam::lbmModelShare::lbmModelShare
(
    const seconds& s,
    const scalar rate,
    const label n,
    const bool halves
)
:
    total_(s.exchange),
    waited_(s.exchange)
{
    if (halves)
    {
        add(s.flux, s.step, rate);
        add(s.equations, s.step, rate);
    }
    else add(s.flux + s.equations, s.step, rate);
    total_ += (n - (halves ? 2 : 1))*s.step;
}


void Foam::lbmModelShare::add
(
    const scalar part,
    const scalar step,
    const scalar rate
)
{
    if (!(rate > 0))
    {
        total_ += step + part;
        waited_ += part;
    }
    else if (rate*part > step)
    {
        total_ += part;
        waited_ += part - step/rate;
    }
    else total_ += step + (1 - rate)*part;
}
