// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/WindingScan.hpp"

#include "adapters/surface/NearNodes.hpp"
#include "adapters/surface/NodeWords.hpp"

namespace lbm::exact {

namespace {

constexpr int block[3] = {4, 2, 2};

class Scan {
public:
    Scan(const WindingTree& tree, KnownNodes known, const std::vector<Slab>& slabs, int threads) :
        tree_(tree),
        slabs_(slabs),
        threads_(threads),
        size_(slabs.front().size),
        known_(std::move(known.known)),
        inside_(std::move(known.inside))
    {}

    std::int64_t takeNear(const Surface& surface, const DeviceWinding* device)
    {
        std::vector<BitSet> near(slabs_.size());
        parallelFor(int(slabs_.size()), threads_, [&](int i) {
            near[std::size_t(i)] = nearNodes(surface, {}, {false, false, false}, slabs_[std::size_t(i)]);
        });
        const std::vector<SomeRows> rows = rowsOf(slabs_, block[2]);
        std::vector<std::size_t> counts(rows.size());
        parallelFor(int(rows.size()), threads_, [&](int i) {
            const SomeRows& some = rows[std::size_t(i)];
            counts[std::size_t(i)] = countNear(some, near[some.slab]);
        });
        // A device is to be asked for many at a time
        const std::vector<std::size_t> groups = groupsOf(counts, device ? std::size_t(1) << 14 : 1);
        parallelFor(int(groups.size()) - 1, threads_, [&](int g) {
            std::vector<NodeIndex> nodes;
            std::vector<int> packets;
            for (std::size_t i = groups[std::size_t(g)]; i < groups[std::size_t(g) + 1]; ++i)
                if (counts[i]) addNear(rows[i], near[rows[i].slab], nodes, packets);
            take(nodes, packets, device);
        });
        return std::int64_t(std::accumulate(counts.begin(), counts.end(), std::size_t(0)));
    }

    std::int64_t followFaces()
    {
        std::int64_t n = 0;
        for (std::vector<NodeIndex> front = firstFront(); !front.empty(); front = nextFront(front)) {
            // as many at a time as fill the words of a bit set, for several threads write
            const std::size_t grain = 256;
            std::vector<std::size_t> begins;
            for (std::size_t i = 0; i < front.size(); ++i)
                if (i == 0 || (i >= begins.back() + grain && front[i] / 64 != front[i - 1] / 64)) begins.push_back(i);
            begins.push_back(front.size());
            parallelFor(int(begins.size()) - 1, threads_, [&](int c) {
                take({front.begin() + begins[c], front.begin() + begins[c + 1]});
            });
            n += std::int64_t(front.size());
        }
        return n;
    }

    KnownNodes known() { return {std::move(known_), std::move(inside_)}; }

    // A node that is not known is as the one before it; the first of a row is asked. Nodes that are not known are outside until then.
    BitSet fillRows()
    {
        parallelFor(int(slabs_.size()), threads_, [&](int i) {
            for (NodeIndex row = firstNode(slabs_[i]); row < endNode(slabs_[i]); row += size_[0]) {
                bool state = known_[row] ? inside_[row] : insideAt(coordinates(row));
                forWords(size_[0], [&](int x, int length) {
                    const NodeWord known = wordAt(known_, row + x, length) & lowest(length);
                    const NodeWord inside = wordAt(inside_, row + x, length);
                    fillWord(row + x, length, known, inside, state);
                });
            }
        });
        return std::move(inside_);
    }

private:
    std::size_t countNear(const SomeRows& rows, const BitSet& near) const
    {
        std::int64_t n = 0;
        for (int z = rows.zBegin; z < rows.zEnd; ++z)
            n += near.countIn(index(0, rows.yBegin, z) - firstNode(slabs_[rows.slab]),
                              NodeIndex(size_[0]) * (rows.yEnd - rows.yBegin));
        return std::size_t(n);
    }

    // In small blocks: what is one point to a cluster of triangles should be one to a whole block
    void addNear(const SomeRows& rows, const BitSet& near, std::vector<NodeIndex>& nodes,
                 std::vector<int>& packets) const
    {
        const Slab& slab = slabs_[rows.slab];
        for (int y = rows.yBegin; y < rows.yEnd; y += block[1]) {
            const int z = rows.zBegin;
            forWords(size_[0], [&](int x, int length) {
                if (!anyInBlocks(near, {x, y, z}, length, slab)) return;
                for (int b = x; b < x + length; b += block[0]) {
                    const std::size_t before = nodes.size();
                    forBlock({b, y, z}, slab.end, [&](NodeIndex j) {
                        if (near[j - firstNode(slab)]) nodes.push_back(j);
                    });
                    WindingTree::addPackets(packets, nodes.size() - before);
                }
            });
        }
    }

    // Of a word of nodes that begins at a known one's state or at `state`, which becomes its last one's.
    void fillWord(NodeIndex first, int length, NodeWord known, NodeWord inside, bool& state)
    {
        int done = 0;
        for (; known; known &= known - 1) {
            const int next = __builtin_ctzll(known);
            if (state) inside_.setIn(first + done, next - done);
            state = inside >> next & 1;
            done = next + 1;
        }
        if (state) inside_.setIn(first + done, length - done);
    }

    // Whether a node is near, of the blocks in so many nodes along x.
    bool anyInBlocks(const BitSet& near, const Int3& corner, int length, const Slab& slab) const
    {
        NodeWord any = 0;
        for (int z = corner[2]; z < std::min(slab.end, corner[2] + block[2]); ++z)
            for (int y = corner[1]; y < std::min(size_[1], corner[1] + block[1]); ++y)
                any |= wordAt(near, index(corner[0], y, z) - firstNode(slab));
        return (any & lowest(length)) != 0;
    }

    NodeIndex index(int x, int y, int z) const { return x + NodeIndex(size_[0]) * (y + NodeIndex(size_[1]) * z); }

    Int3 coordinates(NodeIndex i) const
    {
        return {int(i % size_[0]), int(i / size_[0] % size_[1]), int(i / size_[0] / size_[1])};
    }

    void take(const std::vector<NodeIndex>& nodes)
    {
        std::vector<int> packets;
        WindingTree::addPackets(packets, nodes.size());
        take(nodes, packets, nullptr);
    }

    void take(const std::vector<NodeIndex>& nodes, const std::vector<int>& packets, const DeviceWinding* device)
    {
        if (nodes.empty()) return;
        std::vector<Vec3> places;
        for (const NodeIndex node : nodes) {
            const Int3 c = coordinates(node);
            places.push_back({double(c[0]), double(c[1]), double(c[2])});
        }
        std::vector<char> side(nodes.size());
        WindingTree::inside(
            places, packets,
            [&](const std::vector<Vec3>& points, const std::vector<int>& ends, double reach,
                std::vector<WindingSums>& sums) {
                device ? device->sum(points, ends, reach, sums) : tree_.sum(points, ends, reach, sums);
            },
            side.data());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            // Rows of several threads share words
            known_.setShared(nodes[i]);
            if (side[i]) inside_.setShared(nodes[i]);
        }
    }

    bool insideAt(const Int3& n) const { return tree_.inside({double(n[0]), double(n[1]), double(n[2])}); }

    template<class Act>
    void forBlock(const Int3& corner, int end, const Act& act) const
    {
        for (int z = corner[2]; z < std::min(end, corner[2] + block[2]); ++z)
            for (int y = corner[1]; y < std::min(size_[1], corner[1] + block[1]); ++y)
                for (int x = corner[0]; x < std::min(size_[0], corner[0] + block[0]); ++x) act(index(x, y, z));
    }

    // Calls act for the node and those around it, within the box and the planes [begin, end).
    template<class Act>
    void around(const Int3& n, int begin, int end, const Act& act) const
    {
        for (int z = std::max(begin, n[2] - 1); z < std::min(end, n[2] + 2); ++z)
            for (int y = std::max(0, n[1] - 1); y < std::min(size_[1], n[1] + 2); ++y)
                for (int x = std::max(0, n[0] - 1); x < std::min(size_[0], n[0] + 2); ++x) act(index(x, y, z));
    }

    // No triangle is near an unknown node, so that nodes of both sides around it mean a face across a hole.
    bool atFace(const Int3& n) const
    {
        bool in = false, out = false;
        around(n, 0, size_[2], [&](NodeIndex i) {
            if (!known_[i]) return;
            in |= inside_[i];
            out |= !inside_[i];
        });
        return in && out;
    }

    std::vector<NodeIndex> firstFront() const
    {
        std::vector<std::vector<NodeIndex>> found(slabs_.size());
        parallelFor(int(slabs_.size()), threads_, [&](int i) {
            const Slab& slab = slabs_[i];
            const NodeIndex first = firstNode(slab);
            BitSet seen(endNode(slab) - first);
            const NodeIndex low = index(0, 0, std::max(0, slab.begin - 1)),
                            high = index(0, 0, std::min(size_[2], slab.end + 1));
            known_.forEachIn(low, high - low, [&](std::int64_t node) {
                around(coordinates(low + node), slab.begin, slab.end, [&](NodeIndex j) {
                    if (known_[j] || seen[j - first]) return;
                    seen.set(j - first);
                    if (atFace(coordinates(j))) found[i].push_back(j);
                });
            });
        });
        std::vector<NodeIndex> front;
        for (const std::vector<NodeIndex>& part : found) front.insert(front.end(), part.begin(), part.end());
        return front;
    }

    std::vector<NodeIndex> nextFront(const std::vector<NodeIndex>& front) const
    {
        std::vector<NodeIndex> next;
        for (NodeIndex node : front) {
            around(coordinates(node), 0, size_[2], [&](NodeIndex j) {
                if (!known_[j] && atFace(coordinates(j))) next.push_back(j);
            });
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        return next;
    }

    const WindingTree& tree_;
    const std::vector<Slab>& slabs_;
    int threads_;
    Int3 size_;
    BitSet known_, inside_;
};

} // namespace

KnownNodes nearSides(const Surface& surface, const WindingTree& tree, const DeviceWinding* device,
                     const std::vector<Slab>& slabs, int threads, std::int64_t& near)
{
    const Int3& size = slabs.front().size;
    const NodeIndex nodes = NodeIndex(size[0]) * size[1] * size[2];
    Scan scan(tree, {BitSet(nodes), BitSet(nodes)}, slabs, threads);
    near = scan.takeNear(surface, device);
    return scan.known();
}

BitSet windingScan(const WindingTree& tree, KnownNodes near, const std::vector<Slab>& slabs, int threads,
                   ScanCounts& counts)
{
    Scan scan(tree, std::move(near), slabs, threads);
    counts.across = scan.followFaces();
    return scan.fillRows();
}

} // namespace lbm::exact
