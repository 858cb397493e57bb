// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmForce.H"

Foam::lbmForce::lbmForce(const lbmSources& sources, const vector& constant)
:
    sources_(sources),
    constant_(constant)
{}


Foam::vector Foam::lbmForce::value() const
{
    return constant_ + sources_.uniform();
}


Foam::vector Foam::lbmForce::given(scalar& resistance) const
{
    return constant_ + sources_.given(resistance);
}
