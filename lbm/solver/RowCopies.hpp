// RowCopies: values that are copied from one array into another, as rows of them that lie one behind the other in both, and such rows
// of one length at constant distances: at a face across x a row is one node. What nodes of a face have is so a few bytes a value,
// also where tiles cut rows and pieces of some lengths take turns.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace lbm {

class RowCopies {
public:
    // One value after the other, in any order; then finish().
    void add(std::size_t to, std::size_t from)
    {
        if (row_.count > 0 && row_.to + row_.count == to && row_.from + row_.count == from
            && row_.count < std::numeric_limits<std::uint32_t>::max()) {
            ++row_.count;
            return;
        }
        endRow();
        row_ = {to, from, 1, 1, 0, 0};
    }

    // In the order in which they are written.
    void finish()
    {
        endRow();
        std::sort(rows_.begin(), rows_.end(), [](const Rows& a, const Rows& b) { return a.to < b.to; });
        rows_.shrink_to_fit();
    }

    std::size_t bytes() const { return rows_.size() * sizeof(Rows); }

    // By all threads of a team, each some rows; who returns knows of its own alone. A row is a line of memory or a few, here
    // and there: fetched ahead, for else each would be waited for.
    template<class T>
    void copyShare(const T* from, T* to) const
    {
        constexpr std::size_t ahead = 4;
#pragma omp for schedule(static) nowait
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            each(rows_[std::min(i + ahead, rows_.size() - 1)], [&](std::size_t at, std::size_t its, std::size_t) {
                __builtin_prefetch(from + its);
                __builtin_prefetch(to + at, 1);
            });
            each(rows_[i], [&](std::size_t at, std::size_t its, std::size_t count) {
                std::memcpy(to + at, from + its, count * sizeof(T));
            });
        }
    }

private:
    struct Rows {
        std::size_t to, from; // of the first row
        std::uint32_t count;  // values of a row
        std::uint32_t rows;
        std::int32_t toNext, fromNext; // to the next row's first value
    };

    // Few enough for what is fetched ahead to stay in the first cache
    static constexpr std::uint32_t mostRows = 32;

    template<class F>
    static void each(const Rows& rows, F&& f)
    {
        std::size_t to = rows.to, from = rows.from;
        for (std::uint32_t r = 0; r < rows.rows; ++r) {
            f(to, from, std::size_t(rows.count));
            to += std::size_t(std::ptrdiff_t(rows.toNext)), from += std::size_t(std::ptrdiff_t(rows.fromNext));
        }
    }

    // Records that a row may join: as many as pieces that take turns
    static constexpr std::size_t recent = 4;

    // The row that was added to joins those before it, or is the first of others.
    void endRow()
    {
        if (row_.count > 0) {
            const std::size_t n = rows_.size();
            bool joined = false;
            for (std::size_t i = n; i > n - std::min(n, recent) && !joined;) joined = joins(rows_[--i]);
            if (!joined) rows_.push_back(row_);
        }
        row_.count = 0;
    }

    // A second row settles the distance: not one of other rows that have a record of their own by then.
    bool joins(Rows& last)
    {
        if (last.count != row_.count || last.rows == mostRows) return false;
        const auto far = [&](std::size_t now, std::size_t first, std::int32_t next) {
            return std::ptrdiff_t(now - first) - std::ptrdiff_t(next) * (std::ptrdiff_t(last.rows) - 1);
        };
        const std::ptrdiff_t toNext = far(row_.to, last.to, last.toNext),
                             fromNext = far(row_.from, last.from, last.fromNext);
        if (last.rows > 1) {
            if (toNext != last.toNext || fromNext != last.fromNext) return false;
        } else {
            const auto fits = [](std::ptrdiff_t x) { return x == std::ptrdiff_t(std::int32_t(x)); };
            if (!fits(toNext) || !fits(fromNext)) return false;
            last.toNext = std::int32_t(toNext), last.fromNext = std::int32_t(fromNext);
        }
        ++last.rows;
        return true;
    }

    std::vector<Rows> rows_;
    Rows row_{0, 0, 0, 0, 0, 0}; // grows
};

} // namespace lbm
