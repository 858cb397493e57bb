// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/LatticeWindow.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lbm {

namespace {

// Cells that are read in one call, which bounds the memory for it
constexpr std::size_t cellsAtOnce = std::size_t(1) << 20;

enum Number { U, p, density, vorticity, Q, nut, fluid };

double speedOf(const double* u) { return std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]); }

// (|rotation|^2 - |strain rate|^2)/2, as OpenFOAM's
double qOf(const std::array<Vec3, 3>& g)
{
    double sum = 0, trace = 0;
    for (int a = 0; a < 3; ++a) {
        trace += g[a][a];
        for (int b = 0; b < 3; ++b) sum += g[a][b] * g[b][a];
    }
    return 0.5 * (trace * trace - sum);
}

} // namespace

const std::vector<LatticeWindow::Field>& LatticeWindow::fields()
{
    static const std::vector<Field> all{{"U", 3}, {"p", 1},   {"density", 1}, {"vorticity", 3},
                                        {"Q", 1}, {"nut", 1}, {"fluid", 1}};
    return all;
}

const LatticeWindow::Field& LatticeWindow::find(const std::string& name)
{
    for (const Field& field : fields())
        if (name == field.name) return field;
    throw std::out_of_range("no field " + name + " in a part of the lattice");
}

LatticeWindow::LatticeWindow(const Solver& solver, const WindowBox& box) : solver_(solver), box_(box)
{
    const Domain& whole = solver.domain();
    for (int a = 0; a < 3; ++a) {
        const std::int64_t last = box.first[a] + std::int64_t(box.coarsen) * (box.cells[a] - 1);
        if (box.coarsen < 1 || box.cells[a] < 1 || box.first[a] < 0 || last >= whole.size[a])
            throw std::out_of_range("a part of the lattice reaches beyond it");
    }
    domain_.dimensions = whole.dimensions;
    domain_.size = box.cells;
    domain_.spacing = box.coarsen * whole.spacing;
    for (int a = 0; a < 3; ++a)
        domain_.origin[a] =
            whole.origin[a] + (a < whole.dimensions ? (box.first[a] + 0.5 * (box.coarsen - 1)) * whole.spacing : 0);
    findCells();
}

// Of a cell of the window or of the layer around it; none where there is none. Of one node: across periodic sides, too.
NodeBox LatticeWindow::nodesOf(const Int3& cell) const
{
    const Domain& whole = solver_.domain();
    NodeBox nodes;
    for (int a = 0; a < 3; ++a) {
        const int n = whole.size[a];
        int low = box_.first[a] + box_.coarsen * cell[a];
        if (box_.coarsen == 1 && whole.periodic[a]) low = (low + n) % n;
        if (low < 0 || low >= n) return {};
        nodes.low[a] = low;
        nodes.size[a] = std::min(box_.coarsen, n - low);
        if (!single()) continue;
        nodes.low[a] += (nodes.size[a] - 1) / 2;
        nodes.size[a] = 1;
    }
    return nodes;
}

double LatticeWindow::shareOf(const NodeBox& nodes) const
{
    const std::int64_t all = nodesIn(nodes);
    return all ? double(lbm::fluidNodes(solver_.domain(), nodes)) / double(all) : 0;
}

LatticeWindow::Sets LatticeWindow::place(const std::vector<NodeBox>& boxes) const
{
    const Domain& whole = solver_.domain();
    Sets sets;
    for (std::size_t first = 0; first < boxes.size(); first += cellsAtOnce) {
        const auto begin = boxes.begin() + std::ptrdiff_t(first),
                   end = begin + std::ptrdiff_t(std::min(cellsAtOnce, boxes.size() - first));
        if (single()) {
            std::vector<NodeIndex> nodes;
            for (auto box = begin; box != end; ++box)
                nodes.push_back(whole.index(box->low[0], box->low[1], box->low[2]));
            sets.push_back(solver_.place(nodes.data(), nodes.size()));
        } else {
            NodeBoxes groups(NodeSet::Kind::sumsOfFlow);
            groups.boxes.assign(begin, end);
            sets.push_back(solver_.place(groups));
        }
    }
    return sets;
}

void LatticeWindow::findCells()
{
    const NodeIndex n = domain_.nodes();
    std::vector<float> shares(static_cast<std::size_t>(n));
#pragma omp parallel for schedule(dynamic, 4096)
    for (NodeIndex i = 0; i < n; ++i) shares[std::size_t(i)] = float(shareOf(nodesOf(domain_.coordinates(i))));

    domain_.fluid = BitSet(n);
    std::vector<NodeBox> boxes;
    boxes.reserve(shares.size() - std::size_t(std::count(shares.begin(), shares.end(), 0.0f)));
    for (NodeIndex i = 0; i < n; ++i) {
        const float share = shares[std::size_t(i)];
        if (share == 0) continue;
        domain_.fluid.set(i);
        cells_.push_back(i);
        shares_.push_back(share);
        boxes.push_back(nodesOf(domain_.coordinates(i)));
        boxes.back().weight = 1 / double(lbm::fluidNodes(solver_.domain(), boxes.back()));
    }
    own_ = place(boxes);
}

// Number of a cell in the box with a layer around it
NodeIndex LatticeWindow::around(const Int3& cell) const
{
    const Int3& n = domain_.size;
    return cell[0] + 1 + NodeIndex(n[0] + 2) * (cell[1] + 1 + NodeIndex(n[1] + 2) * (cell[2] + 1));
}

void LatticeWindow::findAround()
{
    if (looksAround_) return;
    const Int3& n = domain_.size;
    velocity_.resize(std::size_t(n[0] + 2) * std::size_t(n[1] + 2) * std::size_t(n[2] + 2));
    std::vector<NodeBox> boxes;
    const auto look = [&](const Int3& cell) {
        NodeBox nodes = nodesOf(cell);
        const std::int64_t fluid = lbm::fluidNodes(solver_.domain(), nodes);
        if (fluid == 0) return;
        nodes.weight = 1 / double(fluid);
        boxes.push_back(nodes);
        beyond_.push_back(around(cell));
    };
    for (int axis = 0; axis < domain_.dimensions; ++axis) {
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        Int3 cell;
        for (const int at : {-1, n[axis]})
            for (int j = 0; j < n[c]; ++j)
                for (int i = 0; i < n[b]; ++i) {
                    cell[axis] = at, cell[b] = i, cell[c] = j;
                    look(cell);
                }
    }
    ofBeyond_ = place(boxes);

    // Where velocities are known
    BitSet known(NodeIndex(velocity_.size()));
    for (const NodeIndex cell : cells_) known.set(around(domain_.coordinates(cell)));
    for (const NodeIndex place : beyond_) known.set(place);
    links_.resize(cells_.size());
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < cells_.size(); ++k) {
        const Int3 cell = domain_.coordinates(cells_[k]), node = nodesOf(cell).low;
        for (int axis = 0; axis < domain_.dimensions; ++axis)
            for (const int side : {-1, 1}) {
                Int3 next = cell, step{0, 0, 0};
                next[axis] += side;
                step[axis] = side;
                if (!known[around(next)]) continue;
                const Domain& whole = solver_.domain();
                const bool wall = box_.coarsen == 1 && findLink(whole, whole.index(node[0], node[1], node[2]), step);
                if (!wall) links_[k] |= std::uint8_t(1 << (2 * axis + (side > 0)));
            }
    }
    looksAround_ = true;
}

template<class F>
void LatticeWindow::sample(const Sets& sets, F&& f)
{
    constexpr std::size_t count = valuesOf(Reading::flow);
    std::size_t begin = 0;
    for (const auto& set : sets) {
        read_.resize(std::max(read_.size(), set->size() * count));
        solver_.sample(*set, Reading::flow, read_.data());
#pragma omp parallel for schedule(static) if (set->size() > 1000)
        for (std::size_t i = 0; i < set->size(); ++i) f(begin + i, &read_[i * count]);
        begin += set->size();
    }
}

// d u_b/d x_a, lattice units
std::array<Vec3, 3> LatticeWindow::gradient(NodeIndex k) const
{
    const Int3 cell = domain_.coordinates(cells_[std::size_t(k)]);
    const int size = box_.coarsen;
    const auto middle = [&](int axis, int at) {
        const int low = box_.first[axis] + size * at, n = solver_.domain().size[axis];
        const int across = size == 1 ? 1 : std::min(size, n - low);
        return low + (single() ? (across - 1) / 2 : 0.5 * (across - 1));
    };
    std::array<Vec3, 3> g{};
    for (int a = 0; a < domain_.dimensions; ++a) {
        Int3 up = cell, down = cell;
        up[a] += links_[std::size_t(k)] >> (2 * a + 1) & 1;
        down[a] -= links_[std::size_t(k)] >> (2 * a) & 1;
        if (up[a] == down[a]) continue;
        const double distance = middle(a, up[a]) - middle(a, down[a]);
        const auto &high = velocity_[std::size_t(around(up))], &low = velocity_[std::size_t(around(down))];
        for (std::size_t b = 0; b < 3; ++b) g[std::size_t(a)][b] = (double(high[b]) - double(low[b])) / distance;
    }
    return g;
}

void LatticeWindow::read(const std::vector<std::string>& names, const LatticeScales& scales, float* const* values)
{
    float* to[fluid + 1] = {};
    for (std::size_t f = 0; f < names.size(); ++f) to[&find(names[f]) - fields().data()] = values[f];
    if (to[nut] && (box_.coarsen > 1 || !scales.eddyViscosity))
        throw std::invalid_argument("nut is that of single nodes with eddies on the lattice");
    if (to[fluid]) std::copy(shares_.begin(), shares_.end(), to[fluid]);
    const bool slopes = to[vorticity] || to[Q] || to[nut];
    if (slopes) findAround();

    const auto& axis = scales.caseAxis;
    const double speed = scales.dx / scales.dt, rate = 1 / scales.dt;
    if (slopes || to[U] || to[p] || to[density])
        sample(own_, [&](std::size_t k, const double* flow) {
            const double *rho = flow, *u = flow + 1;
            if (to[U])
                for (std::size_t a = 0; a < 3; ++a) to[U][3 * k + std::size_t(axis[a])] = float(speed * u[a]);
            if (to[p]) to[p][k] = float(scales.pressureOffset + (*rho - 1) / 3 * speed * speed);
            if (to[density]) to[density][k] = float(*rho);
            if (to[nut]) to[nut][k] = float(speed * speedOf(u));
            if (slopes)
                velocity_[std::size_t(around(domain_.coordinates(cells_[k])))] = {float(u[0]), float(u[1]),
                                                                                  float(u[2])};
        });
    if (!slopes) return;
    sample(ofBeyond_, [&](std::size_t i, const double* flow) {
        velocity_[std::size_t(beyond_[i])] = {float(flow[1]), float(flow[2]), float(flow[3])};
    });
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < cells_.size(); ++k) {
        const std::array<Vec3, 3> own = gradient(NodeIndex(k));
        std::array<Vec3, 3> g{}; // of the case
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) g[std::size_t(axis[a])][std::size_t(axis[b])] = rate * own[a][b];
        if (to[vorticity])
            for (std::size_t a = 0; a < 3; ++a) {
                const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
                to[vorticity][3 * k + a] = float(g[b][c] - g[c][b]);
            }
        if (to[Q]) to[Q][k] = float(qOf(g));
        if (to[nut]) to[nut][k] = float(scales.eddyViscosity(g, double(to[nut][k])));
    }
}

} // namespace lbm
