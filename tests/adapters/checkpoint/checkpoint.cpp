// What a checkpoint carries from one solver to another, and what it refuses. Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Checkpoint.hpp"
#include "tests/built.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace lbm::test {
namespace {

namespace fs = std::filesystem;

// A row of nodes along x between an inlet and an outlet that let sound out, periodic across.
std::shared_ptr<const Domain> row(int n)
{
    auto d = std::make_shared<Domain>();
    d->dimensions = 2;
    d->size = {n, 4, 1};
    d->periodic = {false, true, false};
    d->fluid = BitSet(d->nodes(), true);
    d->patches = {"inlet", "outlet"};
    for (NodeIndex i = 0; i < d->nodes(); ++i)
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code), x = d->coordinates(i);
            if (c[2] != 0 || d->neighbour(x, c) >= 0) continue;
            d->links.push_back({i, 0.5f, std::int16_t(c[0] > 0 ? 1 : 0), code});
        }
    d->check();
    return d;
}

Config config(const char* storage)
{
    Config c;
    c.lattice = "D2Q9";
    c.collision = "trt";
    c.storage = storage;
    c.tau = 0.7;
    c.threads = 1;
    LinkValue in, out;
    in.kind = BoundaryKind::velocity;
    in.velocity = {0.02, 0, 0};
    out.kind = BoundaryKind::pressure;
    in.recovery = out.recovery = 0.01;
    c.patches = {in, out};
    return c;
}

std::vector<double> populationsOf(const Solver& solver)
{
    std::vector<NodeIndex> nodes;
    for (NodeIndex i = 0; i < solver.domain().nodes(); ++i) nodes.push_back(i);
    std::vector<double> values(nodes.size() * solver.directions());
    solver.getPopulations(nodes.data(), nodes.size(), values.data());
    return values;
}

struct Checkpoints : testing::Test {
    void SetUp() override
    {
        if (!checkpointsAvailable()) GTEST_SKIP() << "no HDF5";
        const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
        // Builds are tested side by side
        const std::string name = std::string("lbmCheckpoint.") + info->name() + "." + std::to_string(getpid()) + ".h5";
        file = (fs::temp_directory_path() / name).string();
    }
    void TearDown() override { fs::remove(file); }

    void write(Solver& solver)
    {
        CheckpointNotes notes;
        notes.steps = solver.step();
        notes.numbers["deltaT"] = 0.1;
        notes.arrays["speeds"] = {1, -2, 3};
        notes.texts["words"] = std::string("a\0b", 3);
        CheckpointWriter(solver).write(file, notes);
    }

    // What restore says.
    std::string refusal(Solver& solver)
    {
        try {
            CheckpointReader(file).restore(solver);
        } catch (const CheckpointError& fault) {
            return fault.what();
        }
        return {};
    }

    std::string file;
};

// After an odd number of steps, in which storages of one copy keep populations elsewhere.
TEST_F(Checkpoints, runsThatGoOnKnowWhatOpeningsRemember)
{
    for (const char* from : {"aa", "ab", "t2c"})
        for (const char* to : {"aa", "t2c"}) {
            const auto one = makeSolver(row(30), config(from)), other = makeSolver(row(30), config(to));
            one->advance(41);
            write(*one);
            CheckpointReader(file).restore(*other);
            EXPECT_EQ(other->step() % 2, 1) << to;
            const auto a = one->openingMemory(), b = other->openingMemory();
            ASSERT_EQ(a.size(), b.size());
            int known = 0;
            for (std::size_t i = 0; i < a.size(); ++i) {
                EXPECT_EQ(a[i].kind, b[i].kind);
                EXPECT_TRUE(a[i].mean == b[i].mean || (std::isnan(a[i].mean) && std::isnan(b[i].mean))) << i;
                known += !std::isnan(a[i].mean);
            }
            EXPECT_GT(known, 4);
            one->advance(30);
            other->advance(30);
            EXPECT_EQ(populationsOf(*one), populationsOf(*other)) << from << " to " << to;
        }
}

// Waves in a periodic box; moments of third order stand for populations by the relaxation time of the step that left them.
TEST_F(Checkpoints, momentsOfThirdOrderGoOnWhateverIsChanged)
{
    auto box = std::make_shared<Domain>();
    box->size = {16, 8, 8};
    box->periodic = {true, true, true};
    box->fluid = BitSet(box->nodes(), true);
    box->check();
    const auto make = [&](const char* storage, double tau) {
        Config c;
        c.lattice = "D3Q27";
        c.collision = "cumulant";
        c.storage = storage;
        c.tau = tau;
        c.threads = 1;
        return c;
    };
    for (const char* storage : {"moments", "aa"}) SKIP_IF_LEFT_OUT(make(storage, 0.515));
    std::vector<NodeIndex> nodes;
    std::vector<Macroscopic> states;
    for (NodeIndex i = 0; i < box->nodes(); ++i) {
        const Int3 x = box->coordinates(i);
        Macroscopic state;
        state.velocity = {0.05 * std::sin(0.785 * x[1]), 0.05 * std::sin(0.785 * x[2]), 0.05 * std::sin(0.393 * x[0])};
        nodes.push_back(i);
        states.push_back(state);
    }
    for (const char* from : {"moments", "aa"})
        for (const char* to : {"moments", "aa"}) {
            const auto one = makeSolver(box, make(from, 0.515)), other = makeSolver(box, make(to, 0.5225));
            one->initialise(nodes.data(), nodes.size(), states.data());
            one->advance(7);
            one->setRelaxationTime(0.5225);
            write(*one);
            CheckpointReader(file).restore(*other);
            EXPECT_EQ(other->stateTau(), 0.515);
            one->advance(3);
            other->advance(3);
            const auto expected = populationsOf(*one), found = populationsOf(*other);
            if (from == std::string(to)) EXPECT_EQ(found, expected) << from;
            for (std::size_t i = 0; i < expected.size(); ++i)
                ASSERT_NEAR(found[i], expected[i], 1e-15) << from << " to " << to << ", value " << i;
        }
}

TEST_F(Checkpoints, notesComeBack)
{
    const auto solver = makeSolver(row(8), config("aa"));
    solver->advance(3);
    write(*solver);
    const CheckpointReader reader(file);
    EXPECT_EQ(reader.kernel(), name(solver->row()));
    EXPECT_EQ(reader.notes().steps, 3);
    EXPECT_EQ(reader.notes().numbers.at("deltaT"), 0.1);
    EXPECT_EQ(reader.notes().arrays.at("speeds"), (std::vector<double>{1, -2, 3}));
    EXPECT_EQ(reader.notes().texts.at("words"), std::string("a\0b", 3));
}

// What comes piece by piece is an array as any other; more or fewer values than it has are an error.
TEST_F(Checkpoints, notesAreToldInPieces)
{
    const auto solver = makeSolver(row(8), config("aa"));
    const auto writeTold = [&](std::size_t size) {
        CheckpointNotes notes;
        notes.told["means"] = {size, [](const CheckpointNotes::Take& take) {
                                   for (const double first : {0.5, 2.5, 4.5}) take({first, first + 1});
                                   take({});
                               }};
        CheckpointWriter(*solver).write(file, notes);
    };
    writeTold(6);
    EXPECT_EQ(CheckpointReader(file).notes().arrays.at("means"), (std::vector<double>{0.5, 1.5, 2.5, 3.5, 4.5, 5.5}));
    for (const std::size_t size : {5, 7}) EXPECT_THROW(writeTold(size), std::logic_error) << size;
}

// A solver that a checkpoint does not fit is as it was.
TEST_F(Checkpoints, anotherLatticeIsRefused)
{
    write(*makeSolver(row(8), config("aa")));
    const auto longer = makeSolver(row(9), config("aa"));
    longer->advance(5);
    const auto before = populationsOf(*longer);
    EXPECT_NE(refusal(*longer).find("its box is 8 x 4 x 1, that of the case 9 x 4 x 1"), std::string::npos);
    EXPECT_EQ(populationsOf(*longer), before);

    Config walls = config("aa");
    walls.patches[0] = LinkValue();
    const std::string why = refusal(*makeSolver(row(8), walls));
    EXPECT_NE(why.find("openings and walls remember"), std::string::npos) << why;
}

// Whatever is cut off, and whichever byte is another one.
TEST_F(Checkpoints, damageIsFound)
{
    write(*makeSolver(row(8), config("aa")));
    std::ifstream is(file, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(is)), {});
    const auto readable = [&](const std::string& bytes) {
        std::ofstream(file, std::ios::binary) << bytes;
        try {
            CheckpointReader reader(file);
            return true;
        } catch (const CheckpointError& fault) {
            EXPECT_EQ(std::string(fault.what()).find(file), 0u);
            return false;
        }
    };
    EXPECT_TRUE(readable(whole));
    for (std::size_t length = 0; length < whole.size(); length += 97) EXPECT_FALSE(readable(whole.substr(0, length)));
    for (std::size_t i = 512; i < whole.size(); i += 211) {
        std::string other = whole;
        other[i] = char(other[i] ^ 4);
        EXPECT_FALSE(readable(other)) << i;
    }
}

} // namespace
} // namespace lbm::test
