// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFieldAverage.H"
#include "addToRunTimeSelectionTable.H"

#include <cmath>

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(lbmFieldAverage, 0);
    addToRunTimeSelectionTable(functionObject, lbmFieldAverage, dictionary);
}
}

namespace
{

using namespace Foam;

// Of half a time step
const scalar roundOff = 1e-6;

// Cells that one thread has as fast
const label fewCells = 10000;

// What squares are, and whether there are any
template<class Type>
struct squareOf { using type = Type; static constexpr bool any = false; };
template<>
struct squareOf<scalar> { using type = scalar; static constexpr bool any = true; };
template<>
struct squareOf<vector> { using type = symmTensor; static constexpr bool any = true; };


// kept, added: shares of what was averaged before and of these values
template<class Type>
void addShares
(
    const scalar kept,
    const scalar added,
    const UList<Type>& values,
    UList<Type>& mean
)
{
    #pragma omp parallel for schedule(static) if (values.size() > fewCells)
    for (label i = 0; i < values.size(); ++i)
    {
        mean[i] = kept*mean[i] + added*values[i];
    }
}


template<class Type, class Square>
void addShares
(
    const scalar kept,
    const scalar added,
    const UList<Type>& values,
    UList<Type>& mean,
    UList<Square>& squares
)
{
    #pragma omp parallel for schedule(static) if (values.size() > fewCells)
    for (label i = 0; i < values.size(); ++i)
    {
        const Square all = squares[i] + sqr(mean[i]);
        mean[i] = kept*mean[i] + added*values[i];
        squares[i] = kept*all + added*sqr(values[i]) - sqr(mean[i]);
    }
}

} // End anonymous namespace


Foam::functionObjects::lbmFieldAverage::item::item(Istream& is)
:
    field(is),
    entries(is)
{}


Foam::functionObjects::lbmFieldAverage::lbmFieldAverage
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    fvMeshFunctionObject(name, runTime, dict),
    restartOnRestart_(false),
    restartOnOutput_(false),
    periodicRestart_(false),
    restartPeriod_(GREAT),
    restartTime_(GREAT),
    period_(1),
    lastIndex_(-1),
    begun_(false)
{
    read(dict);
}


void Foam::functionObjects::lbmFieldAverage::check(const item& own) const
{
    if (own.entries.found("window") || own.entries.found("windowType"))
    {
        FatalIOErrorInFunction(own.entries)
            << "Field " << own.field << ": averages over windows are fieldAverage's"
            << " alone" << exit(FatalIOError);
    }
    if (own.entries.get<Switch>("mean")) return;
    FatalIOErrorInFunction(own.entries)
        << "Field " << own.field << ": entry mean is off, and nothing else is"
        << " averaged without it" << exit(FatalIOError);
}


bool Foam::functionObjects::lbmFieldAverage::read(const dictionary& dict)
{
    fvMeshFunctionObject::read(dict);
    restartOnRestart_ = dict.getOrDefault<Switch>("restartOnRestart", false);
    restartOnOutput_ = dict.getOrDefault<Switch>("restartOnOutput", false);
    periodicRestart_ = dict.getOrDefault<Switch>("periodicRestart", false);
    restartPeriod_ = periodicRestart_
      ? mesh_.time().userTimeToTime(dict.get<scalar>("restartPeriod")) : GREAT;
    if (periodicRestart_ && !(restartPeriod_ > 0))
    {
        FatalIOErrorInFunction(dict)
            << "Entry restartPeriod is " << restartPeriod_ << "; it must be positive"
            << exit(FatalIOError);
    }
    restartTime_ = mesh_.time().userTimeToTime
    (
        dict.getOrDefault<scalar>("restartTime", GREAT)
    );
    if (restartTime_ < mesh_.time().value()) restartTime_ = GREAT;
    // The first whose end, which still is its own, is not behind
    const scalar now = mesh_.time().value(), half = 0.5*mesh_.time().deltaTValue();
    period_ = 1;
    if (periodicRestart_) period_ = max(label(std::ceil((now - half)/restartPeriod_)), 1);

    const word time("time"), iteration("iteration");
    PtrList<item> before(dict.lookup("fields"));
    before.swap(items_);
    for (item& own : items_)
    {
        check(own);
        for (const item& then : before)
        {
            if (then.field != own.field) continue;
            own.totalIter = then.totalIter;
            own.totalTime = then.totalTime;
        }
        own.squares = own.entries.getOrDefault<Switch>("prime2Mean", false);
        const word base(own.entries.getOrDefault<word>("base", time));
        own.byTime = base == time;
        if (own.byTime || base == iteration) continue;
        FatalIOErrorInFunction(own.entries)
            << "Entry base is " << base << "; valid: time iteration"
            << exit(FatalIOError);
    }
    begun_ = false;
    return true;
}


template<class Type>
bool Foam::functionObjects::lbmFieldAverage::makeField
(
    const word& name,
    const dimensionSet& dimensions,
    const fields from
)
{
    if (auto* there = mesh_.getObjectPtr<volField<Type>>(name))
    {
        if (from != fields::none) return true;
        *there == dimensioned<Type>(dimensions, Zero);
        return false;
    }
    IOobject io
    (
        name, mesh_.time().timeName(mesh_.time().startTime().value()), mesh_,
        IOobject::MUST_READ, IOobject::NO_WRITE
    );
    if (from == fields::ofFile && io.typeHeaderOk<volField<Type>>(true, true, false))
    {
        mesh_.objectRegistry::store(new volField<Type>(io, mesh_));
        return true;
    }
    io.readOpt() = IOobject::NO_READ;
    mesh_.objectRegistry::store
    (
        new volField<Type>
        (
            io, mesh_, dimensioned<Type>(dimensions, Zero),
            calculatedFvPatchField<Type>::typeName
        )
    );
    return false;
}


template<class Type>
bool Foam::functionObjects::lbmFieldAverage::beginWith(item& own)
{
    using square = squareOf<Type>;
    const auto* values = mesh_.findObject<volField<Type>>(own.field);
    if (!values) return false;

    if (own.squares && !square::any)
    {
        FatalIOErrorInFunction(own.entries)
            << "Field " << own.field << ": prime2Mean is of scalars and vectors"
            << exit(FatalIOError);
    }
    // Of entries that are read once more what is in memory counts, else what a file has
    dictionary before;
    const bool inMemory = own.totalIter > 0;
    if (!inMemory && !restartOnRestart_ && getDict(own.field, before))
    {
        own.totalIter = before.get<label>("totalIter");
        own.totalTime = before.get<scalar>("totalTime");
    }
    const fields from =
        inMemory ? fields::ofMemory : own.totalIter ? fields::ofFile : fields::none;
    bool goesOn = makeField<Type>(own.mean(), values->dimensions(), from);
    if (own.squares)
    {
        goesOn = makeField<typename square::type>
        (
            own.prime2Mean(), sqr(values->dimensions()), from
        ) && goesOn;
    }
    if (!goesOn)
    {
        own.totalIter = 0;
        own.totalTime = 0;
    }
    if (!log) return true;
    Info<< "    " << own.field << ": ";
    if (own.totalIter) Info<< "averages of " << own.totalTime << " s go on" << nl;
    else Info<< "averages begin" << nl;
    return true;
}


void Foam::functionObjects::lbmFieldAverage::begin()
{
    begun_ = true;
    Log << type() << " " << name() << ":" << nl;
    PtrList<item> known(items_.size());
    label n = 0;
    forAll(items_, i)
    {
        item& own = items_[i];
        const bool there =
            beginWith<scalar>(own) || beginWith<vector>(own)
         || beginWith<symmTensor>(own) || beginWith<tensor>(own);
        if (there)
        {
            known.set(n++, items_.release(i).ptr());
            continue;
        }
        WarningInFunction
            << "Field " << own.field << ", which is to be averaged, is none of the mesh's"
            << " (volume fields of scalars, vectors, symmTensors, tensors): left out" << nl
            << "It has " << mesh_.sortedNames<volScalarField>() << " and "
            << mesh_.sortedNames<volVectorField>() << endl;
    }
    known.resize(n);
    items_.transfer(known);
}


void Foam::functionObjects::lbmFieldAverage::restart()
{
    Log << type() << " " << name() << ": averages begin anew" << nl;
    for (item& own : items_)
    {
        own.totalIter = 0;
        own.totalTime = 0;
    }
}


void Foam::functionObjects::lbmFieldAverage::restartWhereAsked()
{
    const scalar now = mesh_.time().value(), half = 0.5*mesh_.time().deltaTValue();
    if (periodicRestart_ && now > restartPeriod_*period_ + half)
    {
        restart();
        ++period_;
    }
    if (now > restartTime_ - roundOff*half)
    {
        restart();
        restartTime_ = GREAT;
    }
}


template<class Type>
bool Foam::functionObjects::lbmFieldAverage::add(const item& own)
{
    const auto* values = mesh_.findObject<volField<Type>>(own.field);
    if (!values) return false;

    const scalar added =
        own.byTime ? mesh_.time().deltaTValue()/own.totalTime : 1/scalar(own.totalIter);
    // All else counts nothing when the first values come
    const scalar kept = own.totalIter > 1 ? 1 - added : 0;
    auto& mean = mesh_.lookupObjectRef<volField<Type>>(own.mean());
    using square = typename squareOf<Type>::type;
    auto* squares = own.squares
      ? mesh_.getObjectPtr<volField<square>>(own.prime2Mean()) : nullptr;
    const auto act =
    [&](const UList<Type>& v, UList<Type>& m, UList<square>* s)
    {
        if constexpr (squareOf<Type>::any)
        {
            if (s) return addShares(kept, added, v, m, *s);
        }
        addShares(kept, added, v, m);
    };
    act
    (
        values->primitiveField(),
        mean.primitiveFieldRef(),
        squares ? &squares->primitiveFieldRef() : nullptr
    );
    forAll(values->boundaryField(), patchi)
    {
        act
        (
            values->boundaryField()[patchi],
            mean.boundaryFieldRef()[patchi],
            squares ? &squares->boundaryFieldRef()[patchi] : nullptr
        );
    }
    return true;
}


bool Foam::functionObjects::lbmFieldAverage::execute()
{
    if (lastIndex_ == mesh_.time().timeIndex()) return true;
    lastIndex_ = mesh_.time().timeIndex();
    if (!begun_) begin();
    restartWhereAsked();
    for (item& own : items_)
    {
        ++own.totalIter;
        own.totalTime += mesh_.time().deltaTValue();
        add<scalar>(own) || add<vector>(own) || add<symmTensor>(own) || add<tensor>(own);
    }
    return true;
}


bool Foam::functionObjects::lbmFieldAverage::write()
{
    if (!begun_) return true;
    Log << type() << " " << name() << " write:" << nl
        << "    writing averages" << nl << endl;
    for (const item& own : items_)
    {
        mesh_.lookupObject<regIOobject>(own.mean()).write();
        if (own.squares) mesh_.lookupObject<regIOobject>(own.prime2Mean()).write();
        dictionary state;
        state.add("totalIter", own.totalIter);
        state.add("totalTime", own.totalTime);
        setProperty(own.field, state);
    }
    if (restartOnOutput_) restart();
    return true;
}
