// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallStress.H"

namespace Foam
{
    defineTypeNameAndDebug(lbmWallStress, 0);
}

namespace
{
    constexpr lbm::Reading stressReading = lbm::Reading::state;
}


Foam::lbmWallStress::lbmWallStress
(
    const fvMesh& mesh,
    const lbmAxes& axes,
    const std::unique_ptr<lbm::Solver>& solver,
    const autoPtr<lbmUnits>& units,
    const autoPtr<lbmFields>& fields
)
:
    regIOobject
    (
        IOobject
        (
            typeName,
            mesh.time().timeName(),
            mesh,
            IOobject::NO_READ,
            IOobject::NO_WRITE
        )
    ),
    mesh_(mesh),
    axes_(axes),
    solver_(solver),
    units_(units),
    fields_(fields)
{}


Foam::lbmWallStress::patchRates& Foam::lbmWallStress::ratesOf
(
    const label patchi
)
{
    if (patches_.found(patchi)) return *patches_[patchi];

    if (units_->viscosity().closure().byNode)
    {
        FatalErrorInFunction
            << "A turbulence model on the mesh decides the viscosity at walls,"
            << " which the lattice's strain rates do not tell" << nl
            << "Take OpenFOAM's wallShearStress and yPlus in place of"
            << " lbmWallShearStress and lbmYPlus" << exit(FatalError);
    }
    const fvPatch& patch = mesh_.boundary()[patchi];
    const vectorField inward(-nodeDistance()*patch.nf());
    lbm::NodeGroups groups;
    std::vector<lbmNodeTerm> terms;
    forAll(patch, facei)
    {
        const point& centre = patch.Cf()[facei];
        terms.clear();
        const bool any = fields_->stencils().wallTerms
        (
            centre, centre + inward[facei], terms
        );
        if (!any)
        {
            FatalErrorInFunction
                << "No lattice node near the face of patch " << patch.name()
                << " at " << centre << nl
                << "Choose smaller cells in system/lbmDict"
                << exit(FatalError);
        }
        for (const lbmNodeTerm& term : terms) groups.add(term.node, term.U);
        groups.endGroup();
    }
    patches_.set(patchi, new patchRates{solver_->place(groups), {}});
    return *patches_[patchi];
}


const double* Foam::lbmWallStress::states(const label patchi)
{
    patchRates& rates = ratesOf(patchi);
    rates.values.resize(rates.faces->size()*lbm::valuesOf(stressReading));
    solver_->sample(*rates.faces, stressReading, rates.values.data());
    return rates.values.data();
}


Foam::tmp<Foam::scalarField> Foam::lbmWallStress::nu(const label patchi)
{
    const label nFaces = mesh_.boundary()[patchi].size();
    if (!units_->viscosity().ofShearRate())
    {
        return tmp<scalarField>::New(nFaces, units_->viscosity().nu(0));
    }
    const double* state = states(patchi);
    auto result = tmp<scalarField>::New(nFaces);
    for (scalar& nu : result.ref())
    {
        nu = units_->viscosity().nu(units_->shearRate(lbmUnits::strainRate(state)));
        state += lbm::valuesOf(stressReading);
    }
    return result;
}


Foam::tmp<Foam::vectorField> Foam::lbmWallStress::on(const label patchi)
{
    const double* state = states(patchi);
    const vectorField normals(mesh_.boundary()[patchi].nf());
    auto result = tmp<vectorField>::New(normals.size(), Zero);
    vectorField& stress = result.ref();
    forAll(stress, facei)
    {
        const lbm::Vec3 n(axes_.toLattice(normals[facei]));
        const double* S = lbmUnits::strainRate(state);
        const lbm::Vec3 rate
        {
            S[0]*n[0] + S[1]*n[1] + S[2]*n[2],
            S[1]*n[0] + S[3]*n[1] + S[4]*n[2],
            S[2]*n[0] + S[4]*n[1] + S[5]*n[2]
        };
        const scalar g = units_->shearRate(S);
        const scalar nu =
            units_->viscosity().nu(g) + units_->nut(g, units_->speed(state));
        state += lbm::valuesOf(stressReading);
        const vector traction(2*nu/units_->dt()*axes_.toFoam(rate));
        const vector& normal = normals[facei];
        stress[facei] = traction - (traction & normal)*normal;
    }
    return result;
}
