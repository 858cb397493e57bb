// TowerTables: Tables 1 and 2 of Levchenko & Perepelkina 2022 as the model has them, and how the suite lays out lines.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/model/TowerModel.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace lbm::bench {

using Columns = std::vector<std::string>;

std::string withDigits(double value, int digits);
std::string sized(double bytes); // with K, M, G of 1024
void printColumns(std::ostream&, const std::string& title, const Columns&);

// A level of memory, and what a task that exchanges so many bytes a node and step with one can reach there.
void printLevel(std::ostream&, const std::string& name, const std::string& size, double bytesPerSecond);
void printLimit(std::ostream&, const std::string& task, const std::string& size, const std::string& level,
                double bytesPerNode, double mlups);

// What the paper prints beside its figures, of D3Q19, bgk, single precision, 512 nodes a side, n = NT = 32.
struct PaperSpeed {
    int threads; // 0: 16, and a GPU
    double mlups, gpups;
};
constexpr PaperSpeed paperFigure8{1, 230, 4.3}, paperFigure9{16, 820, 15.5}, paperFigure12{0, 1310, 25};
// Figure 7: of stepwise codes, so many steps would have to be one
constexpr int paperFusedSteps = 20, paperFusedStepsOnDevice = 15, paperFusedStepsOverLink = 350;

// Of the shells that have so many values a node.
model::NodeCost shellCost(int values, int valueBytes);

void printTable1(std::ostream&);
void printTable2(std::ostream&);

} // namespace lbm::bench
