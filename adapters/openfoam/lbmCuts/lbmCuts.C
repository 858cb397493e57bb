// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCuts.H"
#include "Time.H"

#include <algorithm>

namespace
{
    const Foam::word axisNames("xyz");

    const char* const ownBoxes =
        "boxes cut in two again and again, with weights of nodes and links";
}


void Foam::lbmCuts::take
(
    const labelVector& n,
    const word& order,
    const bool straight,
    const dictionary& dict,
    const word& entry
)
{
    if (cmptMin(n) < 1)
    {
        FatalIOErrorInFunction(dict)
            << "Entry " << entry << " is " << n << "; it is the number of pieces"
            << " along x, y and z, each 1 or more" << exit(FatalIOError);
    }
    word sorted(order);
    std::sort(sorted.begin(), sorted.end());
    if (sorted != axisNames)
    {
        FatalIOErrorInFunction(dict)
            << "Entry order is " << order << "; it names each of x, y and z once"
            << exit(FatalIOError);
    }
    for (label a = 0; a < 3; ++a)
    {
        const direction axis = axes_.foamAxis(a);
        numbers_.pieces[a] = n[axis];
        numbers_.order[order.find(axisNames[axis])] = a;
    }
    numbers_.straight = straight;
    const direction normal = axes_.foamAxis(2);
    if (axes_.dimensions() == 2 && n[normal] > 1)
    {
        FatalIOErrorInFunction(dict)
            << "Entry " << entry << " is " << n << ", but the case is"
            << " two-dimensional: along " << axisNames[normal]
            << " there is one layer of nodes, which is not cut"
            << exit(FatalIOError);
    }
}


void Foam::lbmCuts::takeMethod(const dictionary& dict, const label ranks)
{
    const word method(dict.lookupOrDefault<word>("method", word::null));
    const bool straight = method == "simple";
    if (!straight && method != "hierarchical")
    {
        text_ = ownBoxes;
        if (method.size())
        {
            text_ += "; method " + method + " of " + dict.name().name() + " is for"
                " the mesh's cells: pieces of any shape, which the lattice's are not";
        }
        return;
    }
    const word own(method + "Coeffs");
    const dictionary& coeffs = dict.subDict(dict.found(own) ? own : "coeffs");
    const labelVector n(coeffs.get<labelVector>("n"));
    take
    (
        n,
        straight ? axisNames : coeffs.lookupOrDefault<word>("order", axisNames),
        straight,
        coeffs,
        "n"
    );
    if (numbers_.count() != ranks)
    {
        FatalIOErrorInFunction(coeffs)
            << "Entry n is " << n << ", " << label(numbers_.count())
            << " pieces, and " << ranks << " ranks share the lattice"
            << exit(FatalIOError);
    }
    std::ostringstream pieces;
    pieces << n.x() << " x " << n.y() << " x " << n.z();
    text_ = pieces.str() + " of " + dict.name().name() + ", method " + method
      + (straight
      ? ": between planes through the whole lattice"
      : ": each where its own nodes and links say");
}


Foam::string Foam::lbmCuts::whoseAre(const lbm::CutNumbers& numbers)
{
    if (!numbers.any()) return string();
    return "\nPieces are those of entry cuts of system/lbmDict, or with -parallel of n"
        " of system/decomposeParDict (cuts free leaves them out)";
}


Foam::lbmCuts::lbmCuts
(
    const lbmControls& controls,
    const lbmAxes& axes,
    const label ranks,
    const label parts
)
:
    axes_(axes)
{
    labelVector n(Zero);
    const lbmControls::cutsType type = controls.cuts(n);
    if (type == lbmControls::cutsType::numbers)
    {
        take(n, axisNames, false, controls.dict(), "cuts");
        if (parts % label(numbers_.count()) != 0)
        {
            FatalIOErrorInFunction(controls.dict())
                << "Entry cuts is " << n << ", " << label(numbers_.count())
                << " pieces, and the lattice has " << parts << " part(s), no"
                << " multiple of that" << exit(FatalIOError);
        }
    }
    if (parts == 1) return;

    if (type == lbmControls::cutsType::numbers)
    {
        std::ostringstream pieces;
        pieces << n.x() << " x " << n.y() << " x " << n.z();
        text_ = pieces.str() + " of entry cuts: each where its own nodes and links say";
        return;
    }
    text_ = ownBoxes;
    if (type == lbmControls::cutsType::free || ranks == 1) return;

    const IOdictionary dict
    (
        IOobject
        (
            "decomposeParDict",
            controls.dict().time().system(),
            controls.dict().time(),
            IOobject::READ_IF_PRESENT,
            IOobject::NO_WRITE,
            false
        )
    );
    takeMethod(dict, ranks);
}
