/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/voxelCells/voxelCells.H"

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace
{

//- Of cells, by which the middle of one may be off the flow's end
const Foam::scalar samePlane = 1e-6;


lbm::Int3 halves(const lbm::Int3& size)
{
    return {(size[0] + 1)/2, (size[1] + 1)/2, (size[2] + 1)/2};
}


std::int64_t product(const lbm::Int3& n)
{
    return std::int64_t(n[0])*n[1]*n[2];
}


//- f(place) of all in the box
template<class Function>
void forEachIn(const Foam::voxelCells::nodeBox& box, const Function& f)
{
    for (int z = box.low[2]; z < box.high[2]; ++z)
    {
        for (int y = box.low[1]; y < box.high[1]; ++y)
        {
            for (int x = box.low[0]; x < box.high[0]; ++x) f(lbm::Int3{x, y, z});
        }
    }
}

} // End anonymous namespace


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

std::int64_t Foam::voxelCells::cube(const int level, const lbm::Int3& at) const
{
    const lbm::Int3& n = cubes_[level];
    return at[0] + n[0]*(at[1] + std::int64_t(n[1])*at[2]);
}


bool Foam::voxelCells::inDomain(const lbm::Int3& node) const
{
    for (int a = 0; a < 3; ++a)
    {
        if (node[a] < 0 || node[a] >= domain_.size[a]) return false;
    }
    return true;
}


Foam::voxelCells::nodeBox Foam::voxelCells::fluidBounds() const
{
    const lbm::Int3& n = domain_.size;
    nodeBox bounds{n, {0, 0, 0}};
    for (int z = 0; z < n[2]; ++z)
    {
        for (int y = 0; y < n[1]; ++y)
        {
            domain_.fluid.forEachIn
            (
                domain_.index(0, y, z),
                n[0],
                [&](const std::int64_t x)
                {
                    const lbm::Int3 at{int(x), y, z};
                    for (int a = 0; a < 3; ++a)
                    {
                        bounds.low[a] = std::min(bounds.low[a], at[a]);
                        bounds.high[a] = std::max(bounds.high[a], at[a] + 1);
                    }
                }
            );
        }
    }
    return bounds;
}


lbm::Int3 Foam::voxelCells::cubeOf(const int level, const lbm::Int3& node) const
{
    const lbm::Int3& low = fluid_.low;
    return {(node[0] - low[0]) >> level, (node[1] - low[1]) >> level, (node[2] - low[2]) >> level};
}


void Foam::voxelCells::findSmallest(lbm::BitSet& fluid)
{
    cubes_.push_back(halves(cubes_[0]));
    fluid = lbm::BitSet(product(cubes_[1]));
    lbm::BitSet stays(fluid);

    const auto keep = [&](const lbm::Int3& node) { stays.set(cube(1, cubeOf(1, node))); };
    forEachIn
    (
        fluid_,
        [&](const lbm::Int3& node)
        {
            const bool isFluid = domain_.fluid[domain_.index(node[0], node[1], node[2])];
            (isFluid ? fluid : stays).set(cube(1, cubeOf(1, node)));
        }
    );
    for (const lbm::Link& link : domain_.links)
    {
        const lbm::Int3 at = domain_.coordinates(link.node), c = lbm::directionOf(link.direction);
        const lbm::Int3 to = {at[0] + c[0], at[1] + c[1], at[2] + c[2]};
        if (inDomain(to) && domain_.fluid[domain_.index(to[0], to[1], to[2])]) keep(at);
    }
    nodeBox fine(fine_);
    for (int a = 0; a < 3; ++a)
    {
        fine.low[a] = std::max(fine.low[a], fluid_.low[a]);
        fine.high[a] = std::min(fine.high[a], fluid_.high[a]);
    }
    forEachIn(fine, keep);

    whole_.emplace_back(fluid.size());
    for (std::int64_t i = 0; i < fluid.size(); ++i) whole_[1].set(i, fluid[i] && !stays[i]);
}


void Foam::voxelCells::findLarger(const int level, lbm::BitSet& fluid)
{
    const lbm::Int3 half = cubes_[level - 1];
    cubes_.push_back(halves(half));
    whole_.emplace_back(product(cubes_[level]), true);

    lbm::BitSet larger(product(cubes_[level]));
    forEachIn
    (
        {{0, 0, 0}, half},
        [&](const lbm::Int3& at)
        {
            const std::int64_t small = cube(level - 1, at), large = cube(level, {at[0]/2, at[1]/2, at[2]/2});
            if (fluid[small]) larger.set(large);
            if (!whole_[level - 1][small]) whole_[level].clear(large);
        }
    );
    forEachIn
    (
        {{0, 0, 0}, cubes_[level]},
        [&](const lbm::Int3& at)
        {
            const std::int64_t i = cube(level, at);
            if (whole_[level][i] && !fits(level, at, fluid)) whole_[level].clear(i);
        }
    );
    fluid = larger;
}


bool Foam::voxelCells::fits(const int level, const lbm::Int3& at, const lbm::BitSet& halfFluid) const
{
    const lbm::Int3& n = cubes_[level - 1];
    for (int axis = 0; axis < 3; ++axis)
    {
        for (const int beside : {2*at[axis] - 1, 2*at[axis] + 2})
        {
            if (beside < 0 || beside >= n[axis]) continue;
            for (int quarter = 0; quarter < 4; ++quarter)
            {
                const int a = (axis + 1) % 3, b = (axis + 2) % 3;
                lbm::Int3 small;
                small[axis] = beside;
                small[a] = 2*at[a] + (quarter & 1);
                small[b] = 2*at[b] + (quarter >> 1);
                if (small[a] >= n[a] || small[b] >= n[b]) continue;
                const std::int64_t i = cube(level - 1, small);
                if (halfFluid[i] && !whole_[level - 1][i]) return false;
            }
        }
    }
    return true;
}


void Foam::voxelCells::findRows()
{
    rows_.assign(std::size_t(domain_.size[1])*domain_.size[2] + 1, 0);
    linked_ = lbm::BitSet(domain_.nodes());
    for (const lbm::Link& link : domain_.links)
    {
        ++rows_[link.node/domain_.size[0] + 1];
        linked_.set(link.node);
    }
    for (std::size_t row = 1; row < rows_.size(); ++row) rows_[row] += rows_[row - 1];
}


void Foam::voxelCells::numberCells()
{
    inBox_ = labelList(levels_ + 1, Zero);
    outside_ = inBox_;
    if (!levels_)
    {
        cells_ = rankedBits(domain_.fluid);
    }
    else
    {
        cells_ = rankedBits(domain_.nodes());
        domain_.fluid.forEachIn
        (
            0,
            domain_.nodes(),
            [&](const lbm::NodeIndex node)
            {
                const lbm::Int3 at = domain_.coordinates(node);
                if (cellAt(at, level(at)).low == at) cells_.set(node);
            }
        );
        cells_.number();
    }
    const auto count = [&](const lbm::Int3& at)
    {
        bool inside = true;
        for (int a = 0; a < 3; ++a) inside = inside && at[a] >= fine_.low[a] && at[a] < fine_.high[a];
        ++(inside ? inBox_ : outside_)[level(at)];
    };
    for (int layer = 0; layer < layers(); ++layer) forEachCell(layer, count);
}


int Foam::voxelCells::level(const lbm::Int3& node) const
{
    int level = 0;
    while (level < levels_)
    {
        const int up = level + 1;
        if (!whole_[up][cube(up, cubeOf(up, node))]) break;
        level = up;
    }
    return level;
}


Foam::voxelCells::nodeBox Foam::voxelCells::cellAt(const lbm::Int3& node, const int level) const
{
    nodeBox cell;
    for (int a = 0; a < 3; ++a)
    {
        const int first = fluid_.low[a];
        cell.low[a] = first + (node[a] - first >> level << level);
        cell.high[a] = std::min(cell.low[a] + (1 << level), fluid_.high[a]);
    }
    return cell;
}


Foam::label Foam::voxelCells::numberOf(const lbm::Int3& node) const
{
    const lbm::Int3 low = cellAt(node, level(node)).low;
    return cells_.numberOf(domain_.index(low[0], low[1], low[2]));
}


Foam::label Foam::voxelCells::patchOf(const lbm::Int3& node, const cellSide& side) const
{
    const lbm::NodeIndex i = domain_.index(node[0], node[1], node[2]);
    if (!linked_[i]) return -1;

    const std::size_t row = node[1] + std::size_t(domain_.size[1])*node[2];
    lbm::Int3 c{0, 0, 0};
    c[side.axis] = side.upper ? 1 : -1;
    const lbm::Link wanted{i, 0, 0, lbm::directionCode(c[0], c[1], c[2])};
    const auto before = [](const lbm::Link& p, const lbm::Link& q)
    {
        return p.node != q.node ? p.node < q.node : p.direction < q.direction;
    };
    const auto end = domain_.links.begin() + rows_[row + 1];
    const auto found = std::lower_bound(domain_.links.begin() + rows_[row], end, wanted, before);
    return found != end && !before(wanted, *found) ? found->patch : -1;
}


Foam::label Foam::voxelCells::patchOf(const cellSide& side) const
{
    // The layer of nodes behind the side
    nodeBox layer(side.nodes);
    int& low = layer.low[side.axis];
    int& high = layer.high[side.axis];
    if (side.upper) low = high - 1;
    else high = low + 1;

    const label patchi = patchOf(layer.low, side);
    if (patchi < 0) return -1;
    for (int z = layer.low[2]; z < layer.high[2]; ++z)
    {
        for (int y = layer.low[1]; y < layer.high[1]; ++y)
        {
            for (int x = layer.low[0]; x < layer.high[0]; ++x)
            {
                if (patchOf(lbm::Int3{x, y, z}, side) != patchi) return -1;
            }
        }
    }
    return patchi;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::voxelCells::voxelCells
(
    lbm::Domain&& domain, const nodeBox& fine, const int levels, const std::optional<lbm::Bounds>& ends
)
:
    domain_(std::move(domain)),
    fluid_(fluidBounds()),
    fine_(fine),
    levels_(levels),
    ends_(ends),
    whole_(1)
{
    cubes_.push_back
    ({
        fluid_.high[0] - fluid_.low[0], fluid_.high[1] - fluid_.low[1], fluid_.high[2] - fluid_.low[2]
    });
    lbm::BitSet fluid;
    if (levels_) findSmallest(fluid);
    for (int level = 2; level <= levels_; ++level) findLarger(level, fluid);
    findRows();
    numberCells();
}


Foam::voxelCells::voxelCells(lbm::Domain&& domain)
:
    voxelCells(std::move(domain), {{0, 0, 0}, domain.size}, 0, std::nullopt)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

lbm::Int3 Foam::voxelCells::cellSide::beyond() const
{
    lbm::Int3 node(nodes.low);
    node[axis] = upper ? nodes.high[axis] : nodes.low[axis] - 1;
    return node;
}


Foam::scalar Foam::voxelCells::plane(const int axis, const label i) const
{
    const scalar x = domain_.origin[axis] + (i - 0.5)*domain_.spacing;
    if (!ends_) return x;
    // A cell's centre lies in the fluid, so that no second plane is as near
    const scalar near = (0.5 - samePlane)*domain_.spacing;
    if (x < ends_->min[axis] + near) return ends_->min[axis];
    return x > ends_->max[axis] - near ? ends_->max[axis] : x;
}


Foam::labelList Foam::voxelCells::sizes() const
{
    labelList all(inBox_);
    forAll(all, level) all[level] += outside_[level];
    return all;
}


bool Foam::voxelCells::reachesBox() const
{
    return inBox_[0] > 0;
}


Foam::scalar Foam::voxelCells::expected(const scalar times, const int levels) const
{
    // Layers between sizes and along walls grow with areas, what they surround with volumes
    scalar all = inBox_[0]*pow3(times);
    forAll(outside_, level)
    {
        const scalar largest = times*(1 << level)/(1 << levels);
        all += outside_[level]*(level == levels_ ? pow3(max(largest, scalar(1))) : sqr(times));
    }
    return all;
}


Foam::labelList Foam::voxelCells::patchFaces() const
{
    labelList one(label(domain_.patches.size()), Zero);
    if (!levels_)
    {
        // A face a link
        for (const lbm::Link& link : domain_.links) ++one[link.patch];
        return one;
    }
    struct counter
    {
        labelList n;
        void internal(const label, const label, const cellSide&) {}
        void boundary(const label, const label patchi, const cellSide&)
        {
            ++n[patchi];
        }
    };
    counter faces{one};
    try
    {
        for (int layer = 0; layer < layers(); ++layer) visitFaces(layer, faces);
    }
    catch (const missingLinks& fault)
    {
        FatalErrorInFunction << fault.what() << exit(FatalError);
    }
    return faces.n;
}
