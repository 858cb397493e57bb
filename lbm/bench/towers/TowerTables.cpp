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

void printLevel(std::ostream& out, const std::string& name, const std::string& size, double bytesPerSecond)
{
    printColumns(out, name, {size, withDigits(1e-9 * bytesPerSecond, 1) + " GB/s"});
}

void printLimit(std::ostream& out, const std::string& task, const std::string& size, const std::string& level,
                double bytesPerNode, double mlups)
{
    printColumns(out, "  " + task, {size, "with", level, withDigits(bytesPerNode, 1) + " B", withDigits(mlups, 1)});
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
    struct Printed {
        int values, bytes, flop, operations;
    };
    printColumns(out, "velocities", {"S/B", "paper", "FLOp", "paper", "a value", "O", "paper", "a value"});
    for (const Printed& p : {Printed{1, 4, 30, 30}, Printed{7, 28, 78, 114}, Printed{9, 36, 126, 206},
                             Printed{13, 52, 150, 246}, Printed{15, 60, 174, 290}, Printed{19, 76, 198, 330},
                             Printed{21, 84, 246, 422}, Printed{27, 108, 294, 506}}) {
        const NodeCost c = shellCost(p.values, 4);
        printColumns(out, "D3Q" + std::to_string(p.values),
                     {withDigits(c.bytes, 0), std::to_string(p.bytes), withDigits(c.flop, 0), std::to_string(p.flop),
                      withDigits(c.flop / p.values, 1), withDigits(c.operations, 0), std::to_string(p.operations),
                      withDigits(c.operations / p.values, 1)});
    }
}

// Data of vectors of eight octants and of scalars, and intensity. That of ReFoldTF is by section 3.5, of both its parts together; the
// paper's does not follow from it.
void printTable2(std::ostream& out)
{
    const NodeCost c = shellCost(19, 4);
    constexpr double N = 256, n = 32;
    struct Line {
        std::string task;
        double bytes; // of vectors; scalars are an eighth
        const char *vector, *scalar;
        double intensity;
        const char* printed;
        double ofEquation;
    };
    const double inner = model::cube(N - n) / model::innerIntensity(c, N, n);
    const double boundary = (model::cube(N) - model::cube(N - n)) / model::boundaryIntensity(c, N, n);
    const double cells = c.bytes * 8;
    std::vector<Line> lines = {
        {"cube of 512^3, 32", model::cube(N) * cells, "", "9.5G", model::cubeIntensity(c, n), "69.6", 0},
        {"ReFoldTF<256,32>", (model::cube(N) - model::cube(N - n)) * cells, "3.2G", "",
         model::cube(N) / (inner + boundary), "37.1", 0}};
    // The data of its ConeFold<32> are those of 16 steps
    struct Tower {
        double m, steps;
        const char *vector, *scalar, *intensity;
    };
    for (const Tower& t : {Tower{32, 16, "69M", "8.7M", "9.6"}, Tower{16, 32, "26.7M", "3.3M", "6.2"},
                           Tower{8, 32, "5.6M", "719K", "3.7"}, Tower{4, 32, "1.04M", "134K", "2.5"},
                           Tower{2, 32, "152K", "19K", "2.2"}})
        lines.push_back({"TorreFold<" + withDigits(t.m, 0) + ',' + withDigits(t.steps, 0) + '>',
                         model::footprintCells(t.m, t.steps) * cells, t.vector, t.scalar,
                         model::footprintIntensity(c, t.m, t.steps), t.intensity,
                         model::torreIntensity(c, t.m, t.steps)});
    lines.push_back(
        {"LRnLA cell", model::lrnlaCellCells * cells, "8.9K", "1.1K", model::lrnlaCellIntensity(c), "2.3", 0});
    lines.push_back({"cell", cells, "608B", "76B", model::cellIntensity(c), "1.1", 0});
    lines.push_back({"stepwise", model::cube(N) * cells, "", "9.5G", c.intensity(), "2.2", 0});
    printColumns(out, "D3Q19 float, N = 256", {"loc.V", "paper", "loc.S", "paper", "AI", "paper", "of (3.3)"});
    for (const Line& line : lines) {
        const bool whole = line.vector[0] == 0; // kept as scalars alone: of all octants
        printColumns(out, line.task,
                     {whole ? "" : sized(line.bytes), line.vector,
                      whole                ? sized(line.bytes)
                          : line.scalar[0] ? sized(line.bytes / 8)
                                           : "",
                      line.scalar, withDigits(line.intensity, 1), line.printed,
                      line.ofEquation > 0 ? withDigits(line.ofEquation, 1) : ""});
    }
}

} // namespace lbm::bench
