// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallForces.H"
#include "lbm/api/SlippingWall.hpp"

#include <algorithm>

namespace Foam
{
    defineTypeNameAndDebug(lbmWallForces, 0);
}

const Foam::word Foam::lbmWallForces::fieldName("lbmWallForceDensity");


Foam::lbmWallForces::lbmWallForces
(
    const fvMesh& mesh,
    const lbmAxes& axes,
    const lbmBoundary& boundary,
    const lbm::Domain& domain,
    const lbm::Config& config,
    const std::unique_ptr<lbm::Solver>& solver,
    const autoPtr<lbmUnits>& units,
    std::function<scalar()> pressureShift
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
    boundary_(boundary),
    domain_(domain),
    config_(config),
    solver_(solver),
    units_(units),
    pressureShift_(std::move(pressureShift)),
    density_
    (
        IOobject
        (
            fieldName,
            mesh.time().timeName(),
            mesh,
            IOobject::NO_READ,
            IOobject::NO_WRITE
        ),
        mesh,
        dimensionedVector(dimPressure, Zero)
    )
{}


Foam::lbmWallForces::patchLinks& Foam::lbmWallForces::linksOf
(
    const label patchi
)
{
    if (!patches_.found(patchi))
    {
        patches_.set(patchi, new patchLinks);
        patchLinks& links = *patches_[patchi];
        const lbmPatchKind& kind = boundary_.kinds()[patchi];
        if (kind.variable()) links.crossings = &boundary_.crossed(patchi);
        else
        {
            links.ownCrossings.reset
            (
                new lbmPatchLinks(boundary_.crossings(domain_, patchi))
            );
            links.crossings = links.ownCrossings.get();
        }
        if (kind.lawPlanes()) placePlanes(patchi, links);
        else if (kind.wallLaw && !kind.ofLinks) placeLaw(patchi, links);
        if (!kind.lawPlanes())
        {
            links.forces.reset
            (
                new lbm::WallForces
                (
                    *solver_, config_, patchi, boundary_.linkRuns()
                )
            );
            links.each.resize(links.forces->links());
        }
    }
    return *patches_[patchi];
}


// Each node once: it has up to nine links, one after the other
void Foam::lbmWallForces::placeLaw(const label patchi, patchLinks& links)
{
    std::vector<lbm::NodeIndex> nodes;
    labelList nodeOf(boundary_.links(patchi).size());
    label n = 0;
    for (const label i : boundary_.links(patchi))
    {
        const lbm::NodeIndex node = domain_.links[i].node;
        if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
        nodeOf[n++] = label(nodes.size()) - 1;
    }
    links.nodeOf = lbmPackedLabels(nodeOf);
    links.nodes = solver_->place(nodes.data(), nodes.size());
    links.flow.resize(nodes.size()*lbm::valuesOf(lbm::Reading::flow));
}


// Axes along which planes with a law turn what a node sends along a link
lbm::Int3 Foam::lbmWallForces::turnedAlong(const lbm::Link& link) const
{
    const lbm::Int3 c = lbm::directionOf(link.direction);
    lbm::Int3 along{0, 0, 0};
    for (direction a = 0; a < 3; ++a)
    {
        lbm::Int3 axis{0, 0, 0};
        axis[a] = c[a];
        const lbm::Link* straight =
            c[a] ? lbm::findLink(domain_, link.node, axis) : nullptr;
        if (straight && boundary_.kinds()[straight->patch].lawPlanes()) along[a] = c[a];
    }
    return along;
}


// A plane takes twice what its nodes send out along its normal, where that meets it. At an
// edge round which two planes go (lbm/boundary/Donors.hpp) half of what a node sends past it
// goes on, and half of what the node beyond sends into it is turned: once either, with the
// node's link across the axis.
void Foam::lbmWallForces::placePlanes(const label patchi, patchLinks& links)
{
    const std::vector<lbm::Int3> directions(lbm::latticeDirections(config_.lattice));
    const auto numberOf = [&](const lbm::Int3& c)
    {
        return int(std::find(directions.begin(), directions.end(), c) - directions.begin());
    };
    const auto fluidAt = [&](const lbm::NodeIndex node, const lbm::Int3& c)
    {
        const lbm::NodeIndex there = domain_.neighbour(domain_.coordinates(node), c);
        return there >= 0 && domain_.fluid[there] ? there : lbm::NodeIndex(-1);
    };
    lbm::NodeGroups sums(lbm::NodeSet::Kind::sumsOfPopulations);
    for (const label i : boundary_.links(patchi))
    {
        const lbm::Link& link = domain_.links[i];
        const lbm::Int3 out = lbm::directionOf(link.direction);
        const lbm::Int3 along = turnedAlong(link);
        links.along.push_back(along);
        const bool straight = mag(out[0]) + mag(out[1]) + mag(out[2]) == 1;
        // Lattices may lack a link's direction
        const bool sent = numberOf(out) < int(directions.size());
        if (sent && (straight || fluidAt(link.node, out) < 0))
        {
            sums.add(link.node, 2, numberOf(out));
        }
        for (const lbm::Int3& c : directions)
        {
            if (!straight || c == out) continue;
            if (c[0]*out[0] + c[1]*out[1] + c[2]*out[2] != 1) continue;
            if (!lbm::findLink(domain_, link.node, c) || fluidAt(link.node, c) < 0) continue;
            sums.add(link.node, 1, numberOf(c));
            lbm::Int3 aside{0, 0, 0}, into{0, 0, 0};
            for (direction a = 0; a < 3; ++a)
            {
                aside[a] = c[a] - out[a];
                into[a] = out[a] - aside[a];
            }
            const lbm::NodeIndex beyond = fluidAt(link.node, aside);
            if (beyond >= 0) sums.add(beyond, 1, numberOf(into));
        }
        sums.endGroup();
    }
    links.mirrored = solver_->place(sums);
    links.flow.resize(sums.size());
}


// Those that the boundary has need no forces on the patch to be prepared: a body's
// wheels ask for the ground's velocities alone
const Foam::lbmPatchLinks& Foam::lbmWallForces::crossingsOf(const label patchi)
{
    return boundary_.kinds()[patchi].variable()
      ? boundary_.crossed(patchi) : *linksOf(patchi).crossings;
}


// Empty at rest. The ground under a vehicle has millions of links, and each of
// the vehicle's regions asks for it
const std::vector<lbm::Vec3>& Foam::lbmWallForces::velocities
(
    const label patchi
)
{
    wallMotion& wall = motions_[patchi];
    const vectorField onFaces(boundary_.wallVelocities(patchi));
    const scalar dt = boundary_.slips(patchi) ? 0 : units_->dt();
    if (dt > 0 && wall.dt == dt && wall.onFaces == onFaces)
    {
        return wall.atLinks;
    }
    const vectorField atLinks
    (
        boundary_.wallVelocities(patchi, onFaces, crossingsOf(patchi))
    );
    const label n = atLinks.size();
    wall.dt = dt;
    wall.onFaces = onFaces;
    wall.atLinks.resize(n);
    #pragma omp parallel for schedule(static) if (n > 10000)
    for (label i = 0; i < n; ++i)
    {
        wall.atLinks[i] = units_->velocity(axes_, atLinks[i]);
    }
    return wall.atLinks;
}


// All momentum that links return less, for velocities that are no wall's, is the wall's
void Foam::lbmWallForces::takeTold
(
    const label patchi,
    const std::vector<lbm::Vec3>& told,
    std::vector<lbm::Vec3>& forces
) const
{
    const lbmPackedLabels& links = boundary_.links(patchi);
    const label n = told.size();
    #pragma omp parallel for schedule(static) if (n > 10000)
    for (label i = 0; i < n; ++i)
    {
        const lbm::Link& link = domain_.links[links[i]];
        const lbm::Int3 c = lbm::directionOf(link.direction);
        const scalar less =
            6*boundary_.weight(link)
           *lbm::slippingShare(domain_, config_.patches, link)
           *(c[0]*told[i][0] + c[1]*told[i][1] + c[2]*told[i][2]);
        for (direction a = 0; a < 3; ++a) forces[i][a] -= less*c[a];
    }
}


std::function<Foam::vector(Foam::label)> Foam::lbmWallForces::exchanged
(
    const label patchi,
    patchLinks& links
)
{
    lbm::WallForces::Velocities velocities;
    for (const int wall : links.forces->patches())
    {
        const lbmPatchKind& kind = boundary_.kinds()[wall];
        if (kind.lawPlanes() || kind.ofLinks) continue;
        const std::vector<lbm::Vec3>& atLinks = this->velocities(wall);
        if (atLinks.size()) velocities[wall] = atLinks.data();
    }
    std::vector<lbm::Vec3>& each = links.each;
    links.forces->compute(*solver_, velocities, each.data());
    // Fluid slips past a wall at rest
    if (boundary_.kinds()[patchi].ofLinks)
    {
        takeTold(patchi, boundary_.toldVelocities(patchi), each);
    }
    takeTold(patchi, boundary_.forcedVelocities(patchi), each);

    // Momentum of a node's volume at unit lattice speed, per step
    const scalar unit =
        boundary_.nodeVolume()*units_->dx()/sqr(units_->dt());
    return [this, unit, &each](const label i){ return unit*axes_.toFoam(each[i]); };
}


// A place for the force of each link would be kept in the first of many ranks for all
std::function<Foam::vector(Foam::label)> Foam::lbmWallForces::pressed
(
    const label patchi,
    patchLinks& links
) const
{
    solver_->sample(*links.nodes, lbm::Reading::flow, links.flow.data());
    const std::size_t values = lbm::valuesOf(lbm::Reading::flow);
    const lbmPackedLabels& which = boundary_.links(patchi);
    const lbmPackedLabels& faces = links.crossings->faces();
    const vectorField normals(mesh_.boundary()[patchi].nf());
    return [this, values, normals, &links, &which, &faces](const label i) -> vector
    {
        const lbm::Link& link = domain_.links[which[i]];
        const vector& normal = normals[faces[i]];
        const scalar p = units_->pressure(links.flow[links.nodeOf[i]*values]);
        return (p - units_->pressure(1))*(boundary_.areaOf(link, normal)*normal);
    };
}


std::function<Foam::vector(Foam::label)> Foam::lbmWallForces::turned
(
    patchLinks& links
) const
{
    solver_->sumPopulations(*links.mirrored, links.flow.data());
    // Momentum of a node's volume at unit lattice speed, per step
    const scalar unit =
        boundary_.nodeVolume()*units_->dx()/sqr(units_->dt());
    return [this, unit, &links](const label i) -> vector
    {
        const lbm::Int3& n = links.along[i];
        return unit*links.flow[i]
           *axes_.toFoam(lbm::Vec3{double(n[0]), double(n[1]), double(n[2])});
    };
}


// On the faces, in N for a density of 1 kg/m3, relative to the pressure of
// lattice density 1
Foam::tmp<Foam::vectorField> Foam::lbmWallForces::forces(const label patchi)
{
    patchLinks& links = linksOf(patchi);
    const lbmPatchKind& kind = boundary_.kinds()[patchi];
    const bool ofMesh = kind.wallLaw && !kind.ofLinks;
    tmp<vectorField> onFaces
    (
        links.crossings->onFaces
        (
            kind.lawPlanes() ? turned(links)
          : ofMesh ? pressed(patchi, links) : exchanged(patchi, links),
            config_.threads
        )
    );
    const vectorField& stress = boundary_.lawStress(patchi);
    if (stress.size())
    {
        onFaces.ref() += stress*mesh_.boundary()[patchi].magSf();
    }
    return onFaces;
}


void Foam::lbmWallForces::check(const labelHashSet& patches) const
{
    for (const label patchi : patches)
    {
        if (!boundary_.kinds()[patchi].anyWall())
        {
            FatalErrorInFunction
                << "Patch " << mesh_.boundary()[patchi].name()
                << " is no wall to the lattice: forces are those on walls that the fluid"
                << " sticks to, or that have a wall function" << nl
                << "Where it slips past a patch there is pressure alone, which OpenFOAM's"
                << " forces and forceCoeffs take" << exit(FatalError);
        }
    }
}


void Foam::lbmWallForces::update
(
    const labelHashSet& patches,
    const scalar rho,
    const scalar pRef
)
{
    check(patches);
    const scalar level = units_->pOffset() + pressureShift_();
    for (const label patchi : patches)
    {
        const fvPatch& patch = mesh_.boundary()[patchi];
        density_.boundaryFieldRef()[patchi] ==
            rho*forces(patchi)/patch.magSf()
          + (rho*level - pRef)*patch.nf();
    }
}
