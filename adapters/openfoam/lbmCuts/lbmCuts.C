// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCuts.H"
#include "Time.H"

#include <algorithm>

namespace
{
    const Foam::word axisNames("xyz");

    const char* const ownBoxes =
        "boxes cut in two again and again, with weights of nodes and links";

    // Exact as far as parts can be counted; numbers of mistyped entries pass every label
    Foam::scalar piecesOf(const Foam::labelVector& n)
    {
        return Foam::scalar(n.x())*n.y()*n.z();
    }
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
    if (piecesOf(n) != ranks)
    {
        FatalIOErrorInFunction(coeffs)
            << "Entry n is " << n << ", " << piecesOf(n)
            << " pieces, and " << ranks << " ranks share the lattice"
            << exit(FatalIOError);
    }
    std::ostringstream pieces;
    pieces << n.x() << " x " << n.y() << " x " << n.z();
    text_ = pieces.str() + " of " + dict.name().name() + ", method " + method
      + (straight
      ? ": between planes through the whole lattice"
      : ": each where its own nodes and links say");
    tellDear();
}


void Foam::lbmCuts::tellDear()
{
    if (numbers_.pieces[0] < 2) return;
    text_ += string("; across ") + axisNames[axes_.foamAxis(0)]
      + " rows of nodes are cut, which makes the dearest faces";
}


bool Foam::lbmCuts::leave(const std::string& why)
{
    if (byEntry_ || !numbers_.any()) return false;
    numbers_ = lbm::CutNumbers();
    text_ = string(ownBoxes) + "; not n of decomposeParDict: " + why;
    return true;
}


Foam::string Foam::lbmCuts::wayOut() const
{
    if (!byEntry_) return string();
    return "\nPieces are those of entry cuts of system/lbmDict. Way out: cuts free;";
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
        byEntry_ = true;
        const scalar pieces = piecesOf(n);
        if (pieces > parts || parts % label(pieces) != 0)
        {
            FatalIOErrorInFunction(controls.dict())
                << "Entry cuts is " << n << ", " << pieces
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
        tellDear();
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
