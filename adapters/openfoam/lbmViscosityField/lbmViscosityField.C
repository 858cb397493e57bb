// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmViscosityField.H"
#include "lbmBoundary.H"

namespace
{
    const Foam::label cellsAtOnce = 131072;
    constexpr lbm::Reading viscosityReading = lbm::Reading::strainRate;

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


Foam::lbmViscosityField::lbmViscosityField
(
    const fvMesh& mesh,
    const lbmCellStencils& stencils,
    const lbmBoundary& boundary,
    const lbm::Solver& solver,
    const lbmUnits& units
)
:
    solver_(solver),
    units_(units),
    field_
    (
        IOobject
        (
            units.viscosity().eddies() ? "nut" : "nu",
            mesh.time().timeName(),
            mesh,
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        ),
        mesh,
        dimensionedScalar(dimViscosity, Zero)
    ),
    faces_(mesh.boundary().size())
{
    placeCells(stencils);
    forAll(mesh.boundary(), patchi)
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
    label first
)
{
    values_.resize(nodes.size()*lbm::valuesOf(viscosityReading));
    solver_.sample(nodes, viscosityReading, values_.data());
    const lbmViscosity& viscosity = units_.viscosity();
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        const scalar rate =
            units_.shearRate(&values_[i*lbm::valuesOf(viscosityReading)]);
        values[first++] =
            viscosity.eddies() ? units_.nut(rate) : viscosity.nu(rate);
    }
}


void Foam::lbmViscosityField::update()
{
    label first = 0;
    for (const auto& piece : cells_)
    {
        setFrom(*piece, field_.primitiveFieldRef(), first);
        first += label(piece->size());
    }
    volScalarField::Boundary& patches = field_.boundaryFieldRef();
    forAll(patches, patchi)
    {
        if (faces_[patchi]) setFrom(*faces_[patchi], patches[patchi], 0);
        else if (!patches[patchi].patch().coupled())
        {
            patches[patchi] == patches[patchi].patchInternalField();
        }
    }
    field_.correctBoundaryConditions();
}
