// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSources.H"
#include "bitSet.H"
#include "explicitPorositySource.H"
#include "fvMatrices.H"
#include "fvmSup.H"
#include "fvOptions.H"
#include "IOporosityModelList.H"
#include "lbmRotatingFrame.H"
#include "lbmRotatingZones.H"
#include "meanVelocityForce.H"
#include "SemiImplicitSource.H"
#include "Time.H"

namespace
{
    using namespace Foam;

    const word meanVelocity("meanVelocityForce"), limiter("limitVelocity");

    // They change U after the equation is solved, or only where U is large, so
    // that no look at the beginning would find them; what does as much
    const HashTable<string> otherwise
    ({
        {
            "velocityDampingConstraint",
            "it changes the equation where U is large\nWay out: active no, or"
            " explicitPorositySource in a cellZone"
        },
        {
            "directionalPressureGradientExplicitSource",
            "it turns U cell by cell\nWay out: meanVelocityForce, or"
            " explicitPorositySource"
        },
        {
            "patchMeanVelocityForce",
            "the mean is that of a patch\nWay out: meanVelocityForce with the"
            " cells there as cellZone"
        }
    });

    const fv::SemiImplicitSource<vector>* semiImplicit(const fv::option& option)
    {
        return isA<fv::SemiImplicitSource<vector>>(option)
          ? &refCast<const fv::SemiImplicitSource<vector>>(option) : nullptr;
    }


    // Su + Sp U of this field, per volume
    Tuple2<vector, scalar> rateOf
    (
        const fv::SemiImplicitSource<vector>& source,
        const word& field
    )
    {
        Tuple2<vector, scalar> rate
        (
            source.injectionRate()[source.applyToField(field)]
        );
        if (source.volumeMode() == fv::SemiImplicitSource<vector>::vmAbsolute)
        {
            rate.first() /= source.V();
            rate.second() /= source.V();
        }
        return rate;
    }


    // No velocity that cells are held at
    const vector unlikely(-0.1234567, 0.7654321, -0.3141593);

    const dimensionSet ofEquation(dimVelocity*dimVol/dimTime);
}


Foam::lbmSources::lbmSources
(
    volVectorField& U,
    const volScalarField& p,
    const scalar nu,
    const lbmRotatingFrame* frame,
    const lbmRotatingZones* zones
)
:
    U_(U),
    nu_(nu),
    options_(fv::options::New(U.mesh())),
    jumps_(p),
    frame_(frame),
    zones_(zones)
{
    fv::optionList& all = options_;
    forAll(all, i)
    {
        if (all[i].applyToField(U.name()) >= 0) choose(all[i]);
    }
    readPorousZones();
    listCells();
}


Foam::lbmSources::~lbmSources() = default;


void Foam::lbmSources::choose(fv::option& option)
{
    option.setApplied(option.applyToField(U_.name()));
    if (!option.active()) return;
    if (isInNoCell(option)) return;

    if (option.type() == meanVelocity)
    {
        driven_.append
        (
            new lbmMeanVelocity
            (
                refCast<const fv::cellSetOption>(option), U_.mesh()
            )
        );
        return;
    }
    if (option.type() == limiter)
    {
        refuseBesideZones(option);
        limiting_.append(&option);
        return;
    }
    refuseCorrections(option);
    refuseConstraints(option);
    (isUniform(option) ? uniform_ : local_).append(&option);
}


bool Foam::lbmSources::isInNoCell(const fv::option& option) const
{
    if (!isA<fv::cellSetOption>(option)) return false;
    if (refCast<const fv::cellSetOption>(option).cells().size()) return false;
    IOWarningInFunction(options_)
        << "Option " << option.name() << " (" << option.type()
        << ") is in no cell of the mesh, and does nothing" << endl;
    return true;
}


void Foam::lbmSources::refuse(const fv::option& option, const string& why) const
{
    FatalIOErrorInFunction(options_)
        << "Option " << option.name() << ": lbmFoam cannot honour type "
        << option.type() << ": " << why.c_str() << exit(FatalIOError);
    std::abort();
}


void Foam::lbmSources::refuseCorrections(fv::option& option) const
{
    const auto known = otherwise.cfind(option.type());
    if (known.found()) refuse(option, *known);

    volVectorField corrected("lbmSources:U", U_);
    option.correct(corrected);
    if (max(mag(corrected.primitiveField() - U_.primitiveField())) > 0)
    {
        refuse
        (
            option,
            "it changes U after the equation is solved\nWay out: a source that"
            " only adds to the equation, or active no"
        );
    }
}


// There the lattice's velocities are not those of U
void Foam::lbmSources::refuseBesideZones(const fv::option& option) const
{
    if (!zones_) return;
    refuse
    (
        option,
        "constant/MRFProperties has zones that rotate, where nodes have relative"
        " velocities\nWay out: active no"
    );
}


// An equation whose solution is neither U nor what is likely to be asked of it: with
// that of U at rest, a constraint to rest would leave the equation as it is
void Foam::lbmSources::refuseConstraints(fv::option& option) const
{
    fvVectorMatrix plain
    (
        fvm::Sp(dimensionedScalar("one", dimless/dimTime, 1), U_)
    );
    plain.source() = U_.mesh().V()*unlikely;
    fvVectorMatrix constrained(plain);
    const vectorField before(U_.primitiveField());
    option.constrain(constrained, option.applyToField(U_.name()));
    const bool same = max(mag(constrained.diag() - plain.diag())) == 0
     && max(mag(constrained.source() - plain.source())) == 0
     && max(mag(U_.primitiveField() - before)) == 0;
    if (same) return;

    refuse
    (
        option,
        "it fixes U in cells\nWay out: explicitPorositySource (strong resistance"
        " holds the fluid), or active no"
    );
}


std::unique_ptr<Foam::fvVectorMatrix> Foam::lbmSources::equation
(
    fv::option& option
) const
{
    std::unique_ptr<fvVectorMatrix> result(new fvVectorMatrix(U_, ofEquation));
    option.addSup(*result, option.applyToField(U_.name()));
    if (result->hasUpper() || result->hasLower())
    {
        refuse
        (
            option,
            "it couples cells\nWay out: a source in each cell alone, or active no"
        );
    }
    return result;
}


bool Foam::lbmSources::isUniform(fv::option& option) const
{
    // Of this type it is known that time alone switches it. Its implicit part is not to be
    // looked for in an equation: the present U may be the same everywhere
    const auto* source = semiImplicit(option);
    return source && source->selectionMode() == fv::cellSetOption::smAll
        && rateOf(*source, U_.name()).second() == 0;
}


void Foam::lbmSources::readPorousZones()
{
    const IOobject io
    (
        "porosityProperties",
        U_.time().constant(),
        U_.mesh(),
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );
    if (!isFile(io.objectPath()) && !isFile(io.objectPath() + ".gz")) return;
    porousZones_.reset(new IOporosityModelList(U_.mesh()));
    if (porousZones_->porosityModelList::empty()) porousZones_.reset();
}


template<class Do>
void Foam::lbmSources::forLocal(const Do& do_) const
{
    for (const fv::option& option : local_)
    {
        do_
        (
            option.name(),
            isA<fv::cellSetOption>(option)
          ? refCast<const fv::cellSetOption>(option).cells()
          : identity(U_.mesh().nCells())
        );
    }
    for (const fv::option& option : limiting_)
    {
        do_(option.name(), refCast<const fv::cellSetOption>(option).cells());
    }
    for (const lbmMeanVelocity& driven : driven_)
    {
        const fv::cellSetOption& option = driven.option();
        if (option.selectionMode() != fv::cellSetOption::smAll)
        {
            do_(option.name(), option.cells());
        }
    }
    if (frame_) do_(word("SRFProperties"), identity(U_.mesh().nCells()));
    for (label i = 0; zones_ && i < zones_->size(); ++i)
    {
        do_(zones_->name(i), zones_->cells(i));
    }
    if (!porousZones_) return;
    const porosityModelList& zones = *porousZones_;
    for (const porosityModel& zone : zones)
    {
        if (!zone.active()) continue;
        labelList cells;
        for (const label id : zone.cellZoneIDs())
        {
            cells.append(U_.mesh().cellZones()[id]);
        }
        do_(zone.name(), cells);
    }
}


void Foam::lbmSources::listCells()
{
    if (!everywhere_.empty())
    {
        cells_ = identity(U_.mesh().nCells());
        return;
    }
    bitSet touched(U_.mesh().nCells());
    forLocal
    (
        [&](const word&, const labelUList& cells) { touched.set(cells); }
    );
    cells_ = touched.sortedToc();
}


void Foam::lbmSources::addEverywhere(std::function<void(vectorField&)> term)
{
    everywhere_.push_back(std::move(term));
    listCells();
}


void Foam::lbmSources::refuseWithout(const bitSet& reached) const
{
    forLocal
    (
        [&](const word& name, const labelUList& cells)
        {
            for (const label celli : cells) if (reached.test(celli)) return;
            FatalErrorInFunction
                << "Source " << name << " has " << cells.size()
                << " cells of the mesh, and no node of the lattice lies there"
                << nl << "Way out: smaller cells (system/lbmDict), or more cells"
                << " in its zone" << exit(FatalError);
        }
    );
}


bool Foam::lbmSources::followFlow() const
{
    return local_.size() || driven_.size() || porousZones_
        || jumps_.any();
}


Foam::label Foam::lbmSources::nFrames() const
{
    return frame_ ? 1 : zones_ ? zones_->size() : 0;
}


Foam::label Foam::lbmSources::frameOf(const lbm::NodeIndex node) const
{
    return frame_ ? 0 : zones_ ? zones_->zoneOf(node) : -1;
}


Foam::tensor Foam::lbmSources::coriolis(const label framei) const
{
    return frame_ ? frame_->coriolis() : zones_->coriolis(framei);
}


Foam::vector Foam::lbmSources::centrifugal
(
    const label framei,
    const point& x
) const
{
    return frame_ ? frame_->centrifugal(x) : zones_->centripetal(framei, x);
}


// Not const in OpenFOAM: the options' own state stays as it is
bool Foam::lbmSources::isActive(const fv::option& option)
{
    return const_cast<fv::option&>(option).isActive();
}


Foam::vector Foam::lbmSources::explicitUniform() const
{
    vector result(Zero);
    for (const fv::option& option : uniform_)
    {
        if (!isActive(option)) continue;
        result += rateOf(*semiImplicit(option), U_.name()).first();
    }
    return result;
}


Foam::vector Foam::lbmSources::uniform() const
{
    vector result(explicitUniform());
    for (const lbmMeanVelocity& driven : driven_)
    {
        const fv::cellSetOption& option = driven.option();
        if (option.selectionMode() == fv::cellSetOption::smAll && isActive(option))
        {
            result += driven.force();
        }
    }
    return result;
}


Foam::vector Foam::lbmSources::given(scalar& resistance) const
{
    vector result(explicitUniform());
    resistance = 0;
    for (const fv::option& option : local_)
    {
        const auto* source = semiImplicit(option);
        if (!source || source->selectionMode() != fv::cellSetOption::smAll) continue;
        if (!isActive(option)) continue;
        const Tuple2<vector, scalar> rate(rateOf(*source, U_.name()));
        result += rate.first();
        resistance -= rate.second();
    }
    resistance = max(resistance, scalar(0));
    return result;
}


Foam::scalar Foam::lbmSources::Ubar() const
{
    scalar largest = 0;
    for (const lbmMeanVelocity& driven : driven_)
    {
        largest = max(largest, driven.Ubar());
    }
    return largest;
}


void Foam::lbmSources::correct(const scalar deltaT)
{
    for (lbmMeanVelocity& driven : driven_)
    {
        driven.correct(U_, deltaT, isActive(driven.option()));
    }
}


void Foam::lbmSources::giveNu()
{
    if (nuField_ || U_.mesh().foundObject<volScalarField>("nu")) return;
    nuField_.reset
    (
        new volScalarField
        (
            IOobject
            (
                "nu",
                U_.time().timeName(),
                U_.mesh(),
                IOobject::NO_READ,
                IOobject::NO_WRITE
            ),
            U_.mesh(),
            dimensionedScalar("nu", dimViscosity, nu_)
        )
    );
}


void Foam::lbmSources::add
(
    fv::option& option,
    vectorField& a,
    tensorField& K
) const
{
    // OpenFOAM's own puts Sp < 0 into the explicit part, at the U before. Where nodes have
    // velocities other than U it stays there
    const auto* source = zones_ ? nullptr : semiImplicit(option);
    if (source)
    {
        const Tuple2<vector, scalar> rate(rateOf(*source, U_.name()));
        const scalar Sp = rate.second();
        for (const label celli : source->cells())
        {
            a[celli] += rate.first();
            if (Sp > 0) a[celli] += Sp*U_[celli];
            else K[celli] -= Sp*tensor::I;
        }
        return;
    }
    const auto terms = equation(option);
    const scalarField& V = U_.mesh().V();
    const bool implicit = terms->hasDiag();
    for (const label celli : cells_)
    {
        a[celli] -= terms->source()[celli]/V[celli];
        const scalar Sp = implicit ? terms->diag()[celli]/V[celli] : 0;
        if (Sp > 0) a[celli] += Sp*U_[celli];
        else K[celli] -= Sp*tensor::I;
    }
}


void Foam::lbmSources::add(porosityModel& zone, tensorField& K) const
{
    const fvVectorMatrix ofU(U_, ofEquation);
    volTensorField resistance
    (
        IOobject
        (
            "lbmSources:K",
            U_.time().timeName(),
            U_.mesh(),
            IOobject::NO_READ,
            IOobject::NO_WRITE,
            false
        ),
        U_.mesh(),
        dimensionedTensor(dimless/dimTime, Zero)
    );
    zone.addResistance(ofU, resistance, false);
    K += resistance.primitiveField();
}


void Foam::lbmSources::evaluate()
{
    if (!byNode()) return;
    giveNu();

    vectorField a(U_.mesh().nCells(), Zero);
    tensorField K(U_.mesh().nCells(), Zero);
    for (const auto& add : everywhere_) add(a);
    for (fv::option& option : local_)
    {
        if (!option.isActive()) continue;
        if (isA<fv::explicitPorositySource>(option))
        {
            // OpenFOAM's own addSup puts much of a tensor into the explicit
            // part, at the U before; const there, for solvers do not use it
            const porosityModel& zone =
                refCast<const fv::explicitPorositySource>(option).model();
            add(const_cast<porosityModel&>(zone), K);
        }
        else add(option, a, K);
    }
    if (porousZones_)
    {
        porosityModelList& zones = *porousZones_;
        for (porosityModel& zone : zones) if (zone.active()) add(zone, K);
    }
    for (const lbmMeanVelocity& driven : driven_)
    {
        const fv::cellSetOption& option = driven.option();
        if (option.selectionMode() == fv::cellSetOption::smAll || !isActive(option)) continue;
        for (const label celli : option.cells()) a[celli] += driven.force();
    }
    a_ = vectorField(a, cells_);
    K_ = tensorField(K, cells_);
    limit();
}


void Foam::lbmSources::limit()
{
    fastest_.clear();
    scalarField ofCells;
    for (fv::option& option : limiting_)
    {
        if (!option.isActive()) continue;
        if (ofCells.empty()) ofCells.resize(U_.mesh().nCells(), GREAT);
        const scalar most = option.coeffs().get<scalar>("max");
        if (!(most > 0))
        {
            FatalIOErrorInFunction(option.coeffs())
                << "Entry max of fvOption " << option.name() << " is " << most
                << "; limitVelocity brakes at a positive speed" << exit(FatalIOError);
        }
        for (const label celli : refCast<const fv::cellSetOption>(option).cells())
        {
            ofCells[celli] = min(ofCells[celli], most);
        }
    }
    if (ofCells.size()) fastest_ = scalarField(ofCells, cells_);
}


void Foam::lbmSources::printPlan() const
{
    const auto line =
    [](const word& name, const word& type, const string& what)
    {
        Info<< "    source          " << name << ", " << type << ": "
            << what.c_str() << nl;
    };
    for (const fv::option& option : uniform_)
    {
        line(option.name(), option.type(), "the same force at all nodes");
    }
    for (const lbmMeanVelocity& driven : driven_)
    {
        const fv::cellSetOption& option = driven.option();
        const bool all = option.selectionMode() == fv::cellSetOption::smAll;
        line
        (
            option.name(),
            option.type(),
            all ? "force at all nodes, anew at each time step"
          : "force in " + Foam::name(option.cells().size()) + " cells, anew at"
            " each time step"
        );
    }
    for (const fv::option& option : local_)
    {
        const auto* inCells = isA<fv::cellSetOption>(option)
          ? &refCast<const fv::cellSetOption>(option) : nullptr;
        line
        (
            option.name(),
            option.type(),
            inCells ? "in " + Foam::name(inCells->cells().size()) + " cells"
          : string("in all cells")
        );
    }
    for (const fv::option& option : limiting_)
    {
        line
        (
            option.name(),
            option.type(),
            "in " + Foam::name(refCast<const fv::cellSetOption>(option).cells().size())
          + " cells nodes are braked at " + Foam::name(option.coeffs().get<scalar>("max"))
          + " m/s, in each lattice step where one is nearly as fast"
        );
    }
    jumps_.printPlan();
    if (frame_) frame_->printPlan();
    if (zones_) zones_->printPlan();
    if (!porousZones_) return;
    const porosityModelList& zones = *porousZones_;
    for (const porosityModel& zone : zones)
    {
        if (!zone.active()) continue;
        line(zone.name(), zone.type(), "of constant/porosityProperties");
    }
}


void Foam::lbmSources::checkApplied() const
{
    const fv::optionList& all = options_;
    for (const fv::option& option : all) option.checkApplied();
}


void Foam::lbmSources::note(lbm::CheckpointNotes& notes) const
{
    for (const lbmMeanVelocity& driven : driven_) driven.note(notes);
}


void Foam::lbmSources::recall(const lbm::CheckpointNotes& notes)
{
    for (lbmMeanVelocity& driven : driven_) driven.recall(notes);
}
