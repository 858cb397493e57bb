// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSponge.H"
#include "SubList.H"
#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <cmath>

namespace
{
    // At most this much of the difference goes at a time, for what is taken at once
    // is seen as a step
    const Foam::scalar fadesAtOnce = 0.2;

    // Nodes whose populations are held at a time, and that a thread takes
    const std::size_t spongePiece = 16384, spongeShare = 1024;

    // Ways to nodes that a thread keeps before the shorter ones are looked for, and
    // links that it follows at a time: ways of all links are several times the nodes
    const std::size_t fewestWays = 1 << 16;
    const Foam::label linksOfThread = 4096;

    constexpr int nOfMean = 4;

    const std::string spongeMeans("sponge.means"), spongeStep("sponge.dt");
}


namespace
{

using member = Foam::lbmSponge::member;


// Of several ways to a node the shortest
void keepShortest(std::vector<member>& all)
{
    const auto rising = [](const member& a, const member& b)
    {
        return a.node != b.node ? a.node < b.node : a.share > b.share;
    };
    const auto same = [](const member& a, const member& b){ return a.node == b.node; };
    // Those of links that follow each other may be
    if (!std::is_sorted(all.begin(), all.end(), rising))
    {
        std::sort(all.begin(), all.end(), rising);
    }
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
}


// Nodes on the ways that lead from some links into the flow. Ways are many times
// the nodes: they go as they come
std::vector<member> nodesBefore
(
    const lbm::Domain& domain,
    const Foam::labelUList& links,
    const lbm::Vec3* normals,
    const Foam::scalar length
)
{
    using namespace Foam;

    std::vector<member> all;
    std::size_t next = fewestWays;
    forAll(links, i)
    {
        const lbm::Link& link = domain.links[links[i]];
        const lbm::Int3 at = domain.coordinates(link.node);
        const lbm::Int3 c = lbm::directionOf(link.direction);
        const lbm::Vec3& n = normals[i];
        scalar outwards = 0;
        for (direction a = 0; a < 3; ++a) outwards += c[a]*n[a];
        const scalar first = link.fraction*outwards;
        for (scalar further = 0; first + further < length; further += 0.5)
        {
            lbm::Int3 to;
            scalar depth = first;
            for (direction a = 0; a < 3; ++a)
            {
                to[a] = int(std::lround(-further*n[a]));
                depth -= to[a]*n[a];
            }
            const lbm::NodeIndex there = domain.neighbour(at, to);
            if (there < 0 || !domain.fluid[there]) break;
            const scalar left = 1 - std::max(depth, scalar(0))/length;
            if (left > 0) all.push_back({there, left*left});
        }
        if (all.size() < next) continue;
        keepShortest(all);
        next = std::max(fewestWays, 2*all.size());
    }
    keepShortest(all);
    // What is kept waits for all other threads'
    all.shrink_to_fit();
    return all;
}

} // End anonymous namespace


std::vector<Foam::lbmSponge::member> Foam::lbmSponge::zone
(
    const lbm::Domain& domain,
    const labelList& links,
    const std::vector<lbm::Vec3>& normals,
    const scalar length
)
{
    const label n = (links.size() + linksOfThread - 1)/linksOfThread;
    std::vector<std::vector<member>> parts(n);
    lbm::inParallel(parts.size(), [&](const std::size_t part)
    {
        const label first = label(part)*linksOfThread;
        const label size = std::min(linksOfThread, links.size() - first);
        parts[part] = nodesBefore
        (
            domain, SubList<label>(links, size, first), &normals[first], length
        );
    });
    std::vector<member> all;
    for (std::vector<member>& part : parts)
    {
        all.insert(all.end(), part.begin(), part.end());
        part = {};
    }
    keepShortest(all);
    all.shrink_to_fit();
    return all;
}


Foam::lbmSponge::lbmSponge
(
    const lbm::Solver& solver,
    std::vector<member> members,
    const scalar rate,
    const scalar memory
)
:
    members_(std::move(members)),
    rate_(rate),
    memory_(memory),
    dt_(0),
    directions_(lbm::latticeDirections(solver.row().lattice)),
    weights_(lbm::latticeWeights(solver.row().lattice))
{
    std::vector<lbm::NodeIndex> nodes;
    for (std::size_t begin = 0; begin < members_.size(); begin += spongePiece)
    {
        nodes.clear();
        const std::size_t end = std::min(begin + spongePiece, members_.size());
        for (std::size_t i = begin; i < end; ++i) nodes.push_back(members_[i].node);
        pieces_.push_back(solver.place(nodes.data(), nodes.size()));
    }
    means_.resize(nOfMean*members_.size());
}


Foam::label Foam::lbmSponge::interval(const scalar dt) const
{
    const scalar steps = fadesAtOnce/(rate_*dt);
    return steps < labelMax ? std::max(label(1), label(steps)) : labelMax;
}


void Foam::lbmSponge::meanOf(const double* f, double (&values)[nOfMean]) const
{
    for (double& value : values) value = 0;
    for (std::size_t q = 0; q < weights_.size(); ++q)
    {
        values[0] += f[q];
        for (direction a = 0; a < 3; ++a) values[1 + a] += directions_[q][a]*f[q];
    }
}


// By the difference of two equilibria
void Foam::lbmSponge::relax(double* f, double* mean, const scalar s) const
{
    double is[nOfMean], change[nOfMean];
    meanOf(f, is);
    for (int k = 0; k < nOfMean; ++k) change[k] = -s*(is[k] - mean[k]);

    double squares = 0;
    for (int a = 1; a < nOfMean; ++a) squares += change[a]*(2*is[a] + change[a]);
    for (std::size_t q = 0; q < weights_.size(); ++q)
    {
        double before = 0, by = 0;
        for (direction a = 0; a < 3; ++a)
        {
            before += directions_[q][a]*is[1 + a];
            by += directions_[q][a]*change[1 + a];
        }
        f[q] += weights_[q]
           *(change[0] + 3*by + 4.5*by*(2*before + by) - 1.5*squares);
    }
}


void Foam::lbmSponge::inUnitsOf(const scalar dt)
{
    if (dt_ > 0 && dt_ != dt)
    {
        const scalar faster = dt/dt_;
        for (std::size_t i = 0; i < members_.size(); ++i)
        {
            double* mean = &means_[nOfMean*i];
            mean[0] *= faster*faster;
            for (int a = 1; a < nOfMean; ++a) mean[a] *= faster;
        }
    }
    dt_ = dt;
}


void Foam::lbmSponge::apply
(
    lbm::Solver& solver,
    const scalar dt,
    const label steps,
    const int threads
)
{
    const bool first = !(dt_ > 0);
    inUnitsOf(dt);
    const scalar newest = 1 - std::exp(-steps*dt/memory_);
    const std::size_t Q = weights_.size();
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece)
    {
        const std::size_t n = pieces_[piece]->size();
        const std::size_t begin = piece*spongePiece;
        populations_.resize(Q*n);
        solver.getPopulations(*pieces_[piece], populations_.data());
        lbm::inParallel((n + spongeShare - 1)/spongeShare, [&](const std::size_t share)
        {
            const std::size_t end = std::min(n, (share + 1)*spongeShare);
            for (std::size_t i = share*spongeShare; i < end; ++i)
            {
                double* f = &populations_[Q*i];
                double* mean = &means_[nOfMean*(begin + i)];
                double is[nOfMean];
                meanOf(f, is);
                for (int k = 0; k < nOfMean; ++k)
                {
                    mean[k] += (first ? 1 : newest)*(is[k] - mean[k]);
                }
                const scalar s = rate_*dt*steps*members_[begin + i].share;
                relax(f, mean, 1 - std::exp(-s));
            }
        }, threads);
        solver.setPopulations(*pieces_[piece], populations_.data());
    }
}


void Foam::lbmSponge::note(lbm::CheckpointNotes& notes) const
{
    if (!(dt_ > 0)) return;
    notes.arrays[spongeMeans] = means_;
    notes.numbers[spongeStep] = dt_;
}


void Foam::lbmSponge::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(spongeMeans);
    const auto step = notes.numbers.find(spongeStep);
    if
    (
        found == notes.arrays.end()
     || step == notes.numbers.end()
     || found->second.size() != means_.size()
    ) return;
    means_ = found->second;
    dt_ = step->second;
}
