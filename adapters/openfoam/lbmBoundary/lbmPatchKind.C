// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPatchKind.H"
#include "lbmCyclics.H"
#include "advectiveFvPatchFields.H"
#include "basicSymmetryFvPatchFields.H"
#include "cyclicAMIFvPatch.H"
#include "cyclicFvPatch.H"
#include "directionMixedFvPatchFields.H"
#include "emptyFvPatch.H"
#include "fixedGradientFvPatchFields.H"
#include "fixedValueFvPatchFields.H"
#include "freestreamPressureFvPatchScalarField.H"
#include "freestreamVelocityFvPatchVectorField.H"
#include "inletOutletFvPatchFields.H"
#include "mixedFvPatchFields.H"
#include "noSlipFvPatchVectorField.H"
#include "pressureInletOutletVelocityFvPatchVectorField.H"
#include "pressureInletVelocityFvPatchVectorField.H"
#include "slipFvPatchFields.H"
#include "SRFModel.H"
#include "SRFVelocityFvPatchVectorField.H"
#include "SRFFreestreamVelocityFvPatchVectorField.H"
#include "symmetryFvPatch.H"
#include "symmetryPlaneFvPatch.H"
#include "lbmPressureJumps.H"
#include "totalPressureFvPatchScalarField.H"
#include "wallFvPatch.H"
#include "zeroGradientFvPatchFields.H"

namespace Foam
{
namespace
{

template<class Type>
void refuse(const fvPatchField<Type>& field, const char* supported)
{
    const auto& whole = field.internalField();
    FatalIOErrorInFunction(dictionary(fileName(whole.objectPath())))
        << "Patch " << field.patch().name()
        << " (" << field.patch().type() << "): lbmFoam cannot honour type "
        << field.type() << " of " << whole.name() << nl
        << "Supported are " << supported << exit(FatalIOError);
}


const char* supportedPatches =
    "patch, wall, symmetry, symmetryPlane, cyclic, cyclicAMI whose two sides lie in one"
    " place or repeat by a turn, and empty";

const char* supportedCyclic =
    "type cyclic, and of p those with jumps (fan, fixedJump); what drives the"
    " flow may also be a uniform force (entry force in system/lbmDict, or"
    " vectorSemiImplicitSource in fvOptions)";

const char* supportedU =
    "conditions that fix the value (noSlip, fixedValue, uniformFixedValue,"
    " flowRateInletVelocity, movingWallVelocity, ...), zeroGradient,"
    " inletOutlet, pressureInletOutletVelocity, pressureInletVelocity,"
    " advective, freestreamVelocity, SRFFreestreamVelocity, slip, symmetry,"
    " symmetryPlane, cyclic and empty";

const char* supportedP =
    "conditions that fix the value (fixedValue, uniformFixedValue,"
    " totalPressure, ...), zeroGradient, fixedFluxPressure and other gradient"
    " conditions, advective and waveTransmissive with fieldInf and lInf,"
    " freestreamPressure,"
    " symmetry, symmetryPlane, slip, cyclic and empty";

const char* supportedBesideSlip =
    "zeroGradient, fixedFluxPressure and other gradient conditions, slip and"
    " symmetry where the fluid slips past a patch: a pressure that is held would"
    " let it through\nWay out: zeroGradient as p, or as U a condition that lets it"
    " through (pressureInletOutletVelocity, zeroGradient)";


bool atRest(const fvPatchVectorField& U)
{
    if (isA<noSlipFvPatchVectorField>(U)) return true;
    // Only the plain type is known to stay what it is
    return U.type() == fixedValueFvPatchVectorField::typeName
        && (U.empty() || max(mag(U)) == 0);
}


bool tangential(const fvPatchVectorField& U)
{
    if (U.empty()) return true;
    const scalar through = max(mag(U & U.patch().nf()));
    return through <= 1e-6*max(mag(U));
}


// At rest, seen from a frame that rotates: facets of a round wall then have some
// velocity across them
bool restsInSpace(const fvPatchVectorField& U)
{
    const auto* frame = U.db().findObject<SRF::SRFModel>("SRFProperties");
    if (!frame || !isA<SRFVelocityFvPatchVectorField>(U)) return false;
    const vectorField frames(frame->velocity(U.patch().Cf()));
    return max(mag(U + frames)) <= 1e-6*max(mag(frames));
}


// What turns lbmCyclics has are told there
bool repeatsByTurn(const polyPatch& patch)
{
    const bool cyclic =
        isA<cyclicPolyPatch>(patch) || isA<cyclicAMIPolyPatch>(patch);
    return cyclic && refCast<const coupledPolyPatch>(patch).transform()
        == coupledPolyPatch::ROTATIONAL;
}


// Mixed conditions say that they fix the value, whatever their fraction
template<class Type>
bool dirichlet(const fvPatchField<Type>& field)
{
    return field.fixesValue()
        && !isA<mixedFvPatchField<Type>>(field)
        && !isA<directionMixedFvPatchField<Type>>(field);
}


// Their values follow from the flux that the pressure drives: taken as fixed
// values they would stay what they are
const wordHashSet drivenByPressure
({
    "pressureDirectedInletVelocity",
    "pressureInletUniformVelocity",
    "pressurePIDControlInletVelocity"
});


void refuseTangential(const fvPatchVectorField& U)
{
    const auto* opening =
        isA<pressureInletOutletVelocityFvPatchVectorField>(U);
    if (!opening) return;

    // Of rotatingPressureInletOutletVelocity, too
    const vectorField& along = opening->refValue();
    if (along.size() && max(mag(along)) > 0)
    {
        refuse(U, "pressureInletOutletVelocity without tangentialVelocity");
    }
}


// OpenFOAM gives such faces the condition's own value as long as the flux, which
// is that of the value, enters: for good, where p does not drive it
bool alwaysEnters(const fvPatchVectorField& U)
{
    const vectorField nf(U.patch().nf());
    const auto& outside =
        refCast<const inletOutletFvPatchVectorField>(U).refValue();
    return gMax(scalarField(U & nf)) < 0 && gMax(scalarField(outside & nf)) < 0;
}


bool givesNothing(const fvPatchVectorField& U)
{
    return gMax(mag(refCast<const inletOutletFvPatchVectorField>(U).refValue())) <= 0;
}


bool gradientType(const fvPatchScalarField& p)
{
    return isA<zeroGradientFvPatchScalarField>(p)
        || isA<fixedGradientFvPatchScalarField>(p);
}

} // End anonymous namespace
} // End namespace Foam


Foam::lbmPatchKind Foam::lbmPatchKind::of
(
    const fvPatchVectorField& U,
    const fvPatchScalarField& p
)
{
    const fvPatch& patch = U.patch();
    lbmPatchKind result;

    const bool turns = repeatsByTurn(patch.patch());
    const bool joins = lbmCyclics::joins(patch.patch());
    if (isA<emptyFvPatch>(patch) || isA<cyclicFvPatch>(patch) || turns || joins)
    {
        if (U.type() != patch.type()) refuse(U, supportedCyclic);
        if (p.type() != patch.type() && !lbmPressureJumps::may(p))
        {
            refuse(p, supportedCyclic);
        }
        if (turns) result.is = role::turn;
        return result;
    }

    if
    (
        isA<symmetryFvPatch>(patch) || isA<symmetryPlaneFvPatch>(patch)
     || isA<slipFvPatchVectorField>(U)
    )
    {
        if (!gradientType(p) && !isA<basicSymmetryFvPatchScalarField>(p))
        {
            // With heat the case has that one, of which p is made
            const auto* given = p.db().findObject<volScalarField>("p_rgh");
            refuse
            (
                given ? given->boundaryField()[patch.index()] : p,
                supportedBesideSlip
            );
        }
        result.is = role::slip;
        return result;
    }
    if (patch.constraintType(patch.type())) refuse(U, supportedPatches);

    // Both have what flows in from afar and what flows out from within, face by
    // face
    if (isA<freestreamVelocityFvPatchVectorField>(U))
    {
        if (!isA<freestreamPressureFvPatchScalarField>(p))
        {
            refuse(p, "freestreamPressure where U is freestreamVelocity");
        }
        result.is = role::velocityAndPressure;
        result.freestream = true;
        return result;
    }
    if (isA<freestreamPressureFvPatchScalarField>(p))
    {
        refuse(U, "freestreamVelocity where p is freestreamPressure");
    }

    const bool inletOutlet = isA<inletOutletFvPatchVectorField>(U);
    const bool free = inletOutlet
        || isA<zeroGradientFvPatchVectorField>(U)
        || isA<pressureInletOutletVelocityFvPatchVectorField>(U)
        || isA<pressureInletVelocityFvPatchVectorField>(U)
        || isA<advectiveFvPatchVectorField>(U);

    const bool known = !drivenByPressure.found(U.type());
    if (!known || (!free && !dirichlet(U))) refuse(U, supportedU);
    refuseTangential(U);
    if (isA<advectiveFvPatchScalarField>(p))
    {
        // Covers waveTransmissive. Without lInf it holds no mean pressure
        const auto& far = refCast<const advectiveFvPatchScalarField>(p);
        if (!free || far.lInf() <= 0) refuse(p, supportedP);
        result.is = role::pressure;
        result.nonReflecting = true;
        result.lInf = far.lInf();
        result.farField = true;
        result.fieldInf = far.fieldInf();
        return result;
    }
    if (!dirichlet(p) && !gradientType(p)) refuse(p, supportedP);

    if (isA<SRFFreestreamVelocityFvPatchVectorField>(U) && !dirichlet(p))
    {
        // Nothing fixes a pressure: what leaves as it flows inside would leave the
        // lattice's fluid without a level (finite volume keeps it by adjustPhi)
        result.is = role::velocity;
        result.afar = true;
    }
    else if (inletOutlet && !dirichlet(p) && alwaysEnters(U))
    {
        result.is = role::velocity;
    }
    else if (free)
    {
        result.is = dirichlet(p) ? role::pressure : role::outflow;
        result.restsOutside = isA<totalPressureFvPatchScalarField>(p);
        // A pressure lets in what it drives in, as finite volume's flux does
        result.entersFromRest = inletOutlet && !result.restsOutside
            && result.is == role::pressure && givesNothing(U);
        result.backflowValue = inletOutlet && result.is == role::outflow;
        result.nonReflecting = result.is == role::pressure
            && isA<advectiveFvPatchVectorField>(U);
    }
    else if (dirichlet(p))
    {
        result.is = role::velocityAndPressure;
    }
    else if (atRest(U))
    {
        result.is = role::wall;
    }
    else
    {
        const bool moves = tangential(U) || restsInSpace(U);
        result.is = isA<wallFvPatch>(patch) && moves
          ? role::movingWall : role::velocity;
    }
    return result;
}


lbm::BoundaryKind Foam::lbmPatchKind::kind() const
{
    if (lawPlanes()) return lbm::BoundaryKind::shear;
    if (interpolated) return lbm::BoundaryKind::interpolatedWall;
    switch (is)
    {
        case role::movingWall: return lbm::BoundaryKind::movingWall;
        case role::velocity: return lbm::BoundaryKind::velocity;
        case role::pressure: return lbm::BoundaryKind::pressure;
        case role::velocityAndPressure:
            return freestream ? lbm::BoundaryKind::pressure
              : lbm::BoundaryKind::pressureVelocity;
        case role::outflow: return lbm::BoundaryKind::outflow;
        case role::slip: return lbm::BoundaryKind::slip;
        case role::turn: return lbm::BoundaryKind::turn;
        case role::wall:
        case role::none: break;
    }
    return lbm::BoundaryKind::wall;
}


Foam::word Foam::lbmPatchKind::name() const
{
    switch (is)
    {
        case role::none: return "-";
        case role::wall:
            return wallLaw ? "wall law"
              : steps ? "wall of steps"
              : interpolated ? "wall interpolated" : "wall";
        case role::movingWall:
            return wallLaw ? "movingWall, law"
              : steps ? "movingWall, steps"
              : interpolated ? "movingWall interp." : "movingWall";
        case role::velocity:
            return velocityGradient ? "velocity, gradient"
              : nonReflecting ? "velocity, non-reflecting" : "velocity";
        case role::pressure:
            return velocityGradient ? "pressure, gradient"
              : nonReflecting ? "pressure, non-reflecting" : "pressure";
        case role::velocityAndPressure: return "velocity+pressure";
        case role::outflow: return "outflow";
        case role::slip: return "slip";
        case role::turn: return "turn";
    }
    return "?";
}
