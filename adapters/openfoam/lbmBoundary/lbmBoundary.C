// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmBoundary.H"
#include "lbmControls.H"
#include "lbmLinkNormals.H"
#include "lbmRotatingZones.H"
#include "lbmStaircase.H"
#include "lbmSurfaceWalls.H"
#include "StringStream.H"
#include "ListOps.H"
#include "mixedFvPatchFields.H"
#include "lbm/api/SlippingWall.hpp"
#include "lbm/api/UnresolvedWalls.hpp"

#include <cmath>

namespace
{

// A net flow below this share of what passes either way sets no scale
const Foam::scalar oneWayShare = 0.5;

bool drivenByPressure(const Foam::List<Foam::lbmPatchKind>& kinds)
{
    using role = Foam::lbmPatchKind::role;
    for (const Foam::lbmPatchKind& kind : kinds)
    {
        if (kind.is == role::velocity || kind.is == role::velocityAndPressure)
        {
            return false;
        }
    }
    return true;
}

} // End anonymous namespace


Foam::lbmBoundary::lbmBoundary
(
    volVectorField& U,
    volScalarField& p,
    surfaceScalarField& phi,
    const lbmAxes& axes,
    const lbmRotatingZones* zones
)
:
    U_(U),
    p_(p),
    phi_(phi),
    axes_(axes),
    zones_(zones),
    kinds_(U.boundaryField().size()),
    nLinks_(kinds_.size(), 0),
    links_(kinds_.size()),
    crossings_(kinds_.size()),
    lawStress_(kinds_.size()),
    lawAtLinks_(kinds_.size()),
    lawPlanes_(kinds_.size()),
    halfJumps_(kinds_.size()),
    slip_(kinds_.size()),
    gain_(kinds_.size()),
    balances_(kinds_.size()),
    linkNormals_(kinds_.size()),
    toldVelocities_(kinds_.size()),
    nUnresolved_(0),
    gains_(kinds_.size()),
    weights_(Zero),
    spacing_(0),
    nodeVolume_(0),
    told_(kinds_.size(), false),
    toldU_(kinds_.size()),
    toldP_(kinds_.size())
{
    labelHashSet cells;
    forAll(kinds_, patchi)
    {
        kinds_[patchi] = lbmPatchKind::of
        (
            U.boundaryField()[patchi],
            p.boundaryField()[patchi]
        );
        if (kinds_[patchi].opening())
        {
            cells.insert(U.mesh().boundary()[patchi].faceCells());
        }
        if (kinds_[patchi].farField) provideCompressibility(patchi);
    }
    if (drivenByPressure(kinds_))
    {
        forAll(kinds_, patchi)
        {
            const bool held = kinds_[patchi].is == lbmPatchKind::role::pressure;
            if (!held || kinds_[patchi].farField) continue;
            gains_.set(patchi, new lbmOpeningGain(U.mesh().boundary()[patchi]));
            cells.insert(gains_[patchi].further());
        }
    }
    openingCells_ = cells.sortedToc();
    if (!zones_) return;
    zones_->adapt(kinds_);
    zones_->correctBoundaryVelocity(U_);
}


void Foam::lbmBoundary::evaluateU()
{
    U_.correctBoundaryConditions();
    if (zones_) zones_->correctBoundaryVelocity(U_);
}


Foam::tmp<Foam::vectorField> Foam::lbmBoundary::seenFromNodes
(
    const label patchi
) const
{
    auto result = tmp<vectorField>::New(U_.boundaryField()[patchi]);
    if (!zones_) return result;
    const vectorField frame(zones_->frameVelocity(patchi));
    if (frame.size()) result.ref() -= frame;
    return result;
}


// waveTransmissive looks the field up by name when p is evaluated
void Foam::lbmBoundary::provideCompressibility(const label patchi)
{
    OStringStream text;
    p_.boundaryField()[patchi].write(text);
    const dictionary d((IStringStream(text.str())()));
    const word name(d.getOrDefault<word>("psi", "thermo:psi"));
    if (U_.mesh().foundObject<volScalarField>(name)) return;

    psi_.append
    (
        new volScalarField
        (
            IOobject(name, U_.mesh().time().timeName(), U_.mesh()),
            U_.mesh(),
            dimensionedScalar(name, sqr(dimTime/dimLength), 1)
        )
    );
}


void Foam::lbmBoundary::setOpeningTypes
(
    const lbm::Domain& domain,
    const lbmControls& controls,
    const bool letOutSound
)
{
    using role = lbmPatchKind::role;
    using type = lbmControls::openingType;

    // Longer ones let means swing: measured in lbm/bench/results/curved-walls.md
    const scalar longest = domain.spacing
       *max(domain.size[0], max(domain.size[1], domain.size[2]));

    wordHashSet openings;
    const auto decide = [&](const role which, const bool lets)
    {
        bool any = false;
        forAll(kinds_, patchi)
        {
            lbmPatchKind& kind = kinds_[patchi];
            if (kind.is != which) continue;
            const word& name = U_.mesh().boundary()[patchi].name();
            openings.insert(name);
            const type usual =
                lets && !kind.afar ? type::nonReflecting : type::reflecting;
            const type found = controls.opening(name, kind.lInf, usual);
            any = any || found == type::nonReflecting;
            switch (found)
            {
                case type::reflecting: break;
                case type::nonReflecting: kind.nonReflecting = true; break;
                case type::velocityGradient:
                    kind.velocityGradient = true;
                    kind.nonReflecting = false;
            }
            if (kind.lInf <= 0) kind.lInf = longest;
        }
        return any;
    };
    const bool anyPressure = decide(role::pressure, letOutSound);
    decide(role::velocity, letOutSound && !anyPressure);
    controls.checkOpenings(openings);
}


std::vector<bool> Foam::lbmBoundary::restingWalls() const
{
    std::vector<bool> resting;
    for (const lbmPatchKind& kind : kinds_)
    {
        resting.push_back(kind.is == lbmPatchKind::role::wall && !kind.wallLaw);
    }
    return resting;
}


void Foam::lbmBoundary::placeWalls
(
    const lbm::Domain& domain,
    const lbmControls& controls
)
{
    // Off the half-way point by this much of a link, a wall is worth its place
    const double tolerance = 1e-3;

    std::vector<bool> between(kinds_.size(), true);
    for (const lbm::Link& link : domain.links)
    {
        if (std::abs(link.fraction - 0.5) > tolerance)
        {
            between[link.patch] = false;
        }
    }

    wordHashSet walls;
    lbmStaircase staircase(U_.mesh());
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].anyWall()) continue;
        const word& name = U_.mesh().boundary()[patchi].name();
        walls.insert(name);

        using type = lbmControls::wallType;
        const type wanted = controls.wall(name);
        lbmPatchKind& kind = kinds_[patchi];
        // Of surfaces the mesh has stairs, the links have not
        kind.steps =
            !lbmSurfaceWalls::of(U_.mesh()) && staircase.is(patchi);
        if (kind.slips)
        {
            kind.interpolated = true;
            kind.scheme = lbm::WallScheme::slipping;
        }
        if (kind.wallLaw) continue;
        kind.interpolated = wanted == type::automatic
          ? !between[patchi] : wanted != type::halfway;
        if (wanted == type::quadratic) kind.scheme = lbm::WallScheme::quadratic;
        if (wanted == type::local) kind.scheme = lbm::WallScheme::local;
    }
    controls.checkWalls(walls);
}


void Foam::lbmBoundary::setWallLaw(const label patchi)
{
    lbmPatchKind& kind = kinds_[patchi];
    kind.wallLaw = U_.boundaryField()[patchi].size() > 0;
    kind.slips = kind.wallLaw && !acrossAxes(patchi);
}


void Foam::lbmBoundary::setLinkLaw(const label patchi)
{
    lbmPatchKind& kind = kinds_[patchi];
    kind.wallLaw = U_.boundaryField()[patchi].size() > 0;
    kind.slips = kind.ofLinks = kind.wallLaw;
}


std::vector<lbm::Vec3> Foam::lbmBoundary::latticeNormals(const label patchi) const
{
    if (linkNormals_[patchi].size()) return linkNormals_[patchi];
    const vectorField n(U_.mesh().boundary()[patchi].nf());
    std::vector<lbm::Vec3> normals;
    for (const label facei : linkFaces(patchi))
    {
        normals.push_back(axes_.toLattice(n[facei]));
    }
    return normals;
}


std::vector<lbm::Vec3> Foam::lbmBoundary::latticeVelocities
(
    const label patchi,
    const lbmUnits& units
) const
{
    const vectorField U(wallVelocities(patchi));
    std::vector<lbm::Vec3> result;
    if (U.empty()) return result;
    for (const vector& u : crossings_[patchi].atLinks(U)())
    {
        result.push_back(units.velocity(axes_, u));
    }
    return result;
}


bool Foam::lbmBoundary::slips() const
{
    for (const lbmPatchKind& kind : kinds_)
    {
        if (kind.slips) return true;
    }
    return false;
}


// All faces across an axis of the lattice
bool Foam::lbmBoundary::acrossAxes(const label patchi) const
{
    const scalar alike = 0.999;
    for (const vector& n : U_.mesh().boundaryMesh()[patchi].faceNormals())
    {
        const lbm::Vec3 l(axes_.toLattice(n));
        if (max(mag(l[0]), max(mag(l[1]), mag(l[2]))) < alike) return false;
    }
    return true;
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
    nLinks_ = labelList(kinds_.size(), 0);
    for (const lbm::Link& link : domain.links) ++nLinks_[link.patch];
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].variable()) continue;
        links_[patchi].resize(nLinks_[patchi]);
        label n = 0;
        linkRuns_->each
        (
            patchi,
            [&](const std::size_t i){ links_[patchi][n++] = label(i); }
        );
        crossings_[patchi] = crossings(domain, patchi);
        if (kinds_[patchi].ofLinks)
        {
            linkNormals_[patchi] = lbmLinkNormals::of(domain, links_[patchi]);
        }
    }
    forAll(kinds_, patchi)
    {
        if (kinds_[patchi].lawPlanes()) findLawPlanes(domain, patchi);
    }
    findUnresolved(domain);
    forAll(kinds_, patchi)
    {
        if (kinds_[patchi].slips) balance(domain, patchi);
    }
}


void Foam::lbmBoundary::balance(const lbm::Domain& domain, const label patchi)
{
    std::vector<lbm::Vec3> normals(latticeNormals(patchi));
    forAll(links_[patchi], i)
    {
        if (unresolved_[links_[patchi][i]]) normals[i] = {0, 0, 0};
    }
    balances_[patchi] = lbmSlipBalance
    (
        domain, uniform(), links_[patchi], normals, weights_
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
        std::vector<double>(weights_.begin(), weights_.end()),
        normals
    );

    lbm::NodeIndex last = -1;
    for (std::size_t i = 0; i < unresolved_.size(); ++i)
    {
        if (!unresolved_[i] || domain.links[i].node == last) continue;
        last = domain.links[i].node;
        ++nUnresolved_;
    }
}


void Foam::lbmBoundary::stickWhereUnresolved
(
    const lbmUnits& units,
    const label patchi,
    std::vector<lbm::LinkValue>& values
) const
{
    const vectorField U(crossings_[patchi].atLinks(seenFromNodes(patchi)));
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (!unresolved_[links_[patchi][i]]) continue;
        values[i] = lbm::LinkValue();
        values[i].kind = lbm::BoundaryKind::movingWall;
        values[i].velocity = units.velocity(axes_, U[i]);
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
        findSortedIndex(links_[patchi], linki)
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


Foam::scalar Foam::lbmBoundary::imposedSpeed(word& patch) const
{
    scalar fastest = 0;
    forAll(kinds_, patchi)
    {
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];
        if (Up.empty() || !kinds_[patchi].fixesVelocity()) continue;
        const scalar speed = max(mag(Up));
        if (speed > fastest)
        {
            fastest = speed;
            patch = Up.patch().name();
        }
    }
    return fastest;
}


bool Foam::lbmBoundary::floatingPressure() const
{
    for (const lbmPatchKind& kind : kinds_)
    {
        if (kind.fixesPressure() || kind.is == lbmPatchKind::role::outflow)
        {
            return false;
        }
    }
    return true;
}


std::vector<lbm::LinkValue> Foam::lbmBoundary::uniform() const
{
    std::vector<lbm::LinkValue> result;
    for (const lbmPatchKind& kind : kinds_)
    {
        lbm::LinkValue v;
        v.kind = kind.kind();
        v.scheme = kind.scheme;
        v.velocityGradient = kind.velocityGradient;
        // A slip value is a unit normal; update() gives each link its own
        if (v.kind == lbm::BoundaryKind::slip) v.velocity = {1, 0, 0};
        result.push_back(v);
    }
    return result;
}


bool Foam::lbmBoundary::readInterior() const
{
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].variable()) continue;
        for
        (
            const word& type :
            {
                word(U_.mesh().boundary()[patchi].type()),
                word(U_.boundaryField()[patchi].type()),
                word(p_.boundaryField()[patchi].type())
            }
        )
        {
            for (const char* kin : {"mapped", "coded", "expr"})
            {
                if (type.starts_with(kin)) return true;
            }
        }
    }
    return false;
}


void Foam::lbmBoundary::updateFlux()
{
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].opening()) continue;

        // Where the condition lets U float, its patch value may already be cut
        // off by the direction of the flux: take the flow inside
        const fvPatchVectorField& Up = U_.boundaryField()[patchi];
        const vectorField flow
        (
            kinds_[patchi].fixesVelocity()
          ? tmp<vectorField>(Up) : Up.patchInternalField()
        );
        phi_.boundaryFieldRef()[patchi] = flow & Up.patch().Sf();
    }
}


void Foam::lbmBoundary::evaluate()
{
    evaluateU();
    updateFlux();
    evaluateU();
    p_.correctBoundaryConditions();
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
        crossed[n++] = labelPair(patch, findSortedIndex(links_[patch], record));
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
    lawPlanes_[patchi].setSize(links_[patchi].size());
    forAll(lawPlanes_[patchi], i)
    {
        lawPlanes_[patchi][i] = crossedPlanes(domain, patchi, i);
    }
}


void Foam::lbmBoundary::setLawStress
(
    const label patchi,
    const vectorField& onFaces
)
{
    lawStress_[patchi] = onFaces;
    lawAtLinks_[patchi] = crossings_[patchi].atLinks(onFaces);

    // Links of others may pass it on, too
    forAll(kinds_, i)
    {
        if (kinds_[i].lawPlanes()) told_[i] = false;
    }
}


void Foam::lbmBoundary::addHalfJump
(
    const lbm::Domain& domain,
    const lbm::Link& link,
    const label face,
    const scalar sense
)
{
    const labelList& links = links_[link.patch];
    const label i = findSortedIndex(links, label(&link - domain.links.data()));
    if (i >= 0) halfJumps_[link.patch].append(halfJump{i, face, sense});
}


void Foam::lbmBoundary::setJumps(const scalarField& jumps)
{
    if (jumps_ == jumps) return;
    jumps_ = jumps;
    forAll(halfJumps_, patchi)
    {
        if (halfJumps_[patchi].size()) told_[patchi] = false;
    }
}


void Foam::lbmBoundary::setSlip
(
    const label patchi,
    const vectorField& atLinks,
    const vectorField& gain
)
{
    slip_[patchi] = atLinks;
    gain_[patchi] = gain;
    told_[patchi] = false;
}


void Foam::lbmBoundary::tellGain
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi,
    std::vector<lbm::LinkValue>& values
) const
{
    const std::vector<lbm::LinkValue> patches(uniform());
    const std::vector<lbm::Vec3> n(latticeNormals(patchi));
    std::vector<lbm::Vec3> halfWay(n.size());
    forAll(links_[patchi], i)
    {
        const lbm::Link& link = domain.links[links_[patchi][i]];
        const lbm::Int3 c = lbm::directionOf(link.direction);
        const lbm::Vec3& l = n[i];
        const scalar across =
            units.dx()*mag(c[0]*l[0] + c[1]*l[1] + c[2]*l[2]);
        const lbm::Vec3 gain(units.velocity(axes_, across*gain_[patchi][i]));
        halfWay[i] = values[i].velocity;
        for (direction a = 0; a < 3; ++a)
        {
            halfWay[i][a] += (link.fraction - 0.5)*gain[a];
        }
        values[i].velocity = lbm::slippingWall
        (
            domain, patches, link, values[i].velocity, gain
        );
    }
    balances_[patchi].close(halfWay, values);
}


void Foam::lbmBoundary::setLawValues
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi,
    std::vector<lbm::LinkValue>& values
) const
{
    const scalar unit = sqr(units.dt()/units.dx());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const lbm::Link& link = domain.links[links_[patchi][i]];
        for (const labelPair& plane : lawPlanes_[patchi][i])
        {
            const label patch = plane.first(), of = plane.second();
            if (patch < 0 || lawAtLinks_[patch].empty()) continue;
            const label facei = crossings_[patch].faces()[of];
            values[i].density += lbm::shearPart
            (
                weight(link),
                lbm::directionOf(link.direction),
                axes_.toLattice
                (
                    U_.mesh().boundary()[patch].patch().faceNormals()[facei]
                ),
                axes_.toLattice(unit*lawAtLinks_[patch][of])
            );
        }
    }
}


std::vector<lbm::LinkValue> Foam::lbmBoundary::values
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi
) const
{
    const lbmPatchKind& kind = kinds_[patchi];
    const lbmPatchLinks& crossings = crossings_[patchi];
    const labelList& faces = crossings.faces();
    const fvPatch& patch = U_.mesh().boundary()[patchi];

    lbm::LinkValue plain;
    plain.kind = kind.kind();
    std::vector<lbm::LinkValue> result(faces.size(), plain);
    if (lbm::isPlane(plain.kind))
    {
        const vectorField normals(patch.nf());
        forAll(faces, i)
        {
            result[i].velocity = axes_.toLattice(normals[faces[i]]);
        }
        if (lawAtLinks_[patchi].size())
        {
            setLawValues(domain, units, patchi, result);
        }
        for (const halfJump& half : halfJumps_[patchi])
        {
            const lbm::Link& link = domain.links[links_[patchi][half.link]];
            const scalar jump = 0.5*half.sense*jumps_[half.face];
            result[half.link].density +=
                weight(link)*(units.density(units.pOffset() + jump) - 1);
        }
        if (kind.wallLaw) stickWhereUnresolved(units, patchi, result);
        return result;
    }

    const fvPatchVectorField& Up = U_.boundaryField()[patchi];
    vectorField U
    (
        crossings.atLinks
        (
            kind.afar
          ? tmp<vectorField>(refCast<const mixedFvPatchVectorField>(Up).refValue())
          : seenFromNodes(patchi)
        )
    );
    if (slip_[patchi].size()) U += slip_[patchi];
    vectorField gain;
    if (gains(patchi))
    {
        gain = crossings.atLinks
        (
            vectorField(gains_[patchi].value()*patch.nf())
        );
    }
    const scalarField p(crossings.atLinks(p_.boundaryField()[patchi]));
    const scalarField& flux = phi_.boundaryField()[patchi];
    forAll(faces, i)
    {
        lbm::LinkValue& v = result[i];
        const bool backflow = kind.backflowValue && flux[faces[i]] < 0;
        if (backflow) v.kind = lbm::BoundaryKind::velocity;
        if (kind.fixesVelocity() || backflow)
        {
            v.velocity = units.velocity(axes_, U[i]);
        }
        if (gain.size()) v.velocity = units.velocity(axes_, gain[i]);
        if (kind.fixesPressure())
        {
            v.density = units.density(kind.farField ? kind.fieldInf : p[i]);
        }
        if (kind.nonReflecting)
        {
            v.recovery =
                min(lbmUnits::soundSpeed*units.dx()/kind.lInf, scalar(1));
        }
    }
    if (gain_[patchi].size()) tellGain(domain, units, patchi, result);
    return result;
}


bool Foam::lbmBoundary::changed(const label patchi)
{
    const lbmPatchKind& kind = kinds_[patchi];
    const vectorField& U = U_.boundaryField()[patchi];
    const scalarField& p = p_.boundaryField()[patchi];

    const bool same = told_[patchi]
        && !kind.backflowValue && !kind.afar && !gains(patchi)
        && (!kind.fixesVelocity() || toldU_[patchi] == U)
        && (!kind.fixesPressure() || kind.farField || toldP_[patchi] == p);
    if (same) return false;

    told_[patchi] = true;
    if (kind.fixesVelocity()) toldU_[patchi] = U;
    if (kind.fixesPressure()) toldP_[patchi] = p;
    return true;
}


void Foam::lbmBoundary::matchFlux
(
    const lbm::Domain& domain,
    const lbmUnits& units,
    const label patchi,
    std::vector<lbm::LinkValue>& values
) const
{
    const scalarField& flux = phi_.boundaryField()[patchi];
    const scalar wanted = sum(flux)*units.dt()/nodeVolume_;
    const scalar eitherWay = sum(mag(flux))*units.dt()/nodeVolume_;
    if (mag(wanted) <= oneWayShare*eitherWay) return;

    // A link adds 6 w c.u to the population that comes back
    scalar brought = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const auto code = domain.links[links_[patchi][i]].direction;
        const lbm::Int3 c = lbm::directionOf(code);
        for (int a = 0; a < 3; ++a)
        {
            brought += 6*weights_[code]*c[a]*values[i].velocity[a];
        }
    }
    if (brought*wanted <= 0) return;
    for (lbm::LinkValue& v : values)
    {
        for (double& u : v.velocity) u *= wanted/brought;
    }
}


void Foam::lbmBoundary::followGains(const lbmUnits& units, const label steps)
{
    if (steps <= 0) return;
    forAll(gains_, patchi)
    {
        if (!gains(patchi)) continue;
        gains_[patchi].follow
        (
            p_,
            U_,
            p_.boundaryField()[patchi],
            units.dx()/units.dt(),
            steps*lbmUnits::soundSpeed*units.dx()/kinds_[patchi].lInf
        );
    }
}


void Foam::lbmBoundary::note(lbm::CheckpointNotes& notes) const
{
    forAll(gains_, patchi)
    {
        if (gains(patchi)) gains_[patchi].note(notes);
    }
}


void Foam::lbmBoundary::recall(const lbm::CheckpointNotes& notes)
{
    forAll(gains_, patchi)
    {
        if (gains(patchi)) gains_[patchi].recall(notes);
    }
}


void Foam::lbmBoundary::update
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const label steps
)
{
    const scalar soundSpeed = lbmUnits::soundSpeed*units.dx()/units.dt();
    for (volScalarField& psi : psi_)
    {
        psi = dimensionedScalar
        (
            psi.name(), psi.dimensions(), 1/sqr(soundSpeed)
        );
    }
    evaluate();
    followGains(units, steps);

    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].variable() || !nLinks_[patchi]) continue;
        if (changed(patchi)) pass(solver, units, patchi);
    }
}


void Foam::lbmBoundary::pass
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const label patchi
)
{
    std::vector<lbm::LinkValue> values(this->values(solver.domain(), units, patchi));
    const lbmPatchKind& kind = kinds_[patchi];
    if (kind.is == lbmPatchKind::role::velocity && !kind.afar)
    {
        matchFlux(solver.domain(), units, patchi, values);
    }
    solver.setBoundary(patchi, values.data(), values.size());
    if (!kind.ofLinks) return;
    std::vector<lbm::Vec3>& told = toldVelocities_[patchi];
    told.clear();
    for (const lbm::LinkValue& value : values) told.push_back(value.velocity);
}


void Foam::lbmBoundary::tellSlip(lbm::Solver& solver, const lbmUnits& units)
{
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].ofLinks || told_[patchi] || !nLinks_[patchi]) continue;
        pass(solver, units, patchi);
        told_[patchi] = true;
    }
}


Foam::scalar Foam::lbmBoundary::areaOf
(
    const lbm::Link& link,
    const vector& normal
) const
{
    const lbm::Int3 c = lbm::directionOf(link.direction);
    const lbm::Vec3 n(axes_.toLattice(normal));
    return
        6*weight(link)*mag(c[0]*n[0] + c[1]*n[1] + c[2]*n[2])
       *nodeVolume_/spacing_;
}


Foam::tmp<Foam::vectorField> Foam::lbmBoundary::wallVelocities
(
    const label patchi
) const
{
    tmp<vectorField> U(seenFromNodes(patchi));
    return gMax(mag(U())) > 0 ? U : tmp<vectorField>::New();
}


Foam::tmp<Foam::vectorField> Foam::lbmBoundary::wallVelocities
(
    const label patchi,
    const vectorField& onFaces,
    const lbmPatchLinks& at
) const
{
    if (onFaces.size())
    {
        tmp<vectorField> velocities(at.atLinks(onFaces));
        if (slips(patchi)) velocities.ref() += slip_[patchi];
        return velocities;
    }
    return slips(patchi)
      ? tmp<vectorField>::New(slip_[patchi]) : tmp<vectorField>::New();
}


void Foam::lbmBoundary::forget()
{
    told_ = false;
}


void Foam::lbmBoundary::countFlow(const lbm::Solver& solver)
{
    if (!anyOpening()) return;

    std::vector<bool> open;
    for (const lbmPatchKind& kind : kinds_) open.push_back(kind.opening());
    passing_.reset(new lbm::OpeningFlux(solver, open));
}


lbm::OpeningFlux::Rates Foam::lbmBoundary::flowRates
(
    const lbm::Solver& solver,
    const lbmUnits& units
) const
{
    lbm::OpeningFlux::Rates rates = passing_->compute(solver);
    rates.in *= nodeVolume_/units.dt();
    rates.out *= nodeVolume_/units.dt();
    return rates;
}
