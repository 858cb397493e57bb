// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmNodeSources.H"
#include "bitSet.H"

#include <algorithm>
#include <numeric>

namespace
{
    // Drag is brought up to date in this part of its time scale
    const Foam::scalar lag = 0.1;

    // Forces across the velocity in this part of theirs
    const Foam::scalar turningLag = 0.01;

    const std::string noteName("sources.forces");

    // Of a speed that is not to be passed, one from which on each lattice step is looked at
    const Foam::scalar nearlyAsFast = 0.9;

    // A node belongs to cells that have this part of it
    const Foam::scalar halfOfNode = 0.5;

    // So few are one thread's
    const std::size_t fewNodes = 10000;

    // Nodes along the edges of bricks, whose neighbours are read at once
    const int brick = 8;

    // F per a: (1 + k/2)^-1 for each eigenvalue k of K, in lattice units. Drag that
    // at most stops what arrives, for more would turn an error in it round, is
    //   (1 + k/2)/(1 + k + k^2/2):
    // the same to k^2, its product with k rises to 1 instead of 2 and never passes it
    Foam::tensor response(const Foam::tensor& K, const bool atMostStops)
    {
        using namespace Foam;
        if (!atMostStops) return inv(tensor::I + 0.5*K);
        return inv(tensor::I + K + 0.5*(K & K)) & (tensor::I + 0.5*K);
    }
}


Foam::lbmNodeSources::lbmNodeSources
(
    const lbmSources& sources,
    const lbmAxes& axes,
    const lbmBoundary& boundary,
    const lbm::Solver& solver
)
:
    sources_(sources),
    axes_(axes),
    boundary_(boundary),
    nodes_(sources.mesh(), solver.domain(), axes, sources.cells()),
    drag_(false),
    interval_(labelMax),
    turning_(sources.nFrames())
{
    refuseMissedCells();
    for (const lbm::NodeIndex node : nodes_.nodes())
    {
        frameOf_.push_back(sources.frameOf(node));
    }
    const std::size_t n = nNodes();
    placed_ = solver.place(nodes_.nodes().data(), n);
    forces_.resize(3*n);
}


void Foam::lbmNodeSources::refuseMissedCells() const
{
    bitSet reached(sources_.cells().size());
    for (std::size_t i = 0; i < nNodes(); ++i)
    {
        for (auto s = nodes_.begin(i); s != nodes_.end(i); ++s)
        {
            reached.set(s->cell);
        }
    }
    bitSet inMesh(sources_.mesh().nCells());
    for (const label i : reached) inMesh.set(sources_.cells()[i]);
    sources_.refuseWithout(inMesh);
}


void Foam::lbmNodeSources::set
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    const vector& everywhere
)
{
    const vectorField& a = sources_.a();
    const tensorField& K = sources_.K();
    scalar change = 0;      // in a lattice step, by what may be in an interval
    for (const tensor& k : K) change = max(change, mag(k)*units.dt()/lag);
    setLimits(solver, units);
    if (fastest_.size()) change = 1;
    drag_ = change > 0;
    if (drag_ && !arriving_) placeArriving(solver);
    for (std::size_t i = 0; i < turning_.size(); ++i)
    {
        const tensor turning(sources_.coriolis(label(i))*units.dt());
        turning_[i] = inLattice(turning);
        change = max(change, mag(turning)/turningLag);
    }
    interval_ = change > 1.0/labelMax ? max(label(1), label(1/change)) : labelMax;

    alike_ = turning_.empty() && !drag_;
    for (const vector& own : a) alike_ = alike_ && own == vector(Zero);
    base_ = units.acceleration(axes_, everywhere);
    if (alike_) return;

    constant_.resize(nNodes());
    perMomentum_.resize(nNodes());
    tensor before(Zero), half(Zero);
    bool beforeStops = false;
    for (std::size_t i = 0; i < nNodes(); ++i)
    {
        vector rate(everywhere);
        tensor resistance(Zero);
        if (frameOf_[i] >= 0)
        {
            rate += centrifugal(solver.domain(), i);
        }
        for (auto s = nodes_.begin(i); s != nodes_.end(i); ++s)
        {
            rate += s->part*a[s->cell];
            resistance += s->part*K[s->cell];
        }
        resistance *= units.dt();
        const bool atMostStops = drag_ && !known_[i];
        // Most nodes have what the one before has
        if (i == 0 || resistance != before || atMostStops != beforeStops)
        {
            half = response(resistance, atMostStops);
            before = resistance;
            beforeStops = atMostStops;
        }
        constant_[i] = units.acceleration(axes_, half & rate);
        perMomentum_[i] = inLattice(half & resistance);
    }
}


void Foam::lbmNodeSources::setLimits
(
    const lbm::Solver& solver,
    const lbmUnits& units
)
{
    fastest_.clear();
    const scalarField& ofCells = sources_.fastest();
    if (ofCells.empty()) return;

    constexpr int values = lbm::valuesOf(lbm::Reading::flow);
    flow_.resize(values*nNodes());
    solver.sample(*placed_, lbm::Reading::flow, flow_.data());
    std::vector<double> limits(nNodes(), GREAT);
    bool near = false;
    for (std::size_t i = 0; i < nNodes(); ++i)
    {
        scalar part = 0;
        scalar most = GREAT;
        for (auto s = nodes_.begin(i); s != nodes_.end(i); ++s)
        {
            if (ofCells[s->cell] >= GREAT) continue;
            part += s->part;
            most = min(most, ofCells[s->cell]);
        }
        if (part < halfOfNode) continue;
        limits[i] = most*units.dt()/units.dx();
        const double* u = &flow_[values*i + 1];
        const scalar speed = sqrt(sqr(u[0]) + sqr(u[1]) + sqr(u[2]));
        near = near || speed > nearlyAsFast*limits[i];
    }
    if (near) fastest_ = std::move(limits);
}


// Beside forces of all kinds, so that these cannot drive nodes on
void Foam::lbmNodeSources::brake()
{
    const label dimensions = axes_.dimensions();
    for (std::size_t i = 0; i < fastest_.size(); ++i)
    {
        lbm::Vec3 u{0, 0, 0};
        scalar squared = 0;
        for (label a = 0; a < dimensions; ++a)
        {
            u[a] = momentum_[dimensions*i + a] + forces_[3*i + a]/2;
            squared += sqr(u[a]);
        }
        if (squared <= sqr(fastest_[i])) continue;
        const scalar braked = 2*(fastest_[i]/sqrt(squared) - 1);
        for (label a = 0; a < dimensions; ++a) forces_[3*i + a] += braked*u[a];
    }
}


std::array<double, 9> Foam::lbmNodeSources::inLattice(const tensor& t) const
{
    std::array<double, 9> result;
    for (label row = 0; row < 3; ++row)
    {
        for (label column = 0; column < 3; ++column)
        {
            result[3*row + column] =
                t(axes_.foamAxis(row), axes_.foamAxis(column));
        }
    }
    return result;
}


Foam::vector Foam::lbmNodeSources::centrifugal
(
    const lbm::Domain& domain,
    const std::size_t i
) const
{
    const lbm::Int3 at(domain.coordinates(nodes_.nodes()[i]));
    return sources_.centrifugal
    (
        frameOf_[i],
        axes_.position(domain, {double(at[0]), double(at[1]), double(at[2])})
    );
}


void Foam::lbmNodeSources::addCoriolis(const lbm::Solver& solver)
{
    constexpr int values = lbm::valuesOf(lbm::Reading::flow);
    flow_.resize(values*nNodes());
    solver.sample(*placed_, lbm::Reading::flow, flow_.data());
    for (std::size_t i = 0; i < nNodes(); ++i)
    {
        if (frameOf_[i] < 0) continue;
        const std::array<double, 9>& turning = turning_[frameOf_[i]];
        const double* u = &flow_[values*i + 1];
        for (label row = 0; row < 3; ++row)
        {
            for (label a = 0; a < 3; ++a)
            {
                forces_[3*i + row] -= turning[3*row + a]*u[a];
            }
        }
    }
}


// Planes along the lattice reflect, those with a law, too: c turns where they lie behind the node
lbm::Int3 Foam::lbmNodeSources::mirrored
(
    const lbm::Domain& domain,
    const lbm::NodeIndex node,
    const lbm::Int3& c
) const
{
    lbm::Int3 result(c);
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        if (c[a] == 0) continue;
        lbm::Int3 behind{0, 0, 0};
        behind[a] = -c[a];
        const lbm::Link* link = lbm::findLink(domain, node, behind);
        if (link && boundary_.mirrorsAcross(domain, *link, a)) result[a] = -c[a];
    }
    return result;
}


bool Foam::lbmNodeSources::addArriving
(
    lbm::NodeGroups& groups,
    const lbm::Domain& domain,
    const std::vector<lbm::Int3>& directions,
    const lbm::NodeIndex node,
    const lbm::Int3& c,
    const scalar weight
) const
{
    const auto number = [&](const lbm::Int3& of)
    {
        return int
        (
            std::find(directions.begin(), directions.end(), of)
          - directions.begin()
        );
    };
    const lbm::Int3 sent(mirrored(domain, node, c));
    lbm::Int3 back;
    for (label a = 0; a < 3; ++a) back[a] = sent[a] == c[a] ? -c[a] : 0;

    // Both turned: the node's own, sent straight back
    const bool own = back == lbm::Int3{0, 0, 0};
    const lbm::Link* link = own ? nullptr : lbm::findLink(domain, node, back);
    const lbm::NodeIndex from =
        own ? node : domain.neighbour(domain.coordinates(node), back);
    if (!link && from >= 0 && domain.fluid[from])
    {
        groups.add(from, weight, number(sent));
        return true;
    }
    const lbmPatchKind* kind = link ? &boundary_.kinds()[link->patch] : nullptr;
    if (kind && kind->anyWall())
    {
        groups.add(node, weight, number({-c[0], -c[1], -c[2]}));
        return kind->is == lbmPatchKind::role::wall
         && !kind->interpolated && !kind->wallLaw;
    }
    groups.add(node, weight, number(c));
    return false;
}


void Foam::lbmNodeSources::placeArriving(const lbm::Solver& solver)
{
    const lbm::Domain& domain = solver.domain();
    const std::vector<lbm::Int3> directions
    (
        lbm::latticeDirections(solver.row().lattice)
    );
    lbm::NodeGroups groups(lbm::NodeSet::Kind::sumsOfPopulations);
    known_.assign(nNodes(), true);
    byBrick_ = orderByBrick(domain);
    for (const std::size_t i : byBrick_)
    {
        const lbm::NodeIndex node = nodes_.nodes()[i];
        for (label a = 0; a < axes_.dimensions(); ++a)
        {
            for (const lbm::Int3& c : directions)
            {
                if (c[a] == 0) continue;
                const bool exact =
                    addArriving(groups, domain, directions, node, c, c[a]);
                known_[i] = known_[i] && exact;
            }
            groups.endGroup();
        }
    }
    findFromWalls(domain, directions);
    arriving_ = solver.place(groups);
    sums_.resize(arriving_->size());
    momentum_.resize(arriving_->size());
}


// Rows of nodes have most neighbours in other rows, bricks have most of them within
std::vector<std::size_t> Foam::lbmNodeSources::orderByBrick
(
    const lbm::Domain& domain
) const
{
    std::vector<lbm::Int3> bricks(nNodes());
    for (std::size_t i = 0; i < nNodes(); ++i)
    {
        const lbm::Int3 at(domain.coordinates(nodes_.nodes()[i]));
        bricks[i] = {at[2]/brick, at[1]/brick, at[0]/brick};
    }
    std::vector<std::size_t> order(nNodes());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort
    (
        order.begin(), order.end(),
        [&](const std::size_t i, const std::size_t j) { return bricks[i] < bricks[j]; }
    );
    return order;
}


void Foam::lbmNodeSources::findMomentum(const lbm::Solver& solver)
{
    solver.sumPopulations(*arriving_, sums_.data());
    const std::size_t dimensions = axes_.dimensions();
    const double* sum = sums_.data();
    for (const std::size_t i : byBrick_)
    {
        std::copy_n(sum, dimensions, &momentum_[dimensions*i]);
        sum += dimensions;
    }
    addFromWalls();
}


void Foam::lbmNodeSources::findFromWalls
(
    const lbm::Domain& domain,
    const std::vector<lbm::Int3>& directions
)
{
    fromWalls_.clear();
    for (std::size_t i = 0; i < nNodes(); ++i)
    {
        const lbm::NodeIndex node = nodes_.nodes()[i];
        for (const lbm::Int3& c : directions)
        {
            const lbm::Link* link = lbm::findLink(domain, node, {-c[0], -c[1], -c[2]});
            if (!link || !boundary_.kinds()[link->patch].slips) continue;
            if (mirrored(domain, node, c) != c) continue;
            const label record = link - domain.links.data();
            fromWalls_.push_back
            (
                {
                    i,
                    link->patch,
                    boundary_.links(link->patch).find(record),
                    c,
                    6*boundary_.weight(*link)
                }
            );
        }
    }
}


void Foam::lbmNodeSources::addFromWalls()
{
    const std::size_t dimensions = axes_.dimensions();
    for (const fromWall& from : fromWalls_)
    {
        const std::vector<lbm::Vec3>& told = boundary_.toldSlip(from.patch);
        if (told.empty()) continue;
        const lbm::Vec3& u = told[from.link];
        const scalar brought =
            from.factor*(from.c[0]*u[0] + from.c[1]*u[1] + from.c[2]*u[2]);
        for (std::size_t a = 0; a < dimensions; ++a)
        {
            momentum_[dimensions*from.node + a] += from.c[a]*brought;
        }
    }
}


void Foam::lbmNodeSources::apply(lbm::Solver& solver)
{
    const label dimensions = axes_.dimensions();
    if (drag_) findMomentum(solver);
    if (alike_)
    {
        #pragma omp parallel for schedule(static) if (nNodes() > fewNodes)
        for (std::size_t i = 0; i < forces_.size(); ++i) forces_[i] = base_[i % 3];
    }
    else for (std::size_t i = 0; i < nNodes(); ++i)
    {
        const std::array<double, 9>& M = perMomentum_[i];
        for (label row = 0; row < 3; ++row)
        {
            double& force = forces_[3*i + row];
            force = constant_[i][row];
            for (label a = 0; drag_ && a < dimensions; ++a)
            {
                force -= M[3*row + a]*momentum_[dimensions*i + a];
            }
        }
    }
    if (turning_.size()) addCoriolis(solver);
    if (ofNodes_) ofNodes_(forces_);
    brake();
    solver.setForces(*placed_, forces_.data());
}


std::vector<double> Foam::lbmNodeSources::forcesAt
(
    const lbm::Solver& solver,
    const std::vector<lbm::NodeIndex>& some
)
{
    std::vector<double> forces;
    if (toldThere_)
    {
        if (some != some_)
        {
            some_ = some;
            placedSome_ = solver.place(some_.data(), some_.size());
        }
        if (placedSome_ && toldThere_(*placedSome_, forces)) return forces;
    }
    forces.assign(3*some.size(), 0);
    const std::vector<lbm::NodeIndex>& all = nodes_.nodes();
    #pragma omp parallel for schedule(static) if (some.size() > fewNodes)
    for (std::size_t i = 0; i < some.size(); ++i)
    {
        const auto at = std::lower_bound(all.begin(), all.end(), some[i]);
        if (at == all.end() || *at != some[i]) continue;
        std::copy_n(&forces_[3*(at - all.begin())], 3, &forces[3*i]);
    }
    return forces;
}


void Foam::lbmNodeSources::note(lbm::CheckpointNotes& notes) const
{
    std::vector<double>& forces = notes.arrays[noteName];
    if (!toldThere_ || !toldThere_(*placed_, forces)) forces = forces_;
}


void Foam::lbmNodeSources::recall
(
    const lbm::CheckpointNotes& notes,
    lbm::Solver& solver
)
{
    const auto found = notes.arrays.find(noteName);
    if (found == notes.arrays.end() || found->second.size() != forces_.size())
    {
        return;
    }
    forces_ = found->second;
    solver.setForces(*placed_, forces_.data());
}
