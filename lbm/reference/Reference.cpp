// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace lbm::reference {

Reference::Reference(const Domain& domain, const Config& config)
:
    domain_(domain),
    lattice_(latticeData(config.lattice)),
    equilibrium_(equilibriumNamed(config.equilibrium)),
    collision_(collisionNamed(config.collision)),
    rates_(ratesOf(lattice_, config.tau, config.magic)),
    tau_(config.tau),
    magic_(config.magic),
    force_(config.force),
    linkOf_(27*std::size_t(domain.nodes()), -1),
    linkValues_(domain.links.size())
{
    donors_ = findDonors(domain, std::vector<bool>(config.patches.size(), true));
    outward_.resize(domain.links.size());
    calm_.assign(domain.links.size(), std::nan(""));
    donorOf_.resize(domain.links.size());
    for (std::size_t i = 0; i < donors_.size(); ++i) {
        donorOf_[donors_[i].link] = int(i);
        outward_[donors_[i].link] = donors_[i].outward;
    }
    for (const LinkValue& value : config.patches) schemes_.push_back(value.scheme);
    for (std::size_t i = 0; i < domain.links.size(); ++i) {
        const Link& link = domain.links[i];
        linkOf_[27*std::size_t(link.node) + link.direction] = int(i);
        linkValues_[i] = config.patches.at(link.patch);
    }
    std::vector<std::uint8_t> directions;
    for (const auto& c : lattice_.c) directions.push_back(directionCode(c[0], c[1], c[2]));
    openings_ = openingNodes(domain, config.patches, directions);
    openingOf_.assign(domain.nodes(), -1);
    for (std::size_t i = 0; i < openings_.size(); ++i) openingOf_[openings_[i].node] = int(i);
    f_.resize(std::size_t(domain.nodes())*lattice_.size());
    for (NodeIndex node = 0; node < domain.nodes(); ++node)
        for (int q = 0; q < lattice_.size(); ++q) f_[at(node, q)] = lattice_.w[q];
}

NodeIndex Reference::neighbour(NodeIndex node, const Int3& c) const
{
    const Int3& size = domain_.size;
    Int3 x{int(node % size[0]), int(node/size[0] % size[1]), int(node/(NodeIndex(size[0])*size[1]))};
    for (int a = 0; a < 3; ++a) {
        x[a] += c[a];
        if (x[a] >= 0 && x[a] < size[a]) continue;
        if (!domain_.periodic[a]) return -1;
        x[a] = (x[a] + size[a]) % size[a];
    }
    const NodeIndex other = x[0] + NodeIndex(size[0])*(x[1] + NodeIndex(size[1])*x[2]);
    return domain_.fluid[other] ? other : -1;
}

Populations Reference::populations(NodeIndex node) const
{
    return Populations(f_.begin() + at(node, 0), f_.begin() + at(node, 0) + lattice_.size());
}

State Reference::state(NodeIndex node) const
{
    return known(populations(node));
}

int Reference::recordAt(NodeIndex node, const Int3& c) const
{
    for (int v : c)
        if (v < -1 || v > 1) return -1;
    return linkOf_[27*std::size_t(node) + directionCode(c[0], c[1], c[2])];
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
    const double length = c[0]*n[0] + c[1]*n[1] + c[2]*n[2];
    Int3 image;
    for (int a = 0; a < 3; ++a) {
        const double v = c[a] - 2*length*n[a];
        image[a] = int(std::lround(v));
        if (std::abs(v - image[a]) > 1e-4) return -1;
    }
    return direction(image);
}

// Kinds that need nothing but the node. q comes in along the link that leaves in the opposite direction.
double Reference::reflected(NodeIndex node, int q, const LinkValue& value, int record)
{
    const int out = lattice_.opposite[q];
    const State here = state(node);
    const double inertia = equilibrium_ == Equilibrium::incompressible ? 1 : here.density;
    Vector wall{0, 0, 0};
    if (value.kind == BoundaryKind::movingWall || value.kind == BoundaryKind::velocity) {
        wall = value.velocity;
        if (value.recovery > 0) {
            const Vec3& n = outward_[record];
            const double wave = ruffle(here.density - 1, value.recovery, record)
                *velocityOfDensity(here.density, n[0]*wall[0] + n[1]*wall[1] + n[2]*wall[2]);
            for (int a = 0; a < 3; ++a) wall[a] += wave*n[a];
        }
    }
    if (value.kind == BoundaryKind::slip) {
        const Vec3& n = value.velocity;
        const double normal = here.velocity[0]*n[0] + here.velocity[1]*n[1] + here.velocity[2]*n[2];
        for (int a = 0; a < 3; ++a) wall[a] = here.velocity[a] - normal*n[a];
    }
    double speed = 0;
    for (int a = 0; a < 3; ++a) speed += lattice_.c[out][a]*wall[a];
    return f_[at(node, out)] - 6*lattice_.w[out]*inertia*speed;
}

// What differs from the running mean of a link that lets sound out.
double Reference::ruffle(double value, double recovery, int record)
{
    double& calm = calm_[record];
    if (std::isnan(calm)) calm = value;
    const double difference = value - calm;
    calm += recovery*difference;
    return difference;
}

// Velocity over density in a sound wave that leaves with the stream `outflow`.
double Reference::velocityOfDensity(double density, double outflow) const
{
    if (equilibrium_ == Equilibrium::incompressible) return outflow + std::sqrt(outflow*outflow + 1.0/3);
    return 1/(std::sqrt(3.0)*density);
}

Populations Reference::mixed(const std::vector<DonorShare>& shares) const
{
    Populations f(lattice_.size(), 0.0);
    for (const DonorShare& share : shares)
        for (int q = 0; q < lattice_.size(); ++q) f[q] += share.weight*f_[at(share.node, q)];
    return f;
}

State Reference::known(const Populations& f) const
{
    return stateOf(lattice_, equilibrium_, f, {-force_[0]/2, -force_[1]/2, -force_[2]/2});
}

// Kinds whose flow goes on as at the donor. corner: it should, but lies behind another patch, and the node stands in.
double Reference::carriedOn(NodeIndex node, int q, const LinkValue& value, const Donor& donor, bool corner)
{
    const int record = int(donor.link);
    const Populations flow = corner ? populations(node) : mixed(donor.shares);
    if (value.kind == BoundaryKind::slip) {
        const auto& c = lattice_.c[q];
        const Vec3& n = value.velocity;
        const double length = c[0]*n[0] + c[1]*n[1] + c[2]*n[2];
        const Int3 inward = directionOf(donor.inward);
        bool between = true;
        for (int a = 0; a < 3; ++a) between = between && std::abs(length*n[a] - inward[a]) < 1e-4;
        const int image = between ? mirrored(q, n) : -1;
        return image < 0 ? reflected(node, q, value, record) : flow[image];
    }
    const State there = known(flow);
    State ghost = there;
    if (value.kind == BoundaryKind::outflow) {
        if (corner || donor.beyond.empty()) return flow[q];
        ghost.density = 2*there.density - known(mixed(donor.beyond)).density;
    } else {
        double imposed = value.density;
        if (value.kind == BoundaryKind::pressure && value.recovery > 0) {
            double speed = 0;
            for (int a = 0; a < 3; ++a) speed += donor.outward[a]*there.velocity[a];
            const double wave = ruffle(speed, value.recovery, record);
            imposed += wave/velocityOfDensity(there.density, calm_[record]);
        }
        ghost.density = there.density + donor.reach*(imposed - there.density);
    }
    if (value.kind == BoundaryKind::pressureVelocity)
        for (int a = 0; a < 3; ++a)
            ghost.velocity[a] = there.velocity[a] + donor.reach*(value.velocity[a] - there.velocity[a]);
    return flow[q] + equilibrium(lattice_, equilibrium_, q, ghost) - equilibrium(lattice_, equilibrium_, q, there);
}

// Between the populations at hand, so that the wall lies where the link says.
double Reference::interpolated(NodeIndex node, int q, int record, const Populations& arrived) const
{
    const Int3 inward{lattice_.c[q][0], lattice_.c[q][1], lattice_.c[q][2]};
    const int across = recordAt(node, inward), out = lattice_.opposite[q];
    const auto curved = [&](int r) { return r >= 0 && linkValues_[r].kind == BoundaryKind::interpolatedWall; };
    const auto open = [&](NodeIndex from) { return recordAt(from, inward) < 0 ? neighbour(from, inward) : -1; };
    const auto shares = [&](int r, bool mayLookFurther) {
        WallScheme scheme = schemes_[domain_.links[r].patch];
        if (scheme == WallScheme::quadratic && !mayLookFurther) scheme = WallScheme::linear;
        return interpolateWall(scheme, domain_.links[r].fraction);
    };
    const auto motion = [&](int r) {
        const Vec3& u = linkValues_[r].velocity;
        const double speed = inward[0]*u[0] + inward[1]*u[1] + inward[2]*u[2];
        return 6*lattice_.w[q]*(r == record ? speed : -speed);
    };

    const bool near = domain_.links[record].fraction < 0.5f;
    NodeIndex further = open(node);
    if (near && further >= 0) further = open(further);
    const WallInterpolation wall = curved(across) ? interpolateGap(shares(record, false), shares(across, false))
                                                  : shares(record, further >= 0);
    double value = wall.reflected*population(node, out) + wall.kept()*population(node, q) + wall.moved*motion(record);
    if (curved(across)) value += wall.movedAcross*motion(across);
    if (wall.arriving != 0) value += wall.arriving*(arrived[out] - lattice_.w[out]);
    if (wall.further != 0) value += wall.further*population(further, near ? out : q);
    return lattice_.w[q] + value;
}

double Reference::completed(NodeIndex node, int q, int record)
{
    const LinkValue& value = linkValues_[record];
    const auto opening = [](const LinkValue& v) {
        return v.kind == BoundaryKind::pressure || v.kind == BoundaryKind::pressureVelocity
            || v.kind == BoundaryKind::outflow;
    };
    if (!opening(value) && value.kind != BoundaryKind::slip) return reflected(node, q, value, record);

    const Donor& donor = donors_[donorOf_[record]];
    if (!donor.shares.empty()) return carriedOn(node, q, value, donor, false);
    const int corner = int(donor.corner);
    if (corner < 0) return f_[at(node, lattice_.opposite[q])];

    LinkValue other = linkValues_[corner];
    if (opening(other)) return carriedOn(node, q, value, donor, true);
    const int image = other.kind == BoundaryKind::slip ? mirrored(q, other.velocity) : -1;
    if (image >= 0) return carriedOn(node, image, value, donor, true);
    if (other.kind == BoundaryKind::interpolatedWall) other.kind = BoundaryKind::movingWall;
    other.recovery = 0;
    return reflected(node, q, other, corner);
}

// Every population once, for openings may remember; interpolated walls last, for they see what arrives.
Populations Reference::incoming(NodeIndex node)
{
    Populations f(lattice_.size());
    std::vector<int> curved;
    for (int q = 0; q < lattice_.size(); ++q) {
        const Int3 back{-lattice_.c[q][0], -lattice_.c[q][1], -lattice_.c[q][2]};
        const int record = recordAt(node, back);
        const NodeIndex source = record < 0 ? neighbour(node, back) : -1;
        if (source >= 0) f[q] = f_[at(source, q)];
        else if (record < 0) f[q] = f_[at(node, lattice_.opposite[q])];
        else if (linkValues_[record].kind != BoundaryKind::interpolatedWall) f[q] = completed(node, q, record);
        else curved.push_back(q);
    }
    Populations all = f;
    for (int q : curved) {
        const Int3 back{-lattice_.c[q][0], -lattice_.c[q][1], -lattice_.c[q][2]};
        all[q] = interpolated(node, q, recordAt(node, back), f);
    }
    if (openingOf_[node] >= 0) impose(openings_[openingOf_[node]], all);
    return all;
}

// A node at an opening takes on its whole state (Latt et al. 2008).
void Reference::impose(const NodeSurroundings& n, Populations& f) const
{
    const auto fixesVelocity = [](BoundaryKind k) { return k == BoundaryKind::velocity || k == BoundaryKind::pressureVelocity; };
    const BoundaryKind kind = linkValues_[n.nearest[0].link].kind;
    const bool density = kind == BoundaryKind::pressure || kind == BoundaryKind::pressureVelocity, velocity = fixesVelocity(kind);
    if (!density && !velocity) return;

    const bool incompressible = equilibrium_ == Equilibrium::incompressible;
    State s{0, {0, 0, 0}};
    for (const NearOpening& near : n.nearest) {
        const State behind = state(near.behind < 0 ? n.node : near.behind);
        const LinkValue& value = linkValues_[near.link];
        const double share = near.behind < 0 ? 0 : near.distance/(1.0 + near.distance);
        s.density += (density ? (1 - share)*value.density + share*behind.density : behind.density)/double(n.nearest.size());
        for (int a = 0; a < 3; ++a)
            s.velocity[a] += (velocity ? (1 - share)*value.velocity[a] + share*behind.velocity[a] : behind.velocity[a])
                /double(n.nearest.size());
    }
    double sum = 0, flat[3] = {0, 0, 0}, outwards = 0, within = 0;
    for (int q = 0; q < lattice_.size(); ++q) {
        sum += f[q];
        for (int a = 0; a < 3; ++a) flat[a] += lattice_.c[q][a]*f[q];
        if (n.axis < 0) continue;
        if (lattice_.c[q][n.axis] == n.sign) outwards += f[q];
        if (lattice_.c[q][n.axis] == 0) within += f[q];
    }
    if (n.axis < 0) {
        if (!density) s.density = sum;
        for (int a = 0; a < 3 && !velocity; ++a) s.velocity[a] = (flat[a] + force_[a]/2)/(incompressible ? 1 : s.density);
    } else {
        const double known = within + 2*outwards + n.sign*force_[n.axis]/2, out = n.sign*s.velocity[n.axis];
        if (!density) s.density = incompressible ? known - out : known/(1 + out);
        if (!velocity) s.velocity[n.axis] = n.sign*(incompressible ? known - s.density : known/s.density - 1);
    }

    double gradient[3][3] = {};
    for (int a = 0; a < domain_.dimensions; ++a) {
        double u[2][3] = {}, h[2];
        for (int k = 0; k < 2; ++k) {
            const NodeSide& side = n.side[a][k];
            h[k] = side.distance;
            if (side.node >= 0)
                for (int b = 0; b < 3; ++b) u[k][b] = state(side.node).velocity[b];
            if (side.link < 0) continue;
            const LinkValue& value = linkValues_[side.link];
            if (!fixesVelocity(value.kind) && value.kind != BoundaryKind::movingWall) h[k] = 0;
            for (int b = 0; b < 3; ++b) u[k][b] = value.velocity[b];
        }
        for (int b = 0; b < 3; ++b) {
            const double here = s.velocity[b];
            if (h[0] > 0 && h[1] > 0)
                gradient[a][b] = (h[0]*h[0]*(u[1][b] - here) + h[1]*h[1]*(here - u[0][b]))/(h[0]*h[1]*(h[0] + h[1]));
            else if (h[0] > 0) gradient[a][b] = (here - u[0][b])/h[0];
            else if (h[1] > 0) gradient[a][b] = (u[1][b] - here)/h[1];
        }
    }
    for (int q = 0; q < lattice_.size(); ++q) {
        const auto& c = lattice_.c[q];
        double stretch = 0, push = 0;
        for (int a = 0; a < 3; ++a) {
            push += c[a]*force_[a];
            for (int b = 0; b < 3; ++b) {
                const double h = c[a]*c[b] - (a == b ? 1.0/3 : 0);
                stretch += h*(gradient[a][b] + gradient[b][a])/2;
                push += 3*h*s.velocity[a]*force_[b];
            }
        }
        f[q] = equilibrium(lattice_, equilibrium_, q, s)
            - lattice_.w[q]*(3*(incompressible ? 1 : s.density)*tau_*stretch + 1.5*push);
    }
}

void Reference::advance(std::int64_t steps)
{
    for (std::int64_t step = 0; step < steps; ++step) {
        std::vector<double> next = f_;
        for (NodeIndex node = 0; node < domain_.nodes(); ++node) {
            if (!domain_.fluid[node]) continue;
            Populations f = incoming(node);
            collide(lattice_, equilibrium_, collision_, rates_, force_, f);
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
    for (std::size_t i = 0; i < links.size(); ++i) linkValues_[links[i]] = values[i];
}

// The stress of a strain rate S before collision is -2 rho cs^2 tau S; collision leaves the share
// 1 - 1/tau of it, and half of the force's momentum on top of the equilibrium's.
void Reference::initialise(NodeIndex node, const Macroscopic& m)
{
    const double inertia = equilibrium_ == Equilibrium::incompressible ? 1 : m.density;
    const auto& s = m.strainRate;
    const double S[3][3] = {{s[0], s[1], s[2]}, {s[1], s[3], s[4]}, {s[2], s[4], s[5]}};
    for (int q = 0; q < lattice_.size(); ++q) {
        const auto& c = lattice_.c[q];
        double strain = 0, push = 0;
        for (int a = 0; a < 3; ++a) {
            push += 3*c[a]*force_[a]/2;
            for (int b = 0; b < 3; ++b) strain += (c[a]*c[b] - (a == b ? 1.0/3 : 0))*S[a][b];
        }
        f_[at(node, q)] = equilibrium(lattice_, equilibrium_, q, {m.density, m.velocity})
            + lattice_.w[q]*(push - 3*inertia*(tau_ - 1)*strain);
    }
}

} // namespace lbm::reference
