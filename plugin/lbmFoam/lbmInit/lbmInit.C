// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmInit.H"
#include "lbmInitFiles.H"
#include "argList.H"
#include "boolList.H"

#include <algorithm>
#include <cmath>

namespace
{

using namespace Foam;

// In body's extents
const scalar before = 1.5, behind = 4, beside = 1.5;

// Of these, in pictures
const scalar pictured = 0.4;

const scalar defaultCells = 1e6;
const label leastCells = 4;     // over the body

// Part of the speed below which the flow does not come in along an axis
const scalar negligible = 1e-3;

// Reynolds numbers of a cell, and of the body, up to which there is no model
const scalar resolvedCell = 20, resolvedBody = 2000;


// Directions across a flow, perpendicular to each other
void across(const vector& along, vector& lift, vector& pitch)
{
    const vector up = mag(along.z()) < 0.9 ? vector(0, 0, 1) : vector(0, 1, 0);
    lift = up - (up & along)*along;
    lift /= mag(lift);
    pitch = lift ^ along;
}


// Area of a surface's shadow, by points of a grid
class shadow
{
    static constexpr label n = 1000;

    const vector s_, t_;
    scalar low_[2], width_;
    boolList dark_;

    scalar at(const scalar x, const label axis) const
    {
        return (x - low_[axis])/width_*n - 0.5;
    }

    void add(const scalar (&x)[3], const scalar (&y)[3])
    {
        const scalar area =
            (x[1] - x[0])*(y[2] - y[0]) - (x[2] - x[0])*(y[1] - y[0]);
        if (area == 0) return;
        const auto range = [](const scalar (&v)[3], label& from, label& to)
        {
            from = max(label(0), label(std::ceil(min(v[0], min(v[1], v[2])))));
            to = min(n - 1, label(std::floor(max(v[0], max(v[1], v[2])))));
        };
        label i0, i1, j0, j1;
        range(x, i0, i1);
        range(y, j0, j1);
        for (label i = i0; i <= i1; ++i)
        {
            for (label j = j0; j <= j1; ++j)
            {
                bool in = true;
                for (label a = 0; a < 3; ++a)
                {
                    const label b = (a + 1) % 3;
                    const scalar side =
                        (x[b] - x[a])*(j - y[a]) - (y[b] - y[a])*(i - x[a]);
                    in = in && side*area >= 0;
                }
                if (in) dark_[n*i + j] = true;
            }
        }
    }

public:

    shadow(const lbm::TriangleMesh& surface, const vector& s, const vector& t)
    :
        s_(s),
        t_(t),
        low_{GREAT, GREAT},
        width_(0),
        dark_(n*n, false)
    {
        scalar high[2] = {-GREAT, -GREAT};
        for (const lbm::Vec3& point : surface.points)
        {
            const vector p(point[0], point[1], point[2]);
            const scalar xy[2] = {p & s, p & t};
            for (label a = 0; a < 2; ++a)
            {
                low_[a] = min(low_[a], xy[a]);
                high[a] = max(high[a], xy[a]);
            }
        }
        width_ = max(high[0] - low_[0], high[1] - low_[1]);
        for (const lbm::Int3& triangle : surface.triangles)
        {
            scalar x[3], y[3];
            for (label a = 0; a < 3; ++a)
            {
                const lbm::Vec3& c = surface.points[triangle[a]];
                const vector p(c[0], c[1], c[2]);
                x[a] = at(p & s, 0);
                y[a] = at(p & t, 1);
            }
            add(x, y);
        }
    }

    scalar area() const
    {
        return sqr(width_/n)*std::count(dark_.begin(), dark_.end(), true);
    }
};


vector velocity(const argList& args)
{
    if (!args.found("U"))
    {
        FatalErrorInFunction
            << "Option -init needs the velocity of the flow [m/s]: -U \"(20 0 0)\""
            << exit(FatalError);
    }
    if (args["U"].find('(') == string::npos)
    {
        FatalErrorInFunction
            << "Option -U is " << args["U"].c_str() << "; the flow around a body has"
            << " a direction: -U \"(20 0 0)\" (a number belongs to -internal)"
            << exit(FatalError);
    }
    const vector U(args.opt<vector>("U"));
    if (!(mag(U) > 0 && mag(U) < GREAT))
    {
        FatalErrorInFunction
            << "Option -U is " << U << ": a flow must move" << exit(FatalError);
    }
    return U;
}

} // End anonymous namespace


void Foam::lbmInit::addOptions()
{
    argList::addOption
    (
        "init", "surface",
        "Write a case of the flow around a body (STL or OBJ), with -U, and end"
    );
    argList::addBoolOption
    (
        "internal",
        "With -init: the flow inside, from -inlet to the other open or flat ends"
    );
    argList::addOption
    (
        "U", "vector",
        "With -init: velocity of the flow [m/s]; with -internal also a number,"
        " the mean speed at the inlet"
    );
    argList::addOption
    (
        "flowRate", "rate", "With -internal: through the inlet [m3/s], for -U"
    );
    argList::addOption
    (
        "inlet", "point",
        "With -internal: in the inlet [m] - default: the largest end"
    );
    argList::addOption
    (
        "cellSize", "size",
        "With -init: side of a cell [m] - default: a million cells"
    );
    argList::addOption
    (
        "scale", "factor",
        "With -init: of the file's coordinates; 0.001 makes millimetres metres"
    );
    argList::addOption
    (
        "nu", "viscosity", "With -init: [m2/s] - default: air's, 1.5e-05"
    );
}


bool Foam::lbmInit::asked(const argList& args)
{
    if (args.found("init"))
    {
        for (const char* option : {"flowRate", "inlet"})
        {
            if (!args.found(option) || args.found("internal")) continue;
            FatalErrorInFunction
                << "Option -" << option << " belongs to -internal"
                << exit(FatalError);
        }
        return true;
    }
    for
    (
        const char* option
      : {"U", "cellSize", "scale", "nu", "internal", "flowRate", "inlet"}
    )
    {
        if (!args.found(option)) continue;
        FatalErrorInFunction
            << "Option -" << option << " belongs to -init; a case says it in its"
            << " files" << exit(FatalError);
    }
    return false;
}


Foam::lbmInit::lbmInit(const argList& args)
:
    lbmInitCase(args),
    U_(velocity(args))
{
    checkNames();
    chooseCells(args.found("cellSize") ? positive(args, "cellSize", 1) : 0);
}


Foam::direction Foam::lbmInit::mainAxis() const
{
    direction axis = 0;
    for (direction a = 1; a < 3; ++a)
    {
        if (mag(U_[a]) > mag(U_[axis])) axis = a;
    }
    return axis;
}


bool Foam::lbmInit::flowsAlong(const direction axis) const
{
    return mag(U_[axis]) > negligible*mag(U_);
}


void Foam::lbmInit::checkNames() const
{
    for (const std::string& name : surface_.regionNames)
    {
        if (name != "inlet" && name != "outlet" && name != "sides") continue;
        FatalErrorInFunction
            << "Region " << name.c_str() << " of " << file_ << " has the name of a side of"
            << " the box: -init makes flows around bodies" << nl
            << "-internal makes a flow inside" << exit(FatalError);
    }
}


void Foam::lbmInit::chooseCells(const scalar asked)
{
    const scalar e = extent();
    vector low, high;
    for (direction a = 0; a < 3; ++a)
    {
        const bool in = flowsAlong(a);
        low[a] = !in ? beside : U_[a] > 0 ? before : behind;
        high[a] = !in ? beside : U_[a] > 0 ? behind : before;
    }
    box_ = boundBox(body_.min() - e*low, body_.max() + e*high);

    cellSize_ =
        asked > 0 ? asked : rounded(cbrt(box_.volume()/defaultCells), 2);
    if (cellSize_ > e/leastCells)
    {
        FatalErrorInFunction
            << "Option -cellSize is " << cellSize_ << " m; the body is " << e
            << " m long, which needs cells of at most " << e/leastCells
            << exit(FatalError);
    }

    // Whole cells
    const vector n(box_.span()/cellSize_);
    for (direction a = 0; a < 3; ++a)
    {
        box_.max()[a] = box_.min()[a] + ceil(n[a] - SMALL)*cellSize_;
    }
}


Foam::lbmInitPicture Foam::lbmInit::picture() const
{
    // In the plane of drag and lift; across it the box's middle is the body's
    vector lift, pitch;
    across(U_/mag(U_), lift, pitch);
    direction normal = 0;
    for (direction a = 1; a < 3; ++a)
    {
        if (mag(pitch[a]) > mag(pitch[normal])) normal = a;
    }

    // One layer of nodes
    boundBox part(body_);
    for (direction a = 0; a < 3; ++a)
    {
        part.min()[a] -= pictured*(body_.min()[a] - box_.min()[a]);
        part.max()[a] += pictured*(box_.max()[a] - body_.max()[a]);
    }
    part.min()[normal] = part.max()[normal] = body_.midpoint()[normal];
    return {normal, 1.3*mag(U_), part, true};
}


void Foam::lbmInit::setGeometry()
{
    string sides;
    bool sliding = false;
    for (direction a = 0; a < 3; ++a)
    {
        const bool in = flowsAlong(a);
        sliding = sliding || !in;
        sides += !in ? "sides sides " : U_[a] > 0 ? "inlet outlet " : "outlet inlet ";
    }
    sides.pop_back();
    const string slides("    sides\n    {\n        type            symmetry;\n    }\n");

    values_.set("sides", sides);
    values_.set("sliding", sliding ? slides : string());
    values_.set
    (
        "slidingPatch",
        sliding ? string("    sides           { type symmetry; }\n") : string()
    );
    values_.set("cellSize", textOf(cellSize_));
    values_.set("cells", textOf(rounded(box_.volume()/pow3(cellSize_)/1e6, 2)));
    values_.set("cellsOver", textOf(label(extent()/cellSize_)));
    values_.set("boxMin", textOf(box_.min()));
    values_.set("boxMax", textOf(box_.max()));
    values_.set
    (
        "insidePoint",
        textOf(point(box_.min() + 0.5*cellSize_*vector::one))
    );
}


void Foam::lbmInit::setFlow()
{
    const scalar cellRe = mag(U_)*cellSize_/nu_, Re = mag(U_)*extent()/nu_;

    values_.set("U", textOf(U_));
    values_.set("Re", textOf(rounded(Re, 3)));
    values_.set("ReLength", "the body's longest extent");
    values_.set
    (
        "whyModel",
        "The body's Reynolds number is " + values_["Re"] + ", a cell's "
      + textOf(rounded(cellRe, 2)) + ": above about 2000 and 20 eddies are not"
        " resolved and take a model"
    );
    setModel(cellRe > resolvedCell && Re > resolvedBody);
    setTimes
    (
        box_.span()[mainAxis()]/mag(U_[mainAxis()]), "the flow passes the box"
    );
}


void Foam::lbmInit::setForces()
{
    const vector drag(U_/mag(U_));
    vector lift, pitch;
    across(drag, lift, pitch);
    scalar low = GREAT, high = -GREAT;
    for (const lbm::Vec3& p : surface_.points)
    {
        low = min(low, vectorOf(p) & drag);
        high = max(high, vectorOf(p) & drag);
    }

    values_.set("magU", textOf(mag(U_)));
    values_.set("Aref", textOf(rounded(shadow(surface_, lift, pitch).area(), 4)));
    values_.set("lRef", textOf(high - low > 0 ? high - low : extent()));
    values_.set("CofR", textOf(body_.midpoint()));
    values_.set("dragDir", textOf(drag));
    values_.set("liftDir", textOf(lift));
    values_.set("pitchAxis", textOf(pitch));
}


void Foam::lbmInit::make()
{
    setGeometry();
    setFlow();
    setForces();
    writeCase(lbmInitFiles(), picture());

    Info<< "Body        " << body_.span() << " m, " << label(surface_.triangles.size())
        << " triangles, " << label(surface_.regionNames.size()) << " regions" << nl
        << "Box         " << box_.span() << " m, "
        << values_["cells"].c_str() << " million cells of " << cellSize_ << " m"
        << nl
        << "Flow        " << U_ << " m/s, Re " << values_["Re"].c_str() << ", "
        << values_["simulationType"].c_str() << nl;
    tellHowToRun();
}
