// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/LatticeFields.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace lbm {

namespace {

struct Known {
    const char* name;
    int components;
    bool number;
};

constexpr Known known[] = {
    {"U", 3, false},         {"p", 1, false},     {"density", 1, false},
    {"vorticity", 3, false}, {"Q", 1, false},     {"wallShearStress", 3, false},
    {"nodeKind", 1, true},   {"tileID", 1, true}, {"patchID", 1, true},
};

const Known& find(const std::string& name)
{
    for (const Known& k : known)
        if (name == k.name) return k;
    throw std::out_of_range("no field " + name + " on the lattice");
}

// Index in strainRate: xx, xy, xz, yy, yz, zz
constexpr int strainIndex[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

// Room for the values of a field, or of none
struct Target {
    float* single = nullptr;
    double* full = nullptr;
    std::int32_t* number = nullptr;

    explicit operator bool() const { return single || full || number; }
    void set(std::size_t i, double value) const { single ? void(single[i] = float(value)) : void(full[i] = value); }
};

// Cells in the order in which they are asked for
struct Selection {
    const std::int64_t* cells; // null: all
    std::size_t n;

    std::size_t operator[](std::size_t i) const { return cells ? std::size_t(cells[i]) : i; }
};

// The links of one node after the other: quick where their numbers rise
class LinkFinder {
public:
    using Iterator = std::vector<Link>::const_iterator;

    explicit LinkFinder(const std::vector<Link>& links) : links_(links), at_(links.begin()) {}

    std::pair<Iterator, Iterator> of(NodeIndex node)
    {
        const bool here =
            (at_ == links_.begin() || std::prev(at_)->node < node) && (at_ == links_.end() || at_->node >= node);
        if (!here)
            at_ = std::lower_bound(links_.begin(), links_.end(), node,
                                   [](const Link& link, NodeIndex n) { return link.node < n; });
        const Iterator first = at_;
        while (at_ != links_.end() && at_->node == node) ++at_;
        return {first, at_};
    }

    // Of the walls at a node, from it; 0: no wall, or walls on both sides
    Vec3 normal(NodeIndex node, const std::vector<bool>& walls)
    {
        const auto [begin, end] = of(node);
        Vec3 sum{0, 0, 0};
        for (auto link = begin; link != end; ++link) {
            if (!walls[link->patch]) continue;
            const Int3 c = directionOf(link->direction);
            for (int a = 0; a < 3; ++a) sum[a] += c[a];
        }
        const double length = std::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        for (int a = 0; a < 3 && length > 0; ++a) sum[a] /= length;
        return sum;
    }

private:
    const std::vector<Link>& links_;
    Iterator at_;
};

// One call of LatticeFields::compute
class Computation {
public:
    // toldStress: null: stress is read
    Computation(const LatticeReader& lattice, NodeReader& reader, const std::vector<NodeIndex>& nodes,
                const std::vector<NodeIndex>& around, const std::vector<bool>& walls, const LatticeScales& scales,
                const Selection& selection, const LatticeFields::ToldStress* toldStress) :
        lattice_(lattice),
        reader_(reader),
        domain_(lattice.domain()),
        nodes_(nodes),
        outside_(around),
        walls_(walls),
        scales_(scales),
        selection_(selection),
        told_(toldStress)
    {}

    Target U, p, density, vorticity, Q, wallShearStress, nodeKind, tileID, patchID;

    Target& target(const std::string& name)
    {
        Target* const all[] = {&U, &p, &density, &vorticity, &Q, &wallShearStress, &nodeKind, &tileID, &patchID};
        return *all[&find(name) - known];
    }

    void run()
    {
        const bool slopes = vorticity || Q;
        if (slopes && selection_.cells) gatherNeighbours();
        if (U || p || density || (slopes && !selection_.cells)) setStates(slopes && !selection_.cells);
        if (wallShearStress) told_ ? setToldStress() : setWallStress();
        if (slopes) {
#pragma omp parallel for schedule(static)
            for (std::size_t i = 0; i < selection_.n; ++i) setGradient(i);
        }
        if (nodeKind || patchID) countLinks();
        if (tileID) findTiles();
    }

private:
    void setStates(bool keepVelocities)
    {
        if (keepVelocities) velocities_.resize(nodes_.size());
        std::vector<NodeIndex> some;
        for (std::size_t i = 0; selection_.cells && i < selection_.n; ++i) some.push_back(nodes_[selection_[i]]);
        const double speed = scales_.dx / scales_.dt;
        reader_.read(selection_.cells ? some : nodes_, Reading::flow, [&](std::size_t i, const double* flow) {
            const double *rho = flow, *u = flow + 1;
            if (U)
                for (int a = 0; a < 3; ++a) U.set(3 * i + scales_.caseAxis[a], speed * u[a]);
            if (p) p.set(i, scales_.pressureOffset + (*rho - 1) / 3 * speed * speed);
            if (density) density.set(i, *rho);
            if (keepVelocities) velocities_[i] = {u[0], u[1], u[2]};
        });
        if (!keepVelocities || outside_.empty()) return;
        velocities_.resize(nodes_.size() + outside_.size());
        reader_.read(outside_, Reading::flow, [&](std::size_t i, const double* flow) {
            velocities_[nodes_.size() + i] = {flow[1], flow[2], flow[3]};
        });
    }

    // Velocities of the selected cells and of those around them
    void gatherNeighbours()
    {
        for (std::size_t i = 0; i < selection_.n; ++i) {
            around_.push_back(selection_[i]);
            for (int axis = 0; axis < domain_.dimensions; ++axis)
                for (int side : {-1, 1}) {
                    const std::ptrdiff_t cell = neighbour(selection_[i], axis, side);
                    if (cell >= 0) around_.push_back(std::size_t(cell));
                }
        }
        std::sort(around_.begin(), around_.end());
        around_.erase(std::unique(around_.begin(), around_.end()), around_.end());
        std::vector<NodeIndex> nodes;
        for (const std::size_t place : around_)
            nodes.push_back(place < nodes_.size() ? nodes_[place] : outside_[place - nodes_.size()]);
        velocities_.resize(nodes.size());
        reader_.read(nodes, Reading::flow, [&](std::size_t i, const double* flow) {
            velocities_[i] = {flow[1], flow[2], flow[3]};
        });
    }

    // place: of a cell; behind those, of a node around them
    const Vec3& velocity(std::size_t place) const
    {
        if (!selection_.cells) return velocities_[place];
        return velocities_[std::lower_bound(around_.begin(), around_.end(), place) - around_.begin()];
    }

    void setToldStress()
    {
        for (std::size_t i = 0; i < selection_.n; ++i) {
            const NodeIndex node = nodes_[selection_[i]];
            const auto at = std::lower_bound(told_->nodes.begin(), told_->nodes.end(), node);
            const bool here = at != told_->nodes.end() && *at == node;
            const auto k = std::size_t(at - told_->nodes.begin());
            for (std::size_t a = 0; a < 3; ++a) wallShearStress.set(3 * i + a, here ? told_->values[3 * k + a] : 0);
        }
    }

    void setWallStress()
    {
        std::vector<NodeIndex> atWalls;
        std::vector<std::size_t> places;
        std::vector<Vec3> normals;
        LinkFinder links(domain_.links);
        for (std::size_t i = 0; i < selection_.n; ++i) {
            for (int a = 0; a < 3; ++a) wallShearStress.set(3 * i + a, 0);
            const NodeIndex node = nodes_[selection_[i]];
            const Vec3 normal = links.normal(node, walls_);
            if (normal == Vec3{0, 0, 0}) continue;
            atWalls.push_back(node);
            places.push_back(i);
            normals.push_back(normal);
        }
        reader_.read(atWalls, Reading::state,
                     [&](std::size_t k, const double* state) { setWallStress(places[k], normals[k], state); });
    }

    // The stress that the fluid's strain puts on a surface, without its part along the normal
    void setWallStress(std::size_t i, const Vec3& normal, const double* state) const
    {
        const double* strainRate = state + valuesOf(Reading::flow);
        Vec3 traction{0, 0, 0};
        double along = 0;
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) traction[a] += strainRate[strainIndex[a][b]] * normal[b];
            along += traction[a] * normal[a];
        }
        const double* s = strainRate;
        const double rate =
            std::sqrt(2 * (s[0] * s[0] + s[3] * s[3] + s[5] * s[5]) + 4 * (s[1] * s[1] + s[2] * s[2] + s[4] * s[4]))
            / scales_.dt;
        const double speed = std::hypot(state[1], state[2], state[3]) * scales_.dx / scales_.dt;
        const double scale = 2 * scales_.viscosity(rate, speed) / scales_.dt;
        for (int a = 0; a < 3; ++a)
            wallShearStress.set(3 * i + scales_.caseAxis[a], scale * (traction[a] - along * normal[a]));
    }

    // Place of the neighbour that no wall separates from the cell, or -1
    std::ptrdiff_t neighbour(std::size_t cell, int axis, int side) const
    {
        const NodeIndex node = nodes_[cell];
        Int3 c{0, 0, 0};
        c[axis] = side;
        const NodeIndex target = domain_.neighbour(domain_.coordinates(node), c);
        if (target < 0 || !domain_.fluid[target]) return -1;
        if (findLink(domain_, node, c)) return -1;
        const auto outside = std::lower_bound(outside_.begin(), outside_.end(), target);
        if (outside != outside_.end() && *outside == target)
            return std::ptrdiff_t(nodes_.size()) + (outside - outside_.begin());
        // Between the two there are no more cells than nodes
        const std::ptrdiff_t at = std::ptrdiff_t(cell), n = std::ptrdiff_t(nodes_.size());
        const auto low = nodes_.begin() + (target > node ? at : std::max(at - (node - target), std::ptrdiff_t(0)));
        const auto high = nodes_.begin() + (target > node ? std::min(at + (target - node) + 1, n) : at + 1);
        return std::lower_bound(low, high, target) - nodes_.begin();
    }

    void setGradient(std::size_t i) const
    {
        const std::size_t cell = selection_[i];
        double g[3][3] = {}; // d u_b/d x_a, lattice units
        for (int a = 0; a < domain_.dimensions; ++a) {
            const std::ptrdiff_t up = neighbour(cell, a, 1), down = neighbour(cell, a, -1);
            const int steps = (up >= 0) + (down >= 0);
            if (!steps) continue;
            const Vec3& high = velocity(up >= 0 ? std::size_t(up) : cell);
            const Vec3& low = velocity(down >= 0 ? std::size_t(down) : cell);
            for (int b = 0; b < 3; ++b) g[a][b] = (high[b] - low[b]) / steps;
        }
        const double rate = 1 / scales_.dt;
        if (vorticity)
            for (int a = 0; a < 3; ++a) {
                const int b = (a + 1) % 3, c = (a + 2) % 3;
                vorticity.set(3 * i + scales_.caseAxis[a], rate * (g[b][c] - g[c][b]));
            }
        if (Q) {
            double sum = 0, trace = 0; // as OpenFOAM's Q
            for (int a = 0; a < 3; ++a) {
                trace += g[a][a];
                for (int b = 0; b < 3; ++b) sum += g[a][b] * g[b][a];
            }
            Q.set(i, 0.5 * rate * rate * (trace * trace - sum));
        }
    }

    void countLinks() const
    {
        LinkFinder links(domain_.links);
        for (std::size_t i = 0; i < selection_.n; ++i) {
            const auto [begin, end] = links.of(nodes_[selection_[i]]);
            if (nodeKind) nodeKind.number[i] = std::int32_t(end - begin);
            if (patchID) patchID.number[i] = begin == end ? -1 : begin->patch;
        }
    }

    void findTiles() const
    {
        std::vector<NodeIndex> chosen(selection_.n);
        for (std::size_t i = 0; i < selection_.n; ++i) chosen[i] = nodes_[selection_[i]];
        const auto tiles = lattice_.tiles(chosen);
        std::copy(tiles.begin(), tiles.end(), tileID.number);
    }

    const LatticeReader& lattice_;
    NodeReader& reader_;
    const Domain& domain_;
    const std::vector<NodeIndex>& nodes_;
    const std::vector<NodeIndex>& outside_;
    const std::vector<bool>& walls_;
    const LatticeScales& scales_;
    const Selection selection_;
    const LatticeFields::ToldStress* told_;
    std::vector<std::size_t> around_; // rising; places of velocities_ where not all are selected
    std::vector<Vec3> velocities_;    // lattice units; where gradients are wanted
};

} // namespace

const std::vector<std::string>& LatticeFields::names()
{
    static const std::vector<std::string> all = [] {
        std::vector<std::string> result;
        for (const Known& k : known) result.push_back(k.name);
        return result;
    }();
    return all;
}

LatticeFields::LatticeFields(const LatticeReader& lattice, const std::vector<NodeIndex>& nodes,
                             std::vector<NodeIndex> around, std::vector<bool> walls) :
    lattice_(lattice),
    nodes_(nodes),
    around_(std::move(around)),
    walls_(std::move(walls)),
    real_(isSingle(lattice.row()) ? LBM_FLOAT32 : LBM_FLOAT64),
    reader_(lattice, nodes)
{}

std::vector<NodeIndex> LatticeFields::nodesAtWalls() const
{
    std::vector<NodeIndex> found;
    LinkFinder links(lattice_.domain().links);
    for (const NodeIndex node : nodes_)
        if (links.normal(node, walls_) != Vec3{0, 0, 0}) found.push_back(node);
    return found;
}

void LatticeFields::tellWallShearStress(std::vector<NodeIndex> nodes, std::vector<double> values)
{
    told_ = std::make_unique<ToldStress>(ToldStress{std::move(nodes), std::move(values)});
}

lbmInsituArray LatticeFields::describe(const std::string& name) const
{
    const Known& k = find(name);
    return {k.name, k.number ? LBM_INT32 : real_, LBM_CELLS, k.components, std::int64_t(nodes_.size()), nullptr};
}

void LatticeFields::compute(const std::vector<std::string>& names, const LatticeScales& scales,
                            const std::int64_t* cells, std::size_t n, void* const* values) const
{
    Computation computation(lattice_, reader_, nodes_, around_, walls_, scales, {cells, cells ? n : nodes_.size()},
                            told_.get());
    for (std::size_t f = 0; f < names.size(); ++f) {
        Target& target = computation.target(names[f]);
        switch (describe(names[f]).type) {
            case LBM_FLOAT32: target.single = static_cast<float*>(values[f]); break;
            case LBM_FLOAT64: target.full = static_cast<double*>(values[f]); break;
            default: target.number = static_cast<std::int32_t*>(values[f]);
        }
    }
    computation.run();
}

} // namespace lbm
