// lbmBench: command line, geometries, a short run. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/TowerKernels.hpp"
#include "lbm/bench/benchMain.hpp"
#include "tests/built.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <unistd.h>

using namespace lbm::bench;

namespace {

Options parsed(std::vector<const char*> words)
{
    words.insert(words.begin(), "lbmBench");
    return parse(int(words.size()), words.data());
}

void expectUsageError(const std::vector<const char*>& words, const std::string& about)
{
    try {
        parsed(words);
        FAIL() << "no complaint about " << about;
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find(about), std::string::npos) << error.what();
    }
}

// Tests of another build may run at the same time
std::string ownFile(const std::string& name)
{
    return testing::TempDir() + name + "." + std::to_string(getpid()) + ".json";
}

} // namespace

TEST(BenchOptions, listsMultiply)
{
    const Options o = parsed({"--storage", "aa,t2c", "--precision=float,double", "--threads", "1,2", "--tau", "0.75"});
    const auto configs = o.configs();
    ASSERT_EQ(configs.size(), 8u);
    EXPECT_EQ(configs[0].storage, "aa");
    EXPECT_EQ(configs[0].precision, "float");
    EXPECT_EQ(configs[0].threads, 1);
    EXPECT_EQ(configs[7].storage, "t2c");
    EXPECT_EQ(configs[7].precision, "double");
    EXPECT_EQ(configs[7].threads, 2);
    EXPECT_EQ(configs[7].tau, 0.75);
}

TEST(BenchOptions, errorsNameTheOption)
{
    expectUsageError({"--sise", "3"}, "--sise");
    expectUsageError({"--siz", "3"}, "--siz");
    expectUsageError({"48"}, "48");
    expectUsageError({"--size", "8", "--size", "9"}, "--size");
    expectUsageError({"--size"}, "--size");
    expectUsageError({"--size", "12x"}, "--size");
    expectUsageError({"--size", "0"}, "--size");
    expectUsageError({"--porosity", "1.5"}, "--porosity");
    expectUsageError({"--link", "nvlink"}, "--link goes with --model and --parts");
    expectUsageError({"--model", "--rate", "100"}, "--rate goes with --model and --parts");
    expectUsageError({"--model", "--parts", "2", "--link", "thread"}, "thread' is none of nvlink, host");
    expectUsageError({"--model", "--parts", "2", "--link", "ndr,ndr,ndr"}, "--link");
    expectUsageError({"--model", "--parts", "2", "--per-host", "0"}, "--per-host");
    expectUsageError({"--threads", "0"}, "--threads");
    expectUsageError({"--storage", "aa,,ab"}, "--storage");
    expectUsageError({"--size", "99999999999"}, "from 1 to 1000000000");
    expectUsageError({"--porosity", "nan"}, "from 0 to 1");
    expectUsageError({"--seed", "-1"}, "--seed: '-1'");
    expectUsageError({"--list=yes"}, "--list");
    expectUsageError({"--wall", "curved"}, "--wall");
    expectUsageError({"--force", "none"}, "--force");
    expectUsageError({"--closure", "nodefield"}, "nodeField");
    expectUsageError({"--repeats", "0"}, "--repeats");
    expectUsageError({"--scale", "2"}, "--suite");
    expectUsageError({"--suite", "seed000", "--size", "2"}, "--size");
    expectUsageError({"--fold", "8"}, "--towers");
    expectUsageError({"--towers", "--fold", "0"}, "--fold");
    expectUsageError({"--towers", "--storage", "aa"}, "--storage");
    expectUsageError({"--hetero", "--device", "cuda"}, "--hetero");
    expectUsageError({"--towers", "--hetero"}, "--hetero");
    expectUsageError({"--towers", "--device", "cuda", "--share-devices"}, "--share-devices");
    expectUsageError({"--towers", "--hetero", "--device", "cuda", "--steps-at-once", "8"}, "--steps-at-once");
}

TEST(BenchOptions, helpNamesEveryOption)
{
    for (const char* option :
         {"--list",        "--geometry", "--size",      "--porosity", "--diameter", "--lattice",      "--collision",
          "--equilibrium", "--storage",  "--precision", "--device",   "--threads",  "--steps",        "--repeats",
          "--read",        "--json",     "--model",     "--suite",    "--only",     "--scale",        "--width",
          "--wall",        "--force",    "--towers",    "--hetero",   "--fold",     "--steps-at-once"})
        EXPECT_NE(usage().find(option), std::string::npos) << option;
}

TEST(BenchGeometry, mustFitTheLattice)
{
    Options o;
    o.size = 4;
    for (const char* word : {"cavity2D", "sphere", "stl:vessel.stl", "obj:vessel.obj"}) {
        o.geometry = word;
        EXPECT_THROW(makeGeometry(o, "D3Q19", {}), UsageError) << word;
    }
    o.geometry = "cavity3D";
    EXPECT_THROW(makeGeometry(o, "D2Q9", {}), UsageError);
    o.geometry = "box";
    EXPECT_EQ(makeGeometry(o, "D2Q9", {}).domain.nodes(), 16);
    EXPECT_EQ(makeGeometry(o, "D3Q19", {}).domain.nodes(), 64);
}

TEST(BenchGeometry, asksTheSourceForFiles)
{
    Options o;
    o.size = 5;
    o.geometry = "stl:some/file.stl";
    std::string file;
    const auto made =
        makeGeometry(o, "D3Q19", {{"stl", [&](const std::string& f, int n, const std::vector<lbm::Int3>& c) {
                                       file = f;
                                       EXPECT_EQ(c.size(), 19u);
                                       auto domain = lbm::box({n, n, n}).domain;
                                       domain.patches = {"wall"};
                                       return domain;
                                   }}});
    EXPECT_EQ(file, "some/file.stl");
    EXPECT_EQ(made.domain.nodes(), 125);
    EXPECT_EQ(made.patches.size(), 1u);
}

namespace {

int runBench(std::vector<const char*> words)
{
    words.insert(words.begin(), "lbmBench");
    return benchMain(int(words.size()), words.data());
}

} // namespace

TEST(BenchMain, exitCodeTellsWhatHappened)
{
    EXPECT_EQ(runBench({"--help"}), 0);
    EXPECT_EQ(runBench({"--list"}), 0);
    EXPECT_EQ(runBench({"--nonsense"}), 2);
    EXPECT_EQ(runBench({"--storage", "nonsense"}), 2);
    EXPECT_EQ(runBench({"--geometry", "nonsense"}), 2);
    EXPECT_EQ(runBench({"--size", "8", "--tau", "0.5"}), 1);
    EXPECT_EQ(runBench({"--suite", "nonsense"}), 2);
    EXPECT_EQ(runBench({"--suite", "seed000", "--only", "nonsense"}), 2);
    EXPECT_EQ(runBench({"--suite", "seed002", "--only", "64^3", "--storage", "nonsense"}), 2);
    EXPECT_EQ(runBench({"--model", "--size", "8", "--storage", "nonsense"}), 2);
    EXPECT_EQ(runBench({"--size", "100000"}), 1); // more populations than any memory holds
    EXPECT_EQ(runBench({"--size", "8", "--json", "no/such/folder/result.json"}), 1);
}

TEST(BenchMain, shortRunWritesItsResults)
{
    const std::string file = ownFile("lbmBenchTest");
    std::filesystem::remove(file);
    ASSERT_EQ(runBench({"--geometry", "ras",       "--size",    "24",     "--diameter", "8",
                        "--porosity", "0.6",       "--storage", "aa,t2c", "--wall",     "halfway,interpolated",
                        "--steps",    "2",         "--repeats", "2",      "--read",     "5",
                        "--json",     file.c_str()}),
              0);
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    for (const char* key : {"\"mlups\"", "\"efficiency\"", "\"bandwidth\"", "\"bytesPerNode\": 304", "\"tilePorosity\"",
                            "\"porosity\"", "\"perFluidNode\"", "\"traffic\": \"inPlace\"", "\"traffic\": \"copy\"",
                            "\"repeats\": 2", "\"wall\": \"interpolated\"", "\"read\": {"})
        EXPECT_NE(text.str().find(key), std::string::npos) << key;
    EXPECT_FALSE(std::filesystem::exists(file + ".part"));
    std::filesystem::remove(file);
}

// Of 17 moments, which no lattice has as many populations as.
TEST(BenchMain, countsMomentsOfThirdOrder)
{
    lbm::Config config;
    config.lattice = "D3Q27";
    config.collision = "cumulant";
    config.storage = "moments";
    SKIP_IF_LEFT_OUT(config);
    const std::string file = ownFile("lbmBenchThird");
    ASSERT_EQ(runBench({"--lattice", "D3Q27", "--collision", "cumulant", "--storage", "moments", "--size", "16",
                        "--steps", "2", "--repeats", "1", "--json", file.c_str()}),
              0);
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    EXPECT_NE(text.str().find("\"bytesPerNode\": 272"), std::string::npos);
    std::filesystem::remove(file);
}

// The rows of the papers' suites.
lbm::Config published()
{
    lbm::Config config;
    config.collision = "bgk";
    config.equilibrium = "quasiCompressible";
    return config;
}

TEST(BenchMain, modelAndSuitePrintPublishedFiguresBesideOurs)
{
    SKIP_IF_LEFT_OUT(published());
    testing::internal::CaptureStdout();
    EXPECT_EQ(runBench({"--suite", "seed000", "--only", "ChipA_08", "--model"}), 0);
    EXPECT_EQ(runBench({"--model", "--geometry", "coarctation", "--size", "40", "--storage", "aa,t2c"}), 0);
    EXPECT_EQ(runBench({"--suite", "seed002", "--only", "64^3", "--scale", "0.125", "--storage", "aa,missing",
                        "--precision", "double", "--steps", "2", "--repeats", "1"}),
              0);
    const std::string text = testing::internal::GetCapturedStdout();
    // ChipA_08 of Table 1, a method of the model, a row that was measured, one that this build lacks.
    for (const char* part :
         {"paper    0.21   0.58     0.80", "ideal FIA", "quasiCompressible aa double", "missing bgk"})
        EXPECT_NE(text.find(part), std::string::npos) << part;
}

// Devices that are not there, and kernels that need not be built.
TEST(BenchMain, modelPlansForManyDevices)
{
    testing::internal::CaptureStdout();
    EXPECT_EQ(runBench({"--model", "--geometry",  "aneurysm",    "--size",      "64",    "--storage",
                        "moments", "--collision", "regularized", "--precision", "float", "--device",
                        "cuda",    "--tile",      "32x8x4",      "--rate",      "27000", "--parts",
                        "1,64",    "--link",      "nvlink,25:3", "--per-host",  "4"}),
              0);
    std::istringstream text(testing::internal::GetCapturedStdout());
    std::map<int, std::vector<double>> lines; // by parts: least, most, imbalance in per cent ...
    bool said = false;
    for (std::string line; std::getline(text, line);) {
        said = said || line.find("nvlink (369 GB/s, 6.7 us) within hosts of 4, 25:3 (25 GB/s, 3.0 us)") != line.npos;
        std::erase_if(line, [](char c) { return c == '%' || c == '|'; });
        std::istringstream words(line);
        int parts = 0;
        if (!(words >> parts)) continue;
        for (double value; words >> value;) lines[parts].push_back(value);
    }
    EXPECT_TRUE(said);
    ASSERT_EQ(lines[1].size(), 12u);
    ASSERT_EQ(lines[64].size(), 12u);
    EXPECT_EQ(lines[1][0], lines[1][1]);
    EXPECT_EQ(lines[1][2], 0);
    EXPECT_EQ(lines[1][8], 1); // efficiency of one device
    EXPECT_LT(lines[64][1], lines[1][1] / 64 * 1.2);
    EXPECT_LT(lines[64][8], lines[64][11]); // weak scaling is the easier one
    testing::internal::CaptureStderr();
    EXPECT_EQ(runBench({"--model", "--size", "16", "--storage", "aa", "--parts", "2"}), 2); // how fast is a CPU?
    EXPECT_NE(testing::internal::GetCapturedStderr().find("--rate"), std::string::npos);
}

TEST(BenchMain, suiteWritesItsResults)
{
    SKIP_IF_LEFT_OUT(published());
    const std::string file = ownFile("lbmBenchSuiteTest");
    std::filesystem::remove(file);
    ASSERT_EQ(runBench({"--suite", "seed000", "--only", "Coarctation", "--scale", "0.1", "--storage", "aa", "--steps",
                        "2", "--repeats", "1", "--json", file.c_str()}),
              0);
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    for (const char* key : {"\"suite\": \"seed000\"", "\"name\": \"Coarctation\"", "\"predicted\"", "\"size\": 29"})
        EXPECT_NE(text.str().find(key), std::string::npos) << key;
    std::filesystem::remove(file);
}

// What flow between plates is held against is exact: the error falls with the square of the spacing.
TEST(BenchMain, accuracyOfAKernelIsThatOfTheLattice)
{
    const auto poiseuille = [](const char* size) {
        testing::internal::CaptureStdout();
        EXPECT_EQ(runBench({"--accuracy", "--lattice", "D2Q9", "--collision", "regularized", "--storage", "aa",
                            "--precision", "double", "--size", size}),
                  0);
        const std::string text = testing::internal::GetCapturedStdout();
        EXPECT_NE(text.find("aa double 16x16x1"), std::string::npos) << text;
        std::istringstream line(text.substr(text.find("kernel\n") + 7));
        std::string vortices, fromTheFirst;
        double error = 1;
        line >> vortices >> fromTheFirst >> error;
        return error;
    };
    EXPECT_NEAR(poiseuille("8") / poiseuille("16"), 4, 0.1);
}

TEST(BenchMain, towersOfTheBuiltShells)
{
    testing::internal::CaptureStdout();
    EXPECT_EQ(runBench({"--towers", "--size", "16", "--fold", "4", "--steps-at-once", "3", "--precision",
                        "float,double", "--threads", "2", "--repeats", "1"}),
              0);
    const std::string text = testing::internal::GetCapturedStdout();
    for (const Shell& shell : shells())
        for (const char* precision : {" bgk float", " bgk double"})
            EXPECT_NE(text.find(shell.name + (shell.solvesNavierStokes ? "" : "*") + precision), std::string::npos)
                << text;
    EXPECT_EQ(runBench({"--towers", "--size", "16", "--fold", "16"}), 2);
    EXPECT_EQ(runBench({"--towers", "--size", "16", "--fold", "6"}), 2);
    EXPECT_EQ(runBench({"--towers", "--device", "cuda", "--size", "16", "--fold", "8"}), 2); // it has but one n
    EXPECT_EQ(runBench({"--towers", "--device", "cuda:0,1", "--size", "16"}), 2); // a CPU's box alone is shared
    EXPECT_EQ(runBench({"--towers", "--hetero", "--device", "cuda:0,", "--size", "32", "--fold", "8"}), 2);
    EXPECT_EQ(runBench({"--suite", "seed004", "--device", "cuda", "--threads", "2"}), 2);
    EXPECT_EQ(runBench({"--towers", "--size", "16", "--fold", "4", "--collision", "mrt"}), 2);
    EXPECT_EQ(runBench({"--towers", "--size", "16", "--fold", "4", "--lattice", "D2Q9"}), 2);
    EXPECT_EQ(runBench({"--towers", "--size", "99968", "--fold", "32"}), 1); // more than any memory holds
}

// MLUPS of fluid nodes; what is not periodic is closed by solid ones.
TEST(BenchMain, towersOfGeometries)
{
    const std::string file = ownFile("lbmBenchTowersTest");
    const auto run = [&](std::vector<const char*> geometry) {
        std::filesystem::remove(file);
        std::vector<const char*> all{"--towers", "--fold",    "4", "--precision", "float,double", "--threads",
                                     "2",        "--repeats", "1", "--json",      file.c_str()};
        all.insert(all.end(), geometry.begin(), geometry.end());
        EXPECT_EQ(runBench(all), 0);
        std::stringstream text;
        text << std::ifstream(file).rdbuf();
        std::string one; // line
        for (char c : text.str())
            if (c != '\n' && c != ' ') one += c;
        return one;
    };
    const std::string cavity = run({"--geometry", "cavity3D", "--size", "16"});
    EXPECT_NE(cavity.find("\"geometry\":{\"name\":\"cavity3D\",\"size\":16}"), std::string::npos) << cavity;
    EXPECT_NE(cavity.find("\"fluidNodes\":4096,\"box\":[24,24,24]"), std::string::npos) << cavity;
    const std::string ras = run({"--geometry", "ras", "--size", "16", "--porosity", "0.5", "--diameter", "6"});
    EXPECT_NE(ras.find("\"name\":\"ras\",\"size\":16,\"porosity\":0.5"), std::string::npos) << ras;
    EXPECT_NE(ras.find("\"box\":[16,16,16]"), std::string::npos) << ras;
    const std::string box = run({"--size", "16"});
    EXPECT_NE(box.find("\"name\":\"box\""), std::string::npos) << box;
    EXPECT_NE(box.find("\"fluidNodes\":4096,\"box\":[16,16,16]"), std::string::npos) << box;
    std::filesystem::remove(file);
    EXPECT_EQ(runBench({"--towers", "--geometry", "chipA"}), 2);
    EXPECT_EQ(runBench({"--towers", "--geometry", "nonsense"}), 2);
}

TEST(BenchMain, suiteOfTowers)
{
    testing::internal::CaptureStdout();
    EXPECT_EQ(runBench({"--suite", "seed004", "--scale", "0.03125", "--fold", "4", "--steps-at-once", "3", "--threads",
                        "1,2", "--repeats", "1"}),
              0);
    const std::string text = testing::internal::GetCapturedStdout();
    for (const char* word :
         {"Table 1", "Table 2", "memory, 2 threads", "TorreFold<4,3>", "tiers in L1", "the paper's", "Figure 11"})
        EXPECT_NE(text.find(word), std::string::npos) << word << '\n' << text;
    EXPECT_EQ(runBench({"--suite", "seed004", "--only", "nonsense"}), 2);
    EXPECT_EQ(runBench({"--suite", "seed004", "--storage", "aa"}), 2);
    EXPECT_EQ(runBench({"--suite", "seed004", "--fold", "6", "--only", "Figure 11"}), 2);
    EXPECT_EQ(runBench({"--suite", "seed003", "--fold", "8"}), 2);
}
