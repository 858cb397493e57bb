// What a case's files may hold: any bytes for system/lbmDict, 0/U or 0/p must give settings and conditions or a
// FatalIOError. The first byte chooses the file (d: lbmDict, e: U, f: p), the rest is its content.
// Directives of OpenFOAM's own parser (# and $: includes, macros, code) are none of our reading and are left out.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbmControls.H"
#include "lbmPatchKind.H"

#include "fvMesh.H"
#include "IFstream.H"
#include "Time.H"

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace {

struct ProcessEnded {};
bool reading = false;

namespace fs = std::filesystem;

fs::path caseFolder() { return fs::temp_directory_path() / ("lbmFuzzCase." + std::to_string(getpid())); }

// ProcessEnded met a frame that lets no exception through: the process does end, as it would for a user, and run.sh's -fork
// goes on in another one. Anything else that is not caught is a find.
[[noreturn]] void endWithoutUnwinding()
{
    try {
        if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const ProcessEnded&) {
        std::error_code ignored;
        fs::remove_all(caseFolder(), ignored);
        std::_Exit(EXIT_SUCCESS);
    } catch (...) {}
    std::abort();
}

} // namespace

// OpenFOAM's parser ends the process for some faults, with a message and a status: an answer, but the fuzzer goes on.
// Under another name, for the one of the C library is declared not to throw.
extern "C" void endProcess(int status) __asm__("exit");
void endProcess(int status)
{
    if (reading) throw ProcessEnded();
    using Exit = void (*)(int);
    reinterpret_cast<Exit>(dlsym(RTLD_NEXT, "exit"))(status);
    std::abort();
}

namespace {

void write(const fs::path& file, const std::string& text)
{
    fs::create_directories(file.parent_path());
    std::ofstream os(file, std::ios::binary);
    os << text;
    if (!os) std::abort();
}

std::string head(const std::string& type, const std::string& object)
{
    return "FoamFile { version 2.0; format ascii; class " + type + "; object " + object + "; }\n";
}

// A cube of one cell with the patches in, out and walls.
class Case {
public:
    Case() : path_(caseFolder())
    {
        const fs::path mesh = path_ / "constant/polyMesh";
        write(path_ / "system/controlDict",
              head("dictionary", "controlDict")
                  + "deltaT 1; endTime 1; writeControl timeStep; writeInterval 1; runTimeModifiable no;");
        write(
            path_ / "system/fvSchemes",
            head("dictionary", "fvSchemes")
                + "ddtSchemes{} gradSchemes{} divSchemes{} laplacianSchemes{} interpolationSchemes{} snGradSchemes{}");
        write(path_ / "system/fvSolution", head("dictionary", "fvSolution"));
        write(mesh / "points",
              head("vectorField", "points") + "8((0 0 0)(1 0 0)(1 1 0)(0 1 0)(0 0 1)(1 0 1)(1 1 1)(0 1 1))");
        write(mesh / "faces",
              head("faceList", "faces") + "6(4(0 4 7 3)4(1 2 6 5)4(0 1 5 4)4(3 7 6 2)4(0 3 2 1)4(4 5 6 7))");
        write(mesh / "owner", head("labelList", "owner") + "6(0 0 0 0 0 0)");
        write(mesh / "neighbour", head("labelList", "neighbour") + "0()");
        write(mesh / "boundary",
              head("polyBoundaryMesh", "boundary")
                  + "3(in{type patch;nFaces 1;startFace 0;}out{type patch;nFaces 1;startFace 1;}"
                    "walls{type wall;nFaces 4;startFace 2;})");
    }
    ~Case() { fs::remove_all(path_); }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

void readControls(const Foam::Time& runTime)
{
    const Foam::lbmControls c(runTime);
    const Foam::scalar side = 1, tau = 0.6;
    c.spacing(side);
    c.spacingIsFree();
    c.maxMach();
    c.maxTau();
    c.maxGridReynolds();
    c.magic(tau, 1);
    c.deltaT();
    c.referenceSpeed();
    c.force();
    c.startFlow();
    c.checkEvery();
    c.checkpoint();
    c.steadyTolerance();
    c.wall("walls");
    c.checkWalls(Foam::wordHashSet({"walls"}));
    c.config(3);
}

template<class Field>
Field field(const Foam::fvMesh& mesh, const char* name)
{
    using Foam::IOobject;
    return Field(IOobject(name, "0", mesh, IOobject::MUST_READ, IOobject::NO_WRITE, false), mesh);
}

void readConditions(const Foam::fvMesh& mesh)
{
    const auto U = field<Foam::volVectorField>(mesh, "U");
    const auto p = field<Foam::volScalarField>(mesh, "p");
    forAll(U.boundaryField(), patch)
    {
        const auto kind = Foam::lbmPatchKind::of(U.boundaryField()[patch], p.boundaryField()[patch]);
        kind.kind();
        kind.name();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Case files;
    static Foam::Time runTime(Foam::Time::controlDictName, fs::path(files.path()).parent_path().string(),
                              files.path().filename().string(), "system", "constant", false, false);
    static const Foam::fvMesh mesh(
        Foam::IOobject(Foam::fvMesh::defaultRegion, "0", runTime, Foam::IOobject::MUST_READ));
    Foam::FatalIOError.throwExceptions();
    Foam::FatalError.throwExceptions();
    Foam::messageStream::level = 0;
    std::set_terminate(endWithoutUnwinding);

    if (size < 1) return 0;
    std::string content(reinterpret_cast<const char*>(data + 1), size - 1);
    if (content.find_first_of("#$") != std::string::npos) return -1;
    const std::string conditions =
        "dimensions [0 2 -2 0 0 0 0]; internalField uniform 0;"
        "boundaryField { in {type zeroGradient;} out {type fixedValue; value uniform 0;} walls {type zeroGradient;} }";
    const std::string velocities =
        "dimensions [0 1 -1 0 0 0 0]; internalField uniform (0 0 0); boundaryField"
        "{ in {type fixedValue; value uniform (1 0 0);} out {type zeroGradient;} walls {type noSlip;} }";
    const int kind = data[0] % 3;
    write(files.path() / "system/lbmDict", head("dictionary", "lbmDict") + (kind == 1 ? content : ""));
    write(files.path() / "0/U", head("volVectorField", "U") + (kind == 2 ? content : velocities));
    write(files.path() / "0/p", head("volScalarField", "p") + (kind == 0 ? content : conditions));
    reading = true;
    try {
        if (kind == 1) readControls(runTime);
        else readConditions(mesh);
    } catch (const Foam::error&) {
        // an answer, too
    } catch (const ProcessEnded&) {
        // one that came with a message
    } catch (const std::bad_alloc&) {
        // a list said to be longer than memory
    }
    reading = false;
    return 0;
}
