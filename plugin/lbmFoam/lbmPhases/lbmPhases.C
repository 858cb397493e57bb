// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPhases.H"
#include "StringStream.H"

namespace
{
    const Foam::scalar shareToTell = 0.01;
}


void Foam::lbmPhases::end(const string& name)
{
    seconds_.append(Tuple2<string, scalar>(name, clock_.timeIncrement()));
}


void Foam::lbmPhases::print() const
{
    scalar all = 0;
    for (const auto& phase : seconds_) all += phase.second();
    OStringStream text;
    text.precision(3);
    text<< "Set-up took " << all << " s";
    bool first = true;
    for (const auto& phase : seconds_)
    {
        if (phase.second() < shareToTell*all) continue;
        text<< (first ? ": " : ", ") << phase.first().c_str() << ' '
            << phase.second();
        first = false;
    }
    Info<< text.str().c_str() << nl << endl;
}
