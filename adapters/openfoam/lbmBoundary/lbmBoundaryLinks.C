// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmBoundary.H"
#include "lbmLinkNormals.H"
#include "lbm/api/UnresolvedWalls.hpp"

#include <cmath>
#include <map>
#include <set>

namespace
{
    // So many links one thread sees to as fast as several
    const Foam::label manyOfPatch = 10000;

    // Planes this near to half-way are there [dx]
    const Foam::scalar offHalfWay = 1e-3;

    // Cosine of a normal and an axis that planes lie across
    const Foam::scalar acrossAxis = 1 - 1e-6;

    // flowRateInletVelocity, swirlFlowRateInletVelocity, flowRateOutletVelocity, ...
    bool givesRate(const Foam::fvPatchVectorField& U)
    {
        return U.type().find("lowRate") != std::string::npos;
    }

    // Spacings from an opening up to which a wall that slips ends there, less and less:
    // single steps of a wall bring and take, and it is their sum that the opening lacks
    const int wallEnd = 8;

    // away: between where links cross the wall and the opening. By nodes in place of these a
    // uniform stream would lack half a row of nodes
    Foam::scalar shareAtEnd(const Foam::scalar away)
    {
        return away < wallEnd
          ? 0.5*(1 + std::cos(Foam::constant::mathematical::pi*away/wallEnd)) : 0;
    }

    lbm::Vec3 crossingOf(const lbm::Domain& domain, const lbm::Link& link)
    {
        const lbm::Int3 x = domain.coordinates(link.node);
        const lbm::Int3 c = lbm::directionOf(link.direction);
        lbm::Vec3 at;
        for (int a = 0; a < 3; ++a) at[a] = x[a] + double(link.fraction)*c[a];
        return at;
    }

    // Where links cross openings, by blocks as wide as walls end
    class crossedOpenings
    {
    public:

        struct found { Foam::label patch; Foam::scalar away; };

        void add(const lbm::Vec3& at, const Foam::label patch)
        {
            auto& block = blocks_[blockOf(at, {0, 0, 0})];
            if (block.empty())
            {
                for (int code = 0; code < 27; ++code)
                {
                    near_.insert(blockOf(at, lbm::directionOf(std::uint8_t(code))));
                }
            }
            block.push_back({at, patch});
        }

        // patch: -1, none so near
        found nearest(const lbm::Vec3& to) const
        {
            found best{-1, Foam::scalar(wallEnd)};
            // Most links of most walls are far from all openings
            if (!near_.count(blockOf(to, {0, 0, 0}))) return best;
            for (int code = 0; code < 27; ++code)
            {
                const auto block =
                    blocks_.find(blockOf(to, lbm::directionOf(std::uint8_t(code))));
                if (block == blocks_.end()) continue;
                for (const auto& [at, patch] : block->second)
                {
                    const Foam::scalar away = std::hypot
                    (
                        at[0] - to[0], at[1] - to[1], at[2] - to[2]
                    );
                    if (away < best.away) best = {patch, away};
                }
            }
            return best;
        }

    private:

        static lbm::Int3 blockOf(const lbm::Vec3& at, const lbm::Int3& off)
        {
            lbm::Int3 block;
            for (int a = 0; a < 3; ++a)
            {
                block[a] = int(std::floor(at[a]/wallEnd)) + off[a];
            }
            return block;
        }

        std::map<lbm::Int3, std::vector<std::pair<lbm::Vec3, Foam::label>>> blocks_;
        std::set<lbm::Int3> near_;  // these and the ones around them
    };

    // Cosine of the normals of an inlet and of a plane that bounds its stream; one that the
    // inlet lies in does not
    const Foam::scalar beside = 0.5;
}


std::vector<lbm::Vec3> Foam::lbmBoundary::latticeNormals(const label patchi) const
{
    if (linkNormals_[patchi].size()) return linkNormals_[patchi];
    const vectorField n(U_.mesh().boundary()[patchi].nf());
    const lbmPackedLabels& faces = linkFaces(patchi);
    const label many = faces.size();
    std::vector<lbm::Vec3> normals(many);
    #pragma omp parallel for schedule(static) if (many > manyOfPatch)
    for (label i = 0; i < many; ++i) normals[i] = axes_.toLattice(n[faces[i]]);
    return normals;
}


void Foam::lbmBoundary::connect
(
    const lbm::Domain& domain,
    const std::string& lattice
)
{
    const auto directions = lbm::latticeDirections(lattice);
    const auto weights = lbm::latticeWeights(lattice);
    for (std::size_t q = 0; q < directions.size(); ++q)
    {
        const lbm::Int3& c = directions[q];
        weights_[lbm::directionCode(c[0], c[1], c[2])] = weights[q];
    }

    const scalar depth = axes_.dimensions() == 3
      ? domain.spacing : U_.mesh().bounds().span()[axes_.foamAxis(2)];
    spacing_ = domain.spacing;
    nodeVolume_ = sqr(spacing_)*depth;

    linkRuns_.reset(new lbm::LinkRuns(domain));
    forcedNodeOf_.clear();
    nLinks_ = labelList(kinds_.size(), 0);
    for (const lbm::Link& link : domain.links) ++nLinks_[link.patch];
    forAll(kinds_, patchi)
    {
        forceShares_[patchi].clear();
        if (!kinds_[patchi].variable()) continue;
        labelList links(nLinks_[patchi]);
        label n = 0;
        linkRuns_->each(patchi, [&](const std::size_t i){ links[n++] = label(i); });
        links_[patchi] = lbmPackedLabels(links);
        crossings_[patchi] = crossings(domain, patchi);
        if (kinds_[patchi].ofLinks)
        {
            lbmLinkNormals::planes planes(lbmLinkNormals::of(domain, links));
            linkSides_[patchi] = lbmLinkNormals::sides(domain, links, planes);
            linkNormals_[patchi] = std::move(planes.normals);
        }
    }
    forAll(kinds_, patchi)
    {
        if (kinds_[patchi].lawPlanes()) findLawPlanes(domain, patchi);
    }
    findUnresolved(domain);
    forAll(kinds_, patchi)
    {
        if (balances(patchi)) balance(domain, patchi);
    }
    forAll(kinds_, patchi)
    {
        edges_[patchi].clear();
        betweenPlanes_[patchi].clear();
        if (kinds_[patchi].is == lbmPatchKind::role::velocity)
        {
            findEdges(domain, patchi);
            findBetweenPlanes(domain, patchi);
        }
    }
    findEnds(domain);
}


void Foam::lbmBoundary::findEdges(const lbm::Domain& domain, const label patchi)
{
    forAll(links_[patchi], i)
    {
        const lbm::Link& link = domain.links[links_[patchi][i]];
        const lbm::Int3 c = lbm::directionOf(link.direction);
        for (label a = 0; a < axes_.dimensions(); ++a)
        {
            if (c[a] != 0) continue;
            for (const int side : {-1, 1})
            {
                lbm::Int3 across{0, 0, 0}, d(c);
                across[a] = d[a] = side;
                const lbm::Link* wall = lbm::findLink(domain, link.node, across);
                const lbm::Link* beside = lbm::findLink(domain, link.node, d);
                if (!wall || !beside || wall->patch != beside->patch) continue;
                const lbmPatchKind& kind = kinds_[wall->patch];
                if (!kind.wallLaw && kind.is != lbmPatchKind::role::slip) continue;
                const label record = beside - domain.links.data();
                if (unresolved_[record]) continue;
                const label patch = wall->patch;
                // The ends of walls count those
                if
                (
                    balances(patch)
                 && !balances_[patch].paired(links_[patch].find(record))
                ) continue;
                edges_[patchi].append
                (
                    besideInlet{i, patch, record, direction(a)}
                );
            }
        }
    }
}


void Foam::lbmBoundary::findEnds(const lbm::Domain& domain)
{
    bool any = false;
    forAll(kinds_, patchi)
    {
        ends_[patchi].clear();
        any = any || balances(patchi);
    }
    if (!any) return;

    crossedOpenings openings;
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].opening()) continue;
        for (const label i : links_[patchi])
        {
            openings.add(crossingOf(domain, domain.links[i]), patchi);
        }
    }
    forAll(kinds_, patchi)
    {
        if (!balances(patchi)) continue;
        forAll(links_[patchi], i)
        {
            const label record = links_[patchi][i];
            if (unresolved_[record]) continue;
            const auto opening =
                openings.nearest(crossingOf(domain, domain.links[record]));
            if (opening.patch < 0) continue;
            const scalar share = shareAtEnd(opening.away);
            balances_[patchi].leave(i, share);
            if (kinds_[opening.patch].is != lbmPatchKind::role::velocity) continue;
            if (balances_[patchi].paired(i)) continue;
            ends_[opening.patch].append(endOfWall{patchi, i, share});
        }
    }
}


bool Foam::lbmBoundary::mirrorsAcross
(
    const lbm::Domain& domain,
    const lbm::Link& link,
    const label axis
) const
{
    const lbmPatchKind& kind = kinds_[link.patch];
    if (kind.is != lbmPatchKind::role::slip && !kind.lawPlanes()) return false;
    if (unresolved_[&link - domain.links.data()]) return false;
    return mag(normalOf(domain, link)[axes_.foamAxis(axis)]) > acrossAxis;
}


const Foam::vector& Foam::lbmBoundary::normalOf
(
    const lbm::Domain& domain,
    const lbm::Link& link
) const
{
    const label i = links_[link.patch].find(&link - domain.links.data());
    const label facei = linkFaces(link.patch)[i];
    return U_.mesh().boundaryMesh()[link.patch].faceNormals()[facei];
}


bool Foam::lbmBoundary::isBeside
(
    const lbm::Domain& domain,
    const lbm::Link& plane,
    const vector& inlet
) const
{
    return kinds_[plane.patch].is == lbmPatchKind::role::slip
        && mag(normalOf(domain, plane) & inlet) < beside;
}


// Of the row of a node that has a link in this direction through an inlet
Foam::scalar Foam::lbmBoundary::shareBetweenPlanes
(
    const lbm::Domain& domain,
    const lbm::NodeIndex node,
    const lbm::Int3& direction
) const
{
    scalar share = 1;
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        scalar rows = 1;
        for (const int side : {-1, 1})
        {
            lbm::Int3 across{0, 0, 0};
            across[a] = side;
            const lbm::Link* plane = lbm::findLink(domain, node, across);
            if (direction == across || !plane) continue;
            if (kinds_[plane->patch].is != lbmPatchKind::role::slip) continue;
            if (!mirrorsAcross(domain, *plane, a)) continue;
            rows += scalar(plane->fraction) - 0.5;
        }
        share *= rows;
    }
    return share;
}


void Foam::lbmBoundary::findBetweenPlanes
(
    const lbm::Domain& domain,
    const label patchi
)
{
    // Where all openings have given flows these are to close
    bool adapts = false;
    for (const lbmPatchKind& kind : kinds_) adapts = adapts || kind.adapts();
    besidePlanesAlone_[patchi] = false;
    if (!adapts || givesRate(U_.boundaryField()[patchi])) return;

    bool planes = false, others = false;
    forAll(links_[patchi], i)
    {
        const lbm::Link& link = domain.links[links_[patchi][i]];
        const vector normal(normalOf(domain, link));
        const lbm::Link* other = &link;
        while (other != domain.links.data() && other[-1].node == link.node) --other;
        for (; other != &domain.links.back() + 1 && other->node == link.node; ++other)
        {
            if (other->patch == patchi) continue;
            (isBeside(domain, *other, normal) ? planes : others) = true;
        }
        const scalar share =
            shareBetweenPlanes(domain, link.node, lbm::directionOf(link.direction));
        if (mag(share - 1) > offHalfWay) betweenPlanes_[patchi].set(i, share);
    }
    besidePlanesAlone_[patchi] = planes && !others;
}


void Foam::lbmBoundary::balance(const lbm::Domain& domain, const label patchi)
{
    std::vector<lbm::Vec3> normals(latticeNormals(patchi));
    forAll(links_[patchi], i)
    {
        if (unresolved_[links_[patchi][i]]) normals[i] = {0, 0, 0};
    }
    // As a whole: in pieces (lbm::WallPieces) OpenFOAM's pitzDailyExptInlet is 9.7 % from
    // simpleFoam's pressure in place of 7.8, and others as far as they are
    balances_[patchi] = lbm::SlipBalance
    (
        domain,
        uniform(),
        std::vector<std::size_t>(links_[patchi].begin(), links_[patchi].end()),
        normals,
        weights_
    );
}


void Foam::lbmBoundary::findUnresolved(const lbm::Domain& domain)
{
    nUnresolved_ = 0;
    unresolved_.assign(domain.links.size(), false);
    bool anyLaw = false;
    for (const lbmPatchKind& kind : kinds_) anyLaw = anyLaw || kind.wallLaw;
    if (!anyLaw) return;

    std::vector<lbm::Vec3> normals(domain.links.size(), lbm::Vec3{0, 0, 0});
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].wallLaw) continue;
        const std::vector<lbm::Vec3> n(latticeNormals(patchi));
        forAll(links_[patchi], i) normals[links_[patchi][i]] = n[i];
    }
    unresolved_ = lbm::unresolvedWalls
    (
        domain,
        weights_,
        normals
    );

    lbm::NodeIndex last = -1;
    for (std::size_t i = 0; i < unresolved_.size(); ++i)
    {
        if (!unresolved_[i] || domain.links[i].node == last) continue;
        last = domain.links[i].node;
        ++nUnresolved_;
    }

    std::vector<bool> mirrors(domain.links.size(), false);
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].lawPlanes()) continue;
        for (const label i : links_[patchi]) mirrors[i] = true;
    }
    lbm::stickInPairs(domain, normals, mirrors, unresolved_);
}


void Foam::lbmBoundary::stickWhereUnresolved
(
    const lbmUnits& units,
    const label patchi,
    const vectorField& U,
    const piece& links
) const
{
    const label first = links.first, end = links.first + links.n;
    #pragma omp parallel for schedule(static) if (end - first > manyOfPatch)
    for (label i = first; i < end; ++i)
    {
        if (!unresolved_[links_[patchi][i]]) continue;
        links[i] = lbm::LinkValue();
        links[i].kind = lbm::BoundaryKind::movingWall;
        links[i].velocity =
            units.velocity(axes_, crossings_[patchi].atLink(i, U));
    }
}


Foam::lbmPatchLinks Foam::lbmBoundary::crossings
(
    const lbm::Domain& domain,
    const label patchi
) const
{
    // Planes without a law tell their links nothing but normals
    const lbmPatchKind& kind = kinds_[patchi];
    return
    {
        domain,
        *linkRuns_,
        axes_,
        U_.mesh().boundaryMesh()[patchi],
        kind.wallLaw || !lbm::isPlane(kind.kind())
    };
}


Foam::label Foam::lbmBoundary::faceOfLink
(
    const label patchi,
    const label linki
) const
{
    return crossings_[patchi].faces()
    [
        links_[patchi].find(linki)
    ];
}


bool Foam::lbmBoundary::besideWalls() const
{
    for (const lbmPatchKind& kind : kinds_)
    {
        if (kind.anyWall() || kind.opening()) return true;
    }
    return false;
}


bool Foam::lbmBoundary::wallsHaveLaws() const
{
    bool any = false;
    for (const lbmPatchKind& kind : kinds_)
    {
        if (!kind.anyWall()) continue;
        if (!kind.ofLinks) return false;
        any = true;
    }
    return any;
}


// Not walls with a law, which slip little slower than the fluid beside them: what
// collisions bear there was measured with them
bool Foam::lbmBoundary::besideMovingWalls() const
{
    for (const lbmPatchKind& kind : kinds_)
    {
        if (kind.is == lbmPatchKind::role::movingWall) return true;
    }
    return false;
}


// A link into the edge between planes across axes crosses them all, though its place
// lies on one face: the axes' own links tell. From beyond an edge it crosses none, for the
// links of the nodes on either side pass on all of the planes' stress
Foam::lbmBoundary::planes Foam::lbmBoundary::crossedPlanes
(
    const lbm::Domain& domain,
    const label patchi,
    const label i
) const
{
    const scalar alongAxis = 0.98;
    const lbm::Link& link = domain.links[links_[patchi][i]];
    const lbm::Int3 c = lbm::directionOf(link.direction);
    planes crossed(labelPair(-1, -1));
    label n = 0;
    bool beside = false;
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        lbm::Int3 axis{0, 0, 0};
        axis[a] = c[a];
        const lbm::Link* straight =
            c[a] ? lbm::findLink(domain, link.node, axis) : nullptr;
        beside = beside || straight;
        if (!straight || !kinds_[straight->patch].lawPlanes()) continue;

        const label record = straight - domain.links.data();
        const label patch = straight->patch;
        const lbm::Vec3 normal
        (
            axes_.toLattice
            (
                U_.mesh().boundary()[patch].patch().faceNormals()
                [
                    faceOfLink(patch, record)
                ]
            )
        );
        if (mag(normal[a]) < alongAxis) continue;
        crossed[n++] = labelPair(patch, links_[patch].find(record));
    }
    if (n < 2) crossed[0] = beside ? labelPair(patchi, i) : labelPair(-1, -1);
    return crossed;
}


void Foam::lbmBoundary::findLawPlanes
(
    const lbm::Domain& domain,
    const label patchi
)
{
    const labelPair none(-1, -1);
    lawPlanes_[patchi].clear();
    forAll(links_[patchi], i)
    {
        const planes crossed(crossedPlanes(domain, patchi, i));
        const bool own = crossed[0] == labelPair(patchi, i) && crossed[1] == none;
        if (!own) lawPlanes_[patchi].append({i, crossed});
    }
    lawPlanes_[patchi].shrink();
}
