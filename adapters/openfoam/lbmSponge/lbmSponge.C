// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSponge.H"
#include "lbmSpongePart.H"
#include "SubList.H"
#include "lbm/api/inParallel.hpp"
#include "lbm/api/PartWork.hpp"
#include "lbm/api/Sponge.hpp"

#include <algorithm>
#include <cmath>

namespace
{
    // At most this much of the difference goes at a time, for what is taken at once
    // is seen as a step
    const Foam::scalar fadesAtOnce = 0.2;

    // Ways to nodes that a thread keeps before the shorter ones are looked for, and
    // links that it follows at a time: ways of all links are several times the nodes
    const std::size_t fewestWays = 1 << 16;
    const Foam::label linksOfThread = 4096;

    const std::size_t nOfMean = lbm::Sponge::meanValues;

    // Members whose means are told at a time
    const std::size_t notedAtOnce = 1 << 16;

    // Members that are placed at a time, for each part
    const std::size_t placedAtOnce = 1 << 16;

    const std::string spongeMeans("sponge.means"), spongeStep("sponge.dt"),
        spongeRest("sponge.rest");

    // Of this process
    int sponges = 0;

    // The part that has a node, and its number there; parts fill the box
    std::size_t holderOf
    (
        const std::vector<lbm::PartPlace>& places,
        const lbm::Int3& x,
        lbm::NodeIndex& own
    )
    {
        std::size_t part = 0;
        const auto within = [&](const lbm::PartPlace& its)
        {
            for (int a = 0; a < 3; ++a)
            {
                const int from = x[a] - its.first[a];
                if (from < 0 || from >= its.size[a]) return false;
            }
            return true;
        };
        while (!within(places.at(part))) ++part;
        const lbm::PartPlace& its = places[part];
        own = x[0] - its.first[0] + lbm::NodeIndex(its.size[0])
           *(x[1] - its.first[1] + lbm::NodeIndex(its.size[1])*(x[2] - its.first[2]));
        return part;
    }
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
    std::size_t found = 0;
    for (const std::vector<member>& part : parts) found += part.size();
    std::vector<member> all;
    all.reserve(found);
    for (std::vector<member>& part : parts)
    {
        all.insert(all.end(), part.begin(), part.end());
        part = {};
    }
    keepShortest(all);
    return all;
}


Foam::lbmSponge::lbmSponge
(
    lbm::Solver& solver,
    const std::vector<member>& members,
    const scalar rate,
    const scalar memory
)
:
    solver_(solver),
    number_(sponges++),
    size_(members.size()),
    rate_(rate),
    memory_(memory),
    dt_(0),
    rests_(0)
{
    place(members);
}


Foam::lbmSponge::~lbmSponge()
{
    try
    {
        work(lbmSpongePart::dropped, [](lbm::Message&, std::size_t){});
    }
    catch (const std::exception&)       // a rank that has failed says so itself
    {}
}


template<class Tell>
std::vector<lbm::Message> Foam::lbmSponge::work
(
    const std::string& name,
    const Tell& tell
) const
{
    std::vector<lbm::Message> told;
    for (std::size_t part = 0; part < runs_.size(); ++part)
    {
        told.emplace_back(lbmSpongePart::number{number_, int(part)});
        tell(told.back(), part);
    }
    return lbm::workAtParts(solver_, name, told);
}


void Foam::lbmSponge::place(const std::vector<member>& members)
{
    // Some at a time: lists of all, and messages, would be as much again
    const std::vector<lbm::PartPlace> places(lbm::partPlaces(solver_));
    runs_.resize(places.size());
    std::vector<lbm::Message> answers;
    std::size_t i = 0;
    do
    {
        std::vector<std::vector<lbm::NodeIndex>> nodes(places.size());
        std::vector<std::vector<double>> shares(places.size());
        const std::size_t end = std::min(i + placedAtOnce*places.size(), members.size());
        for (; i < end; ++i)
        {
            lbm::NodeIndex own = 0;
            const std::size_t part =
                holderOf(places, solver_.domain().coordinates(members[i].node), own);
            nodes[part].push_back(own);
            shares[part].push_back(members[i].share);
            std::vector<run>& its = runs_[part];
            if (its.size() && its.back().first + its.back().n == i) ++its.back().n;
            else its.push_back({i, 1});
        }
        answers = work
        (
            lbmSpongePart::place,
            [&](lbm::Message& message, const std::size_t part)
            {
                message.put(places[part].size);
                message.put(nodes[part]);
                message.put(shares[part]);
                message.put(i == members.size());
            }
        );
    } while (i < members.size());       // where there are none, parts have an empty one
    for (lbm::Message& answer : answers)
    {
        std::string why;
        answer.get(why);
        if (why_.empty()) why_ = why;
    }
}


Foam::label Foam::lbmSponge::interval(const scalar dt) const
{
    const scalar steps = fadesAtOnce/(rate_*dt);
    return steps < labelMax ? std::max(label(1), label(steps)) : labelMax;
}


void Foam::lbmSponge::inUnitsOf(const scalar dt)
{
    if (dt_ > 0 && dt_ != dt)
    {
        work
        (
            lbmSpongePart::converted,
            [&](lbm::Message& message, std::size_t){ message.put(double(dt/dt_)); }
        );
    }
    dt_ = dt;
}


bool Foam::lbmSponge::rest()
{
    const bool did = rests_ > 0;
    rests_ = memory_;
    return did;
}


std::vector<lbm::Extremes> Foam::lbmSponge::apply
(
    const scalar dt,
    const label steps,
    const int threads
)
{
    // The first means are the flow that is there
    const double newest = dt_ > 0 ? 1 - std::exp(-steps*dt/memory_) : 1;
    inUnitsOf(dt);
    const double most = rests_ > 0 ? 0 : rate_*dt*steps;
    rests_ = max(rests_ - steps*dt, scalar(0));
    std::vector<lbm::Message> answers
    (
        work
        (
            lbmSpongePart::applied,
            [&](lbm::Message& message, std::size_t)
            {
                message.put(newest);
                message.put(most);
                message.put(threads);
            }
        )
    );
    std::vector<lbm::Extremes> all;
    for (lbm::Message& answer : answers) all.push_back(answer.get<lbm::Extremes>());
    return all;
}


void Foam::lbmSponge::beginAnew()
{
    dt_ = 0;
    // Numbers, whatever they were: the next ones are what is left of these and the flow
    work
    (
        lbmSpongePart::told,
        [&](lbm::Message& message, const std::size_t part)
        {
            std::size_t n = 0;
            for (const run& r : runs_[part]) n += r.n;
            message.put(std::vector<double>(nOfMean*n, 0));
        }
    );
}


void Foam::lbmSponge::note(lbm::CheckpointNotes& notes) const
{
    if (!(dt_ > 0)) return;
    const auto tell = [this](const lbm::CheckpointNotes::Take& take){ tellMeans(take); };
    notes.told[spongeMeans] = {nOfMean*size_, tell};
    notes.numbers[spongeStep] = dt_;
    if (rests_ > 0) notes.numbers[spongeRest] = rests_;
}


// Members that follow each other lie in several parts, each of which has its own in their
// order
void Foam::lbmSponge::tellMeans(const lbm::CheckpointNotes::Take& take) const
{
    std::vector<std::size_t> told(runs_.size(), 0), next(runs_.size(), 0);
    for (std::size_t first = 0; first < size_; first += notedAtOnce)
    {
        const std::size_t end = std::min(first + notedAtOnce, size_);
        std::vector<std::vector<run>> some(runs_.size());
        for (std::size_t part = 0; part < runs_.size(); ++part)
        {
            const std::vector<run>& its = runs_[part];
            for (std::size_t& r = next[part]; r < its.size() && its[r].first < end; ++r)
            {
                const std::size_t from = std::max(its[r].first, first);
                const std::size_t to = std::min(its[r].first + its[r].n, end);
                some[part].push_back({from, to - from});
                if (to < its[r].first + its[r].n) break;
            }
        }
        std::vector<lbm::Message> answers
        (
            work
            (
                lbmSpongePart::noted,
                [&](lbm::Message& message, const std::size_t part)
                {
                    std::size_t n = 0;
                    for (const run& r : some[part]) n += r.n;
                    message.put(told[part]);
                    message.put(n);
                    told[part] += n;
                }
            )
        );
        std::vector<double> means(nOfMean*(end - first));
        for (std::size_t part = 0; part < runs_.size(); ++part)
        {
            for (const run& r : some[part])
            {
                answers[part].getRaw
                (
                    means.data() + nOfMean*(r.first - first), nOfMean*r.n*sizeof(double)
                );
            }
        }
        take(means);
    }
}


void Foam::lbmSponge::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(spongeMeans);
    const auto step = notes.numbers.find(spongeStep);
    if
    (
        found == notes.arrays.end()
     || step == notes.numbers.end()
     || found->second.size() != nOfMean*size_
    ) return;
    const std::vector<double>& all = found->second;
    work
    (
        lbmSpongePart::told,
        [&](lbm::Message& message, const std::size_t part)
        {
            std::vector<double> its;
            for (const run& r : runs_[part])
            {
                const auto from = all.begin() + nOfMean*r.first;
                its.insert(its.end(), from, from + nOfMean*r.n);
            }
            message.put(its);
        }
    );
    dt_ = step->second;
    const auto rest = notes.numbers.find(spongeRest);
    rests_ = rest == notes.numbers.end() ? 0 : rest->second;
}
