// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/rows/RowMasks.hpp"

#include "lbm/api/inParallel.hpp"

namespace lbm {

// Rows are numbered as the shape has them.
class RowMasks::Builder {
public:
    Builder(const Domain& domain, const RowShape& shape, const std::vector<Int3>& directions) :
        domain_(domain), shape_(shape), directions_(directions), whole_((1u << shape.lanes) - 1)
    {
        for (std::size_t q = 0; q < directions.size(); ++q) {
            const Int3& c = directions[q];
            arriving_[directionCode(-c[0], -c[1], -c[2])] = int(q);
        }
        const int rows = shape.size[1] * shape.size[2];
        full_.resize(rows);
        firstLink_.resize(std::size_t(rows) + 1);
        const auto before = [](const Link& link, NodeIndex node) { return link.node < node; };
#pragma omp parallel for schedule(static)
        for (int i = 0; i <= rows; ++i) {
            const NodeIndex begin = NodeIndex(i) * shape.size[0];
            firstLink_[i] = std::size_t(std::lower_bound(domain.links.begin(), domain.links.end(), begin, before)
                                        - domain.links.begin());
            if (i < rows) full_[i] = domain.fluid.countIn(begin, shape.size[0]) == shape.size[0];
        }
    }

    // Of a row that is full, between such.
    List plain() const
    {
        List list;
        append(nullptr, list);
        return list;
    }

    // Nothing: it is as the plain one.
    List row(int y, int z, const List& plain) const
    {
        List list;
        if (isPlain(y, z)) return list;
        const Int3 x{0, y, z};
        append(&x, list);
        const auto alike = [](const Run& a, const Run& b) {
            return a.at == b.at && a.count == b.count && a.fluid == b.fluid;
        };
        if (list.arrives == plain.arrives
            && std::equal(list.runs.begin(), list.runs.end(), plain.runs.begin(), plain.runs.end(), alike))
            return {};
        return list;
    }

private:
    // The neighbour's coordinate along an axis; -1: there is none.
    int moved(int axis, int x) const
    {
        const int n = shape_.size[axis];
        if (x >= 0 && x < n) return x;
        return shape_.wraps[axis] ? (x + n) % n : -1;
    }

    // Full, with full rows about it, and no link but across the box's sides.
    bool isPlain(int y, int z) const
    {
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy) {
                const int yy = moved(1, y + dy), zz = moved(2, z + dz);
                if (yy >= 0 && zz >= 0 && !full_[zz * shape_.size[1] + yy]) return false;
            }
        const int i = z * shape_.size[1] + y;
        return std::none_of(
            domain_.links.begin() + firstLink_[i], domain_.links.begin() + firstLink_[i + 1], [&](const Link& link) {
                return domain_.neighbour(domain_.coordinates(link.node), directionOf(link.direction)) >= 0;
            });
    }

    // at: where the row begins; null: of the plain one.
    void append(const Int3* at, List& list) const
    {
        const int n = shape_.size[0], registers = shape_.registers, populations = int(directions_.size());
        std::vector<std::uint16_t> fluid(registers), arrives(std::size_t(registers) * populations);
        // Where the rows begin that populations come from; across the box's sides all nodes send theirs back, which needs no mask
        std::vector<NodeIndex> from(populations, -1);
        for (int q = 0; at && q < populations; ++q) {
            const int y = moved(1, (*at)[1] - directions_[q][1]), z = moved(2, (*at)[2] - directions_[q][2]);
            if (y >= 0 && z >= 0) from[q] = domain_.index(0, y, z);
        }
        for (int x = 0; x < n; ++x) {
            if (at && !domain_.fluid[domain_.index(x, (*at)[1], (*at)[2])]) continue;
            const int r = x % registers;
            const auto lane = std::uint16_t(1u << x / registers);
            fluid[r] |= lane;
            for (int q = 0; q < populations; ++q)
                if (const int before = moved(0, x - directions_[q][0]);
                    before >= 0 && (from[q] < 0 || domain_.fluid[from[q] + before]))
                    arrives[std::size_t(r) * populations + q] |= lane;
        }
        if (at) cut(*at, from, arrives);
        for (int r = 0; r < registers; ++r) put(r, fluid[r], arrives.data() + std::size_t(r) * populations, list);
    }

    void cut(const Int3& at, const std::vector<NodeIndex>& from, std::vector<std::uint16_t>& arrives) const
    {
        const std::size_t row = std::size_t(at[2]) * shape_.size[1] + at[1];
        const NodeIndex begin = domain_.index(0, at[1], at[2]);
        for (std::size_t k = firstLink_[row]; k < firstLink_[row + 1]; ++k) {
            const Link& link = domain_.links[k];
            const int q = arriving_[link.direction], x = int(link.node - begin);
            if (q < 0 || from[q] < 0) continue;
            arrives[std::size_t(x % shape_.registers) * directions_.size() + q] &=
                std::uint16_t(~(1u << x / shape_.registers));
        }
    }

    void put(int r, std::uint16_t fluid, const std::uint16_t* arrives, List& list) const
    {
        const std::size_t populations = directions_.size();
        if (fluid == 0 && !list.runs.empty()) {
            Run& last = list.runs.back();
            if (last.fluid == 0 && int(last.at + last.count) == r && last.count < 0xffff) {
                ++last.count;
                return;
            }
        }
        const int last = (shape_.size[0] - 1) % shape_.registers;
        const bool end = r == 0 || r == shape_.registers - 1 || (shape_.wrapsApart() && r == last);
        const auto isWhole = [&](std::uint16_t mask) { return mask == whole_; };
        if (!end && isWhole(fluid) && std::all_of(arrives, arrives + populations, isWhole)) return;
        list.runs.push_back({std::uint32_t(r), 1, fluid});
        list.arrives.insert(list.arrives.end(), arrives, arrives + populations);
    }

    const Domain& domain_;
    const RowShape& shape_;
    const std::vector<Int3>& directions_;
    unsigned whole_;
    int arriving_[27] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                         -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}; // over the link along a direction
    std::vector<char> full_;                                                  // by row, y fastest
    std::vector<std::size_t> firstLink_;                                      // likewise, and one more
};

RowMasks::RowMasks(const Domain& domain, const RowShape& shape, const std::vector<Int3>& directions) :
    populations_(directions.size())
{
    const Builder builder(domain, shape, directions);
    plain_ = builder.plain();
    const int lines = shape.lines(), rows = shape.rows();
    std::vector<List> lists(std::size_t(lines) * rows);
    inParallel(lists.size(), [&](std::size_t i) {
        const int l = int(i / rows), r = int(i % rows);
        lists[i] = shape.line == 1 ? builder.row(l, r, plain_) : builder.row(r, l, plain_);
    });
    if (std::all_of(lists.begin(), lists.end(), [](const List& list) { return list.runs.empty(); })) return;
    first_.assign(lists.size() + 1, 0);
    for (std::size_t i = 0; i < lists.size(); ++i) {
        own_.runs.insert(own_.runs.end(), lists[i].runs.begin(), lists[i].runs.end());
        own_.arrives.insert(own_.arrives.end(), lists[i].arrives.begin(), lists[i].arrives.end());
        first_[i + 1] = std::uint32_t(own_.runs.size());
        lists[i] = {};
    }
}

RowMasks::Counts RowMasks::counts(const RowShape& shape) const
{
    Counts all;
    for (std::size_t i = 0; i < std::size_t(shape.lines()) * shape.rows(); ++i) {
        const Row own = row(i);
        for (const Run* run = own.begin; run != own.end; ++run) (run->fluid ? all.masked : all.empty) += run->count;
    }
    return all;
}

} // namespace lbm
