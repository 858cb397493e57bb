// PopulationRows: populations of a box in rows as long as the box, in place (as Aa), and a step of one row.
//
// A row's lanes are parts of it that lie apart, so that the node beside is the same lane of the register beside: nothing is shifted but at
// a row's ends. For each line populations lie one after the other, rows along z, [y][q][z][register][lane]; of two dimensions rows along
// y in one line. Registers at walls have masks (RowMasks.hpp): some of their lanes take what they sent themselves.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/device/Memory.hpp"
#include "lbm/storage/rows/Collide.hpp"
#include "lbm/storage/rows/RowMasks.hpp"

#include <algorithm>
#include <vector>

namespace lbm {

template<class L>
std::vector<Int3> directionsOf()
{
    std::vector<Int3> all;
    for (const auto& c : L::c) all.push_back({c[0], c[1], c[2]});
    return all;
}

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

    // A node in its row: the places of the nodes before it, of itself and behind it, and over which links what it sends reaches another.
    struct NodeAt {
        std::uint32_t places[3], reaches;
        std::uint32_t place() const { return places[1]; }
    };

    // Population q of a row, and of the row that it leads to.
    struct Around {
        T *own[L::Q], *beside[L::Q];
    };

    explicit PopulationRows(const Domain& domain) :
        shape_(domain, lanes),
        masks_(domain, shape_, directionsOf<L>()),
        length_(shape_.nodes()),
        last_(shape_.wrapsApart() ? int(placeInRow(shape_.size[0] - 1)) : -1),
        plane_(std::size_t(length_) * shape_.rows() + 5 * lanes), // not all populations in one set of the first cache
        line_(plane_ * L::Q + 3 * lanes),
        data_(values())
    {}

    std::size_t values() const { return line_ * shape_.lines(); }
    std::size_t tableBytes() const
    {
        return masks_.bytes() + added_.size() * sizeof(Added) + firstAdded_.size() * sizeof(firstAdded_[0]);
    }
    T* data() { return data_.data(); }
    const T* data() const { return data_.data(); }
    const RowShape& shape() const { return shape_; }
    int wrapped(int z) const { return (z + shape_.rows()) % shape_.rows(); }

    // What a thread needs for steps.
    static constexpr std::size_t roomValues = std::size_t(8) * lanes * L::Q;

    // The rest state.
    void clear(int y, int firstRow, int lastRow)
    {
        for (int q = 0; q < L::Q; ++q)
            std::fill(row(y, firstRow, q), row(y, firstRow, q) + std::size_t(lastRow - firstRow) * length_, T(0));
    }

    // Where a node's population lies that has left its collision, as Aa has it.
    std::size_t slot(const Int3& x, int q, bool odd) const
    {
        Int3 to = x;
        return !odd && q != 0 && reaches(to, q) ? place(to, q) : place(x, opposite(q));
    }

    NodeAt nodeAt(const Int3& x) const
    {
        NodeAt at{};
        for (int dx = -1; dx <= 1; ++dx)
            if (int there = x[0]; move(0, there, dx)) at.places[1 + dx] = placeInRow(there);
        for (int q = 1; q < L::Q; ++q)
            if (Int3 to = x; reaches(to, q)) at.reaches |= 1u << q;
        return at;
    }

    Around around(int y, int z)
    {
        Around around;
        for (int q = 0; q < L::Q; ++q) {
            int yy = y, zz = z;
            around.own[q] = row(y, z, q);
            const bool here = move(lineAxis, yy, L::c[q][lineAxis]) && move(rowAxis, zz, L::c[q][rowAxis]);
            around.beside[q] = here ? row(yy, zz, q) : around.own[q];
        }
        return around;
    }

    // By row's number, each in the order told.
    void add(std::vector<Added> added, std::vector<std::uint32_t> firstOfRows)
    {
        added_ = std::move(added);
        firstAdded_ = std::move(firstOfRows);
    }
    Added& added(std::size_t i) { return added_[i]; }
    std::uint32_t placeInRow(int x) const { return std::uint32_t(x % shape_.registers * lanes + x / shape_.registers); }
    std::size_t numberOf(const Int3& x) const { return shape_.number(x[shape_.line], x[shape_.row]); }

    // To row z of a line, before its step: what is sent back waits at the node itself, whichever step comes.
    void addTold(int y, int z)
    {
        if (firstAdded_.empty()) return;
        const std::size_t number = shape_.number(y, z);
        for (std::uint32_t k = firstAdded_[number]; k < firstAdded_[number + 1]; ++k)
            row(y, z, added_[k].q)[added_[k].place] += added_[k].value;
    }

    void step(int y, int z, bool odd, CollideRows<T> collide, const Parameters<T>& p, T* room)
    {
        const std::size_t number = shape_.number(y, z);
        const RowMasks::Row masks = masks_.row(number);
        const Places places = placesOf(y, z, odd);
        odd ? stepOdd(places, masks, collide, p, room) : stepEven(places, masks, collide, p);
    }

private:
    struct Places {
        T *at[L::Q], *own[L::Q]; // register 0 of what arrives, and of what the node itself keeps
        bool crosses[L::Q];      // comes from the node beside
    };

    static constexpr int lineAxis = L::D == 2 ? 2 : 1, rowAxis = 3 - lineAxis; // as the shape has them

    // False: what the node sends along q comes back to it.
    bool reaches(Int3& x, int q) const
    {
        const Int3 from = x;
        for (int a = 0; a < 3; ++a)
            if (!move(a, x[a], L::c[q][a])) return false;
        return masks_.arrives(numberOf(from), from[0] % shape_.registers, from[0] / shape_.registers, opposite(q));
    }

    // False: no node there.
    bool move(int axis, int& x, int by) const
    {
        const int n = shape_.size[axis];
        x += by;
        if (x >= 0 && x < n) return true;
        x = (x + n) % n;
        return shape_.wraps[axis];
    }

    T* row(int y, int z, int q) { return data_.data() + y * line_ + q * plane_ + std::size_t(z) * length_; }
    std::size_t place(const Int3& x, int q) const
    {
        return x[shape_.line] * line_ + q * plane_ + std::size_t(x[shape_.row]) * length_ + placeInRow(x[0]);
    }

    // Where it was read it is stored, of the opposite link: no mask, and nodes that are no fluid, which nobody reads, may keep step.
    void stepEven(const Places& places, const RowMasks::Row& masks, CollideRows<T> collide, const Parameters<T>& p)
    {
        int done = 0;
        for (const RowMasks::Run* run = masks.begin; run != masks.end; ++run) {
            if (run->fluid) continue;
            work(places, done, int(run->at), collide, p);
            done = int(run->at + run->count);
        }
        work(places, done, shape_.registers, collide, p);
    }

    void stepOdd(const Places& places, const RowMasks::Row& masks, CollideRows<T> collide, const Parameters<T>& p,
                 T* room)
    {
        constexpr int most = int(roomValues / (std::size_t(lanes) * L::Q));
        struct Held {
            int at;
            unsigned fluid;
            const std::uint16_t* arrives;
        } held[most];
        int n = 0, done = 0;
        const auto finish = [&] {
            if (n == 0) return;
            T* rows[L::Q];
            for (int q = 0; q < L::Q; ++q) rows[q] = room + std::size_t(q) * most * lanes;
            collide(rows, n * lanes, p);
            for (int k = 0; k < n; ++k)
                store(places, held[k].at, held[k].fluid, held[k].arrives, room + k * lanes, most * lanes);
            n = 0;
        };
        const std::uint16_t* arrives = masks.arrives;
        for (const RowMasks::Run* run = masks.begin; run != masks.end; ++run, arrives += L::Q) {
            work(places, done, int(run->at), collide, p);
            done = int(run->at + run->count);
            if (!run->fluid) continue;
            load(places, int(run->at), run->fluid, arrives, room + n * lanes, most * lanes);
            held[n++] = {int(run->at), run->fluid, arrives};
            if (n == most) finish();
        }
        work(places, done, shape_.registers, collide, p);
        finish();
    }

    // Registers without masks.
    void work(const Places& places, int first, int last, CollideRows<T> collide, const Parameters<T>& p) const
    {
        if (first >= last) return;
        T* at[L::Q];
        for (int q = 0; q < L::Q; ++q) at[q] = places.at[q] + first * lanes;
        collide(at, (last - first) * lanes, p);
    }

    Places placesOf(int y, int z, bool odd)
    {
        Places places;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            T* const own = row(y, z, q);
            int yy = y, zz = z;
            const bool here = move(lineAxis, yy, -L::c[q][lineAxis]) && move(rowAxis, zz, -L::c[q][rowAxis]);
            places.own[q] = places.at[q] = own;
            places.crosses[q] = odd && here && L::c[q][0] != 0;
            if (odd && here) places.at[q] = row(yy, zz, opposite(q)) - L::c[q][0] * lanes;
        });
        return places;
    }

    // The lanes that a register meets beyond the row's end, after a turn.
    static constexpr unsigned all = (1u << lanes) - 1;
    template<int cx>
    static constexpr unsigned turned(unsigned m)
    {
        return Shift<-cx, lanes>::inside(m) | Shift<-cx, lanes>::outside(m);
    }

    // Register i to room[q * stride].
    void load(const Places& places, int i, unsigned fluid, const std::uint16_t* arrives, T* room,
              std::size_t stride) const
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0];
            T* const from = places.at[q] + i * lanes;
            auto v = Vector::load(beyond<q>(places, i) ? from + cx * length_ : from);
            if constexpr (cx != 0)
                if (beyond<q>(places, i)) v = cx == 1 ? Vector::up(v, v) : Vector::down(v, v);
            if (const unsigned m = arrives[q]; m != all)
                v = Vector::over(Vector::zero(fluid, places.own[q] + i * lanes), m, v);
            Vector::store(room + q * stride, v);
        });
        eachApart(places, i, arrives, [&](auto q, int lane, const T& from) { room[q * stride + lane] = from; });
    }

    // The way back of load: what leaves goes where what came along the opposite link was.
    void store(const Places& places, int i, unsigned fluid, const std::uint16_t* arrives, const T* room,
               std::size_t stride) const
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0];
            auto v = Vector::load(room + q * stride);
            unsigned m = arrives[q];
            if (m != all) Vector::store(places.own[q] + i * lanes, fluid & ~m, v);
            m &= ~apart<q>(places, i);
            T* to = places.at[q] + i * lanes;
            if constexpr (cx != 0)
                if (beyond<q>(places, i)) {
                    to += cx * length_;
                    v = cx == 1 ? Vector::down(v, v) : Vector::up(v, v);
                    m = turned<cx>(m);
                }
            if (m == all) Vector::store(to, v);
            else Vector::store(to, m, v);
        });
        eachApart(places, i, arrives, [&](auto q, int lane, T& to) { to = room[q * stride + lane]; });
    }

    // The lane of register i to which population q comes from the row's other end, where that is not the end of a register.
    template<int q>
    unsigned apart(const Places& places, int i) const
    {
        const int own = L::c[q][0] == 1 ? 0 : last_;
        return last_ >= 0 && places.crosses[q] && i == own / lanes ? 1u << own % lanes : 0;
    }

    // visit(population, that lane, where it comes from)
    template<class Visit>
    void eachApart(const Places& places, int i, const std::uint16_t* arrives, Visit&& visit) const
    {
        if (last_ < 0) return;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0];
            if constexpr (cx != 0) {
                if (apart<q>(places, i) & arrives[q])
                    visit(q, (cx == 1 ? 0 : last_) % lanes, places.at[q][cx * lanes + (cx == 1 ? last_ : 0)]);
            }
        });
    }

    // Whether population q comes to register i from the row's other end.
    template<int q>
    bool beyond(const Places& places, int i) const
    {
        constexpr int cx = L::c[q][0];
        return cx != 0 && i == (cx == 1 ? 0 : shape_.registers - 1) && places.crosses[q];
    }

    RowShape shape_;
    RowMasks masks_;
    int length_; // of a row
    int last_;   // place of a row's last node, where its ends meet apart from registers; -1: they do not
    std::size_t plane_, line_;
    HostArray<T> data_;
    std::vector<Added> added_;
    std::vector<std::uint32_t> firstAdded_; // by row; empty: nothing is added
};

} // namespace lbm
