// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRelaxation.H"
#include "fvMesh.H"

// OpenFOAM takes these factors from a file alone. What stands in an explicit
// instantiation may name private members.
namespace
{

Foam::dictionary& factorsOf(Foam::solution&);
Foam::scalar& defaultOf(Foam::solution&);

template
<
    Foam::dictionary Foam::solution::*factors,
    Foam::scalar Foam::solution::*preset
>
struct relaxationMembers
{
    friend Foam::dictionary& factorsOf(Foam::solution& s) { return s.*factors; }
    friend Foam::scalar& defaultOf(Foam::solution& s) { return s.*preset; }
};

template struct relaxationMembers
<
    &Foam::solution::eqnRelaxDict_, &Foam::solution::eqnRelaxDefault_
>;

} // End anonymous namespace


Foam::lbmRelaxation::lbmRelaxation(const fvMesh& mesh, const label n)
:
    factors_(factorsOf(const_cast<fvMesh&>(mesh))),
    default_(defaultOf(const_cast<fvMesh&>(mesh))),
    factorsBefore_(factors_),
    defaultBefore_(default_)
{
    if (n <= 1) return;
    for (const entry& e : factorsBefore_)
    {
        if (!e.isStream() || e.stream().size() != 1) continue;
        const token& a = e.stream()[0];
        if (a.isNumber()) factors_.set(e.keyword(), factor(a.number(), n));
    }
    default_ = factor(default_, n);
}


Foam::lbmRelaxation::~lbmRelaxation()
{
    factors_ = factorsBefore_;
    default_ = defaultBefore_;
}
