// RowMasks: of rows of nodes as long as the box, in registers whose lanes are parts of the row that lie apart (PopulationRows.hpp): which
// lanes are fluid, and of each population those to which it comes from the node beside; to the others what they sent comes back. Listed are
// registers with walls or nodes that are no fluid, and a row's ends. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lbm {

// Rows lie along x; lines of them along an axis, in which rows follow one another along another: of two dimensions there is one line.
struct RowShape {
    int lanes = 1, registers = 0, line = 1, row = 2; // the latter two: axes
    Int3 size{0, 0, 0};
    bool wraps[3] = {};

    RowShape() = default;
    RowShape(const Domain& domain, int lanesOfRegister) :
        lanes(lanesOfRegister),
        registers(std::max(2, (domain.size[0] + lanes - 1) / lanes)),
        line(domain.dimensions == 2 ? 2 : 1),
        row(3 - line),
        size(domain.size)
    {
        for (int a = 0; a < 3; ++a) wraps[a] = domain.periodic[a] && (domain.dimensions == 3 || a < 2);
    }

    int lines() const { return size[line]; }
    int rows() const { return size[row]; }
    int nodes() const { return registers * lanes; } // of a row, with those that fill the last registers
    bool wrapsApart() const
    {
        return wraps[0] && nodes() != size[0];
    } // a row's ends meet, but not those of its registers
    std::size_t number(int y, int z) const { return std::size_t(y) * rows() + z; }
};

class RowMasks {
public:
    // One register, or several that have no fluid.
    struct Run {
        std::uint32_t at;
        std::uint16_t count, fluid;
    };

    // Of a row, in order. arrives: [run][population].
    struct Row {
        const Run *begin, *end;
        const std::uint16_t* arrives;
    };

    RowMasks() = default;

    // directions: of the lattice's populations, the first at rest.
    RowMasks(const Domain&, const RowShape&, const std::vector<Int3>& directions);

    Row row(std::size_t number) const
    {
        const bool own = !first_.empty() && first_[number] != first_[number + 1];
        const List& list = own ? own_ : plain_;
        const std::size_t begin = own ? first_[number] : 0, end = own ? first_[number + 1] : list.runs.size();
        return {list.runs.data() + begin, list.runs.data() + end, list.arrives.data() + begin * populations_};
    }

    // Whether population q comes from the node beside.
    bool arrives(std::size_t number, int at, int lane, int q) const
    {
        const Row all = row(number);
        const Run* const run =
            std::upper_bound(all.begin, all.end, at, [](int i, const Run& r) { return i < int(r.at); });
        if (run == all.begin || at >= int(run[-1].at + run[-1].count)) return true;
        return all.arrives[std::size_t(run - 1 - all.begin) * populations_ + q] >> lane & 1;
    }

    std::size_t bytes() const
    {
        return own_.runs.size() * (sizeof(Run) + populations_ * sizeof(std::uint16_t))
            + first_.size() * sizeof(first_[0]);
    }

    // Registers of all rows: with a mask, ends of rows included, and those that have no fluid.
    struct Counts {
        double masked = 0, empty = 0;
    };
    Counts counts(const RowShape&) const;

private:
    struct List {
        std::vector<Run> runs;
        std::vector<std::uint16_t> arrives;
    };

    class Builder;

    std::size_t populations_ = 0;
    List plain_, own_;                 // of rows that are full and meet walls at their ends alone; of others
    std::vector<std::uint32_t> first_; // by row, in own_; empty: all are plain
};

} // namespace lbm
