// PopulationRows: populations of a box of fluid in rows as long as the box, in place (as Aa), and a step of one row.
//
// A row's lanes are parts of it that lie apart, so that the node beside is the same lane of the register beside: nothing is shifted but at
// a row's ends. For each line along y populations lie one after the other, rows along z, [y][q][z][register][lane].
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/device/Memory.hpp"
#include "lbm/storage/rows/Collide.hpp"

#include <algorithm>
#include <vector>

namespace lbm {

template<class L, class T>
class PopulationRows {
public:
    static constexpr int lanes = lineNodes<T>;
    using Vector = Lanes<T, lanes>;

    // A value that a wall or opening adds to population q where it sends it back.
    struct Added {
        std::uint32_t place; // in the row
        std::uint16_t q;
        T value;
    };

    PopulationRows(const Int3& size, const std::array<bool, 3>& periodic) :
        size_(size),
        periodic_(periodic),
        registers_(size[0] / lanes),
        plane_(std::size_t(size[0]) * size[2] + 5 * lanes), // not all populations in one set of the first cache
        line_(plane_ * L::Q + 3 * lanes),
        data_(values())
    {}

    std::size_t values() const { return line_ * size_[1]; }
    std::size_t tableBytes() const
    {
        return added_.size() * sizeof(Added) + firstAdded_.size() * sizeof(firstAdded_[0]);
    }
    T* data() { return data_.data(); }
    const T* data() const { return data_.data(); }
    const Int3& size() const { return size_; }
    bool isPeriodic(int axis) const { return periodic_[axis]; }

    // The rest state.
    void clear(int y, int firstRow, int lastRow)
    {
        for (int q = 0; q < L::Q; ++q)
            std::fill(row(y, firstRow, q), row(y, firstRow, q) + (lastRow - firstRow) * size_[0], T(0));
    }

    // Where a node's population lies that has left its collision, as Aa has it.
    std::size_t slot(const Int3& x, int q, bool odd) const
    {
        Int3 to = x;
        bool inside = true;
        for (int a = 0; a < 3; ++a) inside = move(a, to[a], L::c[q][a]) && inside;
        return !odd && inside ? place(to, q) : place(x, opposite(q));
    }

    // by row, each in the order told; rows: [y][z]
    void add(std::vector<Added> added, std::vector<std::uint32_t> firstOfRows)
    {
        added_ = std::move(added);
        firstAdded_ = std::move(firstOfRows);
    }
    Added& added(std::size_t i) { return added_[i]; }
    std::uint32_t placeInRow(int x) const { return std::uint32_t(x % registers_ * lanes + x / registers_); }

    // Of rows firstRow .. lastRow - 1 of a line; room: [Q][row].
    void step(int y, int firstRow, int lastRow, bool odd, CollideRows<T> collide, const Parameters<T>& p, T* room)
    {
        for (int z = firstRow; z < lastRow; ++z) step(y, wrapped(2, z), odd, collide, p, room);
    }

private:
    struct Places {
        T *at[L::Q], *own[L::Q]; // register 0 of what arrives, and of what the node itself keeps
        bool crosses[L::Q];      // comes from the node beside
    };

    int wrapped(int axis, int x) const { return (x + size_[axis]) % size_[axis]; }

    // False: no node there.
    bool move(int axis, int& x, int by) const
    {
        x += by;
        if (x >= 0 && x < size_[axis]) return true;
        x = wrapped(axis, x);
        return periodic_[axis];
    }

    T* row(int y, int z, int q) { return data_.data() + y * line_ + q * plane_ + std::size_t(z) * size_[0]; }
    std::size_t place(const Int3& x, int q) const
    {
        return x[1] * line_ + q * plane_ + std::size_t(x[2]) * size_[0] + placeInRow(x[0]);
    }

    void step(int y, int z, bool odd, CollideRows<T> collide, const Parameters<T>& p, T* room)
    {
        const Places places = placesOf(y, z, odd);
        const std::size_t number = std::size_t(y) * size_[2] + z;
        if (!firstAdded_.empty() && firstAdded_[number] < firstAdded_[number + 1])
            return stepWith(places, number, odd, collide, p, room);
        T *from[L::Q], *to[L::Q];
        const int ends = odd ? lanes : 0;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            from[q] = places.at[q] + ends;
            to[q] = places.at[opposite(q)] + ends;
        });
        collide(from, to, size_[0] - 2 * ends, p);
        for (int i = 0; odd && i < registers_; i += registers_ - 1) {
            loadEnd(places, i, room, lanes);
            unroll<L::Q>([&](auto q) __attribute__((always_inline)) { from[q] = room + q * lanes; });
            collide(from, from, lanes, p);
            storeEnd(places, i, room, lanes);
        }
    }

    Places placesOf(int y, int z, bool odd)
    {
        Places places;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            T* const own = row(y, z, q);
            int yy = y, zz = z;
            const bool here = move(1, yy, -L::c[q][1]) && move(2, zz, -L::c[q][2]);
            places.own[q] = places.at[q] = own;
            places.crosses[q] = odd && here && L::c[q][0] != 0;
            if (odd && here) places.at[q] = row(yy, zz, opposite(q)) - L::c[q][0] * lanes;
        });
        return places;
    }

    // Register i, the first or last of a row, to room[q * stride].
    void loadEnd(const Places& places, int i, T* room, std::size_t stride) const
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0];
            auto v = Vector::load(places.at[q] + i * lanes);
            if (const int over = cx == 1 ? 0 : registers_ - 1; cx != 0 && i == over && places.crosses[q]) {
                const auto beyond = Vector::load(places.at[q] + (registers_ - 1 - i + cx) * lanes);
                v = cx == 1 ? Vector::up(beyond, beyond) : Vector::down(beyond, beyond);
                if (!periodic_[0]) v = Vector::over(Vector::load(places.own[q] + i * lanes), all & ~end(cx), v);
            }
            Vector::store(room + q * stride, v);
        });
    }

    // The way back of loadEnd: what leaves goes where what came along the opposite link was.
    void storeEnd(const Places& places, int i, const T* room, std::size_t stride) const
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0];
            const auto v = Vector::load(room + opposite(q) * stride);
            if (const int over = cx == 1 ? 0 : registers_ - 1; cx != 0 && i == over && places.crosses[q]) {
                T* const beyond = places.at[q] + (registers_ - 1 - i + cx) * lanes;
                const auto turned = cx == 1 ? Vector::down(v, v) : Vector::up(v, v);
                if (periodic_[0]) Vector::store(beyond, turned);
                else {
                    Vector::store(beyond, all & ~end(-cx), turned);
                    Vector::store(places.own[q] + i * lanes, end(cx), v);
                }
            } else Vector::store(places.at[q] + i * lanes, v);
        });
    }

    // The lane that meets a row's end where population q arrives.
    static constexpr unsigned all = (1u << lanes) - 1;
    static constexpr unsigned end(int cx) { return cx == 1 ? 1 : 1u << (lanes - 1); }

    // Of a row to which something is added: by way of the room.
    void stepWith(const Places& places, std::size_t number, bool odd, CollideRows<T> collide, const Parameters<T>& p,
                  T* room)
    {
        const std::size_t n = size_[0];
        const int ends = odd ? lanes : 0;
        T* rows[L::Q];
        for (int q = 0; q < L::Q; ++q) {
            rows[q] = room + q * n;
            std::copy(places.at[q] + ends, places.at[q] + n - ends, rows[q] + ends);
        }
        for (int i = 0; odd && i < registers_; i += registers_ - 1) loadEnd(places, i, room + i * lanes, n);
        for (std::uint32_t k = firstAdded_[number]; k < firstAdded_[number + 1]; ++k)
            rows[added_[k].q][added_[k].place] += added_[k].value;
        collide(rows, rows, int(n), p);
        for (int q = 0; q < L::Q; ++q) std::copy(rows[q] + ends, rows[q] + n - ends, places.at[opposite(q)] + ends);
        for (int i = 0; odd && i < registers_; i += registers_ - 1) storeEnd(places, i, room + i * lanes, n);
    }

    Int3 size_;
    std::array<bool, 3> periodic_;
    int registers_;
    std::size_t plane_, line_;
    HostArray<T> data_;
    std::vector<Added> added_;
    std::vector<std::uint32_t> firstAdded_; // by row; empty: nothing is added
};

} // namespace lbm
