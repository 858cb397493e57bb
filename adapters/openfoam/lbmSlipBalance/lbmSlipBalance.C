// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSlipBalance.H"
#include "ListOps.H"
#include "lbm/api/SlippingWall.hpp"

#include <cmath>

namespace
{

// Planes of symmetry by normals of meshes written with six digits, or turned a little
const Foam::scalar asSymmetric = 0.02;

Foam::scalar lengthAlong(const lbm::Int3& c, const lbm::Vec3& v)
{
    return c[0]*v[0] + c[1]*v[1] + c[2]*v[2];
}

} // End anonymous namespace


// The part along the wall, in whole nodes: none of (1 0 0) beside a diagonal wall,
// whose image (0 1 0) is a link of the same node
Foam::lbmSlipBalance::image Foam::lbmSlipBalance::imageOf
(
    const lbm::Int3& c,
    const lbm::Vec3& normal
)
{
    image result{{0, 0, 0}, {0, 0, 0}, true};
    const scalar into = lengthAlong(c, normal);
    for (direction a = 0; a < 3; ++a)
    {
        const scalar along = c[a] - into*normal[a];
        const scalar mirrored = into*normal[a] - along;
        result.direction[a] = int(std::round(mirrored));
        result.shift[a] = int(along + std::copysign(asSymmetric, along));
        if (mag(mirrored - result.direction[a]) > asSymmetric) result.any = false;
    }
    return result;
}


Foam::label Foam::lbmSlipBalance::partnerOf
(
    const label i,
    const labelList& links,
    const lbm::Domain& domain
) const
{
    const lbm::Link& link = domain.links[links[i]];
    const image mirrored = imageOf(directions_[i], normals_[i]);
    if (!mirrored.any) return -1;
    if (mirrored.direction == directions_[i]) return i;
    const lbm::NodeIndex there = domain.neighbour
    (
        domain.coordinates(link.node), mirrored.shift
    );
    if (there < 0 || !domain.fluid[there]) return -1;
    // Another patch's is balanced there
    const lbm::Link* other =
        lbm::findLink(domain, there, mirrored.direction);
    if (!other || other->patch != link.patch) return -1;
    return findSortedIndex(links, label(other - domain.links.data()));
}


Foam::lbmSlipBalance::lbmSlipBalance
(
    const lbm::Domain& domain,
    const std::vector<lbm::LinkValue>& patches,
    const labelList& links,
    const std::vector<lbm::Vec3>& normals,
    const FixedList<scalar, 27>& weights
)
:
    directions_(links.size()),
    normals_(normals),
    weights_(links.size()),
    told_(links.size()),
    partner_(links.size())
{
    forAll(links, i)
    {
        const lbm::Link& link = domain.links[links[i]];
        weights_[i] = 6*weights[link.direction];
        told_[i] = lbm::slippingShare(domain, patches, link);
        directions_[i] = lbm::directionOf(link.direction);
        partner_[i] = partnerOf(i, links, domain);
        area_ += along(i, normals_[i]);
    }

    // Where the wall bends, one may see an image that sees another
    forAll(partner_, i)
    {
        const label other = partner_[i];
        if (other >= 0 && partner_[other] != i) partner_[i] = -1;
    }
}


Foam::scalar Foam::lbmSlipBalance::along(const label i, const lbm::Vec3& v) const
{
    return weights_[i]*lengthAlong(directions_[i], v);
}


void Foam::lbmSlipBalance::close
(
    const std::vector<lbm::Vec3>& velocities,
    lbm::UnsetVector<lbm::LinkValue>& values
) const
{
    if (!(area_ > 0)) return;
    scalarField taken(partner_.size());
    scalar left = 0;
    forAll(taken, i)
    {
        taken[i] = along(i, velocities[i]);
        if (partner_[i] < 0) left += taken[i];
    }
    forAll(taken, i)
    {
        const lbm::Int3& c = directions_[i];
        const label other = partner_[i];
        const bool pair = other >= 0 && other != i;
        const scalar squared = c[0]*c[0] + c[1]*c[1] + c[2]*c[2];
        const scalar off = pair
          ? 0.5*(taken[i] + taken[other])/(weights_[i]*squared) : 0;
        for (direction a = 0; a < 3; ++a)
        {
            values[i].velocity[a] -=
                (off*c[a] + left/area_*normals_[i][a])/told_[i];
        }
    }
}
