// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallLaw.H"
#include "lbmWallNodes.H"
#include "ListOps.H"
#include "nutWallFunctionFvPatchScalarField.H"

namespace
{

// Of the way to the slip that is right, what is gone in one update
const Foam::scalar most = 0.5;

// Of what flows past, what it gains within a spacing: all of it in half of one, where
// the middle lies of cells as wide as nodes are apart
const Foam::scalar steepest = 2;

// A spacing over the distance of the centres of cells half as wide
const Foam::scalar thin = 4;

// Cosine between the normal and where a cell off the wall lies, at least
const Foam::scalar across = 0.7;

// Of a spacing, how far from the wall the centres of cells are, at least, that tell what
// the stress is off it
const Foam::scalar thick = 0.35;

// Of the stress at the nodes, what the one farther off may make: the more it is, the less
// the law counts, which friction falls by
const Foam::scalar mostShare = 0.57;

// Distances of which one is a whole number of cells
const Foam::scalar alike = 1e-3;

// Cells that are passed to get off a wall
const Foam::label mostHops = 20;

void shorten(Foam::vector& v, const Foam::scalar most)
{
    const Foam::scalar size = mag(v);
    if (size > most) v *= most/size;
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
    const incompressible::turbulenceModel& turbulence,
    lbmBoundary& boundary,
    const lbm::Domain& domain
)
:
    boundary_(boundary),
    mesh_(U.mesh().boundary()),
    begun_(false)
{
    labelHashSet atWalls;
    forAll(mesh_, patchi)
    {
        if (!boundary.kinds()[patchi].wallLaw) continue;
        const vectorField normals(mesh_[patchi].nf());
        walls_.append
        (
            {
                patchi,
                vectorField(mesh_[patchi].size(), Zero),
                past(U.boundaryField()[patchi], normals),
                vectorField(mesh_[patchi].size(), Zero),
                normals,
                FixedList<scalarField, lbmWallLeak::lags>
                (
                    scalarField(mesh_[patchi].size(), Zero)
                ),
                boundary.kinds()[patchi].slips
              ? resolved(boundary, patchi) : scalarField(),
                labelList(),
                scalarField(),
                scalarField(),
                scalarField(),
                nullptr,
                boolList()
            }
        );
        atWalls.insert(mesh_[patchi].faceCells());
    }
    const bool eddies = isA<incompressible::LESModel>(turbulence);
    const boolList mostly(lbmSampledLaw::mostlyThin(U.mesh(), boundary.spacing()));
    const tmp<volScalarField> nut(turbulence.nut());
    for (wall& w : walls_)
    {
        const fvPatchScalarField& atWall = nut().boundaryField()[w.patchi];
        const bool smooth = lbmSampledLaw::smoothWalls.found(atWall.type());
        const bool resolves = atWall.type() == lbmSampledLaw::resolvedWall;
        if (!smooth && (eddies || !resolves)) continue;
        if (!eddies)
        {
            w.thin = lbmSampledLaw::thin(mesh_[w.patchi], boundary_.spacing());
            // A slip of two forms from face to face pushes the stream off the wall:
            // pitzDaily has a few such faces among others
            if (slips(w) ? !mostly[w.patchi] : !w.thin.found(true)) continue;
        }
        w.sampled = std::make_shared<const lbmSampledLaw>
        (
            refCast<const nutWallFunctionFvPatchScalarField>(atWall),
            atWalls,
            boundary_.spacing()
           *(eddies ? lbmSampledLaw::away : lbmSampledLaw::aboveLayers)
        );
    }
    cells_ = atWalls.sortedToc();
    beside_.setSize(cells_.size());
    ramps_.setSize(cells_.size(), false);
    for (const wall& w : walls_)
    {
        if (!slips(w)) continue;
        const scalarField& perLength = mesh_[w.patchi].deltaCoeffs();
        const labelUList& cells = mesh_[w.patchi].faceCells();
        forAll(cells, i)
        {
            ramps_[findSortedIndex(cells_, cells[i])] =
                2 < perLength[i]*boundary_.spacing()*lbmWallNodes::near;
        }
    }
    forAll(cells_, i)
    {
        DynamicList<label> off;
        for (const label celli : U.mesh().cellCells()[cells_[i]])
        {
            if (!atWalls.found(celli)) off.append(celli);
        }
        beside_[i] = std::move(off);
    }
    for (wall& w : walls_)
    {
        if (slips(w) && !eddies) lookBeyond(w, U.mesh(), domain);
    }
    tell();
}


Foam::label Foam::lbmWallLaw::beyond
(
    const fvMesh& mesh,
    const label celli,
    const vector& inwards,
    const scalar away
) const
{
    const vectorField& C = mesh.cellCentres();
    for (label at = celli, hops = 0; hops < mostHops; ++hops)
    {
        label next = -1;
        scalar farthest = (C[at] - C[celli]) & inwards;
        for (const label beside : mesh.cellCells()[at])
        {
            const vector to(C[beside] - C[celli]);
            const scalar there = to & inwards;
            if (there <= farthest || there < across*mag(to)) continue;
            farthest = there;
            next = beside;
        }
        // Past the first one, cells at a wall are that wall's flow
        const bool atWall = next >= 0 && findSortedIndex(cells_, next) >= 0;
        if (next < 0 || (atWall && hops > 0)) return -1;
        if (farthest >= (1 - alike)*away) return next;
        at = next;
    }
    return -1;
}


Foam::tmp<Foam::scalarField> Foam::lbmWallLaw::nodesAway
(
    const wall& w,
    const lbm::Domain& domain
) const
{
    const lbmPackedLabels& links = boundary_.links(w.patchi);
    const lbmPackedLabels& faces = boundary_.crossed(w.patchi).faces();
    scalarField sum(w.normals.size(), Zero);
    labelList count(w.normals.size(), Zero);
    forAll(links, i)
    {
        const lbm::Link& link = domain.links[links[i]];
        const lbm::Int3 c = lbm::directionOf(link.direction);
        const vector along
        (
            boundary_.axes().toFoam(lbm::Vec3{double(c[0]), double(c[1]), double(c[2])})
        );
        sum[faces[i]] += link.fraction*mag(along & w.normals[faces[i]]);
        ++count[faces[i]];
    }

    auto away = tmp<scalarField>::New(sum.size(), 0.5*boundary_.spacing());
    forAll(count, i)
    {
        if (!count[i] || !boundary_.acrossAxes(w.normals[i])) continue;
        away.ref()[i] = boundary_.spacing()*sum[i]/count[i];
    }
    return away;
}


void Foam::lbmWallLaw::lookBeyond
(
    wall& w,
    const fvMesh& mesh,
    const lbm::Domain& domain
) const
{
    const labelUList& cells = mesh_[w.patchi].faceCells();
    const scalarField nodes(nodesAway(w, domain));
    const scalarField reach(1/mesh_[w.patchi].deltaCoeffs());
    const vectorField& C = mesh.cellCentres();
    const scalar dx = boundary_.spacing();

    // Half of what nodes take of the wall's cells falls off up to there
    const scalar ofWall = 0.5*(lbmWallNodes::near + lbmWallNodes::far)*dx;

    w.beyond.setSize(cells.size(), -1);
    w.away.setSize(cells.size(), 0);
    w.near.setSize(cells.size(), 0);
    w.share.setSize(cells.size(), 0);
    forAll(cells, i)
    {
        if (reach[i] < thick*dx) continue;
        const scalar first = max
        (
            max(1.25*dx, reach[i] + 0.75*dx),
            2*nodes[i]/mostShare - reach[i]
        );
        const label n = beyond(mesh, cells[i], -w.normals[i], first - reach[i]);
        if (n < 0) continue;
        w.beyond[i] = n;
        w.away[i] = (C[cells[i]] - C[n]) & w.normals[i];
        w.near[i] = min(w.away[i], max(0, ofWall - reach[i]));
        w.share[i] = min(mostShare, 2*nodes[i]/(2*reach[i] + w.away[i]));
    }
}


Foam::tmp<Foam::vectorField> Foam::lbmWallLaw::atNodes
(
    const wall& w,
    const fvPatchVectorField& Uw,
    const vectorField& U,
    const vectorField& past,
    const scalarField& nu
) const
{
    auto stress = tmp<vectorField>::New(w.stress);
    const labelUList& cells = mesh_[w.patchi].faceCells();
    forAll(w.beyond, i)
    {
        const label n = w.beyond[i];
        if (n < 0) continue;
        vector gain(U[n] - Uw[i]);
        gain -= (gain & w.normals[i])*w.normals[i] + past[i];
        const scalar resistance =
            w.near[i]/nu[cells[i]] + (w.away[i] - w.near[i])/nu[n];
        vector change(w.share[i]*(gain/resistance - w.stress[i]));
        shorten(change, mag(w.stress[i]));
        stress.ref()[i] += change;
    }
    return stress;
}


Foam::scalarField Foam::lbmWallLaw::resolved
(
    const lbmBoundary& boundary,
    const label patchi
)
{
    const lbmPackedLabels& links = boundary.links(patchi);
    scalarField result(links.size());
    forAll(links, i) result[i] = boundary.unresolved(links[i]) ? 0 : 1;
    return result;
}


Foam::tmp<Foam::vectorField> Foam::lbmWallLaw::past
(
    const fvPatchVectorField& Uw,
    const vectorField& normals
)
{
    auto velocity = tmp<vectorField>::New(Uw.patchInternalField() - Uw);
    velocity.ref() -= normals*(normals & velocity());
    return velocity;
}


void Foam::lbmWallLaw::setDiffusivity
(
    const scalarField& ofModel,
    scalarField& ofNodes
) const
{
    forAll(cells_, i)
    {
        if (beside_[i].empty()) continue;
        scalar n = 0;
        for (const label celli : beside_[i]) n += ofModel[celli];
        n /= beside_[i].size();
        const scalar p = ofModel[cells_[i]];
        if (n <= p) continue;
        ofNodes[cells_[i]] = ramps_[i] ? p + 0.6*(n - p) : n*(p + n)/(3*n - p);
    }
}


void Foam::lbmWallLaw::setViscosity
(
    const scalarField& nuEff,
    scalarField& nu
) const
{
    setDiffusivity(nuEff, nu);
    for (const wall& w : walls_)
    {
        if (!w.sampled || !slips(w)) continue;
        const labelUList& cells = mesh_[w.patchi].faceCells();
        forAll(cells, i)
        {
            if (w.thin.size() && !w.thin[i]) continue;
            const scalar eddies =
                w.sampled->kappa()*sqrt(mag(w.stress[i]))
               *lbmWallNodes::near*boundary_.spacing();
            nu[cells[i]] = max(nu[cells[i]], eddies);
        }
    }
}


void Foam::lbmWallLaw::followSlip
(
    wall& w,
    const fvPatchVectorField& Uw,
    const vectorField& U,
    const vectorField& past,
    const scalarField& nu
) const
{
    const fvPatch& patch = mesh_[w.patchi];
    const scalarField& perLength = patch.deltaCoeffs();
    const vectorField slope
    (
        atNodes(w, Uw, U, past, nu)/scalarField(nu, patch.faceCells())
    );
    vectorField flow(past);
    scalarField reach(1/perLength);
    if (w.thin.size() && w.sampled)
    {
        const vectorField away(w.sampled->past(Uw, w.normals));
        forAll(flow, i)
        {
            if (!w.thin[i]) continue;
            flow[i] = away[i];
            reach[i] = w.sampled->distances()[i];
        }
    }
    forAll(slope, i)
    {
        vector slip(flow[i] - slope[i]*reach[i]);
        if (w.sampled && (slip & flow[i]) < 0) slip = Zero;
        shorten(slip, mag(flow[i]));
        w.slip[i] += most*(slip - w.slip[i]);

        w.gain[i] = perLength[i]*boundary_.spacing() > thin
          ? slope[i] : perLength[i]*(flow[i] - w.slip[i]);
        shorten(w.gain[i], steepest*mag(flow[i])/boundary_.spacing());
    }
}


void Foam::lbmWallLaw::followAcross
(
    wall& w,
    const fvPatchVectorField& Uw,
    const scalar dx,
    const scalar share
) const
{
    const scalarField outwards((Uw.patchInternalField() - Uw) & w.normals);
    const scalarField perLength(min(mesh_[w.patchi].deltaCoeffs(), 2/dx));
    lbmWallLeak::follow(w.across, scalarField(outwards*perLength), share);
}


void Foam::lbmWallLaw::tell()
{
    for (const wall& w : walls_)
    {
        if (begun_) boundary_.setLawStress(w.patchi, w.stress);
        if (!slips(w)) continue;
        const lbmPatchLinks& crossed = boundary_.crossed(w.patchi);
        boundary_.setSlip
        (
            w.patchi,
            w.resolved*crossed.atLinks(w.slip),
            w.resolved*crossed.atLinks(w.gain + w.across.last()*w.normals)
        );
    }
}


void Foam::lbmWallLaw::followStress
(
    wall& w,
    const fvPatchVectorField& Uw,
    const vectorField& past,
    const incompressible::turbulenceModel& turbulence,
    const scalar pace
) const
{
    const scalarField& perLength = Uw.patch().deltaCoeffs();
    vectorField flow(past);
    scalarField conductance(turbulence.nuEff(w.patchi)()*perLength);
    if (w.sampled)
    {
        const vectorField away(w.sampled->past(Uw, w.normals));
        const scalarField lawful
        (
            w.sampled->conductance(away, turbulence.nu(w.patchi)())
        );
        forAll(flow, i)
        {
            if (w.thin.size() && !w.thin[i]) continue;
            flow[i] = away[i];
            conductance[i] = lawful[i];
        }
    }
    w.stress += (conductance*flow - w.stress)/(1 + conductance*pace);
}


void Foam::lbmWallLaw::fillLayers
(
    volVectorField& U,
    const incompressible::turbulenceModel& turbulence
) const
{
    for (const wall& w : walls_)
    {
        if (!w.sampled || w.thin.empty()) continue;
        const fvPatchVectorField& Uw = U.boundaryField()[w.patchi];
        w.sampled->fillLayers
        (
            U.primitiveFieldRef(),
            Uw,
            w.thin,
            w.normals,
            w.sampled->past(Uw, w.normals),
            turbulence.nu(w.patchi)()
        );
    }
}


void Foam::lbmWallLaw::update
(
    const volVectorField& U,
    const incompressible::turbulenceModel& turbulence,
    const scalarField& nu,
    const scalar deltaT,
    const scalar dx,
    const scalar dt
)
{
    const scalar share =
        lbmWallLeak::share(U.mesh().bounds().mag(), dx, deltaT/dt);
    for (wall& w : walls_)
    {
        const fvPatchVectorField& Uw = U.boundaryField()[w.patchi];
        const vectorField past(this->past(Uw, w.normals));
        followStress(w, Uw, past, turbulence, deltaT/dx);
        if (!slips(w)) continue;
        followSlip(w, Uw, U, past, nu);
        followAcross(w, Uw, dx, share);
        boundary_.countLeak(w.patchi);
    }
    begun_ = true;
    tell();
}


std::string Foam::lbmWallLaw::noteName(const wall& w) const
{
    return "wallLaw." + mesh_[w.patchi].name();
}


void Foam::lbmWallLaw::note(lbm::CheckpointNotes& notes) const
{
    for (const wall& w : walls_)
    {
        std::vector<double> values;
        put(values, w.stress);
        put(values, w.slip);
        put(values, w.gain);
        for (const scalarField& behind : w.across)
        {
            values.insert(values.end(), behind.begin(), behind.end());
        }
        notes.arrays[noteName(w)] = std::move(values);
    }
}


void Foam::lbmWallLaw::recall(const lbm::CheckpointNotes& notes)
{
    for (wall& w : walls_)
    {
        const auto found = notes.arrays.find(noteName(w));
        if (found == notes.arrays.end()) continue;
        const std::size_t wanted = (9 + lbmWallLeak::lags)*w.stress.size();
        if (found->second.size() != wanted)
        {
            WarningInFunction
                << "The checkpoint has no state of this version's wall law at "
                << mesh_[w.patchi].name() << ": stresses and slip there begin anew"
                << endl;
            continue;
        }

        const double* value =
            take(take(take(found->second.data(), w.stress), w.slip), w.gain);
        for (scalarField& behind : w.across)
        {
            for (scalar& a : behind) a = *value++;
        }
        begun_ = true;
    }
    if (begun_) tell();
}
