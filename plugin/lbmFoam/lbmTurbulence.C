// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTurbulence.H"
#include "HashSet.H"
#include "LESdelta.H"
#include "cyclicPolyPatch.H"
#include "emptyPolyPatch.H"
#include "lbmControls.H"
#include "lbmElasticStress.H"
#include "lbmNearMiss.H"
#include "lbmSampledLaw.H"
#include "lbmSurfaceWalls.H"
#include "localIOdictionary.H"
#include "namedFile.H"
#include "Switch.H"
#include "Time.H"
#include "volFields.H"
#include "wallPolyPatch.H"

namespace
{
    // LES/LESeddyViscosity and LES/Smagorinsky of OpenFOAM 1912
    const Foam::scalar defaultCk = 0.094;
    const Foam::scalar defaultCe = 1.048;

    // Models that the core has under their own names; OpenFOAM knows the first
    const Foam::wordList ofGradient({"WALE", "Vreman", "QR"});
    const Foam::label nOfOpenFOAM = 1;

    const Foam::word smagorinsky("Smagorinsky"), ofLattice("cubeRootVol");

    Foam::wordList modelsOfLattice()
    {
        Foam::wordList names(1, smagorinsky);
        names.append(ofGradient);
        return names;
    }

    Foam::wordList modelsOfMesh()
    {
        const auto* table =
            Foam::incompressible::LESModel::dictionaryConstructorTablePtr_;
        return table->sortedToc();
    }

    Foam::wordList deltas()
    {
        return Foam::LESdelta::dictionaryConstructorTablePtr_->sortedToc();
    }

    void tellNearMiss(const Foam::word& name, const Foam::wordList& known)
    {
        const Foam::word meant(Foam::lbmNearMiss::meant(name, known));
        if (meant.size()) Foam::FatalIOError<< "; " << meant << " is there";
    }

    const lbm::ClosureCoefficient& constantOf(const Foam::word& model)
    {
        return lbm::findClosure(model)->coefficient[0];
    }

    // Conditions of nut on walls where the lattice resolves the flow, and which
    // do not change nut
    const Foam::wordHashSet resolvedWalls
    ({
        "calculated", "fixedValue", "nutLowReWallFunction", "zeroGradient"
    });

    // Of Spalding's law, as OpenFOAM has them
    const Foam::scalar defaultKappa = 0.41, defaultE = 9.8;
}


Foam::lbmTurbulence::lbmTurbulence
(
    const fvMesh& mesh,
    const lbmControls& controls
)
:
    mesh_(mesh),
    properties_
    (
        namedFile::contents
        (
            IOobject
            (
                "turbulenceProperties",
                mesh.time().constant(),
                mesh,
                IOobject::READ_IF_PRESENT,
                IOobject::NO_WRITE,
                false
            )
        )
    ),
    constant_(0),
    onMesh_(false),
    averages_(false),
    named_(properties_.found("simulationType")),
    otherLaws_(false),
    hasNut_(false),
    nuM_(0)
{
    constant_ = read(controls);
}


Foam::scalar Foam::lbmTurbulence::readLaminar() const
{
    const dictionary laminar(properties_.subOrEmptyDict("laminar"));
    const word model
    (
        laminar.getOrDefault<word>("laminarModel", "Stokes")
    );
    if (model == "Stokes") return 0;
    const auto& known =
        *incompressible::laminarModel::dictionaryConstructorTablePtr_;
    if (!known.found(model))
    {
        FatalIOErrorInFunction(laminar)
            << "Unknown laminarModel type " << model << nl << nl
            << "Valid laminarModel types : " << nl << known.sortedToc()
            << exit(FatalIOError);
    }
    return lbmElasticStress::nuM(laminar, model);
}


Foam::scalar Foam::lbmTurbulence::read(const lbmControls& controls)
{
    const word type
    (
        properties_.getOrDefault<word>("simulationType", "laminar")
    );
    if (type == "LES" && livesOnLattice(controls)) return readLES();
    if (type != "laminar")
    {
        // A word that is none of OpenFOAM's is refused where the model is made
        onMesh_ = true;
        averages_ = type == "RAS";
        return 0;
    }
    nuM_ = readLaminar();
    return 0;
}


Foam::scalar Foam::lbmTurbulence::positive
(
    const dictionary& dict,
    const word& key,
    const scalar preset
) const
{
    const scalar value
    (
        dimensionedScalar::getOrDefault(key, dict, dimless, preset).value()
    );
    if (!(value > 0 && value < GREAT))
    {
        FatalIOErrorInFunction(dict)
            << "Entry " << key << " is " << value << "; it must be a positive"
            << " number" << exit(FatalIOError);
    }
    return value;
}


Foam::scalar Foam::lbmTurbulence::readLES()
{
    const dictionary& les = properties_.subDict("LES");
    if (!les.getOrDefault<Switch>("turbulence", true))
    {
        laws_.clear();
        // OpenFOAM's must have a field nut to read, even so
        named_ = hasNut_ && modelsOfMesh().found(les.get<word>("LESModel"));
        return 0;
    }

    const word model(les.get<word>("LESModel"));
    const word delta(les.get<word>("delta"));
    const dictionary& coeffs = les.optionalSubDict(model + "Coeffs");
    const scalar width =
        positive(les.optionalSubDict(delta + "Coeffs"), "deltaCoeff", 1);
    const scalar Ck = positive(coeffs, "Ck", defaultCk);
    const scalar Ce = positive(coeffs, "Ce", defaultCe);
    eddies_ = {model, coeffs, Ck, Ce, width};
    if (ofGradient.found(model))
    {
        closure_ = model;
        const lbm::ClosureCoefficient& constant = constantOf(model);
        const scalar own =
            positive(coeffs, std::string(constant.name), constant.example);
        return model == ofGradient.first() ? own*width : own*sqr(width);
    }
    closure_ = "smagorinsky";
    return width*sqrt(Ck*sqrt(Ck/Ce));
}


void Foam::lbmTurbulence::refuseMesh
(
    const word& model,
    const char* because
) const
{
    FatalIOErrorInFunction(properties_.subDict("LES"))
        << "Entry LESModel is " << model << ", which lives on the lattice alone;"
        << " OpenFOAM 1912 does not have it for the mesh, where " << because
        << " would have it live" << nl
        << "Way out: LESModel WALE, which both have, a model of OpenFOAM's "
        << flatOutput(modelsOfMesh()) << nl << "or, on the lattice, delta " << ofLattice
        << exit(FatalIOError);
    std::abort();
}


void Foam::lbmTurbulence::refuseUnknown(const dictionary& les) const
{
    const word model(les.get<word>("LESModel"));
    if (!modelsOfLattice().found(model) && !modelsOfMesh().found(model))
    {
        wordList known(modelsOfLattice());
        known.append(modelsOfMesh());
        FatalIOErrorInFunction(les) << "Unknown LESModel type " << model;
        tellNearMiss(model, known);
        FatalIOError
            << nl << "On the lattice, with delta " << ofLattice << ": "
            << flatOutput(modelsOfLattice()) << nl << "On the mesh, OpenFOAM's: "
            << flatOutput(modelsOfMesh()) << nl
            << "How near they come: plugin/README.md, section Turbulence"
            << exit(FatalIOError);
    }
    const word delta(les.getOrDefault<word>("delta", ofLattice));
    if (deltas().found(delta)) return;
    FatalIOErrorInFunction(les) << "Unknown LESdelta type " << delta;
    tellNearMiss(delta, deltas());
    FatalIOError
        << nl << "On the lattice, whose cells are cubes: " << ofLattice << nl
        << "On the mesh, with OpenFOAM's models: " << flatOutput(deltas())
        << exit(FatalIOError);
}


bool Foam::lbmTurbulence::livesOnLattice(const lbmControls& controls)
{
    const dictionary& les = properties_.subDict("LES");
    refuseUnknown(les);
    const word model(les.get<word>("LESModel"));
    findLaws();
    // Cells at walls that a mesh has are the model's on it, which needs them; of
    // surfaces there are none
    const bool named = controls.dict().found("turbulenceOn");
    const bool lawOnLattice = named || lbmSurfaceWalls::of(mesh_);
    const char* reason = nullptr;
    if (controls.turbulenceOn() == lbmControls::turbulencePlace::mesh)
    {
        reason = "entry turbulenceOn (system/lbmDict)";
    }
    else if (les.getOrDefault<word>("delta", word::null) != ofLattice)
    {
        reason = "a delta other than cubeRootVol";
    }
    else if (otherLaws_)
    {
        reason = "a wall function for rough walls, or a table (0/nut)";
    }
    else if (laws_.size() && !lawOnLattice)
    {
        reason = "a wall function (0/nut)";
    }
    if (reason && ofGradient.find(model) >= nOfOpenFOAM)
    {
        refuseMesh(model, reason);
    }
    if (reason || !modelsOfLattice().found(model))
    {
        laws_.clear();
        return false;
    }
    // OpenFOAM's model on the mesh must have a field nut to read
    const bool onMeshToo = ofGradient.find(model) < nOfOpenFOAM && hasNut_;
    const bool on = les.getOrDefault<Switch>("turbulence", true);
    if (named || !on || !onMeshToo || !keepsItself() || !controls.mayHaveCumulants())
    {
        return true;
    }
    Info<< "Walls that nodes resolve, and no opening that feeds the flow: " << model
        << " is OpenFOAM's on the mesh, beside cumulants, with which turbulence keeps"
        << " itself (entry turbulenceOn of system/lbmDict)" << nl << endl;
    return false;
}


bool Foam::lbmTurbulence::keepsItself() const
{
    if (laws_.size() || otherLaws_ || lbmSurfaceWalls::of(mesh_)) return false;
    bool walls = false, periods = false;
    for (const polyPatch& patch : mesh_.boundaryMesh())
    {
        const bool wall = isA<wallPolyPatch>(patch);
        if (!wall && !polyPatch::constraintType(patch.type())) return false;
        walls = walls || wall;
        periods = periods || isA<cyclicPolyPatch>(patch);
    }
    return walls && periods && mesh_.nGeometricD() == 3;
}


// By its name, its groups (of several the last of the file) or a pattern, which patches of
// type empty do without, as OpenFOAM finds it (GeometricBoundaryField.C, readField)
static const Foam::dictionary* findCondition
(
    const Foam::polyPatch& patch,
    const Foam::dictionary& patches
)
{
    using namespace Foam;
    const dictionary* own = patches.findDict(patch.name(), keyType::LITERAL);
    for (auto iter = patches.crbegin(); !own && iter != patches.crend(); ++iter)
    {
        const bool ofGroup = iter->isDict() && iter->keyword().isLiteral()
            && patch.inGroups().found(iter->keyword());
        if (ofGroup) own = iter->dictPtr();
    }
    if (own || isA<emptyPolyPatch>(patch)) return own;
    return patches.findDict(patch.name(), keyType::REGEX);
}


static const Foam::dictionary& conditionOf
(
    const Foam::polyPatch& patch,
    const Foam::dictionary& patches
)
{
    const Foam::dictionary* own = findCondition(patch, patches);
    return own ? *own : patches.subDict(patch.name());
}


// OpenFOAM's own models refuse it as well
static void refuseLawOf
(
    const Foam::polyPatch& patch,
    const Foam::dictionary& patches
)
{
    using namespace Foam;
    const dictionary* own = findCondition(patch, patches);
    const word type(own ? own->getOrDefault<word>("type", word::null) : word::null);
    if (!lbmSampledLaw::smoothWalls.found(type)) return;
    FatalIOErrorInFunction(*own)
        << "Entry type is " << type << ", and patch " << patch.name()
        << " is of type " << patch.type() << ": walls alone have a wall function" << nl
        << "Way out: type calculated; value uniform 0; or a patch of type wall"
        << exit(FatalIOError);
}


// What lbmFoam writes of nut has no conditions: at a later time those of the first one count
void Foam::lbmTurbulence::findLaws()
{
    laws_.clear();
    otherLaws_ = false;
    hasNut_ = false;
    const Time& runTime = mesh_.time();
    findLaws(runTime.timeName());
    if (laws_.size()) return;
    for (const instant& time : runTime.times())
    {
        if (time.name() == runTime.constant()) continue;
        if (time.name() != runTime.timeName()) findLaws(time.name());
        return;
    }
}


void Foam::lbmTurbulence::findLaws(const word& time)
{
    const IOobject io
    (
        "nut",
        time,
        mesh_,
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );
    if (!isFile(io.objectPath()) && !isFile(io.objectPath() + ".gz"))
    {
        return;
    }
    const dictionary nut = namedFile::read
    (
        io.objectPath(),
        [&]{ return localIOdictionary(io, volScalarField::typeName); }
    );
    hasNut_ = true;
    const dictionary& patches = nut.subDict("boundaryField");
    for (const polyPatch& patch : mesh_.boundaryMesh())
    {
        if (!isA<wallPolyPatch>(patch))
        {
            refuseLawOf(patch, patches);
            continue;
        }
        const dictionary& condition = conditionOf(patch, patches);
        const word type(condition.get<word>("type"));
        if (resolvedWalls.found(type) || polyPatch::constraintType(type)) continue;
        otherLaws_ = otherLaws_ || !lbmSampledLaw::smoothWalls.found(type);
        laws_.push_back
        (
            {
                patch.index(),
                positive(condition, "kappa", defaultKappa),
                positive(condition, "E", defaultE)
            }
        );
    }
}


Foam::lbmViscosity Foam::lbmTurbulence::on(const scalar nu) const
{
    if (onMesh_) return lbmViscosity("nodeField", {}, nu);
    return constant_ > 0
      ? lbmViscosity(closure_, {constant_}, nu) : lbmViscosity(nu + nuM_);
}


void Foam::lbmTurbulence::refuseBeside(const word& model) const
{
    if (elastic())
    {
        FatalIOErrorInFunction(properties_.subDict("laminar"))
            << "Entry laminarModel is "
            << properties_.subDict("laminar").get<word>("laminarModel")
            << ", and transportModel (constant/transportProperties) is " << model
            << ": the solvent of polymers is Newtonian in lbmFoam" << nl
            << "Way out: transportModel Newtonian, or laminarModel Stokes"
            << exit(FatalIOError);
    }
    if (!(constant_ > 0)) return;
    FatalIOErrorInFunction(properties_)
        << "Entry simulationType is "
        << properties_.get<word>("simulationType")
        << ", and transportModel"
        << " (constant/transportProperties) is " << model << ": on the lattice"
        << " eddies' viscosity is added to a Newtonian fluid's alone" << nl
        << "Way out: turbulenceOn mesh (system/lbmDict), simulationType laminar,"
        << " or transportModel Newtonian"
        << exit(FatalIOError);
}
