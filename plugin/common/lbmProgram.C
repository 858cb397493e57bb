// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmProgram.H"
#include "error.H"
#include "fileName.H"
#include "lbm/api/Ranks.hpp"
#include "plugin/common/lbmThrowing.H"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>

#include <unistd.h>

namespace Foam
{
namespace
{

// For every exception that nobody catches, those of threads too. No handler
// around the program would do: argList's destructor ends the process with
// status 0 when it is unwound.
[[noreturn]] void ended()
{
    string what("Ended by an unknown exception");
    try
    {
        if (const auto fault = std::current_exception())
        {
            std::rethrow_exception(fault);
        }
    }
    catch (const std::exception& fault)
    {
        what = lbmProgram::words(fault);
    }
    catch (...)
    {}
    Info<< flush;
    std::fprintf
    (
        stderr,
        "\n--> FOAM FATAL ERROR: \n%s\nTimes written before are whole\n\n"
        "FOAM exiting\n\n",
        what.c_str()
    );
    std::_Exit(1);
}


// However the program ends: what was meant for the screen or a log is there
void checkOutput()
{
    if (std::cout.flush()) return;
    // One more character, for the reason of now
    const int fault = ::write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
    std::fprintf
    (
        stderr,
        "\n--> FOAM FATAL ERROR: \nStandard output could not be written: %s\n\n",
        std::strerror(fault)
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
    const bool bare =
        dynamic_cast<const std::bad_alloc*>(&fault)
     && !dynamic_cast<const lbm::RankOutOfMemory*>(&fault);
    return bare ? "Not enough memory" : fault.what();
}


void Foam::lbmProgram::reading(const std::function<void()>& read)
{
    const auto end = [](auto& fault)
    {
        fault.throwExceptions(false);
        fault.exit();
    };
    try
    {
        const lbmThrowing neverAborting;
        read();
    }
    catch (IOerror& fault)
    {
        end(fault);
    }
    catch (error& fault)
    {
        end(fault);
    }
}


int Foam::lbmProgram::run
(
    int argc,
    char* argv[],
    int (*program)(int, char**)
)
{
    // OpenFOAM's handler would abort before anybody could catch bad_alloc
    std::set_new_handler(nullptr);
    std::set_terminate(ended);
    std::atexit(checkOutput);
    checkFileName(std::filesystem::current_path(), "The current folder");
    for (int i = 1; i < argc; ++i) checkFileName(argv[i], "Argument");
    // Debian's etc/controlDict sets 2, with which a space in a keyword ends the
    // process while OpenFOAM makes up the name of a dictionary
    fileName::debug = 0;
    return program(argc, argv);
}
