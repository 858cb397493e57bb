// MomentState: what storage `moments` keeps from step to step, how nodes are read and set, and what is kept of nodes for links of
// others. A sweep (MomentWindow) replaces it.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/cpu/BorderLinks.hpp"
#include "lbm/storage/moments/cpu/MomentArrays.hpp"
#include "lbm/storage/moments/cpu/MomentOpenings.hpp"
#include "lbm/storage/moments/cpu/WallLinks.hpp"
#include "lbm/storage/rows/TiledStorage.hpp"

namespace lbm {

template<class L, class T, class TileT>
class MomentState : public TiledStorage<L, T, TileT> {
public:
    using Base = TiledStorage<L, T, TileT>;
    using typename Base::Detail;
    using Arrays = MomentArrays<L, T, TileT>;
    using Layout = WindowLayout<L, T, TileT>;
    using Walls = WallLinks<L, T, TileT>;
    static constexpr int copies = 1, count = MomentSet<L, T>::count, line = lineNodes<T>;

    static constexpr bool mayHaveBlocks = hasBlocks<L>;

    MomentState(const Domain& domain, const Config& config, const CollideKernel<T>& kernel, int threads) :
        Base(domain, config, kernel),
        moments_(kernel.moments),
        arrays_(
            this->geometry_.grid(), moments_, threads,
            [this](std::int32_t t, int side, int face) { return reaches(this->detail(t), side, face); },
            foundAround(config).any(), this->incompressible_),
        walls_(this->geometry_),
        threads_(threads)
    {
        if constexpr (mayHaveBlocks)
            if (const auto make = std::get<typename MomentKernel<T>::template MakeBlocks<L>>(kernel.moments.blocks))
                blocks_ = make(domain, config, threads, BorderNodes<L, T>::of(this->geometry_));
        if (!blocks_) arrays_.hold(threads);
        if (!this->geometry_.openings().empty()) openings_.resize(this->geometry_.boundaryNodeCount());
    }

    std::size_t tableBytes() const
    {
        return arrays_.tableBytes() + borders_.bytes() + walls_.bytes() + (blocks_ ? blocks_->tableBytes() : 0);
    }

    int stepsOfPass() const { return blocks_ ? blocks_->stepsOfPass() : 1; } // that a pass takes

    void setBoundary(int patch, const LinkValue* values, std::size_t n)
    {
        this->geometry_.setBoundary(patch, values, n); // throws what cannot be
        if (n > 0 && blocks_ && !blocks_->setWall(patch, values, n)) leaveBlocks();
        if (this->geometry_.curved(patch)) walls_.noteMoves(this->geometry_);
        else this->listed_ = false;
    }

    // What nodes are set to is what a collision of this relaxation rate has left.
    void setStateRate(T omega) { arrays_.now = arrays_.next = factors(omega); }

    // Populations that a node's moments stand for. g: [Q].
    void get(const TilePlace& place, double* g) const
    {
        double m[count];
        getStored(place, m);
        moments_.node(m, {double(arrays_.now.plane), double(arrays_.now.edge)}, g);
    }

    void set(const TilePlace& place, const double* g)
    {
        double m[count];
        moments_.store(g, m);
        setStored(place, m);
    }

    // The moments themselves: [count].
    void getStored(const TilePlace& place, double* moments) const
    {
        if (blocks_) return blocks_->get(coordinates(place), moments);
        const T* const from = arrays_.at(place);
        for (int k = 0; k < count; ++k) moments[k] = double(from[k * momentStep<T>]);
    }

    // Of these density less 1 and momentum, value k at k*stride: [1 + D].
    void getConserved(const TilePlace& place, double* conserved, std::size_t stride = 1) const
    {
        if (blocks_) {
            double moments[count];
            blocks_->get(coordinates(place), moments);
            for (int k = 0; k <= L::D; ++k) conserved[std::size_t(k) * stride] = moments[k];
            return;
        }
        const T* const from = arrays_.at(place);
        for (int k = 0; k <= L::D; ++k) conserved[std::size_t(k) * stride] = double(from[k * momentStep<T>]);
    }

    void setStored(const TilePlace& place, const double* moments)
    {
        if (blocks_) return blocks_->set(coordinates(place), moments);
        T* const to = arrays_.at(place);
        for (int k = 0; k < count; ++k) to[k * momentStep<T>] = T(moments[k]);
        arrays_.keepLane(place);
        rememberNode(place);
    }

    // What a halo copies of a node: moments. Lanes, of whole rows, and what is remembered of nodes follow from them.
    static constexpr int handedOver = count;
    T* values() { return arrays_.tile(0); }
    const T* values() const { return arrays_.tile(0); }
    std::size_t slot(std::int32_t tile, int local, int k) const
    {
        return std::size_t(arrays_.at({tile, local}) - arrays_.tile(0)) + k * momentStep<T>;
    }
    static constexpr int rowsOfLanes = line;
    void keepLanes(std::int32_t tile, int firstRow)
    {
        arrays_.keepLanes(tile, firstRow, firstRow + rowsOfLanes, this->detail(tile).fluid);
    }

    void rememberNode(const TilePlace& place)
    {
        if (const std::int32_t i = this->geometry_.boundaryNode(place); i >= 0)
            openings_.keep(this->now_, i, arrays_.at(place));
        if (this->listed_)
            borders_.kept().keepNode(this->now_, place, arrays_.tile(place.tile), moments_, arrays_.now,
                                     this->geometry_.sent(this->now_));
    }

protected:
    // Steps one by one from here on.
    void leaveBlocks()
    {
        const std::unique_ptr<MomentBlocks<L, T>> blocks = std::move(blocks_);
        arrays_.hold(threads_);
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::int32_t t = 0; t < this->tiles(); ++t)
            for (int local = 0; local < TileT::N; ++local)
                if (this->detail(t).isFluid(local)) {
                    double m[count];
                    blocks->get(coordinates({t, local}), m);
                    setStored({t, local}, m);
                }
    }

    Int3 coordinates(const TilePlace& place) const { return this->geometry_.coordinates(place); }

    // Before the first step, and the first one after boundaries were changed.
    void prepare()
    {
        if (this->listed_) return;
        borders_.list(this->geometry_);
        this->listed_ = true;
        const std::int32_t tiles = this->tiles();
#pragma omp parallel for schedule(static) num_threads(arrays_.plan.ranges())
        for (std::int32_t t = 0; t < tiles; ++t)
            for (int layer = 0; layer < Layout::layers; ++layer) keep(this->now_, t, layer, arrays_.now);
    }

    void keep(int copy, std::int32_t t, int layer, const FourthFactors<T>& factors)
    {
        borders_.kept().keep(copy, t, layer, arrays_.tile(t), moments_, factors, this->geometry_.sent(copy));
    }

    FourthFactors<T> factors(T omega) const
    {
        const FourthFactors<double> own = moments_.factors(double(omega));
        return {T(own.plane), T(own.edge)};
    }

    // tau: of the tile's nodes, strain: [layer][component][node of the layer], found in the step; null: not so.
    void imposeOpenings(std::int32_t t, const Detail& d, const T* tau, const T* strain)
    {
        const BoundaryTable<L, T> table = this->boundaryTable();
        bool any = false;
        for (std::uint32_t i = d.firstNode; i < d.lastNode; ++i) {
            const BoundaryState& node = table.nodes[i];
            T* const at = arrays_.at({t, node.local});
            if (node.opening >= 0) {
                const OpeningNode& opening = this->geometry_.openings()[node.opening];
                NodeValues<T> own = valuesOf(table, opening.state);
                if (tau) own.tau = tau[node.local];
                constexpr int layerNodes = Layout::rows * line, components = strainComponents<L::D>;
                for (int k = 0; strain && k < components; ++k)
                    own.strain[k] =
                        strain[(node.local / layerNodes * components + k) * layerNodes + node.local % layerNodes];
                openings_.impose(table, opening, moments_, at, own);
            }
            openings_.keep(1 - this->now_, i, at);
            any = any || node.opening >= 0;
        }
        if (!any) return;
        arrays_.keepLanes(t, 0, Layout::rows * Layout::layers, d.fluid);
        for (int layer = 0; layer < Layout::layers; ++layer) keep(1 - this->now_, t, layer, arrays_.next);
    }

    // See WindowPlan.
    static bool reaches(const Detail& d, int side, int face)
    {
        const auto& rows = Layout::face[face];
        return std::any_of(rows.at.begin(), rows.at.begin() + rows.n,
                           [&](std::int32_t at) { return d.fluid[at / line] >> (side ? line - 1 : 0) & 1; });
    }

    MomentKernel<T> moments_;
    Arrays arrays_;
    Walls walls_;
    int threads_;
    std::unique_ptr<MomentBlocks<L, T>> blocks_; // has the moments, as long as there is one
    BorderLinks<L, T, TileT> borders_;
    MomentOpenings<L, T> openings_;
};

} // namespace lbm
