// Part of lbmFoam, GPL-3.0-or-later.

#include "limits.H"
#include "IOdictionary.H"
#include "stringOps.H"

Foam::DynamicList<Foam::limits::limit>
Foam::limits::read(const comparedCase& a, const word& reference)
{
    DynamicList<limit> found;
    IOobject io
    (
        "validationDict", a.time().system(), a.time(),
        IOobject::MUST_READ, IOobject::NO_WRITE, false
    );
    if (!io.typeHeaderOk<IOdictionary>(true)) return found;

    const IOdictionary dict(io);
    for (const entry& e : dict.subDict("checks"))
    {
        if (!e.isDict())
        {
            FatalIOErrorInFunction(dict)
                << "checks: " << e.keyword() << " is not a sub-dictionary"
                << exit(FatalIOError);
        }
        const dictionary& check = e.dict();
        if (check.get<word>("reference") == reference)
        {
            found.append
            (
                limit
                {
                    e.keyword(),
                    check.get<word>("kind"),
                    check.get<word>("name"),
                    check.get<word>("norm"),
                    check.get<scalar>("threshold")
                }
            );
        }
    }
    if (found.empty())
    {
        Info<< "No check of " << dict.objectPath() << " has reference "
            << reference << nl;
    }
    return found;
}


Foam::DynamicList<Foam::limits::limit>
Foam::limits::parse(const string& option, const word& optionName, const word& measure)
{
    DynamicList<limit> found;
    const auto items = stringOps::split(option, ',');
    for (const auto& item : items)
    {
        const std::string text(item.str());
        const auto equals = text.find('=');
        scalar threshold = 0;
        if
        (
            equals == std::string::npos || equals == 0
         || !readScalar(text.substr(equals + 1), threshold)
        )
        {
            FatalErrorInFunction
                << "Option -" << optionName << ": expected field=value, found '"
                << text << "'" << exit(FatalError);
        }
        const word name(text.substr(0, equals));
        found.append(limit{"-" + optionName, "field", name, measure, threshold});
    }
    return found;
}


bool Foam::limits::check(const UList<limit>& limits, const metrics& measured)
{
    bool allMet = true;
    for (const limit& l : limits)
    {
        const scalar* value = measured.find(l.kind, l.name, l.measure);
        if (!value)
        {
            FatalErrorInFunction
                << "Check " << l.title << ": " << l.kind << ' ' << l.name << ' '
                << l.measure << " was not measured." << nl
                << "Names of " << l.kind << ": " << flatOutput(measured.names(l.kind)) << nl
                << "Norms of " << l.name << ": "
                << flatOutput(measured.measures(l.kind, l.name)) << exit(FatalError);
        }
        // Written so that a value that is not a number fails
        const bool met = (*value <= l.threshold);
        allMet = allMet && met;
        Info<< (met ? "    ok      " : "    FAILED  ") << l.title << ": "
            << l.kind << ' ' << l.name << ' ' << l.measure << " = " << *value
            << (met ? " <= " : " > ") << l.threshold << nl;
    }
    return allMet;
}
