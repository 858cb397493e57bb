// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/ForcedWall.hpp"

#include "lbm/boundary/CurvedWall.hpp"

namespace lbm {

double velocityPerForce(const Domain& domain, const std::vector<LinkValue>& patches, const Link& link)
{
    const CurvedWall wall = curvedWall(domain, patches, link);
    // Between two walls each makes its own error good: what arrives from the other one is then right
    const WallScheme scheme = patches[link.patch].scheme;
    const WallInterpolation shares = wall.across
        ? interpolateWall(scheme == WallScheme::quadratic ? WallScheme::linear : scheme, link.fraction)
        : wall.shares;
    // f*_more lacks twice what f_out and f*_in lack, of f_in = a f*_out + b f_out + d f*_more + (1 - a - b - d) f*_in
    return -(1 - double(shares.reflected) + double(shares.further)) / (2 * shares.moved);
}

} // namespace lbm
