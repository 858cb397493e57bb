// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmViscosityField.H"
#include "lbmBoundary.H"
#include "lbmCellGradient.H"
#include "lbm/api/inParallel.hpp"

namespace
{
    const Foam::label cellsAtOnce = 131072;
    constexpr lbm::Reading viscosityReading = lbm::Reading::state;

    void addGroup
    (
        Foam::lbmCellSums& sums,
        std::vector<Foam::lbmNodeTerm>& terms
    )
    {
        for (const auto& term : terms) sums.addNode(term.node, term.U);
        sums.endGroup();
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
    const lbmUnits& units,
    const int threads
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
    walls_(U.mesh().boundary().size(), false),
    threads_(threads > 0 ? threads : omp_get_max_threads()),
    guarded_(0),
    added_(0)
{
    // Eddies by the velocity gradient follow from the mesh's own; none are at walls
    const bool fromMesh = units_.viscosity().ofGradient();
    if (!fromMesh) placeCells(stencils);
    forAll(U.mesh().boundary(), patchi)
    {
        walls_[patchi] = boundary.kinds()[patchi].anyWall();
        if (walls_[patchi] && !fromMesh) placeFaces(stencils, patchi);
    }
}


void Foam::lbmViscosityField::placeCells(const lbmCellStencils& stencils)
{
    std::vector<lbmNodeTerm> terms;
    for (label begin = 0; begin < field_.size(); begin += cellsAtOnce)
    {
        const label end = min(begin + cellsAtOnce, field_.size());
        lbmCellSums sums(lbm::NodeSet::Kind::sumsOfStates);
        for (label celli = begin; celli < end; ++celli)
        {
            if (const auto box = stencils.box(celli))
            {
                sums.addBox(*box);
                continue;
            }
            stencils.appendNodes(celli, terms);
            addGroup(sums, terms);
        }
        sums.place(solver_);
        cells_.push_back(std::move(sums));
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
    lbmCellSums sums(lbm::NodeSet::Kind::sumsOfStates);
    const vectorField& centres = patch.Cf();
    const labelUList& cells = patch.faceCells();
    std::vector<std::vector<lbmNodeTerm>> terms(patch.size());
    const auto find = [&](const std::size_t facei)
    {
        std::vector<lbmNodeTerm>& own = terms[facei];
        if (!stencils.wallTerms(centres[facei], inside[facei], own))
        {
            stencils.appendNodes(cells[facei], own);
        }
    };
    lbm::inParallel(terms.size(), find, threads_);
    for (std::vector<lbmNodeTerm>& own : terms) addGroup(sums, own);
    sums.place(solver_);
    faces_[patchi] = std::move(sums);
}


Foam::scalar Foam::lbmViscosityField::inCell
(
    const scalar volume,
    const scalar rate,
    const scalar own,
    const scalar nut
)
{
    if (nut > own)
    {
        guarded_ += volume;
        added_ = max(added_, (nut - own)/(own + units_.viscosity().nu(rate)));
    }
    return nut;
}


void Foam::lbmViscosityField::sample(const lbmCellSums& sums)
{
    sums.sample(solver_, viscosityReading, values_);
}


Foam::scalar Foam::lbmViscosityField::rate(const label i) const
{
    return units_.shearRate(lbmUnits::strainRate(state(i)));
}


Foam::scalar Foam::lbmViscosityField::onFace(const label i) const
{
    const lbmViscosity& viscosity = units_.viscosity();
    return viscosity.eddies()
      ? units_.nut(rate(i), units_.speed(state(i))) : viscosity.nu(rate(i));
}


void Foam::lbmViscosityField::setCellsByGradient()
{
    const tmp<tensorField> gradU = lbmCellGradient::of(U_, threads_);
    const scalarField& volumes = field_.mesh().V();
    const tensorField& gradient = gradU();
    scalarField own(field_.size());
    #pragma omp parallel for schedule(static) num_threads(threads_)
    for (label celli = 0; celli < own.size(); ++celli)
    {
        own[celli] = units_.nut(gradient[celli], 0);
        field_[celli] = units_.nut(gradient[celli], mag(U_[celli]));
    }

    // In the order of cells, whatever the number of threads
    forAll(own, celli)
    {
        if (!(field_[celli] > own[celli])) continue;
        const scalar rate = sqrt(2.0)*mag(symm(gradient[celli]));
        inCell(volumes[celli], rate, own[celli], field_[celli]);
    }
}


void Foam::lbmViscosityField::setCells()
{
    const lbmViscosity& viscosity = units_.viscosity();
    const scalarField& volumes = field_.mesh().V();
    label celli = 0;
    for (const lbmCellSums& piece : cells_)
    {
        sample(piece);
        for (label i = 0; i < piece.size(); ++i, ++celli)
        {
            const scalar shear = rate(i);
            field_[celli] = !viscosity.eddies() ? viscosity.nu(shear) : inCell
            (
                volumes[celli],
                shear,
                units_.nut(shear, 0),
                units_.nut(shear, units_.speed(state(i)))
            );
        }
    }
}


void Foam::lbmViscosityField::update()
{
    guarded_ = added_ = 0;
    if (units_.viscosity().ofGradient()) setCellsByGradient();
    else setCells();
    guarded_ /= sum(field_.mesh().V()).value();
    volScalarField::Boundary& patches = field_.boundaryFieldRef();
    forAll(patches, patchi)
    {
        if (walls_[patchi] && units_.viscosity().ofGradient())
        {
            const fvPatchVectorField& U = U_.boundaryField()[patchi];
            forAll(U, i) patches[patchi][i] = units_.nut(0, mag(U[i]));
        }
        else if (walls_[patchi])
        {
            sample(faces_[patchi]);
            forAll(patches[patchi], i) patches[patchi][i] = onFace(i);
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
