// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/benchMain.hpp"

#include "lbm/bench/Accuracy.hpp"
#include "lbm/bench/ModelReport.hpp"
#include "lbm/bench/Report.hpp"
#include "lbm/bench/SuiteRun.hpp"
#include "lbm/bench/towers/TowerReport.hpp"
#include "lbm/api/Ranks.hpp"
#include "lbm/api/Threads.hpp"

#include <cerrno>
#include <iostream>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace lbm::bench {
namespace {

// A process may be started without them: the first file that is opened would take their numbers, and get what is printed.
void openDescriptors()
{
    int opened = -1;
    do opened = open("/dev/null", O_RDWR);
    while (opened >= 0 && opened <= STDERR_FILENO);
    if (opened >= 0) close(opened);
}

// One more character where it failed, for the reason of now.
void checkOutput()
{
    if (std::cout.flush()) return;
    const int fault = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
    throw std::system_error(fault, std::generic_category(), "standard output");
}

// Processes of mpirun that share lattices: the first one goes on, the others have served it when they are made.
class SharedRun {
public:
    explicit SharedRun(bool shared) : shared_(shared)
    {
        if (!shared_) return;
        beginMpi();
        leads_ = leadOrServeRanks();
        if (!leads_ || ranks() > 1) return;
        end();
        throw UsageError("--ranks: there is but this process; mpirun -n N starts several");
    }
    ~SharedRun()
    {
        if (shared_) end();
    }
    SharedRun(const SharedRun&) = delete;
    SharedRun& operator=(const SharedRun&) = delete;

    bool leads() const { return leads_; }

private:
    static void end()
    {
        endRanks();
        endMpi();
    }

    bool shared_, leads_ = true;
};

void say(const std::string& advice)
{
    if (!advice.empty()) std::cerr << "lbmBench: " << advice << '\n';
}

} // namespace

int benchMain(int argc, const char* const* argv, const std::vector<GeometrySource>& sources)
{
    try {
        openDescriptors();
        say(checkDefaultThreads());
        const Options options = parse(argc, argv);
        for (const int threads : options.threads) say(threadAdvice(threads, "--threads"));
        const SharedRun shared(options.shared);
        if (!shared.leads()) return 0;
        if (options.help) std::cout << usage();
        else if (options.list) listKernels(std::cout, kernels());
        else if (!options.suite.empty()) runSuite(std::cout, options, sources);
        else if (options.towers) printTowers(std::cout, options);
        else if (options.accuracy) printAccuracy(std::cout, options);
        else if (options.model) printModel(std::cout, options, sources);
        else {
            // A run is long: what would fail at its end fails here.
            if (!options.json.empty()) checkWritable(options.json);
            const std::vector<Row> rows = measure(options, options.configs(), sources);
            printTable(std::cout, options, rows);
            if (!options.json.empty()) writeJson(options.json, options, rows);
        }
        checkOutput();
        return 0;
    } catch (const UsageError& error) {
        std::cerr << "lbmBench: " << error.what() << " (see lbmBench --help)\n";
        return 2;
    } catch (const UnknownKernel& error) {
        std::cerr << "lbmBench: " << error.what() << '\n';
        return 2;
    } catch (const std::bad_alloc&) {
        std::cerr << "lbmBench: not enough memory\n";
        return 1;
    } catch (const std::exception& error) {
        std::cerr << "lbmBench: " << error.what() << '\n';
        return 1;
    }
}

} // namespace lbm::bench
