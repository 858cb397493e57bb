// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/LatticeFields.hpp"
#include "lbm/geometry/TileGrid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace lbm {

namespace {

// States asked for at a time: bounds the memory that they take
constexpr std::size_t blockSize = 65536;

struct Known {
    const char* name;
    int components;
    bool number;
};

constexpr Known known[] = {
    {"U", 3, false}, {"p", 1, false}, {"density", 1, false}, {"vorticity", 3, false}, {"Q", 1, false},
    {"wallShearStress", 3, false}, {"nodeKind", 1, true}, {"tileID", 1, true}, {"patchID", 1, true},
};

const Known& find(const std::string& name)
{
    for (const Known& k : known) if (name == k.name) return k;
    throw std::out_of_range("no field " + name + " on the lattice");
}

// Index in strainRate: xx, xy, xz, yy, yz, zz
constexpr int strainIndex[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

// The links of a node
std::pair<std::vector<Link>::const_iterator, std::vector<Link>::const_iterator>
linksOf(const Domain& domain, NodeIndex node)
{
    struct Before {
        bool operator()(const Link& link, NodeIndex n) const { return link.node < n; }
        bool operator()(NodeIndex n, const Link& link) const { return n < link.node; }
    };
    return std::equal_range(domain.links.begin(), domain.links.end(), node, Before());
}

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

void LatticeFields::Field::resize(std::size_t cells)
{
    const std::size_t n = cells*components;
    if (type == LBM_FLOAT32) single.assign(n, 0);
    if (type == LBM_FLOAT64) full.assign(n, 0);
    if (type == LBM_INT32) number.assign(n, 0);
}

const void* LatticeFields::Field::values() const
{
    if (type == LBM_FLOAT32) return single.data();
    if (type == LBM_FLOAT64) return full.data();
    return number.data();
}

LatticeFields::LatticeFields(const Solver& solver, const LatticeCells& cells, std::vector<bool> walls)
:
    solver_(solver), domain_(solver.domain()), cells_(cells), walls_(std::move(walls)),
    real_(solver.row().precision == "float" ? LBM_FLOAT32 : LBM_FLOAT64)
{}

LatticeFields::Field* LatticeFields::find(const std::string& name)
{
    const auto it = fields_.find(name);
    return it == fields_.end() ? nullptr : &it->second;
}

std::vector<lbmInsituArray> LatticeFields::compute(const std::vector<std::string>& names, const LatticeScales& scales)
{
    const std::size_t cells = cells_.nodes().size();
    for (auto it = fields_.begin(); it != fields_.end();) {
        const bool wanted = std::find(names.begin(), names.end(), it->first) != names.end();
        it = wanted ? std::next(it) : fields_.erase(it);
    }
    for (const std::string& name : names) {
        const Known& k = lbm::find(name);
        Field& field = fields_[name];
        field.components = k.components;
        field.type = k.number ? LBM_INT32 : real_;
        field.resize(cells);
    }

    const bool slopes = find("vorticity") || find("Q");
    velocities_.resize(slopes ? cells : 0);
    velocities_.shrink_to_fit();
    if (slopes || find("U") || find("p") || find("density")) sampleStates(scales);
    if (find("wallShearStress")) wallStress(scales);
    if (slopes) {
        #pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < cells; ++i) setGradient(i, scales);
    }
    if (find("nodeKind") || find("patchID")) countLinks();
    if (find("tileID")) findTiles();

    std::vector<lbmInsituArray> result;
    for (const auto& [name, field] : fields_)
        result.push_back({name.c_str(), field.type, LBM_CELLS, field.components, std::int64_t(cells), field.values()});
    return result;
}

void LatticeFields::sampleStates(const LatticeScales& scales)
{
    const auto& nodes = cells_.nodes();
    std::vector<Macroscopic> states(std::min(blockSize, nodes.size()));
    for (std::size_t begin = 0; begin < nodes.size(); begin += blockSize) {
        const std::size_t n = std::min(blockSize, nodes.size() - begin);
        solver_.sample(nodes.data() + begin, n, states.data());
        #pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < n; ++i) setState(begin + i, states[i], scales);
    }
}

void LatticeFields::wallStress(const LatticeScales& scales)
{
    std::vector<NodeIndex> atWalls;
    for (const Link& link : domain_.links)
        if (atWalls.empty() || atWalls.back() != link.node) atWalls.push_back(link.node);
    std::vector<Macroscopic> states(atWalls.size());
    solver_.sample(atWalls.data(), atWalls.size(), states.data());
    std::size_t cell = 0;
    for (std::size_t i = 0; i < atWalls.size(); ++i) {
        while (cells_.nodes()[cell] < atWalls[i]) ++cell;
        setWallStress(cell, states[i], scales);
    }
}

void LatticeFields::setState(std::size_t cell, const Macroscopic& state, const LatticeScales& scales)
{
    const double speed = scales.dx/scales.dt;
    if (Field* U = find("U"))
        for (int a = 0; a < 3; ++a) U->set(3*cell + scales.caseAxis[a], speed*state.velocity[a]);
    if (Field* p = find("p")) p->set(cell, scales.pressureOffset + (state.density - 1)/3*speed*speed);
    if (Field* density = find("density")) density->set(cell, state.density);
    if (!velocities_.empty()) velocities_[cell] = state.velocity;
}

// The stress that the fluid's strain puts on a surface with normal n, without its part along n
void LatticeFields::setWallStress(std::size_t cell, const Macroscopic& state, const LatticeScales& scales)
{
    Vec3 normal{0, 0, 0};
    const auto [begin, end] = linksOf(domain_, cells_.nodes()[cell]);
    for (auto link = begin; link != end; ++link) {
        if (!walls_[link->patch]) continue;
        const Int3 c = directionOf(link->direction);
        for (int a = 0; a < 3; ++a) normal[a] += c[a];
    }
    const double length = std::sqrt(normal[0]*normal[0] + normal[1]*normal[1] + normal[2]*normal[2]);
    if (length == 0) return;            // walls on both sides
    Vec3 traction{0, 0, 0};
    double along = 0;
    for (int a = 0; a < 3; ++a) normal[a] /= length;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) traction[a] += state.strainRate[strainIndex[a][b]]*normal[b];
        along += traction[a]*normal[a];
    }
    const double scale = 2*scales.viscosity/scales.dt;
    Field* stress = find("wallShearStress");
    for (int a = 0; a < 3; ++a)
        stress->set(3*cell + scales.caseAxis[a], scale*(traction[a] - along*normal[a]));
}

std::ptrdiff_t LatticeFields::neighbour(std::size_t cell, int axis, int side) const
{
    const auto& nodes = cells_.nodes();
    const NodeIndex node = nodes[cell];
    Int3 c{0, 0, 0};
    c[axis] = side;
    const NodeIndex target = domain_.neighbour(domain_.coordinates(node), c);
    if (target < 0 || !domain_.fluid[target]) return -1;
    if (findLink(domain_, node, c)) return -1;
    // Between the two there are no more cells than nodes
    const std::ptrdiff_t at = std::ptrdiff_t(cell), n = std::ptrdiff_t(nodes.size());
    const auto low = nodes.begin() + (target > node ? at : std::max(at - (node - target), std::ptrdiff_t(0)));
    const auto high = nodes.begin() + (target > node ? std::min(at + (target - node) + 1, n) : at + 1);
    return std::lower_bound(low, high, target) - nodes.begin();
}

void LatticeFields::setGradient(std::size_t cell, const LatticeScales& scales)
{
    double g[3][3] = {};                // d u_b/d x_a, lattice units
    for (int a = 0; a < domain_.dimensions; ++a) {
        const std::ptrdiff_t up = neighbour(cell, a, 1), down = neighbour(cell, a, -1);
        const int steps = (up >= 0) + (down >= 0);
        if (!steps) continue;
        const Vec3& high = velocities_[up >= 0 ? up : std::ptrdiff_t(cell)];
        const Vec3& low = velocities_[down >= 0 ? down : std::ptrdiff_t(cell)];
        for (int b = 0; b < 3; ++b) g[a][b] = (high[b] - low[b])/steps;
    }
    const double rate = 1/scales.dt;
    if (Field* vorticity = find("vorticity"))
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            vorticity->set(3*cell + scales.caseAxis[a], rate*(g[b][c] - g[c][b]));
        }
    if (Field* Q = find("Q")) {
        double sum = 0, trace = 0;      // as OpenFOAM's Q
        for (int a = 0; a < 3; ++a) {
            trace += g[a][a];
            for (int b = 0; b < 3; ++b) sum += g[a][b]*g[b][a];
        }
        Q->set(cell, 0.5*rate*rate*(trace*trace - sum));
    }
}

void LatticeFields::countLinks()
{
    const auto& nodes = cells_.nodes();
    Field* kind = find("nodeKind");
    Field* patch = find("patchID");
    if (patch) std::fill(patch->number.begin(), patch->number.end(), -1);
    std::size_t cell = 0;
    for (const Link& link : domain_.links) {
        while (nodes[cell] < link.node) ++cell;
        if (kind) ++kind->number[cell];
        if (patch && patch->number[cell] < 0) patch->number[cell] = link.patch;
    }
}

void LatticeFields::findTiles()
{
    Int3 extents{1, 1, 1};
    if (std::sscanf(solver_.row().tile.c_str(), "%dx%dx%d", &extents[0], &extents[1], &extents[2]) != 3)
        throw std::logic_error("no tile " + solver_.row().tile);
    const TileGrid grid(domain_, extents);
    Field& tile = *find("tileID");
    const auto& nodes = cells_.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) tile.number[i] = grid.place(domain_.coordinates(nodes[i])).tile;
}

} // namespace lbm
