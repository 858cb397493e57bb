// NodeReader: states of lists of nodes that are asked for again and again, in pieces that bound the memory for what is read.
// A list stays placed (lbm/api/NodeSet.hpp) until so many others have been asked for since: a slice has its own, and may have
// the nodes around them and those at walls besides. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/lattice/LatticeReader.hpp"

#include <algorithm>
#include <list>

namespace lbm {

class NodeReader {
public:
    // all: a list that stays where it is, which is not compared and always placed once it was asked for.
    NodeReader(const LatticeReader& lattice, const std::vector<NodeIndex>& all) : lattice_(lattice), all_(all) {}

    // f(i, values) for the ith of these nodes, by several threads.
    template<class F>
    void read(const std::vector<NodeIndex>& nodes, Reading reading, F&& f)
    {
        const std::size_t count = valuesOf(reading);
        std::size_t begin = 0;
        for (const auto& set : placed(nodes)) {
            values_.resize(std::max(values_.size(), set->size() * count));
            lattice_.sample(*set, reading, values_.data());
#pragma omp parallel for schedule(static) if (set->size() > 1000)
            for (std::size_t i = 0; i < set->size(); ++i) f(begin + i, &values_[i * count]);
            begin += set->size();
        }
    }

private:
    using Sets = std::vector<std::shared_ptr<const NodeSet>>;
    struct List {
        std::vector<NodeIndex> nodes;
        Sets sets;
    };

    static constexpr std::size_t pieceSize = 262144, mostLists = 32;

    const Sets& placed(const std::vector<NodeIndex>& nodes)
    {
        if (&nodes == &all_) {
            if (ofAll_.empty()) ofAll_ = place(nodes);
            return ofAll_;
        }
        const auto known = std::find_if(lists_.begin(), lists_.end(), [&](const List& l) { return l.nodes == nodes; });
        if (known != lists_.end()) {
            lists_.splice(lists_.begin(), lists_, known);
            return lists_.front().sets;
        }
        lists_.push_front({nodes, place(nodes)});
        if (lists_.size() > mostLists) lists_.pop_back();
        return lists_.front().sets;
    }

    Sets place(const std::vector<NodeIndex>& nodes) const
    {
        Sets sets;
        for (std::size_t first = 0; first < nodes.size(); first += pieceSize)
            sets.push_back(lattice_.place(nodes.data() + first, std::min(pieceSize, nodes.size() - first)));
        return sets;
    }

    const LatticeReader& lattice_;
    const std::vector<NodeIndex>& all_;
    Sets ofAll_;
    std::list<List> lists_;      // the latest first
    std::vector<double> values_; // of a piece, kept from call to call
};

} // namespace lbm
