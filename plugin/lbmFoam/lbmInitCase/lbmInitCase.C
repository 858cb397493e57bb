// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmInitCase.H"
#include "argList.H"
#include "IOobject.H"
#include "OFstream.H"
#include "OSspecific.H"
#include "gzstream.h"
#include "stringOps.H"

#include <cmath>
#include <filesystem>
#include <fstream>

namespace
{

using namespace Foam;

// Longer than this [m] a body may be meant in millimetres
const scalar large = 50;

const scalar air = 1.5e-5;      // m2/s

const label passages = 3;
const label steps = 100;        // of the case in a passage: tens of the lattice's, whose sponge acts once in ten
const label writes = 6;

const char* const collisionOfEddies =
    "// Where eddies leave nodes less viscosity than this collision bears, they get"
    " that much (maxGridReynolds); the log says in\n"
    "// how much of the volume. Lattice D3Q27 and collision cumulant blur less and"
    " take three times as long.\n"
    "lattice         D3Q19;\n"
    "collision       regularized;\n\n";


fileName lessGz(const fileName& name)
{
    return name.hasExt("gz") ? name.lessExt() : name;
}

} // End anonymous namespace


Foam::lbmInitCase::lbmInitCase(const argList& args)
:
    file_(args["init"]),
    folder_(args.found("case") ? args.globalPath() : cwd()/lessGz(file_.name()).lessExt()),
    scale_(positive(args, "scale", 1)),
    nu_(positive(args, "nu", air))
{
    if (exists(folder_))
    {
        FatalErrorInFunction
            << folder_ << " is there already: -init writes no case over another"
            << nl << "Choose a new folder: -case NAME" << exit(FatalError);
    }
    readSurface(args.found("scale"));
    values_.set("surface", surfaceName());
    values_.set("scale", textOf(scale_));
    values_.set("extents", textOf(body_.span()));
    values_.set("nu", textOf(nu_));
}


Foam::scalar Foam::lbmInitCase::rounded(const scalar x, const label digits)
{
    const scalar unit = std::pow(scalar(10), std::floor(std::log10(x)) - (digits - 1));
    OStringStream text;
    text << round(x/unit)*unit;
    return readScalar(text.str());
}


Foam::scalar Foam::lbmInitCase::positive
(
    const argList& args,
    const word& option,
    const scalar preset
)
{
    const scalar value = args.opt<scalar>(option, preset);
    if (!(value > 0 && value < GREAT))
    {
        FatalErrorInFunction
            << "Option -" << option << " is " << value << "; it must be above 0"
            << exit(FatalError);
    }
    return value;
}


Foam::scalar Foam::lbmInitCase::extent() const
{
    return cmptMax(body_.span());
}


void Foam::lbmInitCase::readSurface(const bool scaled)
{
    try
    {
        surface_ = lbm::readSurface(file_, scale_);
    }
    catch (const lbm::SurfaceError& fault)
    {
        FatalErrorInFunction
            << "Option -init: " << fault.what() << exit(FatalError);
    }
    const lbm::Bounds bounds(lbm::bounds(surface_));
    body_ = boundBox(vectorOf(bounds.min), vectorOf(bounds.max));
    if (!(extent() > 0))
    {
        FatalErrorInFunction
            << "Surface " << file_ << " is a point" << exit(FatalError);
    }
    if (extent() > large && !scaled)
    {
        FatalErrorInFunction
            << "Surface " << file_ << " is " << extent() << " m long" << nl
            << "If the file is in millimetres: -scale 0.001; -scale 1 says that"
            << " it is not" << exit(FatalError);
    }
}


void Foam::lbmInitCase::copySurface() const
{
    // Unpacked, for ParaView's readers. As for the surface's own reader .gz may be left out
    const fileName from(exists(file_, false) ? file_ : fileName(file_ + ".gz"));
    const fileName to(folder_/"constant"/"triSurface"/surfaceName());
    if (mkDir(to.path()))
    {
        igzstream is(from.c_str());
        std::ofstream os(to, std::ios::binary);
        if (is.good() && os << is.rdbuf() && os.flush()) return;
    }
    FatalErrorInFunction
        << "Cannot copy " << from << " to " << to << exit(FatalError);
}


Foam::fileName Foam::lbmInitCase::surfaceName() const
{
    return lessGz(file_.name());
}


bool Foam::lbmInitCase::copyScripts() const
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (error) return false;
    const fs::path scripts =
        program.parent_path().parent_path()/"share"/"lbmFoam"/"scripts";
    for (const char* name : {"shared.py", "slices.py"})
    {
        const fs::path to(std::string(folder_/"system"/name));
        if (!fs::copy_file(scripts/name, to, error)) return false;
    }
    return true;
}


Foam::string Foam::lbmInitCase::insitu(const lbmInitPicture& picture) const
{
    if (!copyScripts()) return string();
    const direction normal = picture.normal;

    OStringStream os;
    os  << "    insitu          // enabled yes: system/slices.py draws pictures as"
        << " the run goes\n"
        << "    {\n"
        << "        type            catalyst;\n"
        << "        libs            (lbmFunctionObjects);\n"
        << "        enabled         no;\n"
        << "        scripts         (\"<system>/slices.py\");\n"
        << "        arguments       (\"--normal=" << "xyz"[normal]
        << "\" \"--at=" << body_.midpoint()[normal] << "\" \"--maxSpeed="
        << rounded(picture.maxSpeed, 2) << "\"";
    if (picture.body)
    {
        os  << "\n                         \"--body=../constant/triSurface/"
            << surfaceName().c_str() << "\" \"--bodyScale=" << scale_ << "\"";
    }
    os  << ");\n"
        << "        executeControl  timeStep;\n"
        << "        executeInterval 10;\n";
    if (picture.part.valid())
    {
        os  << "        inputs          { input { box " << picture.part.min() << ' '
            << picture.part.max() << "; image yes; } }  // what pictures show\n";
    }
    os  << "    }\n";
    return os.str();
}


void Foam::lbmInitCase::write(const std::vector<lbmInitFile>& files) const
{
    for (const lbmInitFile& file : files)
    {
        const fileName path(folder_/file.name);
        OFstream os(path);
        IOobject::writeBanner(os)
            << "FoamFile\n{\n    version     2.0;\n    format      ascii;\n"
            << "    class       " << file.className << ";\n    object      "
            << path.name() << ";\n}\n";
        IOobject::writeDivider(os);
        string text(file.text);
        stringOps::inplaceExpand(text, values_, '@');
        os.writeQuoted(text, false);
        IOobject::writeEndDivider(os);
        if (!os.good())
        {
            FatalErrorInFunction
                << "Cannot write " << path << exit(FatalError);
        }
    }
}


void Foam::lbmInitCase::setModel(const bool eddies)
{
    values_.set("simulationType", eddies ? "LES" : "laminar");
    values_.set("collision", string(eddies ? collisionOfEddies : ""));
}


void Foam::lbmInitCase::setTimes(const scalar passage, const string& passing)
{
    const scalar deltaT = rounded(passage/steps, 1);
    const scalar endTime =
        deltaT*writes*ceil(passages*passage/(writes*deltaT));
    values_.set("passing", passing);
    values_.set("passages", textOf(passages));
    values_.set("deltaT", textOf(deltaT));
    values_.set("endTime", textOf(endTime));
    values_.set("writeInterval", textOf(endTime/writes));
}


void Foam::lbmInitCase::writeCase
(
    const std::vector<lbmInitFile>& files,
    const lbmInitPicture& picture
)
{
    for (const char* name : {"0", "system"}) mkDir(folder_/name);
    copySurface();
    values_.set("insitu", insitu(picture));
    write(files);
}


void Foam::lbmInitCase::tellHowToRun() const
{
    Info<< "Written     " << folder_ << nl << nl
        << "What it will take:  lbmFoam -case " << folder_.c_str() << " -dry-run"
        << nl
        << "To run it:          lbmFoam -case " << folder_.c_str() << nl;
    if (!values_["insitu"].empty())
    {
        Info<< "Pictures as it runs: enabled yes; in functions.insitu of "
            << (folder_/"system"/"controlDict").c_str() << nl;
    }
    Info<< endl;
}
