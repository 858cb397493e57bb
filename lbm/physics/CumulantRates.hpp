// CumulantRates: the rates of Cumulant (K17) and the factors of its terms of fourth order, of a relaxation rate. See Cumulant.hpp.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Scalar.hpp"
#include "lbm/physics/Parameters.hpp"
#include "lbm/physics/ThirdMoments.hpp"

namespace lbm {

// What relaxation multiplies by. W: as in Parameters.
template<class W>
struct CumulantRates : FourthFactors<W> {
    W plus, minus, mixed; // 1 - omega_3, 1 - omega_4, 1 - omega_5

    LBM_HD LBM_INLINE explicit CumulantRates(const W& omega)
    {
        const W beyond = positivePart(W(omega - constant<W>(1.75))), o = beyond + constant<W>(1.75);
        const W share = W(1) - positivePart(W(W(1) - W(20) * beyond));
        const W square = o * o, left = W(2) - o;
        const W ofPlus = W(8) + W(14) * o - W(7) * square, ofMinus = W(56) - W(50) * o + W(9) * square,
                ofMixed = W(48) + W(152) * o + square * (W(29) * o - W(130)), beyondOne = o - W(1),
                pole = beyondOne * beyondOne * (W(5) * o - W(2));
        // One division for all
        const W first = ofPlus * ofMinus, second = ofMixed * pole, inverse = share / (first * second * o);
        const W firstInverse = inverse * (second * o), secondInverse = inverse * first;
        plus = share - W(8) * left * (W(1) + W(2) * o) * (firstInverse * ofMinus);
        minus = share - W(8) * left * (W(7) - W(4) * o) * (firstInverse * ofPlus);
        mixed = share - W(24) * left * (W(2) + W(7) * o - W(3) * square) * (secondInverse * (pole * o));
        // Factors of the paper's strain rates, times 3/2 omega/(1 - omega) and -3 omega/(1 - omega)
        const W scale = left * secondInverse * ofMixed * o;
        this->plane = constant<W>(0.5) * scale * (W(4) + W(2) * o - W(3) * square);
        this->edge = constant<W>(-1.0 / 6) * scale * (W(4) + W(28) * o - W(14) * square);
    }

private:
    LBM_HD static LBM_INLINE W positivePart(const W& v) { return constant<W>(0.5) * (v + magnitude(v)); }
};

// What relaxation takes, ready for use.
template<class S, class W = S>
struct CumulantRelaxation : CumulantRates<W> {
    W omega, force[3];
    bool forced;

    LBM_HD LBM_INLINE explicit CumulantRelaxation(const Parameters<S, W>& p) :
        CumulantRates<W>(p.omega), omega(p.omega), forced(p.forced)
    {
        for (int a = 0; a < 3; ++a) force[a] = p.force[a];
    }
};

} // namespace lbm
