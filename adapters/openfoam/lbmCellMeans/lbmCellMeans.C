// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCellMeans.H"
#include "lbmCellNodes.H"

#include <omp.h>

namespace
{
    // Smallest mean square distance of the nodes from their middle along any
    // axis, in spacings: two rows have 0.25
    const Foam::scalar minSpread = 0.15;

    // All eigenvalues exceed minSpread: leading minors of what is beyond it
    bool spansAllAxes(const Foam::symmTensor& spread)
    {
        const Foam::symmTensor beyond(spread - minSpread*Foam::symmTensor::I);
        return beyond.xx() > 0
            && beyond.xx()*beyond.yy() > Foam::sqr(beyond.xy())
            && Foam::det(beyond) > 0;
    }
}


Foam::lbmCellMeans::lbmCellMeans
(
    const polyMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const int threads
)
:
    mesh_(mesh),
    domain_(domain),
    axes_(axes),
    nCells_(0)
{
    const lbmCellNodes places(mesh, domain, axes);
    listBoxes(places, threads);
    listNodes(places, threads);
}


void Foam::lbmCellMeans::listBoxes
(
    const lbmCellNodes& places,
    const int threads
)
{
    boxOf_.setSize(mesh_.nCells(), -1);
    label n = 0;
    for (label celli = 0; celli < mesh_.nCells(); ++celli)
    {
        if (places.holdsSeveral(celli)) boxOf_[celli] = n++;
    }
    boxes_.resize(n);
    std::vector<char> is(n, 0);
    const int team = threads > 0 ? threads : omp_get_max_threads();
    #pragma omp parallel for schedule(dynamic, 1024) num_threads(team)
    for (label celli = 0; celli < mesh_.nCells(); ++celli)
    {
        const label i = boxOf_[celli];
        lbm::NodeBox box;
        if (i < 0 || !places.box(celli, true, box)) continue;
        is[i] = weigh(celli, box);
        boxes_[i] = {box.low, box.size};
    }

    // Those that are none, or have too few nodes, are left out
    n = 0;
    for (label& i : boxOf_)
    {
        if (i < 0) continue;
        const bool kept = is[i];
        if (kept) boxes_[n] = boxes_[i];
        i = kept ? n++ : -1;
    }
    boxes_.resize(n);
    boxes_.shrink_to_fit();
    nCells_ += n;
    if (!n) boxOf_.clear();
}


void Foam::lbmCellMeans::listNodes
(
    const lbmCellNodes& places,
    const int threads
)
{
    begin_.reserve(mesh_.nCells() + 1);
    places.all
    (
        threads,
        [&](const label celli)
        {
            return !isBox(celli) && places.holdsSeveral(celli);
        },
        [&](const label celli, std::vector<lbm::NodeIndex>& inCell)
        {
            std::vector<lbmNodeTerm> terms;
            if (!weights(celli, inCell.data(), inCell.size(), terms))
            {
                inCell.clear();
            }
        },
        [&](const label, const std::vector<lbm::NodeIndex>& inCell)
        {
            begin_.push_back(nodes_.size());
            nodes_.insert(nodes_.end(), inCell.begin(), inCell.end());
            nCells_ += !inCell.empty();
        }
    );
    begin_.push_back(nodes_.size());
    if (nodes_.empty()) begin_ = {};
}


bool Foam::lbmCellMeans::trend
(
    const label celli,
    const vector& middle,
    symmTensor spread,
    vector& trend
) const
{
    const label d = axes_.dimensions();
    // The flat direction of two dimensions takes no part
    if (d == 2) spread.zz() = 1;
    if (!spansAllAxes(spread)) return false;

    const lbm::Vec3 x(axes_.coordinates(domain_, mesh_.cellCentres()[celli]));
    vector off(vector(x[0], x[1], x[2]) - middle);
    if (d == 2) off.z() = 0;
    trend = inv(spread) & off;
    return true;
}


bool Foam::lbmCellMeans::weigh(const label celli, lbm::NodeBox& box) const
{
    const vector low(box.low[0], box.low[1], box.low[2]);
    const scalar n = scalar(lbm::fluidNodes(domain_, box));
    if (n < 1) return false;
    const scalar share = 1/n;
    vector middle(Zero);
    symmTensor spread(Zero);
    if (n == scalar(box.size[0])*box.size[1]*box.size[2])
    {
        for (direction a = 0; a < 3; ++a) middle[a] = 0.5*(box.size[a] - 1);
        spread.xx() = (sqr(scalar(box.size[0])) - 1)/12;
        spread.yy() = (sqr(scalar(box.size[1])) - 1)/12;
        spread.zz() = (sqr(scalar(box.size[2])) - 1)/12;
    }
    else
    {
        // From the corner on, which keeps numbers small
        const auto place = [&](const int x, const int y, const int z)
        {
            return vector(x, y, z) - low;
        };
        const auto addPlace = [&](lbm::NodeIndex, int x, int y, int z)
        {
            middle += share*place(x, y, z);
        };
        lbm::forFluid(domain_, box, addPlace);
        const auto addSpread = [&](lbm::NodeIndex, int x, int y, int z)
        {
            spread += share*sqr(place(x, y, z) - middle);
        };
        lbm::forFluid(domain_, box, addSpread);
    }
    vector slope(Zero);
    if (!trend(celli, low + middle, spread, slope)) return false;
    slope *= share;
    box.weight = share - (slope & middle);
    box.slope = {slope.x(), slope.y(), slope.z()};
    return true;
}


std::optional<lbm::NodeBox> Foam::lbmCellMeans::box(const label celli) const
{
    if (!isBox(celli)) return std::nullopt;
    lbm::NodeBox result;
    result.low = boxes_[boxOf_[celli]].low;
    result.size = boxes_[boxOf_[celli]].size;
    weigh(celli, result);
    return result;
}


bool Foam::lbmCellMeans::weights
(
    const label celli,
    const lbm::NodeIndex* nodes,
    const std::size_t n,
    std::vector<lbmNodeTerm>& terms
) const
{
    const scalar share = 1/max(scalar(n), scalar(1));
    vector middle(Zero);
    const auto place = [&](const std::size_t i)
    {
        const lbm::Int3 at = domain_.coordinates(nodes[i]);
        return vector(at[0], at[1], at[2]);
    };
    for (std::size_t i = 0; i < n; ++i) middle += share*place(i);

    symmTensor spread(Zero);
    for (std::size_t i = 0; i < n; ++i) spread += share*sqr(place(i) - middle);
    vector slope(Zero);
    if (!trend(celli, middle, spread, slope)) return false;
    for (std::size_t i = 0; i < n; ++i)
    {
        const scalar w = share*(1 + (slope & (place(i) - middle)));
        terms.push_back({nodes[i], w, w});
    }
    return true;
}


void Foam::lbmCellMeans::append
(
    const label celli,
    std::vector<lbmNodeTerm>& terms
) const
{
    if (const auto own = box(celli))
    {
        const auto add = [&](const lbm::NodeIndex node, int x, int y, int z)
        {
            const scalar w = lbm::weightAt(*own, x, y, z);
            terms.push_back({node, w, w});
        };
        lbm::forFluid(domain_, *own, add);
        return;
    }
    const std::size_t first = begin_[celli];
    weights(celli, nodes_.data() + first, begin_[celli + 1] - first, terms);
}
