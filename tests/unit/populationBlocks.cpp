// Steps of a box of populations in blocks against the same steps one by one: to the last bit, for the order alone differs.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/physics/Equilibrium.hpp"
#include "lbm/physics/Trt.hpp"
#include "lbm/storage/rows/PopulationBlocks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

namespace lbm {
namespace {

// Nodes that are fluid, and walls without thickness between two that are.
struct Walls {
    std::function<bool(const Int3&)> fluid = [](const Int3&) { return true; };
    std::function<bool(const Int3&, const Int3&)> between = [](const Int3&, const Int3&) { return false; };
};

// Lids along all axes that are not periodic.
Domain boxOf(const Int3& size, const std::array<bool, 3>& periodic, const Walls& walls = {})
{
    Domain domain;
    domain.size = size;
    domain.dimensions = size[2] == 1 ? 2 : 3;
    domain.periodic = periodic;
    domain.patches = {"walls", "lids"};
    domain.fluid = BitSet(domain.nodes(), true);
    for (NodeIndex i = 0; i < domain.nodes(); ++i) domain.fluid.set(i, walls.fluid(domain.coordinates(i)));
    for (NodeIndex i = 0; i < domain.nodes(); ++i)
        for (int code = 0; code < 27 && domain.fluid[i]; ++code) {
            const Int3 c = directionOf(std::uint8_t(code)), x = domain.coordinates(i);
            if (code == 13 || (domain.dimensions == 2 && c[2] != 0)) continue;
            const NodeIndex end = domain.neighbour(x, c);
            const bool thin = end >= 0 && domain.fluid[end] && walls.between(x, domain.coordinates(end));
            if (end >= 0 && domain.fluid[end] && !thin) continue;
            bool lid = thin && x[0] % 2 == 0; // moves on one side
            for (int a = 0; a < 3; ++a) lid = lid || (!periodic[a] && x[a] + c[a] == size[a]);
            domain.links.push_back({i, 0.5F, std::int16_t(lid), std::uint8_t(code)});
        }
    domain.check();
    return domain;
}

// Grains of 3x3x3 nodes or less, some at the box's sides; rows and parts of rows without fluid; a wall without thickness across the rows.
Domain porousBox(const Int3& size, const std::array<bool, 3>& periodic)
{
    const int across = size[2] == 1 ? 1 : 2;
    Walls walls;
    walls.fluid = [=](const Int3& x) {
        if (x[across] == 7 && (across == 1 || x[1] == 5)) return x[0] < 2;
        if (x[across] == 9 && (across == 1 || x[1] == 6)) return false;
        return (x[0] / 3 * 7 + x[1] / 3 * 13 + x[2] / 3 * 29) % 5 != 0;
    };
    walls.between = [=](const Int3& a, const Int3& b) {
        return std::min(a[across], b[across]) == 20 && std::max(a[across], b[across]) == 21 && a[0] + b[0] < size[0];
    };
    return boxOf(size, periodic, walls);
}

Config configOf(const Vec3& lids)
{
    Config config;
    config.equilibrium = "incompressible";
    config.blocks = true;
    config.patches.resize(2);
    config.patches[1].kind = BoundaryKind::movingWall;
    config.patches[1].velocity = lids;
    return config;
}

template<class T, class Lattice = D3Q19>
class Course {
public:
    using L = Lattice;
    using Blocks = PopulationBlocks<L, T>;

    Course(const Domain& domain, const PopulationPlan& plan, int threads, const Vec3& lids = {0.03, -0.02, 0.01}) :
        domain_(domain),
        blocks_(domain, configOf(lids), plan, &collideRows<L, Trt, Incompressible, Pack<T>, T>, threads)
    {
        parameters_.omega = T(1 / 0.6);
        parameters_.omegaOdd = T(1.1);
        for (NodeIndex i = 0; i < domain.nodes(); ++i)
            for (int q = 0; q < L::Q && domain.fluid[i]; ++q)
                at(i, q) = T(L::w[q] * 0.05 * std::sin(0.37 * double(i) + 1.7 * q));
    }

    void advance(int steps)
    {
        blocks_.advance(
            steps,
            BoundaryTable<L, T>{
                nullptr, {nullptr, nullptr}, {nullptr, nullptr}, nullptr, nullptr, odd_, parameters_, true});
        odd_ = odd_ != (steps % 2 == 1);
    }

    std::vector<T> values()
    {
        std::vector<T> all;
        for (NodeIndex i = 0; i < domain_.nodes(); ++i)
            for (int q = 0; q < L::Q && domain_.fluid[i]; ++q) all.push_back(at(i, q));
        return all;
    }

private:
    T& at(NodeIndex i, int q) { return blocks_.rows().data()[blocks_.rows().slot(domain_.coordinates(i), q, odd_)]; }

    const Domain& domain_;
    Blocks blocks_;
    Parameters<T> parameters_;
    bool odd_ = false;
};

template<class T, class L>
std::vector<T> after(const Domain& domain, const PopulationPlan& plan, int threads, const std::vector<int>& steps)
{
    Course<T, L> course(domain, plan, threads);
    for (const int n : steps) course.advance(n);
    return course.values();
}

// However many pieces, steps a pass, threads and calls: of 65 rows. Each domain meets one number of steps a pass for each number
// of pieces; with the next turn, the next one.
template<class T, class L>
void compareOrders(const Domain& domain, const std::string& name, int turn)
{
    const int steps = 37;
    const std::vector<T> expected = after<T, L>(domain, PopulationPlan(65, 1, 1), 1, {steps});
    const T least = *std::min_element(expected.begin(), expected.end());
    EXPECT_TRUE(std::isfinite(double(least)) && least < T(0)) << name;
    for (const auto& [pieces, most] : {std::pair{1, 32}, {2, 16}, {3, 10}, {4, 8}, {5, 6}, {16, 2}}) {
        ++turn;
        for (const int pass : {most, most / 2, 1}) {
            if (turn++ % 3 != 0 || (L::D == 3 && domain.periodic[1] && domain.size[1] <= 4 * pass)) continue;
            const int threads = pieces == 16 ? 16 : pieces % 4 + 1;
            const std::vector<int> calls = pieces % 2 ? std::vector<int>{steps} : std::vector<int>{1, 9, 27};
            EXPECT_TRUE((after<T, L>(domain, PopulationPlan(65, pieces, pass), threads, calls)) == expected)
                << name << ", " << pieces << " pieces, " << pass << " steps a pass";
        }
    }
}

template<class T>
void compareOrders()
{
    for (int axes = 0; axes < 8; ++axes) {
        const std::array<bool, 3> periodic{(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0};
        const std::string name = "axes " + std::to_string(axes);
        compareOrders<T, D3Q19>(boxOf({2 * lineNodes<T>, 21, 65}, periodic), name, axes);
        // Not whole registers
        compareOrders<T, D3Q19>(porousBox({2 * lineNodes<T> + 3, 21, 65}, periodic), name + ", porous", axes + 1);
        if (axes < 4) compareOrders<T, D2Q9>(porousBox({3 * lineNodes<T> + 5, 65, 1}, periodic), name + ", flat", axes);
    }
}

} // namespace

TEST(PopulationBlocks, changeTheOrderAloneInDouble) { compareOrders<double>(); }
TEST(PopulationBlocks, changeTheOrderAloneInFloat) { compareOrders<float>(); }

// Lids along themselves add nothing.
TEST(PopulationBlocks, keepMass)
{
    const Domain domain = boxOf({16, 24, 32}, {true, false, false});
    const auto sum = [](const std::vector<double>& values) {
        double all = 0;
        for (const double v : values) all += v;
        return all;
    };
    Course<double> course(domain, PopulationPlan(32, 4, 4), 2, {0.05, 0, 0});
    const double before = sum(course.values());
    course.advance(50);
    EXPECT_NEAR(sum(course.values()), before, 1e-11);
}

// What a wall keeps to itself nobody gets: nor does what is no fluid.
TEST(PopulationBlocks, keepMassBetweenGrains)
{
    for (const Int3& size : {Int3{19, 24, 32}, Int3{43, 32, 1}}) {
        const Domain domain = porousBox(size, {false, false, false});
        const auto change = [&](auto&& course) {
            const auto sum = [&] {
                double all = 0;
                for (const double v : course.values()) all += v;
                return all;
            };
            const double before = sum();
            course.advance(51);
            return sum() - before;
        };
        const PopulationPlan plan(32, 4, 4);
        const double by = size[2] == 1 ? change(Course<double, D2Q9>(domain, plan, 2, {0, 0, 0}))
                                       : change(Course<double>(domain, plan, 2, {0, 0, 0}));
        EXPECT_NEAR(by, 0, 1e-11);
    }
}

// Full boxes need no masks but at rows' ends, and a grain those about it alone.
TEST(PopulationBlocks, maskWhatIsAtWalls)
{
    const auto countsOf = [](const Domain& domain) {
        const RowShape shape(domain, 8);
        return RowMasks(domain, shape, directionsOf<D3Q19>()).counts(shape);
    };
    const Int3 size{64, 10, 12};
    const double rows = 120;
    EXPECT_EQ(countsOf(boxOf(size, {true, true, true})).masked, 2 * rows);
    EXPECT_EQ(countsOf(boxOf(size, {false, false, false})).masked, 2 * rows);
    Walls grain;
    grain.fluid = [](const Int3& x) { return x != Int3{20, 4, 5}; };
    // Three registers in each of five rows, and one in those four that links across both axes reach
    EXPECT_EQ(countsOf(boxOf(size, {true, true, true}, grain)).masked, 2 * rows + 5 * 3 + 4 * 1);
    Walls block;
    block.fluid = [](const Int3& x) { return x[1] > 2; };
    const RowMasks::Counts counts = countsOf(boxOf(size, {true, false, false}, block));
    EXPECT_EQ(counts.empty, 3 * 12 * 8);
    EXPECT_EQ(counts.masked, 7 * 12 * 2 + 12 * 6); // the whole row beside
}

// A plan leaves every piece twice as many rows as steps.
TEST(PopulationBlocks, areCutForThreadsAndCache)
{
    for (const int threads : {1, 2, 3, 16})
        for (const int rows : {16, 64, 192, 511}) {
            const PopulationPlan plan = PopulationPlan::of(rows, threads, 2 << 20, 192 * 19 * 8);
            if (rows < 4 * threads) {
                EXPECT_EQ(plan.steps, 0);
                continue;
            }
            ASSERT_GT(plan.steps, 1) << rows << " rows, " << threads << " threads";
            EXPECT_EQ((plan.cuts.size() - 1) % threads, 0);
            for (std::size_t k = 0; k + 1 < plan.cuts.size(); ++k)
                EXPECT_GE(plan.cuts[k + 1] - plan.cuts[k], 2 * plan.steps);
        }
    EXPECT_EQ(PopulationPlan::of(192, 2, 1 << 10, 192 * 19 * 8).steps, 0); // nothing fits
}

} // namespace lbm
