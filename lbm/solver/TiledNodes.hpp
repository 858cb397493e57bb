// TiledNodes: a NodeSet on the tiles of a host, and how it is read, whatever stores the populations.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/inParallel.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/solver/GroupSum.hpp"
#include "lbm/solver/NodeBlocks.hpp"
#include "lbm/solver/OwnedSet.hpp"

namespace lbm {

class TiledNodes final : public OwnedSet {
public:
    // Nodes of a block: their states or populations fit into a second cache.
    static constexpr std::size_t blockNodes = 1024;

    // domain, grid: of the solver, which lives as long as its sets are read.
    TiledNodes(const SetOwner& owner, const Domain& domain, const TileGrid& grid, int threads, NodeBlocks nodes);

    struct Block {
        const TilePlace* places;
        std::size_t first, nodes, group, groups;
        GroupTerms terms; // without a beginning: each node is a group
    };
    std::size_t blockCount() const { return blocks_.blocks.size() - 1; }

    // What a block of boxes is written out to.
    struct Listed {
        std::vector<TilePlace> places;
        std::vector<double> weights;
    };
    Block block(std::size_t b, Listed& listed) const;

    const std::vector<TilePlace>& places() const { return places_; }
    int threads() const { return blocks_.blocks.back().node > blockNodes ? threads_ : 1; }

    std::size_t mostNodes() const { return mostNodes_; }

private:
    void list(std::size_t b, Listed& listed) const;

    const Domain& domain_;
    const TileGrid& grid_;
    std::vector<TilePlace> places_;
    int threads_;
    std::size_t mostNodes_;
};

// Where a thread works on a block; kept from call to call, and as large as the largest block that there was.
class Rooms {
public:
    void make(int threads, std::size_t values)
    {
        if (rooms_.size() < std::size_t(threads)) rooms_.resize(threads);
        for (int t = 0; t < threads; ++t)
            if (rooms_[t].size() < values) rooms_[t].resize(values);
    }
    double* operator[](int thread) { return rooms_[thread].data(); }

private:
    std::vector<std::vector<double>> rooms_;
};

// f(block, the thread's room, extremes to add to) for every block.
template<class F>
Extremes overBlocks(const TiledNodes& set, Rooms& rooms, int valuesPerNode, F&& f)
{
    rooms.make(set.threads(), valuesPerNode * set.mostNodes());
    Extremes all;
    TeamFault fault;
#pragma omp parallel num_threads(set.threads())
    {
        Extremes own;
        TiledNodes::Listed listed;
        double* room = rooms[omp_get_thread_num()];
#pragma omp for schedule(static)
        for (std::size_t b = 0; b < set.blockCount(); ++b) fault.keep([&] { f(set.block(b, listed), room, own); });
#pragma omp critical
        include(all, own);
    }
    fault.rethrow();
    return all;
}

// statesOf(reading, places, n, states): all of states, or of a flow density and velocity alone.
template<class StatesOf>
Extremes sampleSet(const TiledNodes& set, Rooms& rooms, Reading reading, double* values, const StatesOf& statesOf)
{
    Extremes seen;
    withReading(reading, [&](auto read) {
        constexpr int count = valuesOf(read);
        seen = overBlocks(set, rooms, valuesOf(Reading::state),
                          [&](const TiledNodes::Block& b, double* room, Extremes& extremes) {
                              auto* states = reinterpret_cast<Macroscopic*>(room);
                              statesOf(read, b.places, b.nodes, states);
                              for (std::size_t i = 0; i < b.nodes; ++i) {
                                  if constexpr (read == Reading::flow) include(extremes, extremesOfFlow(states[i]));
                                  else include(extremes, extremesOf(states[i]));
                              }
                              double* to = values + b.group * count;
                              if (set.kind() == NodeSet::Kind::nodes)
                                  for (std::size_t i = 0; i < b.nodes; ++i) writeState<read>(states[i], to + i * count);
                              else
                                  for (std::size_t g = 0; g < b.groups; ++g)
                                      sumStates<read>(b.terms, g, states, to + g * count);
                          });
    });
    return seen;
}

// populationsOf(place, populations)
template<class PopulationsOf>
Extremes fetchSet(const TiledNodes& set, Rooms& rooms, int Q, double* populations, const PopulationsOf& populationsOf)
{
    return overBlocks(set, rooms, 0, [&](const TiledNodes::Block& b, double*, Extremes& extremes) {
        for (std::size_t i = 0; i < b.nodes; ++i) {
            double* own = populations + (b.first + i) * Q;
            populationsOf(b.places[i], own);
            include(extremes, extremesOf(own, Q));
        }
    });
}

template<class PopulationsOf>
Extremes sumSet(const TiledNodes& set, Rooms& rooms, int Q, double* sums, const PopulationsOf& populationsOf)
{
    return overBlocks(set, rooms, Q, [&](const TiledNodes::Block& b, double* room, Extremes& extremes) {
        for (std::size_t i = 0; i < b.nodes; ++i) {
            populationsOf(b.places[i], room + i * Q);
            include(extremes, extremesOf(room + i * Q, Q));
        }
        for (std::size_t g = 0; g < b.groups; ++g) sums[b.group + g] = sumPopulations(b.terms, g, Q, room);
    });
}

// f(place, i) for the ith node.
template<class F>
void overNodes(const TiledNodes& set, F&& f)
{
    const std::vector<TilePlace>& places = set.places();
#pragma omp parallel for schedule(static) num_threads(set.threads())
    for (std::size_t i = 0; i < places.size(); ++i) f(places[i], i);
}

} // namespace lbm
