// BlockSweep: several steps of a block of a box, while it stays in the second cache.
//
// A box is cut along z. What a phase does with a piece rises from the valley that the phase before left between two of its pieces: of
// T steps that fill it each works on two rows more than the one before, then each of T steps of the whole piece on two rows less, so
// that new valleys lie between pieces. Pieces of a phase need nothing of one another. Along y steps follow each other a line behind, so
// that lines come into the cache and leave it once. In place: a row at the edge of a step lacks what comes from beyond, and gets it
// when the valley is filled; what it sends there waits in memory, 5 numbers a node. (Wave fronts in diamonds: Malas, Hager, Ltaief,
// Stengel, Wellein & Keyes 2015, https://doi.org/10.1137/140991133.) Nothing is computed twice.
//
// A periodic axis y closes with a wedge: step k begins at line k and ends at line k - 1 of the next turn. In two dimensions the second axis
// is z (alongSweep) and there is one line: a piece's steps follow each other.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"
#include "lbm/device/Pack.hpp"
#include "lbm/storage/moments/cpu/BlockLine.hpp"

#include <algorithm>
#include <vector>

namespace lbm {

// What all pieces of a box share.
template<class L, class T>
struct BlockBox {
    using Rows = BlockRows<L, T>;
    using V = typename Rows::V;
    int registers, lines, rows, steps; // of a row along x, along y and z; that a piece makes at most
    bool walls[3];                     // across axes; else periodic
    V* moments;                        // [line][row][register][count]
    V* slopes;                         // [valley][down, up][line][step][register][passing]
    BlockLinks<L, T>* links;
    const V* moving[4]; // walls before, behind: [row][register][passing]; below, above: [line][..]; null: at rest

    int lineAt(int y) const { return (y + lines) % lines; }
    int rowAt(int z) const { return (z + rows) % rows; }
    std::size_t rowSize() const { return std::size_t(registers) * Rows::count; }
    std::size_t passingSize() const { return std::size_t(registers) * Rows::passing; }
    V* row(int y, int z) const { return moments + (std::size_t(lineAt(y)) * rows + rowAt(z)) * rowSize(); }
    V* slope(int valley, bool up, int y, int step) const
    {
        return slopes + (((std::size_t(valley) * 2 + up) * lines + lineAt(y)) * steps + step) * passingSize();
    }
};

// A piece of a phase. Valleys are numbered; -1: a wall, or none.
struct BlockPiece {
    int low, high, middle; // rows low .. high; its valley is below row `middle`
    int lowValley, highValley, middleValley;
    int fill, rise;                      // steps that fill the valley, and of the whole piece
    std::int64_t fillBegins, riseBegins; // numbers of their first steps
};

template<class L, class T>
class BlockSweep {
public:
    using Rows = BlockRows<L, T>;
    using Line = BlockLine<L, T>;
    using V = typename Rows::V;
    static constexpr int passing = Rows::passing, count = Rows::count;
    static constexpr bool planar = Rows::planar;

    BlockSweep() = default;

    // width: of the widest piece. Memory is first touched by who has the sweep.
    BlockSweep(const BlockBox<L, T>& box, int width) : width_(width)
    {
        const std::size_t n = box.registers, most = 2 * box.steps, rows = std::size_t(width) * most,
                          values = Rows::counts.ofSweep(n, width, box.steps);
        data_ = HostArray<V>(values);
        V* at = data_.data();
        std::fill_n(at, values, V{});
        const auto take = [&](std::size_t size) {
            V* const taken = at;
            at += size;
            return taken;
        };
        for (V** line : {&buffers_.up, &buffers_.down, &buffers_.floor, &buffers_.roof, &buffers_.nothing})
            *line = take(n * passing);
        buffers_.sums = take(n * Rows::summed);
        take(n * passing);
        buffers_.carried = take(std::size_t(width) * Rows::carried);
        buffers_.ends = take(std::size_t(width) * Rows::ends);
        if constexpr (!planar) {
            buffers_.back = take(std::size_t(width) * n * passing);
            floors_ = take(most * n);
            roofs_ = take(most * n);
            sides_ = take(most * 2 * width);
            waiting_ = take(rows * n * passing);
            later_ = take(rows * n * passing);
        }
        values_ = values * Rows::lanes;
    }

    std::size_t values() const { return values_; }

    // first: the rates of the phase's first step, if it is the first of all.
    void work(const BlockBox<L, T>& box, const BlockPiece& piece, const BlockRates<T>& rates,
              const BlockRates<T>* first)
    {
        const std::vector<Step> steps = stepsOf(piece, rates, first);
        const int n = int(steps.size()), late = planar || box.walls[1] ? 0 : 1;
        for (int front = 0; front < box.lines + (1 + late) * (n - 1); ++front)
            for (int k = 0; k < n; ++k)
                if (const int y = front - k; y >= late * k && y < box.lines + late * k)
                    work(box, steps[k], k, y, y == late * k, y == box.lines + late * k - 1);
        streamFence(); // others read the slopes
    }

private:
    struct Step {
        bool fills;
        int from, to, number; // rows from .. to - 1; of its kind
        int lowValley, highValley;
        BlockRates<T> rates;
    };

    static std::vector<Step> stepsOf(const BlockPiece& p, const BlockRates<T>& rates, const BlockRates<T>* first)
    {
        std::vector<Step> steps;
        const auto of = [](BlockRates<T> own, std::int64_t step) {
            own.copy = int(step & 1);
            return own;
        };
        if (p.middleValley >= 0)
            for (int k = 0; k < p.fill; ++k)
                steps.push_back(
                    {true, p.middle - k, p.middle + k, k, p.middleValley, p.middleValley, of(rates, p.fillBegins + k)});
        for (int k = 0; k < p.rise; ++k)
            steps.push_back({false, p.low + (p.lowValley < 0 ? 0 : k), p.high - (p.highValley < 0 ? 0 : k), k,
                             p.lowValley, p.highValley, of(first && k == 0 ? *first : rates, p.riseBegins + k)});
        return steps;
    }

    V* ofLevel(V* all, const BlockBox<L, T>& box, int level) const
    {
        return all + std::size_t(level) * width_ * box.passingSize();
    }

    // y may go beyond the last line of a periodic axis. starts, ends: the first and the last line of this step.
    void work(const BlockBox<L, T>& box, const Step& step, int level, int y, bool starts, bool ends)
    {
        if (step.fills && step.number == 0) {
            send(box, y, step.from - 1, box.slope(step.highValley, false, y, 0), -1);
            send(box, y, step.from, box.slope(step.lowValley, true, y, 0), 1);
            return;
        }
        const bool floor = step.lowValley < 0, roof = step.highValley < 0;
        BlockRow<L, T> r;
        r.registers = box.registers;
        r.between = box.walls[0];
        if constexpr (!planar) {
            r.startsAtWall = box.walls[1] && starts;
            r.endsAtWall = box.walls[1] && ends;
            r.opens = !box.walls[1] && starts;
            r.floor = floors_ + std::size_t(level) * box.registers;
            r.roof = roofs_ + std::size_t(level) * box.registers;
        }
        r.from = floor   ? buffers_.floor
            : step.fills ? box.slope(step.lowValley, true, y, step.number)
                         : buffers_.nothing;
        r.down = step.fills ? buffers_.down : floor ? nullptr : box.slope(step.lowValley, false, y, step.number);
        const V* const above = roof ? buffers_.roof
            : step.fills            ? box.slope(step.highValley, false, y, step.number)
                                    : buffers_.nothing;
        V* const up = step.fills || roof ? nullptr : box.slope(step.highValley, true, y, step.number);
        const int at = box.lineAt(y);
        if (box.moving[2]) r.wallBelow = box.moving[2] + at * box.passingSize();
        if (box.moving[3]) r.wallAbove = box.moving[3] + at * box.passingSize();

        // Sums of so many registers stay in the first cache from a row to the next.
        const int part = partOf(box.registers);
        for (int begin = 0; begin < box.registers; begin += part) {
            const int end = begin + part;
            for (int z = step.from; z < step.to; ++z) {
                place(box, step, level, y, z, r);
                r.onFloor = floor && r.first;
                r.underRoof = roof && z == step.to - 1;
                const bool walls = r.startsAtWall || r.endsAtWall || r.opens || r.onFloor || r.underRoof
                    || r.linked.begin != r.linked.end;
                if (r.first)
                    walls ? Line::template row<true, true>(buffers_, r, step.rates, begin, end)
                          : Line::template row<true, false>(buffers_, r, step.rates, begin, end);
                else
                    walls ? Line::template row<false, true>(buffers_, r, step.rates, begin, end)
                          : Line::template row<false, false>(buffers_, r, step.rates, begin, end);
            }
            place(box, step, level, y, step.to, r);
            const auto complete = [&](int i) {
                Line::complete(buffers_, r, above, !roof && box.walls[0], i);
                for (int k = 0; up && k < passing; ++k) stream(up + i * passing + k, buffers_.up[i * passing + k]);
            };
            for (int i = begin ? begin - 1 : 1; i < end - 1; ++i) complete(i);
            if (end == box.registers) {
                complete(end - 1);
                complete(0);
            }
        }
        if (step.fills) {
            send(box, y, step.from - 1, buffers_.down, -1);
            send(box, y, step.to, buffers_.up, 1);
        }
        if constexpr (!planar) {
            if (r.endsAtWall)
                for (int z = step.from; z < step.to; ++z)
                    addBack(box, y, z, buffers_.back + std::size_t(z - step.from) * box.passingSize());
            if (!box.walls[1] && ends) close(box, step, level, y);
        }
    }

    // Of row z, and what lies below it.
    void place(const BlockBox<L, T>& box, const Step& step, int level, int y, int z, BlockRow<L, T>& r)
    {
        const std::size_t k = std::size_t(z - step.from);
        r.first = k == 0;
        r.moments = box.row(y, z);
        r.linked = box.links->row(box.lineAt(y), box.rowAt(z));
        r.carried = buffers_.carried + k * Rows::carried;
        r.ends = buffers_.ends + k * Rows::ends;
        if (!r.first) r.below = box.row(y, z - 1);
        if constexpr (!planar) placeBetween(box, level, y, z, k, r);
    }

    void placeBetween(const BlockBox<L, T>& box, int level, int y, int z, std::size_t k, BlockRow<L, T>& r)
    {
        const std::size_t size = box.passingSize();
        r.waiting = ofLevel(waiting_, box, level) + k * size;
        r.back = buffers_.back + k * size;
        r.sides = sides_ + (std::size_t(level) * width_ + k) * 2;
        if (box.moving[0]) r.wallBefore = box.moving[0] + box.rowAt(z) * size;
        if (box.moving[1]) r.wallBehind = box.moving[1] + box.rowAt(z) * size;
        if (r.first) return;
        r.belowBefore = r.startsAtWall || r.opens ? nullptr : box.row(y - 1, z - 1);
        r.later = r.opens ? ofLevel(later_, box, level) + (k - 1) * size : nullptr;
        r.waitingBelow = r.waiting - size;
    }

    // The last line of a turn gets what the first one sent back, and the first one what this one sends on.
    void close(const BlockBox<L, T>& box, const Step& step, int level, int y)
    {
        const std::size_t size = box.passingSize();
        const bool floor = step.lowValley < 0, roof = step.highValley < 0;
        for (int z = step.from; z < step.to; ++z) {
            const std::size_t k = std::size_t(z - step.from);
            V* const back = ofLevel(later_, box, level) + k * size;
            const V* const on = ofLevel(waiting_, box, level) + k * size;
            if (box.walls[0]) {
                const V* const side = sides_ + (std::size_t(level) * width_ + k) * 2;
                V* last = back + (box.registers - 1) * passing;
                for (int i = 0; i < 3; ++i) {
                    back[i] += side[0];
                    last[i] += i == 1 ? -side[1] : side[1];
                }
            }
            const auto mirrored = [&](const V* kept, T sign) {
                for (int i = 0; i < box.registers; ++i) {
                    V* const b = back + i * passing;
                    b[0] += kept[i];
                    b[3] += kept[i];
                    b[4] += Rows::all(sign) * kept[i];
                }
            };
            if (floor && z == step.from) mirrored(floors_ + std::size_t(level) * box.registers, 1);
            if (roof && z == step.to - 1) mirrored(roofs_ + std::size_t(level) * box.registers, -1);
            addBack(box, y, z, back);
            V* const next = box.row(y + 1, z);
            for (int i = 0; i < box.registers; ++i) Rows::addFromBefore(next + i * count, on + i * passing);
        }
    }

    static void addBack(const BlockBox<L, T>& box, int y, int z, const V* back)
    {
        V* const row = box.row(y, z);
        for (int i = 0; i < box.registers; ++i) Rows::addFromBehind(row + i * count, back + i * passing);
    }

    // What a row sends upwards (1) or downwards (-1), to row z, whose own sums are there, and to the lines beside.
    static void send(const BlockBox<L, T>& box, int y, int z, const V* a, T direction)
    {
        V* here = box.row(y, z);
        const V d = Rows::all(direction);
        [[maybe_unused]] V *behind = nullptr, *before = nullptr;
        if constexpr (!planar) {
            const auto in = [&](int line) {
                return !box.walls[1] || (line >= 0 && line < box.lines) ? box.row(line, z) : nullptr;
            };
            behind = in(y + 1);
            before = in(y - 1);
        }
        const auto across = [&](V*& m, V v, T along) {
            if (!m) return;
            m[Rows::R] += v;
            m[Rows::JY] += Rows::all(along) * v;
            m[Rows::JZ] += d * v;
            m[Rows::YY] += v;
            m[Rows::ZZ] += v;
            m[Rows::YZ] += Rows::all(along) * d * v;
            m += count;
        };
        for (int i = 0; i < box.registers; ++i, here += count, a += passing) {
            here[Rows::R] += a[0];
            here[Rows::JX] += a[1];
            here[Rows::JZ] += d * a[0];
            here[Rows::XX] += a[2];
            here[Rows::ZZ] += a[0];
            here[Rows::XZ] += d * a[1];
            if constexpr (!planar) {
                across(behind, a[3], 1);
                across(before, a[4], -1);
            }
        }
    }

    // Not read again before a phase has ended.
    static LBM_INLINE void stream(V* to, V value)
    {
#ifdef __AVX512F__
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to), reinterpret_cast<__m512i>(value));
#else
        *to = value;
#endif
    }

    // Parts of a row are as long as one another.
    static int partOf(int registers)
    {
        for (int part = std::min(registers, 8); part > 3; --part)
            if (registers % part == 0) return part;
        return registers;
    }

    int width_ = 0;
    HostArray<V> data_;
    std::size_t values_ = 0;
    BlockBuffers<L, T> buffers_{};
    V *floors_ = nullptr, *roofs_ = nullptr, *sides_ = nullptr, *waiting_ = nullptr, *later_ = nullptr;
};

} // namespace lbm
