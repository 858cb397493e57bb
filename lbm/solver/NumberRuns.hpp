// NumberRuns: a list of numbers as runs of such as follow each other, 16 bytes a run. What a part has of a list of nodes, groups or
// links mostly does. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lbm {

class NumberRuns {
public:
    void push_back(std::size_t number)
    {
        const std::size_t next = runs_.empty() ? 0 : runs_.back().first + size_ - runs_.back().before;
        if (runs_.empty() || number != next) {
            ascends_ = ascends_ && number >= next;
            runs_.push_back({number, size_});
        }
        ++size_;
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t runs() const { return runs_.size(); }
    std::size_t front() const { return runs_.front().first; }

    // f(first number, how many are before it, n): of each run.
    template<class F>
    void each(F&& f) const
    {
        for (std::size_t r = 0; r < runs_.size(); ++r) f(runs_[r].first, runs_[r].before, of(r));
    }

    // The same of those numbers alone that lie in begin .. end - 1.
    template<class F>
    void eachWithin(std::size_t begin, std::size_t end, F&& f) const
    {
        // Numbers ascend from run to run, or the list is looked through
        std::size_t r = 0;
        if (ascends_) {
            const auto behind = [](std::size_t number, const Run& run) { return number < run.first; };
            r = std::size_t(std::upper_bound(runs_.begin(), runs_.end(), begin, behind) - runs_.begin());
            r -= r > 0;
        }
        for (; r < runs_.size() && !(ascends_ && runs_[r].first >= end); ++r) {
            const std::size_t first = runs_[r].first, before = runs_[r].before, n = of(r);
            const std::size_t from = std::max(first, begin), to = std::min(first + n, end);
            if (from < to) f(from, before + (from - first), to - from);
        }
    }

private:
    struct Run {
        std::size_t first, before;
    };
    // Numbers of a run
    std::size_t of(std::size_t r) const
    {
        return (r + 1 < runs_.size() ? runs_[r + 1].before : size_) - runs_[r].before;
    }

    std::vector<Run> runs_;
    std::size_t size_ = 0;
    bool ascends_ = true;
};

} // namespace lbm
