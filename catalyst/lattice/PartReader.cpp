// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/PartReader.hpp"

#include <algorithm>
#include <stdexcept>

namespace lbm {

namespace {

int wrapped(int x, int n) { return (x % n + n) % n; }

} // namespace

Domain cutOut(const Domain& whole, const Int3& low, const Int3& size)
{
    Domain box;
    box.dimensions = whole.dimensions;
    box.size = size;
    box.spacing = whole.spacing;
    box.patches = whole.patches;
    box.inWhole = low;
    box.whole = whole.size;
    for (int a = 0; a < 3; ++a) {
        box.periodic[a] = whole.periodic[a] && size[a] == whole.size[a];
        box.origin[a] = whole.origin[a] + (a < whole.dimensions ? low[a] * whole.spacing : 0);
    }
    box.fluid = BitSet(box.nodes());
    // Pieces of rows that are pieces of the whole's
    const auto copy = [&](NodeIndex from, NodeIndex to, int n) {
        whole.fluid.forEachIn(from, n, [&](std::int64_t i) { box.fluid.set(to + i); });
        auto link = std::lower_bound(whole.links.begin(), whole.links.end(), from,
                                     [](const Link& l, NodeIndex node) { return l.node < node; });
        for (; link != whole.links.end() && link->node < from + n; ++link) {
            box.links.push_back(*link);
            box.links.back().node = to + (link->node - from);
        }
    };
    for (int z = 0; z < size[2]; ++z)
        for (int y = 0; y < size[1]; ++y) {
            const NodeIndex row =
                whole.index(0, wrapped(low[1] + y, whole.size[1]), wrapped(low[2] + z, whole.size[2]));
            for (int x = 0, n = 0; x < size[0]; x += n) {
                const int first = wrapped(low[0] + x, whole.size[0]);
                n = std::min(size[0] - x, whole.size[0] - first);
                copy(row + first, box.index(x, y, z), n);
            }
        }
    return box;
}

NodeIndex nodeOfWhole(const Domain& box, NodeIndex node)
{
    Int3 x = box.coordinates(node);
    for (int a = 0; a < 3; ++a) x[a] = wrapped(x[a] + box.inWhole[a], box.whole[a]);
    return x[0] + NodeIndex(box.whole[0]) * (x[1] + NodeIndex(box.whole[1]) * x[2]);
}

// Which nodes are of parts, and where the others stand among those that are told
class PartReader::Set final : public NodeSet {
public:
    explicit Set(std::size_t n) : NodeSet(Kind::nodes, n) {}

    struct Own {
        const Solver* part;
        std::shared_ptr<const NodeSet> set;
        std::vector<std::size_t> at;
    };
    std::vector<Own> own;
    std::vector<std::pair<std::size_t, std::size_t>> told, moving; // place in this set, and among those
};

void PartReader::setFrames(std::vector<NodeIndex> nodes, std::vector<Vec3> velocities)
{
    moving_ = std::move(nodes);
    frames_ = std::move(velocities);
}

void PartReader::tell(std::vector<double> flows, double ofFrames)
{
    if (flows.size() != around_.size() * std::size_t(valuesOf(Reading::flow)))
        throw std::invalid_argument("in situ: parts of the lattice are told of " + std::to_string(flows.size())
                                    + " values for " + std::to_string(around_.size()) + " nodes around them");
    flows_ = std::move(flows);
    ofFrames_ = ofFrames;
}

std::vector<PartReader::OfPart> PartReader::byPart(const NodeIndex* nodes, std::size_t n) const
{
    std::vector<OfPart> found(own_.size());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t p = 0; p < own_.size(); ++p) {
            if (!own_[p].holds(domain_.coordinates(nodes[i]))) continue;
            const Domain& part = parts_.at(p)->domain();
            Int3 x = domain_.coordinates(nodes[i]);
            for (int a = 0; a < 3; ++a) x[a] += domain_.inWhole[a] - part.inWhole[a];
            found[p].nodes.push_back(part.index(x[0], x[1], x[2]));
            found[p].at.push_back(i);
        }
    return found;
}

std::vector<std::int32_t> PartReader::tiles(const std::vector<NodeIndex>& nodes) const
{
    std::vector<std::int32_t> result(nodes.size(), -1);
    const std::vector<OfPart> all = byPart(nodes.data(), nodes.size());
    for (std::size_t p = 0; p < all.size(); ++p) {
        const auto found = tileNumbers(parts_[p]->domain(), row().tile, all[p].nodes);
        for (std::size_t k = 0; k < found.size(); ++k) result[all[p].at[k]] = found[k];
    }
    return result;
}

std::shared_ptr<const NodeSet> PartReader::place(const NodeIndex* nodes, std::size_t n) const
{
    auto set = std::make_shared<Set>(n);
    std::vector<bool> owned(n);
    std::vector<OfPart> all = byPart(nodes, n);
    for (std::size_t p = 0; p < all.size(); ++p) {
        if (all[p].nodes.empty()) continue;
        for (const std::size_t i : all[p].at) owned[i] = true;
        set->own.push_back(
            {parts_[p], parts_[p]->place(all[p].nodes.data(), all[p].nodes.size()), std::move(all[p].at)});
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::vector<NodeIndex>& among = owned[i] ? moving_ : around_;
        const auto at = std::lower_bound(among.begin(), among.end(), nodes[i]);
        const bool found = at != among.end() && *at == nodes[i];
        if (found) (owned[i] ? set->moving : set->told).emplace_back(i, std::size_t(at - among.begin()));
        else if (!owned[i])
            throw std::out_of_range("in situ: node " + std::to_string(nodes[i])
                                    + " is neither of this process nor next to its own");
    }
    return set;
}

void PartReader::sample(const NodeSet& given, Reading reading, double* values) const
{
    const auto& set = dynamic_cast<const Set&>(given);
    const auto each = std::size_t(valuesOf(reading));
    if (!set.told.empty() && reading != Reading::flow)
        throw std::logic_error("in situ: nodes around parts have no strain rates");
    std::vector<double> read;
    for (const Set::Own& own : set.own) {
        if (own.at.size() == set.size()) {
            own.part->sample(*own.set, reading, values);
            continue;
        }
        read.resize(own.at.size() * each);
        own.part->sample(*own.set, reading, read.data());
        for (std::size_t k = 0; k < own.at.size(); ++k) std::copy_n(&read[k * each], each, values + own.at[k] * each);
    }
    for (const auto& [at, k] : set.told) std::copy_n(&flows_.at(k * each), each, values + at * each);
    if (reading == Reading::strainRate) return;
    for (const auto& [at, k] : set.moving)
        for (std::size_t a = 0; a < 3; ++a) values[at * each + 1 + a] += ofFrames_ * frames_[k][a];
}

} // namespace lbm
