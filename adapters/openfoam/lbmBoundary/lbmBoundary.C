// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmBoundary.H"
#include "lbmControls.H"
#include "lbmRotatingZones.H"
#include "lbmStaircase.H"
#include "lbmReplacedWalls.H"
#include "lbmSurfaceWalls.H"
#include "StringStream.H"

#include <algorithm>
#include <cmath>

namespace
{

// Of the speed at which gains follow where a patch imposes the velocity: sound
// between that and the opening swings with what follows as fast as it comes and goes
// (with 0.5 simpleCar's pressure is at rest a quarter later than without gains)
const Foam::scalar rateBesideInlets = 0.25;

// The same in cases that are not steady: a flow at Mach number 0.1 takes ten times as
// long along the domain as sound does, so that what stays while it passes once is taken
// back, not sound and eddies on their way out
const Foam::scalar rateInTime = 0.1;

// The same at openings that keep sound in. Between such ones a flow that turned with the
// pressure (tutorials/womersley) is 3.2 % off with 1, 1.3 with this, 1.2 with 0.1, and
// 0.9 % without gains, which leave steady flows of another speed at an opening half a
// spacing on up to seven times too slow
const Foam::scalar rateWhereHeld = 0.25;

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
    const lbmRotatingZones* zones,
    const bool steady
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
    lawPlanes_(kinds_.size()),
    halfJumps_(kinds_.size()),
    slip_(kinds_.size()),
    gain_(kinds_.size()),
    toldSlip_(kinds_.size()),
    balances_(kinds_.size()),
    leaks_(kinds_.size()),
    forced_(kinds_.size()),
    forceShares_(kinds_.size()),
    linkNormals_(kinds_.size()),
    linkSides_(kinds_.size()),
    laws_(kinds_.size(), nullptr),
    nUnresolved_(0),
    steady_(steady),
    gains_(kinds_.size()),
    freestreams_(kinds_.size()),
    inflowChange_(kinds_.size()),
    weights_(27, 0),
    evaluations_(0),
    spacing_(0),
    nodeVolume_(0),
    told_(kinds_.size(), false),
    toldInflow_(kinds_.size(), Zero),
    toldU_(kinds_.size()),
    toldP_(kinds_.size()),
    edges_(kinds_.size()),
    ends_(kinds_.size()),
    betweenPlanes_(kinds_.size()),
    besidePlanesAlone_(kinds_.size(), false)
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
        if (kinds_[patchi].freestream)
        {
            freestreams_.set(patchi, new lbmFreestream(U, p, patchi, steady));
        }
    }
    forAll(kinds_, patchi)
    {
        const bool held = kinds_[patchi].is == lbmPatchKind::role::pressure
            || kinds_[patchi].freestream;
        if (!held || kinds_[patchi].farField) continue;
        const fvPatch& patch = U.mesh().boundary()[patchi];
        gains_.set(patchi, new lbmOpeningGain(patch));
        cells.insert(gains_[patchi].further());
    }
    openingCells_ = cells.sortedToc();
    if (!zones_) return;
    zones_->adapt(kinds_);
    zones_->correctBoundaryVelocity(U_);
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


bool Foam::lbmBoundary::mayLetSoundOut
(
    const label patchi,
    const lbmControls& controls
) const
{
    scalar lInf = kinds_[patchi].lInf;
    const auto usual = lbmControls::openingType::nonReflecting;
    const word& name = U_.mesh().boundary()[patchi].name();
    return controls.opening(name, lInf, usual) == usual;
}


bool Foam::lbmBoundary::inletLetsSoundOut(const lbmControls& controls) const
{
    forAll(kinds_, patchi)
    {
        const lbmPatchKind& kind = kinds_[patchi];
        if (kind.is != lbmPatchKind::role::velocity || kind.afar) continue;
        const fvPatch& patch = U_.mesh().boundary()[patchi];
        if (gSum(U_.boundaryField()[patchi] & patch.Sf()) >= 0) continue;
        if (mayLetSoundOut(patchi, controls)) return true;
    }
    return false;
}


bool Foam::lbmBoundary::outletLetsSoundOut(const lbmControls& controls) const
{
    forAll(kinds_, patchi)
    {
        const lbmPatchKind& kind = kinds_[patchi];
        const bool held = kind.is == lbmPatchKind::role::pressure && !kind.restsOutside;
        if (!held || U_.boundaryField()[patchi].empty()) continue;
        if (mayLetSoundOut(patchi, controls)) return true;
    }
    return false;
}


Foam::label Foam::lbmBoundary::drivingStatic() const
{
    if (!drivenByPressure(kinds_)) return -1;
    label driving = -1;
    scalar highest = -GREAT, lowest = GREAT;
    forAll(kinds_, patchi)
    {
        const scalarField& area = U_.mesh().boundary()[patchi].magSf();
        if (kinds_[patchi].is != lbmPatchKind::role::pressure || area.empty()) continue;
        if (kinds_[patchi].restsOutside || kinds_[patchi].farField) return -1;
        const scalar mean = sum(p_.boundaryField()[patchi]*area)/sum(area);
        if (mean > highest) driving = patchi;
        highest = max(highest, mean);
        lowest = min(lowest, mean);
    }
    // Means of one value differ by rounding
    const scalar alike = 1e-9*max(mag(highest), mag(lowest));
    return highest - lowest > alike ? driving : -1;
}


Foam::scalar Foam::lbmBoundary::gainRate(const label patchi) const
{
    if (kinds_[patchi].keepsSoundIn()) return rateWhereHeld;
    return drivenByPressure(kinds_) ? 1 : steady_ ? rateBesideInlets : rateInTime;
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

    // Through an opening to fluid at rest eddies draw some in. One that lets sound out
    // meets an eddy with an impedance, c_s times what that changes the velocity by, in
    // place of a pressure, and what it draws in would have more than the total pressure
    // (windAroundBuildings: 4 m/s at 5 m2/s2; simpleFoam: 1.8 m/s at -2 m2/s2). Where
    // it drives a stream between walls rows of nodes draw in at such pressures of their own,
    // and slide across (1.7 m/s in a stream of 0.9)
    const bool drives = drivenByPressure(kinds_) && outletLetsSoundOut(controls);
    const bool elsewhere =
        letOutSound && (drives || (steady_ && inletLetsSoundOut(controls)));
    const label driving = letOutSound ? drivingStatic() : -1;
    forAll(kinds_, patchi)
    {
        lbmPatchKind& kind = kinds_[patchi];
        kind.holds = !kind.nonReflecting
         && (patchi == driving || (kind.restsOutside && elsewhere));
    }

    wordHashSet openings;
    const auto decide = [&](const role which, const bool lets)
    {
        bool any = false;
        forAll(kinds_, patchi)
        {
            lbmPatchKind& kind = kinds_[patchi];
            const bool held = kind.freestream && which == role::pressure;
            if (kind.is != which && !held) continue;
            const word& name = U_.mesh().boundary()[patchi].name();
            openings.insert(name);
            const type usual = lets && !kind.afar && !kind.holds
              ? type::nonReflecting : type::reflecting;
            const type found = controls.opening(name, kind.lInf, usual);
            kind.holds = kind.holds && found == type::reflecting;
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


// Where none rests those past which the fluid slips: what they are told at an edge is
// the slip, what an opening is told there, or takes from its nodes, a faster stream, of
// which its pressure then makes up for the difference
std::vector<bool> Foam::lbmBoundary::preferredWalls() const
{
    std::vector<bool> resting, slipping;
    for (const lbmPatchKind& kind : kinds_)
    {
        resting.push_back(kind.is == lbmPatchKind::role::wall && !kind.wallLaw);
        slipping.push_back(kind.slips && !kind.ofLinks);
    }
    const bool any = std::find(resting.begin(), resting.end(), true) != resting.end();
    return any ? resting : slipping;
}


std::vector<bool> Foam::lbmBoundary::mirrors() const
{
    std::vector<bool> result;
    for (const lbmPatchKind& kind : kinds_)
    {
        result.push_back
        (
            kind.is == lbmPatchKind::role::slip || kind.lawPlanes()
        );
    }
    return result;
}


std::vector<bool> Foam::lbmBoundary::slipPatches() const
{
    std::vector<bool> result(mirrors());
    forAll(kinds_, patchi)
    {
        if (kinds_[patchi].wallLaw) result[patchi] = true;
    }
    return result;
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
            !lbmSurfaceWalls::of(U_.mesh())
         && !lbmReplacedWalls::replaces(U_.mesh(), patchi)
         && staircase.is(patchi);
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


// Those of a law by links are the law's to tell
void Foam::lbmBoundary::followForces()
{
    for (lbmPatchKind& kind : kinds_)
    {
        kind.followsForce = kind.interpolated && !kind.ofLinks;
    }
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


bool Foam::lbmBoundary::slips() const
{
    for (const lbmPatchKind& kind : kinds_)
    {
        if (kind.slips) return true;
    }
    return false;
}


bool Foam::lbmBoundary::acrossAxes(const vector& normal) const
{
    const scalar alike = 0.999;
    const lbm::Vec3 l(axes_.toLattice(normal));
    return max(mag(l[0]), max(mag(l[1]), mag(l[2]))) >= alike;
}


// All faces
bool Foam::lbmBoundary::acrossAxes(const label patchi) const
{
    for (const vector& n : U_.mesh().boundaryMesh()[patchi].faceNormals())
    {
        if (!acrossAxes(n)) return false;
    }
    return true;
}


void Foam::lbmBoundary::addHalfJump
(
    const lbm::Domain& domain,
    const lbm::Link& link,
    const label face,
    const scalar sense
)
{
    const label i = links_[link.patch].find(label(&link - domain.links.data()));
    if (i >= 0) halfJumps_[link.patch].append(halfJump{i, face, sense});
}


void Foam::lbmBoundary::setJumps
(
    const std::function<tmp<scalarField>()>& present
)
{
    presentJumps_ = present;
}
