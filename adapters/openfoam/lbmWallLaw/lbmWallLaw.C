// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallLaw.H"

#include <algorithm>

namespace
{

// Of the way to the slip that is right, what is gone in one time step of the case
const Foam::scalar most = 0.5;

// The ratio follows what is measured by this power, at most by this factor at once,
// and never lies further from 1 than a factor of `furthest`
const Foam::scalar pace = 0.1, atOnce = 2, furthest = 3;

Foam::scalar within(const Foam::scalar x, const Foam::scalar factor)
{
    return Foam::max(1/factor, Foam::min(factor, x));
}

void put(std::vector<double>& values, const Foam::vectorField& vectors)
{
    for (const Foam::vector& v : vectors)
    {
        values.insert(values.end(), {v.x(), v.y(), v.z()});
    }
}

const double* take(const double* value, Foam::vectorField& vectors)
{
    for (Foam::vector& v : vectors)
    {
        v = Foam::vector(value[0], value[1], value[2]);
        value += 3;
    }
    return value;
}

} // End anonymous namespace


Foam::lbmWallLaw::lbmWallLaw
(
    const volVectorField& U,
    lbmBoundary& boundary,
    lbmWallForces& forces
)
:
    boundary_(boundary),
    forces_(forces),
    mesh_(U.mesh().boundary()),
    begun_(false)
{
    labelHashSet atWalls;
    forAll(mesh_, patchi)
    {
        if (!boundary.kinds()[patchi].wallLaw) continue;
        walls_.append
        (
            {
                patchi,
                vectorField(mesh_[patchi].size(), Zero),
                past(U.boundaryField()[patchi]),
                1
            }
        );
        boundary_.setSlip(patchi, walls_.last().slip);
        atWalls.insert(mesh_[patchi].faceCells());
    }
    cells_ = atWalls.sortedToc();
    beside_.setSize(cells_.size());
    forAll(cells_, i)
    {
        DynamicList<label> off;
        for (const label celli : U.mesh().cellCells()[cells_[i]])
        {
            if (!atWalls.found(celli)) off.append(celli);
        }
        beside_[i] = std::move(off);
    }
}


Foam::tmp<Foam::vectorField> Foam::lbmWallLaw::past
(
    const fvPatchVectorField& Uw
)
{
    const vectorField n(Uw.patch().nf());
    auto velocity = tmp<vectorField>::New(Uw.patchInternalField() - Uw);
    velocity.ref() -= n*(n & velocity());
    return velocity;
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


void Foam::lbmWallLaw::measure(wall& w) const
{
    const lbmWallForces::friction f(forces_.frictionOf(w.patchi, w.stress));
    if (!(f.wanted > 0)) return;
    const scalar off = f.taken > 0 ? f.wanted/f.taken : atOnce;
    w.ratio = within(w.ratio*pow(within(off, atOnce), pace), furthest);
}


void Foam::lbmWallLaw::update
(
    const volVectorField& U,
    const volScalarField& nuEff,
    const scalarField& nu,
    const scalar deltaT,
    const scalar dx
)
{
    for (wall& w : walls_)
    {
        if (begun_) measure(w);

        const fvPatchVectorField& Uw = U.boundaryField()[w.patchi];
        const scalarField& perLength = Uw.patch().deltaCoeffs();
        const scalarField conductance
        (
            nuEff.boundaryField()[w.patchi]*perLength
        );
        const vectorField past(this->past(Uw));
        w.stress += (conductance*past - w.stress)/(1 + conductance*deltaT/dx);

        const scalarField lattice(nu, Uw.patch().faceCells());
        vectorField slip(past - w.ratio*w.stress/(lattice*perLength));
        forAll(slip, i)
        {
            const scalar fastest = mag(past[i]);
            if (mag(slip[i]) > fastest) slip[i] *= fastest/mag(slip[i]);
        }
        w.slip += most*(slip - w.slip);
        boundary_.setSlip(w.patchi, w.slip);
    }
    begun_ = true;
}


std::string Foam::lbmWallLaw::noteName(const wall& w) const
{
    return "wallLaw." + mesh_[w.patchi].name();
}


void Foam::lbmWallLaw::note(lbm::CheckpointNotes& notes) const
{
    for (const wall& w : walls_)
    {
        std::vector<double> values{w.ratio};
        put(values, w.stress);
        put(values, w.slip);
        notes.arrays[noteName(w)] = std::move(values);
    }
}


void Foam::lbmWallLaw::recall(const lbm::CheckpointNotes& notes)
{
    for (wall& w : walls_)
    {
        const auto found = notes.arrays.find(noteName(w));
        if
        (
            found == notes.arrays.end()
         || found->second.size() != std::size_t(1 + 6*w.stress.size())
        ) continue;

        const double* value = found->second.data();
        w.ratio = *value++;
        take(take(value, w.stress), w.slip);
        boundary_.setSlip(w.patchi, w.slip);
        begun_ = true;
    }
}
