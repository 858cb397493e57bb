// Steps of a box of populations in blocks against the same steps one by one: to the last bit, for the order alone differs.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/physics/Equilibrium.hpp"
#include "lbm/physics/Trt.hpp"
#include "lbm/storage/rows/PopulationBlocks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace lbm {
namespace {

// Lids along all axes that are not periodic.
Domain boxOf(const Int3& size, const std::array<bool, 3>& periodic)
{
    Domain domain;
    domain.size = size;
    domain.periodic = periodic;
    domain.patches = {"walls", "lids"};
    domain.fluid = BitSet(domain.nodes(), true);
    for (NodeIndex i = 0; i < domain.nodes(); ++i)
        for (int code = 0; code < 27; ++code) {
            const Int3 c = directionOf(std::uint8_t(code)), x = domain.coordinates(i);
            if (code == 13 || domain.neighbour(x, c) >= 0) continue;
            bool lid = false;
            for (int a = 0; a < 3; ++a) lid = lid || (!periodic[a] && x[a] + c[a] == size[a]);
            domain.links.push_back({i, 0.5F, std::int16_t(lid), std::uint8_t(code)});
        }
    domain.check();
    return domain;
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

template<class T>
class Course {
public:
    using L = D3Q19;
    using Blocks = PopulationBlocks<L, T>;

    Course(const Domain& domain, const PopulationPlan& plan, int threads, const Vec3& lids = {0.03, -0.02, 0.01}) :
        domain_(domain),
        blocks_(domain, configOf(lids), plan, &collideRows<L, Trt, Incompressible, Pack<T>, T>, threads)
    {
        parameters_.omega = T(1 / 0.6);
        parameters_.omegaOdd = T(1.1);
        for (NodeIndex i = 0; i < domain.nodes(); ++i)
            for (int q = 0; q < L::Q; ++q) at(i, q) = T(L::w[q] * 0.05 * std::sin(0.37 * double(i) + 1.7 * q));
    }

    void advance(int steps)
    {
        blocks_.advance(steps, odd_, parameters_);
        odd_ = odd_ != (steps % 2 == 1);
    }

    std::vector<T> values()
    {
        std::vector<T> all;
        for (NodeIndex i = 0; i < domain_.nodes(); ++i)
            for (int q = 0; q < L::Q; ++q) all.push_back(at(i, q));
        return all;
    }

private:
    T& at(NodeIndex i, int q) { return blocks_.rows().data()[blocks_.rows().slot(domain_.coordinates(i), q, odd_)]; }

    const Domain& domain_;
    Blocks blocks_;
    Parameters<T> parameters_;
    bool odd_ = false;
};

template<class T>
std::vector<T> after(const Domain& domain, const PopulationPlan& plan, int threads, const std::vector<int>& steps)
{
    Course<T> course(domain, plan, threads);
    for (const int n : steps) course.advance(n);
    return course.values();
}

template<class T>
void compareOrders()
{
    for (int axes = 0; axes < 8; ++axes) {
        const Domain domain = boxOf({2 * lineNodes<T>, 21, 65}, {(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0});
        const int steps = 37;
        const std::vector<T> expected = after<T>(domain, PopulationPlan(65, 1, 1), 1, {steps});
        const T least = *std::min_element(expected.begin(), expected.end());
        EXPECT_TRUE(std::isfinite(double(least)) && least < T(0));
        for (const auto& [pieces, most] : {std::pair{1, 32}, {2, 16}, {3, 10}, {4, 8}, {5, 6}, {16, 2}})
            for (const int pass : {most, most / 2, 1}) {
                if (domain.periodic[1] && domain.size[1] <= 4 * pass) continue;
                const int threads = pieces % 4 + 1;
                const std::vector<int> calls = pieces % 2 ? std::vector<int>{steps} : std::vector<int>{1, 9, 27};
                EXPECT_TRUE(after<T>(domain, PopulationPlan(65, pieces, pass), threads, calls) == expected)
                    << "axes " << axes << ", " << pieces << " pieces, " << pass << " steps a pass";
            }
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

// A plan leaves every piece twice as many rows as steps.
TEST(PopulationBlocks, areCutForThreadsAndCache)
{
    for (const int threads : {1, 2, 3, 16})
        for (const int rows : {16, 64, 192, 511}) {
            const PopulationPlan plan = PopulationPlan::of({192, 192, rows}, threads, 2 << 20, 192 * 19 * 8);
            if (rows < 4 * threads) {
                EXPECT_EQ(plan.steps, 0);
                continue;
            }
            ASSERT_GT(plan.steps, 1) << rows << " rows, " << threads << " threads";
            EXPECT_EQ((plan.cuts.size() - 1) % threads, 0);
            for (std::size_t k = 0; k + 1 < plan.cuts.size(); ++k)
                EXPECT_GE(plan.cuts[k + 1] - plan.cuts[k], 2 * plan.steps);
        }
    EXPECT_EQ(PopulationPlan::of({192, 192, 192}, 2, 1 << 10, 192 * 19 * 8).steps, 0); // nothing fits
}

} // namespace lbm
