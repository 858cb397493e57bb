// MomentGeometry: CudaGeometry and what the moment representation needs besides: the runs of tiles that blocks of
// threads slide along, and the special nodes. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Storage.hpp"
#include "lbm/storage/LinkKinds.hpp"
#include "lbm/storage/moments/gpu/GradientNodes.hpp"
#include "lbm/storage/moments/gpu/MomentRing.hpp"
#include "lbm/storage/moments/gpu/MomentTurns.cuh"
#include "lbm/storage/moments/gpu/MomentView.hpp"
#include "lbm/storage/moments/gpu/MomentWalls.hpp"
#include "lbm/storage/moments/gpu/RunTime.hpp"
#include "lbm/storage/moments/gpu/SpecialNumbers.hpp"
#include "lbm/storage/nodes/CudaGeometry.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace lbm {

// Runs of the steps of a pass through slabs: pieces of columns of tiles, step by step.
struct PassRuns {
    std::vector<std::int32_t> first, last; // see RunsView
    std::vector<std::size_t> ofStep{0};    // [steps + 1]: the first run of each

    // columns: whole ones, bottom first.
    PassRuns(const TileRuns& columns, const std::vector<TileRanges>& steps, int longest)
    {
        for (const TileRanges& ranges : steps) {
            for (const TileRange& range : ranges)
                for (std::int32_t c = 0; range.count() > 0 && c < columns.count(); ++c) add(columns, c, range, longest);
            ofStep.push_back(first.size());
        }
    }

private:
    void add(const TileRuns& columns, std::int32_t column, const TileRange& range, int longest)
    {
        const auto begin = columns.tiles.begin() + columns.first[column],
                   end = columns.tiles.begin() + columns.first[column + 1];
        const auto at = [&](auto i) { return std::int32_t(i - columns.tiles.begin()); };
        const std::int32_t low = at(std::lower_bound(begin, end, range.first)),
                           high = at(std::lower_bound(begin, end, range.last));
        const std::int32_t length = high - low, count = (length + longest - 1) / longest;
        for (std::int32_t i = 0; i < count; ++i) {
            first.push_back(low + std::int32_t(std::int64_t(i) * length / count));
            last.push_back(low + std::int32_t(std::int64_t(i + 1) * length / count));
        }
    }
};

template<class L, class T, class TileT>
class MomentGeometry {
public:
    static constexpr int depth = L::D == 3 ? TileT::TZ : TileT::TY; // of a tile, in layers
    static constexpr int count = MomentSet<L, T>::count, shortestRun = L::D == 3 ? (8 + depth - 1) / depth : 2;

    // longestRun: in tiles. Small domains have shorter ones, for the sake of the `atOnce` blocks that are worked on at once: a layer
    // takes most of a microsecond, however few nodes it has. In a ring there is one for each of them; parts' runs there, where a
    // quarter is spare at most, are so short (but half as long at least) that blocks need not wait for each other: those of other
    // parts have their places meanwhile (two parts of 256^3 made 0.76 of one with runs as long).
    MomentGeometry(const Domain& domain, const Config& config, int longestRun, int atOnce, bool ring, bool streamed) :
        tiles_(domain, config, Layout::tiles, streamed ? TileOrder::layers : TileOrder::rows, CurvedIn::layers),
        walls_(tiles_.tables())
    {
        listSpecialNodes();
        if (foundAround(config).any()) listDistantNodes();
        // Of slabs, which pieces of them are runs is told later
        const int tiles = tiles_.grid().stepped(), inQuarter = (tiles / 4 + atOnce - 1) / atOnce;
        if (streamed) makeRuns(domain, wholeColumns());
        else if (ring)
            makeRuns(
                domain,
                alike(std::clamp(tiles / atOnce, shortestRun,
                                 domain.hasGhosts() ? std::clamp(inQuarter, longestRun / 2, longestRun) : longestRun)));
        else if (tiles < fewTiles * atOnce) makeRuns(domain, lengthsFor(domain, longestRun, atOnce));
        else makeShrinkingRuns(domain, longestRun, atOnce);
        layersOfPlace_ = double(tiles) * depth / atOnce;
        if (ring || streamed) return;
        if (domain.hasGhosts()) putRimFirst(domain);
        putWallsFirst(atOnce);
    }

    // Of each of some ranges of tiles the runs, none longer than that.
    PassRuns runsIn(const std::vector<TileRanges>& ranges, int longestRun) const
    {
        return PassRuns(runs_, ranges, longestRun);
    }

    // One copy of the moments, and of faces, if they are kept. atOnce: tiles that are worked on at once; as many slots are
    // spare, but no more than a quarter of all, which makes blocks wait.
    void makeRing(const Int3& boxSize, bool facesKept, std::int32_t atOnce)
    {
        orderRuns(tiles_.grid(), boxSize, runs_);
        ring_.emplace(tiles_.grid(), runs_, facesKept, std::min(atOnce, tiles_.grid().stepped() / 4));
    }

    const CudaGeometry<L, T, TileT>& tiles() const { return tiles_; }
    CudaGeometry<L, T, TileT>& tiles() { return tiles_; }

    // Of device memory.
    std::size_t bytes() const
    {
        return tiles_.bytes() + walls_.bytes() + (ring_ ? ring_->bytes() : 0)
            + (runs_.tiles.size() + runs_.first.size() + pairEnds_.size() + tableOf_.size() + rows() * TileT::N)
            * sizeof(std::int32_t)
            + distant_.size() * sizeof(NodePlace) + special_.size() * (sizeof(SpecialNode) + count * sizeof(T))
            + mirrors_.size() * sizeof(MirrorLink)
            + kept_.size() * (sizeof(RememberedNode) + sizeof(RememberedPopulations<L, T>));
    }

    // See Solver::setBoundary. Kernels may be given other memory from then on.
    void setBoundary(const cuda::Device& device, int patch, const LinkValue* values, std::size_t n)
    {
        tiles_.setBoundary(patch, values, n);
        if (tiles_.host().curved(patch) || !asksForMore(patch)) return;
        listSpecialNodes();
        copySpecial(device);
    }

    void copyTo(const cuda::Device& device)
    {
        tiles_.copyTo(device);
        const auto copy = [&](const auto& from) { return cuda::Array<std::int32_t>{device, from.data(), from.size()}; };
        onDevice_.runTiles = copy(runs_.tiles);
        onDevice_.firstOfRun = copy(runs_.first);
        if (ring_) {
            onDevice_.position = copy(ring_->position);
            onDevice_.after = copy(ring_->after);
            onDevice_.finishedIn = {device, std::size_t(runs_.count())};
            onDevice_.turns = {device, 2};
        }
        onDevice_.tableOf = copy(tableOf_);
        makeTable(device);
        copySpecial(device);
        onDevice_.distant = {device, distant_.data(), distant_.size()};
        onDevice_.corrections = {device, special_.size() * count};
        onDevice_.walls = {device, walls_.links.data(), walls_.links.size()};
        onDevice_.wallsInLayer = {device, walls_.inLayer.data(), walls_.inLayer.size()};
    }

    // Whether some runs are the rim's and others are not.
    bool splits() const { return rimRuns_ > 0 && rimRuns_ < runs_.count(); }

    // Where they do not split, all are the rim's.
    RunsView runs(PartOfTiles part) const
    {
        const int rim = splits() ? rimRuns_ : runs_.count();
        return part == PartOfTiles::rim ? runs(0, rim) : runs(rim, runs_.count());
    }

    // All of them; how many are the rim's, which come first.
    RunsView allRuns() const { return runs(0, runs_.count()); }
    int rimRuns() const { return splits() ? rimRuns_ : 0; }
    // Layers that each place has in a step.
    double layersOfPlace() const { return layersOfPlace_; }
    // Of tiles which of the rim's runs has them; -1: none.
    std::vector<std::int32_t> rimRunOfTiles() const
    {
        std::vector<std::int32_t> of(std::size_t(tiles_.grid().tiles()), -1);
        for (std::int32_t run = 0; run < rimRuns(); ++run)
            for (std::int32_t i = runs_.first[run]; i < runs_.first[run + 1]; ++i)
                of[std::size_t(runs_.tiles[i])] = run;
        return of;
    }

    // Whether runs with walls that are interpolated in the step are apart from the others; not beside a rim that is.
    bool splitsWalls() const { return wallRuns_ > 0; }
    RunsView runs(bool walls) const { return walls ? runs(0, wallRuns_) : runs(wallRuns_, runs_.count()); }

    const std::int32_t* tilesOfRuns() const { return onDevice_.runTiles.data(); }

    const MomentRing& ring() const { return *ring_; }
    const std::int32_t* positions() const { return onDevice_.position.data(); }
    TurnsView turns(std::uint64_t step)
    {
        unsigned long long* counts = onDevice_.turns.data();
        return {counts, counts ? counts + 1 : nullptr, onDevice_.finishedIn.data(), onDevice_.after.data(), step};
    }

    SpecialView<L, T> special()
    {
        return {onDevice_.special.data(),    int(special_.size()),      onDevice_.kept.data(),
                onDevice_.remembered.data(), onDevice_.pairEnds.data(), onDevice_.corrections.data(),
                onDevice_.tableOf.data(),    onDevice_.table.data(),    onDevice_.mirrors.data()};
    }

    // Of a closure that asks for velocities around nodes.
    DistantNodes<L> distant() const { return {onDevice_.distant.data()}; }
    bool hasDistant() const { return !distant_.empty(); }
    std::size_t specialNodes() const { return special_.size(); }

    SpecialCut cut() const
    {
        const int states = rememberedStates_, kept = int(kept_.size());
        return {{0, states},
                {states, kept - states},
                {0, int(tiles_.tables().tables().distant.size())},
                {0, int(tiles_.tables().tables().pairs.size())},
                {0, states},
                {0, int(special_.size())}};
    }

    // Of nodes in some tiles: `remembered` is looked at by others, too.
    SpecialCut cut(const TileRange& remembered, const TileRange& stepped) const
    {
        const auto ofKept = [&](std::size_t i) { return kept_[i].place.tile; };
        const std::size_t states = std::size_t(rememberedStates_);
        const BoundaryCut pieces = tiles_.tables().cut(remembered, stepped, false);
        SpecialCut c;
        c.states = cutByTile(states, remembered, ofKept);
        c.others = cutByTile(kept_.size() - states, remembered, [&](std::size_t i) { return ofKept(states + i); });
        c.others.first += rememberedStates_;
        c.distant = pieces.distant;
        c.pairs = pieces.pairs;
        c.completed = cutByTile(states, stepped, ofKept);
        c.nodes = cutByTile(special_.size(), stepped, [&](std::size_t i) { return special_[i].place.tile; });
        return c;
    }

    // Some are interpolated in the step.
    bool hasWalls() const { return walls_.any; }
    WallsView<T> walls() { return {tiles_.curved(), onDevice_.walls.data(), onDevice_.wallsInLayer.data()}; }

private:
    RunsView runs(int first, int last) const
    {
        const std::int32_t* begin = onDevice_.firstOfRun.data() + first;
        return {onDevice_.runTiles.data(), begin, begin + 1, last - first};
    }

    // Tiles of runs at most, of columns that have tiles of the rim and of others.
    struct RunLengths {
        int rim, inner;
    };
    static RunLengths alike(int length) { return {length, length}; }
    RunLengths wholeColumns() const { return alike(tiles_.grid().tiles() + 1); }

    // With openings no runs are the rim's by themselves, see putRimFirst.
    bool isRimColumn(const Domain& domain, const std::int32_t* begin, const std::int32_t* end) const
    {
        return domain.hasGhosts() && tiles_.host().openings().empty()
            && std::any_of(begin, end, [&](std::int32_t t) { return tiles_.grid().isOfRim(domain, t); });
    }

    void copySpecial(const cuda::Device& device)
    {
        onDevice_.pairEnds = {device, pairEnds_.data(), pairEnds_.size()};
        onDevice_.special = {device, special_.data(), special_.size()};
        onDevice_.kept = {device, kept_.data(), kept_.size()};
        onDevice_.remembered = {device, kept_.size()};
        onDevice_.mirrors = {device, mirrors_.data(), mirrors_.size()};
    }

    bool asksForMore(int patch) const
    {
        const auto [first, last] = tiles_.host().recordsOf(patch);
        bool more = false;
#pragma omp parallel for schedule(static) reduction(|| : more) if (last - first > 10000)
        for (std::size_t k = first; k < last; ++k) {
            const std::uint8_t now = needs(tiles_.host().boundaryLinks().made[k]);
            more = more || (seenTo_[k] == oneState ? now == manyStates : seenTo_[k] != manyStates && now != seenTo_[k]);
        }
        return more;
    }

    // Of a place, below which runs are as long as a model says: there are too few for them to shrink.
    static constexpr int fewTiles = 24 / depth;

    // Runs of the rim are short, so that their nodes are on their way to other parts while others are at work. Columns are cut evenly.
    void makeShrinkingRuns(const Domain& domain, int longestRun, int atOnce)
    {
        constexpr int shortestInner = std::max(shortestRun, 12 / depth), longestRim = std::max(shortestRun, 32 / depth);
        makeRuns(domain, wholeColumns());
        const std::vector<std::int32_t> columns = std::exchange(runs_.first, {});
        const auto lengthOf = [&](std::size_t c) { return columns[c + 1] - columns[c]; };
        std::vector<bool> ofRim;
        double left = 0;
        for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
            const std::int32_t* tiles = runs_.tiles.data() + columns[c];
            ofRim.push_back(isRimColumn(domain, tiles, tiles + lengthOf(c)));
            if (!ofRim[c]) left += lengthOf(c);
        }
        const int rim = std::clamp(tiles_.grid().stepped() / atOnce / 5, shortestRun, longestRim);
        for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
            const int n = lengthOf(c), longest = ofRim[c] ? rim : shrinkingRun(left, atOnce, shortestInner, longestRun),
                      count = (n + longest - 1) / longest;
            for (int i = 0; i < count; ++i)
                runs_.first.push_back(columns[c] + std::int32_t(std::int64_t(i) * n / count));
            if (!ofRim[c]) left -= n;
        }
        runs_.first.push_back(columns.back());
    }

    // Of few tiles, such that a step takes the least time. Runs of the rim are shorter than others, so that their nodes are on their
    // way to other parts while others are at work.
    RunLengths lengthsFor(const Domain& domain, int longestRun, int atOnce)
    {
        makeRuns(domain, wholeColumns());
        const TileRuns columns = std::move(runs_);
        runs_ = {};
        std::vector<int> ofRim, ofInner;
        for (std::int32_t c = 0; c < columns.count(); ++c) {
            const std::int32_t *begin = &columns.tiles[columns.first[c]],
                               *end = &columns.tiles[columns.first[c + 1] - 1] + 1;
            (isRimColumn(domain, begin, end) ? ofRim : ofInner).push_back(int(end - begin));
        }
        RunLengths best{};
        double least = std::numeric_limits<double>::max();
        const int shortest = std::min(shortestRun, longestRun);
        for (int inner = longestRun; inner >= shortest; --inner) {
            const RunLengths tried{std::max(shortest, inner / 4), inner};
            std::vector<int> layers;
            const auto add = [&](const std::vector<int>& lengths, int longest) {
                for (const int length : lengths)
                    forPieces(length, longest, domain.hasGhosts(),
                              [&](int first, int last) { layers.push_back((last - first) * depth + layersOfStart); });
            };
            add(ofRim, tried.rim);
            add(ofInner, tried.inner);
            const double time = runTime(layers, atOnce);
            if (time < 0.99 * least) best = tried, least = time; // else the longer ones: they begin less often
        }
        return best;
    }

    // visit(first, last): tiles of a run in a column.
    // A run of a tile or two takes as long as some more tiles; longer ones do not. Of parts a column is cut evenly where so few would
    // be left over. (The columns of a vessel begin anywhere; cut evenly, its runs took 5 % longer in single precision;
    // lbm/bench/results/parts-and-rates.md.)
    template<class Visit>
    static void forPieces(int length, int longest, bool parts, Visit&& visit)
    {
        const int count = (length + longest - 1) / longest, left = length % longest;
        const bool evenly = parts && left > 0 && left <= shortestRun;
        const auto begin = [&](int i) {
            return evenly ? int(std::int64_t(i) * length / count) : std::min(i * longest, length);
        };
        for (int i = 0; i < count; ++i) visit(begin(i), begin(i + 1));
    }

    // Tiles one behind the other along the last axis, in the order of their numbers: none goes around the end of a periodic axis
    // (RoundedPlaces). Not those of ghosts alone, be they numbered among the others: slabs have whole columns of these.
    void makeRuns(const Domain& domain, const RunLengths& lengths)
    {
        const TileGrid& grid = tiles_.grid();
        constexpr int behind = L::D == 3 ? 13 + 9 : 13 + 3, before = 26 - behind;
        std::vector<bool> taken(grid.tiles());
        const auto follow = [&](std::int32_t first) {
            const std::size_t begin = runs_.tiles.size();
            for (std::int32_t t = first; t < grid.stepped() && !taken[t]; t = grid.neighbours(t)[behind]) {
                taken[t] = true;
                runs_.tiles.push_back(t);
            }
            const std::int32_t* tiles = runs_.tiles.data();
            const bool rim = isRimColumn(domain, tiles + begin, tiles + runs_.tiles.size());
            const int length = int(runs_.tiles.size() - begin);
            forPieces(length, rim ? lengths.rim : lengths.inner, domain.hasGhosts(),
                      [&](int piece, int) { runs_.first.push_back(std::int32_t(begin) + piece); });
        };
        // A column that is periodic and full has no first tile but the one that comes first in the grid's order.
        for (std::int32_t t = 0; t < grid.stepped(); ++t)
            if (grid.neighbours(t)[before] >= t && !grid.isOfGhosts(domain, t))
                follow(t); // none before it, a ghost, or the column's last one
        runs_.first.push_back(std::int32_t(runs_.tiles.size()));
    }

    // Runs are not cut for the rim but in columns that belong to it: of a run of a tile or two, such as it would have across the last
    // axis, a step takes as long as of some tiles more (at 256^3, cut in two, 1.5 % of all layers). Openings are imposed behind all runs, which then are the rim's.
    void putRimFirst(const Domain& domain)
    {
        if (!tiles_.host().openings().empty()) return;
        rimRuns_ = putFirst([&](std::int32_t t) { return tiles_.grid().isOfRim(domain, t); });
    }

    // Steps that interpolate at walls take more shared memory, so that fewer blocks have room at once. Where runs with such walls and
    // others are many turns of blocks each, the others do without; else the end of one kind, where blocks idle, costs more.
    void putWallsFirst(int atOnce)
    {
        constexpr int fewestTurns = 6;
        if (!walls_.any || splits()) return;
        const auto hasWalls = [&](std::int32_t t) {
            const auto* layers = &walls_.inLayer[std::size_t(t) * depth];
            return std::any_of(walls_.links.begin() + layers[0], walls_.links.begin() + layers[depth],
                               [](const WallLink& link) { return link.inStep(); });
        };
        std::int64_t walls = 0;
        for (std::int32_t run = 0; run < runs_.count(); ++run)
            walls += std::any_of(&runs_.tiles[runs_.first[run]], &runs_.tiles[runs_.first[run + 1] - 1] + 1, hasWalls);
        if (std::min<std::int64_t>(walls, runs_.count() - walls) >= std::int64_t(fewestTurns) * atOnce)
            wallRuns_ = putFirst(hasWalls);
    }

    // Runs that have a tile of which that is true, in their order; how many.
    template<class IsOf>
    int putFirst(IsOf&& isOf)
    {
        std::vector<std::int32_t> order(runs_.count());
        std::iota(order.begin(), order.end(), 0);
        const auto tilesOf = [&](std::int32_t run) {
            return std::pair(runs_.tiles.begin() + runs_.first[run], runs_.tiles.begin() + runs_.first[run + 1]);
        };
        const auto others = std::stable_partition(order.begin(), order.end(), [&](std::int32_t run) {
            const auto [first, last] = tilesOf(run);
            return std::any_of(first, last, isOf);
        });
        const int count = int(others - order.begin());
        TileRuns sorted;
        for (const std::int32_t run : order) {
            const auto [first, last] = tilesOf(run);
            sorted.first.push_back(std::int32_t(sorted.tiles.size()));
            sorted.tiles.insert(sorted.tiles.end(), first, last);
        }
        sorted.first.push_back(std::int32_t(sorted.tiles.size()));
        runs_ = std::move(sorted);
        return count;
    }

    std::size_t rows() const { return firstOfRow_.empty() ? 0 : firstOfRow_.size() - 1; } // of the table
    std::int32_t numberOf(const NodePlace& place) const
    {
        return SpecialNumbers<TileT::N>{isSpecial_.words().data(), firstOfRow_.data()}.of(
            std::size_t(tableOf_[place.tile]), place.local);
    }

    // Of the bits of its nodes.
    void makeTable(const cuda::Device& device)
    {
        const auto& words = isSpecial_.words();
        const cuda::Array<std::uint64_t> bits(device, words.data(), words.size());
        const cuda::Array<std::int32_t> first(device, firstOfRow_.data(), firstOfRow_.size());
        onDevice_.table = {device, rows() * TileT::N};
        cuda::forEach(device, onDevice_.table.size(),
                      PutSpecialNumber<TileT::N>{{bits.data(), first.data()}, onDevice_.table.data()},
                      "kernel of special nodes' numbers");
    }

    // What a step has to know of other nodes for a link: states that are written down before; the state of one, which its moments
    // tell, if any; or one population of one: that and its number.
    static constexpr std::uint8_t manyStates = 0, oneState = 1, onePopulation = 2;
    std::uint8_t needs(const LinkMakeup& link) const
    {
        const auto kind = BoundaryKind(link.kind);
        if (!needsDonor(kind) || link.donor < 0) return oneState;
        if (onlyDonor(tiles_.host().boundaryShares(), link) < 0) return manyStates;
        return kind == BoundaryKind::slip ? std::uint8_t(onePopulation + link.mirror) : oneState;
    }

    // act(place) of all nodes that are special, of some more than once, by several threads.
    template<class Act>
    void eachSpecial(const Act& act) const
    {
        const auto& tables = tiles_.tables().tables();
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < tables.places.size(); ++i) act(tables.places[i]);
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < tables.pairs.size(); ++i) {
            act(tables.pairs[i].a);
            act(tables.pairs[i].b);
        }
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < tables.between.size(); ++i) act(placeBetween(i));
    }
    NodePlace placeBetween(std::size_t i) const
    {
        const auto& tables = tiles_.tables().tables();
        return tables.curvedPlaces[std::size_t(tables.between[i])].node();
    }

    // Tiles that have some, in their order.
    std::vector<std::int32_t> listTables()
    {
        tableOf_.assign(tiles_.grid().tiles(), -1);
        eachSpecial([&](const NodePlace& p) { __atomic_store_n(&tableOf_[p.tile], 0, __ATOMIC_RELAXED); });
        std::vector<std::int32_t> tileOf;
        for (std::int32_t tile = 0; tile < std::int32_t(tableOf_.size()); ++tile) {
            if (tableOf_[tile] < 0) continue;
            tableOf_[tile] = std::int32_t(tileOf.size());
            tileOf.push_back(tile);
        }
        return tileOf;
    }

    // By tile and node: a bit of each, for ends of a box that tiles do not meet are tens of millions to sort.
    void numberSpecial()
    {
        constexpr std::int64_t n = TileT::N;
        const std::vector<std::int32_t> tileOf = listTables();
        const std::size_t rows = tileOf.size();
        isSpecial_ = BitSet(std::int64_t(rows) * n);
        eachSpecial([&](const NodePlace& p) { isSpecial_.setShared(tableOf_[p.tile] * n + p.local); });
        firstOfRow_.assign(rows + 1, 0);
#pragma omp parallel for schedule(static)
        for (std::size_t row = 0; row < rows; ++row)
            firstOfRow_[row + 1] = std::int32_t(isSpecial_.countIn(std::int64_t(row) * n, n));
        std::partial_sum(firstOfRow_.begin(), firstOfRow_.end(), firstOfRow_.begin());
        special_.resize(std::size_t(firstOfRow_.back()));
#pragma omp parallel for schedule(static)
        for (std::size_t row = 0; row < rows; ++row) {
            std::size_t next = std::size_t(firstOfRow_[row]);
            isSpecial_.forEachIn(std::int64_t(row) * n, n, [&](std::int64_t local) {
                special_[next++] = {{tileOf[row], int(local)}, -1, -1, 0, 0, 0, 0};
            });
        }
    }

    // States that are asked for are kept, one behind the other; behind them ends of pairs.
    void listKept()
    {
        const auto& host = tiles_.host();
        const auto& places = tiles_.tables().tables().places;
        seenTo_.resize(host.boundaryLinkCount());
#pragma omp parallel for schedule(static)
        for (std::size_t k = 0; k < seenTo_.size(); ++k) seenTo_[k] = needs(host.boundaryLinks().made[k]);
        const std::vector<std::uint8_t> asked = askedStates(host, seenTo_);
        std::vector<std::int32_t> number(places.size());
        rememberedStates_ = 0;
        for (std::size_t i = 0; i < places.size(); ++i) number[i] = asked[i] ? rememberedStates_++ : -1;
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < places.size(); ++i) {
            SpecialNode& node = special_[numberOf(places[i])];
            if (number[i] < 0) node.state = std::int32_t(i);
            else node.kept = number[i];
        }
        kept_.resize(std::size_t(numberEnds()));
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < places.size(); ++i)
            if (number[i] >= 0) kept_[std::size_t(number[i])] = {places[i], std::int32_t(i)};
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < special_.size(); ++i)
            if (const SpecialNode& node = special_[i]; node.kept >= rememberedStates_)
                kept_[std::size_t(node.kept)] = {node.place, -1};
    }

    // Of pairs, those that are no such states, by tile and node. How many nodes are kept then.
    std::int32_t numberEnds()
    {
        const auto& pairs = tiles_.tables().tables().pairs;
        BitSet ends(std::int64_t(special_.size()));
        pairEnds_.resize(2 * pairs.size());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < pairEnds_.size(); ++i) {
            pairEnds_[i] = numberOf(i % 2 ? pairs[i / 2].b : pairs[i / 2].a);
            if (special_[pairEnds_[i]].kept < 0) ends.setShared(pairEnds_[i]);
        }
        std::int32_t next = rememberedStates_;
        ends.forEachIn(0, ends.size(), [&](std::int64_t i) { special_[std::size_t(i)].kept = next++; });
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < pairEnds_.size(); ++i) pairEnds_[i] = special_[pairEnds_[i]].kept;
        return next;
    }

    // Links of interpolated walls that the step leaves to what comes before it: those of a node lie one behind the other.
    void listBetween()
    {
        const auto& between = tiles_.tables().tables().between;
        const auto alike = [&](std::size_t i, std::size_t j) {
            const NodePlace a = placeBetween(i), b = placeBetween(j);
            return a.tile == b.tile && a.local == b.local;
        };
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < between.size(); ++i) {
            SpecialNode& node = special_[numberOf(placeBetween(i))];
            if (i == 0 || !alike(i - 1, i)) node.firstCurved = between[i];
            if (i + 1 == between.size() || !alike(i, i + 1)) node.lastCurved = between[i] + 1;
        }
    }

    void listSpecialNodes()
    {
        numberSpecial();
        listKept();
        listBetween();
        listMirrors();
    }

    // Of nodes that have no other links.
    void listMirrors()
    {
        const auto& host = tiles_.host();
        const auto linksOf = [&](const SpecialNode& node) {
            const auto& state = host.boundaryNodes()[std::size_t(node.state)];
            return std::pair(state.firstLink, state.lastLink);
        };
        std::vector<std::int32_t> firstOf(special_.size() + 1, 0);
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < special_.size(); ++i) {
            const SpecialNode& node = special_[i];
            if (node.state < 0 || node.kept >= 0 || node.firstCurved < node.lastCurved) continue;
            const auto [first, last] = linksOf(node);
            if (std::all_of(seenTo_.data() + first, seenTo_.data() + last,
                            [](std::uint8_t needed) { return needed >= onePopulation; }))
                firstOf[i + 1] = std::int32_t(last - first);
        }
        std::partial_sum(firstOf.begin(), firstOf.end(), firstOf.begin());
        mirrors_.resize(std::size_t(firstOf.back()));
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < special_.size(); ++i) {
            SpecialNode& node = special_[i];
            if (firstOf[i] == firstOf[i + 1]) continue;
            MirrorLink* const own = &mirrors_[std::size_t(firstOf[i])];
            const auto [first, last] = linksOf(node);
            for (std::uint32_t k = first; k < last; ++k) {
                const LinkMakeup& link = host.boundaryLinks().made[k];
                const NodePlace from =
                    tiles_.tables().tables().places[std::size_t(onlyDonor(host.boundaryShares(), link))];
                own[k - first] = {from.tile, std::int16_t(from.local), link.direction, std::uint8_t(link.mirror)};
            }
            std::sort(own, own + (last - first),
                      [](const MirrorLink& a, const MirrorLink& b) { return a.direction < b.direction; });
            node.firstMirror = firstOf[i];
            node.lastMirror = firstOf[i + 1];
        }
    }

    void listDistantNodes()
    {
        using Distant = DistantNodes<L>;
        const auto& pairs = tiles_.tables().tables().pairs;
        if (pairs.empty()) return;
        distant_.assign(special_.size() * Distant::count, {-1, 0});
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const RemotePair& pair = pairs[i];
            for (int a = 0; a < L::D; ++a)
                for (int side = 0; side < 2; ++side) {
                    const int q = straightFrom<L>(a, side);
                    const auto put = [&](const NodePlace& at, const NodePlace& source) {
                        distant_[std::size_t(numberOf(at)) * Distant::count + Distant::of(a, side)] = source;
                    };
                    if (pair.q == q) put(pair.a, pair.b);
                    if (opposite(pair.q) == q) put(pair.b, pair.a);
                }
        }
    }

    CudaGeometry<L, T, TileT> tiles_;
    WallTables<L, TileT> walls_;
    TileRuns runs_;
    int rimRuns_ = 0, wallRuns_ = 0; // they come first
    double layersOfPlace_ = 0;
    std::optional<MomentRing> ring_;
    UnsetVector<SpecialNode> special_; // by tile and node
    std::vector<NodePlace> distant_;   // of them, see DistantNodes
    UnsetVector<RememberedNode> kept_;
    std::vector<MirrorLink> mirrors_;
    std::vector<std::uint8_t> seenTo_; // of boundary links: what they needed when nodes were listed
    int rememberedStates_ = 0;
    std::vector<std::int32_t> tableOf_;
    BitSet isSpecial_{0};                  // by row of the table and node
    std::vector<std::int32_t> firstOfRow_; // number of its first special node, and how many there are
    UnsetVector<std::int32_t> pairEnds_;

    struct {
        cuda::Array<std::int32_t> position, after;
        cuda::Array<unsigned> finishedIn;
        cuda::Array<unsigned long long> turns;
        cuda::Array<std::int32_t> runTiles, firstOfRun, pairEnds, tableOf, table;
        cuda::Array<SpecialNode> special;
        cuda::Array<MirrorLink> mirrors;
        cuda::Array<NodePlace> distant;
        cuda::Array<RememberedNode> kept;
        cuda::Array<RememberedPopulations<L, T>> remembered;
        cuda::Array<T> corrections;
        cuda::Array<WallLink> walls;
        cuda::Array<std::uint32_t> wallsInLayer;
    } onDevice_;
};

} // namespace lbm
