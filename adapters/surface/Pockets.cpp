// keepConnected: fluid as runs of connected nodes along x, joined across rows by union-find. Runs are few
// beside nodes, so that nothing but bits is kept a node. Threads share the rows out; what joins rows of two of them waits for the end.
// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/NodeWords.hpp"
#include "adapters/surface/SurfaceDomain.hpp"
#include "lbm/api/LinkFinder.hpp"
#include "lbm/api/inParallel.hpp"

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
    Runs(const Domain& domain, const std::vector<Int3>& directions, int threads) :
        domain_(domain), finder_(domain), threads_(threads > 0 ? threads : omp_get_max_threads())
    {
        bool alongX = false;
        for (const Int3& c : directions) alongX |= c[0] != 0 && c[1] == 0 && c[2] == 0;
        const std::vector<Rows> shares = sharesOfRows();
        cut(shares, alongX);
        parent_.resize(runs_.size());
        std::iota(parent_.begin(), parent_.end(), 0);
        join(shares, directions);
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

    struct Rows {
        std::size_t begin, end;
    };

    // A link's direction between runs of two rows.
    struct Crossing {
        Int3 c;
        std::size_t row, other;
    };

    // As many as threads.
    std::vector<Rows> sharesOfRows() const
    {
        const std::size_t rows = std::size_t(domain_.size[1]) * domain_.size[2],
                          shares = std::min(rows, std::size_t(threads_));
        std::vector<Rows> result;
        for (std::size_t i = 0; i < shares; ++i) result.push_back({rows * i / shares, rows * (i + 1) / shares});
        return result;
    }

    template<class Act>
    void overShares(const std::vector<Rows>& shares, const Act& act) const
    {
        inParallel(shares.size(), act, threads_);
    }

    // Splits the rows where the fluid ends or a link cuts it.
    void cut(const std::vector<Rows>& shares, bool alongX)
    {
        first_.resize(shares.back().end + 1);
        std::vector<std::vector<Run>> found(shares.size());
        overShares(shares, [&](std::size_t i) {
            for (std::size_t row = shares[i].begin; row < shares[i].end; ++row) {
                first_[row] = found[i].size();
                cutRow(row, alongX, found[i]);
            }
        });
        std::vector<std::size_t> before(shares.size() + 1, 0);
        for (std::size_t i = 0; i < shares.size(); ++i) before[i + 1] = before[i] + found[i].size();
        runs_.resize(before.back());
        first_.back() = before.back();
        overShares(shares, [&](std::size_t i) {
            std::copy(found[i].begin(), found[i].end(), runs_.begin() + std::ptrdiff_t(before[i]));
            for (std::size_t row = shares[i].begin; row < shares[i].end; ++row) first_[row] += before[i];
        });
    }

    void cutRow(std::size_t row, bool alongX, std::vector<Run>& runs) const
    {
        const NodeIndex first = NodeIndex(row) * domain_.size[0];
        const std::size_t before = runs.size();
        exact::forWords(domain_.size[0], [&](int x, int n) {
            const exact::NodeWord fluid = exact::wordAt(domain_.fluid, first + x, n) & exact::lowest(n);
            exact::forRuns(fluid, [&](int begin, int length) {
                if (runs.size() > before && runs.back().end == x + begin) runs.back().end += length;
                else runs.push_back({x + begin, x + begin + length});
            });
        });
        if (alongX) splitAtLinks(row, before, runs);
        else splitAll(before, runs);
    }

    // The row's runs, from number `before` on, behind nodes whose link to the next one is cut.
    void splitAtLinks(std::size_t row, std::size_t before, std::vector<Run>& runs) const
    {
        const NodeIndex first = NodeIndex(row) * domain_.size[0];
        const std::uint8_t forward = directionCode(1, 0, 0);
        std::vector<Run> whole(runs.begin() + std::ptrdiff_t(before), runs.end());
        runs.resize(before);
        std::size_t link = finder_.of(first).first;
        for (Run run : whole) {
            for (; link < domain_.links.size() && domain_.links[link].node < first + run.end; ++link) {
                const int x = int(domain_.links[link].node - first);
                if (domain_.links[link].direction != forward || x < run.begin || x + 1 == run.end) continue;
                runs.push_back({run.begin, x + 1});
                run.begin = x + 1;
            }
            runs.push_back(run);
        }
    }

    static void splitAll(std::size_t before, std::vector<Run>& runs)
    {
        const std::vector<Run> whole(runs.begin() + std::ptrdiff_t(before), runs.end());
        runs.resize(before);
        for (const Run& run : whole)
            for (int x = run.begin; x < run.end; ++x) runs.push_back({x, x + 1});
    }

    // Runs of a share's own rows have their parents among themselves until all are joined.
    void join(const std::vector<Rows>& shares, const std::vector<Int3>& directions)
    {
        std::vector<std::vector<Crossing>> later(shares.size());
        overShares(shares, [&](std::size_t i) {
            for (const Int3& c : directions)
                if (c[0] || c[1] || c[2])
                    for (std::size_t row = shares[i].begin; row < shares[i].end; ++row)
                        joinRow(c, row, shares[i], later[i]);
        });
        for (const std::vector<Crossing>& some : later)
            for (const Crossing& crossing : some) joinRows(crossing);
    }

    void joinRow(const Int3& c, std::size_t row, const Rows& own, std::vector<Crossing>& later)
    {
        const int y = int(row % std::size_t(domain_.size[1])), z = int(row / std::size_t(domain_.size[1]));
        const NodeIndex across = domain_.neighbour({0, y, z}, {0, c[1], c[2]});
        if (across < 0) return;
        const Crossing crossing{c, row, std::size_t(across / domain_.size[0])};
        if (crossing.other < own.begin || crossing.other >= own.end) later.push_back(crossing);
        else joinRows(crossing);
    }

    void joinRows(const Crossing& at)
    {
        const int n = domain_.size[0];
        joinRuns(at, 0);
        if (domain_.periodic[0] && at.c[0] != 0) joinRuns(at, at.c[0] > 0 ? -n : n);
    }

    // Joins runs of `row` with runs of `other` that a link along c reaches; x moves on by c[0] + wrap.
    void joinRuns(const Crossing& at, int wrap)
    {
        const int shift = at.c[0] + wrap;
        std::size_t a = first_[at.row], b = first_[at.other];
        while (a < first_[at.row + 1] && b < first_[at.other + 1]) {
            const int begin = std::max(runs_[a].begin + shift, runs_[b].begin);
            const int end = std::min(runs_[a].end + shift, runs_[b].end);
            for (int x = begin; x < end; ++x) {
                if (finder_.find(NodeIndex(at.row) * domain_.size[0] + x - shift, at.c) >= 0) continue;
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
    LinkFinder finder_;
    int threads_;
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

Pockets keepConnected(Domain& domain, const std::vector<Int3>& directions, const std::optional<Vec3>& seed, int threads)
{
    Runs runs(domain, directions, threads);
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
