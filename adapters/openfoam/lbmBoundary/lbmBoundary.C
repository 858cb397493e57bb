// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmBoundary.H"
#include "lbmControls.H"
#include "StringStream.H"
#include "indexedOctree.H"
#include "treeDataFace.H"
#include "ListOps.H"
#include "lbm/lattice/Lattice.hpp"

#include <cmath>

namespace
{

// A net flow below this share of what passes either way sets no scale
const Foam::scalar oneWayShare = 0.5;

template<class L>
void setWeights(Foam::FixedList<Foam::scalar, 27>& weights)
{
    for (int q = 0; q < L::Q; ++q)
    {
        const auto& c = L::c[q];
        weights[lbm::directionCode(c[0], c[1], c[2])] = L::w[q];
    }
}

} // End anonymous namespace


Foam::lbmBoundary::lbmBoundary
(
    volVectorField& U,
    volScalarField& p,
    surfaceScalarField& phi,
    const lbmAxes& axes
)
:
    U_(U),
    p_(p),
    phi_(phi),
    axes_(axes),
    kinds_(U.boundaryField().size()),
    nLinks_(kinds_.size(), 0),
    links_(kinds_.size()),
    faces_(kinds_.size()),
    weights_(Zero),
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
    openingCells_ = cells.sortedToc();
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


void Foam::lbmBoundary::calmOpenings
(
    const lbm::Domain& domain,
    const lbmControls& controls
)
{
    // A wave as long as the domain is then reflected by a hundredth
    const scalar lengths = 10;
    const scalar longest = domain.spacing
       *max(domain.size[0], max(domain.size[1], domain.size[2]));

    wordHashSet openings;
    forAll(kinds_, patchi)
    {
        lbmPatchKind& kind = kinds_[patchi];
        if
        (
            kind.is != lbmPatchKind::role::velocity
         && kind.is != lbmPatchKind::role::pressure
        ) continue;
        const word& name = U_.mesh().boundary()[patchi].name();
        openings.insert(name);

        using type = lbmControls::openingType;
        if (controls.opening(name, kind.lInf) == type::nonReflecting)
        {
            kind.nonReflecting = true;
        }
        if (kind.lInf <= 0) kind.lInf = lengths*longest;
    }
    controls.checkOpenings(openings);
}


std::vector<bool> Foam::lbmBoundary::restingWalls() const
{
    std::vector<bool> resting;
    for (const lbmPatchKind& kind : kinds_)
    {
        resting.push_back(kind.is == lbmPatchKind::role::wall);
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

    boolList between(kinds_.size(), true);
    for (const lbm::Link& link : domain.links)
    {
        if (std::abs(link.fraction - 0.5) > tolerance)
        {
            between[link.patch] = false;
        }
    }

    wordHashSet walls;
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].anyWall()) continue;
        const word& name = U_.mesh().boundary()[patchi].name();
        walls.insert(name);

        using type = lbmControls::wallType;
        const type wanted = controls.wall(name);
        lbmPatchKind& kind = kinds_[patchi];
        kind.interpolated = wanted == type::automatic
          ? !between[patchi] : wanted != type::halfway;
        if (wanted == type::quadratic) kind.scheme = lbm::WallScheme::quadratic;
        if (wanted == type::local) kind.scheme = lbm::WallScheme::local;
    }
    controls.checkWalls(walls);
}


void Foam::lbmBoundary::connect
(
    const lbm::Domain& domain,
    const std::string& lattice
)
{
    if (lattice == lbm::D2Q9::name) setWeights<lbm::D2Q9>(weights_);
    if (lattice == lbm::D3Q15::name) setWeights<lbm::D3Q15>(weights_);
    if (lattice == lbm::D3Q19::name) setWeights<lbm::D3Q19>(weights_);
    if (lattice == lbm::D3Q27::name) setWeights<lbm::D3Q27>(weights_);

    const scalar depth = axes_.dimensions() == 3
      ? domain.spacing : U_.mesh().bounds().span()[axes_.foamAxis(2)];
    nodeVolume_ = sqr(domain.spacing)*depth;

    labelList counts(kinds_.size(), 0);
    for (const lbm::Link& link : domain.links) ++counts[link.patch];
    nLinks_ = counts;
    forAll(links_, patchi)
    {
        if (kinds_[patchi].variable()) links_[patchi].resize(counts[patchi]);
    }

    counts = 0;
    for (std::size_t i = 0; i < domain.links.size(); ++i)
    {
        const label patchi = domain.links[i].patch;
        if (kinds_[patchi].variable())
        {
            links_[patchi][counts[patchi]++] = label(i);
        }
    }
    forAll(kinds_, patchi)
    {
        if (kinds_[patchi].variable())
        {
            faces_[patchi] = facesOf(domain, patchi);
        }
    }
}


Foam::labelList Foam::lbmBoundary::facesOf
(
    const lbm::Domain& domain,
    const label patchi
) const
{
    const polyPatch& patch = U_.mesh().boundaryMesh()[patchi];
    labelList faces(nLinks_[patchi]);
    if (faces.empty()) return faces;

    treeBoundBox bounds(patch.localPoints());
    bounds.inflate(0.01);
    bounds.min() -= vector::uniform(domain.spacing);
    bounds.max() += vector::uniform(domain.spacing);
    const indexedOctree<treeDataFace> tree
    (
        treeDataFace(false, patch), bounds, 8, 10, 3.0
    );

    label i = 0;
    for (const lbm::Link& link : domain.links)
    {
        if (link.patch != patchi) continue;
        const lbm::Int3 node = domain.coordinates(link.node);
        const lbm::Int3 c = lbm::directionOf(link.direction);
        lbm::Vec3 x;
        for (int a = 0; a < 3; ++a)
        {
            x[a] = node[a] + double(link.fraction)*c[a];
            // Beyond a periodic plane the link goes on at the other side
            const double n = domain.size[a];
            if (domain.periodic[a]) x[a] -= n*std::floor((x[a] + 0.5)/n);
        }
        const pointIndexHit hit = tree.findNearest
        (
            axes_.position(domain, x),
            sqr(bounds.mag())
        );
        faces[i++] = hit.index();
    }
    return faces;
}


Foam::label Foam::lbmBoundary::faceOfLink
(
    const label patchi,
    const label linki
) const
{
    return faces_[patchi][findSortedIndex(links_[patchi], linki)];
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
        // A slip value is a unit normal; update() gives each link its own
        if (v.kind == lbm::BoundaryKind::slip) v.velocity = {1, 0, 0};
        result.push_back(v);
    }
    return result;
}


void Foam::lbmBoundary::evaluate()
{
    U_.correctBoundaryConditions();
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
    U_.correctBoundaryConditions();
    p_.correctBoundaryConditions();
}


lbm::LinkValue Foam::lbmBoundary::value
(
    const lbmUnits& units,
    const label patchi,
    const label facei
) const
{
    const lbmPatchKind& kind = kinds_[patchi];
    const fvPatchVectorField& U = U_.boundaryField()[patchi];

    lbm::LinkValue v;
    v.kind = kind.kind();
    if (v.kind == lbm::BoundaryKind::slip)
    {
        v.velocity = axes_.toLattice
        (
            U.patch().Sf()[facei]/U.patch().magSf()[facei]
        );
        return v;
    }

    const bool backflow =
        kind.backflowValue && phi_.boundaryField()[patchi][facei] < 0;
    if (backflow)
    {
        v.kind = kind.fixesPressure()
          ? lbm::BoundaryKind::pressureVelocity : lbm::BoundaryKind::velocity;
    }
    if (kind.fixesVelocity() || backflow)
    {
        v.velocity = units.velocity(axes_, U[facei]);
    }
    if (kind.fixesPressure())
    {
        v.density = units.density
        (
            kind.farField ? kind.fieldInf : p_.boundaryField()[patchi][facei]
        );
    }
    if (kind.nonReflecting)
    {
        v.recovery = min(lbmUnits::soundSpeed*units.dx()/kind.lInf, scalar(1));
    }
    return v;
}


bool Foam::lbmBoundary::changed(const label patchi)
{
    const lbmPatchKind& kind = kinds_[patchi];
    const vectorField& U = U_.boundaryField()[patchi];
    const scalarField& p = p_.boundaryField()[patchi];

    const bool same = told_[patchi]
        && !kind.backflowValue
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


void Foam::lbmBoundary::update(lbm::Solver& solver, const lbmUnits& units)
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

    std::vector<lbm::LinkValue> values;
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].variable() || faces_[patchi].empty()) continue;
        if (!changed(patchi)) continue;

        values.clear();
        for (const label facei : faces_[patchi])
        {
            values.push_back(value(units, patchi, facei));
        }
        if (kinds_[patchi].is == lbmPatchKind::role::velocity)
        {
            matchFlux(solver.domain(), units, patchi, values);
        }
        solver.setBoundary(patchi, values.data(), values.size());
    }
}


void Foam::lbmBoundary::forget()
{
    told_ = false;
}


Foam::scalar Foam::lbmBoundary::outflow() const
{
    scalar sum = 0;
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].opening()) continue;
        for (const scalar flux : phi_.boundaryField()[patchi])
        {
            sum += max(flux, scalar(0));
        }
    }
    return sum;
}


Foam::scalar Foam::lbmBoundary::inflow() const
{
    scalar sum = 0;
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].opening()) continue;
        for (const scalar flux : phi_.boundaryField()[patchi])
        {
            sum -= min(flux, scalar(0));
        }
    }
    return sum;
}
