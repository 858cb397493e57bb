// Suites: the runs behind the tables of a paper, with the figures that it prints. Data; what runs them is in SuiteRun.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Options.hpp"

#include <array>
#include <string>
#include <vector>

namespace lbm::bench {

// Empty words stand for any. 0: not printed. Utilisation: of what the paper relates it to.
struct Published {
    std::string storage, collision, equilibrium;
    double mlups, utilisation;
};

// Table 1 and 5 of Tomczak & Szafran 2019; overheads in the order TGB, T2C, FIA, CM. `measured`: traffic overhead.
struct PublishedModel {
    double porosity, tilePorosity, alphaM;
    std::array<double, 4> memory, traffic;
    double burst, measured;
};

struct SuiteCase {
    std::string table, name;
    std::string geometry;
    int size;       // of chips: width
    double spheres; // porosity of ras
    std::string lattice;
    std::vector<std::string> storages, collisions, equilibria, precisions;
    std::vector<Published> published;
    std::vector<PublishedModel> model; // one or none
    bool openings = false;             // their cost is measured, too
    std::vector<std::string> tiles{};  // empty: the default one
};

struct Suite {
    std::string name, paper, utilisation; // what the paper's utilisation is of
    std::vector<SuiteCase> cases;
    bool towers = false; // without cases of kernels: TowerSuite runs it
};

// Throws UsageError for an unknown name.
const Suite& findSuite(const std::string& name);
std::string suiteNames();

} // namespace lbm::bench
