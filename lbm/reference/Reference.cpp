// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Reference.hpp"

#include "lbm/reference/Walls.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace lbm::reference {

namespace {

template<class V>
double lengthOf(const V& v)
{
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// The opening is across a direction of the lattice, but for rounding of float.
bool alongLattice(const Donor& donor)
{
    const Int3& in = donor.inward;
    const double length = std::sqrt(double(in[0] * in[0] + in[1] * in[1] + in[2] * in[2]));
    return length > 0 && dot(donor.outward, {double(in[0]), double(in[1]), double(in[2])}) <= -(1 - 1e-6) * length;
}

} // namespace

Reference::Reference(const Domain& domain, const Config& config) :
    domain_(domain),
    lattice_(latticeData(config.lattice)),
    equilibrium_(equilibriumNamed(config.equilibrium)),
    collision_(collisionNamed(config.collision)),
    closure_{config.closure, config.coefficients, config.tau},
    magic_(config.magic),
    sigma_(config.sigma),
    taus_(std::size_t(domain.nodes()), config.tau),
    forces_(std::size_t(domain.nodes()), config.force),
    neighbours_(domain),
    patches_(config.patches),
    donors_(donorsOf(domain, neighbours_, config.patches)),
    sentRound_(sentRoundEdges(domain, neighbours_, config.patches)),
    means_(domain.links.size(), std::nan("")),
    wholeNodes_(wholeNodes(domain, neighbours_, config.patches, lattice_.c))
{
    for (const Link& link : domain.links) linkValues_.push_back(config.patches.at(link.patch));
    images_.resize(domain.links.size());
    for (int record = 0; record < int(domain.links.size()); ++record)
        if (isPlane(linkValues_[record].kind)) lookIntoMirror(record);
    f_.resize(std::size_t(domain.nodes()) * lattice_.size());
    for (NodeIndex node = 0; node < domain.nodes(); ++node)
        for (int q = 0; q < lattice_.size(); ++q) f_[at(node, q)] = lattice_.w[q];
}

Populations Reference::populations(NodeIndex node) const
{
    return Populations(f_.begin() + at(node, 0), f_.begin() + at(node, 0) + lattice_.size());
}

State Reference::state(NodeIndex node) const { return known(populations(node), forces_[std::size_t(node)]); }

Closure Reference::closureAt(NodeIndex node) const
{
    return {closure_.name, closure_.coefficients, taus_[std::size_t(node)]};
}

Vector Reference::stored(NodeIndex node) const
{
    return stateOf(lattice_, equilibrium_, populations(node), {0, 0, 0}).velocity;
}

// Of what nodes around hold before the step: central differences, one-sided next to a link to something else.
Reference::Gradient Reference::gradientAt(NodeIndex node) const
{
    const Vector here = stored(node);
    Gradient gradient{};
    for (int a = 0; a < domain_.dimensions; ++a) {
        Int3 c{0, 0, 0};
        double sides = 0;
        for (const int side : {-1, 1}) {
            c[a] = side;
            const NodeIndex there = neighbours_.openAt(node, c);
            if (there < 0) continue;
            const Vector beyond = stored(there);
            for (int b = 0; b < 3; ++b) gradient.of[a][b] += side * (beyond[b] - here[b]);
            sides += 1;
        }
        for (int b = 0; b < 3 && sides > 0; ++b) gradient.of[a][b] /= sides;
    }
    return gradient;
}

int Reference::direction(const Int3& c) const
{
    for (int q = 0; q < lattice_.size(); ++q)
        if (lattice_.c[q][0] == c[0] && lattice_.c[q][1] == c[1] && lattice_.c[q][2] == c[2]) return q;
    return -1;
}

// The direction that a mirror with this normal turns into q, -1 if it is none of the lattice's.
int Reference::mirrored(int q, const Vec3& n) const
{
    const auto& c = lattice_.c[q];
    const double length = c[0] * n[0] + c[1] * n[1] + c[2] * n[2];
    Int3 image;
    for (int a = 0; a < 3; ++a) {
        const double v = c[a] - 2 * length * n[a];
        image[a] = int(std::lround(v));
        if (std::abs(v - image[a]) > 1e-4) return -1;
    }
    return direction(image);
}

// Kinds that need nothing but the node. q comes in along the link that leaves in the opposite direction.
double Reference::reflected(NodeIndex node, int q, const LinkValue& value, int record, int memory)
{
    const int out = lattice_.opposite[q];
    const State here = state(node);
    const double inertia = equilibrium_ == Equilibrium::incompressible ? 1 : here.density;
    Vector wall{0, 0, 0};
    if (value.kind == BoundaryKind::movingWall || value.kind == BoundaryKind::velocity) {
        wall = value.velocity;
        if (value.kind == BoundaryKind::velocity && value.recovery > 0) {
            const Vec3& n = donors_[record].outward;
            const auto along = [&n](const Vector& u) { return n[0] * u[0] + n[1] * u[1] + n[2] * u[2]; };
            const double v = velocityOfDensity(here.density, along(wall)),
                         density = here.density - 1 + (along(here.velocity) - along(wall)) / (2 * v),
                         wave = 2.0 / 3 * v * deviation(density, 2.0 / 3 * value.recovery, memory);
            for (int a = 0; a < 3; ++a) wall[a] += wave * n[a];
        }
    }
    if (isPlane(value.kind)) {
        const Vec3& n = value.velocity;
        const double normal = here.velocity[0] * n[0] + here.velocity[1] * n[1] + here.velocity[2] * n[2];
        for (int a = 0; a < 3; ++a) wall[a] = here.velocity[a] - normal * n[a];
    }
    double speed = 0;
    for (int a = 0; a < 3; ++a) speed += lattice_.c[out][a] * wall[a];
    const double given = value.kind == BoundaryKind::shear ? value.density - 1 : 0;
    const double turned = f_[at(node, out)] - 6 * lattice_.w[out] * inertia * speed + given;
    return value.kind == BoundaryKind::velocity ? turned - leaving(node, out, value, wall, record, memory) : turned;
}

// Where the stream leaves with a given velocity: what of the stress beyond equilibrium is not turned round, a share of what it
// differs by from what the velocities of node and opening make of it. lbm/boundary/Leaving.hpp.
double Reference::leaving(NodeIndex node, int out, const LinkValue& value, const Vector& imposed, int record,
                          int memory)
{
    const Vec3& n = donors_[record].outward;
    const double share = std::clamp(6 * dot(n, value.velocity) - 4 * (taus_[std::size_t(node)] - 0.5), 0.0, 1.0);
    if (dot(n, value.velocity) <= 0 || share == 0) return 0;
    const State here = state(node);
    const double inertia = equilibrium_ == Equilibrium::incompressible ? 1 : here.density;
    double strain = 0; // c c, less a third of its trace, with n and the difference of velocities
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            strain += (lattice_.c[out][a] * lattice_.c[out][b] - (a == b ? 1.0 / 3 : 0)) * n[a]
                * (here.velocity[b] - imposed[b]);
    const double stress =
        f_[at(node, out)] - equilibrium(lattice_, equilibrium_, out, here) + 3 * lattice_.w[out] * inertia * strain;
    return share * (value.recovery > 0 ? stress : deviation(stress, 0.1, memory));
}

// What differs from the running mean of a link that lets sound out.
double Reference::deviation(double value, double recovery, int record)
{
    double& mean = means_[record];
    if (std::isnan(mean)) mean = value;
    const double difference = value - mean;
    mean += recovery * difference;
    return difference;
}

// Velocity over density in a sound wave that leaves with the stream `outflow`.
double Reference::velocityOfDensity(double density, double outflow) const
{
    if (equilibrium_ == Equilibrium::incompressible) return outflow + std::sqrt(outflow * outflow + 1.0 / 3);
    return 1 / (std::sqrt(3.0) * density);
}

Populations Reference::mixed(const std::vector<Share>& shares) const
{
    Populations f(lattice_.size(), 0.0);
    for (const Share& share : shares)
        for (int q = 0; q < lattice_.size(); ++q) f[q] += share.weight * f_[at(share.node, q)];
    return f;
}

State Reference::known(const Populations& f, const Vec3& force) const
{
    return stateOf(lattice_, equilibrium_, f, {-force[0] / 2, -force[1] / 2, -force[2] / 2});
}

// Between nodes, as populations are.
Vec3 Reference::forceAt(const std::vector<Share>& shares) const
{
    Vec3 force{0, 0, 0};
    for (const Share& share : shares)
        for (int a = 0; a < 3; ++a) force[a] += share.weight * forces_[std::size_t(share.node)][a];
    return force;
}

// Where nodes do not tell, the mirror may show another patch.
void Reference::lookIntoMirror(int record)
{
    const Link& link = domain_.links[record];
    Donor& donor = donors_[record];
    donor.beyond.clear(); // no mirror shows that
    if (isMirror(link, donor.outward, donor.inward)) return;
    images_[record] = imagesOf(domain_, neighbours_, record, donor.outward);
    Int3 shown = directionOf(link.direction);
    for (int a = 0; a < 3; ++a) shown[a] += donor.inward[a];
    const int other = neighbours_.recordAt(link.node, shown);
    if (!images_[record].empty() || other < 0 || domain_.links[other].patch == link.patch) return;
    donor.corner = other;
    donor.flow.clear();
}

// A plane across an axis is that, whatever normal the link was given.
Vec3 Reference::slipNormal(int record) const
{
    const Donor& donor = donors_[record];
    int axes = 0;
    double off = 0;
    for (int a = 0; a < 3; ++a) {
        axes += std::abs(donor.inward[a]);
        off = std::max(off, std::abs(donor.outward[a] + donor.inward[a]));
    }
    return axes == 1 && off < 1e-4 ? donor.outward : linkValues_[record].velocity;
}

// Behind a plane of symmetry: what a mirror sends, where it lies along the lattice between ghost and donor.
double Reference::mirroredFlow(NodeIndex node, int q, const LinkValue& value, int record, bool corner,
                               const Populations& flow)
{
    const auto& c = lattice_.c[q];
    const Vec3 n = slipNormal(record);
    const double length = c[0] * n[0] + c[1] * n[1] + c[2] * n[2];
    bool between = true;
    for (int a = 0; a < 3; ++a) between = between && std::abs(length * n[a] - donors_[record].inward[a]) < 1e-4;
    double cosine = 0; // a patch that goes round an edge has other planes there than the one fitted
    for (int a = 0; a < 3; ++a) cosine += value.velocity[a] * donors_[record].outward[a];
    const double given = value.kind == BoundaryKind::shear ? value.density - 1 : 0;
    if (!corner && !images_[record].empty() && cosine >= 0.98)
        return behindPlane(q, value.velocity, images_[record]) + given;
    if (!images_[record].empty() && cosine < 0.98) return reflected(node, q, value, record, record);
    const int image = between ? mirrored(q, n) : -1;
    return image >= 0 ? flow[image] + given : reflected(node, q, value, record, record);
}

// Normal momentum and shear stress of the ghost are the odd functions', all else is the even ones'. Populations change with
// momentum and stress as their equilibrium does in first order.
double Reference::behindPlane(int q, const Vec3& n, const std::vector<Image>& images) const
{
    const auto dot = [](const auto& a, const auto& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    Populations even(lattice_.size(), 0.0), odd = even;
    Vec3 force{0, 0, 0}; // by how much it is to change
    for (const Image& image : images) {
        for (int p = 0; p < lattice_.size(); ++p) {
            even[p] += image.even * f_[at(image.node, p)];
            odd[p] += image.odd * population(image.node, p);
        }
        for (int a = 0; a < 3; ++a) force[a] += (image.even - image.odd) * forces_[std::size_t(image.node)][a];
    }
    Vector momentum{0, 0, 0}, onPlane{0, 0, 0}; // by how much they are to change, the latter times n
    for (int p = 0; p < lattice_.size(); ++p) {
        const double change = odd[p] - (even[p] - lattice_.w[p]);
        const auto& c = lattice_.c[p];
        for (int a = 0; a < 3; ++a) {
            momentum[a] += change * c[a];
            onPlane[a] += change * c[a] * dot(c, n);
        }
    }
    // Of the force half is in the momentum, but not in the velocity, which is what is odd
    for (int a = 0; a < 3; ++a) momentum[a] += force[a] / 2;
    const double pressure = dot(onPlane, n);
    for (int a = 0; a < 3; ++a) onPlane[a] -= pressure * n[a];
    const auto& c = lattice_.c[q];
    return even[q] + lattice_.w[q] * dot(c, n) * (3 * dot(momentum, n) + 9 * dot(c, onPlane));
}

// The state behind an opening with a pressure whose donor's is `there`. record: of the link that remembers.
State Reference::behindPressure(const State& there, const LinkValue& value, const Donor& donor, int record)
{
    State ghost = there;
    double imposed = value.density;
    if (value.kind == BoundaryKind::pressure && value.recovery > 0) {
        double speed = 0;
        for (int a = 0; a < 3; ++a) speed += donor.outward[a] * there.velocity[a];
        const double wave = deviation(speed, value.recovery, record);
        imposed += wave / velocityOfDensity(there.density, means_[record]);
    }
    ghost.density = there.density + donor.reach * (imposed - there.density);
    for (int a = 0; a < 3; ++a) {
        const double stays = value.kind == BoundaryKind::pressure ? 0 : there.velocity[a];
        ghost.velocity[a] = there.velocity[a] + donor.reach * (value.velocity[a] - stays);
    }
    return ghost;
}

// Kinds whose flow goes on as at the donor. corner: it should, but lies behind another patch, and the node stands in.
double Reference::carriedOn(NodeIndex node, int q, const LinkValue& value, int record, bool corner)
{
    const Donor& donor = donors_[record];
    const Populations flow = corner ? populations(node) : mixed(donor.flow);
    if (isPlane(value.kind)) return mirroredFlow(node, q, value, record, corner, flow);
    const State there = known(flow, corner ? forces_[std::size_t(node)] : forceAt(donor.flow));
    State ghost = there;
    if (value.kind == BoundaryKind::outflow) {
        if (corner || donor.beyond.empty()) return flow[q];
        ghost.density = 2 * there.density - known(mixed(donor.beyond), forceAt(donor.beyond)).density;
    } else ghost = behindPressure(there, value, donor, record);
    return flow[q] + equilibrium(lattice_, equilibrium_, q, ghost) - equilibrium(lattice_, equilibrium_, q, there);
}

// What a moving wall adds to a population that it turns round to q.
double Reference::turned(int q, int record) const
{
    double speed = 0;
    for (int a = 0; a < 3; ++a) speed += lattice_.c[q][a] * linkValues_[record].velocity[a];
    return 6 * lattice_.w[q] * speed;
}

// From the populations at hand, so that the wall lies where the link says. A quadratic one takes its further population
// where no patch lies on the way there.
double Reference::interpolated(NodeIndex node, int q, int record, const Populations& arrived) const
{
    const int out = lattice_.opposite[q], across = neighbours_.recordAt(node, lattice_.c[q]);
    if (across >= 0 && linkValues_[across].kind == BoundaryKind::interpolatedWall)
        return betweenWalls(node, q, record, across);

    const Link& link = domain_.links[record];
    NodeIndex further = neighbours_.openAt(node, lattice_.c[q]);
    if (nearWall(link.fraction) && further >= 0) further = neighbours_.openAt(further, lattice_.c[q]);
    WallScheme scheme = patches_[link.patch].scheme;
    if (scheme == WallScheme::quadratic && further < 0) scheme = WallScheme::linear;
    const WallShares shares = wallShares(scheme, link.fraction);
    double value =
        shares.sent * population(node, out) + shares.away * population(node, q) + shares.turned * turned(q, record);
    if (shares.arriving != 0) value += shares.arriving * (arrived[out] - lattice_.w[out]);
    if (shares.further != 0) value += shares.further * population(further, nearWall(link.fraction) ? out : q);
    return lattice_.w[q] + value;
}

double Reference::betweenWalls(NodeIndex node, int q, int record, int across) const
{
    const auto sharesOf = [&](int r) {
        const WallScheme scheme = patches_[domain_.links[r].patch].scheme;
        return wallShares(scheme == WallScheme::quadratic ? WallScheme::linear : scheme, domain_.links[r].fraction);
    };
    const int out = lattice_.opposite[q];
    const GapShares shares = gapShares(sharesOf(record), sharesOf(across));
    return lattice_.w[q] + shares.sent * population(node, out) + shares.away * population(node, q)
        + shares.turned * turned(q, record) + shares.turnedAcross * turned(out, across);
}

// A plane shows an opening with a pressure: the node stands in for what lies behind that, in the mirror's direction.
double Reference::openingInMirror(NodeIndex node, int q, int record, int corner)
{
    const LinkValue& value = linkValues_[record];
    const int image = mirrored(q, slipNormal(record));
    if (image < 0) return reflected(node, q, value, record, record);
    const State here = state(node), ghost = behindPressure(here, linkValues_[corner], donors_[corner], record);
    return f_[at(node, image)] + equilibrium(lattice_, equilibrium_, image, ghost)
        - equilibrium(lattice_, equilibrium_, image, here)
        + (value.kind == BoundaryKind::shear ? value.density - 1 : 0);
}

// Frames that move past each other: the population from the other end, moved to this node's frame where the velocity is the
// mean of both nodes', and what density is higher here by.
double Reference::acrossFrames(NodeIndex node, int q, const LinkValue& value) const
{
    const auto& c = lattice_.c[q];
    const NodeIndex source = neighbours_.fluidAt(node, {-c[0], -c[1], -c[2]});
    if (source < 0) return f_[at(node, lattice_.opposite[q])];
    const State here = state(node), there = state(source);
    State seen, moved;
    seen.density = moved.density = (here.density + there.density) / 2;
    for (int a = 0; a < 3; ++a) {
        seen.velocity[a] = (here.velocity[a] + there.velocity[a] + value.velocity[a]) / 2;
        moved.velocity[a] = (here.velocity[a] + there.velocity[a] - value.velocity[a]) / 2;
    }
    return f_[at(source, q)] + lattice_.w[q] * (value.density - 1) + equilibrium(lattice_, equilibrium_, q, seen)
        - equilibrium(lattice_, equilibrium_, q, moved);
}

// Of a patch that repeats by turns: the node behind the patch is turned, once or as often as it takes to come upon fluid.
double Reference::turnedIn(NodeIndex node, int q, int patch) const
{
    for (const Turn& turn : domain_.turns) {
        if (turn.patch != patch) continue;
        const int b = (turn.axis + 1) % 3, c = (turn.axis + 2) % 3;
        const Int3 x = domain_.coordinates(node);
        Vec3 from{0, 0, 0}, along{0, 0, 0}; // of the ghost, from the axis; of what it sends here
        for (int a = 0; a < 3; ++a) {
            along[a] = lattice_.c[q][a];
            from[a] = x[a] - along[a] - 0.5 * turn.twiceCentre[a];
        }
        const double angle = turn.quarters * std::acos(0.0), cosine = std::cos(angle), sine = std::sin(angle);
        for (int time = 1; time < 4; ++time) {
            for (Vec3* v : {&from, &along}) {
                const Vec3 before = *v;
                (*v)[b] = cosine * before[b] - sine * before[c];
                (*v)[c] = sine * before[b] + cosine * before[c];
            }
            Int3 image, sent;
            bool inside = true;
            for (int a = 0; a < 3; ++a) {
                image[a] = int(std::lround(from[a] + 0.5 * turn.twiceCentre[a]));
                sent[a] = int(std::lround(along[a]));
                if (domain_.periodic[a]) image[a] = (image[a] + domain_.size[a]) % domain_.size[a];
                inside = inside && image[a] >= 0 && image[a] < domain_.size[a];
            }
            if (!inside) continue;
            const NodeIndex there = domain_.index(image[0], image[1], image[2]);
            if (!domain_.fluid[there]) continue;
            // Who sends it has a link through such a patch, too, unless a wall is in between
            const int back = neighbours_.recordAt(there, sent);
            const bool open = back >= 0 && linkValues_[back].kind == BoundaryKind::turn;
            return open ? f_[at(there, direction(sent))] : f_[at(node, lattice_.opposite[q])];
        }
    }
    return f_[at(node, lattice_.opposite[q])];
}

// Between an interpolated wall and the node, half a link from it: on the straight line, for a wall that is a quarter of a link
// away or more. Past walls that slip the fluid moves as they are told.
Vec3 Reference::halfWay(NodeIndex node, int wall) const
{
    const Link& link = domain_.links[wall];
    Vec3 velocity = linkValues_[wall].velocity;
    if (patches_[link.patch].scheme == WallScheme::slipping) return velocity;
    const Vector here = state(node).velocity;
    const double gone = 0.5 / std::max(double(link.fraction), 0.25); // from the node to the wall
    for (int a = 0; a < 3; ++a) velocity[a] = gone * velocity[a] + (1 - gone) * here[a];
    return velocity;
}

double Reference::completed(NodeIndex node, int q, int record)
{
    const LinkValue& value = linkValues_[record];
    if (value.kind == BoundaryKind::turn) return turnedIn(node, q, domain_.links[record].patch);
    if (value.kind == BoundaryKind::frame) return acrossFrames(node, q, value);
    const auto opening = [](const LinkValue& v) {
        return v.kind == BoundaryKind::pressure || v.kind == BoundaryKind::pressureVelocity
            || v.kind == BoundaryKind::outflow;
    };
    if (!opening(value) && !isPlane(value.kind)) return reflected(node, q, value, record, record);

    if (isPlane(value.kind) && !sentRound_[record].empty()) {
        double sum = 0;
        for (const auto& [from, c] : sentRound_[record]) sum += f_[at(from, direction(c))] / 2;
        return value.kind == BoundaryKind::shear ? sum + value.density - 1 : sum;
    }
    if (!donors_[record].flow.empty()) return carriedOn(node, q, value, record, false);
    const int corner = donors_[record].corner;
    if (corner < 0) return f_[at(node, lattice_.opposite[q])];

    LinkValue other = linkValues_[corner];
    if (isPlane(value.kind) && (other.kind == BoundaryKind::pressure || other.kind == BoundaryKind::pressureVelocity))
        return openingInMirror(node, q, record, corner);
    if (opening(other)) return carriedOn(node, q, value, record, true);
    int image = isPlane(other.kind) ? mirrored(q, slipNormal(corner)) : -1;
    const int third = donors_[corner].flow.empty() ? donors_[corner].corner : -1;
    if (image >= 0 && third >= 0 && isPlane(linkValues_[third].kind)) image = mirrored(image, slipNormal(third));
    if (image >= 0) return carriedOn(node, image, value, record, true);
    if (other.kind == BoundaryKind::interpolatedWall) {
        other.kind = BoundaryKind::movingWall;
        if (opening(value) && alongLattice(donors_[record])) other.velocity = halfWay(node, corner);
    }
    other.recovery = 0;
    if (isPlane(value.kind) && (other.kind == BoundaryKind::movingWall || other.kind == BoundaryKind::velocity)) {
        // The wall's image comes towards it
        const Vec3 n = slipNormal(record);
        const double across = other.velocity[0] * n[0] + other.velocity[1] * n[1] + other.velocity[2] * n[2];
        for (int a = 0; a < 3; ++a) other.velocity[a] -= across * n[a];
    }
    return reflected(node, q, other, corner, record);
}

// Every population once, for openings may remember; interpolated walls last, for they see what arrives.
Populations Reference::incoming(NodeIndex node)
{
    Populations f(lattice_.size());
    std::vector<int> curved;
    for (int q = 0; q < lattice_.size(); ++q) {
        const Int3 back{-lattice_.c[q][0], -lattice_.c[q][1], -lattice_.c[q][2]};
        const int record = neighbours_.recordAt(node, back);
        const NodeIndex source = neighbours_.openAt(node, back);
        if (source >= 0) f[q] = f_[at(source, q)];
        else if (record < 0) f[q] = f_[at(node, lattice_.opposite[q])];
        else if (linkValues_[record].kind != BoundaryKind::interpolatedWall) f[q] = completed(node, q, record);
        else curved.push_back(q);
    }
    Populations all = f;
    for (int q : curved) {
        const Int3 back{-lattice_.c[q][0], -lattice_.c[q][1], -lattice_.c[q][2]};
        all[q] = interpolated(node, q, neighbours_.recordAt(node, back), f);
    }
    if (!wholeNodes_[node].through.empty()) impose(node, all);
    return all;
}

Reference::Side Reference::sideOf(NodeIndex node, const Int3& c) const
{
    constexpr double halfway = 0.5;
    const int record = neighbours_.recordAt(node, c);
    if (record < 0) {
        const NodeIndex there = neighbours_.fluidAt(node, c);
        return there >= 0 ? Side{1, state(there).velocity} : Side{halfway, {0, 0, 0}};
    }
    const Link& link = domain_.links[record];
    if (patches_[link.patch].kind == BoundaryKind::wall) return {halfway, {0, 0, 0}};
    if (patches_[link.patch].kind == BoundaryKind::interpolatedWall) return {link.fraction, {0, 0, 0}};
    const LinkValue& value = linkValues_[record];
    const bool tells = value.kind == BoundaryKind::velocity || value.kind == BoundaryKind::pressureVelocity
        || value.kind == BoundaryKind::movingWall;
    return {tells ? link.fraction : 0.0, value.velocity};
}

// A node at an opening takes on its whole state (Latt et al. 2008).
void Reference::impose(NodeIndex node, Populations& f) const
{
    const WholeNode& whole = wholeNodes_[node];
    const Vec3& force = forces_[std::size_t(node)];
    const BoundaryKind kind = linkValues_[whole.through[0]].kind;
    const bool density = kind == BoundaryKind::pressure || kind == BoundaryKind::pressureVelocity,
               velocity = kind == BoundaryKind::velocity || kind == BoundaryKind::pressureVelocity;
    if (!density && !velocity) return;

    const bool incompressible = equilibrium_ == Equilibrium::incompressible;
    const double links = double(whole.through.size());
    State s{0, {0, 0, 0}};
    for (int record : whole.through) {
        const Int3 c = directionOf(domain_.links[record].direction);
        const NodeIndex inside = neighbours_.openAt(node, {-c[0], -c[1], -c[2]});
        const State behind = state(inside < 0 ? node : inside);
        const LinkValue& value = linkValues_[record];
        const double distance = domain_.links[record].fraction, share = inside < 0 ? 0 : distance / (1 + distance);
        s.density += (density ? (1 - share) * value.density + share * behind.density : behind.density) / links;
        for (int a = 0; a < 3; ++a)
            s.velocity[a] +=
                (velocity ? (1 - share) * value.velocity[a] + share * behind.velocity[a] : behind.velocity[a]) / links;
    }
    int axis = -1;
    for (int a = 0; a < 3; ++a)
        if (whole.straight[a] != 0) axis = a;
    const int sign = axis < 0 ? 0 : whole.straight[axis];
    double sum = 0, flat[3] = {0, 0, 0}, outwards = 0, within = 0;
    for (int q = 0; q < lattice_.size(); ++q) {
        sum += f[q];
        for (int a = 0; a < 3; ++a) flat[a] += lattice_.c[q][a] * f[q];
        if (axis < 0) continue;
        if (lattice_.c[q][axis] == sign) outwards += f[q];
        if (lattice_.c[q][axis] == 0) within += f[q];
    }
    if (axis < 0) {
        if (!density) s.density = sum;
        for (int a = 0; a < 3 && !velocity; ++a)
            s.velocity[a] = (flat[a] + force[a] / 2) / (incompressible ? 1 : s.density);
    } else {
        const double known = within + 2 * outwards + sign * force[axis] / 2, out = sign * s.velocity[axis];
        if (!density) s.density = incompressible ? known - out : known / (1 + out);
        if (!velocity) s.velocity[axis] = sign * (incompressible ? known - s.density : known / s.density - 1);
    }

    double gradient[3][3] = {};
    for (int a = 0; a < domain_.dimensions; ++a) {
        Int3 c{0, 0, 0};
        c[a] = 1;
        const Side high = sideOf(node, c);
        c[a] = -1;
        const Side low = sideOf(node, c);
        const double up = high.distance, down = low.distance;
        for (int b = 0; b < 3; ++b) {
            const double here = s.velocity[b];
            const double rise = high.velocity[b] - here, fall = here - low.velocity[b];
            if (down > 0 && up > 0) gradient[a][b] = (down * down * rise + up * up * fall) / (down * up * (down + up));
            else if (down > 0) gradient[a][b] = fall / down;
            else if (up > 0) gradient[a][b] = rise / up;
        }
    }
    double square = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) square += (gradient[a][b] + gradient[b][a]) * (gradient[a][b] + gradient[b][a]) / 2;
    const double tau = tauOfShearRate(closureAt(node), std::sqrt(square), lengthOf(s.velocity));
    for (int q = 0; q < lattice_.size(); ++q) {
        const auto& c = lattice_.c[q];
        double stretch = 0, push = 0;
        for (int a = 0; a < 3; ++a) {
            push += c[a] * force[a];
            for (int b = 0; b < 3; ++b) {
                const double h = c[a] * c[b] - (a == b ? 1.0 / 3 : 0);
                stretch += h * (gradient[a][b] + gradient[b][a]) / 2;
                push += 3 * h * s.velocity[a] * force[b];
            }
        }
        f[q] = equilibrium(lattice_, equilibrium_, q, s)
            - lattice_.w[q] * (3 * (incompressible ? 1 : s.density) * tau * stretch + 1.5 * push);
    }
}

void Reference::advance(std::int64_t steps)
{
    for (std::int64_t step = 0; step < steps; ++step) {
        std::vector<double> next = f_;
        for (NodeIndex node = 0; node < domain_.nodes(); ++node) {
            if (!domain_.fluid[node]) continue;
            Populations f = incoming(node);
            const Vec3& force = forces_[std::size_t(node)];
            const State state = stateOf(lattice_, equilibrium_, f, {force[0] / 2, force[1] / 2, force[2] / 2});
            const double tau = isOfGradient(closure_)
                ? tauOfGradient(closureAt(node), gradientAt(node).of, lengthOf(stored(node)))
                : tauOfStress(closureAt(node), stressBeforeCollision(lattice_, equilibrium_, force, f),
                              lengthOf(state.velocity));
            const Rates rates = ratesOf(lattice_, tau, magic_);
            if (collision_ == Collision::hybridRegularized)
                takeStrain(lattice_, equilibrium_, rates, sigma_, gradientAt(node).of, force, f);
            collide(lattice_, equilibrium_, collision_, rates, force, f);
            for (int q = 0; q < lattice_.size(); ++q) next[at(node, q)] = f[q];
        }
        f_.swap(next);
    }
}

double Reference::mass() const
{
    double sum = 0;
    for (NodeIndex node = 0; node < domain_.nodes(); ++node)
        if (domain_.fluid[node])
            for (int q = 0; q < lattice_.size(); ++q) sum += f_[at(node, q)];
    return sum;
}

void Reference::setBoundary(int patch, const std::vector<LinkValue>& values)
{
    std::vector<std::size_t> links;
    for (std::size_t i = 0; i < domain_.links.size(); ++i)
        if (domain_.links[i].patch == patch) links.push_back(i);
    if (links.size() != values.size())
        throw std::invalid_argument("patch " + std::to_string(patch) + " has " + std::to_string(links.size())
                                    + " links, not " + std::to_string(values.size()));
    for (std::size_t i = 0; i < links.size(); ++i) {
        LinkValue& value = linkValues_[links[i]];
        if (value.kind != values[i].kind) means_[links[i]] = std::nan(""); // the mean of another quantity
        value = values[i];
    }
}

// The stress of a strain rate S before collision is -2 rho cs^2 tau S; collision leaves the share
// 1 - 1/tau of it, and half of the force's source on top of the equilibrium.
void Reference::initialise(NodeIndex node, const Macroscopic& m)
{
    const double inertia = equilibrium_ == Equilibrium::incompressible ? 1 : m.density;
    const auto& s = m.strainRate;
    const double S[3][3] = {{s[0], s[1], s[2]}, {s[1], s[3], s[4]}, {s[2], s[4], s[5]}};
    double square = 0;
    for (const auto& row : S)
        for (double value : row) square += value * value;
    const double tau = tauOfShearRate(closureAt(node), std::sqrt(2 * square), lengthOf(m.velocity));
    for (int q = 0; q < lattice_.size(); ++q) {
        const auto& c = lattice_.c[q];
        double strain = 0;
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) strain += (c[a] * c[b] - (a == b ? 1.0 / 3 : 0)) * S[a][b];
        }
        f_[at(node, q)] = equilibrium(lattice_, equilibrium_, q, {m.density, m.velocity})
            + source(lattice_, q, m.velocity, forces_[std::size_t(node)]) / 2
            - 3 * lattice_.w[q] * inertia * (tau - 1) * strain;
    }
}

} // namespace lbm::reference
