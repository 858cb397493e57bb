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

// Of the shells that have so many values a node.
model::NodeCost shellCost(int values, int valueBytes);

void printTable1(std::ostream&);
void printTable2(std::ostream&);

} // namespace lbm::bench
