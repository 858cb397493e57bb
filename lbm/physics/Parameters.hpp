// Parameters of a collision, in lattice units, already turned into the rates that a cell update needs.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

namespace lbm {

template<class S>
struct Parameters {
    S omega = 1;          // 1/tau: relaxes the shear stress, and everything even in TRT
    S omegaOdd = 1;       // TRT and MRT: rate of the odd moments, from the magic parameter
    S force[3] = {0, 0, 0};
    bool forced = false;
};

// (1/omega+ - 1/2)(1/omega- - 1/2) = magic. Ginzburg, Verhaeghe & d'Humieres 2008.
template<class S>
Parameters<S> parameters(double tau, double magic, const double (&force)[3])
{
    Parameters<S> p;
    p.omega = S(1/tau);
    p.omegaOdd = S(1/(magic/(tau - 0.5) + 0.5));
    for (int a = 0; a < 3; ++a) {
        p.force[a] = S(force[a]);
        p.forced = p.forced || force[a] != 0;
    }
    return p;
}

} // namespace lbm
