// Report: rows as a table for people and as JSON (keys: lbm/bench/README.md).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Measure.hpp"

#include <iosfwd>

namespace lbm::bench {

void listKernels(std::ostream&, const std::vector<KernelRow>&);
void printTable(std::ostream&, const Options&, const std::vector<Row>&);

// Both throw std::runtime_error naming the file if it cannot be written; nothing half written stays.
void checkWritable(const std::string& file);
void writeJson(const std::string& file, const Options&, const std::vector<Row>&);

} // namespace lbm::bench
