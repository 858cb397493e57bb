// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/SlippingWall.hpp"

#include "lbm/boundary/CurvedWall.hpp"
#include "lbm/boundary/dot.hpp"

namespace lbm {
namespace {

// Q/(6 w)
double carried(const Vec3& c, const Vec3& u)
{
    const double cu = dot(c, u);
    return 0.75 * cu * cu - 0.25 * dot(u, u);
}

Vec3 sum(const Vec3& a, double share, const Vec3& b)
{
    return {a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]};
}

} // namespace

Vec3 slippingWall(const Domain& domain, const std::vector<LinkValue>& patches, const Link& link, const Vec3& atWall,
                  const Vec3& gain)
{
    const CurvedWall wall = curvedWall(domain, patches, link);
    if (wall.across) return atWall;
    const Int3 code = directionOf(link.direction);
    const Vec3 c{double(code[0]), double(code[1]), double(code[2])};
    const double s = link.fraction, place = 1 / (2 * double(wall.shares.reflected));
    const double missing = carried(c, sum(atWall, s - 1, gain)) - carried(c, sum(atWall, s, gain));
    return sum(sum(atWall, s - place, gain), -missing / (wall.shares.moved * dot(c, c)), c);
}

double slippingShare(const Domain& domain, const std::vector<LinkValue>& patches, const Link& link)
{
    return curvedWall(domain, patches, link).shares.moved;
}

} // namespace lbm
