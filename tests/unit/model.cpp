// Overheads against the figures that Tomczak & Szafran 2019 print, tilings against what can be counted by hand.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Closure.hpp"
#include "lbm/api/Solver.hpp"
#include "lbm/bench/geometries/generators.hpp"
#include "lbm/geometry/BoxCut.hpp"
#include "lbm/geometry/PartDomain.hpp"
#include "lbm/model/DomainCounts.hpp"
#include "lbm/model/Prediction.hpp"
#include "lbm/model/TileOrder.hpp"
#include "lbm/storage/moments/gpu/RunTime.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace lbm;
using namespace lbm::model;

namespace {

// D2Q9 with tiles of 16 x 16 or D3Q19 with 4 x 4 x 4, in double precision: the paper's two implementations.
SparseCase paperCase(bool flat)
{
    SparseCase c;
    c.lattice = countDirections(latticeDirections(flat ? "D2Q9" : "D3Q19"));
    c.tile = flat ? Int3{16, 16, 1} : Int3{4, 4, 4};
    return c;
}

struct Table1Row {
    const char* name;
    bool flat;
    double porosity, tilePorosity, alphaM;
    double memory[4], traffic[4]; // TGB, T2C, FIA, CM
};

const Method columns[] = {Method::ghostBuffers, Method::twoCopies, Method::fluidIndex, Method::connectivity};

const Table1Row table1[] = {
    {"RAS_0.9", false, 0.90, 0.97, 0.97, {0.86, 1.08, 1.03, 1.47}, {0.038, 0.027, 1.015, 0.24}},
    {"RAS_0.8", false, 0.80, 0.94, 0.96, {0.92, 1.15, 1.03, 1.47}, {0.040, 0.028, 1.016, 0.24}},
    {"RAS_0.7", false, 0.70, 0.90, 0.94, {0.99, 1.24, 1.04, 1.47}, {0.041, 0.029, 1.019, 0.24}},
    {"Aneurysm", false, 0.18, 0.93, 0.97, {0.95, 1.17, 1.15, 1.47}, {0.040, 0.028, 1.075, 0.24}},
    {"Coarctation", false, 0.09, 0.81, 0.91, {1.19, 1.50, 1.28, 1.47}, {0.046, 0.032, 1.140, 0.24}},
    {"ChipA_08", true, 0.21, 0.58, 0.80, {1.01, 2.49, 1.27, 1.44}, {0.035, 0.032, 1.133, 0.22}},
    {"ChipB_08", true, 0.20, 0.60, 0.82, {0.94, 2.37, 1.27, 1.44}, {0.034, 0.031, 1.137, 0.22}},
    {"ChipA_16", true, 0.20, 0.71, 0.86, {0.65, 1.85, 1.27, 1.44}, {0.029, 0.026, 1.137, 0.22}},
    {"ChipB_16", true, 0.20, 0.74, 0.87, {0.58, 1.73, 1.28, 1.44}, {0.028, 0.025, 1.141, 0.22}},
    {"ChipA_32", true, 0.20, 0.83, 0.91, {0.43, 1.45, 1.28, 1.44}, {0.025, 0.022, 1.139, 0.22}},
    {"ChipB_32", true, 0.20, 0.84, 0.92, {0.42, 1.42, 1.28, 1.44}, {0.025, 0.022, 1.142, 0.22}}};

struct Range {
    double low, high;
};

// Of a result that falls or rises with each input, for inputs that were rounded to two digits.
template<class F>
Range overRounding(const Table1Row& row, F&& result)
{
    Range range{1e300, -1e300};
    for (double dp : {-0.005, 0.005})
        for (double dt : {-0.005, 0.005})
            for (double da : {-0.005, 0.005}) {
                SparseCase c = paperCase(row.flat);
                c.porosity = row.porosity + dp;
                c.tilePorosity = row.tilePorosity + dt;
                c.alphaM = row.alphaM + da;
                c.allOverFluid = c.tilePorosity / c.porosity; // where tiles fill the box
                const double value = result(c);
                range.low = std::min(range.low, value);
                range.high = std::max(range.high, value);
            }
    return range;
}

double rounded(double value, int digits) { return std::round(value * std::pow(10, digits)) / std::pow(10, digits); }

// What is printed must be what rounding makes of some value in the range.
void expectPrinted(const Range& range, double printed, int digits, const std::string& what)
{
    EXPECT_LE(rounded(range.low, digits), printed + 1e-9) << what;
    EXPECT_GE(rounded(range.high, digits), printed - 1e-9) << what;
}

} // namespace

TEST(ModelOfThePaper, constantsOfLattices)
{
    const auto counts = [](const char* lattice) { return countDirections(latticeDirections(lattice)); };
    EXPECT_DOUBLE_EQ(counts("D2Q9").ghostBuffersPerValue(), 4.0 / 3);
    EXPECT_DOUBLE_EQ(counts("D3Q19").ghostBuffersPerValue(), 30.0 / 19);
    EXPECT_DOUBLE_EQ(counts("D3Q27").ghostBuffersPerValue(), 2);
    EXPECT_EQ(counts("D2Q9").ghostIndices(), 28);
    EXPECT_EQ(counts("D3Q19").ghostIndices(), 72);
    EXPECT_EQ(counts("D3Q27").ghostIndices(), 152);
    EXPECT_EQ(counts("D3Q15").three, 8);
    EXPECT_EQ(counts("D2Q9").corners(), 4);
    EXPECT_EQ(counts("D3Q19").corners(), 0);
}

// Equations (25), (26), (31), (32) and the numbers after (35) and (37).
TEST(ModelOfThePaper, equationsForItsTwoImplementations)
{
    for (double phi : {1.0, 0.5})
        for (bool flat : {true, false}) {
            SparseCase c = paperCase(flat);
            c.tilePorosity = phi;
            c.allOverFluid = 5;
            c.alphaM = 0.8;
            const double t2c = flat ? 2.028 + 0.00022 * 5 : 2.013 + 0.00041 * 5;
            const double tgb = flat ? 1.034 + 0.167 * 0.8 : 1.043 + 0.789 * 0.8;
            EXPECT_NEAR(memoryOverhead(Method::twoCopies, c).sum(), t2c / phi - 1, 0.0006 / phi);
            EXPECT_NEAR(memoryOverhead(Method::ghostBuffers, c).sum(), tgb / phi - 1, 0.0011 / phi);
            EXPECT_NEAR(trafficOverhead(Method::twoCopies, c).ideal(), (flat ? 0.0184 : 0.0259) / phi, 0.00005 / phi);
            EXPECT_NEAR(trafficOverhead(Method::ghostBuffers, c).ideal(), (flat ? 0.0206 : 0.0370) / phi,
                        0.00005 / phi);
        }
}

TEST(ModelOfThePaper, table1)
{
    for (const Table1Row& row : table1)
        for (int m = 0; m < 4; ++m) {
            const std::string what = std::string(row.name) + ", column " + std::to_string(m);
            const auto memory = [&](const SparseCase& c) { return memoryOverhead(columns[m], c).sum(); };
            const auto traffic = [&](const SparseCase& c) { return trafficOverhead(columns[m], c).ideal(); };
            expectPrinted(overRounding(row, memory), row.memory[m], 2, "memory of " + what);
            expectPrinted(overRounding(row, traffic), row.traffic[m], m == 3 ? 2 : 3, "traffic of " + what);
        }
}

// The one case whose fluid nodes the text tells: inputs are exact there, and so are the digits.
TEST(ModelOfThePaper, coarctationFromItsFluidNodes)
{
    SparseCase c = paperCase(false);
    c.porosity = 659105.0 / 6990336;
    EXPECT_EQ(rounded(memoryOverhead(Method::fluidIndex, c).sum(), 2), 1.28);
    EXPECT_EQ(rounded(trafficOverhead(Method::fluidIndex, c).ideal(), 3), 1.140);
    EXPECT_DOUBLE_EQ(659105 * nodeTraffic(c) / 32, 6261497.5); // transactions at least, section 4.2.3
}

// Table 5 gives no alpha_B, but the text says that it lies between 0.9 alpha_M and about alpha_M.
TEST(ModelOfThePaper, burstTransactionsOfTable5)
{
    const double flat[] = {0.874, 0.812, 0.539, 0.475, 0.326, 0.314}, deep[] = {0.058, 0.096, 0.141, 0.102, 0.271};
    for (int i = 0; i < 11; ++i) {
        const Table1Row& row = table1[i];
        Range range{1e300, -1e300};
        for (double share : {0.9, 1.0}) {
            const Range r = overRounding(row, [&](SparseCase c) {
                c.alphaB = share * c.alphaM;
                return trafficOverhead(row.flat ? Method::ghostBuffers : Method::twoCopies, c).burst();
            });
            range = {std::min(range.low, r.low), std::max(range.high, r.high)};
        }
        expectPrinted(range, row.flat ? flat[i - 5] : deep[i], 3, row.name);
    }
}

// Below 0.875 (D2Q9) and 0.944 (D3Q19) of solid nodes the ideal fluid index array moves less (preprint, 2.3.3).
TEST(ModelOfThePaper, idealVariantsCross)
{
    for (bool flat : {true, false}) {
        SparseCase c = paperCase(flat);
        const double solid = flat ? 0.875 : 1 - 1.0 / 18;
        for (double d : {-0.01, 0.01}) {
            c.porosity = 1 - solid - d;
            const double array = trafficOverhead(Method::idealFluidIndex, c).ideal();
            const double matrix = trafficOverhead(Method::idealConnectivity, c).ideal();
            EXPECT_EQ(array < matrix, d < 0);
            EXPECT_DOUBLE_EQ(trafficOverhead(Method::fluidIndex, c).ideal(), 1 + array);
        }
    }
}

TEST(ModelOfThePaper, utilisationOfTable2)
{
    const double titan = 288.384e9;
    EXPECT_EQ(rounded(utilisation(682, nodeTraffic(paperCase(false)), titan), 3), 0.719);
    EXPECT_EQ(rounded(utilisation(1060, nodeTraffic(paperCase(true)), titan), 3), 0.529);
}

TEST(Tilings, fullBox)
{
    const auto directions = latticeDirections("D3Q19");
    const Tiling cavity = measureTiling(cavity3D(16, directions).domain, {4, 4, 4}, directions);
    EXPECT_EQ(cavity.tiles, 64);
    EXPECT_EQ(cavity.allTiles, 64);
    EXPECT_EQ(cavity.plainTiles, 8);
    EXPECT_EQ(cavity.innerTiles, 8);
    EXPECT_EQ(cavity.tilePorosity(), 1);
    EXPECT_DOUBLE_EQ(cavity.alphaM, 0.75); // a quarter of the faces is the box's own
    // Of 72 buffers a tile: 30 written and 30 read across faces, 12 read across edges.
    EXPECT_DOUBLE_EQ(cavity.alphaB, (60 * 0.75 + 12 * 0.75 * 0.75) / 72);

    const Tiling periodic = measureTiling(box({16, 16, 16}).domain, {4, 4, 4}, directions);
    EXPECT_EQ(periodic.plainTiles, 64);
    EXPECT_EQ(periodic.alphaM, 1);
    EXPECT_EQ(periodic.alphaB, 1);
}

// Two tiles that meet at a corner keep one buffer each, read for one value.
TEST(Tilings, tilesThatMeetAtACorner)
{
    Domain domain;
    domain.dimensions = 2;
    domain.size = {8, 8, 1};
    domain.fluid = BitSet(64);
    domain.fluid.set(domain.index(3, 3, 0));
    domain.fluid.set(domain.index(4, 4, 0));
    const Tiling tiling = measureTiling(domain, {4, 4, 1}, latticeDirections("D2Q9"));
    EXPECT_EQ(tiling.tiles, 2);
    EXPECT_EQ(tiling.allTiles, 4);
    EXPECT_EQ(tiling.tilePorosity(), 2.0 / 32);
    EXPECT_DOUBLE_EQ(tiling.alphaM, 2.0 / 24);
    // Written 4 of 48 values a tile; read 1 of 48 + 4.
    EXPECT_DOUBLE_EQ(tiling.alphaB, 5.0 / (48 + 52));
    EXPECT_EQ(nodesInGroups(domain, {4, 4, 1}, 4), 8);
    EXPECT_EQ(nodesInGroups(domain, {4, 4, 1}, 1), 2);
    EXPECT_EQ(nodesPacked(domain, {4, 4, 1}, 4), 8);
}

// 8 x 8 tiles: neighbours along y lie 8 apart row by row. Along the curve the step over n tiles' border is 1 within
// pairs, 3 between them, and so on; half of all steps along x, and of those along y, stay within squares of two.
TEST(Tilings, ordersOfASquare)
{
    const Domain domain = cavity2D(32, latticeDirections("D2Q9")).domain;
    const TileOrder near = compareOrders(domain, {4, 4, 1}, 2), far = compareOrders(domain, {4, 4, 1}, 8);
    EXPECT_DOUBLE_EQ(near.rows, 0.5);
    EXPECT_DOUBLE_EQ(far.rows, 1);
    EXPECT_DOUBLE_EQ(near.curve, 2 * 32.0 / (2 * 56));
    EXPECT_THROW(compareOrders(domain, {0, 1, 1}, 1), std::invalid_argument);
}

TEST(Tilings, refuseNonsense)
{
    const auto directions = latticeDirections("D2Q9");
    Domain solid;
    solid.dimensions = 2;
    solid.size = {4, 4, 1};
    solid.fluid = BitSet(16);
    EXPECT_THROW(measureTiling(solid, {4, 4, 1}, directions), std::invalid_argument);
    EXPECT_THROW(measureTiling(box({4, 4, 1}).domain, {0, 4, 1}, directions), std::invalid_argument);
}

namespace {

std::vector<Domain> sparseDomains(bool flat)
{
    std::vector<Domain> domains;
    if (flat) {
        domains.push_back(chipA(4).domain);
    } else {
        domains.push_back(ras(64, 0.7, 20).domain);
        domains.push_back(ras(64, 0.2, 20).domain);
        domains.push_back(coarctation(100).domain);
    }
    return domains;
}

} // namespace

// What solvers hold, within 3 %.
TEST(Predictions, memoryIsWhatSolversHold)
{
    for (const char* lattice : {"D2Q9", "D3Q15", "D3Q19", "D3Q27"})
        for (const Domain& domain : sparseDomains(std::string(lattice) == "D2Q9")) {
            const auto shared = std::make_shared<const Domain>(domain);
            Predictor predictor(*shared);
            for (const char* precision : {"double", "float"}) {
                Config config;
                config.lattice = lattice;
                config.precision = precision;
                config.collision = "bgk";
                for (const KernelRow& row : storagesFor(config)) {
                    if (!Predictor::knows(row)) continue;
                    config.storage = row.storage;
                    const MemoryUse held = makeSolver(shared, config)->memory();
                    const double each = double(held.populations + held.geometry) / double(shared->fluidNodes());
                    EXPECT_NEAR(predictor.predict(row).memory / each, 1, 0.03) << name(row);
                }
            }
        }
}

// A measured row of lbm/bench/results/h200.md: 384^3 nodes there, and memory and efficiency of 2 304 bytes a node.
TEST(Predictions, packedAndTilesOnAGpu)
{
    const Domain domain = ras(192, 0.3).domain;
    Predictor predictor(domain);
    const auto predict = [&](const char* storage) {
        return predictor.predict(
            {"D3Q19", "bgk", "constant", "incompressible", storage, "double", "cuda", "simt", "4x4x4"});
    };
    EXPECT_NEAR(predict("t2c").memory, 432, 5);
    EXPECT_NEAR(predict("packed").memory, 312, 3);
    EXPECT_NEAR(predict("t2c").efficiency(), 0.693, 0.03);
    EXPECT_NEAR(predict("packed").efficiency(), 0.811, 0.03);
    EXPECT_DOUBLE_EQ(predict("packed").least, 304);
    EXPECT_THROW(predict("nonsense"), std::invalid_argument);
}

// Baselines store what the paper's equations say, but for a byte or a word a node where it counts two.
TEST(Predictions, baselinesFollowThePaper)
{
    const Domain domain = coarctation(100).domain;
    Predictor predictor(domain);
    const auto directions = latticeDirections("D3Q19");
    const auto predict = [&](const char* storage, const char* tile) {
        return predictor.predict(
            {"D3Q19", "bgk", "constant", "incompressible", storage, "double", "cuda", "simt", tile});
    };
    const SparseCase c = sparseCase(measureTiling(domain, {4, 4, 4}, directions), directions, Sizes());
    const double node = nodeMemory(c);
    EXPECT_NEAR(predict("tgb", "4x4x4").memory / node, 1 + memoryOverhead(Method::ghostBuffers, c).sum(), 0.03);
    EXPECT_NEAR(predict("connectivity", "128x1x1").memory / node, 1 + memoryOverhead(Method::connectivity, c).sum(),
                1e-9);
    EXPECT_NEAR(predict("connectivity", "128x1x1").overhead(), trafficOverhead(Method::connectivity, c).ideal(), 1e-9);
    EXPECT_NEAR(predict("fluidIndex", "128x1x1").memory / node, 1 + memoryOverhead(Method::fluidIndex, c).sum(), 1e-9);
    EXPECT_NEAR(predict("densePull", "128x1x1").memory / node, 1 + memoryOverhead(Method::dense, c).sum(), 0.1);
}

// MLUPS that lbm/bench/results (sparse-gpu.md, its JSON files) hold for the papers' cases, against the predicted order.
// Storages within 5 % of each other may change places.
TEST(Predictions, orderIsTheMeasuredOne)
{
    struct Measured {
        const char *storage, *tile;
        double mlups;
    };
    struct Case {
        const char *lattice, *precision;
        const Domain& domain;
        std::vector<Measured> rows;
    };
    const Domain vessel = coarctation(286).domain, spheres = ras(192, 0.9).domain;
    const Domain wide = chipA(16).domain, narrow = chipA(8).domain;
    const Case cases[] = {{"D3Q19",
                           "double",
                           vessel,
                           {{"t2c", "4x4x4", 10178},
                            {"packed", "4x4x4", 11302},
                            {"aa", "32x2x2", 8506},
                            {"tgb", "4x4x4", 8321},
                            {"connectivity", "128x1x1", 9647},
                            {"fluidIndex", "128x1x1", 3577}}},
                          {"D3Q19",
                           "double",
                           spheres,
                           {{"t2c", "4x4x4", 12061},
                            {"packed", "4x4x4", 12042},
                            {"aa", "32x2x2", 11736},
                            {"tgb", "4x4x4", 9338},
                            {"connectivity", "128x1x1", 9981},
                            {"fluidIndex", "128x1x1", 5289},
                            {"moments", "32x8x4", 15851}}},
                          {"D3Q19",
                           "float",
                           spheres,
                           {{"t2c", "4x4x4", 23298}, {"packed", "4x4x4", 21240}, {"connectivity", "128x1x1", 14813}}},
                          {"D2Q9",
                           "double",
                           wide,
                           {{"tgb", "16x16x1", 21123},
                            {"t2c", "16x16x1", 23484},
                            {"packed", "8x8x1", 24377},
                            {"connectivity", "128x1x1", 22572},
                            {"fluidIndex", "128x1x1", 10046}}},
                          {"D2Q9",
                           "double",
                           narrow,
                           {{"tgb", "16x16x1", 19281},
                            {"t2c", "16x16x1", 20003},
                            {"packed", "8x8x1", 22563},
                            {"connectivity", "128x1x1", 23480},
                            {"fluidIndex", "128x1x1", 9403}}}};
    for (const Case& c : cases) {
        Predictor predictor(c.domain);
        std::vector<double> predicted;
        for (const Measured& row : c.rows)
            predicted.push_back(
                predictor.predict({c.lattice, "", "", "", row.storage, c.precision, "cuda", "simt", row.tile}).speed());
        for (std::size_t i = 0; i < predicted.size(); ++i)
            for (std::size_t k = 0; k < predicted.size(); ++k)
                if (c.rows[i].mlups > 1.05 * c.rows[k].mlups) {
                    EXPECT_GT(predicted[i], predicted[k])
                        << c.rows[i].storage << ' ' << c.rows[k].storage << ' ' << c.domain.fluidNodes();
                }
    }
}

// lbm/bench/results/moments.md, a box of 384^3 nodes without walls, step by step; a smaller one has the same bytes a node.
TEST(Predictions, momentsTakeWhatWasMeasured)
{
    const Domain domain = box({64, 64, 64}).domain;
    Predictor predictor(domain);
    const auto predict = [&](const char* storage, const char* precision) {
        return predictor.predict(
            {"D3Q19", "regularized", "constant", "incompressible", storage, precision, "cuda", "simt", "32x8x4"}, false,
            true);
    };
    EXPECT_NEAR(predict("moments", "double").memory, 149.1, 0.5);
    EXPECT_NEAR(predict("moments", "float").memory, 74.6, 0.5);
    EXPECT_NEAR(predict("moments16", "float").memory, 36.1, 0.5);
    EXPECT_NEAR(predict("moments", "double").efficiency(), 0.818, 0.02);
    EXPECT_DOUBLE_EQ(predict("moments", "double").least, 144);
    EXPECT_EQ(predict("moments16", "float").share, 0);
}

// lbm/bench/results/two-steps.md, boxes of 384^3 and 512^3 on an H200: 34 996 and 64 206 MLUPS of copies at 4 170 GB/s. One step a pass where
// a force acts, at walls, in parts, and where blocks of threads would idle.
TEST(Predictions, boxesTakeTwoStepsAPass)
{
    const Domain domain = box({128, 128, 128}).domain;
    Predictor predictor(domain);
    const auto row = [](const char* storage, const char* precision, const char* tile,
                        const char* collision = "regularized") {
        return KernelRow{"D3Q19", collision, "constant", "incompressible", storage, precision, "cuda", "simt", tile};
    };
    const auto mlups = [](const Prediction& p) { return 1e-6 * 4170e9 * p.efficiency() / p.least; };
    const Prediction two = predictor.predict(row("moments", "double", "32x8x4"));
    EXPECT_EQ(two.steps, 2);
    EXPECT_DOUBLE_EQ(two.least, 72);
    EXPECT_NEAR(mlups(two) / 34996, 1, 0.03);
    EXPECT_NEAR(mlups(predictor.predict(row("moments", "float", "32x8x4"))) / 64206, 1, 0.03);

    const Prediction one = predictor.predict(row("moments", "double", "32x8x4"), false, true);
    EXPECT_EQ(one.steps, 1);
    EXPECT_DOUBLE_EQ(one.least, 144);
    EXPECT_NEAR(two.speed() / one.speed(), 1.49, 0.05);
    EXPECT_EQ(predictor.predict(row("moments16", "float", "32x8x4")).steps, 1);
    EXPECT_EQ(predictor.predict(row("moments", "double", "16x8x4")).steps, 1);
    EXPECT_EQ(predictor.predict(row("moments", "double", "32x8x4", "recursiveRegularized")).steps, 1);
    EXPECT_EQ(Predictor(box({64, 64, 64}).domain).predict(row("moments", "double", "32x8x4")).steps, 2);
    EXPECT_EQ(Predictor(box({32, 32, 32}).domain).predict(row("moments", "double", "32x8x4")).steps, 1);
    EXPECT_EQ(Predictor(box({128, 128, 130}).domain).predict(row("moments", "double", "32x8x4")).steps, 1);
    EXPECT_EQ(
        Predictor(cavity3D(128, latticeDirections("D3Q19")).domain).predict(row("moments", "double", "32x8x4")).steps,
        1);
    EXPECT_EQ(Predictor(ras(128, 0.9).domain).predict(row("moments", "double", "32x8x4")).steps, 1);

    Config config;
    EXPECT_FALSE(stepsOneByOne(config));
    config.force = {0, 1e-5, 0};
    EXPECT_TRUE(stepsOneByOne(config));
    config.force = {0, 0, 0};
    config.parts = 2;
    EXPECT_TRUE(stepsOneByOne(config));
}

// Parts that lie in the whole breadth and depth of a periodic box, and on whole tiles.
TEST(Predictions, partsOfBoxesHavePassesWhereTheyAreCutAcrossY)
{
    const Int3 tile{32, 8, 4}, none{0, 0, 0};
    Domain whole = box({64, 48, 32}).domain;
    const auto passedOver = [&](const Brick& brick, int reach = 1) {
        return boxOfPasses(*PartDomain(whole, brick, reach, tile).domain(), tile);
    };
    EXPECT_EQ(boxOfPasses(whole, tile), (Int3{64, 48, 32}));
    EXPECT_EQ(passedOver({{0, 0, 0}, {64, 24, 32}}), (Int3{64, 24, 32}));
    EXPECT_EQ(passedOver({{0, 40, 0}, {64, 8, 32}}), (Int3{64, 8, 32}));
    EXPECT_EQ(passedOver({{0, 0, 0}, {64, 20, 32}}), none);
    EXPECT_EQ(passedOver({{0, 0, 0}, {64, 48, 16}}), none);
    EXPECT_EQ(passedOver({{32, 0, 0}, {32, 48, 32}}), none);
    EXPECT_EQ(passedOver({{0, 24, 0}, {64, 24, 16}}), none);
    EXPECT_EQ(passedOver({{0, 0, 0}, {64, 24, 32}}, 2), none);
    whole.fluid.clear(whole.index(5, 24, 7)); // a ghost of the lower half
    EXPECT_EQ(passedOver({{0, 0, 0}, {64, 24, 32}}), none);
    EXPECT_EQ(passedOver({{0, 32, 0}, {64, 8, 32}}), (Int3{64, 8, 32}));
    whole.periodic[1] = false;
    EXPECT_EQ(passedOver({{0, 40, 0}, {64, 8, 32}}), none);
}

// By what columns read: their own rows and those of all steps of a pass on either side.
TEST(Predictions, columnsOfARimAreThoseThatReadOrOwnGhosts)
{
    for (int rows = 8; rows < 200; ++rows) {
        int found = 0;
        for (int first = 0; first < rows; first += PassColumn::rows) {
            const int below = first - PassColumn::steps, above = first + PassColumn::rows + PassColumn::steps;
            found += below < 0 || above > rows;
        }
        EXPECT_EQ(rimColumns(rows), found) << rows;
    }
}

// By hand, D3Q19 in double precision on tiles of 32 x 8 x 4: a face has 5 populations a node and side, which is 2.5 bytes a node of
// the tile and copy, and with velocities 4; 0.1 are tables. They are read and written in each step that looks at their gradient.
TEST(Predictions, facesHoldVelocitiesWhereTheirGradientIsLookedAt)
{
    const Domain domain = box({64, 64, 64}).domain;
    Predictor predictor(domain);
    const auto predict = [&](const char* collision, const char* closure, bool looks) {
        return predictor.predict(
            {"D3Q19", collision, closure, "incompressible", "moments", "double", "cuda", "simt", "32x8x4"}, looks,
            true);
    };
    const Prediction plain = predict("regularized", "constant", false);
    EXPECT_NEAR(plain.traffic, 144 + 5, 0.2);
    for (const Prediction& looking :
         {predict("hybridRegularized", "constant", false), predict("regularized", "nodeField", true)}) {
        EXPECT_NEAR(looking.traffic - plain.traffic, 3, 1e-9);
        EXPECT_NEAR(looking.memory - plain.memory, 3, 1e-9);
    }
    const Prediction told = predict("regularized", "nodeField", false);
    EXPECT_NEAR(told.traffic, plain.traffic, 1e-9);
    EXPECT_NEAR(told.memory - plain.memory, 3, 1e-9);
}

// The same of what is foreseen before a solver is made: one copy has faces, too, and what a step finds around nodes takes no memory.
TEST(Predictions, facesAreForeseen)
{
    const Domain domain = box({64, 64, 64}).domain;
    const auto bytes = [&](const char* storage, const char* precision, const char* collision, const char* closure) {
        Config config;
        config.lattice = "D3Q19";
        config.device = "cuda";
        config.storage = storage;
        config.precision = precision;
        config.collision = collision;
        config.closure = closure;
        const KernelRow row{"D3Q19",
                            collision,
                            std::string(findClosure(closure)->kernel),
                            config.equilibrium,
                            storage,
                            precision,
                            "cuda",
                            "simt",
                            "32x8x4"};
        return double(memoryOf(countDomain(domain, row), row, config).populations) / double(domain.fluidNodes());
    };
    EXPECT_DOUBLE_EQ(bytes("moments", "double", "regularized", "constant"), 2 * (72 + 2.5));
    EXPECT_DOUBLE_EQ(bytes("momentsSingle", "double", "regularized", "constant"), 72 + 2.5);
    EXPECT_DOUBLE_EQ(bytes("momentsSingle", "float", "hybridRegularized", "constant"), 36 + 2);
    EXPECT_DOUBLE_EQ(bytes("moments16Single", "float", "hybridRegularized", "constant"), 18);
    EXPECT_DOUBLE_EQ(bytes("momentsSingle", "double", "regularized", "nodeField"), 72 + 4 + 8);
    EXPECT_DOUBLE_EQ(bytes("momentsSingle", "double", "regularized", "WALE"), 72 + 4);
}

namespace {

// 32 x 32 x 256 fluid nodes in whole tiles of 8 x 8 x 16; on three sides, and so on all, a layer of tiles is solid.
Domain closedChannel()
{
    Domain domain;
    domain.size = {40, 40, 272};
    domain.fluid = BitSet(domain.nodes());
    for (int z = 16; z < domain.size[2]; ++z)
        for (int y = 8; y < domain.size[1]; ++y)
            for (int x = 8; x < domain.size[0]; ++x) domain.fluid.set(domain.index(x, y, z));
    return domain;
}

} // namespace

// By hand: three velocities of eight bytes for a row of eight nodes, where their gradient is looked at; and a solver that looks takes as
// much more than one that does not. It is a long channel with closed ends: across a periodic side sweeps keep each face of a tile
// besides, here those of a layer of tiles: 0.6 bytes a node of a thread.
TEST(Predictions, velocitiesOfFirstNodesAreForeseenOnACpu)
{
    const auto domain = std::make_shared<const Domain>(closedChannel());
    const double nodes = double(domain->fluidNodes());
    const auto configOf = [](const char* collision, const char* closure) {
        Config config;
        config.lattice = "D3Q19";
        config.storage = "moments";
        config.tile = "8x8x16";
        config.collision = collision;
        config.closure = closure;
        config.threads = 1;
        return config;
    };
    const auto foreseen = [&](const Config& config) {
        const std::string kernel(findClosure(config.closure)->kernel);
        const KernelRow row{config.lattice, config.collision, kernel,     config.equilibrium, config.storage, "double",
                            "cpu",          "simd",           config.tile};
        return double(memoryOf(countDomain(*domain, row), row, config).populations) / nodes;
    };
    const auto held = [&](const Config& config) {
        return double(makeSolver(domain, config)->memory().populations) / nodes;
    };
    const auto expectMore = [&](const Config& with, const Config& without) {
        EXPECT_DOUBLE_EQ(foreseen(with) - foreseen(without), 3);
        EXPECT_NEAR(held(with) - held(without), 3, 1) << with.collision << ", " << with.closure;
    };
    expectMore(configOf("hybridRegularized", "constant"), configOf("recursiveRegularized", "constant"));
    expectMore(configOf("regularized", "WALE"), configOf("regularized", "constant"));
}

// Spheres: moments on smaller tiles. H200, 256^3: 16 858 of 15 154 MLUPS; a box of 384^3: 22 229 of 23 499.
TEST(Predictions, tilesOfMomentsAreChosen)
{
    Config config;
    config.device = "cuda";
    config.collision = "regularized";
    config.storage = "moments";
    config.tile = "16x8x4";
    try {
        findKernel(config);
    } catch (const UnknownKernel& missing) {
        GTEST_SKIP() << missing.what();
    }
    config.tile.clear();
    EXPECT_EQ(chooseStorage(ras(128, 0.7).domain, config).best().name, "moments, tile 16x8x4");
    EXPECT_EQ(chooseStorage(box({128, 128, 128}).domain, config).best().name, "moments");
    config.tile = "32x8x1";
    EXPECT_EQ(chooseStorage(ras(128, 0.7).domain, config).best().row.tile, "32x8x1");
    // Slabs are of thin tiles; what stays on the device is of the kind that is measured to be fast there
    config.tile.clear();
    config.precision = "float";
    EXPECT_EQ(chooseStorage(box({128, 128, 128}).domain, config).best().row.tile, "32x8x4");
    config.deviceMemory = 1e12;
    EXPECT_EQ(chooseStorage(box({128, 128, 128}).domain, config).best().row.tile, "32x8x1");
}

TEST(Predictions, choiceForTheHost)
{
    Config config;
    config.storage = "auto";
    config.collision = "bgk";
    const Choice choice = chooseStorage(ras(48, 0.5, 16).domain, config);
    if (choice.candidates.empty()) GTEST_SKIP() << "no kernel of bgk in this build";
    EXPECT_EQ(choice.best().row.storage, "aa");
    EXPECT_FALSE(choice.reason.empty());
    for (const Choice::Candidate& c : choice.candidates)
        EXPECT_LE(c.prediction.speed(), choice.best().prediction.speed() * (1 + 1.1 * alike));
    EXPECT_EQ(choice.best().name, "aa"); // of populations shares are known for the default tile alone
    config.precision = "half";
    EXPECT_TRUE(chooseStorage(ras(48, 0.5, 16).domain, config).candidates.empty());
}

namespace {

KernelRow rowWithTile(const char* tile)
{
    KernelRow row = kernels().front();
    row.device = "cpu";
    row.lattice = "D3Q19";
    row.tile = tile;
    return row;
}

// Of tiles, counted and estimated from a coarser domain: how far off the estimate is.
double tilesOff(const Domain& coarse, const Domain& fine, const char* tile, double times)
{
    const DomainCounts counted = countDomain(fine, rowWithTile(tile));
    const DomainCounts estimated = countDomain(coarse, rowWithTile(tile)).refined(times, fine.size, counted.fluid);
    EXPECT_EQ(estimated.box, counted.box);
    EXPECT_EQ(estimated.boxTiles, counted.boxTiles);
    EXPECT_EQ(estimated.fluid, counted.fluid);
    return estimated.tiles / counted.tiles - 1;
}

} // namespace

// A full box has as many tiles as the box, however its sides cut them.
TEST(DomainCounts, tilesOfAFinerBoxAreExact)
{
    const auto directions = latticeDirections("D3Q19");
    for (const int n : {64, 66, 69, 71})
        for (const char* tile : {"4x4x4", "32x8x4"}) {
            const Domain coarse = cavity3D(23, directions).domain, fine = cavity3D(n, directions).domain;
            EXPECT_NEAR(tilesOff(coarse, fine, tile, n / 23.0), 0, 1e-12) << n << ' ' << tile;
        }
}

// As coarse as a sketch of three thousandths of the nodes.
TEST(DomainCounts, tilesOfFinerVesselsAreNear)
{
    EXPECT_NEAR(tilesOff(aneurysm(60).domain, aneurysm(240).domain, "4x4x4", 4), 0, 0.02);
    EXPECT_NEAR(tilesOff(coarctation(80).domain, coarctation(320).domain, "4x4x4", 4), 0, 0.02);
    EXPECT_NEAR(tilesOff(ras(48, 0.7, 16).domain, ras(144, 0.7, 48).domain, "4x4x4", 3), 0, 0.02);
}

// Nodes with the volume, links with the area of the walls.
TEST(DomainCounts, nodesAndLinksOfFinerVessels)
{
    const auto directions = latticeDirections("D3Q19");
    const DomainCounts coarse = countDomain(cavity3D(30, directions).domain, rowWithTile("4x4x4"));
    const DomainCounts fine = countDomain(cavity3D(90, directions).domain, rowWithTile("4x4x4"));
    const DomainCounts estimated = coarse.refined(3, fine.size);
    EXPECT_NEAR(estimated.fluid, fine.fluid, 1e-6 * fine.fluid);
    ASSERT_EQ(estimated.patchLinks.size(), fine.patchLinks.size());
    for (std::size_t p = 0; p < fine.patchLinks.size(); ++p)
        EXPECT_NEAR(estimated.patchLinks[p], fine.patchLinks[p], 0.05 * fine.patchLinks[p]);
    const DomainCounts vessel = countDomain(aneurysm(60).domain, rowWithTile("4x4x4")).refined(4, {240, 240, 240});
    const double nodes = double(aneurysm(240).domain.fluidNodes());
    EXPECT_NEAR(vessel.fluid, nodes, 0.01 * nodes);
}

// Of two places: both taken, a layer takes 1; one, 0.4 + 0.6/2.
TEST(RunTime, isThatOfPlacesThatAreTakenInTurn)
{
    EXPECT_DOUBLE_EQ(runTime({}, 2), 0);
    EXPECT_NEAR(runTime({10, 10}, 2), 10, 1e-12);
    EXPECT_NEAR(runTime({10}, 2), 7, 1e-12);
    EXPECT_NEAR(runTime({10, 4, 6}, 2), 10, 1e-12);
    EXPECT_NEAR(runTime({10, 10, 10}, 2), 17, 1e-12);
    EXPECT_NEAR(runTime({4, 10, 3}, 2), 7 + 3 * 0.7, 1e-12);
}

// Runs of a step, one after another: never longer than the one before, and the last ones of each place are the shortest.
TEST(RunTime, shrinksRunsTowardsTheEndOfAStep)
{
    constexpr int places = 396, tiles = 18 * places, shortest = 3, longest = 32;
    int shortOnes = 0;
    for (int left = tiles, before = longest; left > 0; left -= before) {
        const int length = std::min(left, shrinkingRun(left, places, shortest, longest));
        ASSERT_LE(length, before);
        ASSERT_TRUE(length >= shortest || length == left);
        shortOnes += length == shortest;
        before = length;
    }
    EXPECT_GE(shortOnes, places * 9 / 10);
    EXPECT_LE(shortOnes, places * 3 / 2);
    EXPECT_EQ(shrinkingRun(tiles, places, shortest, longest), 22);
    EXPECT_EQ(shrinkingRun(100 * tiles, places, shortest, longest), longest);
    EXPECT_EQ(shrinkingRun(1, places, shortest, longest), shortest);
}
