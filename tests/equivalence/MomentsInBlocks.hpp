// The step of moments on a GPU as its blocks do it, by a host (HostBlock.hpp): the window of populations and velocities, faces, rims.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "tests/equivalence/host/HostBlock.hpp"

#include "lbm/storage/moments/gpu/MomentStep.cuh"
#include "tests/equivalence/NodesOnHost.hpp"

namespace lbm::test {

// As CudaMoments does it with two copies.
template<class L, class T, class TileT, class Collision, class Tuning>
class MomentsInBlocks : public MomentsByNode<L, T, TileT, Collision> {
protected:
    using Base = MomentsByNode<L, T, TileT, Collision>;
    using Faces = MomentFaces<L, T, TileT, mayLookAround<Collision>>;
    using Tiles = MomentTiles<L, T, T, TileT>;
    using Base::data_;
    using Base::geometry_;
    using Base::gradient_;
    using Base::grid;
    using Base::parameters_;

public:
    MomentsInBlocks(const Scenario& s, const Config& config, const Thickness& slabs = {}) :
        Base(s, config, slabs.layers > 0), slabs_(slabs, geometry_.tiles(), *s.domain)
    {
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

    bool streams() const { return slabs_.known; }

    void advance(int steps)
    {
        if (slabs_.steps == 0)
            for (int i = 0; i < steps; ++i) step();
        else
            for (; steps > 0; steps -= slabs_.steps) pass(std::min(steps, slabs_.steps));
    }

    SlabsOnHost& slabs() { return slabs_; }

    // A pass by pieces. What has not come in yet is no number.
    void beginPass()
    {
        home_ = data_[0];
        homeFaces_ = faces_[0];
        for (std::vector<T>* copies : {data_, faces_})
            for (int c = 0; c < 2; ++c) copies[c].assign(copies[c].size(), none);
        specialGradients_.assign(specialGradients_.size(), none);
    }
    void takeUp(const LayerRange& layers)
    {
        carry(home_, data_[0], slabs_.tiles(layers));
        carry(homeFaces_, faces_[0], slabs_.tiles(layers));
    }
    void stepPiece(const Slabs& slabs, int slab, int ahead) { step(slabs_.step(slabs, slab, ahead)); }
    void takeOut(const LayerRange& layers, int steps)
    {
        carry(data_[steps % 2], home_, slabs_.tiles(layers));
        carry(faces_[steps % 2], homeFaces_, slabs_.tiles(layers));
    }
    void endPass(int)
    {
        data_[0] = std::move(home_);
        faces_[0] = std::move(homeFaces_);
        this->now_ = this->next_;
    }

    // For a ghost what its owner holds, after so many steps of a pass.
    void take(MomentsInBlocks& from, const Int3& owner, const Int3& ghost, int ahead)
    {
        using Code = typename Tiles::Code;
        const TilePlace there = from.grid().place(owner), here = grid().place(ghost);
        const Tiles theirs = from.tilesAfter(ahead), own = tilesAfter(ahead);
        double values[Code::count];
        Code::template getStored<Tiles::stride>(theirs.at(there.tile, there.local), there.local % Tiles::stride,
                                                values);
        Code::template putStored<Tiles::stride>(own.at(here.tile, here.local), here.local % Tiles::stride, values);
        renewFace(own, here.tile, here.local);
    }

private:
    static constexpr T none = std::numeric_limits<T>::quiet_NaN();
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

    // A piece of a step: what of the lists before it, which openings, which runs.
    struct Piece {
        SpecialCut special;
        ListCut openings;
    };

    void step()
    {
        const Piece whole{geometry_.cut(), {0, int(geometry_.tiles().host().openings().size())}};
        step(tiles(0), tiles(1), &whole, 1, geometry_.runs(PartOfTiles::rim)); // which all are
        data_[0].swap(data_[1]);
        faces_[0].swap(faces_[1]);
        this->now_ = this->next_;
    }

    void step(const Tiles& from, const Tiles& to, const Piece* pieces, int count, const RunsView& runs)
    {
        std::vector<SpecialCut> cuts;
        for (int i = 0; i < count; ++i) cuts.push_back(pieces[i].special);
        Base::completeLinks(from, cuts.data(), count);
        const auto boundary = geometry_.tiles().boundary(true);
        std::vector<T> strain(boundary.openingCount * strainComponents<L::D>, none), tau(boundary.openingCount, none);
        const OpeningsAround<L, T> around{takesStrain<Collision> ? strain.data() : nullptr,
                                          gradient_ ? tau.data() : nullptr};
        if constexpr (looks)
            for (int i = 0; i < count; ++i) lookAround(from, boundary, pieces[i], around);
        if (geometry_.hasWalls()) launch<true>(from, to, runs);
        else launch<false>(from, to, runs);
        for (int i = 0; i < count; ++i) impose(to, boundary, pieces[i].openings, around);
    }

    template<class Boundary>
    void impose(const Tiles& to, const Boundary& boundary, const ListCut& openings, const OpeningsAround<L, T>& around)
    {
        for (int i = openings.first; i < openings.first + openings.count; ++i) {
            const NodePlace place = boundary.places[boundary.openings[i].state];
            auto m = to.template load<Incompressible>(place.tile, place.local);
            if (!imposeMoments<Collision, Incompressible>(boundary, i, parameters_, TileT::N, around.strainAt(i),
                                                          around.tauAt(i), m))
                continue;
            to.template store<Incompressible>(place.tile, place.local, m, 0);
            renewFace(to, place.tile, place.local);
        }
    }

    void pass(int steps)
    {
        beginPass();
        const Slabs slabs(slabs_.shape, steps);
        for (int slab = 0; slab < slabs.count(); ++slab) {
            takeUp(slabs.takenUp(slab));
            for (int ahead = 0; ahead < steps; ++ahead) stepPiece(slabs, slab, ahead);
            takeOut(slabs.finished(slab), steps);
        }
        endPass(steps);
    }

    void carry(const std::vector<T>& from, std::vector<T>& to, const TileRanges& ranges) const
    {
        const std::size_t tile = from.size() / std::size_t(grid().tiles());
        for (const TileRange& range : ranges)
            std::copy(from.begin() + std::ptrdiff_t(range.first * tile),
                      from.begin() + std::ptrdiff_t(range.last * tile),
                      to.begin() + std::ptrdiff_t(range.first * tile));
    }

    void step(const SlabStep& s)
    {
        Piece pieces[2];
        for (int i = 0; i < 2; ++i)
            pieces[i] = {geometry_.cut(s.remembered[i], s.stepped[i]),
                         geometry_.tiles().tables().cut(s.stepped[i], s.stepped[i], true).openings};
        const PassRuns runs = geometry_.runsIn({s.stepped}, longestRun<Layer<L, TileT>>);
        step(tilesAfter(s.ahead), tilesAfter(s.ahead + 1), pieces, 2,
             {geometry_.tilesOfRuns(), runs.first.data(), runs.last.data(), int(runs.first.size())});
    }

    // After so many steps of a pass.
    Tiles tilesAfter(int ahead)
    {
        Tiles own = tiles(ahead % 2);
        own.factors = ahead == 0 ? this->now_ : this->next_;
        return own;
    }

    template<class Boundary>
    void lookAround(const Tiles& from, const Boundary& boundary, const Piece& piece, const OpeningsAround<L, T>& around)
    {
        const TilesView view = geometry_.tiles().view();
        const auto special = geometry_.special();
        T g[3][3], u[3];
        const auto find = [&](const NodePlace& place) {
            NodeGradient<Incompressible, L, TileT, T, Tiles>(view, special, geometry_.distant(), from, place.tile,
                                                             place.local)
                .find(g, u);
        };
        const ListCut &openings = piece.openings, &nodes = piece.special.nodes;
        for (int i = openings.first; i < openings.first + openings.count; ++i) {
            find(boundary.places[boundary.openings[i].state]);
            around.put(i, g, u, parameters_.closure);
        }
        if (specialGradients_.empty()) return;
        for (int i = nodes.first; i < nodes.first + nodes.count; ++i) {
            find(special.nodes[i].place);
            SpecialGradients<L, T>{specialGradients_.data()}.put(i, g);
        }
    }

    template<bool walls>
    void launch(const Tiles& from, const Tiles& to, const RunsView& runs)
    {
        const TilesView view = geometry_.tiles().view();
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
                    around, RimPassing<Tiles>{});
            });
    }

    SlabsOnHost slabs_;
    std::vector<T> faces_[2], specialGradients_, home_, homeFaces_;
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

} // namespace lbm::test
