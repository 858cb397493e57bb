// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmOpeningGain.H"

namespace
{

// Of the deviation what is taken back at once, and of the flow what it may gain
const Foam::scalar mostShare = 0.5;
const Foam::scalar mostGain = 0.5;

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


void Foam::lbmOpeningGain::follow
(
    const volScalarField& p,
    const volVectorField& U,
    const scalarField& imposed,
    const scalar c,
    const scalar rate,
    const scalar share
)
{
    const labelUList& cells = patch_.faceCells();
    const vectorField& centres = p.mesh().C();
    const vectorField normals(patch_.nf());
    const scalar taken = rate*min(share, mostShare);
    forAll(gain_, i)
    {
        const label near = cells[i], far = further_[i];
        const vector& n = normals[i];
        const scalar depth = n & (patch_.Cf()[i] - centres[near]);
        const scalar apart = n & (centres[near] - centres[far]);
        const scalar slope = apart > SMALL ? (p[near] - p[far])/apart : 0;
        const scalar deviation = p[near] + depth*slope - imposed[i];
        const scalar most = mostGain*mag(U[near]);
        const scalar next = gain_[i] + taken*deviation/c;
        gain_[i] = max(-most, min(most, next));
    }
}


void Foam::lbmOpeningGain::restWhereFluidEnters(const scalarField& flux)
{
    forAll(gain_, i)
    {
        if (flux[i] < 0) gain_[i] = 0;
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
