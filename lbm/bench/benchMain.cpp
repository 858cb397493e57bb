// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/benchMain.hpp"

#include "lbm/bench/Accuracy.hpp"
#include "lbm/bench/ModelReport.hpp"
#include "lbm/bench/Report.hpp"
#include "lbm/bench/SuiteRun.hpp"

#include <iostream>

namespace lbm::bench {

int benchMain(int argc, const char* const* argv, const std::vector<GeometrySource>& sources)
{
    try {
        const Options options = parse(argc, argv);
        if (options.help) std::cout << usage();
        else if (options.list) listKernels(std::cout, kernels());
        else if (!options.suite.empty()) runSuite(std::cout, options, sources);
        else if (options.accuracy) printAccuracy(std::cout, options);
        else if (options.model) printModel(std::cout, options, sources);
        else {
            // A run is long: what would fail at its end fails here.
            if (!options.json.empty()) checkWritable(options.json);
            const std::vector<Row> rows = measure(options, options.configs(), sources);
            printTable(std::cout, options, rows);
            if (!options.json.empty()) writeJson(options.json, options, rows);
        }
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
