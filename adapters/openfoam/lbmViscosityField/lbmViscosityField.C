// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmViscosityField.H"
#include "fvcGrad.H"
#include "lbmBoundary.H"

namespace
{
    const Foam::label cellsAtOnce = 131072;
    constexpr lbm::Reading viscosityReading = lbm::Reading::state;

    void addGroup
    (
        lbm::NodeGroups& groups,
        std::vector<Foam::lbmNodeTerm>& terms
    )
    {
        for (const auto& term : terms) groups.add(term.node, term.U);
        groups.endGroup();
        terms.clear();
    }
}


Foam::word Foam::lbmViscosityField::fieldName(const lbmViscosity& viscosity)
{
    return viscosity.onlyGuarded() ? "nuGuard"
      : viscosity.eddies() ? "nut" : "nu";
}


Foam::lbmViscosityField::lbmViscosityField
(
    const volVectorField& U,
    const lbmCellStencils& stencils,
    const lbmBoundary& boundary,
    const lbm::Solver& solver,
    const lbmUnits& units
)
:
    U_(U),
    solver_(solver),
    units_(units),
    field_
    (
        IOobject
        (
            fieldName(units.viscosity()),
            U.time().timeName(),
            U.mesh(),
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        ),
        U.mesh(),
        dimensionedScalar(dimViscosity, Zero)
    ),
    faces_(U.mesh().boundary().size()),
    guarded_(0),
    added_(0)
{
    placeCells(stencils);
    forAll(U.mesh().boundary(), patchi)
    {
        if (boundary.kinds()[patchi].anyWall()) placeFaces(stencils, patchi);
    }
}


void Foam::lbmViscosityField::placeCells(const lbmCellStencils& stencils)
{
    std::vector<lbmNodeTerm> terms;
    for (label begin = 0; begin < field_.size(); begin += cellsAtOnce)
    {
        const label end = min(begin + cellsAtOnce, field_.size());
        lbm::NodeGroups groups;
        for (label celli = begin; celli < end; ++celli)
        {
            stencils.appendNodes(celli, terms);
            addGroup(groups, terms);
        }
        cells_.push_back(solver_.place(groups));
    }
}


void Foam::lbmViscosityField::placeFaces
(
    const lbmCellStencils& stencils,
    const label patchi
)
{
    const fvPatch& patch = field_.mesh().boundary()[patchi];
    const vectorField inside(patch.Cf() - 0.5*units_.dx()*patch.nf());
    lbm::NodeGroups groups;
    std::vector<lbmNodeTerm> terms;
    forAll(patch, facei)
    {
        if (!stencils.wallTerms(patch.Cf()[facei], inside[facei], terms))
        {
            stencils.appendNodes(patch.faceCells()[facei], terms);
        }
        addGroup(groups, terms);
    }
    faces_[patchi] = solver_.place(groups);
}


void Foam::lbmViscosityField::setFrom
(
    const lbm::NodeSet& nodes,
    UList<scalar>& values,
    label first,
    const UList<scalar>* volumes,
    const UList<tensor>* gradU
)
{
    values_.resize(nodes.size()*lbm::valuesOf(viscosityReading));
    solver_.sample(nodes, viscosityReading, values_.data());
    const lbmViscosity& viscosity = units_.viscosity();
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        const double* state = &values_[i*lbm::valuesOf(viscosityReading)];
        const scalar rate = units_.shearRate(lbmUnits::strainRate(state));
        if (!viscosity.eddies())
        {
            values[first++] = viscosity.nu(rate);
            continue;
        }
        const scalar speed = units_.speed(state);
        const scalar own =
            gradU ? units_.nut((*gradU)[first], 0) : units_.nut(rate, 0);
        const scalar nut =
            gradU ? units_.nut((*gradU)[first], speed) : units_.nut(rate, speed);
        if (volumes && nut > own)
        {
            guarded_ += (*volumes)[first];
            added_ = max(added_, (nut - own)/(own + viscosity.nu(rate)));
        }
        values[first++] = nut;
    }
}


void Foam::lbmViscosityField::update()
{
    const scalarField& volumes = field_.mesh().V();
    tmp<volTensorField> gradU;
    if (units_.viscosity().ofGradient())
    {
        gradU = fvc::grad(U_);
    }
    const UList<tensor>* gradients =
        gradU.valid() ? &gradU().primitiveField() : nullptr;
    label first = 0;
    guarded_ = added_ = 0;
    for (const auto& piece : cells_)
    {
        setFrom
        (
            *piece, field_.primitiveFieldRef(), first, &volumes, gradients
        );
        first += label(piece->size());
    }
    guarded_ /= sum(volumes);
    volScalarField::Boundary& patches = field_.boundaryFieldRef();
    forAll(patches, patchi)
    {
        if (faces_[patchi])
        {
            setFrom(*faces_[patchi], patches[patchi], 0, nullptr, nullptr);
        }
        else if (!patches[patchi].patch().coupled())
        {
            patches[patchi] == patches[patchi].patchInternalField();
        }
    }
    field_.correctBoundaryConditions();
}


void Foam::lbmViscosityField::reportGuard() const
{
    if (!(guarded_ > 0)) return;
    Info<< "guard: in " << 100*guarded_ << " % of the volume viscosity is"
        << " raised, up to " << 1 + added_ << " times "
        << (units_.viscosity().onlyGuarded() ? "the fluid's" : "what eddies leave")
        << nl;
}
