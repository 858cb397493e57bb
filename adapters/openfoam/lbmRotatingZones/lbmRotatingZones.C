// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRotatingZones.H"
#include "coupledPolyPatch.H"
#include "emptyPolyPatch.H"
#include "Fstream.H"
#include "lbmRotatingFrame.H"
#include "lbmZoneNodes.H"
#include "Time.H"

#include <algorithm>

namespace
{
    // Of a velocity, what counts as none of it
    const Foam::scalar noneOfIt = 1e-6;

    // Of the angle between an axis and a direction (its sine) that belong together
    const Foam::scalar sameDirection = 1e-3;

    // More than this part of a node makes it one of the zone's
    const Foam::scalar halfInZone = 0.5;

    const Foam::word fileOfZones("MRFProperties");

    Foam::IOobject zonesFile(const Foam::Time& runTime)
    {
        return Foam::IOobject
        (
            fileOfZones,
            runTime.constant(),
            runTime,
            Foam::IOobject::MUST_READ,
            Foam::IOobject::NO_WRITE,
            false
        );
    }

    bool isZone(const Foam::entry& e)
    {
        return e.isDict() && e.dict().getOrDefault("active", true);
    }
}


bool Foam::lbmRotatingZones::asked(const Time& runTime)
{
    const fileName name(runTime.globalPath()/runTime.constant()/fileOfZones);
    if (!isFile(name)) return false;
    IFstream is(name);
    const dictionary properties(is);
    for (const entry& e : properties) if (isZone(e)) return true;
    return false;
}


Foam::lbmRotatingZones::lbmRotatingZones
(
    const fvMesh& mesh,
    const lbmAxes& axes
)
:
    mesh_(mesh),
    properties_(zonesFile(mesh.time())),
    zoneOfCell_(mesh.nCells(), -1)
{
    if (lbmRotatingFrame::asked(mesh.time()))
    {
        FatalIOErrorInFunction(properties_)
            << "The case has zones that rotate, and constant/SRFProperties: lbmFoam"
            << " has one or the other" << exit(FatalIOError);
    }
    for (const entry& e : properties_) if (isZone(e)) read(e.keyword(), e.dict());
    listCells();
    if (axes.dimensions() == 3) return;
    forAll(omega_, zonei)
    {
        vector along(omega_[zonei]);
        along[axes.foamAxis(2)] = 0;
        if (mag(along) > sameDirection*mag(omega_[zonei]))
        {
            refuse(zonei, "its axis is not across the plane of the mesh");
        }
    }
}


void Foam::lbmRotatingZones::refuse(const label zonei, const string& why) const
{
    FatalIOErrorInFunction(properties_)
        << "Zone " << zones_[zonei].name() << " rotates, and " << why.c_str()
        << ": lbmFoam cannot honour that" << nl
        << "Without the zone's rotation: active no" << exit(FatalIOError);
    std::abort();
}


void Foam::lbmRotatingZones::read(const word& name, const dictionary& dict)
{
    const word cells(dict.get<word>("cellZone"));
    if (mesh_.cellZones().findZoneID(cells) < 0)
    {
        FatalIOErrorInFunction(dict)
            << "Zone " << name << " rotates, and the mesh has no cellZone " << cells
            << nl << "It has " << flatOutput(mesh_.cellZones().names())
            << exit(FatalIOError);
    }
    zones_.append(new MRFZone(name, mesh_, dict));
    const MRFZone& zone = zones_.last();
    origin_.append(dict.get<vector>("origin"));
    omega_.append(zone.Omega());
    const word type(Function1<scalar>::New("omega", dict)->type());
    if (type != "constant")
    {
        refuse(zones_.size() - 1, "its omega is of type " + type);
    }
    if (!(mag(zone.Omega()) < GREAT))
    {
        refuse(zones_.size() - 1, "its axis is no direction");
    }
}


const Foam::labelUList& Foam::lbmRotatingZones::cells(const label zonei) const
{
    return mesh_.cellZones()
    [
        mesh_.cellZones().findZoneID
        (
            properties_.subDict(zones_[zonei].name()).get<word>("cellZone")
        )
    ];
}


void Foam::lbmRotatingZones::listCells()
{
    forAll(zones_, zonei)
    {
        for (const label celli : cells(zonei))
        {
            if (zoneOfCell_[celli] >= 0)
            {
                refuse(zonei, "shares cells with " + name(zoneOfCell_[celli]));
            }
            zoneOfCell_[celli] = zonei;
            cells_.append(celli);
        }
    }
    Foam::sort(cells_);
}


void Foam::lbmRotatingZones::refusePatch
(
    const label patchi,
    const lbmPatchKind& kind
) const
{
    const fvPatch& patch = mesh_.boundary()[patchi];
    if (isA<emptyPolyPatch>(patch.patch()) || kind.anyWall()) return;

    const vectorField n(patch.nf());
    forAll(patch, facei)
    {
        const label zonei = zoneOf(patchi, facei);
        if (zonei < 0) continue;
        if (kind.opening()) refuse(zonei, "patch " + patch.name() + " lets fluid pass");

        const vector V(velocity(zonei, patch.Cf()[facei]));
        const bool repeats = !isA<coupledPolyPatch>(patch.patch())
            || mag(n[facei] ^ omega_[zonei]) < sameDirection*mag(omega_[zonei]);
        if (!repeats || mag(V & n[facei]) > noneOfIt*fastest())
        {
            refuse(zonei, "patch " + patch.name() + " does not look alike all round its axis");
        }
    }
}


void Foam::lbmRotatingZones::adapt(List<lbmPatchKind>& kinds) const
{
    forAll(kinds, patchi)
    {
        refusePatch(patchi, kinds[patchi]);
        if (!kinds[patchi].anyWall()) continue;
        forAll(mesh_.boundary()[patchi], facei)
        {
            if (zoneOf(patchi, facei) < 0) continue;
            kinds[patchi].is = lbmPatchKind::role::movingWall;
            break;
        }
    }
}


void Foam::lbmRotatingZones::correctBoundaryVelocity(volVectorField& U) const
{
    for (const MRFZone& zone : zones_) zone.correctBoundaryVelocity(U);
}


void Foam::lbmRotatingZones::makeRelative(surfaceScalarField& phi) const
{
    for (const MRFZone& zone : zones_) zone.makeRelative(phi);
}


Foam::tmp<Foam::vectorField> Foam::lbmRotatingZones::relative
(
    const volVectorField& U
) const
{
    auto result = tmp<vectorField>::New(U.primitiveField());
    for (const label celli : cells_)
    {
        result.ref()[celli] -= velocity(zoneOfCell_[celli], mesh_.C()[celli]);
    }
    return result;
}


Foam::tmp<Foam::vectorField> Foam::lbmRotatingZones::frameVelocity
(
    const label patchi
) const
{
    const fvPatch& patch = mesh_.boundary()[patchi];
    auto result = tmp<vectorField>::New(patch.size(), Zero);
    bool any = false;
    forAll(patch, facei)
    {
        const label zonei = zoneOf(patchi, facei);
        if (zonei < 0) continue;
        any = true;
        result.ref()[facei] = velocity(zonei, patch.Cf()[facei]);
    }
    if (!any) result.ref().clear();
    return result;
}


Foam::scalar Foam::lbmRotatingZones::fastest() const
{
    scalar fastest = 0;
    for (const label celli : cells_)
    {
        for (const label pointi : mesh_.cellPoints()[celli])
        {
            fastest = max
            (
                fastest, mag(velocity(zoneOfCell_[celli], mesh_.points()[pointi]))
            );
        }
    }
    return fastest;
}


void Foam::lbmRotatingZones::findNodes
(
    const lbm::Domain& domain,
    const lbmAxes& axes
)
{
    zoneOfNode_.assign(domain.nodes(), -1);
    nodes_.clear();
    forAll(zones_, zonei)
    {
        const lbmZoneNodes found(mesh_, domain, axes, cells(zonei));
        for (std::size_t i = 0; i < found.nodes().size(); ++i)
        {
            scalar part = 0;
            for (auto s = found.begin(i); s != found.end(i); ++s) part += s->part;
            if (part <= halfInZone) continue;
            zoneOfNode_[found.nodes()[i]] = std::int16_t(zonei);
            nodes_.push_back(found.nodes()[i]);
        }
    }
    std::sort(nodes_.begin(), nodes_.end());
    placeOf_.clear();
    for (const lbm::NodeIndex node : nodes_)
    {
        const lbm::Int3 at(domain.coordinates(node));
        placeOf_.push_back
        (
            axes.position(domain, {double(at[0]), double(at[1]), double(at[2])})
        );
    }
}


void Foam::lbmRotatingZones::place
(
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const std::vector<lbm::Int3>& directions,
    lbmFluidLinks& links
)
{
    findNodes(domain, axes);
    const label before = links.size();
    for (const lbm::NodeIndex node : nodes_)
    {
        const lbm::Int3 at(domain.coordinates(node));
        for (const lbm::Int3& c : directions)
        {
            const lbm::NodeIndex there = domain.neighbour(at, c);
            if (there < 0 || !domain.fluid[there]) continue;
            const label own = zoneOfNode_[node], other = zoneOfNode_[there];
            if (other == own || lbm::findLink(domain, node, c)) continue;

            // The same place for both, whatever periodic side lies between
            const point halfway
            (
                axes.position
                (
                    domain,
                    {at[0] + 0.5*c[0], at[1] + 0.5*c[1], at[2] + 0.5*c[2]}
                )
            );
            vector jump(-velocity(own, halfway));
            if (other >= 0) jump += velocity(other, halfway);
            links.at(node, c).velocity = jump;
            if (other >= 0) continue;
            links.at(there, {-c[0], -c[1], -c[2]}).velocity = -jump;
        }
    }
    nLinks_ = links.size() - before;
}


Foam::vector Foam::lbmRotatingZones::velocity(const lbm::NodeIndex node) const
{
    const label zonei = zoneOfNode_[node];
    if (zonei < 0) return Zero;
    const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), node);
    return velocity(zonei, placeOf_[at - nodes_.begin()]);
}


Foam::tensor Foam::lbmRotatingZones::coriolis(const label zonei) const
{
    // 2 Omega x U
    return 2*(*omega_[zonei]);
}


Foam::vector Foam::lbmRotatingZones::centripetal
(
    const label zonei,
    const point& x
) const
{
    return omega_[zonei] ^ velocity(zonei, x);
}


void Foam::lbmRotatingZones::printPlan() const
{
    forAll(zones_, zonei)
    {
        Info<< "    zone            " << zones_[zonei].name() << " of "
            << cells(zonei).size() << " cells rotates with " << omega_[zonei]
            << " rad/s about " << origin_[zonei] << nl;
    }
    Info<< "                    " << nNodes() << " nodes hold the velocity seen from"
        << " their zone, at most " << fastest() << " m/s less; "
        << nLinks_ << " links lead from frame to frame" << nl;
}
