// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSpongeZone.H"
#include "fixedValueFvPatchFields.H"
#include "lbmControls.H"
#include "StringStream.H"

#include <cmath>

namespace
{
    // Of the domain's extent: by default, and at most where nodes are few
    const Foam::scalar usualExtent = 0.1, largestExtent = 0.25;

    // By default at most so many: each has its mean, and is found before the first step
    const Foam::scalar mostNodes = 1 << 24;
}


const Foam::label Foam::lbmSpongeZone::fewest = 10;


Foam::scalar Foam::lbmSpongeZone::extent(const label patchi) const
{
    const vector n(gSum(mesh_.Sf().boundaryField()[patchi]));
    const vector span(mesh_.bounds().span());
    scalar result = 0;
    for (direction a = 0; a < 3; ++a) result += mag(n[a])*span[a];
    return result/max(mag(n), VSMALL);
}


// Planes have one layer of nodes, however thick their cells are
Foam::scalar Foam::lbmSpongeZone::nodesAcross
(
    const label patchi,
    const scalar spacing
) const
{
    scalar nodes = gSum(mesh_.magSf().boundaryField()[patchi])/sqr(spacing);
    const vector span(mesh_.bounds().span());
    for (direction a = 0; a < 3; ++a)
    {
        if (mesh_.geometricD()[a] < 0) nodes *= spacing/span[a];
    }
    return nodes;
}


Foam::lbmSpongeZone::lbmSpongeZone
(
    const volScalarField& p,
    const lbmBoundary& boundary,
    const lbmControls& controls,
    const bool byItself,
    const scalar speed,
    const scalar spacing
)
:
    mesh_(p.mesh()),
    boundary_(boundary),
    length_(0),
    left_(1),
    speed_(speed)
{
    wordHashSet fixing;
    DynamicList<label> usual, named;
    const lbmControls::spongeEntry asked(controls.sponge());
    forAll(boundary.kinds(), patchi)
    {
        const lbmPatchKind& kind = boundary.kinds()[patchi];
        const fvPatchScalarField& pp = p.boundaryField()[patchi];
        if (kind.is != lbmPatchKind::role::pressure) continue;
        fixing.insert(pp.patch().name());
        if (asked.patches.match(pp.patch().name())) named.append(patchi);
        const bool one = kind.farField || pp.type() == fixedValueFvPatchScalarField::typeName;
        if (one) usual.append(patchi);
    }
    controls.checkSponge(asked, fixing);

    using use = lbmControls::spongeUse;
    if (asked.use == use::off || (asked.use == use::automatic && !byItself)) return;
    patches_ = asked.patches.size() ? named : usual;
    if (patches_.empty())
    {
        if (asked.use == use::automatic) return;
        FatalIOErrorInFunction(controls.dict())
            << "Entry sponge asks for a zone before openings that fix one pressure,"
            << " of which the case has none" << nl
            << "Those with another condition that fixes it, to be named in"
            << " sponge { patches (...); }: " << flatOutput(fixing.sortedToc())
            << exit(FatalIOError);
    }

    scalar shortest = GREAT, across = 0;
    for (const label patchi : patches_)
    {
        shortest = min(shortest, extent(patchi));
        across += nodesAcross(patchi, spacing);
    }
    const scalar usualLength = min(usualExtent*shortest, mostNodes/across*spacing);
    left_ = asked.left;
    length_ = asked.length > 0 ? asked.length
      : min(max(usualLength, fewest*spacing), largestExtent*shortest);
    if (length_ < shortest) return;
    FatalIOErrorInFunction(controls.dict())
        << "Entry sponge: length is " << length_ << "; the domain is " << shortest
        << " m long there" << exit(FatalIOError);
}


Foam::scalar Foam::lbmSpongeZone::rate() const
{
    // The mean of its shares is a third
    return -3*std::log(left_)*speed_/length_;
}


std::vector<Foam::lbmSponge::member> Foam::lbmSpongeZone::members
(
    const lbm::Domain& domain,
    const lbmAxes& axes
) const
{
    DynamicList<label> links;
    std::vector<lbm::Vec3> normals;
    for (const label patchi : patches_)
    {
        const vectorField n(mesh_.boundary()[patchi].nf());
        const lbmPackedLabels& faces = boundary_.linkFaces(patchi);
        links.append(boundary_.links(patchi).list());
        for (const label facei : faces) normals.push_back(axes.toLattice(n[facei]));
    }
    return lbmSponge::zone(domain, links, normals, length_/domain.spacing);
}


void Foam::lbmSpongeZone::printPlan(const lbmSponge* sponge) const
{
    if (!any()) return;
    wordList names;
    for (const label patchi : patches_) names.append(mesh_.boundary()[patchi].name());
    Info<< "    sponge          " << length_ << " m before " << flatOutput(names);
    if (sponge)
    {
        Info<< ", " << std::to_string(sponge->size()).c_str() << " nodes";
        const std::string& why = sponge->whyOnHost();
        if (why.size()) Info<< " (relaxed on the host: " << why.c_str() << ')';
    }
    Info<< ": what differs from the mean flow fades at up to " << rate()
        << " 1/s;" << nl << "                    of eddies at the reference speed "
        << 100*left_ << " % is left at the opening (entry sponge of"
        << " system/lbmDict)" << nl;
}


std::string Foam::lbmSpongeZone::settings() const
{
    if (!any()) return "off";
    OStringStream text;
    text<< length_ << " m before " << flatOutput(patches_) << " leaving " << left_;
    return text.str();
}
