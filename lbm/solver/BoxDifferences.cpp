// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/BoxDifferences.hpp"

#include <algorithm>

namespace lbm {

namespace {

// A coordinate within the box of the Domain, around periodic axes; -1: none.
int within(const Domain& domain, int a, int x)
{
    const int n = domain.size[std::size_t(a)];
    if (x >= 0 && x < n) return x;
    return a < domain.dimensions && domain.periodic[std::size_t(a)] ? (x + n) % n : -1;
}

} // namespace

void BoxDifferences::findFluid(const Domain& domain)
{
    const std::size_t across = std::size_t(box.size[1] + 2), rows = across * std::size_t(box.size[2] + 2),
                      words = std::size_t(DifferencesView::wordsOfRow(box.size[0] + 2));
    fluid.assign(rows * words, 0);
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < rows; ++row) {
        const int y = within(domain, 1, box.low[1] - 1 + int(row % across)),
                  z = within(domain, 2, box.low[2] - 1 + int(row / across));
        if (y < 0 || z < 0) continue;
        const auto set = [&](int i) { fluid[row * words + std::size_t(i / 32)] |= std::uint32_t(1) << i % 32; };
        domain.fluid.forEachIn(domain.index(box.low[0], y, z), box.size[0], [&](std::int64_t x) { set(int(x) + 1); });
        for (const int i : {0, box.size[0] + 1}) {
            const int x = within(domain, 0, box.low[0] - 1 + i);
            if (x >= 0 && domain.fluid[domain.index(x, y, z)]) set(i);
        }
    }
}

std::vector<std::uint32_t> BoxDifferences::bitsOf(const Domain& domain, const BitSet& all) const
{
    const std::size_t rows = std::size_t(box.size[1]) * std::size_t(box.size[2]),
                      words = std::size_t(DifferencesView::wordsOfRow(box.size[0]));
    std::vector<std::uint32_t> own(rows * words, 0);
#pragma omp parallel for schedule(static)
    for (std::size_t row = 0; row < rows; ++row)
        all.forEachIn(firstOfRow(domain, box, row), box.size[0],
                      [&](std::int64_t x) { own[row * words + std::size_t(x / 32)] |= std::uint32_t(1) << x % 32; });
    return own;
}

std::size_t BoxDifferences::firstLink(const Domain& domain, std::size_t row) const
{
    const auto found = std::lower_bound(domain.links.begin(), domain.links.end(), firstOfRow(domain, box, row),
                                        [](const Link& link, NodeIndex node) { return link.node < node; });
    return std::size_t(found - domain.links.begin());
}

} // namespace lbm
