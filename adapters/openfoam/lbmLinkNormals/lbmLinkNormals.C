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

// Steps that nodes with links may be away, and the weights' square of a width
const int linksAround = 2;
const Foam::scalar linkReach = 2;

// Of the spread, what keeps its inverse finite: a plane's own is next to nothing
const Foam::scalar planeSoftening = 1e-3;
const Foam::label planeIterations = 4;

Foam::vector linkDirection(const lbm::Link& link)
{
    const lbm::Int3 c = lbm::directionOf(link.direction);
    return Foam::vector(c[0], c[1], c[2]);
}

// Places of links, weighted; `outwards` sums their directions
struct placesOfLinks
{
    Foam::scalar weight = 0;
    Foam::vector first = Foam::Zero, outwards = Foam::Zero;
    Foam::symmTensor second = Foam::Zero;

    void add(const Foam::vector& at, const Foam::vector& c, const Foam::scalar w)
    {
        weight += w;
        first += w*at;
        second += w*Foam::sqr(at);
        outwards += w*c/Foam::magSqr(c);
    }

    // The direction of least spread, by inverse iteration from the links' own
    Foam::vector normal(const bool flat) const
    {
        const Foam::vector mean(first/weight);
        Foam::symmTensor s(second/weight - Foam::sqr(mean));
        const Foam::scalar deep = flat ? Foam::GREAT : planeSoftening;
        s += Foam::symmTensor(planeSoftening, 0, 0, planeSoftening, 0, deep);
        const Foam::tensor across(Foam::inv(Foam::tensor(s)));
        Foam::vector n(outwards/Foam::mag(outwards));
        for (Foam::label i = 0; i < planeIterations; ++i)
        {
            n = across & n;
            n /= Foam::mag(n);
        }
        return (n & outwards) < 0 ? -n : n;
    }
};

} // End anonymous namespace


std::vector<lbm::Vec3> Foam::lbmLinkNormals::of
(
    const lbm::Domain& domain,
    const labelList& links
)
{
    const auto nodeOf = [&](const label i){ return domain.links[links[i]].node; };
    const auto firstOf = [&](const lbm::NodeIndex node)
    {
        const auto found = std::lower_bound
        (
            links.begin(),
            links.end(),
            node,
            [&](const label link, const lbm::NodeIndex n)
            {
                return domain.links[link].node < n;
            }
        );
        return label(found - links.begin());
    };

    // Links of a node are together: their places around are the same
    std::vector<label> begin;
    for (label i = 0; i < links.size(); ++i)
    {
        if (i == 0 || nodeOf(i) != nodeOf(i - 1)) begin.push_back(i);
    }
    begin.push_back(links.size());

    std::vector<lbm::Vec3> normals(links.size());
    const int deep = domain.dimensions == 3 ? linksAround : 0;
    lbm::inParallel(begin.size() - 1, [&](const std::size_t group)
    {
        const lbm::NodeIndex node = nodeOf(begin[group]);
        const lbm::Int3 at = domain.coordinates(node);
        DynamicList<vector> places, outwards;
        lbm::Int3 to;
        for (to[2] = -deep; to[2] <= deep; ++to[2])
        for (to[1] = -linksAround; to[1] <= linksAround; ++to[1])
        for (to[0] = -linksAround; to[0] <= linksAround; ++to[0])
        {
            const lbm::NodeIndex there = domain.neighbour(at, to);
            if (there < 0 || !domain.fluid[there]) continue;
            const vector off(to[0], to[1], to[2]);
            for (label j = firstOf(there); j < links.size() && nodeOf(j) == there; ++j)
            {
                const lbm::Link& link = domain.links[links[j]];
                const vector c(linkDirection(link));
                places.append(off + link.fraction*c);
                outwards.append(c);
            }
        }
        for (label i = begin[group]; i < begin[group + 1]; ++i)
        {
            const lbm::Link& link = domain.links[links[i]];
            const vector here(link.fraction*linkDirection(link));
            placesOfLinks all;
            forAll(places, k)
            {
                const vector off(places[k] - here);
                all.add(off, outwards[k], std::exp(-magSqr(off)/linkReach));
            }
            const vector n
            (
                mag(all.outwards) > SMALL
              ? all.normal(domain.dimensions == 2)
              : linkDirection(link)/mag(linkDirection(link))
            );
            normals[i] = {n.x(), n.y(), n.z()};
        }
    });
    return normals;
}
