// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/Suites.hpp"

namespace lbm::bench {
namespace {

using Words = std::vector<std::string>;

const Words deep = {"t2c", "packed", "ab", "aa", "tgb", "connectivity", "fluidIndex"};
const Words flat = {"tgb", "t2c", "packed", "ab", "aa", "connectivity", "fluidIndex"};
const Words bothModels = {"bgk", "mrt"}, bothEquilibria = {"incompressible", "quasiCompressible"};

// BGK and MRT, each incompressible and quasi-compressible, in the columns' order.
std::vector<Published> models(const std::string& storage, const std::array<double, 4>& mlups,
                              const std::array<double, 4>& utilisation)
{
    return {{storage, "bgk", "incompressible", mlups[0], utilisation[0]},
            {storage, "bgk", "quasiCompressible", mlups[1], utilisation[1]},
            {storage, "mrt", "incompressible", mlups[2], utilisation[2]},
            {storage, "mrt", "quasiCompressible", mlups[3], utilisation[3]}};
}

SuiteCase sparse3D(const std::string& name, const std::string& geometry, int size, double spheres, double mlups,
                   double utilisation, const std::vector<Published>& others, const PublishedModel& model)
{
    SuiteCase c{"Table 3",
                name,
                geometry,
                size,
                spheres,
                "D3Q19",
                deep,
                {"bgk"},
                {"quasiCompressible"},
                {"double"},
                {{"", "bgk", "quasiCompressible", mlups, utilisation}},
                {model}};
    c.published.insert(c.published.begin(), others.begin(), others.end());
    return c;
}

SuiteCase chip(const std::string& name, const std::string& geometry, int width, const std::array<double, 4>& mlups,
               const std::array<double, 4>& utilisation, const PublishedModel& model)
{
    return {"Table 4",
            name,
            geometry,
            width,
            0,
            "D2Q9",
            flat,
            bothModels,
            bothEquilibria,
            {"double"},
            models("", mlups, utilisation),
            {model}};
}

// Figures of others in Table 3 are for other devices; coarctation: D3Q15, estimated by the authors; aneurysm: single
// precision on four devices.
Suite seed000()
{
    return {"seed000",
            "Tomczak & Szafran 2019, NVIDIA GTX Titan",
            "of 288.4 GB/s by data sheet",
            {{"Table 2",
              "cavity3D",
              "cavity3D",
              192,
              0,
              "D3Q19",
              deep,
              bothModels,
              bothEquilibria,
              {"double"},
              models("", {682, 639, 473, 476}, {0.719, 0.674, 0.499, 0.502}),
              {}},
             {"Table 2",
              "cavity2D",
              "cavity2D",
              2048,
              0,
              "D2Q9",
              flat,
              bothModels,
              bothEquilibria,
              {"double"},
              models("", {1060, 1020, 920, 865}, {0.529, 0.509, 0.459, 0.432}),
              {}},
             sparse3D("Coarctation", "coarctation", 286, 0, 574, 0.605, {{"fluidIndex", "", "", 150, 0.2}},
                      {0.09, 0.81, 0.91, {1.19, 1.50, 1.28, 1.47}, {0.046, 0.032, 1.140, 0.24}, 0.271, 0.075}),
             sparse3D("Aneurysm", "aneurysm", 439, 0, 572, 0.603, {{"connectivity", "", "", 1090, 0.404}},
                      {0.18, 0.93, 0.97, {0.95, 1.17, 1.15, 1.47}, {0.040, 0.028, 1.075, 0.24}, 0.102, 0.079}),
             sparse3D("RAS_0.7", "ras", 192, 0.7, 565, 0.596, {{"connectivity", "", "", 334, 0.488}},
                      {0.70, 0.90, 0.94, {0.99, 1.24, 1.04, 1.47}, {0.041, 0.029, 1.019, 0.24}, 0.141, 0.079}),
             sparse3D("RAS_0.8", "ras", 192, 0.8, 558, 0.588, {{"connectivity", "", "", 330, 0.482}},
                      {0.80, 0.94, 0.96, {0.92, 1.15, 1.03, 1.47}, {0.040, 0.028, 1.016, 0.24}, 0.096, 0.069}),
             sparse3D("RAS_0.9", "ras", 192, 0.9, 558, 0.588, {{"connectivity", "", "", 337, 0.493}},
                      {0.90, 0.97, 0.97, {0.86, 1.08, 1.03, 1.47}, {0.038, 0.027, 1.015, 0.24}, 0.058, 0.062}),
             chip("ChipB_32", "chipB", 32, {961, 938, 832, 850}, {0.480, 0.468, 0.415, 0.424},
                  {0.20, 0.84, 0.92, {0.42, 1.42, 1.28, 1.44}, {0.025, 0.022, 1.142, 0.22}, 0.314, 0.115}),
             chip("ChipA_32", "chipA", 32, {956, 943, 832, 849}, {0.477, 0.471, 0.415, 0.424},
                  {0.20, 0.83, 0.91, {0.43, 1.45, 1.28, 1.44}, {0.025, 0.022, 1.139, 0.22}, 0.326, 0.113}),
             chip("ChipB_16", "chipB", 16, {861, 842, 733, 751}, {0.430, 0.420, 0.366, 0.375},
                  {0.20, 0.74, 0.87, {0.58, 1.73, 1.28, 1.44}, {0.028, 0.025, 1.141, 0.22}, 0.475, 0.149}),
             chip("ChipA_16", "chipA", 16, {842, 822, 705, 722}, {0.420, 0.414, 0.352, 0.360},
                  {0.20, 0.71, 0.86, {0.65, 1.85, 1.27, 1.44}, {0.029, 0.026, 1.137, 0.22}, 0.539, 0.143}),
             chip("ChipB_08", "chipB", 8, {697, 682, 587, 600}, {0.348, 0.341, 0.293, 0.300},
                  {0.20, 0.60, 0.82, {0.94, 2.37, 1.27, 1.44}, {0.034, 0.031, 1.137, 0.22}, 0.812, 0.216}),
             chip("ChipA_08", "chipA", 8, {673, 659, 564, 578}, {0.336, 0.329, 0.282, 0.289},
                  {0.21, 0.58, 0.80, {1.01, 2.49, 1.27, 1.44}, {0.035, 0.032, 1.133, 0.22}, 0.874, 0.205})}};
}

// AoS, push, pull, with branches removed, with fewer registers, with both, with tiling as well.
Words ladder(bool withOurs)
{
    Words steps = {"denseAos", "densePush", "densePull", "denseBranchless", "denseBounded", "denseFull", "denseTiled"};
    if (withOurs) steps.insert(steps.end(), {"ab", "t2c", "aa"});
    return steps;
}

// Averages over the numbers of time steps of Table 3; push from the text.
SuiteCase ladderOnK20(int size, double aos, double push, double pull, double tiled)
{
    return {"Table 3, Tesla K20",
            std::to_string(size) + "^3",
            "cavity3D",
            size,
            0,
            "D3Q19",
            ladder(true),
            {"bgk"},
            {"quasiCompressible"},
            {"double", "float"},
            {{"denseAos", "", "", aos, 0},
             {"densePush", "", "", push, 0},
             {"densePull", "", "", pull, 0},
             {"denseTiled", "", "", tiled, 0}},
            {}};
}

SuiteCase ladderOnGtx285(int size, const std::array<double, 7>& mlups)
{
    SuiteCase c{"Table 5, GTX285", std::to_string(size) + "^3", "cavity3D",          size, 0, "D3Q19", ladder(false),
                {"bgk"},           {"quasiCompressible"},       {"double", "float"}, {},   {}};
    for (std::size_t i = 0; i < mlups.size(); ++i) c.published.push_back({c.storages[i], "", "", mlups[i], 0});
    return c;
}

Suite seed002()
{
    return {"seed002",
            "Tran, Lee & Hong 2017",
            "not printed",
            {ladderOnK20(64, 112.41, 743.4, 797.30, 1092.99), ladderOnK20(128, 78.69, 780, 838.39, 1167.69),
             ladderOnK20(192, 76.86, 790.16, 849.83, 1168.8), ladderOnK20(256, 74.99, 787.13, 848.37, 1168.91),
             ladderOnGtx285(64, {45.22, 240.97, 257.36, 268.45, 283.24, 296.73, 328.87}),
             ladderOnGtx285(128, {49.85, 242.12, 259.04, 270.58, 285.68, 299.79, 335.77}),
             ladderOnGtx285(160, {50.15, 237.58, 254.18, 266.25, 279.59, 294.26, 328.62})}};
}

// CPU: the roofs of Table 3 for Broadwell, which the text says are met but for MR with D3Q27.
SuiteCase vessel(const std::string& geometry, int size, const std::string& lattice, double ab, double aa, double mr)
{
    return {"Table 3, roofs of two Xeon E5-2699V4",
            geometry + " " + lattice,
            geometry,
            size,
            0,
            lattice,
            {"ab", "aa", "moments"},
            {"regularized"},
            {"quasiCompressible"},
            {"double"},
            {{"ab", "", "", ab, 0}, {"aa", "", "", aa, 0}, {"moments", "", "", mr, 0}},
            {},
            true};
}

// The paper varies the largest layer of a window from 500 to 8000 nodes, which is to fit a share of the last cache. Ours, of
// tiles, is to fit the first one.
SuiteCase layers(const std::string& geometry, int size)
{
    return {"Figure 7, layer sizes",
            geometry + " D3Q19",
            geometry,
            size,
            0,
            "D3Q19",
            {"moments"},
            {"regularized"},
            {"quasiCompressible"},
            {"double"},
            {},
            {},
            false,
            {"8x4x16", "8x8x16", "8x8x8", "8x16x8"}};
}

Suite seed003()
{
    return {"seed003",
            "Gounley, Vardhan, Draeger, Valero-Lara, Moore & Randles 2022",
            "of the roof of Table 5",
            {vessel("coarctation", 286, "D3Q19", 108, 167, 241),
             vessel("coarctation", 286, "D3Q27", 77, 118, 212),
             vessel("aneurysm", 256, "D3Q19", 108, 167, 241),
             vessel("aneurysm", 256, "D3Q27", 77, 118, 212),
             layers("coarctation", 286),
             layers("aneurysm", 256),
             {"Figure 13, V100",
              "channel D2Q9",
              "box",
              4096,
              0,
              "D2Q9",
              {"ab", "aa", "moments"},
              {"regularized"},
              {"quasiCompressible"},
              {"double"},
              {{"ab", "", "", 5300, 0.85}, {"moments", "", "", 7000, 0.75}},
              {}}}};
}

const std::vector<Suite>& suites()
{
    static const std::vector<Suite> all = {
        seed000(),
        seed002(),
        seed003(),
        {"seed004", "Levchenko & Perepelkina 2022, AMD Ryzen R9 5950X", "of the stepwise roofline", {}, true}};
    return all;
}

} // namespace

const Suite& findSuite(const std::string& name)
{
    for (const Suite& suite : suites())
        if (suite.name == name) return suite;
    throw UsageError("--suite " + name + ": unknown; valid are " + suiteNames());
}

std::string suiteNames()
{
    std::string text;
    for (const Suite& suite : suites()) text.append(text.empty() ? "" : ", ").append(suite.name);
    return text;
}

} // namespace lbm::bench
