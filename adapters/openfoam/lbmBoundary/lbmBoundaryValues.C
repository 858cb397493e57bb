// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmBoundary.H"
#include "fixedValueFvPatchFields.H"
#include "fixedFluxPressureFvPatchScalarField.H"
#include "mixedFvPatchFields.H"
#include "lbm/api/ForcedWall.hpp"
#include "lbm/api/SlippingWall.hpp"
#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <numeric>

namespace
{
    // Whose values one thread tells as fast as several
    const Foam::label fewLinks = 10000;

    // Whose values are held at a time
    const std::size_t manyLinks = std::size_t(1) << 16;

    // By which velocities of an inlet may be off for its flow rate without a word
    const Foam::scalar mostOfRatio = 0.05;

    // Of the way to what there is, what the mean of an opening goes in a lattice step, which
    // sound is told from by. A freestream always lets sound out somewhere
    Foam::scalar recoveryAt
    (
        const Foam::lbmPatchKind& kind,
        const Foam::lbmUnits& units
    )
    {
        if (!kind.nonReflecting && !kind.freestream) return 0;
        return Foam::min
        (
            Foam::lbmUnits::soundSpeed*units.dx()/kind.lInf, Foam::scalar(1)
        );
    }
}


void Foam::lbmBoundary::evaluateU()
{
    U_.correctBoundaryConditions();
    if (zones_) zones_->correctBoundaryVelocity(U_);
}


std::vector<lbm::Vec3> Foam::lbmBoundary::latticeVelocities
(
    const label patchi,
    const lbmUnits& units
) const
{
    const vectorField U(wallVelocities(patchi));
    std::vector<lbm::Vec3> result;
    if (U.empty()) return result;
    const tmp<vectorField> atLinks(crossings_[patchi].atLinks(U));
    for (const vector& u : atLinks())
    {
        result.push_back(units.velocity(axes_, u));
    }
    return result;
}


Foam::scalar Foam::lbmBoundary::imposedSpeed(word& patch) const
{
    scalar fastest = 0;
    forAll(kinds_, patchi)
    {
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];
        if (Up.empty() || !kinds_[patchi].fixesVelocity()) continue;
        const scalar speed = max(mag(Up));
        if (speed > fastest)
        {
            fastest = speed;
            patch = Up.patch().name();
        }
    }
    return fastest;
}


bool Foam::lbmBoundary::floatingPressure() const
{
    for (const lbmPatchKind& kind : kinds_)
    {
        if (kind.fixesPressure()) return false;
    }
    return true;
}


std::vector<lbm::LinkValue> Foam::lbmBoundary::uniform() const
{
    std::vector<lbm::LinkValue> result;
    for (const lbmPatchKind& kind : kinds_)
    {
        lbm::LinkValue v;
        v.kind = kind.kind();
        v.scheme = kind.scheme;
        v.velocityGradient = kind.velocityGradient;
        // A slip value is a unit normal; update() gives each link its own
        if (v.kind == lbm::BoundaryKind::slip) v.velocity = {1, 0, 0};
        result.push_back(v);
    }
    return result;
}


bool Foam::lbmBoundary::readInterior() const
{
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].variable()) continue;
        for
        (
            const word& type :
            {
                word(U_.mesh().boundary()[patchi].type()),
                word(U_.boundaryField()[patchi].type()),
                word(p_.boundaryField()[patchi].type())
            }
        )
        {
            for (const char* kin : {"mapped", "coded", "expr"})
            {
                if (type.starts_with(kin)) return true;
            }
        }
    }
    return false;
}


void Foam::lbmBoundary::updateFlux()
{
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].opening()) continue;

        // Where the condition lets U float, its patch value may already be cut
        // off by the direction of the flux: take the flow inside
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];
        const vectorField flow
        (
            kinds_[patchi].fixesVelocity()
          ? tmp<vectorField>(Up) : Up.patchInternalField()
        );
        phi_.boundaryFieldRef()[patchi] = flow & Up.patch().Sf();
    }
}


void Foam::lbmBoundary::evaluatePressure(volScalarField& p)
{
    for (fvPatchScalarField& on : p.boundaryFieldRef())
    {
        if (!isA<fixedFluxPressureFvPatchScalarField>(on)) continue;
        refCast<fixedFluxPressureFvPatchScalarField>(on).updateSnGrad
        (
            scalarField(on.size(), Zero)
        );
    }
    p.correctBoundaryConditions();
}


void Foam::lbmBoundary::evaluate()
{
    evaluateU();
    updateFlux();
    evaluateU();
    evaluatePressure(p_);
    ++evaluations_;
}


void Foam::lbmBoundary::setLawStress
(
    const label patchi,
    const vectorField& onFaces
)
{
    lawStress_[patchi] = onFaces;

    // Links of others may pass it on, too
    forAll(kinds_, i)
    {
        if (kinds_[i].lawPlanes()) told_[i] = false;
    }
}


void Foam::lbmBoundary::setSlip
(
    const label patchi,
    const vectorField& atLinks,
    const vectorField& gain
)
{
    slip_[patchi] = atLinks;
    gain_[patchi] = gain;
    told_[patchi] = false;

    // What comes in along it is the inlet's
    forAll(edges_, i)
    {
        if (edges_[i].size() || ends_[i].size()) told_[i] = false;
    }
}


lbm::Vec3 Foam::lbmBoundary::halfWay
(
    const lbmUnits& units,
    const lbm::Link& link,
    const label patchi,
    const label i,
    const lbm::Vec3& atWall,
    const lbm::Vec3& normal,
    lbm::Vec3& gain
) const
{
    const lbm::Int3 c = lbm::directionOf(link.direction);
    const scalar across =
        units.dx()*mag(c[0]*normal[0] + c[1]*normal[1] + c[2]*normal[2]);
    gain = units.velocity(axes_, across*gain_[patchi][i]);
    lbm::Vec3 velocity(atWall);
    for (direction a = 0; a < 3; ++a)
    {
        velocity[a] += (link.fraction - 0.5)*gain[a];
    }
    return velocity;
}


lbm::Vec3 Foam::lbmBoundary::slipHalfWay
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi,
    const label i
) const
{
    const vectorField& normals = U_.mesh().boundaryMesh()[patchi].faceNormals();
    lbm::Vec3 gain;
    return halfWay
    (
        units,
        domain.links[links_[patchi][i]],
        patchi,
        i,
        units.velocity(axes_, slip_[patchi][i]),
        axes_.toLattice(normals[crossings_[patchi].faces()[i]]),
        gain
    );
}


std::vector<lbm::Vec3> Foam::lbmBoundary::tellGain
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi,
    lbm::LinkValue* values
) const
{
    const std::vector<lbm::LinkValue> patches(uniform());
    const std::vector<lbm::Vec3> n(latticeNormals(patchi));
    std::vector<lbm::Vec3> halfWay(n.size());
    const label many = links_[patchi].size();
    #pragma omp parallel for schedule(static) if (many > fewLinks)
    for (label i = 0; i < many; ++i)
    {
        const lbm::Link& link = domain.links[links_[patchi][i]];
        lbm::Vec3 gain;
        halfWay[i] = this->halfWay
        (
            units, link, patchi, i, values[i].velocity, n[i], gain
        );
        values[i].velocity = lbm::slippingWall
        (
            domain, patches, link, values[i].velocity, gain
        );
    }
    return halfWay;
}


void Foam::lbmBoundary::balance
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    const label patchi,
    const std::vector<lbm::Vec3>& halfWay,
    lbm::LinkValue* values
)
{
    leaks_[patchi].follow
    (
        solver,
        balances_[patchi],
        halfWay,
        values,
        units,
        U_.mesh().bounds().mag()
    );
    balances_[patchi].close(halfWay, values, leaks_[patchi].value(units));
}


void Foam::lbmBoundary::findForceShares
(
    const lbm::Domain& domain,
    const label patchi
)
{
    const lbmPackedLabels& links = links_[patchi];
    std::vector<scalar>& shares = forceShares_[patchi];
    if (shares.size() == std::size_t(links.size())) return;
    const std::vector<lbm::LinkValue> patches(uniform());
    shares.resize(links.size());
    #pragma omp parallel for schedule(static) if (links.size() > fewLinks)
    for (label i = 0; i < links.size(); ++i)
    {
        shares[i] =
            lbm::velocityPerForce(domain, patches, domain.links[links[i]]);
    }
}


const std::vector<lbm::NodeIndex>& Foam::lbmBoundary::forcedNodes
(
    const lbm::Domain& domain
)
{
    if (forcedNodeOf_.size() == kinds_.size()) return forcedNodes_;
    forcedNodeOf_.setSize(kinds_.size());
    const auto eachLink = [&](const auto& visit)
    {
        forAll(kinds_, patchi)
        {
            if (!kinds_[patchi].followsForce || !nLinks_[patchi]) continue;
            for (const label i : links_[patchi]) visit(patchi, domain.links[i].node);
        }
    };
    std::vector<lbm::NodeIndex>& nodes = forcedNodes_;
    nodes.clear();
    eachLink([&](const label, const lbm::NodeIndex node){ nodes.push_back(node); });
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    eachLink
    (
        [&](const label patchi, const lbm::NodeIndex node)
        {
            forcedNodeOf_[patchi].push_back
            (
                std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin()
            );
        }
    );
    return forcedNodes_;
}


void Foam::lbmBoundary::setForces
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const std::vector<double>& forces
)
{
    const lbm::Domain& domain = solver.domain();
    forcedNodes(domain); // of links that were connected since, too
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].followsForce || !nLinks_[patchi]) continue;
        const lbmPackedLabels& links = links_[patchi];
        findForceShares(domain, patchi);
        const std::vector<scalar>& shares = forceShares_[patchi];
        std::vector<lbm::Vec3> told(links.size(), lbm::Vec3{0, 0, 0});
        #pragma omp parallel for schedule(static) if (links.size() > fewLinks)
        for (label i = 0; i < links.size(); ++i)
        {
            const double* force = &forces[3*std::size_t(forcedNodeOf_[patchi][i])];
            for (direction a = 0; a < 3; ++a) told[i][a] = shares[i]*force[a];
        }
        if (told == forced_[patchi]) continue;
        forced_[patchi] = std::move(told);
        pass(solver, units, patchi);
    }
}


void Foam::lbmBoundary::addForced(const label patchi, const piece& links) const
{
    const std::vector<lbm::Vec3>& forced = forced_[patchi];
    if (forced.empty()) return;
    for (std::size_t i = links.first; i < links.first + links.n; ++i)
    {
        for (direction a = 0; a < 3; ++a) links[i].velocity[a] += forced[i][a];
    }
}


void Foam::lbmBoundary::setLawValues
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi,
    const piece& links
) const
{
    const scalar unit = sqr(units.dt()/units.dx());
    // Made here where nobody has asked for them yet: threads may not
    forAll(kinds_, i)
    {
        if (kinds_[i].lawPlanes()) U_.mesh().boundaryMesh()[i].faceNormals();
    }
    const auto setFrom = [&](const std::size_t first, const std::size_t end)
    {
        auto listed = std::lower_bound
        (
            lawPlanes_[patchi].cbegin(),
            lawPlanes_[patchi].cend(),
            label(first),
            [](const passing& its, const label link){ return its.link < link; }
        );
        for (std::size_t i = first; i < end; ++i)
        {
            const lbm::Link& link = domain.links[links_[patchi][i]];
            planes passed(labelPair(-1, -1));
            const bool others =
                listed != lawPlanes_[patchi].cend() && listed->link == label(i);
            if (others) passed = (listed++)->of;
            else passed[0] = labelPair(patchi, i);
            for (const labelPair& plane : passed)
            {
                const label patch = plane.first(), of = plane.second();
                if (patch < 0 || lawStress_[patch].empty()) continue;
                const label facei = crossings_[patch].faces()[of];
                links[i].density += lbm::shearPart
                (
                    weight(link),
                    lbm::directionOf(link.direction),
                    axes_.toLattice
                    (
                        U_.mesh().boundary()[patch].patch().faceNormals()[facei]
                    ),
                    axes_.toLattice
                    (
                        unit*crossings_[patch].atLink(of, lawStress_[patch])
                    )
                );
            }
        }
    };
    const std::size_t shares = (links.n + fewLinks - 1)/fewLinks;
    lbm::inParallel
    (
        shares,
        [&](const std::size_t share)
        {
            const std::size_t first = links.first + share*fewLinks;
            setFrom(first, std::min(first + fewLinks, links.first + links.n));
        },
        std::min(int(shares), omp_get_max_threads())
    );
}


Foam::tmp<Foam::scalarField> Foam::lbmBoundary::imposedPressure
(
    const label patchi
) const
{
    if (freestreams_.set(patchi)) return freestreams_[patchi].pressure();
    const scalarField& p = p_.boundaryField()[patchi];
    if (!kinds_[patchi].entersFromRest) return tmp<scalarField>(p);
    const scalarField& area = U_.mesh().boundary()[patchi].magSf();
    return p - 0.5*sqr(min(phi_.boundaryField()[patchi]/area, scalar(0)));
}


Foam::lbmBoundary::faceValues Foam::lbmBoundary::present(const label patchi) const
{
    const lbmPatchKind& kind = kinds_[patchi];
    const fvPatch& patch = U_.mesh().boundary()[patchi];
    faceValues now;
    const bool plane = lbm::isPlane(kind.kind());
    if (plane) now.normals = patch.nf();
    if (!plane || kind.wallLaw)
    {
        crossings_[patchi].requireValues();
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];
        now.U = kind.freestream ? freestreams_[patchi].velocity()
          : kind.afar
          ? tmp<vectorField>(refCast<const mixedFvPatchVectorField>(Up).refValue())
          : seenFromNodes(patchi);
    }
    if (!plane)
    {
        now.p = imposedPressure(patchi);
        if (gains(patchi)) now.gain = gains_[patchi].value()*patch.nf();
        if (kind.freestream)
        {
            now.enters = freestreams_[patchi].enters();
            const vectorField turned(freestreams_[patchi].turned());
            if (now.gain.size()) now.gain += turned;
            else now.gain = turned;
        }
    }
    return now;
}


void Foam::lbmBoundary::setValues
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi,
    const faceValues& now,
    const piece& links
) const
{
    const lbmPatchKind& kind = kinds_[patchi];
    const lbmPatchLinks& crossings = crossings_[patchi];
    const lbmPackedLabels& faces = crossings.faces();

    lbm::LinkValue plain;
    plain.kind = kind.kind();
    const label first = links.first, end = links.first + links.n;
    if (lbm::isPlane(plain.kind))
    {
        #pragma omp parallel for schedule(static) if (end - first > fewLinks)
        for (label i = first; i < end; ++i)
        {
            links[i] = plain;
            links[i].velocity = axes_.toLattice(now.normals[faces[i]]);
        }
        if (lawStress_[patchi].size()) setLawValues(domain, units, patchi, links);
        for (const halfJump& half : halfJumps_[patchi])
        {
            if (!links.holds(half.link)) continue;
            const lbm::Link& link = domain.links[links_[patchi][half.link]];
            const scalar jump = 0.5*half.sense*jumps_[half.face];
            links[half.link].density +=
                weight(link)*(units.density(units.pOffset() + jump) - 1);
        }
        if (kind.wallLaw) stickWhereUnresolved(units, patchi, now.U, links);
        return;
    }

    const vectorField& slip = slip_[patchi];
    const scalarField& flux = phi_.boundaryField()[patchi];
    const scalar recovery = recoveryAt(kind, units);
    const scalar ofInflow = densityOfInflow(units, patchi);
    #pragma omp parallel for schedule(static) if (end - first > fewLinks)
    for (label i = first; i < end; ++i)
    {
        lbm::LinkValue& v = links[i];
        v = plain;
        const bool enters = kind.freestream
          ? now.enters[faces[i]] : kind.backflowValue && flux[faces[i]] < 0;
        if (enters) v.kind = lbm::BoundaryKind::velocity;
        if (enters || (kind.fixesVelocity() && !kind.freestream))
        {
            vector U(crossings.atLink(i, now.U));
            if (slip.size()) U += slip[i];
            v.velocity = units.velocity(axes_, U);
        }
        else if (now.gain.size())
        {
            v.velocity = units.velocity(axes_, crossings.atLink(i, now.gain));
        }
        if (kind.fixesPressure())
        {
            v.density = units.density
            (
                kind.farField ? kind.fieldInf : crossings.atLink(i, now.p)
            );
        }
        if (kind.freestream && enters && kind.keepsSoundIn()) v.recovery = recovery;
        if (kind.nonReflecting && !enters)
        {
            v.recovery = recovery;
            if (kind.fixesPressure()) v.density -= ofInflow;
        }
    }
}


bool Foam::lbmBoundary::changed(const label patchi)
{
    const lbmPatchKind& kind = kinds_[patchi];
    const vectorField& U = U_.boundaryField()[patchi];
    const scalarField& p = p_.boundaryField()[patchi];

    const bool same = told_[patchi]
        && !kind.backflowValue && !kind.entersFromRest && !kind.afar && !kind.freestream && !gains(patchi)
        && toldInflow_[patchi] == inflowChange_.velocity(patchi)
        && (!kind.fixesVelocity() || toldU_[patchi] == U)
        && (!kind.fixesPressure() || kind.farField || toldP_[patchi] == p);
    if (same) return false;

    told_[patchi] = true;
    toldInflow_[patchi] = inflowChange_.velocity(patchi);
    if (kind.fixesVelocity()) toldU_[patchi] = U;
    if (kind.fixesPressure()) toldP_[patchi] = p;
    return true;
}


void Foam::lbmBoundary::addEdges
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi,
    const piece& links,
    broughtMass& brought
) const
{
    for (const besideInlet& edge : edges_[patchi])
    {
        if (!links.holds(edge.link)) continue;
        const lbm::Link& beside = domain.links[edge.beside];
        const lbm::Int3 c = lbm::directionOf(beside.direction);
        const bool tells = slips(edge.patch);
        lbm::Vec3 velocity(links[edge.link].velocity);
        if (tells)
        {
            velocity = slipHalfWay
            (
                domain, units, edge.patch, links_[edge.patch].find(edge.beside)
            );
        }
        for (direction b = 0; b < 3; ++b)
        {
            // It meets its image there
            if (b == edge.across && !kinds_[edge.patch].wallLaw) continue;
            (tells ? brought.byWalls : brought.byInlet) +=
                betweenPlanes(patchi, edge.link)*6*weight(beside)*c[b]*velocity[b];
        }
    }
}


Foam::scalar Foam::lbmBoundary::broughtByEnds
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi
) const
{
    scalar brought = 0;
    for (const endOfWall& end : ends_[patchi])
    {
        if (!slips(end.patch)) continue;
        const lbm::Link& link = domain.links[links_[end.patch][end.link]];
        const lbm::Int3 c = lbm::directionOf(link.direction);
        const lbm::Vec3 u(slipHalfWay(domain, units, end.patch, end.link));
        brought += end.share*6*weight(link)*(c[0]*u[0] + c[1]*u[1] + c[2]*u[2]);
    }
    return brought;
}


Foam::scalar Foam::lbmBoundary::fluxRatio
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi,
    const std::function<void(const piece&)>& told
) const
{
    const scalarField& flux = phi_.boundaryField()[patchi];
    const scalar wanted = sum(flux)*units.dt()/nodeVolume_;
    const scalar eitherWay = sum(mag(flux))*units.dt()/nodeVolume_;
    if (besidePlanesAlone_[patchi] || mag(wanted) <= oneWayShare*eitherWay) return 1;

    // A link adds 6 w c.u to the population that comes back. Threads share the links,
    // of which one adds them up in their order: whatever number of threads, the same sum
    const std::size_t all = links_[patchi].size();
    lbm::UnsetVector<lbm::LinkValue> values(std::min(all, manyLinks));
    lbm::UnsetVector<scalar> terms(values.size());
    broughtMass brought;
    brought.byWalls = broughtByEnds(domain, units, patchi);
    for (std::size_t first = 0; first < all; first += manyLinks)
    {
        const piece links{first, std::min(manyLinks, all - first), values.data()};
        told(links);
        const label n = links.n;
        #pragma omp parallel for schedule(static) if (n > fewLinks)
        for (label i = 0; i < n; ++i)
        {
            const lbm::Link& link = domain.links[links_[patchi][first + i]];
            const lbm::Int3 c = lbm::directionOf(link.direction);
            terms[i] = 0;
            for (int a = 0; a < 3; ++a)
            {
                terms[i] += 6*weight(link)*c[a]*values[i].velocity[a];
            }
            terms[i] *= betweenPlanes(patchi, label(first) + i);
        }
        brought.byInlet =
            std::accumulate(terms.begin(), terms.begin() + n, brought.byInlet);
        addEdges(domain, units, patchi, links, brought);
    }
    const scalar byInlet = wanted - brought.byWalls;
    return brought.byInlet*byInlet <= 0 ? 1 : byInlet/brought.byInlet;
}


bool Foam::lbmBoundary::anyGain() const
{
    bool any = false;
    forAll(gains_, patchi) any = any || gains(patchi);
    return any;
}


Foam::scalarField Foam::lbmBoundary::pressureBesideGains() const
{
    scalarField beside;
    forAll(gains_, patchi)
    {
        if (!gains(patchi)) continue;
        beside.append(p_.boundaryField()[patchi].patchInternalField()());
    }
    return beside;
}


// What eddies on the lattice leave on the mesh is of the last time that somebody looked, on
// which the flow is not to depend
void Foam::lbmBoundary::followFreestream(const lbmUnits& units, const label patchi)
{
    scalarField nu(freestreams_[patchi].rate());
    for (scalar& value : nu) value = units.viscosity().nu(value);
    const auto* nut = besideModels_ ? U_.mesh().findObject<volScalarField>("nut") : nullptr;
    if (nut) nu += nut->boundaryField()[patchi];
    freestreams_[patchi].follow(lbmUnits::soundSpeed*units.dx()/units.dt(), nu);
}


void Foam::lbmBoundary::followGains(const lbmUnits& units, const label steps)
{
    if (steps <= 0) return;
    forAll(freestreams_, patchi)
    {
        if (freestreams_.set(patchi)) followFreestream(units, patchi);
    }
    forAll(gains_, patchi)
    {
        if (!gains(patchi)) continue;
        // What comes in at a given static pressure comes in alike
        const lbmPatchKind& kind = kinds_[patchi];
        const scalarField& flux = phi_.boundaryField()[patchi];
        const bool alike = !kind.nonReflecting && !kind.restsOutside;
        const scalarField entering((alike ? 1 : 0)*neg(flux));
        const scalarField part((kind.freestream ? 0 : 1)*(1 - entering));
        gains_[patchi].follow
        (
            p_,
            U_,
            imposedPressure(patchi),
            part,
            entering,
            units,
            gainRate(patchi),
            steps*lbmUnits::soundSpeed*units.dx()/kind.lInf
        );
    }
}


void Foam::lbmBoundary::followInflow(const lbmUnits& units, const label steps)
{
    // Conditions are told once more after a restart within a time step
    if (steps <= 0 && !inflowChange_.unknown()) return;
    scalar brought = 0, leaving = 0, open = 0;
    scalarField out(kinds_.size(), Zero), area(kinds_.size(), Zero);
    forAll(kinds_, patchi)
    {
        const lbmPatchKind& kind = kinds_[patchi];
        if (!kind.opening() || kind.freestream || kind.afar) continue;
        const fvPatch& patch = U_.mesh().boundary()[patchi];
        if (kind.fixesVelocity())
        {
            // Others follow the flow within (advective)
            const fvPatchVectorField& Up = U_.boundaryField()[patchi];
            if (!isA<fixedValueFvPatchVectorField>(Up)) continue;
            brought -= gSum(Up & patch.Sf());
            continue;
        }
        out[patchi] = max(gSum(phi_.boundaryField()[patchi]), scalar(0));
        area[patchi] = gSum(patch.magSf());
        leaving += out[patchi];
        open += area[patchi];
    }
    inflowChange_.begin();
    const bool byFlow = leaving > 0.5*mag(brought) && leaving > 0;
    forAll(kinds_, patchi)
    {
        const lbmPatchKind& kind = kinds_[patchi];
        if (!kind.nonReflecting || area[patchi] <= 0) continue;
        const scalar part = byFlow ? out[patchi]/leaving : area[patchi]/open;
        inflowChange_.follow
        (
            patchi,
            brought,
            part/area[patchi],
            1 - pow(1 - recoveryAt(kind, units), max(steps, label(0)))
        );
    }
}


Foam::scalar Foam::lbmBoundary::densityOfInflow
(
    const lbmUnits& units,
    const label patchi
) const
{
    const scalar unit = units.dt()/units.dx();
    const scalar mean = unit*inflowChange_.meanOutflow(patchi);
    return unit*inflowChange_.velocity(patchi)
       /(mean + sqrt(sqr(mean) + sqr(lbmUnits::soundSpeed)));
}


void Foam::lbmBoundary::takeJumps()
{
    if (!presentJumps_) return;
    const scalarField present(presentJumps_());
    if (jumps_ == present) return;
    jumps_ = present;
    forAll(halfJumps_, patchi)
    {
        if (halfJumps_[patchi].size()) told_[patchi] = false;
    }
}


void Foam::lbmBoundary::note(lbm::CheckpointNotes& notes) const
{
    inflowChange_.note(notes);
    forAll(gains_, patchi)
    {
        if (gains(patchi)) gains_[patchi].note(notes);
        if (freestreams_.set(patchi)) freestreams_[patchi].note(notes);
        if (balances(patchi)) leaks_[patchi].note(notes, patchName(patchi));
    }
}


void Foam::lbmBoundary::recall(const lbm::CheckpointNotes& notes)
{
    inflowChange_.recall(notes);
    forAll(gains_, patchi)
    {
        if (gains(patchi)) gains_[patchi].recall(notes);
        if (freestreams_.set(patchi)) freestreams_[patchi].recall(notes);
        if (balances(patchi)) leaks_[patchi].recall(notes, patchName(patchi));
    }
}


void Foam::lbmBoundary::update
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const label steps
)
{
    const scalar soundSpeed = lbmUnits::soundSpeed*units.dx()/units.dt();
    for (volScalarField& psi : psi_)
    {
        psi = dimensionedScalar
        (
            psi.name(), psi.dimensions(), 1/sqr(soundSpeed)
        );
    }
    evaluate();
    takeJumps();
    followGains(units, steps);
    followInflow(units, steps);
    for (lbmWallLeak& leak : leaks_) leak.wait(steps);

    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].variable() || !nLinks_[patchi]) continue;
        // Links of a law by links are the law's to tell
        if (kinds_[patchi].ofLinks) continue;
        if (changed(patchi)) pass(solver, units, patchi);
    }
}


void Foam::lbmBoundary::tellNarrow(const label patchi, const scalar ratio)
{
    if (!narrow_.insert(patchi)) return;
    WarningInFunction
        << "Patch " << U_.mesh().boundary()[patchi].name() << ": nodes stand for " << 1/ratio
        << " of its area, so that what enters is " << ratio << " times as fast as given:"
        << " its flow rate is kept, its momentum is not" << nl
        << "Way out: entry cellSize of system/lbmDict, of which its width is a whole number"
        << ", or finer" << endl;
}


void Foam::lbmBoundary::pass
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const label patchi
)
{
    const lbm::Domain& domain = solver.domain();
    const lbmPatchKind& kind = kinds_[patchi];
    const faceValues now(present(patchi));
    const std::size_t n = nLinks_[patchi];

    // What a wall past which the fluid slips brings, all its links decide
    lbm::UnsetVector<lbm::LinkValue> balanced;
    if (gain_[patchi].size() && !lbm::isPlane(kind.kind()))
    {
        balanced.resize(n);
        setValues(domain, units, patchi, now, {0, n, balanced.data()});
        const std::vector<lbm::Vec3> halfWay
        (
            tellGain(domain, units, patchi, balanced.data())
        );
        addForced(patchi, {0, n, balanced.data()});
        balance(solver, units, patchi, halfWay, balanced.data());
        if (keepsToldSlip_)
        {
            toldSlip_[patchi].resize(n);
            for (std::size_t i = 0; i < n; ++i) toldSlip_[patchi][i] = balanced[i].velocity;
        }
    }
    const auto told = [&](const piece& links)
    {
        if (balanced.size())
        {
            std::copy_n(balanced.data() + links.first, links.n, links.values);
            return;
        }
        setValues(domain, units, patchi, now, links);
        if (!lbm::isPlane(kind.kind())) addForced(patchi, links);
    };
    const scalar ratio =
        kind.is == lbmPatchKind::role::velocity && !kind.afar
      ? fluxRatio(domain, units, patchi, told) : 1;
    if (mag(ratio - 1) > mostOfRatio) tellNarrow(patchi, ratio);
    solver.tellBoundary
    (
        patchi,
        n,
        [&](std::size_t first, std::size_t many, lbm::LinkValue* values)
        {
            told({first, many, values});
            if (ratio == 1) return;
            for (std::size_t i = 0; i < many; ++i)
            {
                for (double& u : values[i].velocity) u *= ratio;
            }
        }
    );
}


Foam::scalar Foam::lbmBoundary::areaOf
(
    const lbm::Link& link,
    const vector& normal
) const
{
    const lbm::Int3 c = lbm::directionOf(link.direction);
    const lbm::Vec3 n(axes_.toLattice(normal));
    return
        6*weight(link)*mag(c[0]*n[0] + c[1]*n[1] + c[2]*n[2])
       *nodeVolume_/spacing_;
}


Foam::tmp<Foam::vectorField> Foam::lbmBoundary::wallVelocities
(
    const label patchi
) const
{
    tmp<vectorField> U(seenFromNodes(patchi));
    return gMax(mag(U())) > 0 ? U : tmp<vectorField>::New();
}


Foam::tmp<Foam::vectorField> Foam::lbmBoundary::wallVelocities
(
    const label patchi,
    const vectorField& onFaces,
    const lbmPatchLinks& at
) const
{
    if (onFaces.size())
    {
        tmp<vectorField> velocities(at.atLinks(onFaces));
        if (slips(patchi)) velocities.ref() += slip_[patchi];
        return velocities;
    }
    return slips(patchi)
      ? tmp<vectorField>::New(slip_[patchi]) : tmp<vectorField>::New();
}


void Foam::lbmBoundary::forget()
{
    told_ = false;
}


void Foam::lbmBoundary::beginAnew()
{
    forAll(gains_, patchi)
    {
        if (gains_.set(patchi)) gains_[patchi].beginAnew();
    }
    forAll(freestreams_, patchi)
    {
        if (freestreams_.set(patchi)) freestreams_[patchi].beginAnew();
    }
    inflowChange_ = lbmInflowChange(kinds_.size());
    forget();
}


void Foam::lbmBoundary::countFlow(const lbm::Solver& solver)
{
    forAll(leaks_, patchi)
    {
        if (!balances(patchi) || !nLinks_[patchi]) continue;
        const lbmPackedLabels& links = links_[patchi];
        leaks_[patchi].place
        (
            solver,
            lbm::SlipBalance::passing
            (
                solver,
                uniform(),
                std::vector<std::size_t>(links.begin(), links.end())
            )
        );
    }
    if (!anyOpening()) return;

    std::vector<bool> open, slips;
    for (const lbmPatchKind& kind : kinds_)
    {
        open.push_back(kind.opening());
        slips.push_back(kind.wallLaw || kind.is == lbmPatchKind::role::slip);
    }
    passing_.reset(new lbm::OpeningFlux(solver, open, slips));
}


lbm::OpeningFlux::Rates Foam::lbmBoundary::flowRates
(
    const lbm::Solver& solver,
    const lbmUnits& units
) const
{
    lbm::OpeningFlux::Rates rates = passing_->compute(solver);
    rates.in *= nodeVolume_/units.dt();
    rates.out *= nodeVolume_/units.dt();
    return rates;
}
