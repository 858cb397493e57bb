// Report: rows as a table for people and as JSON (keys: lbm/bench/README.md).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Measure.hpp"

#include <iosfwd>

namespace lbm::bench {

void listKernels(std::ostream&, const std::vector<KernelRow>&);
void printTable(std::ostream&, const Options&, const std::vector<Row>&);

// E.g. "D3Q19 bgk incompressible aa double 8x4x4": what tells the rows of a run apart.
std::string shortName(const KernelRow&);

struct Spread {
    double median, min, max;
};
Spread mlups(const Row&);
Spread efficiency(const Row&);
double memoryPerFluidNode(const Row&);

// These throw std::runtime_error naming the file and why if it cannot be written. Of a regular file nothing half written
// stays; a link or a device is written to as it is, and what the standard output goes to gets it as the next thing.
void checkWritable(const std::string& file);
void writeWhole(const std::string& file, const std::string& text);
void writeJson(const std::string& file, const Options&, const std::vector<Row>&);

// What one geometry of a run gave.
struct Part {
    std::string table, name;
    Options options;
    std::vector<Row> rows;
};
void writeSuiteJson(const std::string& file, const std::string& suite, const std::vector<Part>&);

} // namespace lbm::bench
