// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallStress.H"

namespace Foam
{
    defineTypeNameAndDebug(lbmWallStress, 0);
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


const Foam::lbmWallStress::patchTerms& Foam::lbmWallStress::termsOf
(
    const label patchi
)
{
    if (patches_.found(patchi)) return *patches_[patchi];

    const fvPatch& patch = mesh_.boundary()[patchi];
    const vectorField inward(-nodeDistance()*patch.nf());
    auto* found = new patchTerms;
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
        for (const lbmNodeTerm& term : terms)
        {
            found->nodes.push_back(term.node);
            found->weights.push_back(term.U);
        }
        found->end.push_back(found->nodes.size());
    }
    patches_.set(patchi, found);
    return *found;
}


Foam::tmp<Foam::vectorField> Foam::lbmWallStress::on(const label patchi)
{
    const patchTerms& terms = termsOf(patchi);
    std::vector<lbm::Macroscopic> states(terms.nodes.size());
    solver_->sample(terms.nodes.data(), terms.nodes.size(), states.data());

    const vectorField normals(mesh_.boundary()[patchi].nf());
    auto result = tmp<vectorField>::New(normals.size(), Zero);
    vectorField& stress = result.ref();
    std::size_t k = 0;
    forAll(stress, facei)
    {
        const lbm::Vec3 n(axes_.toLattice(normals[facei]));
        lbm::Vec3 rate{0, 0, 0};
        for (; k < terms.end[facei]; ++k)
        {
            const auto& S = states[k].strainRate;
            const scalar w = terms.weights[k];
            rate[0] += w*(S[0]*n[0] + S[1]*n[1] + S[2]*n[2]);
            rate[1] += w*(S[1]*n[0] + S[3]*n[1] + S[4]*n[2]);
            rate[2] += w*(S[2]*n[0] + S[4]*n[1] + S[5]*n[2]);
        }
        const vector traction(2*units_->nu()/units_->dt()*axes_.toFoam(rate));
        const vector& normal = normals[facei];
        stress[facei] = traction - (traction & normal)*normal;
    }
    return result;
}
