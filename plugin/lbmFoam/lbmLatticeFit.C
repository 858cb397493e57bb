// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLatticeFit.H"

#include "StringStream.H"

const Foam::scalar Foam::lbmLatticeFit::aim_ = 0.97;
const Foam::scalar Foam::lbmLatticeFit::least_ = 0.9;

namespace
{
    // Of a lattice that is worth to be made
    const Foam::scalar fewestNodes = 1000;

    // Of the search: ten thousand times coarser and finer than what was counted
    const Foam::scalar widest = 1e4;
}


Foam::lbmLatticeFit::lbmLatticeFit
(
    const dictionary& dict,
    const lbmMemoryCheck::budget& room,
    const std::function<scalar(scalar)>& whole,
    const taking& takes
)
:
    dict_(dict),
    budget_(room),
    whole_(whole),
    takes_(takes)
{}


Foam::scalar Foam::lbmLatticeFit::share(const scalar spacing) const
{
    return budget_.share(takes_(counts_.refined(counted_/spacing)));
}


void Foam::lbmLatticeFit::refuse() const
{
    const scalar coarse = counted_
       *pow(counts_.fluid/fewestNodes, 1.0/counts_.dimensions);
    const lbmMemoryCheck::need n(takes_(counts_.refined(counted_/coarse)));
    FatalIOErrorInFunction(dict_)
        << "Entry cellSize is auto, and a run may take " << budget_.words.c_str()
        << ": that is too little for a lattice of " << fewestNodes
        << " nodes (cells of " << coarse << " m), which takes "
        << n.host()/1e9 << " GB of the host's memory";
    if (!n.onHost)
    {
        FatalIOError << " and " << n.device()/1e9 << " GB of the device's";
    }
    FatalIOError
        << ", " << n.start/1e9 << " GB of it for the mesh and its fields"
        << exit(FatalIOError);
    std::abort();
}


void Foam::lbmLatticeFit::choose
(
    const lbm::model::DomainCounts& counts,
    const scalar spacing
)
{
    counts_ = counts;
    counted_ = spacing;

    scalar fits = spacing*widest, tooFine = spacing/widest;
    if (share(fits) > aim_) refuse();
    while (fits > tooFine*(1 + 1e-9))
    {
        const scalar middle = sqrt(fits*tooFine);
        (share(middle) > aim_ ? tooFine : fits) = middle;
    }
    chosen_ = whole_(fits);
    if
    (
        chosen_ <= 0
     || counts_.refined(counted_/chosen_).fluid < fewestNodes
    )
    {
        refuse();
    }
}


bool Foam::lbmLatticeFit::correct(const lbm::model::DomainCounts& counts)
{
    const scalar made = chosen_;
    counts_ = counts;
    counted_ = made;
    const scalar used = share(made);
    const bool tooMuch = used > 1;
    if (tooMuch) tooFine_ = max(tooFine_, made);
    else if (used >= least_) return false;

    choose(counts, made);
    if (tooMuch)
    {
        if (chosen_ <= made*(1 + SMALL)) refuse();
        return true;
    }
    // The next one may be too much at once where cells are few
    if (chosen_ < made*(1 - SMALL) && chosen_ > tooFine_*(1 + SMALL)) return true;
    chosen_ = made;
    return false;
}


Foam::scalar Foam::lbmLatticeFit::finer() const
{
    scalar dx = chosen_;
    for (scalar step = 1e-4; step < 0.5 && dx >= chosen_*(1 - 1e-5); step *= 2)
    {
        const scalar found = whole_(chosen_*(1 - step));
        if (found > 0) dx = found;
    }
    return dx;
}


Foam::string Foam::lbmLatticeFit::words() const
{
    const scalar dx = finer();
    OStringStream text;
    text<< chosen_ << " m (entry cellSize auto), " << 100*share(chosen_)
        << " % of " << budget_.words.c_str() << "; " << dx
        << " m would take " << 100*share(dx) << " %";
    return text.str();
}
