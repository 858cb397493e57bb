// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmBuoyancy.H"
#include "findRefCell.H"
#include "fixedFluxPressureFvPatchScalarField.H"
#include "fixedGradientFvPatchFields.H"
#include "gravityMeshObject.H"
#include "mixedFvPatchFields.H"
#include "zeroGradientFvPatchFields.H"

namespace
{
    const std::string levelNote("buoyancy.r0"), temperatureNote("buoyancy.T");

    // So few nodes are one thread's
    const std::size_t oneThreads = 10000;

    Foam::IOobject object
    (
        const Foam::word& name,
        const Foam::fvMesh& mesh,
        const Foam::IOobject::writeOption write = Foam::IOobject::NO_WRITE
    )
    {
        return Foam::IOobject
        (
            name,
            mesh.time().timeName(),
            mesh,
            Foam::IOobject::NO_READ,
            write
        );
    }

    Foam::entry* uniformZero(const Foam::word& key)
    {
        using namespace Foam;
        return new primitiveEntry
        (
            key, List<token>({token(word("uniform")), token(scalar(0))})
        );
    }
}


Foam::lbmBuoyancy::lbmBuoyancy
(
    const fvMesh& mesh,
    const dictionary& transport,
    const dictionary& T,
    const dictionary& p_rgh
)
:
    temperature_(mesh, transport, T),
    g_(meshObjects::gravity::New(mesh.time())),
    hRef_
    (
        IOobject
        (
            "hRef",
            mesh.time().constant(),
            mesh,
            IOobject::READ_IF_PRESENT,
            IOobject::NO_WRITE
        ),
        dimensionedScalar(dimLength, Zero)
    ),
    rhok_(object("rhok", mesh), temperature_.rhok()),
    gh_("gh", (g_ & mesh.C()) - ghRef()),
    ghf_("ghf", (g_ & mesh.Cf()) - ghRef()),
    p_rgh_(object("p_rgh", mesh, IOobject::AUTO_WRITE), mesh, p_rgh),
    p_(object("p", mesh, IOobject::AUTO_WRITE), p_rgh_ + rhok_*gh_),
    r0_(average(rhok_.primitiveField())),
    refCell_(-1),
    refValue_(0),
    changed_(1)
{
    if (!p_rgh_.needReference()) return;
    for (const word name : {"PIMPLE", "SIMPLE"})
    {
        const dictionary control(mesh.solutionDict().subOrEmptyDict(name));
        if (control.found("pRefCell") || control.found("pRefPoint"))
        {
            setRefCell(p_, p_rgh_, control, refCell_, refValue_);
            return;
        }
    }
    refCell_ = 0;
}


Foam::dimensionedScalar Foam::lbmBuoyancy::ghRef() const
{
    if (!(mag(g_.value()) > SMALL))
    {
        return dimensionedScalar(g_.dimensions()*dimLength, Zero);
    }
    return g_ & (cmptMag(g_.value())/mag(g_.value()))*hRef_;
}


Foam::dictionary Foam::lbmBuoyancy::latticePressure() const
{
    dictionary patches;
    for (const fvPatchScalarField& on : p_rgh_.boundaryField())
    {
        const bool fixed =
            on.fixesValue() && !isA<mixedFvPatchScalarField>(on);
        const bool gradient = isA<zeroGradientFvPatchScalarField>(on)
         || isA<fixedGradientFvPatchScalarField>(on);
        dictionary patch;
        if (polyPatch::constraintType(on.patch().type()))
        {
            patch.add("type", on.patch().type());
        }
        else if (fixed)
        {
            patch.add("type", "fixedValue");
            patch.add(uniformZero("value"));
        }
        else if (gradient)
        {
            patch.add("type", "zeroGradient");
        }
        else
        {
            FatalIOErrorInFunction(dictionary(fileName(p_rgh_.objectPath())))
                << "Patch " << on.patch().name() << ": lbmFoam cannot honour type "
                << on.type() << " of p_rgh" << nl
                << "Supported are conditions that fix the value (fixedValue,"
                << " prghPressure, totalPressure, ...), fixedFluxPressure and"
                << " other gradient conditions" << exit(FatalIOError);
        }
        patches.add(on.patch().name(), patch);
    }
    dictionary content(fileName(p_rgh_.objectPath()));
    content.add("dimensions", p_rgh_.dimensions());
    content.add(uniformZero("internalField"));
    content.add("boundaryField", patches);
    return content;
}


void Foam::lbmBuoyancy::setLattice(volScalarField& p) const
{
    p.primitiveFieldRef() =
        p_rgh_.primitiveField()
      + gh_.primitiveField()*(rhok_.primitiveField() - r0_);
    forAll(p.boundaryField(), patchi)
    {
        fvPatchScalarField& on = p.boundaryFieldRef()[patchi];
        if (!on.fixesValue()) continue;
        on == p_rgh_.boundaryField()[patchi]
          + gh_.boundaryField()[patchi]*(rhok_.boundaryField()[patchi] - r0_);
    }
    p.correctBoundaryConditions();
}


void Foam::lbmBuoyancy::setLatticeConditions(volScalarField& p)
{
    correctPressureConditions();
    forAll(p.boundaryField(), patchi)
    {
        fvPatchScalarField& on = p.boundaryFieldRef()[patchi];
        if (!on.fixesValue()) continue;
        on == p_rgh_.boundaryField()[patchi]
          + gh_.boundaryField()[patchi]*(rhok_.boundaryField()[patchi] - r0_);
    }
}


// At walls the pressure's gradient is what holds the fluid's weight
void Foam::lbmBuoyancy::correctPressureConditions()
{
    forAll(p_rgh_.boundaryField(), patchi)
    {
        fvPatchScalarField& on = p_rgh_.boundaryFieldRef()[patchi];
        if (!isA<fixedFluxPressureFvPatchScalarField>(on)) continue;
        refCast<fixedFluxPressureFvPatchScalarField>(on).updateSnGrad
        (
            -ghf_.boundaryField()[patchi]*rhok_.boundaryField()[patchi].snGrad()
        );
    }
    p_rgh_.correctBoundaryConditions();
}


void Foam::lbmBuoyancy::bring(const volScalarField& lattice)
{
    if (lattice_) update();
    p_rgh_.primitiveFieldRef() =
        lattice.primitiveField()
      - gh_.primitiveField()*(rhok_.primitiveField() - r0_);
    correctPressureConditions();
    p_ == p_rgh_ + rhok_*gh_;
    if (refCell_ < 0) return;
    p_ += dimensionedScalar
    (
        "shift", p_.dimensions(), refValue_ - getRefCellValue(p_, refCell_)
    );
    p_rgh_ = p_ - rhok_*gh_;
}


void Foam::lbmBuoyancy::correct
(
    const incompressible::turbulenceModel& model,
    const surfaceScalarField& phi,
    const scalar iteration
)
{
    if (lattice_)
    {
        update();
        if (lattice_->eddies())
        {
            lattice_->conduct(temperature_.alphaEff(model), model.U());
        }
        return;
    }
    if (flux_)
    {
        flux_->correct();
        flux_->report();
    }
    temperature_.correct(model, phi, iteration);
    const scalarField before(rhok_.primitiveField());
    rhok_ = temperature_.rhok();
    const scalarField& now = rhok_.primitiveField();
    const scalarField& V = rhok_.mesh().V();
    changed_ =
        differences(now - before, V)/max(differences(now, V), VSMALL);
}


void Foam::lbmBuoyancy::update()
{
    lattice_->bring();
    temperature_.tellRange();
    rhok_ = temperature_.rhok();
}


void Foam::lbmBuoyancy::liveOn
(
    const lbmAxes& axes,
    const lbmBoundary& boundary,
    const lbmCellStencils& stencils,
    lbm::Solver& solver,
    std::shared_ptr<const lbm::Domain> domain,
    const autoPtr<lbmUnits>& units,
    const std::function<void()>& checkFlow,
    const std::vector<lbm::NodeIndex>& nodes,
    const scalar speed,
    const label substeps,
    const int threads,
    const lbmLatticeTemperature::eddyWays& eddies
)
{
    lattice_.reset
    (
        new lbmLatticeTemperature
        (
            temperature_.T(),
            temperature_.TRef(),
            temperature_.Pr(),
            axes,
            boundary,
            stencils,
            solver,
            domain,
            units,
            checkFlow,
            speed,
            substeps,
            threads,
            eddies
        )
    );
    // Both rise
    std::size_t next = 0;
    std::int32_t number = 0;
    domain->fluid.forEachIn
    (
        0,
        domain->nodes(),
        [&](const lbm::NodeIndex i)
        {
            if (next < nodes.size() && nodes[next] == i)
            {
                forced_.push_back(number);
                ++next;
            }
            ++number;
        }
    );
    setG(axes, *units);
}


void Foam::lbmBuoyancy::layAgain(const scalarField& T)
{
    if (!lattice_) return;
    volScalarField& field = temperature_.T();
    field.primitiveFieldRef() = T;
    field.correctBoundaryConditions();
    rhok_ = temperature_.rhok();
    lattice_->lay();
    lattice_->tellConditions();
}


void Foam::lbmBuoyancy::setG(const lbmAxes& axes, const lbmUnits& units)
{
    latticeG_ = units.acceleration(axes, g_.value());
}


void Foam::lbmBuoyancy::convert
(
    const lbmAxes& axes,
    const lbmUnits& units,
    const label substeps
)
{
    if (!lattice_) return;
    lattice_->convert(substeps);
    setG(axes, units);
}


lbm::Buoyancy Foam::lbmBuoyancy::force(const lbm::Vec3& base) const
{
    return {base, latticeG_, 1 - r0_, temperature_.beta()};
}


void Foam::lbmBuoyancy::arrive(const lbm::Vec3* base)
{
    if (!lattice_) return;
    const lbm::Buoyancy alone = force(base ? *base : lbm::Vec3{0, 0, 0});
    tellsForces_ = lattice_->arrive(base && allForced() ? &alone : nullptr);
    // Else the plan says so
    const bool differ = lattice_->onDevice() && !tellsForces_ && allForced();
    if (!differ || wayTold_) return;
    wayTold_ = true;
    Info<< "temperature: sources of U differ from node to node, so all forces go to the"
        << " device from the host in each step of T" << nl;
}


// Nodes in no cell have no force
bool Foam::lbmBuoyancy::allForced() const
{
    return forced_.size() == lattice_->size();
}


void Foam::lbmBuoyancy::addAtNodes(std::vector<double>& forces) const
{
    lattice_->between(between_);
    const lbm::Buoyancy own = force({0, 0, 0});
    const std::size_t n = forced_.size();       // three times as many pass a label
    #pragma omp parallel for schedule(static) if (n > oneThreads)
    for (std::size_t i = 0; i < n; ++i)
    {
        const scalar T = between_[forced_[i]];
        for (int a = 0; a < 3; ++a) forces[3*i + a] += lbm::forceOf(own, T, a);
    }
}


Foam::scalar Foam::lbmBuoyancy::differences
(
    const scalarField& values,
    const scalarField& volumes
)
{
    const scalar mean = sum(values*volumes)/sum(volumes);
    return sum(mag(values - mean)*volumes);
}


void Foam::lbmBuoyancy::add(vectorField& a) const
{
    a += (rhok_.primitiveField() - r0_)*g_.value();
}


Foam::scalar Foam::lbmBuoyancy::height() const
{
    const scalar size = mag(g_.value());
    if (!(size > 0)) return 0;
    const scalarField along(rhok_.mesh().points() & g_.value()/size);
    return max(along) - min(along);
}


Foam::scalar Foam::lbmBuoyancy::expectedSpeed(const bool open) const
{
    return (open ? 1 : 0.5)*sqrt
    (
        mag(g_.value())*mag(temperature_.beta())*temperature_.spread()*height()
    );
}


void Foam::lbmBuoyancy::note(lbm::CheckpointNotes& notes) const
{
    notes.numbers[levelNote] = r0_;
    const scalarField& T = temperature_.T().primitiveField();
    notes.arrays[temperatureNote].assign(T.begin(), T.end());
    if (flux_) flux_->note(notes);
    if (lattice_) lattice_->note(notes);
}


void Foam::lbmBuoyancy::recall(const lbm::CheckpointNotes& notes)
{
    const auto r0 = notes.numbers.find(levelNote);
    const auto values = notes.arrays.find(temperatureNote);
    volScalarField& T = temperature_.T();
    const bool noted =
        r0 != notes.numbers.end() && values != notes.arrays.end()
     && values->second.size() == std::size_t(T.size());
    if (noted)
    {
        r0_ = r0->second;
        std::copy
        (
            values->second.begin(), values->second.end(), T.primitiveFieldRef().begin()
        );
        T.correctBoundaryConditions();
        rhok_ = temperature_.rhok();
        if (flux_) flux_->recall(notes);
    }
    if (!lattice_ || (noted && lattice_->recall(notes))) return;
    Info<< "temperature: the checkpoint has none of nodes, they begin with T of cells" << nl;
    lattice_->lay();
    lattice_->tellConditions();
}


void Foam::lbmBuoyancy::printPlan(const bool open) const
{
    if (lattice_)
    {
        lattice_->printPlan();
        if (lattice_->onDevice() && !allForced())
        {
            Info<< "    its forces      by the host, to the device in each step of T: "
                << std::to_string(lattice_->size() - forced_.size()).c_str()
                << " nodes lie in no cell, and have none" << nl;
        }
    }
    else if (onLattice_) Info<< "    temperature     on the lattice" << nl;
    else temperature_.printPlan();
    Info<< "    buoyancy        g " << g_.value() << " m/s2, beta "
        << temperature_.beta() << " 1/K: " << expectedSpeed(open)
        << " m/s to be expected" << nl;
}
