// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmOpeningGain.H"

namespace
{

// Of the deviation what is taken back at once, and of the flow what it may gain
const Foam::scalar mostShare = 0.5;
const Foam::scalar mostGain = 0.5;

// Spacings between an opening and the centre of a cell up to which its pressure tells what
// differs from face to face
const Foam::scalar seen = 0.85;

// Across a cell from this face of it
Foam::label behind
(
    const Foam::fvMesh& mesh,
    const Foam::label celli,
    const Foam::label facei
)
{
    const Foam::label far =
        mesh.cells()[celli].opposingFaceLabel(facei, mesh.faces());
    if (far < 0 || !mesh.isInternalFace(far)) return celli;
    const Foam::label owner = mesh.faceOwner()[far];
    return owner == celli ? mesh.faceNeighbour()[far] : owner;
}

} // End anonymous namespace


Foam::lbmOpeningGain::lbmOpeningGain
(
    const fvPatch& patch
)
:
    patch_(patch),
    further_(patch.faceCells()),
    depth_
    (
        patch.nf()
      & (
            patch.Cf()
          - vectorField(patch.boundaryMesh().mesh().C(), patch.faceCells())
        )
    ),
    gain_(patch.size(), Zero)
{
    forAll(further_, i)
    {
        further_[i] = behind
        (
            patch.boundaryMesh().mesh(), further_[i], patch.start() + i
        );
    }
}


Foam::tmp<Foam::scalarField> Foam::lbmOpeningGain::deviation
(
    const volScalarField& p,
    const scalarField& imposed
) const
{
    const labelUList& cells = patch_.faceCells();
    const vectorField& centres = p.mesh().C();
    const vectorField normals(patch_.nf());
    auto off = tmp<scalarField>::New(gain_.size());
    forAll(gain_, i)
    {
        const label near = cells[i], far = further_[i];
        const scalar apart = normals[i] & (centres[near] - centres[far]);
        const scalar slope = apart > SMALL ? (p[near] - p[far])/apart : 0;
        off.ref()[i] = p[near] + depth_[i]*slope - imposed[i];
    }
    return off;
}


Foam::scalar Foam::lbmOpeningGain::mean
(
    const scalarField& off,
    const scalarField& weight
) const
{
    const scalarField areas(weight*patch_.magSf());
    const scalar all = sum(areas);
    return all > 0 ? sum(off*areas)/all : 0;
}


void Foam::lbmOpeningGain::follow
(
    const volScalarField& p,
    const volVectorField& U,
    const scalarField& imposed,
    const scalarField& part,
    const scalarField& entering,
    const lbmUnits& units,
    const scalar rate,
    const scalar share
)
{
    const labelUList& cells = patch_.faceCells();
    const scalar c = units.dx()/units.dt();
    const scalar taken = rate*min(share, mostShare);
    scalarField off(deviation(p, imposed));
    const scalar ofAll = mean(off, part), ofEntering = mean(off, entering);
    const bool any = sum(part) > 0;
    forAll(gain_, i)
    {
        if (entering[i] > 0) off[i] = ofEntering;
        else if (any && depth_[i] > seen*units.dx()) off[i] = ofAll;
        const scalar most = mostGain*mag(U[cells[i]]);
        const scalar next = gain_[i] + taken*off[i]/c;
        gain_[i] = max(-most, min(most, next));
    }
}


std::string Foam::lbmOpeningGain::noteName() const
{
    return "openingGain." + patch_.name();
}


void Foam::lbmOpeningGain::note(lbm::CheckpointNotes& notes) const
{
    notes.arrays[noteName()].assign(gain_.begin(), gain_.end());
}


void Foam::lbmOpeningGain::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(noteName());
    if
    (
        found == notes.arrays.end()
     || found->second.size() != std::size_t(gain_.size())
    ) return;
    std::copy(found->second.begin(), found->second.end(), gain_.begin());
}
