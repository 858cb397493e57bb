// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Reference.hpp"

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
    for (std::size_t i = 0; i < domain.links.size(); ++i) {
        const Link& link = domain.links[i];
        linkOf_[27*std::size_t(link.node) + link.direction] = int(i);
        linkValues_[i] = config.patches.at(link.patch);
    }
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
    return stateOf(lattice_, equilibrium_, populations(node), {-force_[0]/2, -force_[1]/2, -force_[2]/2});
}

// Equilibrium of a ghost node behind the opening, with the node's own stress (Latt et al. 2008).
double Reference::openPressure(NodeIndex node, int q, const LinkValue& value) const
{
    const State here = state(node);
    State ghost;
    ghost.density = 2*value.density - here.density;
    for (int a = 0; a < 3; ++a)
        ghost.velocity[a] = value.kind == BoundaryKind::pressure
          ? here.velocity[a]
          : 2*value.velocity[a] - here.velocity[a];

    double stress = 0;
    for (int p = 0; p < lattice_.size(); ++p) {
        const double excess = f_[at(node, p)] - equilibrium(lattice_, equilibrium_, p, here);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) {
                const double Q = lattice_.c[q][a]*lattice_.c[q][b] - (a == b ? 1.0/3 : 0);
                stress += Q*lattice_.c[p][a]*lattice_.c[p][b]*excess;
            }
    }
    return equilibrium(lattice_, equilibrium_, q, ghost) + 9.0/2*lattice_.w[q]*stress;
}

// q comes in along the link that leaves in the opposite direction.
double Reference::reflected(NodeIndex node, int q, const LinkValue& value) const
{
    const int out = lattice_.opposite[q];
    Vector wall = value.velocity;
    switch (value.kind) {
        case BoundaryKind::wall:
            return f_[at(node, out)];
        case BoundaryKind::outflow:
            return f_[at(node, q)];
        case BoundaryKind::pressure:
        case BoundaryKind::pressureVelocity:
            return openPressure(node, q, value);
        case BoundaryKind::movingWall:
        case BoundaryKind::velocity:
            break;
        case BoundaryKind::slip: {
            const State here = state(node);
            const Vec3& n = value.velocity;
            const double normal = here.velocity[0]*n[0] + here.velocity[1]*n[1] + here.velocity[2]*n[2];
            for (int a = 0; a < 3; ++a) wall[a] = here.velocity[a] - normal*n[a];
        }
    }
    const double inertia = equilibrium_ == Equilibrium::incompressible ? 1 : state(node).density;
    double speed = 0;
    for (int a = 0; a < 3; ++a) speed += lattice_.c[out][a]*wall[a];
    return f_[at(node, out)] - 6*lattice_.w[out]*inertia*speed;
}

double Reference::incoming(NodeIndex node, int q) const
{
    const Int3 back{-lattice_.c[q][0], -lattice_.c[q][1], -lattice_.c[q][2]};
    const int link = linkOf_[27*std::size_t(node) + directionCode(back[0], back[1], back[2])];
    if (link >= 0) return reflected(node, q, linkValues_[link]);
    const NodeIndex source = neighbour(node, back);
    return source >= 0 ? f_[at(source, q)] : f_[at(node, lattice_.opposite[q])];
}

void Reference::advance(std::int64_t steps)
{
    for (std::int64_t step = 0; step < steps; ++step) {
        std::vector<double> next = f_;
        for (NodeIndex node = 0; node < domain_.nodes(); ++node) {
            if (!domain_.fluid[node]) continue;
            Populations f(lattice_.size());
            for (int q = 0; q < lattice_.size(); ++q) f[q] = incoming(node, q);
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
