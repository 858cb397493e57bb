// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSwiftConditions.H"
#include "StringStream.H"
#include "Time.H"
#include "surfaceFields.H"
#include "volFields.H"

#include <cmath>

namespace
{
    // Of all changes so far, in a passage of sound
    const Foam::scalar swift = 0.4;

    // Passages of sound since it began to change before anything is told: what has just begun
    // has changed by all of itself
    const Foam::scalar patience = 10;

    // Changes that count, of the dynamic pressure and of the speed
    const Foam::scalar some = 0.05;

    // k L that is proposed: p at the far end is 3 % too large
    const Foam::scalar slow = 0.25;
}


Foam::lbmSwiftConditions::lbmSwiftConditions
(
    const lbmBoundary& boundary,
    const volVectorField& U,
    const volScalarField& p,
    const scalar side
)
:
    boundary_(boundary),
    U_(U),
    p_(p),
    side_(side),
    begin_(U.time().value()),
    told_(false)
{
    forAll(boundary.kinds(), patchi)
    {
        const lbmPatchKind& kind = boundary.kinds()[patchi];
        if (!kind.opening() || kind.afar || kind.freestream) continue;
        // Its p is the flow's
        if (kind.farField) continue;
        if (!U.mesh().boundary()[patchi].size()) continue;
        // One value for good is looked at in no time step
        const auto varies = [&](const word& type) { return type != "fixedValue"; };
        if (kind.fixesPressure() && varies(p.boundaryField()[patchi].type()))
        {
            given_.push_back({patchi, true, {}});
        }
        if (kind.fixesVelocity() && varies(U.boundaryField()[patchi].type()))
        {
            given_.push_back({patchi, false, {}});
        }
    }
}


Foam::scalar Foam::lbmSwiftConditions::value(const given& one) const
{
    const fvPatch& patch = U_.mesh().boundary()[one.patchi];
    const scalarField& areas = patch.magSf();
    const scalar all = sum(areas);
    return one.pressure
      ? sum(areas*boundary_.imposedPressure(one.patchi))/all
      : sum(patch.Sf() & U_.boundaryField()[one.patchi])/all;
}


Foam::scalar Foam::lbmSwiftConditions::given::change
(
    const scalar time,
    const scalar value,
    const scalar in
)
{
    least = min(least, value);
    most = max(most, value);
    recent.emplace_back(time, value);
    while (recent.size() > 2 && recent[1].first <= time - in) recent.pop_front();
    const scalar passed = time - recent.front().first;
    return passed > 0
      ? mag(value - recent.front().second)*min(in/passed, scalar(1)) : 0;
}


void Foam::lbmSwiftConditions::look
(
    const lbmUnits& units,
    const scalar speed,
    const bool stepIsGiven
)
{
    if (told_) return;
    const scalar time = U_.time().value();
    const scalar passage = side_/(lbmUnits::soundSpeed*units.dx()/units.dt());
    for (given& one : given_)
    {
        const scalar changed = one.change(time, value(one), passage);
        // What the run begins with is another matter (lbmRinging)
        if (time - begin_ >= patience*passage) one.largest = max(one.largest, changed);
        const scalar range = one.most - one.least;
        const scalar counts = some*(one.pressure ? 0.5*sqr(speed) : speed);
        if (range < counts) one.since = time;
        // A slow ramp, too, has changed by all of itself where it begins
        if (time - one.since < patience*passage || range < counts) continue;
        const scalar swiftness = one.largest/range;
        if (swiftness > swift) return tell(one, swiftness, units, speed, stepIsGiven);
    }
}


void Foam::lbmSwiftConditions::tell
(
    const given& one,
    const scalar swiftness,
    const lbmUnits& units,
    const scalar speed,
    const bool stepIsGiven
)
{
    told_ = true;
    // A wave of that swiftness
    const scalar kL = 2*std::asin(min(swiftness, scalar(1)));
    const scalar shorter = slow/kL;
    const scalar mach = units.mach(speed);
    OStringStream entry;
    entry.precision(2);
    if (stepIsGiven) entry << "deltaT " << shorter*units.dt();
    else entry << "maxMach " << shorter*mach;
    const word name(one.pressure ? p_.name() : U_.name());
    WarningInFunction
        << "Time = " << U_.time().timeName() << ": " << name << " of patch "
        << U_.mesh().boundary()[one.patchi].name() << " changed by "
        << 100*swiftness << " % of all its changes so far (" << one.least << " .. "
        << one.most << ") while sound passes along the domain." << nl
        << "An incompressible flow answers at once, the lattice's by waves of sound: p"
        << " may swing by more than it should, U less." << nl
        << "Way out: " << entry.str().c_str() << "; in system/lbmDict (Mach number "
        << mach << " now: " << label(std::ceil(1/shorter))
        << " times as many lattice steps)" << endl;
}
