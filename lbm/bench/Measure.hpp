// Measure: rows and the memory's bandwidth, timed in turns.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/bench/Bandwidth.hpp"
#include "lbm/bench/Geometry.hpp"
#include "lbm/model/Prediction.hpp"

#include <memory>
#include <optional>

namespace lbm::bench {

struct Sample {
    double mlups = 0;
    double bandwidth = 0; // bytes/s, mean of just before and just after
};

struct Row {
    Config config;
    KernelRow kernel;
    LinkValue wall; // at rest
    int threads = 0;
    int streams = 0, valueBytes = 0;
    Traffic traffic = Traffic::inPlace;
    TilingFacts tiling;
    MemoryUse memory;
    std::string executor; // see Solver
    int stepsOfPass = 1;  // the same
    double porosity = 0;
    double setupSeconds = 0;
    int steps = 0; // a repeat
    std::vector<Sample> samples;
    std::vector<double> read; // millions of nodes a second, one a repeat, where means of boxes are read
    std::optional<model::Prediction> predicted; // where asked for and known

    // Of a step.
    int bytesPerNode() const { return 2 * streams * valueBytes / stepsOfPass; }
};

enum class Predict { no, yes };

// Fills samples; throws what makeSolver and the geometry throw, std::runtime_error if the case does not
// fit into the free memory or the flow is not finite afterwards.
std::vector<Row> measure(const Options&, const std::vector<Config>&, const std::vector<GeometrySource>&,
                         Predict = Predict::no);

} // namespace lbm::bench
