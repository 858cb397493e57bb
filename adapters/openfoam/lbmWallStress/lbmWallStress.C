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
    const autoPtr<lbmFields>& fields,
    const lbmBoundary& boundary
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
    fields_(fields),
    boundary_(boundary)
{}


void Foam::lbmWallStress::check() const
{
    if (units_->viscosity().closure().byNode)
    {
        FatalErrorInFunction
            << "A turbulence model on the mesh decides the viscosity at walls,"
            << " which the lattice's strain rates do not tell" << nl
            << "Take OpenFOAM's wallShearStress and yPlus in place of"
            << " lbmWallShearStress and lbmYPlus" << exit(FatalError);
    }
}


Foam::lbmWallStress::patchRates& Foam::lbmWallStress::ratesOf
(
    const label patchi
)
{
    if (patches_.found(patchi)) return *patches_[patchi];

    check();
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


// Faces smaller than nodes are apart have links of their own here and there
const Foam::labelList& Foam::lbmWallStress::facesWithLinks(const label patchi)
{
    if (withLinks_.found(patchi)) return withLinks_[patchi];
    const polyPatch& patch = mesh_.boundaryMesh()[patchi];
    labelList from(patch.size(), -1);
    DynamicList<label> front;
    for (const label facei : boundary_.linkFaces(patchi))
    {
        if (from[facei] >= 0) continue;
        from[facei] = facei;
        front.append(facei);
    }
    while (front.size())
    {
        DynamicList<label> next;
        for (const label facei : front)
        {
            for (const label beside : patch.faceFaces()[facei])
            {
                if (from[beside] >= 0) continue;
                from[beside] = from[facei];
                next.append(beside);
            }
        }
        front.transfer(next);
    }
    withLinks_.set(patchi, from);
    return withLinks_[patchi];
}


void Foam::lbmWallStress::takeLaw
(
    const lbm::WallLaw& law,
    const label patchi,
    vectorField& stress
)
{
    const std::vector<double> state(law.state());
    if (state.empty()) return;

    const vectorField faceNormals(mesh_.boundary()[patchi].nf());
    const std::vector<lbm::Vec3> normals(boundary_.latticeNormals(patchi));
    const lbmPackedLabels& links = boundary_.links(patchi);
    const lbmPackedLabels& faces = boundary_.linkFaces(patchi);
    const scalar unit = sqr(units_->dx()/units_->dt());
    const scalar nu = units_->viscosity().least(units_->dx())*units_->dt()/sqr(units_->dx());
    vectorField ofLaw(stress.size(), Zero);
    scalarField shares(stress.size(), Zero), n(stress.size(), Zero);
    forAll(links, i)
    {
        const label facei = faces[i];
        const vector onWall
        (
            axes_.toFoam({state[3*i], state[3*i + 1], state[3*i + 2]})
        );
        const scalar share =
            boundary_.unresolved(links[i])
          ? 0 : lbm::lawShare(0.5*sqrt(mag(onWall))/nu);
        const scalar area = mag(axes_.toFoam(normals[i]) & faceNormals[facei]);
        ofLaw[facei] -= share*area*unit*onWall;
        shares[facei] += share;
        n[facei] += 1;
    }
    const labelList& from = facesWithLinks(patchi);
    forAll(stress, facei)
    {
        const label with = from[facei];
        if (with < 0) continue;
        stress[facei] =
            ofLaw[with]/n[with] + (1 - shares[with]/n[with])*stress[facei];
    }
}


Foam::tmp<Foam::vectorField> Foam::lbmWallStress::on(const label patchi)
{
    tmp<vectorField> stress(byRates(patchi));
    if (const lbm::WallLaw* law = boundary_.law(patchi))
    {
        takeLaw(*law, patchi, stress.ref());
    }
    return stress;
}


Foam::tmp<Foam::vectorField> Foam::lbmWallStress::byRates(const label patchi)
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
