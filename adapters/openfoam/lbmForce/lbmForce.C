// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmForce.H"
#include "fvMatrices.H"
#include "fvOptions.H"

namespace
{
    // Differences between cells that count as rounding
    const Foam::scalar rateRoundOff = 1e-6;

    // Sources that only add a rate to the equation
    const Foam::wordHashSet additive({"vectorSemiImplicitSource"});
}


Foam::lbmForce::lbmForce(volVectorField& U, const vector& constant)
:
    U_(U),
    constant_(constant),
    options_(nullptr)
{
    fv::options& options = fv::options::New(U.mesh());
    if (options.optionList::size())
    {
        options_ = &options;
        checkTypes();
    }
}


void Foam::lbmForce::checkTypes() const
{
    const fv::optionList& sources = *options_;
    for (const fv::option& source : sources)
    {
        if (!source.active() || additive.found(source.type())) continue;
        FatalIOErrorInFunction(*options_)
            << "Option " << source.name() << ": lbmFoam cannot honour type "
            << source.type() << nl << "Supported are "
            << flatOutput(additive.sortedToc()) << ", and options with active no" << exit(FatalIOError);
    }
}


Foam::vector Foam::lbmForce::value() const
{
    if (!options_) return constant_;

    const fvVectorMatrix equation((*options_)(U_));
    const vectorField rate(-equation.source()/U_.mesh().V());
    const vector mean(average(rate));
    const bool implicit =
        equation.hasDiag() && max(mag(equation.diag())) > 0;

    if (implicit || max(mag(rate - mean)) > rateRoundOff*mag(mean))
    {
        FatalIOErrorInFunction(*options_)
            << "The source of U is not uniform and explicit, between "
            << min(rate) << " and " << max(rate)
            << (implicit ? ", with an implicit part" : "") << nl
            << "lbmFoam applies uniform body forces only"
            << exit(FatalIOError);
    }
    return constant_ + mean;
}
