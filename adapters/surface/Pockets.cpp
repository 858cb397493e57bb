// keepConnected: fluid as runs of connected nodes along x, joined across rows by union-find. Runs are few
// beside nodes, so that nothing but bits is kept a node.
// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/SurfaceDomain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lbm {

namespace {

struct Run {
    int begin, end;
};

class Runs {
public:
    Runs(const Domain& domain, const std::vector<Int3>& directions) : domain_(domain), linked_(domain.nodes())
    {
        for (const Link& link : domain.links) linked_.set(link.node);
        bool alongX = false;
        for (const Int3& c : directions) alongX |= c[0] != 0 && c[1] == 0 && c[2] == 0;
        cut(alongX);
        parent_.resize(runs_.size());
        std::iota(parent_.begin(), parent_.end(), 0);
        for (const Int3& c : directions)
            if (c[0] || c[1] || c[2]) join(c);
    }

    std::size_t size() const { return runs_.size(); }

    // Number of the run's region: the lowest number of its runs.
    std::size_t region(std::size_t run)
    {
        while (parent_[run] != run) {
            parent_[run] = parent_[parent_[run]];
            run = parent_[run];
        }
        return run;
    }

    NodeIndex length(std::size_t run) const { return runs_[run].end - runs_[run].begin; }

    // The run of a fluid node.
    std::size_t runOf(const Int3& node) const
    {
        const std::size_t row = rowOf(node[1], node[2]);
        std::size_t run = first_[row];
        while (runs_[run].end <= node[0]) ++run;
        return run;
    }

    template<class Act>
    void forNodes(std::size_t row, std::size_t run, const Act& act) const
    {
        for (int x = runs_[run].begin; x < runs_[run].end; ++x) act(NodeIndex(row) * domain_.size[0] + x);
    }

    NodeIndex firstNode(std::size_t row, std::size_t run) const
    {
        return NodeIndex(row) * domain_.size[0] + runs_[run].begin;
    }

    std::size_t rows() const { return first_.size() - 1; }
    std::size_t firstRun(std::size_t row) const { return first_[row]; }

private:
    std::size_t rowOf(int y, int z) const { return std::size_t(y) + std::size_t(domain_.size[1]) * z; }

    bool isCut(NodeIndex node, std::uint8_t direction) const
    {
        if (!linked_[node]) return false;
        const auto link =
            std::lower_bound(domain_.links.begin(), domain_.links.end(), node, [direction](const Link& a, NodeIndex n) {
                return a.node != n ? a.node < n : a.direction < direction;
            });
        return link != domain_.links.end() && link->node == node && link->direction == direction;
    }

    // Splits the rows where the fluid ends or a link cuts it.
    void cut(bool alongX)
    {
        const Int3& size = domain_.size;
        const std::uint8_t forward = directionCode(1, 0, 0);
        NodeIndex node = 0;
        for (std::size_t row = 0; row < std::size_t(size[1]) * size[2]; ++row) {
            first_.push_back(runs_.size());
            bool open = false;
            for (int x = 0; x < size[0]; ++x, ++node) {
                if (!domain_.fluid[node]) {
                    open = false;
                    continue;
                }
                if (!open) runs_.push_back({x, x});
                runs_.back().end = x + 1;
                open = alongX && !isCut(node, forward);
            }
        }
        first_.push_back(runs_.size());
    }

    void join(const Int3& c)
    {
        for (int z = 0; z < domain_.size[2]; ++z)
            for (int y = 0; y < domain_.size[1]; ++y) joinRow(c, y, z);
    }

    void joinRow(const Int3& c, int y, int z)
    {
        const Int3& size = domain_.size;
        const NodeIndex across = domain_.neighbour({0, y, z}, {0, c[1], c[2]});
        if (across < 0) return;
        const std::size_t row = rowOf(y, z), other = std::size_t(across / size[0]);
        joinRuns(c, row, other, 0);
        if (domain_.periodic[0] && c[0] != 0) joinRuns(c, row, other, c[0] > 0 ? -size[0] : size[0]);
    }

    // Joins runs of `row` with runs of `other` that a link along c reaches; x moves on by c[0] + wrap.
    void joinRuns(const Int3& c, std::size_t row, std::size_t other, int wrap)
    {
        const int shift = c[0] + wrap;
        const std::uint8_t code = directionCode(c[0], c[1], c[2]);
        std::size_t a = first_[row], b = first_[other];
        while (a < first_[row + 1] && b < first_[other + 1]) {
            const int begin = std::max(runs_[a].begin + shift, runs_[b].begin);
            const int end = std::min(runs_[a].end + shift, runs_[b].end);
            for (int x = begin; x < end; ++x) {
                if (isCut(NodeIndex(row) * domain_.size[0] + x - shift, code)) continue;
                unite(a, b);
                break;
            }
            if (runs_[a].end + shift < runs_[b].end) ++a;
            else ++b;
        }
    }

    void unite(std::size_t a, std::size_t b)
    {
        a = region(a);
        b = region(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

    const Domain& domain_;
    BitSet linked_;
    std::vector<Run> runs_;
    std::vector<std::size_t> first_; // of each row, and the end
    std::vector<std::size_t> parent_;
};

std::vector<Pocket> listed(const Runs& runs, const std::vector<NodeIndex>& nodes, std::size_t kept)
{
    std::vector<Pocket> result;
    for (std::size_t row = 0; row < runs.rows(); ++row) {
        for (std::size_t r = runs.firstRun(row); r < runs.firstRun(row + 1); ++r) {
            if (nodes[r] > 0) result.push_back({nodes[r], runs.firstNode(row, r), r == kept});
        }
    }
    std::stable_sort(result.begin(), result.end(), [](const Pocket& a, const Pocket& b) { return a.nodes > b.nodes; });
    return result;
}

Int3 nearestNode(const Domain& domain, const Vec3& place)
{
    Int3 node;
    for (int a = 0; a < 3; ++a) {
        const double x = std::round((place[a] - domain.origin[a]) / domain.spacing);
        if (!(x >= 0 && x < domain.size[a])) throw SurfaceError("the inside point lies outside the box of the lattice");
        node[a] = int(x);
    }
    if (!domain.fluid[domain.index(node[0], node[1], node[2])])
        throw SurfaceError("the node nearest to the inside point is not fluid");
    return node;
}

} // namespace

Pockets keepConnected(Domain& domain, const std::vector<Int3>& directions, const std::optional<Vec3>& seed)
{
    Runs runs(domain, directions);
    std::vector<NodeIndex> nodes(runs.size(), 0);
    for (std::size_t r = 0; r < runs.size(); ++r) nodes[runs.region(r)] += runs.length(r);

    Pockets pockets;
    pockets.regions = std::count_if(nodes.begin(), nodes.end(), [](NodeIndex n) { return n > 0; });
    const std::size_t kept = seed ? runs.region(runs.runOf(nearestNode(domain, *seed)))
                                  : std::size_t(std::max_element(nodes.begin(), nodes.end()) - nodes.begin());
    pockets.all = listed(runs, nodes, kept);
    if (pockets.regions <= 1) return pockets;

    for (std::size_t row = 0; row < runs.rows(); ++row) {
        for (std::size_t r = runs.firstRun(row); r < runs.firstRun(row + 1); ++r) {
            if (runs.region(r) == kept) continue;
            pockets.removedNodes += runs.length(r);
            runs.forNodes(row, r, [&](NodeIndex node) { domain.fluid.clear(node); });
        }
    }
    auto gone = [&](const Link& link) { return !domain.fluid[link.node]; };
    domain.links.erase(std::remove_if(domain.links.begin(), domain.links.end(), gone), domain.links.end());
    return pockets;
}

} // namespace lbm
