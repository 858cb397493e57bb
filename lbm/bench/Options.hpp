// Options of lbmBench, read from the command line.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace lbm::bench {

// Options that name a kernel hold lists: every combination is one row, and all rows of a run are
// measured in turns, so that they can be compared.
struct Options {
    bool help = false, list = false, model = false, accuracy = false, towers = false, hetero = false;
    std::string suite, only; // of a suite: the cases whose table or name holds `only`
    double scale = 1;        // of a suite's sizes, but for chips

    std::string geometry = "cavity3D"; // a word, or SOURCE:FILE
    int size = 128;
    double porosity = 0.4, diameter = 40;
    int width = 8, length = 0;
    std::uint64_t seed = 1;

    std::vector<std::string> lattice{"D3Q19"}, collision{"bgk"}, closure{"constant"}, equilibrium{"incompressible"};
    std::vector<std::string> storage{"aa"}, precision{"double"}, arithmetic{""}, tile{""};
    std::vector<std::string> wall{"halfway"}, force{"uniform"};
    std::vector<std::string> given; // names of the options on the command line
    std::string device = "cpu", exchange;
    bool sharedDevices = false;
    std::vector<int> threads; // empty: as OpenMP would
    std::vector<int> parts{1};
    bool shared = false; // by processes of mpirun
    // Of --model with --parts: within and between hosts of so many devices; MLUPS of one, 0: by the model
    std::vector<std::string> link{"nvlink", "ndr"};
    int perHost = 8;
    double rate = 0;
    double deviceMemory = 0; // GB
    bool blocks = false;
    int slabSteps = 0, slabLayers = 0;

    std::vector<int> fold{16}, stepsAtOnce; // of towers: n, and NT; empty: as many as n

    double tau = 0.6;
    int steps = 0; // a repeat; 0: as many as take a third of a second
    int repeats = 7;
    int read = 0;     // nodes a side of boxes whose mean flow is read; 0: none is
    std::string json; // file to write; empty: none

    // One Config a combination. Its patches are one value, for walls at rest; the others are left to the geometry.
    std::vector<Config> configs() const;

    bool isGiven(const std::string& option) const; // on the command line
};

// A command line that cannot be understood; what() names the option.
struct UsageError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

Options parse(int argc, const char* const* argv);
std::string usage();

} // namespace lbm::bench
