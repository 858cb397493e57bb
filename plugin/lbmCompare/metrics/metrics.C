// Part of lbmFoam, GPL-3.0-or-later.

#include "metrics.H"
#include "OFstream.H"

void Foam::metrics::add
(
    const word& kind,
    const word& name,
    const word& measure,
    scalar value
)
{
    entries_.append(entry{kind, name, measure, value});
}


const Foam::scalar* Foam::metrics::find
(
    const word& kind,
    const word& name,
    const word& measure
) const
{
    for (const entry& e : entries_)
    {
        if (e.kind == kind && e.name == name && e.measure == measure) return &e.value;
    }
    return nullptr;
}


Foam::wordList Foam::metrics::measures(const word& kind, const word& name) const
{
    DynamicList<word> known;
    for (const entry& e : entries_)
    {
        if (e.kind == kind && e.name == name) known.append(e.measure);
    }
    return wordList(std::move(known));
}


Foam::wordList Foam::metrics::names(const word& kind) const
{
    DynamicList<word> known;
    for (const entry& e : entries_)
    {
        if (e.kind == kind && !known.found(e.name)) known.append(e.name);
    }
    return wordList(std::move(known));
}


void Foam::metrics::write(const fileName& csv) const
{
    OFstream os(csv);
    os.precision(9);
    os << "kind,name,measure,value" << nl;
    for (const entry& e : entries_)
    {
        os  << e.kind.c_str() << ',' << e.name.c_str() << ','
            << e.measure.c_str() << ',' << e.value << nl;
    }
    if (!os.good())
    {
        FatalErrorInFunction << "Cannot write " << csv << exit(FatalError);
    }
}
