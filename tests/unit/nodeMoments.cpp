// States of nodes whose moments are stored, without populations (NodeMoments), against states of the populations that these moments stand
// for. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/physics/Closures.hpp"
#include "lbm/physics/Cumulant.hpp"
#include "lbm/physics/CumulantOnes.hpp"
#include "lbm/physics/Moments.hpp"
#include "lbm/physics/RecursiveRegularized.hpp"
#include "lbm/physics/Regularized.hpp"
#include "lbm/storage/moments/gpu/MomentView.hpp"

#include <gtest/gtest.h>

#include <random>

namespace lbm::test {
namespace {

// Of what a collision leaves, as MomentCode stores it.
template<class Eq, class L>
class Stored {
public:
    using M = MomentSet<L, double>;

    explicit Stored(unsigned seed)
    {
        std::mt19937 random(seed);
        const auto next = [&](double most) { return most * (2 * double(random()) / double(std::mt19937::max()) - 1); };
        m_.take(FourthFactors<double>{0.3, -0.2});
        for (int k = 0; k < M::count; ++k) m_.value[k] = next(k == 0 ? 0.05 : k <= L::D ? 0.1 : 0.01);
        if constexpr (!keepsThird<L>) addEquilibrium<Eq>(m_, 1.0);
        completeTrace<Eq>(m_);
    }

    template<class Collision>
    NodePopulations<L::Q> populations() const
    {
        NodePopulations<L::Q> g;
        eachPopulation<Collision, Eq>(m_, [&](auto q, double value) { g.value[q] = value; });
        return g;
    }

    NodeMoments moments() const
    {
        using Code = MomentCode<L, double, double>;
        typename Code::Raw raw;
        for (int k = 0; k < Code::count; ++k) raw.value[k] = m_.value[k];
        return Code::template known<Eq>(raw);
    }

private:
    M m_;
};

void expectAlike(const Macroscopic& found, const Macroscopic& expected)
{
    EXPECT_NEAR(found.density, expected.density, 1e-15);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(found.velocity[a], expected.velocity[a], 1e-15);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(found.strainRate[k], expected.strainRate[k], 1e-13);
}

template<class Collision, class L, class Eq>
void compare()
{
    constexpr bool flat = L::D == 2, incompressible = std::is_same_v<Eq, Incompressible>;
    const NodeViscosity viscosities[] = {{RateKind::constant, 0.7, 0, 0},
                                         {RateKind::smagorinsky, 0.6, 0.02, 0.05},
                                         {RateKind::node, 0.6, 0, 0},
                                         {RateKind::shearRate, 0.8, 0, 0}}; // populations do not tell its strain rate
    for (const Vec3& force : {Vec3{0, 0, 0}, Vec3{0.02, -0.01, flat ? 0 : 0.03}})
        for (const NodeViscosity& viscosity : viscosities)
            for (unsigned seed = 1; seed < 5; ++seed) {
                const Moments<L> moments(incompressible, viscosity, force);
                const Stored<Eq, L> stored(seed);
                const auto g = stored.template populations<Collision>();
                const NodeMoments known = stored.moments();
                const NodeValues<double> at{0.9, {force[0] + 0.01, force[1], force[2]}, true, {}};
                const Macroscopic whole = moments.template state<true>(known, at);
                expectAlike(whole, moments.template state<true>(g, at));
                EXPECT_EQ(whole.strainRate[1] != 0, viscosity.tellsStrain() || viscosity.isByNode());
                if (!viscosity.isByNode())
                    expectAlike(moments.template state<true>(known), moments.template state<true>(g));
                const Macroscopic flow = moments.template state<false>(known, at);
                expectAlike(flow, moments.template state<false>(g, at));
                for (int a = 0; a < 3; ++a) EXPECT_EQ(flow.velocity[a], whole.velocity[a]);
                EXPECT_EQ(flow.density, whole.density);
                for (int k = 0; k < 6; ++k) EXPECT_EQ(flow.strainRate[k], 0);
            }
}

template<class Collision, class L>
void compareBoth()
{
    compare<Collision, L, Incompressible>();
    compare<Collision, L, QuasiCompressible>();
}

} // namespace

TEST(NodeMoments, areTheStatesOfTheirPopulations)
{
    compareBoth<Regularized, D2Q9>();
    compareBoth<Regularized, D3Q19>();
    compareBoth<Regularized, D3Q27>();
    compareBoth<RecursiveRegularized, D2Q9>();
    compareBoth<RecursiveRegularized, D3Q19>();
    compareBoth<RecursiveRegularized, D3Q27>();
    compareBoth<CumulantOnes, D2Q9>();
    compareBoth<CumulantOnes, D3Q27>();
    compareBoth<Cumulant, WithThird<D3Q27>>();
}

} // namespace lbm::test
