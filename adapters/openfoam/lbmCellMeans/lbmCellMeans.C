// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCellMeans.H"
#include "lbmCellNodes.H"

namespace
{
    // Volumes are computed from points that are often written with six digits
    const Foam::scalar roundOff = 1e-3;

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
    const label d = axes.dimensions();
    const scalar depth = d == 3 ? 1 : mesh.bounds().span()[axes.foamAxis(2)];
    const scalar least =
        pow(2*domain.spacing, scalar(d))*depth*(1 - roundOff);

    const scalarField& volumes = mesh.cellVolumes();
    begin_.reserve(mesh.nCells() + 1);
    places.all
    (
        threads,
        [&](const label celli, std::vector<lbm::NodeIndex>& inCell)
        {
            std::vector<lbmNodeTerm> terms;
            thin(inCell);
            const bool mean = volumes[celli] >= least
             && weights(celli, inCell.data(), inCell.size(), terms);
            if (!mean) inCell.clear();
        },
        [&](const label, const std::vector<lbm::NodeIndex>& inCell)
        {
            begin_.push_back(nodes_.size());
            nodes_.insert(nodes_.end(), inCell.begin(), inCell.end());
            nCells_ += !inCell.empty();
        }
    );
    begin_.push_back(nodes_.size());
    if (!nCells_) begin_ = {};
}


void Foam::lbmCellMeans::thin(std::vector<lbm::NodeIndex>& nodes) const
{
    const label d = axes_.dimensions();
    const auto holds = [&](const label along)
    {
        return scalar(nodes.size()) <= pow(scalar(along), scalar(d));
    };
    int step = 1;
    while (!holds(step*mostAlong)) ++step;
    if (step == 1) return;

    lbm::Int3 low(domain_.coordinates(nodes[0])), high(low);
    for (const lbm::NodeIndex node : nodes)
    {
        const lbm::Int3 at = domain_.coordinates(node);
        for (label a = 0; a < d; ++a)
        {
            low[a] = min(low[a], at[a]);
            high[a] = max(high[a], at[a]);
        }
    }
    std::vector<lbm::NodeIndex> chosen;
    for (const lbm::NodeIndex node : nodes)
    {
        const lbm::Int3 at = domain_.coordinates(node);
        bool taken = true;
        for (label a = 0; a < d; ++a)
        {
            // As far from one end as from the other
            const int first = (high[a] - low[a]) % step/2;
            taken = taken && (at[a] - low[a]) % step == first;
        }
        if (taken) chosen.push_back(node);
    }
    nodes.swap(chosen);
}


bool Foam::lbmCellMeans::weights
(
    const label celli,
    const lbm::NodeIndex* nodes,
    const std::size_t n,
    std::vector<lbmNodeTerm>& terms
) const
{
    const label d = axes_.dimensions();
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
    // The flat direction of two dimensions takes no part
    if (d == 2) spread.zz() = 1;
    if (!spansAllAxes(spread)) return false;

    const lbm::Vec3 x(axes_.coordinates(domain_, mesh_.cellCentres()[celli]));
    vector off(vector(x[0], x[1], x[2]) - middle);
    if (d == 2) off.z() = 0;
    const vector trend(inv(spread) & off);
    for (std::size_t i = 0; i < n; ++i)
    {
        const scalar w = share*(1 + (trend & (place(i) - middle)));
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
    const std::size_t first = begin_[celli];
    weights(celli, nodes_.data() + first, begin_[celli + 1] - first, terms);
}
