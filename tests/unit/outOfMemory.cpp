// Memory that cannot be had while threads are at work: whatever asks for it there, who called gets std::bad_alloc, and the process goes
// on. This program's operator new is its own. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/NodeBoxes.hpp"
#include "lbm/api/inParallel.hpp"
#include "lbm/geometry/CutFacts.hpp"
#include "tests/built.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <stdexcept>

namespace {

// So many requests of teams are met, the next one is not; below zero: all are.
std::atomic<long> left{-1};

void* memoryOf(std::size_t bytes, std::size_t alignment)
{
    if (left >= 0 && omp_in_parallel() && left.fetch_sub(1) == 0) throw std::bad_alloc();
    const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, whole > 0 ? whole : alignment);
    if (!memory) throw std::bad_alloc();
    return memory;
}

} // namespace

void* operator new(std::size_t bytes) { return memoryOf(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return memoryOf(bytes, std::size_t(alignment)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace lbm {
namespace {

// How often `act` asks within teams, about: of the first requests each one fails, of later ones some.
int failures(const std::function<void()>& act)
{
    omp_set_num_threads(2); // of teams that no configuration tells, on one processor, too
    int failed = 0;
    for (long met = 0;; met += 1 + met / 2) {
        left = met;
        bool threw = false;
        try {
            act();
        } catch (const std::bad_alloc&) {
            threw = true;
        }
        const bool refused = left.exchange(-1) < 0;
        EXPECT_EQ(threw, refused) << "after " << met << " requests";
        if (!refused || threw != refused) return failed;
        ++failed;
    }
}

// Patches: walls, a lid that moves, and two openings.
std::shared_ptr<const Domain> duct(const Int3& size, bool grains)
{
    auto domain = std::make_shared<Domain>();
    domain->size = size;
    domain->patches = {"walls", "lid", "inlet", "outlet"};
    domain->fluid = BitSet(domain->nodes(), true);
    const auto isGrain = [](const Int3& x) { return (x[0] / 3 * 7 + x[1] / 3 * 13 + x[2] / 3 * 29) % 11 == 0; };
    for (NodeIndex i = 0; i < domain->nodes(); ++i)
        if (grains && isGrain(domain->coordinates(i))) domain->fluid.set(i, false);
    for (NodeIndex i = 0; i < domain->nodes(); ++i)
        for (int code = 0; code < 27 && domain->fluid[i]; ++code) {
            const Int3 c = directionOf(std::uint8_t(code)), x = domain->coordinates(i);
            const NodeIndex end = domain->neighbour(x, c);
            if (end >= 0 && domain->fluid[end]) continue;
            const int patch = end >= 0 ? 0 : x[0] + c[0] < 0 ? 2 : x[0] + c[0] == size[0] ? 3 : x[1] + c[1] == size[1];
            domain->links.push_back({i, 0.5F, std::int16_t(patch), std::uint8_t(code)});
        }
    return domain;
}

Config configOf(const std::string& storage, const std::string& collision)
{
    Config config;
    config.storage = storage;
    config.collision = collision;
    config.blocks = true;
    config.threads = 2;
    config.patches.resize(4);
    config.patches[1].kind = BoundaryKind::movingWall;
    config.patches[1].velocity = {0.02, 0, 0};
    config.patches[2].kind = BoundaryKind::velocity;
    config.patches[2].velocity = {0.01, 0, 0};
    config.patches[3].kind = BoundaryKind::pressure;
    return config;
}

void blocksFail(const Config& config)
{
    const auto domain = duct({37, 40, 48}, true);
    ASSERT_GT(makeSolver(domain, config)->stepsOfPass(), 1);
    EXPECT_GT(failures([&] { makeSolver(domain, config); }), 0);
    const auto solver = makeSolver(domain, config);
    EXPECT_GT(failures([&] { solver->advance(5); }), 0);
}

} // namespace

TEST(OutOfMemory, blocksOfPopulationsTellTheirCaller)
{
    const Config config = configOf("aa", "trt");
    SKIP_IF_LEFT_OUT(config);
    blocksFail(config);
}

TEST(OutOfMemory, blocksOfMomentsTellTheirCaller)
{
    const Config config = configOf("moments", "regularized");
    SKIP_IF_LEFT_OUT(config);
    blocksFail(config);
}

TEST(OutOfMemory, setsOfNodesTellTheirCaller)
{
    Config config = configOf("ab", "trt");
    config.blocks = false;
    SKIP_IF_LEFT_OUT(config);
    const auto domain = duct({48, 40, 48}, false);
    const auto solver = makeSolver(domain, config);
    NodeGroups groups;
    for (NodeIndex i = 0; i < domain->nodes(); ++i) {
        groups.add(i, 1);
        if (i % 7 == 6) groups.endGroup();
    }
    groups.endGroup();
    EXPECT_GT(failures([&] { solver->place(groups); }), 0);
    NodeBoxes boxes;
    for (int z = 0; z < domain->size[2]; z += 4) {
        boxes.boxes.emplace_back();
        boxes.boxes.back().low = {0, 0, z};
        boxes.boxes.back().size = {domain->size[0], domain->size[1], 4};
    }
    const auto placed = solver->place(boxes);
    std::vector<double> values(boxes.boxes.size() * valuesOf(Reading::flow));
    EXPECT_GT(failures([&] { solver->sample(*placed, Reading::flow, values.data()); }), 0);
}

TEST(OutOfMemory, cutsTellTheirCaller)
{
    const auto domain = duct({128, 128, 64}, false);
    EXPECT_GT(failures([&] { Bricks(*domain, 4, {8, 4, 4}); }), 0);
    const Bricks bricks(*domain, 4, {8, 4, 4});
    CutView view;
    view.tile = {8, 4, 4};
    view.directions = {{0, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}};
    EXPECT_GT(failures([&] { factsOf(*domain, bricks, view); }), 0);
}

// The words of what is wrong with a link ask for memory.
TEST(OutOfMemory, checksTellTheirCaller)
{
    Domain domain = *duct({128, 128, 2}, false);
    ASSERT_GT(domain.links.size(), 100000);
    domain.links.back().patch = 9;
    const auto check = [&] {
        try {
            domain.check();
        } catch (const std::invalid_argument&) {}
    };
    EXPECT_GT(failures(check), 0);
}

// All others are through when the first one's fault comes.
TEST(TeamFault, isThrownOnceAllAreThrough)
{
    std::atomic<int> done{0};
    const auto body = [&](std::size_t i) {
        if (i % 10 == 3) throw std::runtime_error("number " + std::to_string(i));
        ++done;
    };
    EXPECT_THROW(inParallel(100, body, 4), std::runtime_error);
    EXPECT_EQ(done, 90);
    TeamFault fault;
    EXPECT_NO_THROW(fault.rethrow());
    fault.keep([] { throw std::out_of_range("first"); });
    fault.keep([] { throw std::bad_alloc(); });
    EXPECT_THROW(fault.rethrow(), std::out_of_range);
}

} // namespace lbm
