// RowCopies: values that are copied from one array into another, as rows of them that lie one behind the other in both.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace lbm {

struct RowCopy {
    std::size_t to, from, count;
};

class RowCopies {
public:
    explicit RowCopies(std::vector<RowCopy> values)
    {
        std::sort(values.begin(), values.end(), [](const RowCopy& a, const RowCopy& b) { return a.to < b.to; });
        for (const RowCopy& value : values) {
            if (!rows_.empty() && rows_.back().to + rows_.back().count == value.to
                && rows_.back().from + rows_.back().count == value.from)
                rows_.back().count += value.count;
            else rows_.push_back(value);
        }
        rows_.shrink_to_fit();
    }

    std::size_t bytes() const { return rows_.size() * sizeof(RowCopy); }

    // By all threads of a team, each some rows; who returns knows of its own alone. A row is a line of memory or a few, here
    // and there: fetched ahead, for else each would be waited for.
    template<class T>
    void copyShare(const T* from, T* to) const
    {
        constexpr std::size_t ahead = 16;
#pragma omp for schedule(static) nowait
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const RowCopy &row = rows_[i], &next = rows_[std::min(i + ahead, rows_.size() - 1)];
            __builtin_prefetch(from + next.from);
            __builtin_prefetch(to + next.to, 1);
            std::memcpy(to + row.to, from + row.from, row.count * sizeof(T));
        }
    }

private:
    std::vector<RowCopy> rows_;
};

} // namespace lbm
