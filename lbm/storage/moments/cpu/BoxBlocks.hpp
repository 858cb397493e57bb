// BoxBlocks: MomentBlocks of D3Q19 and D2Q9, regularized and incompressible: boxes of which each axis is periodic or lies between walls, with
// obstacles, openings, interpolated and moving walls. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/inParallel.hpp"
#include "lbm/physics/MomentSet.hpp"
#include "lbm/storage/moments/cpu/BlockPlan.hpp"
#include "lbm/storage/moments/cpu/BlockSweep.hpp"
#include "lbm/storage/moments/cpu/MomentBlocks.hpp"

#include <array>
#include <memory>

namespace lbm {

template<class L, class T>
class BoxBlocks final : public MomentBlocks<L, T> {
public:
    using Rows = BlockRows<L, T>;
    using V = typename Rows::V;
    using M = MomentSet<L, double>;

    // Null: not asked for, or not possible.
    static std::unique_ptr<MomentBlocks<L, T>> make(const Domain& domain, const Config& config, int threads,
                                                    BorderNodes<L, T> border)
    {
        if (!config.blocks) return nullptr;
        const BlockPlan plan = BlockPlan::of(domain, config, sizeof(T), threads);
        if (plan.steps == 0) return nullptr;
        auto blocks = std::make_unique<BoxBlocks>(domain, config.patches, plan, threads, std::move(border));
        for (std::size_t p = 0; p < config.patches.size(); ++p)
            if (!blocks->setWall(int(p), &config.patches[p], 0)) return nullptr;
        return blocks;
    }

    BoxBlocks(const Domain& domain, const std::vector<LinkValue>& patches, const BlockPlan& plan, int threads,
              BorderNodes<L, T> border) :
        domain_(domain),
        patches_(patches),
        plan_(plan),
        threads_(threads),
        pieces_(plan.pieces()),
        links_(domain, BlockPlan::registersOf(domain, Rows::lanes), patches, std::move(border)),
        sweeps_(threads)
    {
        const Int3 n = alongSweep(domain.size, L::D);
        const auto periodic = alongSweep(domain.periodic, L::D);
        box_.registers = BlockPlan::registersOf(domain, Rows::lanes);
        box_.links = &links_;
        box_.lines = n[1];
        box_.rows = n[2];
        box_.steps = plan.steps;
        for (int a = 0; a < 3; ++a) box_.walls[a] = !periodic[a];
        const std::size_t all = std::size_t(box_.lines) * box_.rows * box_.rowSize(),
                          slopes = std::size_t(2) * pieces_ * 2 * box_.lines * box_.steps * box_.passingSize();
        moments_ = HostArray<V>(all);
        slopes_ = HostArray<V>(slopes);
        box_.moments = moments_.data();
        box_.slopes = slopes_.data();
        values_ = (all + slopes) * Rows::lanes + links_.values();
        int width = 0;
        for (int k = 0; k < pieces_; ++k) width = std::max(width, plan.cuts[k + 1] - plan.cuts[k]);
        TeamFault fault;
        const auto begin = [&](int t) {
            sweeps_[t] = BlockSweep<L, T>(box_, width + 1);
            const int first = pieces_ * t / threads, end = pieces_ * (t + 1) / threads;
            for (int y = 0; y < box_.lines; ++y)
                for (int z = plan.cuts[first]; z < plan.cuts[end]; ++z)
                    std::fill_n(box_.row(y, z), box_.rowSize(), V{});
            std::fill(box_.slope(2 * first, false, 0, 0), box_.slope(2 * end, false, 0, 0), V{});
            links_.touch(plan.cuts[first], plan.cuts[end]);
        };
#pragma omp parallel for schedule(static, 1) num_threads(threads)
        for (int t = 0; t < threads; ++t) fault.keep([&] { begin(t); });
        fault.rethrow();
        for (const auto& s : sweeps_) values_ += s.values();
        moved_.resize(patches.size());
        for (std::size_t k = 0; k < domain.links.size(); ++k) {
            const int patch = domain.links[k].patch;
            if (patches[patch].kind != BoundaryKind::wall && addsFixedValues(patches[patch]))
                moved_[patch].push_back(k);
        }
    }

    void advance(std::int64_t steps, const BoundaryTable<L, T>& table) override
    {
        if (steps <= 0) return;
        links_.begin(table);
        // Moments are those after a collision: the first step only streams them, and the last one's are relaxed at the end
        const auto first = BlockRates<T>::streams(), rates = BlockRates<T>::collides(table.parameters, L::D);
        auto last = rates;
        last.copy = int(steps & 1);
        const std::int64_t passes = (steps + box_.steps - 1) / box_.steps;
        TeamFault fault;
#pragma omp parallel num_threads(threads_)
        {
            for (std::int64_t p = 0; p <= passes; ++p) {
                const auto height = [&](std::int64_t pass) {
                    return pass < 0 || pass == passes
                        ? 0
                        : int(std::min<std::int64_t>(box_.steps, steps - pass * box_.steps));
                };
                const int shifted = p % 2 && box_.walls[2];
#pragma omp for schedule(static)
                for (int k = 0; k < pieces_ + shifted; ++k) {
                    BlockPiece piece = pieceOf(p % 2, k, height(p - 1), height(p));
                    piece.riseBegins = p * box_.steps;
                    piece.fillBegins = piece.riseBegins - box_.steps;
                    fault.keep(
                        [&] { sweeps_[omp_get_thread_num()].work(box_, piece, rates, p == 0 ? &first : nullptr); });
                }
            }
#pragma omp for schedule(static) collapse(2)
            for (int y = 0; y < box_.lines; ++y)
                for (int z = 0; z < box_.rows; ++z) {
                    V* const row = box_.row(y, z);
                    links_.complete(y, z, last, row);
                    for (V* m = row; m < row + box_.rowSize(); m += Rows::count) Rows::relax(m, rates);
                }
        }
        fault.rethrow();
    }

    void get(const Int3& x, double* m) const override
    {
        const V* const at = place(x);
        for (int k = 0; k < Rows::count; ++k) m[setPlace(k)] = double(at[k][x[0] / box_.registers]);
    }

    void set(const Int3& x, const double* m) override
    {
        V* const at = place(x);
        // Lane by lane: other threads set others of the same register
        for (int k = 0; k < Rows::count; ++k) reinterpret_cast<T*>(&at[k])[x[0] / box_.registers] = T(m[setPlace(k)]);
    }

    // n == 0: the patch's one value for all of its links.
    bool setWall(int patch, const LinkValue* values, std::size_t n) override
    {
        if (!addsFixedValues(patches_[patch]))
            return std::all_of(values, values + std::max<std::size_t>(n, 1), blocksMayHave);
        const std::vector<std::size_t>& links = moved_[patch];
        for (std::size_t i = 0; i < links.size(); ++i) {
            const LinkValue& value = values[n ? i : 0];
            if (!addsFixedValues(value) || !setLink(links[i], value)) return false;
        }
        links_.sumTold();
        return true;
    }

    std::size_t values() const override { return values_; }
    std::size_t tableBytes() const override
    {
        std::size_t n = links_.bytes();
        for (const auto& links : moving_) n += links.size() * sizeof(double);
        for (const auto& links : moved_) n += links.size() * sizeof(links[0]);
        return n;
    }
    int stepsOfPass() const override { return box_.steps; }

private:
    // Pieces of odd phases lie about the even ones' ends.
    BlockPiece pieceOf(int odd, int k, int fill, int rise) const
    {
        const auto& c = plan_.cuts;
        const auto middle = [&](int i) { return (c[i] + c[i + 1]) / 2; };
        const bool walls = box_.walls[2];
        const int n = pieces_;
        if (!odd) {
            const int low = walls && k == 0 ? -1 : 2 * k, high = walls && k == n - 1 ? -1 : 2 * ((k + 1) % n);
            return {c[k], c[k + 1], middle(k), low, high, fill ? 2 * k + 1 : -1, fill, rise, 0, 0};
        }
        const bool lowest = walls && k == 0, highest = walls && k == n;
        const int low = lowest ? 0 : k ? middle(k - 1) : middle(n - 1) - box_.rows;
        return {low,
                highest ? box_.rows : middle(k),
                c[k],
                lowest ? -1 : 2 * ((k + n - 1) % n) + 1,
                highest ? -1 : 2 * k + 1,
                fill && !lowest && !highest ? 2 * k : -1,
                fill,
                rise,
                0,
                0};
    }

    // What a moving wall, or an opening with a velocity, adds to what is sent back along the link: -6 w c.u. Blocks have it in sums, see BlockLine::reflect.
    bool setLink(std::size_t number, const LinkValue& value)
    {
        const Link& link = domain_.links[number];
        const Int3 place = domain_.coordinates(link.node), direction = directionOf(link.direction),
                   x = alongSweep(place, L::D), c = alongSweep(direction, L::D);
        double u = 0;
        int axes = 0;
        for (int a = 0; a < 3; ++a) {
            axes += std::abs(direction[a]);
            if (value.kind != BoundaryKind::wall) u += direction[a] * value.velocity[a];
        }
        if (axes == 3) return true; // not of these lattices
        const double told = -6 * u * L::w[axes == 1 ? 1 : L::Q - 1];
        const auto leaves = [&](int a) { return LinkedRegisters::leaves(domain_, place, direction, a); };
        const int axis = leaves(1) ? 1 : leaves(2) ? 2 : 0;
        if (axis == 0) return links_.tell(number, told);
        const int wall = (axis == 1 ? 0 : 2) + (c[axis] > 0);
        if (told == 0 && moving_[wall].empty()) return true;
        const int along = axis == 1 ? x[2] : x[1];
        tell(wall, along, x[0], axis, c, told);
        return true;
    }

    void tell(int wall, int along, int x, int axis, const Int3& c, double told)
    {
        // Each link has its own place here; sums of them are what lines read
        const std::size_t nodes = std::size_t(domain_.size[0]) * (wall < 2 ? box_.rows : box_.lines);
        auto& links = moving_[wall];
        constexpr int passing = Rows::passing;
        if (links.empty()) links.assign(nodes * passing, 0);
        double* const own = links.data() + (std::size_t(along) * domain_.size[0] + x) * passing;
        const auto number = [&](const Int3& d) {
            return d[0] != 0 ? (d[0] > 0 ? 1 : 2) : d[3 - axis] == 0 ? 0 : d[3 - axis] > 0 ? 3 : 4;
        };
        own[number(c)] = told;
        double sums[passing];
        sums[0] = own[0] + own[1] + own[2];
        if constexpr (!Rows::planar) {
            if (axis == 1) {
                sums[0] += own[3] + own[4];
                sums[3] = own[3] + own[4];
                sums[4] = own[4] - own[3];
            } else {
                sums[3] = own[4]; // went to the line before
                sums[4] = own[3];
            }
        }
        sums[1] = own[2] - own[1];
        sums[2] = own[1] + own[2];
        auto& values = told_[wall];
        if (!values.data()) {
            const std::size_t n = nodes / domain_.size[0] * box_.passingSize();
            values = HostArray<V>(n);
#pragma omp parallel for schedule(static) num_threads(threads_)
            for (std::size_t i = 0; i < n; ++i) values.data()[i] = V{};
            values_ += n * Rows::lanes;
            box_.moving[wall] = values.data();
        }
        V* const at =
            values.data() + std::size_t(along) * box_.passingSize() + std::size_t(x % box_.registers) * passing;
        for (int k = 0; k < passing; ++k) at[k][x / box_.registers] = T(sums[k]);
    }

    // Where a MomentSet has a row's k-th moment.
    static constexpr int setPlace(int k)
    {
        if constexpr (Rows::planar) {
            constexpr int order[Rows::count] = {0, 1, 2, M::pi(0, 0), M::pi(1, 1), M::pi(0, 1)};
            return order[k];
        } else {
            constexpr int order[Rows::count] = {0,           1,           2,           3,           M::pi(0, 0),
                                                M::pi(1, 1), M::pi(2, 2), M::pi(0, 1), M::pi(0, 2), M::pi(1, 2)};
            return order[k];
        }
    }

    V* place(const Int3& node) const
    {
        const Int3 x = alongSweep(node, L::D);
        return box_.row(x[1], x[2]) + std::size_t(x[0] % box_.registers) * Rows::count;
    }

    const Domain& domain_;
    std::vector<LinkValue> patches_; // as they began
    BlockPlan plan_;
    int threads_, pieces_;
    BlockBox<L, T> box_{};
    BlockLinks<L, T> links_;
    HostArray<V> moments_, slopes_, told_[4];
    std::vector<double> moving_[4];               // by link of a wall's nodes
    std::vector<std::vector<std::size_t>> moved_; // by patch that may move: its links
    std::vector<BlockSweep<L, T>> sweeps_;
    std::size_t values_ = 0;
};

} // namespace lbm
