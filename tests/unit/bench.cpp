// lbmBench: command line, geometries, a short run. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/benchMain.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace lbm::bench;

namespace {

Options parsed(std::vector<const char*> words)
{
    words.insert(words.begin(), "lbmBench");
    return parse(int(words.size()), words.data());
}

void expectComplaint(const std::vector<const char*>& words, const std::string& about)
{
    try {
        parsed(words);
        FAIL() << "no complaint about " << about;
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find(about), std::string::npos) << error.what();
    }
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
    expectComplaint({"--sise", "3"}, "--sise");
    expectComplaint({"--size"}, "--size");
    expectComplaint({"--size", "12x"}, "--size");
    expectComplaint({"--size", "0"}, "--size");
    expectComplaint({"--porosity", "1.5"}, "--porosity");
    expectComplaint({"--threads", "0"}, "--threads");
    expectComplaint({"--storage", "aa,,ab"}, "--storage");
    expectComplaint({"--list=yes"}, "--list");
    expectComplaint({"--repeats", "0"}, "--repeats");
}

TEST(BenchOptions, helpNamesEveryOption)
{
    for (const char* option : {"--list", "--geometry", "--size", "--porosity", "--diameter", "--lattice", "--collision",
             "--equilibrium", "--storage", "--precision", "--device", "--threads", "--steps", "--repeats", "--json"})
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
    const auto made = makeGeometry(o, "D3Q19", {{"stl", [&](const std::string& f, int n, const std::vector<lbm::Int3>& c) {
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

int bench(std::vector<const char*> words)
{
    words.insert(words.begin(), "lbmBench");
    return benchMain(int(words.size()), words.data());
}

} // namespace

TEST(BenchMain, exitCodeTellsWhatHappened)
{
    EXPECT_EQ(bench({"--help"}), 0);
    EXPECT_EQ(bench({"--list"}), 0);
    EXPECT_EQ(bench({"--nonsense"}), 2);
    EXPECT_EQ(bench({"--storage", "nonsense"}), 2);
    EXPECT_EQ(bench({"--geometry", "nonsense"}), 2);
    EXPECT_EQ(bench({"--size", "8", "--tau", "0.5"}), 1);
    EXPECT_EQ(bench({"--size", "100000"}), 1);      // more populations than any memory holds
    EXPECT_EQ(bench({"--size", "8", "--json", "no/such/folder/result.json"}), 1);
}

TEST(BenchMain, shortRunWritesItsResults)
{
    const std::string file = testing::TempDir() + "lbmBenchTest.json";
    std::filesystem::remove(file);
    ASSERT_EQ(bench({"--geometry", "ras", "--size", "24", "--diameter", "8", "--porosity", "0.6", "--storage", "aa,t2c",
                     "--steps", "2", "--repeats", "2", "--json", file.c_str()}), 0);
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    for (const char* key : {"\"mlups\"", "\"efficiency\"", "\"bandwidth\"", "\"bytesPerNode\": 304", "\"tilePorosity\"",
             "\"porosity\"", "\"perFluidNode\"", "\"traffic\": \"inPlace\"", "\"traffic\": \"copy\"", "\"repeats\": 2"})
        EXPECT_NE(text.str().find(key), std::string::npos) << key;
    EXPECT_FALSE(std::filesystem::exists(file + ".part"));
    std::filesystem::remove(file);
}
