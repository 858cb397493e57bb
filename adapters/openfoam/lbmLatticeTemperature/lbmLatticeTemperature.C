// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLatticeTemperature.H"
#include "fixedGradientFvPatchFields.H"
#include "fvOptions.H"
#include "gradScheme.H"
#include "jumpCyclicAMIFvPatchFields.H"
#include "jumpCyclicFvPatchFields.H"
#include "StringStream.H"
#include "lbmNodeCells.H"
#include "mixedFvPatchFields.H"
#include "transformFvPatchFields.H"
#include "zeroGradientFvPatchFields.H"
#include "lbm/api/Ranks.hpp"

#include <omp.h>

#include <unordered_map>

namespace
{
    const std::string populationsNote("temperature.populations");
    const std::string heatBeforeNote("temperature.before");
    const std::string stepNote("temperature.step");
    const std::string diffusivityNote("temperature.diffusivity");
    const std::string speedNote("temperature.speed");
    const std::string fastestNote("temperature.fastest");
    const std::string kindsNote("temperature.kinds.");
    const std::string heatValuesNote("temperature.values.");
    const std::string conductancesNote("temperature.conductances.");
    const std::string alphaNote("temperature.alpha");
    const std::string alphaFacesNote("temperature.alphaOfFaces.");
    const std::string alphaBesideNote("temperature.alphaBeside.");
    const std::string cellSpeedsNote("temperature.cellSpeeds");

    // What the fluid moves in a step of T, in spacings, and the relaxation time, at most:
    // diffusion is within 2 % of what it should be up to there, in all directions, for
    // waves of 40 spacings (unit tests of the lattice)
    const Foam::scalar farthest = 0.25;
    const Foam::scalar slowest = 1.5;

    // No run goes on beyond: the lattice has no solution at half a spacing
    const Foam::scalar unbearable = 0.45;

    // What seen speeds are taken to grow by before steps become shorter once more
    const Foam::scalar reserve = 1.1;

    // Of a cell that has as many terms as it may: a number and a weight each
    const Foam::scalar termBytes = sizeof(std::int32_t) + sizeof(double);

    // Of a mixed condition's fraction, what counts as rounding
    const Foam::scalar fractionRoundOff = 1e-6;

    // Of a spacing, how near a wall nodes are taken to be at least
    const Foam::scalar leastFraction = 0.1;

    // Eddies that grow have steps made shorter beyond so many times that
    const Foam::scalar muchSlower = 1.2;

    // In the lattice's units, of a link and of all of a node: from 2 on these are not
    // stable (lbm::ScalarLinkValue)
    const Foam::scalar mostOfLink = 0.5;
    const Foam::scalar mostOfNode = 1.5;

    // A scalar has links along the axes alone
    bool isScalars(const lbm::Link& link)
    {
        const lbm::Int3 c(lbm::directionOf(link.direction));
        return Foam::mag(c[0]) + Foam::mag(c[1]) + Foam::mag(c[2]) == 1;
    }
}


Foam::lbmLatticeTemperature::lbmLatticeTemperature
(
    volScalarField& T,
    const scalar TRef,
    const scalar Pr,
    const lbmAxes& axes,
    const lbmBoundary& boundary,
    const lbmCellStencils& stencils,
    lbm::Solver& solver,
    std::shared_ptr<const lbm::Domain> domain,
    const autoPtr<lbmUnits>& units,
    const std::function<void()>& checkFlow,
    const scalar speed,
    const label substeps,
    const int threads,
    const eddyWays& eddies
)
:
    T_(T),
    TRef_(TRef),
    Pr_(Pr),
    axes_(axes),
    boundary_(boundary),
    units_(units),
    domain_(std::move(domain)),
    eddies_(eddies),
    alphaOfFaces_(T.boundaryField().size()),
    alphaBeside_(T.boundaryField().size()),
    threads_(threads > 0 ? threads : omp_get_max_threads()),
    speed_(speed),
    substeps_(substeps),
    stride_(chooseStride(substeps, 1)),
    diffusivity_(inLattice()),
    step_(stride_*units->dt()),
    checkFlow_(checkFlow)
{
    refuseOptions();
    refusePatches();
    lbm::ScalarConfig config;
    config.precision = solver.row().precision;
    config.threads = threads;
    config.diffusivity = diffusivity_;
    config.byNode = this->eddies();
    lattice_ = lbm::placeScalar(solver, domain_, config);
    lattice_->setStride(stride_);

    crossings_.setSize(T.boundaryField().size());
    told_.setSize(crossings_.size());
    toldOf_.setSize(crossings_.size());
    forAll(crossings_, patchi)
    {
        if (boundary.nLinks(patchi) == 0) continue;
        // With values of planes, too, of which the flow needs normals alone
        crossings_[patchi] = lbmPatchLinks
        (
            *domain_, boundary.linkRuns(), axes, T.mesh().boundaryMesh()[patchi], true
        );
    }
    if (this->eddies()) boundLinks();
    weighCells(stencils);
    tellConditions();
}


void Foam::lbmLatticeTemperature::boundLinks()
{
    std::unordered_map<lbm::NodeIndex, label> ofNode;
    for (const lbm::Link& link : domain_->links)
    {
        if (isScalars(link)) ++ofNode[link.node];
    }
    bounds_.setSize(crossings_.size());
    forAll(crossings_, patchi)
    {
        bounds_[patchi].setSize(crossings_[patchi].faces().size());
        eachLink
        (
            patchi,
            [&](const label i, const lbm::Link& link)
            {
                bounds_[patchi][i] =
                    isScalars(link) ? min(mostOfLink, mostOfNode/ofNode.at(link.node)) : GREAT;
            }
        );
    }
}


void Foam::lbmLatticeTemperature::refuseOptions() const
{
    fv::options& options = fv::options::New(T_.mesh());
    for (fv::option& option : static_cast<fv::optionList&>(options))
    {
        if (!option.active() || option.applyToField(T_.name()) < 0) continue;
        FatalIOErrorInFunction(options)
            << "Option " << option.name() << " is a source of T: temperature on the"
            << " lattice has none" << nl
            << "Way out: temperatureOn mesh (system/lbmDict)" << exit(FatalIOError);
    }
}


// Of patches that no link meets, too
void Foam::lbmLatticeTemperature::refusePatches() const
{
    for (const fvPatchScalarField& on : T_.boundaryField())
    {
        if
        (
            isA<jumpCyclicFvPatchField<scalar>>(on)
         || isA<jumpCyclicAMIFvPatchField<scalar>>(on)
        )
        {
            refuse(on, ": it jumps between the two sides");
        }
    }
    if (eddies()) return;
    const auto* alphat = T_.db().findObject<volScalarField>("alphat");
    if (!alphat) return;
    for (const fvPatchScalarField& on : alphat->boundaryField())
    {
        if (!on.size() || !(max(mag(on)) > 0)) continue;
        FatalIOErrorInFunction(dictionary(fileName(alphat->objectPath())))
            << "Patch " << on.patch().name() << ": alphat is " << max(mag(on))
            << ", and temperature on the lattice has the fluid's own conductivity alone"
            << nl << "Way out: temperatureOn mesh (system/lbmDict), or alphat 0"
            << exit(FatalIOError);
    }
}


// What a gradient adds to what leaves is not there, and a wall would let nothing leave
void Foam::lbmLatticeTemperature::refuseAtOpening
(
    const label patchi,
    const scalarField& gradient
) const
{
    if (!boundary_.kinds()[patchi].opening() || gradient.empty()) return;
    const scalar largest = max(mag(gradient));
    if (!(largest > 0)) return;
    OStringStream why;
    why << " at an opening, where its gradient is " << largest << ", not 0";
    refuse(T_.boundaryField()[patchi], why.str());
}


void Foam::lbmLatticeTemperature::refuse
(
    const fvPatchScalarField& on,
    const string& why
) const
{
    FatalIOErrorInFunction(dictionary(fileName(T_.objectPath())))
        << "Patch " << on.patch().name() << ": temperature on the lattice cannot"
        << " honour type " << on.type() << " of T" << why.c_str() << nl
        << "Supported are conditions that fix the value, zeroGradient,"
        << " fixedGradient at walls, inletOutlet and alike, and symmetry" << nl
        << "Way out: temperatureOn mesh (system/lbmDict)" << exit(FatalIOError);
    std::abort();
}


Foam::scalar Foam::lbmLatticeTemperature::inLattice() const
{
    return stride_*units_->viscosity().nu(0)/Pr_*units_->dt()/sqr(units_->dx());
}


Foam::scalar Foam::lbmLatticeTemperature::largestTau(const scalar step) const
{
    const scalar largest =
        alpha_.size() ? max(alpha_) : units_->viscosity().nu(0)/Pr_;
    return 0.5 + 4*largest*step/sqr(units_->dx());
}


bool Foam::lbmLatticeTemperature::bears
(
    const label stride,
    const scalar mostTau
) const
{
    const scalar step = stride*units_->dt();
    return speed_*step/units_->dx() <= farthest && largestTau(step) <= mostTau;
}


// A whole number of them makes a time step of the case. Where eddies come and go the
// present ones stay for a while, for each change costs some exactness
Foam::label Foam::lbmLatticeTemperature::chooseStride
(
    const label substeps,
    const label present
) const
{
    label result = 1;
    for (label n = 2; n <= substeps && bears(n, slowest); ++n)
    {
        if (substeps % n == 0) result = n;
    }
    const bool stays =
        present > result && substeps % present == 0
     && bears(present, muchSlower*slowest);
    return stays ? present : result;
}


// Speed by diffusivity, both in the lattice's units: of one spacing
Foam::scalar Foam::lbmLatticeTemperature::peclet(const scalar speed) const
{
    return speed*stride_*units_->dt()/units_->dx()/diffusivity_;
}


bool Foam::lbmLatticeTemperature::mayGrow(const scalar speed) const
{
    return !eddies()
        && diffusivity_ < lbm::leastDiffusivityAtAnyPeclet
        && peclet(speed) > lbm::mostPeclet;
}


void Foam::lbmLatticeTemperature::tellPeclet()
{
    if (pecletTold_ || !mayGrow(fastest_)) return;
    pecletTold_ = true;
    WarningInFunction
        << "Time = " << T_.time().timeName() << ": the flow's " << fastest_
        << " m/s are a cell Peclet number of " << peclet(fastest_)
        << "; temperatures of a few spacings' length may grow beyond "
        << lbm::mostPeclet << nl << "Way out: cellSize "
        << units_->dx()*lbm::mostPeclet/peclet(fastest_)
        << ", or temperatureOn mesh (system/lbmDict)" << endl;
}


void Foam::lbmLatticeTemperature::weighCells(const lbmCellStencils& stencils)
{
    const lbm::Domain& domain = *domain_;
    std::vector<std::int32_t> number(domain.nodes(), -1);
    std::int32_t n = 0;
    domain.fluid.forEachIn
    (
        0, domain.nodes(), [&](const lbm::NodeIndex i){ number[i] = n++; }
    );
    std::vector<lbmNodeTerm> terms;
    std::vector<std::size_t> begin(1, 0);
    std::vector<std::int32_t> nodes;
    std::vector<double> weights;
    for (label celli = 0; celli < T_.mesh().nCells(); ++celli)
    {
        terms.clear();
        stencils.appendNodes(celli, terms);
        for (const lbmNodeTerm& term : terms)
        {
            nodes.push_back(number[term.node]);
            weights.push_back(term.U);
        }
        begin.push_back(nodes.size());
    }
    lattice_->placeSums(std::move(begin), std::move(nodes), std::move(weights));
}


void Foam::lbmLatticeTemperature::lookAtSpeed(const scalar moved)
{
    fastest_ = max(fastest_, moved*units_->dx()/step_);
    unborne_ = max(unborne_, moved);
}


bool Foam::lbmLatticeTemperature::lost() const
{
    return unborne_ >= unbearable;
}


void Foam::lbmLatticeTemperature::endIfLost() const
{
    if (!lost()) return;
    checkFlow_();
    FatalErrorInFunction
        << "Time = " << T_.time().timeName() << ": the flow moves " << unborne_
        << " spacings in a step of temperature on the lattice, " << step_ << " s;"
        << " at most " << unbearable << " are borne" << nl
        << "Way out: referenceSpeed " << reserve*unborne_*units_->dx()/step_
        << " or more (system/lbmDict; now " << speed_ << ')' << exit(FatalError);
}


// What moves farther than a spacing in one of its own steps is no flow
bool Foam::lbmLatticeTemperature::allowFor()
{
    if (!lost() || stride_ == 1 || unborne_ > stride_) return false;
    speed_ = max(speed_, reserve*unborne_*units_->dx()/step_);
    return true;
}


void Foam::lbmLatticeTemperature::lay()
{
    const fvMesh& mesh = T_.mesh();
    // No cell begins with temperatures beyond those around it
    const volVectorField gradT
    (
        fv::gradScheme<scalar>::New
        (
            mesh, IStringStream("cellLimited Gauss linear 1")()
        )().calcGrad(T_, "lbmLatticeTemperature:gradT")
    );
    const vectorField& gradient = gradT.primitiveField();
    const scalarField atOrigin
    (
        T_.primitiveField() - TRef_ - (gradient & mesh.C().primitiveField())
    );
    const FixedList<scalarField, 3> slope
    ({
        gradient.component(0), gradient.component(1), gradient.component(2)
    });
    const lbm::Domain& domain = *domain_;
    const lbmNodeCells cells(mesh, domain, axes_);
    std::vector<double> values(lattice_->size());
    std::size_t i = 0;
    domain.fluid.forEachIn
    (
        0,
        domain.nodes(),
        [&](const lbm::NodeIndex node)
        {
            const lbm::Int3 at(domain.coordinates(node));
            const point x
            (
                axes_.position(domain, {double(at[0]), double(at[1]), double(at[2])})
            );
            scalar value = cells.at(i, atOrigin);
            for (direction a = 0; a < 3; ++a) value += x[a]*cells.at(i, slope[a]);
            values[i++] = value;
        }
    );
    lattice_->initialise(values.data());
    fastest_ = 0;
    unborne_ = 0;
}


void Foam::lbmLatticeTemperature::convert(const label substeps)
{
    substeps_ = substeps;
    take(chooseStride(substeps, stride_));
}


void Foam::lbmLatticeTemperature::take(const label stride)
{
    stride_ = stride;
    lattice_->setStride(stride_);
    const scalar step = stride_*units_->dt(), now = inLattice();
    if (mag(step - step_) <= SMALL*step && mag(now - diffusivity_) <= SMALL*now) return;
    const scalar ratio = step/step_;
    step_ = step;
    diffusivity_ = now;
    lattice_->rescale(ratio, conducts());
    tellConditions();
}


// What the guard asks for goes by the present step
Foam::scalarField Foam::lbmLatticeTemperature::raised()
{
    scalarField result(alpha_);
    const scalarField& V = T_.mesh().V();
    const scalar atAnyPeclet =
        lbm::leastDiffusivityAtAnyPeclet*sqr(units_->dx())/step_;
    guarded_ = 0;
    forAll(result, celli)
    {
        const scalar least =
            min(cellSpeeds_[celli]*units_->dx()/lbm::mostPeclet, atAnyPeclet);
        if (result[celli] >= least) continue;
        result[celli] = least;
        guarded_ += V[celli];
    }
    guarded_ /= gSum(V);
    return result;
}


lbm::ScalarDiffusivity Foam::lbmLatticeTemperature::conducts()
{
    if (alpha_.empty()) return diffusivity_;
    const scalarField ofCells(raised());
    ofNodes_.resize(lattice_->size());
    const scalar toLattice = step_/sqr(units_->dx());
    #pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t i = 0; i < ofNodes_.size(); ++i)
    {
        ofNodes_[i] = toLattice*eddies_.cells->at(i, ofCells);
    }
    return lbm::ScalarDiffusivity(ofNodes_.data());
}


void Foam::lbmLatticeTemperature::conduct
(
    const volScalarField& alphaEff,
    const vectorField& U
)
{
    const scalarField& ofModel = alphaEff.primitiveField();
    alpha_ = ofModel;
    eddies_.atWalls(ofModel, alpha_);
    cellSpeeds_ = mag(U);
    forAll(alphaOfFaces_, patchi)
    {
        const fvPatchScalarField& on = alphaEff.boundaryField()[patchi];
        alphaOfFaces_[patchi] = on;
        alphaBeside_[patchi] = scalarField(on.patchInternalField());
    }
    if (stride_ > 1 && largestTau(step_) > muchSlower*slowest)
    {
        const label before = stride_;
        convert(substeps_);
        Info<< "temperature: eddies conduct so that tau was " << largestTau(before*units_->dt())
            << ", now once in " << stride_ << " of the flow's steps, before in " << before
            << nl;
    }
    tellTau();
    lattice_->setDiffusivity(conducts());
}


void Foam::lbmLatticeTemperature::tellTau()
{
    if (tauTold_ || stride_ > 1 || largestTau(step_) <= slowest) return;
    tauTold_ = true;
    WarningInFunction
        << "Time = " << T_.time().timeName() << ": eddies conduct so that tau of"
        << " temperature on the lattice is " << largestTau(step_) << " in each of the flow's"
        << " steps; walls and openings are less exact beyond " << slowest << nl
        << "Way out: a smaller maxMach, or temperatureOn mesh (system/lbmDict)" << endl;
}


bool Foam::lbmLatticeTemperature::hasLaw(const label patchi) const
{
    if (!boundary_.kinds()[patchi].anyWall() || alphaOfFaces_[patchi].empty()) return false;
    const scalar own = units_->viscosity().nu(0)/Pr_;
    return boundary_.kinds()[patchi].wallLaw
        || max(alphaOfFaces_[patchi]) > (1 + fractionRoundOff)*own;
}


Foam::scalarField Foam::lbmLatticeTemperature::conductances
(
    const label patchi,
    const vectorField& normals
) const
{
    const lbmPatchLinks& crossings = crossings_[patchi];
    const fvPatch& patch = T_.mesh().boundary()[patchi];
    scalarField result(crossings.faces().size(), -1);
    if (!hasLaw(patchi)) return result;
    const scalarField ofFace(crossings.atLinks(alphaOfFaces_[patchi]));
    const scalarField beside(crossings.atLinks(alphaBeside_[patchi]));
    const scalarField y(crossings.atLinks(scalarField(1/patch.deltaCoeffs())));
    eachLink
    (
        patchi,
        [&](const label i, const lbm::Link& link)
        {
            const lbm::Int3 c(lbm::directionOf(link.direction));
            const lbm::Vec3 n(axes_.toLattice(normals[i]));
            const scalar d = max
            (
                leastFraction, link.fraction*mag(c[0]*n[0] + c[1]*n[1] + c[2]*n[2])
            )*units_->dx();
            result[i] = 1/max(y[i]/ofFace[i] - (y[i] - d)/beside[i], d/ofFace[i]);
        }
    );
    return result;
}


void Foam::lbmLatticeTemperature::correct()
{
    const scalar moved = fastest_*step_/units_->dx();
    if (stride_ > 1 && moved > farthest)
    {
        const label before = stride_;
        speed_ = reserve*fastest_;
        convert(substeps_);
        Info<< "temperature: the flow moved " << moved << " spacings in a step, now once in "
            << stride_ << " of the flow's steps, before in " << before << nl;
    }
    tellPeclet();
    fastest_ = 0;
    unborne_ = 0;
    tellConditions();
}


bool Foam::lbmLatticeTemperature::faceConditions::operator==(const faceConditions& b) const
{
    return fixed == b.fixed && value == b.value && gradient == b.gradient && alpha == b.alpha
        && alphaBeside == b.alphaBeside && step == b.step && diffusivity == b.diffusivity;
}


Foam::lbmLatticeTemperature::faceConditions Foam::lbmLatticeTemperature::onFaces
(
    const label patchi
) const
{
    const fvPatchScalarField& on = T_.boundaryField()[patchi];
    // Where the value is fixed, by face
    scalarField fixed(on.size(), 0);
    scalarField gradient(on.size(), 0);
    if (isA<mixedFvPatchScalarField>(on))
    {
        const auto& mixed = refCast<const mixedFvPatchScalarField>(on);
        fixed = mixed.valueFraction();
        gradient = mixed.refGrad();
        for (const scalar f : fixed)
        {
            if (min(mag(f), mag(1 - f)) > fractionRoundOff)
            {
                refuse(on, ", whose valueFraction is neither 0 nor 1");
            }
        }
    }
    else if (on.fixesValue()) fixed = 1;
    else if (isA<fixedGradientFvPatchScalarField>(on))
    {
        gradient = refCast<const fixedGradientFvPatchScalarField>(on).gradient();
    }
    else if
    (
        !isA<zeroGradientFvPatchScalarField>(on)
     && !isA<transformFvPatchScalarField>(on)
    ) refuse(on, string());

    refuseAtOpening(patchi, scalarField((1 - fixed)*gradient));
    // Values that nobody imposes change with T, and links of such patches are told none
    const scalarField value(fixed.size() && max(fixed) > 0.5 ? scalarField(on - TRef_) : scalarField());
    return
    {
        fixed, value, gradient, alphaOfFaces_[patchi], alphaBeside_[patchi], step_, diffusivity_
    };
}


std::vector<lbm::ScalarLinkValue> Foam::lbmLatticeTemperature::conditions
(
    const label patchi,
    const faceConditions& told
) const
{
    using kind = lbm::ScalarKind;
    const fvPatchScalarField& on = T_.boundaryField()[patchi];
    const lbmPatchKind& flow = boundary_.kinds()[patchi];
    const lbmPatchLinks& crossings = crossings_[patchi];
    const scalarField& fixed = told.fixed;

    const scalar toLattice = step_/units_->dx();
    const scalarField values
    (
        told.value.empty() ? scalarField(crossings.faces().size(), 0)
      : scalarField(crossings.atLinks(told.value))
    );
    const scalarField conductivity
    (
        told.alpha.size() ? told.alpha
      : scalarField(on.size(), diffusivity_*units_->dx()/toLattice)
    );
    const scalarField fluxes
    (
        crossings.atLinks(scalarField(told.gradient*conductivity*toLattice))
    );
    const vectorField normals(crossings.atLinks(on.patch().nf()()));
    const scalarField passing(conductances(patchi, normals));
    const lbmPackedLabels& faces = crossings.faces();
    std::vector<lbm::ScalarLinkValue> result(faces.size());
    eachLink
    (
        patchi,
        [&](const label i, const lbm::Link& crossing)
        {
            const lbm::Int3 c(lbm::directionOf(crossing.direction));
            const lbm::Vec3 n(axes_.toLattice(normals[i]));
            lbm::ScalarLinkValue& link = result[i];
            const scalar share = mag(c[0]*n[0] + c[1]*n[1] + c[2]*n[2]);
            if (fixed[faces[i]] > 0.5 && passing[i] >= 0)
            {
                const scalar passes = passing[i]*share*toLattice;
                link = {kind::transfer, values[i], false, min(passes, bounds_[patchi][i])};
            }
            else if (fixed[faces[i]] > 0.5)
            {
                link = {kind::value, values[i], flow.anyWall() && flow.interpolated};
            }
            else if (flow.opening())
            {
                link.kind = kind::outflow;
            }
            else
            {
                link.value = fluxes[i]*share;
            }
        }
    );
    return result;
}


void Foam::lbmLatticeTemperature::tellConditions()
{
    forAll(crossings_, patchi)
    {
        if (boundary_.nLinks(patchi) == 0) continue;
        // Of millions of links that takes longer than a step: not for conditions as before
        faceConditions now(onFaces(patchi));
        if (toldOf_[patchi].valid() && now == *toldOf_[patchi]) continue;
        told_[patchi] = conditions(patchi, now);
        toldOf_[patchi].reset(new faceConditions(std::move(now)));
        lattice_->setBoundary(int(patchi), told_[patchi].data(), told_[patchi].size());
    }
}


Foam::label Foam::lbmLatticeTemperature::boundedFaces() const
{
    label n = 0;
    forAll(told_, patchi)
    {
        labelHashSet faces;
        for (std::size_t i = 0; i < told_[patchi].size(); ++i)
        {
            const lbm::ScalarLinkValue& link = told_[patchi][i];
            if (link.kind != lbm::ScalarKind::transfer) continue;
            if (link.conductance < bounds_[patchi][i]) continue;
            faces.insert(crossings_[patchi].faces()[i]);
        }
        n += faces.size();
    }
    return n;
}


void Foam::lbmLatticeTemperature::follow()
{
    lookAtSpeed(lattice_->collide());
}


void Foam::lbmLatticeTemperature::diverged(const label celli, const scalar T) const
{
    OStringStream at;
    if (!eddies()) at << ", at a cell Peclet number of " << peclet(fastest_);
    FatalErrorInFunction
        << "Time = " << T_.time().timeName() << ": T at " << T_.mesh().C()[celli] << " is "
        << T << ": temperature on the lattice has diverged" << at.str().c_str() << nl
        << "Way out: a smaller cellSize, or temperatureOn mesh (system/lbmDict)"
        << exit(FatalError);
}


void Foam::lbmLatticeTemperature::bring()
{
    scalarField& T = T_.primitiveFieldRef();
    lattice_->sums(T.data());
    forAll(T, celli)
    {
        T[celli] += TRef_;
        if (!(mag(T[celli]) < GREAT)) diverged(celli, T[celli]);
    }
    T_.correctBoundaryConditions();
}


void Foam::lbmLatticeTemperature::note(lbm::CheckpointNotes& notes) const
{
    std::vector<double>& populations = notes.arrays[populationsNote];
    std::vector<double>& before = notes.arrays[heatBeforeNote];
    populations.resize(lattice_->populations()*lattice_->size());
    before.resize(lattice_->size());
    lattice_->getState(populations.data(), before.data());
    notes.numbers[stepNote] = step_;
    notes.numbers[diffusivityNote] = diffusivity_;
    notes.numbers[speedNote] = speed_;
    notes.numbers[fastestNote] = fastest_;
    forAll(told_, patchi)
    {
        if (told_[patchi].empty()) continue;
        const std::string name(T_.mesh().boundary()[patchi].name());
        std::vector<double>& kinds = notes.arrays[kindsNote + name];
        std::vector<double>& values = notes.arrays[heatValuesNote + name];
        kinds.clear();
        values.clear();
        for (const lbm::ScalarLinkValue& link : told_[patchi])
        {
            kinds.push_back(double(link.kind));
            values.push_back(link.value);
        }
        if (alpha_.empty()) continue;
        std::vector<double>& passes = notes.arrays[conductancesNote + name];
        passes.clear();
        for (const lbm::ScalarLinkValue& link : told_[patchi])
        {
            passes.push_back(link.conductance);
        }
    }
    if (alpha_.empty()) return;
    notes.arrays[alphaNote].assign(alpha_.begin(), alpha_.end());
    notes.arrays[cellSpeedsNote].assign(cellSpeeds_.begin(), cellSpeeds_.end());
    forAll(alphaOfFaces_, patchi)
    {
        const std::string name(T_.mesh().boundary()[patchi].name());
        const scalarField &face = alphaOfFaces_[patchi], &cell = alphaBeside_[patchi];
        notes.arrays[alphaFacesNote + name].assign(face.begin(), face.end());
        notes.arrays[alphaBesideNote + name].assign(cell.begin(), cell.end());
    }
}


// Conductivities as they were noted, if the case has eddies still
void Foam::lbmLatticeTemperature::recallConductivity(const lbm::CheckpointNotes& notes)
{
    if (!eddies()) return;
    const auto recalled = [&](const std::string& name, const label size, scalarField& to)
    {
        const auto found = notes.arrays.find(name);
        if (found == notes.arrays.end() || found->second.size() != std::size_t(size))
        {
            return false;
        }
        to.setSize(size);
        std::copy(found->second.begin(), found->second.end(), to.begin());
        return true;
    };
    bool all = recalled(alphaNote, T_.size(), alpha_)
        && recalled(cellSpeedsNote, T_.size(), cellSpeeds_);
    forAll(alphaOfFaces_, patchi)
    {
        const fvPatch& patch = T_.mesh().boundary()[patchi];
        all = all && recalled(alphaFacesNote + patch.name(), patch.size(), alphaOfFaces_[patchi])
           && recalled(alphaBesideNote + patch.name(), patch.size(), alphaBeside_[patchi]);
    }
    if (all) return;
    // Of no model yet: the next solution tells
    alpha_.clear();
    for (scalarField& of : alphaOfFaces_) of.clear();
    for (scalarField& of : alphaBeside_) of.clear();
}


// As they were told in the time step that was noted, and as they are now where that is
// not there
std::vector<lbm::ScalarLinkValue> Foam::lbmLatticeTemperature::told
(
    const label patchi,
    const lbm::CheckpointNotes& notes
) const
{
    std::vector<lbm::ScalarLinkValue> result(conditions(patchi, onFaces(patchi)));
    const std::string name(T_.mesh().boundary()[patchi].name());
    const auto kinds = notes.arrays.find(kindsNote + name);
    const auto values = notes.arrays.find(heatValuesNote + name);
    if
    (
        kinds == notes.arrays.end() || kinds->second.size() != result.size()
     || values == notes.arrays.end() || values->second.size() != result.size()
    ) return result;
    const auto passes = notes.arrays.find(conductancesNote + name);
    const bool passing =
        passes != notes.arrays.end() && passes->second.size() == result.size();
    const bool interpolated =
        boundary_.kinds()[patchi].anyWall() && boundary_.kinds()[patchi].interpolated;
    for (std::size_t i = 0; i < result.size(); ++i)
    {
        const auto kind = lbm::ScalarKind(int(kinds->second[i]));
        // Of a model that is gone
        if (kind == lbm::ScalarKind::transfer && !(eddies() && passing)) continue;
        result[i] =
        {
            kind,
            values->second[i],
            interpolated && kind == lbm::ScalarKind::value,
            passing ? passes->second[i] : 0
        };
    }
    return result;
}


bool Foam::lbmLatticeTemperature::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(populationsNote);
    if
    (
        found == notes.arrays.end()
     || found->second.size() != lattice_->populations()*lattice_->size()
    ) return false;
    const auto before = notes.arrays.find(heatBeforeNote);
    if (before == notes.arrays.end() || before->second.size() != lattice_->size())
    {
        return false;
    }
    for (const std::string& name : {stepNote, diffusivityNote, speedNote, fastestNote})
    {
        if (!notes.numbers.count(name)) return false;
    }
    lattice_->setState(found->second.data(), before->second.data());
    speed_ = max(speed_, notes.numbers.at(speedNote));
    fastest_ = notes.numbers.at(fastestNote);
    step_ = notes.numbers.at(stepNote);
    diffusivity_ = notes.numbers.at(diffusivityNote);
    recallConductivity(notes);
    lattice_->setDiffusivity(conducts());
    forAll(told_, patchi)
    {
        if (boundary_.nLinks(patchi) == 0) continue;
        told_[patchi] = told(patchi, notes);
        toldOf_[patchi].clear();
        lattice_->setBoundary(int(patchi), told_[patchi].data(), told_[patchi].size());
    }
    // The noted ones first: those of a time step that was cut may be longer or shorter
    // than a new one would have
    const label noted = label(std::lround(step_/units_->dt()));
    const bool asNoted =
        noted > 0 && substeps_ % noted == 0
     && mag(noted*units_->dt() - step_) <= SMALL*step_
     && (noted == 1 || bears(noted, muchSlower*slowest));
    take(asNoted ? noted : chooseStride(substeps_, stride_));
    keepsStep_ = mag(step_ - notes.numbers.at(stepNote)) <= SMALL*step_;
    return true;
}


Foam::scalar Foam::lbmLatticeTemperature::conductsThrough(const fvPatch& patch) const
{
    const scalarField& ofFaces = alphaOfFaces_[patch.index()];
    if (ofFaces.size()) return gSum(ofFaces*patch.magSf());
    return units_->viscosity().nu(0)/Pr_*gSum(patch.magSf());
}


Foam::scalarField Foam::lbmLatticeTemperature::given(const label patchi) const
{
    const std::vector<double> passed(lattice_->passed(int(patchi)));
    scalarField result(label(passed.size()));
    const scalar toSI = boundary_.nodeVolume()/(stride_*units_->dt());
    forAll(result, i) result[i] = -toSI*passed[i];
    return result;
}


Foam::tmp<Foam::scalarField> Foam::lbmLatticeTemperature::heatFlux
(
    const label patchi
) const
{
    const fvPatch& patch = T_.mesh().boundary()[patchi];
    if (boundary_.nLinks(patchi) == 0)
    {
        return tmp<scalarField>::New(patch.size(), Zero);
    }
    const vectorField atLinks(given(patchi)*vector(1, 0, 0));
    return crossings_[patchi].onFaces(atLinks)().component(0)/patch.magSf();
}


void Foam::lbmLatticeTemperature::report() const
{
    Info<< "temperature: in its last step, of T - TRef, patches give";
    const char* comma = " ";
    forAll(crossings_, patchi)
    {
        if (boundary_.nLinks(patchi) == 0) continue;
        const fvPatch& patch = T_.mesh().boundary()[patchi];
        const scalar all = sum(given(patchi));
        Info<< comma << patch.name() << ' ' << all;
        comma = ", ";
        // What an opening gives the flow carries, for the most part
        if (boundary_.kinds()[patchi].opening()) continue;
        Info<< " (gradient " << all/conductsThrough(patch) << " K/m)";
    }
    Info<< " K m3/s" << nl;
    if (const label n = boundedFaces())
    {
        Info<< "temperature: at " << n << " faces walls pass less than the mesh lets"
            << " pass: " << mostOfLink << " spacings in a step of what a node lacks, or "
            << mostOfNode << " over all of its walls, keep it stable" << nl;
    }
    if (!(guarded_ > 0)) return;
    Info<< "temperature: in " << 100*guarded_ << " % of the volume conductivity is raised, to"
        << " keep cell Peclet numbers below " << lbm::mostPeclet << nl;
}


void Foam::lbmLatticeTemperature::printPlan() const
{
    const scalar tau = largestTau(step_);
    Info<< "    temperature     on the lattice, " << lattice_->populations()
        << " populations a node and tau " << tau
        << (eddies() && alpha_.empty() ? " without eddies" : "") << ", once in "
        << stride_ << " of the flow's steps; Pr " << Pr_ << ", T from " << min(T_).value() << " to "
        << max(T_).value() << nl;
    if (tau > slowest)
    {
        Info<< "    its tau         beyond " << slowest << ", where walls and openings are"
            << " less exact: a smaller maxMach or cellSize makes it smaller" << nl;
    }
    if (eddies())
    {
        Info<< "    its eddies      by the model on the mesh: nodes take alphaEff of their"
            << " cells, raised to keep cell Peclet numbers below " << lbm::mostPeclet << nl;
    }
    else
    {
        Info<< "    cell Peclet     " << peclet(speed_) << " at the speed to be expected";
        if (mayGrow(speed_))
        {
            Info<< ": temperatures of a few spacings' length may grow beyond "
                << lbm::mostPeclet << "; cellSize "
                << units_->dx()*lbm::mostPeclet/peclet(speed_) << " has none";
        }
        Info<< nl;
    }
    if (lattice_->onDevice())
    {
        Info<< "    it steps        on the device, beside the flow" << nl;
    }
    else if (!lattice_->whyOnHost().empty())
    {
        Info<< "    it steps        on the host, for " << lattice_->whyOnHost().c_str()
            << "; each of its steps brings velocities from the device and takes forces"
            << " there" << nl;
    }
    if (lbm::ranks() > 1)
    {
        Info<< "    it steps        on the first process alone, of " << lbm::ranks() << nl;
    }
}


// A checkpoint has populations once more, as what goes over to a device
Foam::lbmLatticeTemperature::memory Foam::lbmLatticeTemperature::bytesPerNode
(
    const label dimensions,
    const std::string& precision,
    const bool onDevice,
    const bool eddies
)
{
    const scalar populations = 1 + 2*dimensions;
    const int number = precision == "float" ? sizeof(float) : sizeof(double);
    const scalar sums = termBytes*Foam::pow(scalar(2), dimensions);
    const scalar checkpoint = (1 + populations)*sizeof(double);
    // Conductivities as they are told
    const scalar conducts = eddies ? sizeof(double) + number : 0;
    if (onDevice)
    {
        // What begins on the host goes over: its lattice and T, populations as they are
        // handed over, and as the device has them; and the nodes' numbers stay
        const scalar over =
            2*populations*number + (2 + populations)*sizeof(double) + populations*number;
        return
        {
            max(over, sums) + sizeof(lbm::NodeIndex) + conducts,
            lbm::scalarBytesOnDevice(dimensions, number, eddies)
        };
    }
    const scalar fields = 3 + lbm::valuesOf(lbm::Reading::flow);
    return
    {
        2*populations*number + fields*sizeof(double) + checkpoint + sums + conducts, 0
    };
}
