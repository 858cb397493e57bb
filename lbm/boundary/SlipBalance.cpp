// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/SlipBalance.hpp"

#include "lbm/api/SlippingWall.hpp"
#include "lbm/boundary/CurvedWall.hpp"
#include "lbm/physics/LawLink.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {

namespace {

// Planes of symmetry by normals of meshes written with six digits, or turned a little
constexpr double asSymmetric = 0.02;

// Mirror image of a link, from a node so far away
struct Image {
    Int3 shift{0, 0, 0}, direction{0, 0, 0};
    bool any = true;
};

Vec3 vectorOf(const Int3& c) { return {double(c[0]), double(c[1]), double(c[2])}; }

// The part along the wall, in whole nodes: none of (1 0 0) beside a diagonal wall, whose image (0 1 0) is a link of the same node
Image imageOf(const Int3& c, const Vec3& normal)
{
    Image image;
    const double into = law::product(vectorOf(c), normal);
    for (int a = 0; a < 3; ++a) {
        const double along = c[a] - into * normal[a], mirrored = into * normal[a] - along;
        image.direction[a] = int(std::round(mirrored));
        image.shift[a] = int(along + std::copysign(asSymmetric, along));
        if (std::abs(mirrored - image.direction[a]) > asSymmetric) image.any = false;
    }
    return image;
}

// The fluid comes in there, or leaves
bool isOpening(const Link* link, const std::vector<LinkValue>& patches)
{
    if (!link) return false;
    const BoundaryKind kind = patches[std::size_t(link->patch)].kind;
    return kind == BoundaryKind::velocity || kind == BoundaryKind::pressure || kind == BoundaryKind::pressureVelocity
        || kind == BoundaryKind::outflow;
}

std::int64_t partnerOf(std::size_t i, const Domain& domain, const std::vector<LinkValue>& patches,
                       const std::vector<std::size_t>& links, const Vec3& normal)
{
    const Link& link = domain.links[links[i]];
    const Int3 c = directionOf(link.direction);
    const Image image = imageOf(c, normal);
    if (!image.any) return -1;
    if (image.direction == c) return std::int64_t(i);
    const NodeIndex there = domain.neighbour(domain.coordinates(link.node), image.shift);
    if (there < 0 || !domain.fluid[there])
        return isOpening(findLink(domain, link.node, image.shift), patches) ? std::int64_t(i) : -1;
    // Another patch's is balanced there
    const Link* other = findLink(domain, there, image.direction);
    if (!other || other->patch != link.patch) return -1;
    const auto found = std::lower_bound(links.begin(), links.end(), std::size_t(other - domain.links.data()));
    return std::int64_t(found - links.begin());
}

} // namespace

std::vector<std::int64_t> slipPartners(const Domain& domain, const std::vector<LinkValue>& patches,
                                       const std::vector<std::size_t>& links, const std::vector<Vec3>& normals)
{
    std::vector<std::int64_t> partner(links.size());
#pragma omp parallel for schedule(static) if (links.size() > 1000)
    for (std::size_t i = 0; i < links.size(); ++i) partner[i] = partnerOf(i, domain, patches, links, normals[i]);

    // Where the wall bends, one may see an image that sees another
    std::vector<std::int64_t> mutual = partner;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (partner[i] >= 0 && partner[std::size_t(partner[i])] != std::int64_t(i)) mutual[i] = -1;
    return mutual;
}

SlipBalance::SlipBalance(const Domain& domain, const std::vector<LinkValue>& patches,
                         const std::vector<std::size_t>& links, const std::vector<Vec3>& normals,
                         const std::vector<double>& weights) :
    links_(links.size())
{
    const std::vector<std::int64_t> partner = slipPartners(domain, patches, links, normals);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const Link& link = domain.links[links[i]];
        links_[i] = {vectorOf(directionOf(link.direction)), normals[i], 6 * weights[link.direction],
                     slippingShare(domain, patches, link), partner[i]};
        area_ += law::takenBy(links_[i].weight, links_[i].along, normals[i]);
    }
}

NodeGroups SlipBalance::passing(const Solver& solver, const std::vector<LinkValue>& patches,
                                const std::vector<std::size_t>& links)
{
    const Domain& domain = solver.domain();
    const std::vector<Int3> directions = latticeDirections(solver.row().lattice);
    const auto numberOf = [&](const Int3& c) {
        return std::find(directions.begin(), directions.end(), c) - directions.begin();
    };
    NodeGroups groups(NodeSet::Kind::sumsOfPopulations);
    for (const std::size_t i : links) {
        const Link& link = domain.links[i];
        const Int3 c = directionOf(link.direction);
        const double kept = curvedWall(domain, patches, link).shares.kept();
        // The lattice may lack the link
        if (std::size_t(numberOf(c)) < directions.size()) {
            groups.add(link.node, kept, int(numberOf(c)));
            groups.add(link.node, -kept, int(numberOf({-c[0], -c[1], -c[2]})));
        }
        groups.endGroup();
    }
    return groups;
}

double SlipBalance::beyond(const std::vector<double>& passed, const std::vector<Vec3>& velocities,
                           const LinkValue* values) const
{
    double sum = 0;
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const Of& link = links_[i];
        const double taken = passed[i] + link.told * law::takenBy(link.weight, link.along, values[i].velocity)
            - law::takenBy(link.weight, link.along, velocities[i]);
        sum += (1 - link.left) * taken;
    }
    return sum;
}

void SlipBalance::close(const std::vector<Vec3>& velocities, LinkValue* values, double beyond) const
{
    if (!(area_ > 0)) return;
    std::vector<double> taken(links_.size());
    double left = beyond;
    for (std::size_t i = 0; i < taken.size(); ++i) {
        taken[i] = law::takenBy(links_[i].weight, links_[i].along, velocities[i]);
        if (links_[i].partner < 0) left += (1 - links_[i].left) * taken[i];
    }
    for (std::size_t i = 0; i < taken.size(); ++i) {
        const Of& link = links_[i];
        const double own = law::takenByImage(link.weight, link.along, link.normal, velocities[i]);
        const double* image = link.partner < 0 ? nullptr
            : std::size_t(link.partner) == i   ? &own
                                               : &taken[std::size_t(link.partner)];
        values[i].velocity = law::balanced(values[i].velocity, link.weight, link.told, link.along, link.normal,
                                           taken[i], image, left / area_);
    }
}

} // namespace lbm
