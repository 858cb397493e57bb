// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallLaw.H"

Foam::lbmWallLaw::lbmWallLaw(const fvMesh& mesh, lbmBoundary& boundary)
:
    boundary_(boundary),
    mesh_(mesh.boundary())
{
    labelHashSet atWalls;
    forAll(mesh_, patchi)
    {
        if (!boundary.kinds()[patchi].wallLaw) continue;
        patches_.append(patchi);
        atWalls.insert(mesh_[patchi].faceCells());
    }
    cells_ = atWalls.sortedToc();
    beside_.setSize(cells_.size());
    forAll(cells_, i)
    {
        DynamicList<label> off;
        for (const label celli : mesh.cellCells()[cells_[i]])
        {
            if (!atWalls.found(celli)) off.append(celli);
        }
        beside_[i] = std::move(off);
    }
}


void Foam::lbmWallLaw::setViscosity
(
    const scalarField& nuEff,
    scalarField& nu
) const
{
    forAll(cells_, i)
    {
        if (beside_[i].empty()) continue;
        scalar n = 0;
        for (const label celli : beside_[i]) n += nuEff[celli];
        n /= beside_[i].size();
        const scalar p = nuEff[cells_[i]];
        if (n > p) nu[cells_[i]] = n*(p + n)/(3*n - p);
    }
}


void Foam::lbmWallLaw::update
(
    const volVectorField& U,
    const volScalarField& nuEff,
    const scalar deltaT,
    const scalar dx
)
{
    for (const label patchi : patches_)
    {
        const fvPatchVectorField& Uw = U.boundaryField()[patchi];
        const vectorField n(Uw.patch().nf());
        const scalarField conductance
        (
            nuEff.boundaryField()[patchi]*Uw.patch().deltaCoeffs()
        );
        const vectorField shear(conductance*(Uw.patchInternalField() - Uw));
        vectorField stress(boundary_.lawStress(patchi));
        stress.setSize(shear.size(), Zero);
        stress +=
            (shear - n*(n & shear) - stress)/(1 + conductance*deltaT/dx);
        boundary_.setLawStress(patchi, stress);
    }
}


std::string Foam::lbmWallLaw::noteName(const label patchi) const
{
    return "wallLaw." + mesh_[patchi].name();
}


void Foam::lbmWallLaw::note(lbm::CheckpointNotes& notes) const
{
    for (const label patchi : patches_)
    {
        std::vector<double> values;
        for (const vector& t : boundary_.lawStress(patchi))
        {
            values.insert(values.end(), {t.x(), t.y(), t.z()});
        }
        notes.arrays[noteName(patchi)] = std::move(values);
    }
}


void Foam::lbmWallLaw::recall(const lbm::CheckpointNotes& notes)
{
    for (const label patchi : patches_)
    {
        const auto found = notes.arrays.find(noteName(patchi));
        vectorField stress(mesh_[patchi].size());
        if
        (
            found == notes.arrays.end()
         || found->second.size() != std::size_t(3*stress.size())
        ) continue;

        const double* value = found->second.data();
        for (vector& t : stress)
        {
            t = vector(value[0], value[1], value[2]);
            value += 3;
        }
        boundary_.setLawStress(patchi, stress);
    }
}
