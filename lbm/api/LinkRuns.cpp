// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/LinkRuns.hpp"
#include "lbm/api/inParallel.hpp"

namespace lbm {

LinkRuns::LinkRuns(const Domain& domain) : domain_(&domain), runs_(domain.patches.size())
{
    const std::size_t links = domain.links.size(), runs = (links + length - 1) / length;
    std::vector<std::vector<std::int16_t>> met(runs);
    inParallel(runs, [&](std::size_t run) {
        for (std::size_t i = run * length; i < std::min((run + 1) * length, links); ++i) {
            const std::int16_t patch = domain.links[i].patch;
            if (std::find(met[run].rbegin(), met[run].rend(), patch) == met[run].rend()) met[run].push_back(patch);
        }
    });
    for (std::size_t run = 0; run < runs; ++run)
        for (const std::int16_t patch : met[run]) runs_[std::size_t(patch)].push_back(run);
}

std::vector<std::size_t> LinkRuns::of(int patch) const
{
    std::vector<std::size_t> numbers;
    each(patch, [&](std::size_t number) { numbers.push_back(number); });
    return numbers;
}

} // namespace lbm
