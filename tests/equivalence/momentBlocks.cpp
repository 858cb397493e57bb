// The step of moments on a GPU as its blocks do it, by a host (HostBlock.hpp): the window of populations and velocities, faces, rims.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/equivalence/host/HostBlock.hpp"

#include "lbm/physics/Cumulant.hpp"
#include "lbm/storage/moments/gpu/MomentStep.cuh"
#include "tests/equivalence/NodesOnHost.hpp"

namespace lbm::test {
namespace {

// As CudaMoments does it with two copies.
template<class L, class T, class TileT, class Collision, class Tuning>
class MomentsInBlocks : public MomentsByNode<L, T, TileT, Collision> {
    using Base = MomentsByNode<L, T, TileT, Collision>;
    using Faces = MomentFaces<L, T, TileT, mayLookAround<Collision>>;
    using Tiles = MomentTiles<L, T, T, TileT>;
    using Base::data_;
    using Base::geometry_;
    using Base::gradient_;
    using Base::grid;
    using Base::parameters_;

public:
    MomentsInBlocks(const Scenario& s, const Config& config) : Base(s, config)
    {
        const T none = std::numeric_limits<T>::quiet_NaN();
        for (auto& copy : faces_) copy.assign(std::size_t(grid().tiles()) * Faces::tileValues, none);
        if (geometry_.hasDistant())
            specialGradients_.assign(geometry_.specialNodes() * SpecialGradients<L, T>::count, none);
    }

    void put(const std::vector<NodeIndex>& nodes, const std::vector<double>& values)
    {
        Base::put(nodes, values);
        for (std::int32_t tile = 0; tile < grid().tiles(); ++tile)
            for (int local = 0; local < TileT::N; ++local) renewFace(tiles(0), tile, local);
    }

    void advance(int steps)
    {
        for (int i = 0; i < steps; ++i) step();
    }

private:
    static constexpr bool looks = mayLookAround<Collision>; // at velocities around nodes

    Tiles tiles(int copy)
    {
        Tiles own = Base::tiles(copy);
        own.faces = faces_[copy].data();
        return own;
    }

    static void renewFace(const Tiles& tiles, std::int32_t tile, int local)
    {
        const int x = local % TileT::TX;
        if (!Faces::kept || (x != 0 && x != TileT::TX - 1)) return;
        T* const face =
            tiles.faces + Faces::at(tile, local / (TileT::TX * TileT::TY), x > 0, local / TileT::TX % TileT::TY);
        eachFaceValue<Collision, Incompressible, Faces, Faces::count>(
            tiles.template load<Incompressible>(tile, local), x > 0,
            [&](auto k, T value) { face[k * Faces::rows] = value; });
    }

    void step()
    {
        const Tiles from = tiles(0), to = tiles(1);
        Base::completeLinks(from);
        const auto boundary = geometry_.tiles().boundary(true);
        std::vector<T> strain(boundary.openingCount * strainComponents<L::D>), tau(boundary.openingCount);
        const OpeningsAround<L, T> around{takesStrain<Collision> ? strain.data() : nullptr,
                                          gradient_ ? tau.data() : nullptr};
        if constexpr (looks) lookAround(from, boundary, around);
        if (geometry_.hasWalls()) launch<true>(from, to);
        else launch<false>(from, to);
        for (int i = 0; i < boundary.openingCount; ++i) {
            const NodePlace place = boundary.places[boundary.openings[i].state];
            auto m = to.template load<Incompressible>(place.tile, place.local);
            if (!imposeMoments<Collision, Incompressible>(boundary, i, parameters_, TileT::N, around.strainAt(i),
                                                          around.tauAt(i), m))
                continue;
            to.template store<Incompressible>(place.tile, place.local, m, 0);
            renewFace(to, place.tile, place.local);
        }
        data_[0].swap(data_[1]);
        faces_[0].swap(faces_[1]);
        this->now_ = this->next_;
    }

    template<class Boundary>
    void lookAround(const Tiles& from, const Boundary& boundary, const OpeningsAround<L, T>& around)
    {
        const TilesView view = geometry_.tiles().view();
        const auto special = geometry_.special();
        T g[3][3], u[3];
        const auto find = [&](const NodePlace& place) {
            NodeGradient<Incompressible, L, TileT, T, Tiles>(view, special, geometry_.distant(), from, place.tile,
                                                             place.local)
                .find(g, u);
        };
        for (int i = 0; i < boundary.openingCount; ++i) {
            find(boundary.places[boundary.openings[i].state]);
            around.put(i, g, u, parameters_.closure);
        }
        if (specialGradients_.empty()) return;
        for (int i = 0; i < special.count; ++i) {
            find(special.nodes[i].place);
            SpecialGradients<L, T>{specialGradients_.data()}.put(i, g);
        }
    }

    template<bool walls>
    void launch(const Tiles& from, const Tiles& to)
    {
        const TilesView view = geometry_.tiles().view();
        const RunsView runs = geometry_.runs(PartOfTiles::rim); // which all are
        const auto special = geometry_.special();
        AroundGiven<looks, L, T> around{};
        if constexpr (looks) around = {{specialGradients_.empty() ? nullptr : specialGradients_.data()}};
        WallsGiven<walls, T> given{};
        if constexpr (walls) given = geometry_.walls();
        using Slide = MomentSlide<walls, looks, Collision, Incompressible, L, T, T, TileT, Tuning>;
        static_assert(sizeof(typename Slide::Stage) <= sizeof memory);
        for (int run = 0; run < runs.count; ++run)
            hostBlock.run(unsigned(run), Layer<L, TileT>::threads, [&] {
                momentStep<false, false, walls, looks, L, Collision, Incompressible, T, T, TileT, Tuning>(
                    view, runs, special, from, to, typename Base::Rates(parameters_), StepNumber{0}, TurnsView{}, given,
                    around);
            });
    }

    std::vector<T> faces_[2], specialGradients_;
};

// With relaxation times by the velocity gradient.
template<class L, class T, class TileT, class Collision, class Tuning>
struct GradientsInBlocks : MomentsInBlocks<L, T, TileT, Closed<Collision, NodeField>, Tuning> {
    using MomentsInBlocks<L, T, TileT, Closed<Collision, NodeField>, Tuning>::MomentsInBlocks;
    static constexpr const char* closure = "WALE";
    void tell(const Told&) {}
};

// One buffer and two, columns in shared memory and in registers: tuned for either precision.
template<class L, class TileT, class R>
using TunedFor = TunedMoments<L, R, R, TileT>;

} // namespace

TEST(Blocks, ofStrainRates)
{
    using Flat = Tile<128, 8, 1>;
    using Deep = Tile<32, 8, 1>;
    compareWith<MomentsInBlocks<D2Q9, double, Flat, HybridRegularized, TunedFor<D2Q9, Flat, double>>, D2Q9, double>(
        "hybridRegularized", 2e-15);
    compareWith<MomentsInBlocks<D3Q19, double, Deep, HybridRegularized, TunedFor<D3Q19, Deep, double>>, D3Q19, double>(
        "hybridRegularized", 2e-15);
}

TEST(Blocks, ofThirdMoments)
{
    using Kept = WithThird<D3Q27>;
    using Small = Tile<16, 8, 4>;
    compareWith<MomentsInBlocks<Kept, double, Small, Cumulant, TunedFor<Kept, Small, double>>, D3Q27, double>(
        "cumulant", 5e-16);
}

TEST(Blocks, ofVelocityGradients)
{
    using Deep = Tile<32, 8, 4>;
    compareWith<GradientsInBlocks<D3Q19, double, Deep, Regularized, TunedFor<D3Q19, Deep, float>>, D3Q19, double>(
        "regularized", 1e-14);
}

} // namespace lbm::test
