// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLinkNormals.H"
#include "lbm/api/inParallel.hpp"
#include "DynamicList.H"
#include "symmTensor.H"
#include "tensor.H"
#include "vector.H"

#include <algorithm>
#include <cmath>

namespace
{

using Foam::label;
using Foam::scalar;
using Foam::vector;

// Steps that nodes with links may be away, and the weights' square of a width
const int linksAround = 2;
const scalar linkReach = 2;

// Of the spread, what keeps its inverse finite: a plane's own is next to nothing
const scalar planeSoftening = 1e-3;
const label planeIterations = 4;

// Beside an edge: how far places lie off the plane that fits them, by root mean square; steps
// that a plane may be away which passes through the link's place, too; how much better it has to
// fit; how near to it those are that are its own, and how often these are found anew
const scalar edgeSpread = 0.05;
const int planesAround = 3;
const scalar betterFit = 0.5, ofPlane = 0.25;
const label planeRefits = 2;

vector linkDirection(const lbm::Link& link)
{
    const lbm::Int3 c = lbm::directionOf(link.direction);
    return vector(c[0], c[1], c[2]);
}

struct linkPlane
{
    vector normal = Foam::Zero;
    scalar spread = 0;
};

// Places of links, weighted; `outwards` sums their directions
struct placesOfLinks
{
    scalar weight = 0;
    vector first = Foam::Zero, outwards = Foam::Zero;
    Foam::symmTensor second = Foam::Zero;

    void add(const vector& at, const vector& c)
    {
        const scalar w = std::exp(-Foam::magSqr(at)/linkReach);
        weight += w;
        first += w*at;
        second += w*Foam::sqr(at);
        outwards += w*c/Foam::magSqr(c);
    }

    // The direction of least spread, by inverse iteration from the links' own
    linkPlane fit(const bool flat) const
    {
        const vector mean(first/weight);
        const Foam::symmTensor own(second/weight - Foam::sqr(mean));
        Foam::symmTensor s(own);
        const scalar deep = flat ? Foam::GREAT : planeSoftening;
        s += Foam::symmTensor(planeSoftening, 0, 0, planeSoftening, 0, deep);
        const Foam::tensor across(Foam::inv(Foam::tensor(s)));
        vector n(outwards/Foam::mag(outwards));
        for (label i = 0; i < planeIterations; ++i)
        {
            n = across & n;
            n /= Foam::mag(n);
        }
        return
        {
            (n & outwards) < 0 ? -n : n,
            Foam::sqrt(Foam::max(n & own & n, scalar(0)))
        };
    }
};

// Links of one patch by their nodes
class wallLinks
{
    const lbm::Domain& domain_;
    const Foam::labelList& links_;

public:

    wallLinks(const lbm::Domain& domain, const Foam::labelList& links)
    :
        domain_(domain),
        links_(links)
    {}

    const lbm::Link& link(const label i) const { return domain_.links[links_[i]]; }
    lbm::NodeIndex node(const label i) const { return link(i).node; }
    vector direction(const label i) const { return linkDirection(link(i)); }

    // Off the link's node
    vector place(const label i) const { return link(i).fraction*direction(i); }

    label firstOf(const lbm::NodeIndex node) const
    {
        const auto found = std::lower_bound
        (
            links_.begin(),
            links_.end(),
            node,
            [&](const label link, const lbm::NodeIndex n)
            {
                return domain_.links[link].node < n;
            }
        );
        return label(found - links_.begin());
    }

    // f(link, its node off the given one), of nodes so many steps around
    template<class F>
    void around(const lbm::NodeIndex node, const int steps, F&& f) const
    {
        const lbm::Int3 at = domain_.coordinates(node);
        const int deep = domain_.dimensions == 3 ? steps : 0;
        lbm::Int3 to;
        for (to[2] = -deep; to[2] <= deep; ++to[2])
        for (to[1] = -steps; to[1] <= steps; ++to[1])
        for (to[0] = -steps; to[0] <= steps; ++to[0])
        {
            const lbm::NodeIndex there = domain_.neighbour(at, to);
            if (there < 0 || !domain_.fluid[there]) continue;
            const vector off(to[0], to[1], to[2]);
            for (label j = firstOf(there); j < links_.size() && this->node(j) == there; ++j)
            {
                f(j, off);
            }
        }
    }

    bool flat() const { return domain_.dimensions == 2; }
};

// Places of the links around a node, off it, and their links' directions
struct placesAround
{
    std::vector<vector> places, directions;

    placesAround(const wallLinks& wall, const lbm::NodeIndex node)
    {
        wall.around(node, linksAround, [&](const label j, const vector& off)
        {
            places.push_back(off + wall.place(j));
            directions.push_back(wall.direction(j));
        });
    }

    // The plane that fits them about one of the node's links, or those alone that lie near
    // a plane through it with the given normal; zero: all
    linkPlane fit(const wallLinks& wall, const label i, const vector& near) const
    {
        const vector here(wall.place(i));
        placesOfLinks all;
        for (std::size_t k = 0; k < places.size(); ++k)
        {
            const vector at(places[k] - here);
            if (Foam::mag(near & at) < ofPlane) all.add(at, directions[k]);
        }
        if (Foam::mag(all.outwards) > Foam::SMALL) return all.fit(wall.flat());
        const vector c(wall.direction(i));
        return {c/Foam::mag(c), 0};
    }
};

// Where a wall has an edge, the one of its planes there that the link meets: one that fits its own
// places better than all around the edge have one, and passes through the link's place
vector besideEdge
(
    const wallLinks& wall,
    const label i,
    const std::vector<linkPlane>& planes
)
{
    const vector here(wall.place(i)), c(wall.direction(i));
    vector best(planes[i].normal);
    scalar least = betterFit*planes[i].spread;
    bool found = false;
    wall.around(wall.node(i), planesAround, [&](const label j, const vector& off)
    {
        const linkPlane& there = planes[j];
        if ((there.normal & c) <= 0) return;
        const scalar misses =
            there.spread + Foam::mag(there.normal & (off + wall.place(j) - here));
        if (misses >= least) return;
        least = misses;
        best = there.normal;
        found = true;
    });
    if (!found) return best;
    const placesAround places(wall, wall.node(i));
    for (label n = 0; n < planeRefits; ++n) best = places.fit(wall, i, best).normal;
    return best;
}

} // End anonymous namespace


std::vector<lbm::Vec3> Foam::lbmLinkNormals::of
(
    const lbm::Domain& domain,
    const labelList& links
)
{
    const wallLinks wall(domain, links);

    // Links of a node are together: their places around are the same
    std::vector<label> begin;
    for (label i = 0; i < links.size(); ++i)
    {
        if (i == 0 || wall.node(i) != wall.node(i - 1)) begin.push_back(i);
    }
    begin.push_back(links.size());
    std::vector<linkPlane> planes(links.size());
    lbm::inParallel(begin.size() - 1, [&](const std::size_t group)
    {
        const placesAround places(wall, wall.node(begin[group]));
        for (label i = begin[group]; i < begin[group + 1]; ++i)
        {
            planes[i] = places.fit(wall, i, Zero);
        }
    });

    std::vector<lbm::Vec3> normals(links.size());
    lbm::inParallel(planes.size(), [&](const std::size_t i)
    {
        const vector n
        (
            planes[i].spread > edgeSpread
          ? besideEdge(wall, label(i), planes)
          : planes[i].normal
        );
        normals[i] = {n.x(), n.y(), n.z()};
    });
    return normals;
}
