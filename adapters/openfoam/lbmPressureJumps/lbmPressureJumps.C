// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPressureJumps.H"
#include "jumpCyclicFvPatchFields.H"

#include <cmath>
#include <set>

namespace
{
    // In spacings: links through an edge of a face cross it
    const Foam::scalar onEdge = 1e-4;

    lbm::Int3 minus(const lbm::Int3& c) { return {-c[0], -c[1], -c[2]}; }

    lbm::Int3 part(const lbm::Int3& c, const int a)
    {
        lbm::Int3 along{0, 0, 0};
        along[a] = c[a];
        return along;
    }

    // A plate without thickness across `across` ends between the node, beside which
    // the way is free, and the one aside
    bool endsPlate
    (
        const lbm::Domain& domain,
        const lbm::NodeIndex node,
        const lbm::Int3& across,
        const lbm::Int3& aside
    )
    {
        if (node < 0 || lbm::findLink(domain, node, across)) return false;
        const lbm::NodeIndex beside =
            domain.neighbour(domain.coordinates(node), aside);
        return beside >= 0 && lbm::findLink(domain, beside, across);
    }

    // The wall's link goes past one edge of a plate across an axis, and no corner of
    // it: half of what planes are sent over it goes on
    bool isEdge
    (
        const lbm::Domain& domain,
        const lbm::NodeIndex node,
        const lbm::Int3& c
    )
    {
        const auto next = [&](const lbm::NodeIndex from, const lbm::Int3& step)
        {
            return from < 0 ? from : domain.neighbour(domain.coordinates(from), step);
        };
        int edges = 0;
        for (int a = 0; a < 3; ++a) for (int b = 0; b < 3; ++b)
        {
            if (a == b || c[a] == 0 || c[b] == 0) continue;
            const lbm::Int3 across(part(c, a)), alongT(part(c, 3 - a - b));
            const bool beyond = !lbm::findLink(domain, node, across);
            const lbm::Int3 alongB(part(c, b));
            const lbm::NodeIndex free = beyond ? node : next(node, alongB);
            const lbm::Int3 aside(beyond ? alongB : minus(alongB));
            edges += endsPlate(domain, free, across, aside)
                && endsPlate(domain, next(free, alongT), across, aside);
        }
        return edges == 1;
    }
}


Foam::lbmPressureJumps::lbmPressureJumps(const volScalarField& p)
:
    p_(p)
{
    forAll(p.boundaryField(), patchi)
    {
        const fvPatchScalarField& pp = p.boundaryField()[patchi];
        if (may(pp) && pp.size() && of(pp).cyclicPatch().owner())
        {
            patches_.append(patchi);
            first_.append(nFaces_);
            nFaces_ += pp.size();
        }
    }
}


void Foam::lbmPressureJumps::record
(
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const std::vector<lbm::Int3>& directions,
    lbmFluidLinks& links,
    lbmBoundary& boundary,
    const bool sketch
) const
{
    for (const label patchi : patches_)
    {
        label found = 0;
        const auto add = [&]
        (
            const lbm::NodeIndex node,
            const lbm::Int3& c,
            const lbm::NodeIndex there,
            const label number
        )
        {
            const lbm::Int3 back(minus(c));
            const lbm::Link* wall = lbm::findLink(domain, node, c);
            const lbm::Link* behind = lbm::findLink(domain, there, back);
            if (wall && behind)
            {
                if (!isEdge(domain, node, c)) return;
                boundary.addHalfJump(domain, *wall, number, -1);
                boundary.addHalfJump(domain, *behind, number, 1);
                return;
            }
            if (wall || behind || links.at(node, c).face >= 0) return;
            links.at(node, c).face = links.at(there, back).face = number;
            links.at(node, c).sense = -1;
            links.at(there, back).sense = 1;
            ++found;
        };
        forCrossing(patchi, domain, axes, directions, add);
        if (found || sketch) continue;
        FatalErrorInFunction
            << "Pressure jumps across patch " << p_.mesh().boundary()[patchi].name()
            << ", and no link of the lattice leads through it from node to node" << nl
            << "Way out: smaller cells (system/lbmDict); patches that repeat by"
            << " rotation cannot have such a condition" << exit(FatalError);
    }
}


void Foam::lbmPressureJumps::forCrossing
(
    const label patchi,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const std::vector<lbm::Int3>& directions,
    const act& act
) const
{
    // A link through the edge between two faces once
    std::set<std::pair<lbm::NodeIndex, lbm::Int3>> met;
    const auto once = [&]
    (
        const lbm::NodeIndex node,
        const lbm::Int3& c,
        const lbm::NodeIndex there,
        const label number
    )
    {
        if (met.emplace(node, c).second) act(node, c, there, number);
    };
    const polyPatch& patch = p_.mesh().boundaryMesh()[patchi];
    const label first = first_[patches_.find(patchi)];
    forAll(patch, facei)
    {
        forCrossing
        (
            patch[facei],
            patch.faceAreas()[facei],
            patch.faceCentres()[facei],
            first + facei,
            domain,
            axes,
            directions,
            once
        );
    }
}


void Foam::lbmPressureJumps::forCrossing
(
    const face& f,
    const vector& n,
    const point& centre,
    const label number,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const std::vector<lbm::Int3>& directions,
    const act& act
) const
{
    const pointField& points = p_.mesh().points();
    const boundBox box(points, f, false);
    const lbm::Vec3 low(axes.toLattice(box.min())), high(axes.toLattice(box.max()));
    const auto place = [&](const lbm::Int3& x)
    {
        return axes.position(domain, {double(x[0]), double(x[1]), double(x[2])});
    };

    // Nodes whose links may reach the face
    lbm::Int3 first, last;
    for (label a = 0; a < 3; ++a)
    {
        const scalar dx = domain.spacing;
        first[a] = max(0, int(std::floor((low[a] - domain.origin[a])/dx)) - 1);
        last[a] = min
        (
            domain.size[a] - 1, int(std::ceil((high[a] - domain.origin[a])/dx)) + 1
        );
    }
    lbm::Int3 x;
    for (x[2] = first[2]; x[2] <= last[2]; ++x[2])
    for (x[1] = first[1]; x[1] <= last[1]; ++x[1])
    for (x[0] = first[0]; x[0] <= last[0]; ++x[0])
    {
        const lbm::NodeIndex node = domain.index(x[0], x[1], x[2]);
        const point from(place(x));
        const scalar before = (from - centre) & n;
        if (!domain.fluid[node] || before > 0) continue;
        for (const lbm::Int3& c : directions)
        {
            const point to(place({x[0] + c[0], x[1] + c[1], x[2] + c[2]}));
            const scalar behind = (to - centre) & n;
            if (!(behind > 0)) continue;
            const point crossing(from + before/(before - behind)*(to - from));
            const scalar off = f.nearestPoint(crossing, points).distance();
            const lbm::NodeIndex there = domain.neighbour(x, c);
            if (off > onEdge*domain.spacing || there < 0 || !domain.fluid[there])
            {
                continue;
            }
            act(node, c, there, number);
        }
    }
}


Foam::tmp<Foam::scalarField> Foam::lbmPressureJumps::rises() const
{
    auto result = tmp<scalarField>::New(nFaces_);
    forAll(patches_, i)
    {
        const scalarField jump(of(p_.boundaryField()[patches_[i]]).jump());
        SubList<scalar>(result.ref(), jump.size(), first_[i]) = jump;
    }
    return result;
}


void Foam::lbmPressureJumps::printPlan() const
{
    for (const label patchi : patches_)
    {
        Info<< "    jump of p       " << p_.mesh().boundary()[patchi].name() << ", "
            << p_.boundaryField()[patchi].type()
            << ": across links, anew at each time step" << nl;
    }
}
