// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLinkNormals.H"
#include "lbm/api/inParallel.hpp"
#include "DynamicList.H"
#include "symmTensor.H"
#include "tensor.H"
#include "vector.H"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

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

// Neighbours of one side: the cosine of the angle between their normals; and links of the least
// that is a side by itself
const scalar ofOneSide = 0.94;
const std::size_t fewLinks = 50;

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

scalar alike(const lbm::Vec3& a, const lbm::Vec3& b)
{
    return a[0]*b[0] + a[1]*b[1] + a[2]*b[2];
}

// Where a wall has an edge, the one of its planes there that the link meets: one that fits its own
// places better than all around the edge have one, and passes through the link's place; zero: none
vector besideEdge
(
    const wallLinks& wall,
    const label i,
    const std::vector<linkPlane>& planes
)
{
    const vector here(wall.place(i)), c(wall.direction(i));
    vector best(Foam::Zero);
    scalar least = betterFit*planes[i].spread;
    wall.around(wall.node(i), planesAround, [&](const label j, const vector& off)
    {
        const linkPlane& there = planes[j];
        if ((there.normal & c) <= 0) return;
        const scalar misses =
            there.spread + Foam::mag(there.normal & (off + wall.place(j) - here));
        if (misses >= least) return;
        least = misses;
        best = there.normal;
    });
    if (best == vector(Foam::Zero)) return best;
    const placesAround places(wall, wall.node(i));
    for (label n = 0; n < planeRefits; ++n) best = places.fit(wall, i, best).normal;
    return best;
}

// Links that are joined, each to one with a smaller number or to itself
class joinedLinks
{
    std::vector<std::uint32_t> to_;

public:

    explicit joinedLinks(const std::size_t n)
    :
        to_(n)
    {
        std::iota(to_.begin(), to_.end(), 0);
    }

    std::uint32_t first(std::uint32_t i)
    {
        while (to_[i] != i) i = to_[i] = to_[to_[i]];
        return i;
    }

    void join(const std::uint32_t i, const std::uint32_t j)
    {
        const std::uint32_t a = first(i), b = first(j);
        to_[std::max(a, b)] = std::min(a, b);
    }
};

// Each with those before it, of its own node and of those a step around. Not of links beside an edge:
// one whose plane lies between those of two sides would join these
void joinNeighbours
(
    const wallLinks& wall,
    const std::vector<label>& begin,
    const Foam::lbmLinkNormals::planes& planes,
    joinedLinks& joined
)
{
    const std::vector<lbm::Vec3>& normals = planes.normals;
    // So that what threads find has room
    const std::size_t atOnce = 1 << 16;
    std::vector<std::vector<std::pair<label, label>>> found;
    for (std::size_t from = 0; from + 1 < begin.size(); from += atOnce)
    {
        const std::size_t n = std::min(atOnce, begin.size() - 1 - from);
        found.assign(n, {});
        lbm::inParallel(n, [&](const std::size_t g)
        {
            const label own = begin[from + g], end = begin[from + g + 1];
            // One of each node is enough, for those of a node that are alike are joined there
            std::vector<lbm::NodeIndex> with(end - own, -1);
            wall.around(wall.node(own), 1, [&](const label j, const vector&)
            {
                if (planes.besideEdge[j]) return;
                for (label i = std::max(own, j + 1); i < end; ++i)
                {
                    if (planes.besideEdge[i] || with[i - own] == wall.node(j)) continue;
                    if (alike(normals[i], normals[j]) <= ofOneSide) continue;
                    found[g].push_back({i, j});
                    with[i - own] = wall.node(j);
                }
            });
        });
        for (const auto& ofNode : found)
        {
            for (const auto& pair : ofNode) joined.join(pair.first, pair.second);
        }
    }
}

// Sides of few links with the one beside them that is most like them, of many links or any; sides of
// many are not joined by it, for each of few joins one. False: there are none
bool joinFew
(
    const wallLinks& wall,
    const std::vector<lbm::Vec3>& normals,
    const bool withMany,
    joinedLinks& joined
)
{
    std::vector<std::uint32_t> first(normals.size());
    std::vector<std::size_t> links(normals.size(), 0);
    for (std::size_t i = 0; i < normals.size(); ++i) ++links[first[i] = joined.first(i)];
    struct beside { scalar alike = -2; label link = -1; };
    std::vector<beside> ofLinks(normals.size());
    lbm::inParallel(normals.size(), [&](const std::size_t i)
    {
        if (links[first[i]] >= fewLinks) return;
        wall.around(wall.node(label(i)), 1, [&](const label j, const vector&)
        {
            const scalar a = alike(normals[i], normals[j]);
            if (a <= ofLinks[i].alike || first[j] == first[i]) return;
            if (!withMany || links[first[j]] >= fewLinks) ofLinks[i] = {a, j};
        });
    });
    std::map<std::uint32_t, beside> best;
    for (std::size_t i = 0; i < normals.size(); ++i)
    {
        if (ofLinks[i].link < 0) continue;
        beside& of = best[first[i]];
        if (ofLinks[i].alike > of.alike) of = ofLinks[i];
    }
    bool any = false;
    for (const auto& [own, of] : best)
    {
        joined.join(own, of.link);
        any = true;
    }
    return any;
}

// Links of a node are together: where those of each begin, and the last end
std::vector<label> linksOfNodes(const wallLinks& wall, const label n)
{
    std::vector<label> begin;
    for (label i = 0; i < n; ++i)
    {
        if (i == 0 || wall.node(i) != wall.node(i - 1)) begin.push_back(i);
    }
    begin.push_back(n);
    return begin;
}

} // End anonymous namespace


Foam::lbmLinkNormals::planes Foam::lbmLinkNormals::of
(
    const lbm::Domain& domain,
    const labelList& links
)
{
    const wallLinks wall(domain, links);

    // Places around are the same of a node
    const std::vector<label> begin(linksOfNodes(wall, links.size()));
    std::vector<linkPlane> around(links.size());
    lbm::inParallel(begin.size() - 1, [&](const std::size_t group)
    {
        const placesAround places(wall, wall.node(begin[group]));
        for (label i = begin[group]; i < begin[group + 1]; ++i)
        {
            around[i] = places.fit(wall, i, Zero);
        }
    });

    planes found;
    found.normals.resize(links.size());
    found.besideEdge.resize(links.size(), false);
    lbm::inParallel(around.size(), [&](const std::size_t i)
    {
        vector n(Zero);
        if (around[i].spread > edgeSpread) n = besideEdge(wall, label(i), around);
        found.besideEdge[i] = n != vector(Zero);
        if (!found.besideEdge[i]) n = around[i].normal;
        found.normals[i] = {n.x(), n.y(), n.z()};
    });
    return found;
}


std::vector<std::uint32_t> Foam::lbmLinkNormals::sides
(
    const lbm::Domain& domain,
    const labelList& links,
    const planes& of
)
{
    const std::vector<lbm::Vec3>& normals = of.normals;
    const wallLinks wall(domain, links);
    joinedLinks joined(normals.size());
    joinNeighbours(wall, linksOfNodes(wall, links.size()), of, joined);
    for (const bool withMany : {true, false})
    {
        while (joinFew(wall, normals, withMany, joined)) {}
    }

    std::uint32_t n = 0;
    std::vector<std::uint32_t> side(normals.size());
    for (std::size_t i = 0; i < side.size(); ++i)
    {
        const std::uint32_t first = joined.first(i);
        side[i] = first == i ? n++ : side[first];
    }
    if (n < 2) side.clear();
    return side;
}
