// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/TowerTables.hpp"

#include <iomanip>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace lbm::bench {

using model::NodeCost;

std::string withDigits(double value, int digits)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

std::string sized(double bytes)
{
    const char* unit[] = {"B", "K", "M", "G"};
    int u = 0;
    for (; u < 3 && bytes >= 1000; ++u) bytes /= 1024;
    return withDigits(bytes, bytes < 10 && u > 0 ? 2 : 0) + unit[u];
}

void printColumns(std::ostream& out, const std::string& title, const Columns& columns)
{
    out << std::left << std::setw(24) << title << std::right;
    for (const std::string& text : columns) out << std::setw(11) << text;
    out << '\n';
}

NodeCost shellCost(int values, int valueBytes)
{
    for (int shells = 0; shells < 8; ++shells)
        if (const NodeCost c = model::bgkCost(shells & 1, shells & 2, shells & 4, valueBytes); c.values == values)
            return c;
    throw std::logic_error("no shells have " + std::to_string(values) + " links");
}

void printTable1(std::ostream& out)
{
    printColumns(out, "velocities", {"values", "S/B", "FLOp", "a value", "O", "a value"});
    for (const int values : {1, 7, 9, 13, 15, 19, 21, 27}) {
        const NodeCost c = shellCost(values, 4);
        printColumns(out, "D3Q" + std::to_string(values),
                     {withDigits(values, 0), withDigits(c.bytes, 0), withDigits(c.flop, 0),
                      withDigits(c.flop / values, 1), withDigits(c.operations, 0),
                      withDigits(c.operations / values, 1)});
    }
}

// Printed: data of vectors of eight octants, and intensity.
void printTable2(std::ostream& out)
{
    const NodeCost c = shellCost(19, 4);
    constexpr double k = 1024, M = k * k;
    struct Line {
        double m, steps, vector, intensity;
    };
    printColumns(out, "D3Q19 float, N = 256", {"loc.V", "paper", "AI", "paper", "AI of (3.3)"});
    printColumns(out, "cube of 512^3, 32", {"", "", withDigits(model::cubeIntensity(c, 32), 1), "69.6", ""});
    // The data of its ConeFold<32> are those of 16 steps
    for (const Line& p : {Line{32, 16, 69 * M, 9.6}, Line{16, 32, 26.7 * M, 6.2}, Line{8, 32, 5.6 * M, 3.7},
                          Line{4, 32, 1.04 * M, 2.5}, Line{2, 32, 152 * k, 2.2}})
        printColumns(out, "TorreFold<" + withDigits(p.m, 0) + ',' + withDigits(p.steps, 0) + '>',
                     {sized(model::footprintCells(p.m, p.steps) * c.bytes * 8), sized(p.vector),
                      withDigits(model::footprintIntensity(c, p.m, p.steps), 1), withDigits(p.intensity, 1),
                      withDigits(model::torreIntensity(c, p.m, p.steps), 1)});
    printColumns(
        out, "LRnLA cell",
        {sized(model::lrnlaCellCells * c.bytes * 8), "8.9K", withDigits(model::lrnlaCellIntensity(c), 1), "2.3", ""});
    printColumns(out, "cell", {sized(c.bytes * 8), "608B", withDigits(model::cellIntensity(c), 1), "1.1", ""});
    printColumns(out, "stepwise", {"", "", withDigits(c.intensity(), 1), "2.2", ""});
}

} // namespace lbm::bench
