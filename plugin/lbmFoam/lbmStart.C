// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmStart.H"
#include "lbmBuoyancy.H"
#include "lbmFaceFlux.H"
#include "lbmInitialState.H"
#include "lbmStartFlow.H"
#include "plugin/common/lbmHandBack.H"

#include <algorithm>

namespace
{
    // Shares of the imposed flow up to which an initial U counts as one that a
    // solver wrote: beside all patches, of whose walls coarse cells miss some, and
    // of what goes on behind inlets
    const Foam::scalar smallMisfit = 0.5;
    const Foam::scalar smallNetMisfit = 0.08;

    // The former of one velocity in all cells, which no solver wrote: a stream that sets in
    // through a body is a blow (a square in a channel whose drag coefficient is 2.1: between
    // -2.8 and 4.8 in the time of a passage)
    const Foam::scalar smallMisfitOfUniform = 0.08;

    // An initial U of a steady case beyond both is no flow: so many times the
    // imposed speed, and such a share of the flow lost or won in cells, with which no p
    // is in balance either
    const Foam::scalar farTooFast = 10;
    const Foam::scalar largeDivergence = 0.1;

    template<class Type>
    bool isUniform(const Foam::Field<Type>& values)
    {
        return std::all_of
        (
            values.begin(),
            values.end(),
            [&](const Type& value){ return value == values[0]; }
        );
    }
}


Foam::lbmStart::lbmStart
(
    const lbmControls& controls,
    volVectorField& U,
    volScalarField& p,
    surfaceScalarField& phi,
    lbmBoundary& boundary,
    const lbmBuoyancy* heat
)
:
    controls_(controls),
    U_(U),
    p_(p),
    phi_(phi),
    boundary_(boundary),
    heat_(heat)
{}


void Foam::lbmStart::evaluate()
{
    // The file may hold other values than the conditions give
    boundary_.evaluate();
    lbmFaceFlux::interpolate(U_, phi_);
}


// potentialFoam was seen to leave such fields (2e6 m/s in pitzDaily, 5e6 m/s in
// motorBike) beside a flux phi that is right: OpenFOAM's solvers go by that
void Foam::lbmStart::doubt(const scalar atLeast)
{
    if (controls_.startFlow() == lbmControls::startFlowType::given) return;

    evaluate();
    const lbmStartFlow start(U_, p_, phi_, boundary_.kinds());
    const scalar imposed = max(start.imposed(), atLeast);
    const scalar fastest = max(mag(U_.primitiveField()));
    if (!(imposed > 0) || fastest <= farTooFast*imposed) return;

    const scalar divergence = start.divergence();
    if (divergence <= largeDivergence) return;

    Info<< "Initial U is no flow: up to " << fastest << " m/s, where conditions"
        << " impose " << imposed << ", and " << 100*divergence << " % of what"
        << " passes through cells' faces is lost or won" << nl
        << "    not taken: the fluid starts at rest (startFlow given; in"
        << " system/lbmDict takes it)" << nl;
    U_.primitiveFieldRef() = Zero;
    evaluate();
}


// An incompressible solver finds p anew, from whatever level. On the lattice the
// difference would be sound, or densities that it cannot have. Beside a small outlet
// a solver's p may fall by much of its range within half a cell: such one stays
void Foam::lbmStart::levelPressure()
{
    scalar sum = 0, area = 0, lowest = GREAT, highest = -GREAT;
    forAll(boundary_.kinds(), patchi)
    {
        const fvPatchScalarField& patch = p_.boundaryField()[patchi];
        const lbmPatchKind& kind = boundary_.kinds()[patchi];
        // One that is given far away lets p come from another level
        if (patch.empty() || !kind.fixesPressure() || kind.farField) continue;

        const scalarField held(boundary_.imposedPressure(patchi));
        const scalarField& magSf = patch.patch().magSf();
        sum += Foam::sum((held - patch.patchInternalField())*magSf);
        area += Foam::sum(magSf);
        lowest = min(lowest, min(held));
        highest = max(highest, max(held));
    }
    if (!(area > 0)) return;

    const scalar shift = sum/area;
    const scalar range = max(p_.primitiveField()) - min(p_.primitiveField());
    if (mag(shift) <= max(highest - lowest, range)) return;

    Info<< "Initial p: " << mag(shift) << " m2/s2 "
        << (shift > 0 ? "below" : "above")
        << " what patches hold it to, shifted by that" << nl;
    p_.primitiveFieldRef() += shift;
    evaluate();
}


void Foam::lbmStart::balancePressure(lbmStartFlow& start)
{
    vectorField force(U_.size(), Zero);
    if (heat_) heat_->add(force);
    start.balancePressure(force);
}


// Incompressible solvers take no notice of the p of the start, and cases give 0 beside a U
// of vortices, or beside a T that is to set the fluid going. On the lattice what it lacks is
// sound, which in a periodic or closed domain stays: Taylor-Green's vortices had a p between
// 0 and twice their own
void Foam::lbmStart::balanceEvenPressure(lbmStartFlow& start)
{
    const volScalarField& given = heat_ ? heat_->p_rgh() : p_;
    const bool swirls = !isUniform(U_.primitiveField());
    const bool heated = heat_ && !isUniform(heat_->T().primitiveField());
    const bool even = isUniform(given.primitiveField()) && (swirls || heated);
    if (!even || !start.solvable() || start.divergence() > largeDivergence) return;
    Info<< "Initial " << given.name() << ": the same in all cells, beside a "
        << (swirls ? "U" : "T") << " that is not; made to match it"
        << " (startFlow given; in system/lbmDict takes it)" << nl;
    const dimensionedScalar mean(p_.weightedAverage(p_.mesh().V()));
    balancePressure(start);
    if (p_.needReference()) p_ += mean - p_.weightedAverage(p_.mesh().V());
}


void Foam::lbmStart::settleStart()
{
    using type = lbmControls::startFlowType;

    const type wanted = controls_.startFlow();
    if (wanted == type::given) return;

    evaluate();
    levelPressure();
    lbmStartFlow start(U_, p_, phi_, boundary_.kinds());
    const scalar misfit = start.misfit(), net = start.netMisfit();
    Info<< "Initial U: lacks " << 100*misfit << " % of the flow that patches impose, "
        << 100*net << " % behind inlets" << nl;
    // Where sound leaves, the blow does, too
    const auto letsSoundOut = [](const lbmPatchKind& kind){ return kind.nonReflecting; };
    const List<lbmPatchKind>& kinds = boundary_.kinds();
    const bool setsIn = start.solvable() && isUniform(U_.primitiveField())
     && std::none_of(kinds.begin(), kinds.end(), letsSoundOut);
    const bool fits = net <= smallNetMisfit
     && misfit <= (setsIn ? smallMisfitOfUniform : smallMisfit);
    if (wanted == type::automatic && fits)
    {
        balanceEvenPressure(start);
        return;
    }

    if (!start.solvable())
    {
        FatalIOErrorInFunction(dictionary(fileName(U_.objectPath())))
            << "The patches' flow into the domain and out of it differ, and none"
            << " of them can adapt" << exit(FatalIOError);
    }
    Info<< "    made free of divergence, and p to match it (entry startFlow of"
        << " system/lbmDict)" << nl;
    start.project();
    balancePressure(start);
}


void Foam::lbmStart::initialise
(
    const lbmAxes& axes,
    const lbmUnits& units,
    lbm::Solver& solver,
    const int threads
)
{
    settleStart();
    lbmInitialState(U_, p_, axes, units, solver, threads).apply();

    // The start's temporaries are as large as the lattice
    lbmHandBack();
}
