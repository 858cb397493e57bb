// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallLaw.H"

#include <algorithm>
#include <map>

namespace
{
    constexpr int flowValues = lbm::valuesOf(lbm::Reading::flow);

    // Links along a wall that they graze meet it far off; their node's distance
    // is not below this share of the spacing
    const Foam::scalar least = 0.1;

    // Weight of the present time step in averages, and how far they may take
    // the stress from the formula's
    const Foam::scalar share = 0.02;
    const Foam::scalar furthest = 1.5;

    // Of the flux through a patch, what its normal velocity takes back at once.
    // Patches share nodes at edges, and answer each other there; without openings
    // the pressure follows what they do (OpenFOAM's hotRoom diverged with 0.5).
    const Foam::scalar gain = 0.5, gainInClosed = 0.1;
}


Foam::lbmWallLaw::lbmWallLaw
(
    const fvMesh& mesh,
    const lbmAxes& axes,
    lbmBoundary& boundary,
    const lbm::Solver& solver,
    const lbm::Config& config,
    const lbmNodeCells& cells
)
:
    mesh_(mesh),
    axes_(axes),
    boundary_(boundary)
{
    forAll(mesh.boundary(), patchi)
    {
        if (boundary.kinds()[patchi].wallLaw)
        {
            addPatch(solver, config, solver.domain(), cells, patchi);
        }
    }
    labelHashSet atWalls;
    for (const label patchi : patches_.toc())
    {
        atWalls.insert(mesh.boundary()[patchi].faceCells());
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


void Foam::lbmWallLaw::addPatch
(
    const lbm::Solver& solver,
    const lbm::Config& config,
    const lbm::Domain& domain,
    const lbmNodeCells& cells,
    const label patchi
)
{
    const labelList& which = boundary_.links(patchi);
    const labelList& faces = boundary_.linkFaces(patchi);
    const vectorField normals(mesh_.boundary()[patchi].nf());
    const bool interpolated = boundary_.kinds()[patchi].interpolated;

    patches_.set(patchi, new links);
    links& own = *patches_[patchi];
    own.faces = faces;
    own.cells.setSize(which.size());
    own.distances.setSize(which.size());
    own.slip.setSize(which.size(), Zero);
    std::vector<lbm::NodeIndex> nodes(which.size());
    own.areas.setSize(which.size());
    label first = 0;
    scalar sum = 0, weights = 0, area = 0;
    forAll(which, i)
    {
        const lbm::Link& link = domain.links[which[i]];
        const lbm::Int3 c = lbm::directionOf(link.direction);
        const vector along
        (
            axes_.toFoam({double(c[0]), double(c[1]), double(c[2])})
        );
        const scalar part = interpolated ? link.fraction : 0.5;
        nodes[i] = link.node;
        own.cells[i] = cells.cellOf(link.node);

        // One distance a node: with one for each of its links, those that look
        // upstream would bring in what the others do not take out
        const scalar weight = boundary_.weight(link);
        sum += weight*max(least, part*mag(along & normals[faces[i]]));
        weights += weight;
        area += 6*weight*mag(along & normals[faces[i]]);
        const bool last = i + 1 == which.size()
         || domain.links[which[i + 1]].node != link.node;
        if (!last) continue;
        for (; first <= i; ++first)
        {
            own.distances[first] = domain.spacing*sum/weights;
            own.areas[first] = area*boundary_.nodeVolume()/domain.spacing;
        }
        sum = weights = area = 0;
    }
    own.nodes = solver.place(nodes.data(), nodes.size());
    own.flow.resize(nodes.size()*flowValues);
    own.forces.reset(new lbm::WallForces(solver, config, patchi));
    own.each.resize(nodes.size());
    own.measured = own.expected = 0;
    measureFlux(solver, patchi, own);
}


void Foam::lbmWallLaw::measureFlux
(
    const lbm::Solver& solver,
    const label patchi,
    links& own
) const
{
    const lbm::Domain& domain = solver.domain();
    std::vector<bool> atOpening(domain.patches.size());
    for (std::size_t i = 0; i < atOpening.size(); ++i)
    {
        atOpening[i] = boundary_.kinds()[i].opening();
    }
    std::vector<lbm::NodeIndex> excluded, nodes;
    for (const lbm::Link& link : domain.links)
    {
        if (atOpening[link.patch]) excluded.push_back(link.node);
    }
    const vectorField normals(mesh_.boundary()[patchi].nf());
    own.area = 0;
    own.inward = 0;
    forAll(own.faces, i)
    {
        const lbm::Link& link = domain.links[boundary_.links(patchi)[i]];
        const lbm::Int3 c = lbm::directionOf(link.direction);
        const lbm::Vec3 n(axes_.toLattice(normals[own.faces[i]]));
        own.area += 6*boundary_.weight(link)
           *mag(c[0]*n[0] + c[1]*n[1] + c[2]*n[2]);
        const bool known = nodes.size() && nodes.back() == link.node;
        const bool apart = std::binary_search
        (
            excluded.begin(), excluded.end(), link.node
        );
        if (!known && !apart) nodes.push_back(link.node);
    }
    if (nodes.empty()) return;
    own.flux.reset(new lbm::OpeningFlux(solver, nodes.data(), nodes.size()));
}


// Without what a fluid at rest would hand over at the node's density: where a node's
// links at a wall are not symmetric, at edges between walls and beside openings, the
// pressure has a part along the wall that is many times the stress.
Foam::vector Foam::lbmWallLaw::sheared
(
    const lbm::Link& link,
    const label i,
    const links& own
) const
{
    const lbm::Int3 c = lbm::directionOf(link.direction);
    const scalar pressure =
        2*boundary_.weight(link)*(own.flow[i*flowValues] - 1);
    lbm::Vec3 force = own.each[i];
    for (int a = 0; a < 3; ++a) force[a] -= pressure*c[a];
    return axes_.toFoam(force);
}


void Foam::lbmWallLaw::measure
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    const label patchi,
    const scalarField& nu,
    const vectorField& along,
    links& own
) const
{
    std::map<int, std::vector<lbm::Vec3>> kept;
    lbm::WallForces::Velocities velocities;
    for (const int wall : own.forces->patches())
    {
        if (!boundary_.kinds()[wall].variable()) continue;
        const vectorField atLinks
        (
            boundary_.wallVelocities(wall, boundary_.crossed(wall))
        );
        for (const vector& u : atLinks)
        {
            kept[wall].push_back(units.velocity(axes_, u));
        }
        if (atLinks.size()) velocities[wall] = kept[wall].data();
    }
    own.forces->compute(solver, velocities, own.each.data());

    const scalar unit =
        boundary_.nodeVolume()*units.dx()/sqr(units.dt());
    const labelList& which = boundary_.links(patchi);
    const std::vector<lbm::Link>& all = solver.domain().links;
    scalar measured = 0, expected = 0;
    for (label first = 0, end = 0; first < which.size(); first = end)
    {
        scalar speed = 0, slipped = 0;
        for
        (
            end = first;
            end < which.size()
         && all[which[end]].node == all[which[first]].node;
            ++end
        )
        {
            const scalar passing = mag(along[end]);
            speed += passing;
            if (passing == 0) continue;
            const vector direction(along[end]/passing);
            measured += unit*(sheared(all[which[end]], end, own) & direction);
            slipped += own.slip[end] & direction;
        }
        expected += nu[own.cells[first]]*own.areas[first]
           *(speed - slipped)/(end - first)/own.distances[first];
    }
    own.measured += share*(measured - own.measured);
    own.expected += share*(expected - own.expected);
}


void Foam::lbmWallLaw::update
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    const volVectorField& U,
    const volScalarField& nuEff,
    const scalarField& nu
)
{
    for (const label patchi : patches_.sortedToc())
    {
        links& own = *patches_[patchi];
        const fvPatchVectorField& Uw = U.boundaryField()[patchi];
        const vectorField normals(Uw.patch().nf());
        const vectorField shear
        (
            nuEff.boundaryField()[patchi]*Uw.patch().deltaCoeffs()
           *(Uw.patchInternalField() - Uw)
        );
        solver.sample(*own.nodes, lbm::Reading::flow, own.flow.data());
        vectorField along(own.slip.size());
        forAll(along, i)
        {
            const vector& n = normals[own.faces[i]];
            const double* flow = &own.flow[i*flowValues];
            const vector v
            (
                units.velocity(axes_, lbm::Vec3{flow[1], flow[2], flow[3]})
              - Uw[own.faces[i]]
            );
            along[i] = v - n*(n & v);
        }
        measure(solver, units, patchi, nu, along, own);
        const scalar ratio = own.expected > 0
          ? max(1/furthest, min(furthest, own.measured/own.expected)) : 1;
        forAll(own.slip, i)
        {
            const label facei = own.faces[i];
            const vector& n = normals[facei];
            const vector tau(shear[facei] - n*(n & shear[facei]));
            const scalar resisted = mag(tau)*own.distances[i];
            const scalar carried = ratio*nu[own.cells[i]]*mag(along[i]);
            const scalar part =
                resisted < 2*carried ? 1 - resisted/carried : -1;
            own.slip[i] = part*along[i];
        }
        if (own.flux)
        {
            const lbm::OpeningFlux::Rates passed = own.flux->compute(solver);
            own.inward -= (boundary_.anyOpening() ? gain : gainInClosed)
               *(passed.in - passed.out)/own.area;
        }
        const scalar inward = own.inward*units.dx()/units.dt();
        forAll(own.slip, i) own.slip[i] -= inward*normals[own.faces[i]];
        boundary_.setSlip(patchi, own.slip);
    }
}


std::string Foam::lbmWallLaw::noteName(const label patchi) const
{
    return "wallLaw." + mesh_.boundary()[patchi].name();
}


void Foam::lbmWallLaw::note(lbm::CheckpointNotes& notes) const
{
    for (const label patchi : patches_.sortedToc())
    {
        const links& own = *patches_[patchi];
        std::vector<double> values{own.measured, own.expected, own.inward};
        for (const vector& u : own.slip)
        {
            values.insert(values.end(), {u.x(), u.y(), u.z()});
        }
        notes.arrays[noteName(patchi)] = std::move(values);
    }
}


void Foam::lbmWallLaw::recall(const lbm::CheckpointNotes& notes)
{
    for (const label patchi : patches_.sortedToc())
    {
        links& own = *patches_[patchi];
        const auto found = notes.arrays.find(noteName(patchi));
        if
        (
            found == notes.arrays.end()
         || found->second.size() != std::size_t(3 + 3*own.slip.size())
        ) continue;

        const double* value = found->second.data();
        own.measured = *value++;
        own.expected = *value++;
        own.inward = *value++;
        for (vector& u : own.slip)
        {
            u = vector(value[0], value[1], value[2]);
            value += 3;
        }
        boundary_.setSlip(patchi, own.slip);
    }
}
