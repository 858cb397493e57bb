// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFluidLinks.H"

#include <algorithm>

const std::string Foam::lbmFluidLinks::name("between nodes");


lbm::LinkValue Foam::lbmFluidLinks::kind()
{
    lbm::LinkValue value;
    value.kind = lbm::BoundaryKind::frame;
    return value;
}


void Foam::lbmFluidLinks::place(const lbm::Domain& domain)
{
    constexpr float halfway = 0.5;
    lbm::Domain all(domain);
    patch_ = int(all.patches.size());
    all.patches.push_back(name);
    const auto first = std::ptrdiff_t(all.links.size());
    for (const auto& link : changes_)
    {
        const auto& [node, direction] = link.first;
        all.links.push_back({node, halfway, std::int16_t(patch_), direction});
    }
    std::inplace_merge
    (
        all.links.begin(),
        all.links.begin() + first,
        all.links.end(),
        [](const lbm::Link& a, const lbm::Link& b)
        {
            return a.node != b.node ? a.node < b.node : a.direction < b.direction;
        }
    );
    domain_ = std::make_shared<const lbm::Domain>(std::move(all));
}


std::vector<lbm::LinkValue> Foam::lbmFluidLinks::values
(
    const lbmAxes& axes,
    const lbmUnits& units,
    const scalarField& jumps
) const
{
    std::vector<lbm::LinkValue> result;
    result.reserve(changes_.size());
    for (const auto& link : changes_)
    {
        const change& behind = link.second;
        result.push_back(kind());
        result.back().velocity = units.velocity(axes, behind.velocity);
        if (behind.face < 0) continue;
        result.back().density = units.density
        (
            units.pOffset() + behind.sense*jumps[behind.face]
        );
    }
    return result;
}
