// LinkRuns: where the links of each patch lie in Domain::links, as runs of so many that may hold others, too: whoever asks for the
// links of one patch after another does not look at all of them each time. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <algorithm>

namespace lbm {

class LinkRuns {
public:
    // Of that Domain, which must outlive this and keep its links.
    explicit LinkRuns(const Domain&);

    // visit(number): in Domain::links, of each link of the patch, in their order.
    template<class Visit>
    void each(int patch, Visit&& visit) const
    {
        const std::vector<Link>& links = domain_->links;
        for (const std::size_t run : runs_[std::size_t(patch)])
            for (std::size_t i = run * length; i < std::min((run + 1) * length, links.size()); ++i)
                if (links[i].patch == patch) visit(i);
    }

    // Their numbers.
    std::vector<std::size_t> of(int patch) const;

private:
    static constexpr std::size_t length = 4096;

    const Domain* domain_;
    std::vector<std::vector<std::size_t>> runs_; // by patch
};

} // namespace lbm
