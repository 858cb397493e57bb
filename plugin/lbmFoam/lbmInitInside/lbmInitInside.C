// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmInitInside.H"
#include "argList.H"
#include "mathematicalConstants.H"
#include "adapters/surface/Rims.hpp"
#include "plugin/lbmVoxelize/surfaceSplit/surfaceSplit.H"

#include <algorithm>
#include <cmath>

namespace
{

using namespace Foam;

const scalar featureAngle = 60;

// Of a flat piece: its area along its normal over its area
const scalar flat = 0.999;

// Of the widest end: narrower ones are holes, or facets of a wall
const scalar leastShare = 0.1;

// Of the surface's extent: pieces that are smaller join others
const scalar leastPiece = 0.02;

const scalar cellsAcross = 20;
const scalar mostCells = 1e6;

// Of cells across the narrowest end
const scalar leastCellsAcross = 4;

const scalar resolvedEnd = 2000;        // Reynolds number at the inlet


string patchText(const std::string& name, const std::string& lines)
{
    OStringStream os;
    os  << "    " << name.c_str() << nl << "    {" << nl << lines.c_str() << "    }"
        << nl;
    return os.str();
}

} // End anonymous namespace


Foam::lbmInitInside::lbmInitInside(const argList& args)
:
    lbmInitCase(args),
    open_(!lbm::edgeDefects(surface_).none()),
    split_(!open_ && surface_.regionNames.size() == 1),
    volume_(0),
    cellSize_(0),
    U_(Zero)
{
    if (open_)
    {
        findRims();
    }
    else
    {
        findFlatEnds();
    }
    dropNarrow();
    if (ends_.size() < 2)
    {
        FatalErrorInFunction
            << "Option -internal: " << file_ << " has " << label(ends_.size())
            << " ends between which fluid could flow; " << (open_
                ? "an end is a flat rim, at least a tenth as wide as the widest:"
                  " lbmVoxelize -report lists them all"
                : "of a closed surface an end is a flat piece between edges of 60"
                  " degrees, and other pieces are walls")
            << exit(FatalError);
    }
    volume_ = mag(lbm::volume(surface_));
    chooseInlet(args);
    nameEnds();
    chooseSpeed(args);
    chooseCells(args);
}


void Foam::lbmInitInside::findRims()
{
    const lbm::RimList rims(lbm::rimsOf(surface_));
    for (const lbm::Rim& rim : rims.all)
    {
        const bool alone =
            rim.within < 0 && rim.holds < 0 && rim.facing < 0;
        if (!rim.simple || rim.area == 0) continue;
        lbm::closeRim(surface_, rim, "caps");
        if (!rim.flat() || !alone) continue;
        end e;
        e.centre = e.mark = vectorOf(rim.centre);
        e.normal = vectorOf(rim.normal);
        e.area = rim.area;
        e.width = rim.width();
        ends_.push_back(e);
    }
}


void Foam::lbmInitInside::findFlatEnds()
{
    dictionary split;
    split.add("featureAngle", featureAngle);
    if (split_)
    {
        surfaceSplit::atEdges
        (
            surface_, split, leastPiece*extent()/surfaceSplit::leastCells
        );
    }
    const label n = label(surface_.regionNames.size());
    std::vector<end> pieces(n);
    vectorField moment(n, Zero), normal(n, Zero);
    const scalar turn = lbm::volume(surface_) < 0 ? -1 : 1;
    const auto corner = [&](const std::size_t t, const int i)
    {
        return vectorOf(surface_.points[surface_.triangles[t][i]]);
    };
    for (std::size_t t = 0; t < surface_.triangles.size(); ++t)
    {
        const vector s
        (
            0.5*turn*((corner(t, 1) - corner(t, 0)) ^ (corner(t, 2) - corner(t, 0)))
        );
        const label piece = surface_.regions[t];
        pieces[piece].area += mag(s);
        normal[piece] += s;
        moment[piece] += mag(s)*(corner(t, 0) + corner(t, 1) + corner(t, 2))/3;
    }
    bool wall = false;
    for (label i = 0; i < n; ++i)
    {
        end& e = pieces[i];
        if (!(e.area > 0)) continue;
        if (mag(normal[i]) < flat*e.area)
        {
            wall = true;
            continue;
        }
        e.name = surface_.regionNames[i];
        e.centre = moment[i]/e.area;
        e.normal = normal[i]/mag(normal[i]);
        e.width = std::sqrt(e.area);
        // On a triangle, which the middle of a piece with a hole is not
        scalar nearest = GREAT;
        for (std::size_t t = 0; t < surface_.triangles.size(); ++t)
        {
            if (surface_.regions[t] != i) continue;
            const point c((corner(t, 0) + corner(t, 1) + corner(t, 2))/3);
            if (mag(c - e.centre) >= nearest) continue;
            nearest = mag(c - e.centre);
            e.mark = c;
        }
        ends_.push_back(e);
    }
    if (wall) return;
    FatalErrorInFunction
        << "Option -internal: all sides of " << file_ << " are flat, and which of"
        << " them are ends is not known" << nl
        << "Write system/lbmVoxelizeDict with split: lbmVoxelize -help-dict"
        << exit(FatalError);
}


void Foam::lbmInitInside::dropNarrow()
{
    scalar widest = 0;
    for (const end& e : ends_) widest = max(widest, e.width);
    const auto narrow = [=](const end& e) { return e.width < leastShare*widest; };
    ends_.erase(std::remove_if(ends_.begin(), ends_.end(), narrow), ends_.end());
}


void Foam::lbmInitInside::chooseInlet(const argList& args)
{
    std::stable_sort
    (
        ends_.begin(), ends_.end(),
        [](const end& a, const end& b) { return a.area > (1 + 1e-6)*b.area; }
    );
    if (!args.found("inlet")) return;
    const point p(args.opt<point>("inlet"));
    std::size_t found = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i)
    {
        if (mag(p - ends_[i].centre) < mag(p - ends_[found].centre)) found = i;
    }
    if (mag(p - ends_[found].centre) > std::sqrt(ends_[found].area))
    {
        FatalErrorInFunction
            << "Option -inlet: " << p << " is in none of the ends, whose centres"
            << " are";
        for (const end& e : ends_) FatalError << ' ' << e.centre;
        FatalError << exit(FatalError);
    }
    std::rotate
    (
        ends_.begin(), ends_.begin() + found, ends_.begin() + found + 1
    );
}


void Foam::lbmInitInside::nameEnds()
{
    // Regions of several keep the names that the file has
    if (!open_ && !split_) return;
    for (std::size_t i = 0; i < ends_.size(); ++i)
    {
        std::string name("inlet");
        if (i > 0) name = "outlet";
        if (i > 0 && ends_.size() > 2) name += std::to_string(i - 1);
        ends_[i].name = name;
        for (const std::string& region : surface_.regionNames)
        {
            if (region != name) continue;
            FatalErrorInFunction
                << "Region " << name.c_str() << " of " << file_
                << " has the name of an end" << exit(FatalError);
        }
    }
}


void Foam::lbmInitInside::chooseSpeed(const argList& args)
{
    const end& inlet = ends_.front();
    if (args.found("U") == args.found("flowRate"))
    {
        FatalErrorInFunction
            << "Option -internal needs the mean speed at the inlet or its flow"
            << " rate: -U 0.2 [m/s] or -flowRate 2e-6 [m3/s]" << exit(FatalError);
    }
    if (args.found("flowRate"))
    {
        U_ = -positive(args, "flowRate", 1)/inlet.area*inlet.normal;
        return;
    }
    if (args["U"].find('(') == string::npos)
    {
        U_ = -positive(args, "U", 1)*inlet.normal;
        return;
    }
    U_ = args.opt<vector>("U");
    if (!((U_ & inlet.normal) < 0 && mag(U_) < GREAT))
    {
        FatalErrorInFunction
            << "Option -U is " << U_ << ", which does not enter at the inlet, whose"
            << " normal is " << inlet.normal << " outwards" << exit(FatalError);
    }
}


void Foam::lbmInitInside::chooseCells(const argList& args)
{
    scalar narrowest = GREAT;
    for (const end& e : ends_) narrowest = min(narrowest, e.width);
    cellSize_ = args.found("cellSize")
      ? positive(args, "cellSize", 1)
      : rounded(max(narrowest/cellsAcross, cbrt(volume_/mostCells)), 2);
    if (cellSize_ <= narrowest/leastCellsAcross) return;
    FatalErrorInFunction
        << "Option -cellSize: the narrowest end is " << narrowest
        << " m across, which needs cells of at most "
        << narrowest/leastCellsAcross << " m, not " << cellSize_
        << exit(FatalError);
}


Foam::scalar Foam::lbmInitInside::flowRate() const
{
    return -(U_ & ends_.front().normal)*ends_.front().area;
}


void Foam::lbmInitInside::setEnds()
{
    string UOutlets, pOutlets, names, types;
    for (std::size_t i = 0; i < ends_.size(); ++i)
    {
        const end& e = ends_[i];
        const string pad(string(max(1, 15 - int(e.name.size())), ' '));
        OStringStream line;
        line<< "    " << e.name.c_str() << pad.c_str() << e.mark << ";     // area "
            << e.area << " m2, normal " << e.normal << " outwards\n";
        names += line.str();
        types += "    " + e.name + pad + "{ type patch; }\n";
        if (i == 0) continue;
        UOutlets += patchText(e.name, "        type            zeroGradient;\n");
        pOutlets += patchText
        (
            e.name,
            "        type            fixedValue;\n"
            "        value           uniform 0;\n"
        );
    }
    string how("// Ends are regions of the surface\n");
    if (open_)
    {
        how =
            "rims                    // open ends, by a point near the centre of"
            " each; other rims are holes, which count as walls\n{\n"
            "    default        wall;\n" + names + "}\n";
    }
    if (split_)
    {
        how =
            "split                   // flat ends from walls at edges, by a point on"
            " each\n{\n    featureAngle   " + textOf(featureAngle) + ";\n"
            "    names\n    {\n" + names + "    }\n}\n";
    }
    values_.set("inletName", ends_.front().name);
    values_.set("UOutlets", UOutlets);
    values_.set("pOutlets", pOutlets);
    values_.set("ends", how);
    values_.set("endTypes", types);
    string all;
    for (const end& e : ends_) all += (all.empty() ? "" : "|") + e.name;
    values_.set("endNames", all);
}


Foam::scalar Foam::lbmInitInside::fastest() const
{
    scalar outlets = 0;
    for (std::size_t i = 1; i < ends_.size(); ++i) outlets += ends_[i].area;
    return 2*max(mag(U_), flowRate()/min(outlets, ends_.front().area));
}


void Foam::lbmInitInside::setFlow()
{
    const end& inlet = ends_.front();
    const scalar width = 2*std::sqrt(inlet.area/constant::mathematical::pi);
    const scalar Re = flowRate()/inlet.area*width/nu_;

    values_.set("U", textOf(U_));
    values_.set("flowRate", textOf(rounded(flowRate(), 4)));
    values_.set("meanSpeed", textOf(rounded(flowRate()/inlet.area, 4)));
    values_.set("referenceSpeed", textOf(rounded(fastest(), 2)));
    values_.set("Re", textOf(rounded(Re, 3)));
    values_.set("ReLength", "the inlet's mean speed and diameter");
    values_.set
    (
        "whyModel",
        "The Reynolds number of mean speed and diameter at the inlet is "
      + values_["Re"] + ": above about 2000 eddies take a model"
    );
    setModel(Re > resolvedEnd);
    values_.set
    (
        "steady",
        Re > resolvedEnd
      ? "// steadyTolerance 1e-3;    // ends a run whose flow no longer changes\n"
      : "steadyTolerance 1e-3;   // the run ends when the flow no longer changes\n"
    );
    setTimes(volume_/flowRate(), "the fluid inside is replaced");
    values_.set("cellSize", textOf(cellSize_));
    values_.set
    (
        "cells", textOf(rounded(volume_/pow3(cellSize_)/1e3, 2))
    );
    values_.set("cellsAcross", textOf(label(inlet.width/cellSize_ + 0.5)));
}


void Foam::lbmInitInside::make()
{
    setEnds();
    setFlow();
    direction normal = 0;
    for (direction a = 1; a < 3; ++a)
    {
        if (body_.span()[a] < body_.span()[normal]) normal = a;
    }
    writeCase(lbmInitInsideFiles(), {normal, fastest(), boundBox(), false});

    Info<< "Inside      " << volume_ << " m3, " << body_.span() << " m, "
        << values_["cells"].c_str() << " thousand cells of " << cellSize_ << " m"
        << nl;
    for (const end& e : ends_)
    {
        Info<< (&e == &ends_.front() ? "Inlet       " : "Outlet      ")
            << e.name.c_str() << " at " << e.centre << ", area " << e.area
            << " m2, normal " << e.normal << nl;
    }
    Info<< "Flow        " << values_["flowRate"].c_str() << " m3/s, mean speed "
        << values_["meanSpeed"].c_str() << " m/s, Re " << values_["Re"].c_str()
        << ", " << values_["simulationType"].c_str() << nl;
    tellHowToRun();
}
