// What a domain file carries, and what it refuses. Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Checkpoint.hpp"
#include "adapters/checkpoint/DomainFile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

namespace lbm::test {
namespace {

namespace fs = std::filesystem;

const DomainIdentity identity = {{"surface", "a sphere"}, {"cell size", "0.1"}};

class DomainFiles : public testing::Test {
protected:
    DomainFiles() : folder_(fs::temp_directory_path() / ("lbmDomainFile." + std::to_string(getpid())))
    {
        fs::create_directories(folder_);
    }
    ~DomainFiles() override { fs::remove_all(folder_); }

    void SetUp() override
    {
        if (!checkpointsAvailable()) GTEST_SKIP() << "this build has no HDF5";
    }

    std::string path() const { return (folder_ / "domain.h5").string(); }
    DomainFile file() const { return DomainFile(path()); }

    std::vector<std::string> namesInFolder() const
    {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
        return names;
    }

    std::string bytes() const
    {
        std::ifstream is(path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(is), {}};
    }

    void put(const std::string& bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }

    std::string whyNot(const DomainIdentity& asked = identity) const
    {
        std::string why;
        return file().read("lattice", asked, why) ? "" : why;
    }

private:
    fs::path folder_;
};

// A slab of 9 x 5 x 7 nodes, periodic along x, one of them solid.
DomainRecord record()
{
    DomainRecord r;
    Domain& d = r.domain;
    d.size = {9, 5, 7};
    d.periodic = {true, false, false};
    d.fluid = BitSet(d.nodes(), true);
    d.fluid.clear(d.index(4, 2, 3));
    d.patches = {"walls", "a name with spaces", ""};
    d.origin = {0.1, -1e-300, 1. / 3};
    d.spacing = 1e-4;
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (std::uint8_t code = 0; code < 27; ++code) {
            const NodeIndex next = d.neighbour(d.coordinates(i), directionOf(code));
            if (d.fluid[i] && code != 13 && (next < 0 || !d.fluid[next]))
                d.links.push_back({i, 1.f / float(1 + code), std::int16_t(i % 3), code});
        }
    d.check();
    r.numbers = {{"guessedLinks", std::int64_t(1) << 40}, {"regions", -1}};
    r.texts = {{"why", "of a hole"}, {"empty", ""}};
    return r;
}

void expectSame(const Domain& a, const Domain& b)
{
    EXPECT_EQ(a.size, b.size);
    EXPECT_EQ(a.dimensions, b.dimensions);
    EXPECT_EQ(a.periodic, b.periodic);
    EXPECT_EQ(a.fluid.words(), b.fluid.words());
    EXPECT_EQ(a.patches, b.patches);
    EXPECT_EQ(a.origin, b.origin);
    EXPECT_EQ(a.spacing, b.spacing);
    const auto same = [](const Link& l, const Link& m) {
        return l.node == m.node && l.fraction == m.fraction && l.patch == m.patch && l.direction == m.direction;
    };
    EXPECT_TRUE(std::equal(a.links.begin(), a.links.end(), b.links.begin(), b.links.end(), same));
}

TEST_F(DomainFiles, giveBackWhatTheyWereGiven)
{
    const DomainRecord written = record();
    file().write("lattice", identity, written);
    std::string why;
    const auto read = file().read("lattice", identity, why);
    ASSERT_TRUE(read) << why;
    expectSame(read->domain, written.domain);
    EXPECT_EQ(read->numbers, written.numbers);
    EXPECT_EQ(read->texts, written.texts);
    EXPECT_EQ(namesInFolder(), std::vector<std::string>{"domain.h5"});
}

TEST_F(DomainFiles, keepOtherRecordsAndReplaceTheirOwn)
{
    DomainRecord cells = record(), lattice = record();
    cells.domain.spacing = 2;
    file().write("cells", identity, cells);
    file().write("lattice", identity, lattice);
    lattice.domain.spacing = 3;
    file().write("lattice", identity, lattice);
    std::string why;
    EXPECT_EQ(file().read("cells", identity, why)->domain.spacing, 2);
    EXPECT_EQ(file().read("lattice", identity, why)->domain.spacing, 3);
    EXPECT_FALSE(file().read("third", identity, why));
    EXPECT_EQ(why, "");
}

TEST_F(DomainFiles, areRefusedWhereWhatMadeThemDiffers)
{
    file().write("lattice", identity, record());
    EXPECT_EQ(whyNot(), "");
    DomainIdentity other = identity;
    other["surface"] = "a cube";
    EXPECT_NE(whyNot(other).find("its surface is a sphere, that of the case a cube"), std::string::npos)
        << whyNot(other);
    other = identity;
    other["inside point"] = "(0 0 0)";
    EXPECT_NE(whyNot(other).find("its inside point is not told"), std::string::npos) << whyNot(other);
    other = {{"surface", "a sphere"}};
    EXPECT_NE(whyNot(other), "");
}

TEST_F(DomainFiles, areRefusedWhereverTheyAreCutOrAltered)
{
    file().write("lattice", identity, record());
    const std::string whole = bytes();
    const std::size_t pieces = 97;
    for (std::size_t i = 0; i < pieces; ++i) {
        put(whole.substr(0, i * whole.size() / pieces));
        EXPECT_NE(whyNot(), "") << "cut at piece " << i;
    }
    put(whole + '\0');
    EXPECT_NE(whyNot(), "") << "longer";
    // The header's rest is nobody's
    const std::size_t header = 512;
    for (std::size_t at = header; at < whole.size(); at += 61) {
        std::string altered = whole;
        altered[at] = char(altered[at] ^ 4);
        put(altered);
        EXPECT_NE(whyNot().find("CRC-32"), std::string::npos) << "byte " << at;
    }
    put(whole);
    EXPECT_EQ(whyNot(), "");
}

TEST_F(DomainFiles, ofAnotherFormOrKindAreRefusedByName)
{
    file().write("lattice", identity, record());
    std::string other = bytes();
    const std::string begin = "lbmFoam domain 1";
    ASSERT_EQ(other.substr(0, begin.size()), begin);
    other[begin.size() - 1] = '2';
    put(other);
    EXPECT_NE(whyNot().find("is a domain of form 2"), std::string::npos) << whyNot();
    put("lbmFoam checkpoint" + other.substr(std::string("lbmFoam domain").size()));
    EXPECT_NE(whyNot().find("no domain"), std::string::npos) << whyNot();
}

TEST_F(DomainFiles, thatAreDamagedAreReplaced)
{
    file().write("cells", identity, record());
    put(bytes().substr(0, 1000));
    file().write("lattice", identity, record());
    EXPECT_EQ(whyNot(), "");
}

TEST_F(DomainFiles, stayWhatTheyWereWhereTheNextCannotBeWritten)
{
    file().write("lattice", identity, record());
    const std::string before = bytes();
    fs::create_directory(path() + ".unfinished"); // in the way
    EXPECT_THROW(file().write("lattice", identity, record()), CheckpointError);
    EXPECT_EQ(bytes(), before);
    EXPECT_THROW(DomainFile(path() + "/none/domain.h5").write("lattice", identity, record()), CheckpointError);
}

TEST_F(DomainFiles, takeNoDomainThatTurns)
{
    DomainRecord turned = record();
    turned.domain.turns.push_back({0, 2, 1, {0, 0, 0}});
    EXPECT_THROW(file().write("lattice", identity, turned), std::invalid_argument);
    EXPECT_FALSE(fs::exists(path()));
}

} // namespace
} // namespace lbm::test
