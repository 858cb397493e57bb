/*---------------------------------------------------------------------------*\
Application
    lbmCompare

Description
    Compares two OpenFOAM cases on any two meshes: error norms of fields, flow
    rates of patches, wall clock of both runs, profiles along lines; table on
    the screen, CSV files and a picture. Ends with a non-zero status where a
    limit of system/validationDict or of the command line is exceeded.

    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/common/lbmProgram.H"
#include "plugin/lbmCompare/comparedCase/comparedCase.H"
#include "plugin/lbmCompare/comparedLine/comparedLine.H"
#include "plugin/lbmCompare/fieldNorms/fieldNorms.H"
#include "plugin/lbmCompare/limits/limits.H"

#include "argList.H"
#include "IOdictionary.H"
#include "IOmanip.H"
#include "OSspecific.H"
#include "SortableList.H"

#include <filesystem>

#include <unistd.h>

using namespace Foam;

static const int exceeded = 2;      // exit status of a limit that is not met

//- Outward flow of every patch that either case has
static void compareFlowRates(const comparedCase& a, const comparedCase& b, metrics& out)
{
    const HashTable<scalar> flowsA(a.flowRates()), flowsB(b.flowRates());
    HashSet<word> names(flowsA.toc());
    names.insert(flowsB.toc());
    if (names.empty()) return;

    scalar scale = 0;
    forAllConstIters(flowsB, iter) scale = max(scale, mag(iter.val()));

    Info<< nl << "Flow rate out of the domain [m3/s]" << nl << setf(ios_base::left)
        << setw(20) << "patch" << setw(16) << "A" << setw(16) << "B"
        << "difference/largest of B" << nl;
    for (const word& name : names.sortedToc())
    {
        Info<< setw(20) << name.c_str();
        if (!flowsA.found(name) || !flowsB.found(name))
        {
            Info<< "only in " << (flowsA.found(name) ? "A" : "B") << nl;
            continue;
        }
        const scalar flowA = flowsA[name], flowB = flowsB[name];
        out.add("flowRate", name, "A", flowA);
        out.add("flowRate", name, "B", flowB);
        Info<< setw(16) << flowA << setw(16) << flowB;
        if (scale > 0)
        {
            out.add("flowRate", name, "relative", mag(flowA - flowB)/scale);
            Info<< mag(flowA - flowB)/scale;
        }
        Info<< nl;
    }
}


static void reportClock
(
    const word& label,
    const comparedCase& from,
    const fileName& log,
    metrics& out
)
{
    const comparedCase::runClock clock(from.clock(log));
    Info<< "    " << label << "  ";
    if (clock.log.empty())
    {
        Info<< "no log (log.lbmFoam or log.<application>) in " << from.path() << nl;
        return;
    }
    if (clock.execution < 0)
    {
        Info<< "no line with ExecutionTime in " << clock.log << nl;
        return;
    }
    out.add("time", label, "ExecutionTime", clock.execution);
    Info<< "ExecutionTime " << clock.execution << " s";
    if (clock.clock >= 0)
    {
        out.add("time", label, "ClockTime", clock.clock);
        Info<< ", ClockTime " << clock.clock << " s";
    }
    Info<< "  (" << clock.log.name() << ")" << nl;
}


//- Lines of system/lbmCompareDict of case a; false if it has none
static bool compareLines
(
    const comparedCase& a,
    const comparedCase& b,
    const fileName& folder,
    metrics& out
)
{
    IOobject io
    (
        "lbmCompareDict", a.time().system(), a.time(),
        IOobject::MUST_READ, IOobject::NO_WRITE, false
    );
    if (!io.typeHeaderOk<IOdictionary>(true)) return false;

    const IOdictionary dict(io);
    Info<< nl << "Lines" << nl;
    for (const entry& e : dict.subDict("lines"))
    {
        if (!e.isDict())
        {
            FatalIOErrorInFunction(dict)
                << "lines: " << e.keyword() << " is not a sub-dictionary"
                << exit(FatalIOError);
        }
        comparedLine(a, b, e.dict()).compare(folder, out);
    }
    return true;
}


//- Runs the script shipped beside this program
static void drawProfiles(const fileName& folder, const comparedCase& a, const comparedCase& b)
{
    char self[4096];
    const ssize_t length = ::readlink("/proc/self/exe", self, sizeof(self) - 1);
    const fileName program(std::string(self, length > 0 ? length : 0));
    const fileName script(program.path().path()/"share"/"lbmFoam"/"drawProfiles.py");

    // The system's own python3 has the distribution's matplotlib. Another is found by env, which tells where there is none;
    // Foam::system itself ends badly where a program is missing.
    const fileName systemPython("/usr/bin/python3");
    const List<string> command
    ({
        "/usr/bin/env", string(isFile(systemPython, false) ? systemPython : fileName("python3")),
        script, folder, a.name(), b.name()
    });
    if (!isFile(script))
    {
        WarningInFunction << "No picture: " << script << " is missing" << endl;
    }
    else if (Foam::system(command) != 0)
    {
        WarningInFunction
            << "No picture of the profiles; they are in the CSV files of "
            << folder << endl;
    }
}


static void addOptions()
{
    argList::addNote
    (
        "Compares two cases; caseB is the reference. Results go to"
        " <caseA>/postProcessing/lbmCompare/<name of caseB>."
    );
    argList::noParallel();
    argList::noFunctionObjects();
    argList::removeOption("case");
    argList::addArgument("caseA");
    argList::addArgument("caseB", "The reference");
    argList::addOption("time", "value", "Time of both cases (default: the latest of each)");
    argList::addOption("fields", "wordList", "Fields to compare (default: '(U p)')");
    argList::addOption("reference", "word",
        "Name of the reference in system/validationDict (default: folder name of caseB)");
    argList::addOption("output", "folder", "Folder for results");
    argList::addOption("logA", "file", "Log of caseA (default: log.lbmFoam or log.<application>)");
    argList::addOption("logB", "file", "Log of caseB");
    for (const char* norm : {"L1", "L2", "Linf"})
    {
        argList::addOption(word("maxRel") + norm, "field=value,...",
            "Largest admissible relative " + word(norm) + " error, e.g. U=0.03");
    }
    argList::addBoolOption("means",
        "On different meshes: average the finer case over the cells of the other");
    argList::addBoolOption("noPicture", "Draw no picture of the profiles");
}


static DynamicList<limits::limit> limitsOf
(
    const argList& args,
    const comparedCase& a,
    const word& reference
)
{
    DynamicList<limits::limit> all(limits::read(a, reference));
    for (const char* norm : {"L1", "L2", "Linf"})
    {
        const word option(word("maxRel") + norm);
        if (args.found(option))
        {
            all.append(limits::parse(args[option], option, word("rel") + norm));
        }
    }
    return all;
}


//- Not OpenFOAM's mkDir, which never ends below /proc
static void makeFolder(const fileName& folder)
{
    std::error_code fault;
    std::filesystem::create_directories(folder.c_str(), fault);
    if (fault)
    {
        FatalErrorInFunction
            << "Folder " << folder << " for the results cannot be made: "
            << fault.message().c_str() << exit(FatalError);
    }
}


static int lbmCompare(int argc, char* argv[])
{
    argList::noBanner();
    addOptions();
    // Not the current folder but the two arguments name cases
    argList args(argc, argv, true, true, false);

    const string timeName(args.getOrDefault<string>("time", string()));
    const comparedCase a(args.get<fileName>(1), timeName);
    const comparedCase b(args.get<fileName>(2), timeName);
    const word reference(args.getOrDefault<word>("reference", b.name()));
    const wordList fields
    (
        args.found("fields") ? args.getList<word>("fields")
      : wordList({a.velocityName(), "p"})
    );
    const fileName folder
    (
        args.getOrDefault<fileName>
        (
            "output", a.path()/"postProcessing"/"lbmCompare"/b.name()
        )
    );
    const DynamicList<limits::limit> allLimits(limitsOf(args, a, reference));

    // The cases' writePrecision is for their files
    const unsigned digits = 6;
    Sout.precision(digits);

    Info<< "A: " << a.path() << ", time " << a.time().timeName() << nl
        << "B: " << b.path() << ", time " << b.time().timeName() << " (reference)" << nl;
    if (mag(a.time().value() - b.time().value()) > SMALL*mag(b.time().value()))
    {
        Info<< "The times differ, as is right for steady flows alone: -time"
            << " compares at one" << nl;
    }

    metrics results;
    const fieldNorms norms(a, b, args.found("means"));
    norms.describe(Info, results);
    Info<< nl;
    fieldNorms::printHeader(Info);
    for (const word& name : fields) norms.compare(name, results);

    compareFlowRates(a, b, results);

    Info<< nl << "Wall clock" << nl;
    reportClock("A", a, args.getOrDefault<fileName>("logA", fileName()), results);
    reportClock("B", b, args.getOrDefault<fileName>("logB", fileName()), results);

    makeFolder(folder);
    const bool haveLines = compareLines(a, b, folder, results);
    results.write(folder/"comparison.csv");
    if (haveLines && !args.found("noPicture")) drawProfiles(folder, a, b);
    Info<< nl << "Results in " << folder << nl;

    bool met = true;
    if (allLimits.size())
    {
        Info<< nl << "Limits" << nl;
        met = limits::check(allLimits, results);
    }
    Info<< (met ? "\nEnd\n" : "\nA limit is exceeded\n") << endl;
    // argList's destructor ends the process with status 0
    if (!met) ::exit(exceeded);
    return 0;
}


int main(int argc, char* argv[])
{
    return lbmProgram::run(argc, argv, lbmCompare);
}
