// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTimeStep.H"
#include "lbmBoundary.H"
#include "lbmControls.H"
#include "lbmForce.H"
#include "lbmForcedSpeed.H"
#include "lbmPressureJumps.H"
#include "lbmUnits.H"
#include "polyPatch.H"
#include "Time.H"

namespace
{
    // Times at which patch values are looked at for the largest speed
    const Foam::label nProbedTimes = 32;

    // Largest speed over the mean one that a force is to keep: a pipe's, laminar
    const Foam::scalar peakOfMean = 2;

    // What a static pressure drives through a long passage has its dynamic pressure besides.
    // What friction allows where a passage is widest is no measure of one that narrows
    const Foam::scalar fasterThanInertial = 2;

    // What rounding may leave of a whole number of steps
    const Foam::scalar roundOff = 1e-9;

    // Of steps in groups: how many one has at most, and which share of all that may add
    const Foam::label largestGroup = 8;
    const Foam::scalar groupShare = 0.05;

    // Of fewer steps one more would be dear
    const Foam::label fewestMadeOdd = 4;

    // Looking ahead leaves no traces: conditions that look for their time in a table look
    // forward only, and would stay at the last time that was looked at, and users' own may
    // count or sum up what they are asked for. Copies of OpenFOAM's turbulent inlets begin
    // eddies of their own, and do not mind
    template<class Type>
    class keptConditions
    {
        using condition = Foam::fvPatchField<Type>;
        using field = Foam::GeometricField<Type, Foam::fvPatchField, Foam::volMesh>;

        field& of_;
        Foam::PtrList<condition> kept_;

    public:

        explicit keptConditions(field& of) : of_(of), kept_(of.boundaryField().size())
        {
            forAll(kept_, patchi)
            {
                const condition& on = of.boundaryField()[patchi];
                if (polyPatch::constraintType(on.patch().type())) continue;
                if (word(on.type()).starts_with("turbulent")) continue;
                kept_.set(patchi, on.clone(of()).ptr());
            }
        }

        void restore()
        {
            forAll(kept_, patchi)
            {
                if (!kept_.set(patchi)) continue;
                of_.boundaryFieldRef().set(patchi, kept_.release(patchi).ptr());
            }
        }
    };
}


Foam::lbmTimeStep::lbmTimeStep
(
    const lbmControls& controls,
    const scalar dx,
    const lbmViscosity& viscosity,
    const scalar referenceSpeed
)
:
    controls_(controls),
    dx_(dx),
    viscosity_(viscosity),
    speed_(referenceSpeed),
    allowance_(1)
{}


Foam::scalar Foam::lbmTimeStep::byMach() const
{
    return controls_.maxMach()*lbmUnits::soundSpeed*dx_/(allowance_*speed_);
}


Foam::scalar Foam::lbmTimeStep::allowedBy(const scalar dt) const
{
    return controls_.maxMach()*lbmUnits::soundSpeed*dx_/(dt*speed_);
}


Foam::scalar Foam::lbmTimeStep::byTau() const
{
    return (controls_.maxTau() - 0.5)*sqr(dx_)/(3*viscosity_.most(dx_));
}


Foam::scalar Foam::lbmTimeStep::longest() const
{
    return controls_.deltaT() > 0 ? controls_.deltaT() : min(byMach(), byTau());
}


void Foam::lbmTimeStep::refuseCount(const scalar deltaT, const scalar n) const
{
    FatalIOErrorInFunction(controls_.dict())
        << "A time step of " << deltaT << " (deltaT in system/controlDict) would"
        << " take " << n << " lattice steps of " << longest() << ": ";
    if (controls_.deltaT() > 0)
    {
        FatalIOError << "choose a larger deltaT";
    }
    else if (byTau() < byMach())
    {
        FatalIOError
            << "nu is " << viscosity_.most(dx_) << " (constant/transportProperties)" << nl
            << "Choose a larger cell size or maxTau";
    }
    else
    {
        FatalIOError
            << "the reference speed is " << speed_ << nl
            << "Choose a larger cell size or maxMach";
    }
    FatalIOError << exit(FatalIOError);
}


Foam::label Foam::lbmTimeStep::steps(const scalar deltaT) const
{
    const scalar n = ceil(deltaT/longest()*(1 - roundOff));
    if (n > labelMax - largestGroup) refuseCount(deltaT, n);
    label result = max(label(1), label(n));
    for (label group = largestGroup; inGroups_ && group > 1; group /= 2)
    {
        const label rest = result % group;
        // Largest first: a multiple of it is one of the others
        if (group <= groupShare*result) return rest ? result + (group - rest) : result;
    }
    const bool even = result % 2 == 0 && result >= fewestMadeOdd;
    return odd_ && !inGroups_ && even ? result + 1 : result;
}


Foam::scalar Foam::lbmTimeStep::speedOf
(
    const lbmControls& controls,
    Time& runTime,
    volVectorField& U,
    volScalarField& p,
    const lbmBoundary& boundary,
    const lbmForce& force,
    const lbmViscosity& viscosity,
    const scalar atLeast
)
{
    if (controls.referenceSpeed() > 0) return controls.referenceSpeed();

    scalar speed = max(atLeast, max(mag(U.primitiveField())));
    scalar lowest = GREAT, highest = -GREAT, jumps = 0;
    vector largestForce(Zero);
    scalar resistance = GREAT;      // the least

    const scalar start = runTime.value();
    const label startIndex = runTime.timeIndex();
    const scalar duration = runTime.endTime().value() - start;
    keptConditions<vector> ofU(U);
    keptConditions<scalar> ofP(p);
    for (label i = 0; i <= nProbedTimes; ++i)
    {
        runTime.setTime(start + duration*i/nProbedTimes, startIndex);
        U.correctBoundaryConditions();
        lbmBoundary::evaluatePressure(p);
        // Takes as long as an equation's assembly
        if (i % (nProbedTimes/2) == 0)
        {
            scalar resists;
            const vector f(force.given(resists));
            resistance = min(resistance, resists);
            if (mag(f) > mag(largestForce)) largestForce = f;
        }
        scalar now = 0;
        forAll(boundary.kinds(), patchi)
        {
            const fvPatchVectorField& Up = U.boundaryField()[patchi];
            const fvPatchScalarField& pp = p.boundaryField()[patchi];
            if (Up.empty()) continue;
            now += lbmPressureJumps::largest(pp);
            // What flows in through an inletOutlet, too, as atmospheric inlets are
            if
            (
                boundary.kinds()[patchi].fixesVelocity()
             || boundary.kinds()[patchi].opening()
            )
            {
                speed = max(speed, max(mag(Up)));
            }
            if (boundary.kinds()[patchi].fixesPressure())
            {
                lowest = min(lowest, min(pp));
                highest = max(highest, max(pp));
            }
        }
        jumps = max(jumps, now);
    }
    runTime.setTime(start, startIndex);
    ofU.restore();
    ofP.restore();
    U.correctBoundaryConditions();
    lbmBoundary::evaluatePressure(p);

    speed = max(speed, peakOfMean*force.Ubar());
    const scalar fall = jumps + max(scalar(0), highest - lowest);
    const scalar inertial = sqrt(2*fall);
    speed = max(speed, inertial);
    const bool laminar =
        !viscosity.ofShearRate() && !viscosity.closure().byNode && !viscosity.eddies();
    if (laminar && inertial > speed*(1 - SMALL) && boundary.drivingStatic() >= 0)
    {
        // Friction alone, of the fall along the mesh
        const fvMesh& mesh = U.mesh();
        const scalar viscous = fall/mag(mesh.bounds().span())
           *lbmForcedSpeed(mesh, boundary.kinds(), viscosity.nu(0), duration).response();
        speed = max(speed, min(viscous, fasterThanInertial*inertial));
    }
    if (mag(largestForce) > 0)
    {
        const scalar forced =
            lbmForcedSpeed::against
            (
                viscosity,
                U.mesh(),
                boundary.kinds(),
                // Drag takes as much as the inertia of so short a time
                duration/(1 + resistance*duration),
                largestForce
            );
        if (forced > speed)
        {
            speed = forced;
            Info<< "Reference speed: " << speed << " m/s, what the force "
                << largestForce << " m/s2 can drive against nu and the walls"
                << " (entry referenceSpeed of system/lbmDict)" << nl;
        }
    }
    if (speed <= 0)
    {
        FatalIOErrorInFunction(controls.dict())
            << "Nothing in the fields U and p, and no force on all of the fluid, tells how"
            << " fast the flow will be"
            << nl << "Add the entry referenceSpeed (m/s)" << exit(FatalIOError);
    }
    return speed;
}
