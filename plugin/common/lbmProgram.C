// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmProgram.H"
#include "error.H"
#include "fileName.H"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>

namespace Foam
{
namespace
{

// For what nobody can catch: exceptions of threads, and of noexcept functions
[[noreturn]] void ended()
{
    const char* what = "ended by an unknown exception";
    try
    {
        if (const auto fault = std::current_exception())
        {
            std::rethrow_exception(fault);
        }
    }
    catch (const std::bad_alloc&)
    {
        what = "Not enough memory";
    }
    catch (const std::exception& fault)
    {
        what = fault.what();
    }
    catch (...)
    {}
    std::fprintf
    (
        stderr,
        "\n--> FOAM FATAL ERROR: \n%s\nTimes written before are whole\n\n",
        what
    );
    std::_Exit(1);
}


// OpenFOAM drops such characters, and so works on another file
void checkFileName(const std::string& path, const char* what)
{
    const bool isList = path.size() && path.front() == '(';
    if (isList || path.find_first_of(" \t\n\"'") == std::string::npos) return;
    FatalErrorInFunction
        << what << " '" << path.c_str() << "' has a space or a quote in it,"
        << " which OpenFOAM takes out of file names" << nl
        << "Rename it, or make a link without one" << exit(FatalError);
}

} // End anonymous namespace
} // End namespace Foam


Foam::string Foam::lbmProgram::words(const std::exception& fault)
{
    return dynamic_cast<const std::bad_alloc*>(&fault)
      ? "Not enough memory" : fault.what();
}


int Foam::lbmProgram::run
(
    int argc,
    char* argv[],
    int (*program)(int, char**)
)
{
    std::set_terminate(ended);
    try
    {
        checkFileName(std::filesystem::current_path(), "The current folder");
        for (int i = 1; i < argc; ++i) checkFileName(argv[i], "Argument");
        return program(argc, argv);
    }
    catch (const std::exception& fault)
    {
        FatalErrorInFunction << words(fault).c_str() << exit(FatalError);
    }
    return 1;
}
