// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/boundary/SlippingWall.hpp"

#include "lbm/api/SlippingWall.hpp"
#include "lbm/boundary/CurvedWall.hpp"

namespace lbm {

SlipShares slipShares(const Domain& domain, const std::vector<LinkValue>& patches, const Link& link)
{
    const CurvedWall wall = curvedWall(domain, patches, link);
    return {1 / (2 * double(wall.shares.reflected)), wall.shares.moved, wall.across != nullptr};
}

Vec3 slippingWall(const Domain& domain, const std::vector<LinkValue>& patches, const Link& link, const Vec3& atWall,
                  const Vec3& gain)
{
    const Int3 c = directionOf(link.direction);
    return law::slippingVelocity(slipShares(domain, patches, link), {double(c[0]), double(c[1]), double(c[2])},
                                 link.fraction, atWall, gain);
}

double slippingShare(const Domain& domain, const std::vector<LinkValue>& patches, const Link& link)
{
    return curvedWall(domain, patches, link).shares.moved;
}

} // namespace lbm
