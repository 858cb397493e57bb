// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPhases.H"
#include "memInfo.H"
#include "StringStream.H"

namespace
{
    const Foam::scalar shareToTell = 0.01;
    // memInfo's kB are of 1024 bytes
    const Foam::scalar kBInMB = 1e6/1024;
}


void Foam::lbmPhases::end(const string& name)
{
    phases_.append
    (
        phase{name, clock_.timeIncrement(), memInfo().rss()/kBInMB}
    );
}


void Foam::lbmPhases::print
(
    const char* before,
    const char* unit,
    const scalar of,
    scalar phase::* value
) const
{
    OStringStream text;
    text.precision(3);
    text<< before << ' ' << of << unit;
    bool first = true;
    for (const phase& its : phases_)
    {
        if (its.*value < shareToTell*of) continue;
        text<< (first ? ": " : ", ") << its.name.c_str() << ' ' << its.*value;
        first = false;
    }
    Info<< text.str().c_str() << nl;
}


void Foam::lbmPhases::print() const
{
    scalar all = 0, most = 0;
    for (const phase& its : phases_)
    {
        all += its.seconds;
        most = max(most, its.held);
    }
    print("Set-up took", " s", all, &phase::seconds);
    print("This process held", " MB after its phases", most, &phase::held);
    Info<< endl;
}
