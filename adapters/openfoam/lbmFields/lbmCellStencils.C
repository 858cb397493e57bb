// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCellStencils.H"
#include "lbmBoundary.H"
#include "SVD.H"
#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <cmath>

namespace
{
    // A cell centre this near to a node (in spacings) is the node: points are
    // often written with six digits
    const double sameNode = 1e-3;

    // Reach of the fit in nodes on each side; larger where it finds nothing
    const int firstReach = 2;
    const int lastReach = 4;

    // Weight of a place at distance d (in spacings) falls as 1/(d^2 + core)^2
    const double core = 0.04;

    // Directions that the points do not resolve are left out of the fit
    const double minCondition = 1e-6;

    // Cells that a thread takes at a time
    const Foam::label cellsOfShare = 1024;
}


Foam::lbmCellStencils::lbmCellStencils
(
    const fvMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const lbmBoundary& boundary,
    const std::vector<lbm::Int3>& directions,
    const int threads
)
:
    mesh_(mesh),
    domain_(domain),
    axes_(axes),
    boundary_(boundary),
    directions_(directions),
    nOrphans_(0),
    means_(mesh, domain, axes, threads)
{
    // What threads find is put together in the order of the cells
    struct found
    {
        std::vector<std::pair<label, stencil>> irregular;
        std::vector<label> orphans;
    };
    const label n = mesh.C().size();
    std::vector<found> all((n + cellsOfShare - 1)/cellsOfShare);
    lbm::inParallel
    (
        all.size(),
        [&](const std::size_t share)
        {
            const label first = label(share)*cellsOfShare;
            std::vector<nodeTerm> terms;
            for (label celli = first; celli < min(n, first + cellsOfShare); ++celli)
            {
                if (means_.averages(celli)) continue;

                const lbm::Vec3 x(axes_.coordinates(domain_, mesh.C()[celli]));
                terms.clear();
                around(x, terms);
                if (connected(terms)) continue;

                stencil s;
                if (fit(x, s)) all[share].irregular.emplace_back(celli, std::move(s));
                else all[share].orphans.push_back(celli);
            }
        },
        threads
    );
    DynamicList<label> orphans;
    for (found& its : all)
    {
        for (auto& [celli, s] : its.irregular) irregular_.emplace(celli, std::move(s));
        for (const label celli : its.orphans) orphans.append(celli);
        its = found();
    }
    nOrphans_ = orphans.size();
    adoptOrphans(labelList(std::move(orphans)));
}


lbm::NodeIndex Foam::lbmCellStencils::node(lbm::Int3 at) const
{
    for (int a = 0; a < 3; ++a)
    {
        const int n = domain_.size[a];
        if (domain_.periodic[a]) at[a] = (at[a] % n + n) % n;
        if (at[a] < 0 || at[a] >= n) return -1;
    }
    return domain_.index(at[0], at[1], at[2]);
}


std::size_t Foam::lbmCellStencils::firstLink(const lbm::NodeIndex i) const
{
    const auto before = [](const lbm::Link& link, const lbm::NodeIndex n)
    {
        return link.node < n;
    };
    const auto& links = domain_.links;
    return std::lower_bound(links.begin(), links.end(), i, before)
        - links.begin();
}


bool Foam::lbmCellStencils::cut
(
    const lbm::NodeIndex i,
    const lbm::Int3& c
) const
{
    const auto code = lbm::directionCode(c[0], c[1], c[2]);
    const auto& links = domain_.links;
    for (std::size_t k = firstLink(i); k < links.size(); ++k)
    {
        if (links[k].node != i) break;
        if (links[k].direction == code) return true;
    }
    return false;
}


void Foam::lbmCellStencils::around
(
    const lbm::Vec3& x,
    std::vector<nodeTerm>& terms
) const
{
    lbm::Int3 base{0, 0, 0};
    double share[3] = {0, 0, 0};    // of the upper node
    for (int a = 0; a < axes_.dimensions(); ++a)
    {
        const double nearest = std::round(x[a]);
        const bool exact = std::abs(x[a] - nearest) < sameNode;
        base[a] = int(exact ? nearest : std::floor(x[a]));
        share[a] = exact ? 0 : x[a] - base[a];
    }
    for (int corner = 0; corner < 8; ++corner)
    {
        lbm::Int3 at = base;
        scalar weight = 1;
        for (int a = 0; a < 3; ++a)
        {
            const int up = corner >> a & 1;
            at[a] += up;
            weight *= up ? share[a] : 1 - share[a];
        }
        if (weight > 0) terms.push_back({node(at), weight, weight});
    }
}


bool Foam::lbmCellStencils::connected(const std::vector<nodeTerm>& terms) const
{
    for (const nodeTerm& t : terms)
    {
        if (!fluid(t.node)) return false;
    }
    if (terms.size() == 1) return true;

    const auto& links = domain_.links;
    for (const nodeTerm& t : terms)
    {
        const lbm::Int3 from = domain_.coordinates(t.node);
        for (std::size_t k = firstLink(t.node); k < links.size(); ++k)
        {
            if (links[k].node != t.node) break;

            const lbm::NodeIndex to = domain_.neighbour
            (
                from, lbm::directionOf(links[k].direction)
            );
            for (const nodeTerm& other : terms)
            {
                if (other.node == to) return false;
            }
        }
    }
    return true;
}


std::vector<lbm::Int3> Foam::lbmCellStencils::nearby
(
    const lbm::Vec3& x,
    const int reach
) const
{
    lbm::Int3 low{0, 0, 0}, high{0, 0, 0};
    for (int a = 0; a < axes_.dimensions(); ++a)
    {
        low[a] = int(std::floor(x[a])) - (reach - 1);
        high[a] = low[a] + 2*reach - 1;
    }

    // Of each node of this box which candidate it is, or -1
    lbm::Int3 size{1, 1, 1};
    for (int a = 0; a < 3; ++a) size[a] = high[a] - low[a] + 1;
    std::vector<int> numbers(std::size_t(size[0])*size[1]*size[2], -1);
    const auto number = [&](const lbm::Int3& at) -> int*
    {
        std::size_t i = 0;
        for (int a = 2; a >= 0; --a)
        {
            if (at[a] < low[a] || at[a] > high[a]) return nullptr;
            i = i*size[a] + (at[a] - low[a]);
        }
        return &numbers[i];
    };

    std::vector<lbm::Int3> candidates;
    std::size_t nearest = 0;
    double best = GREAT;
    for (int k = low[2]; k <= high[2]; ++k)
    {
        for (int j = low[1]; j <= high[1]; ++j)
        {
            for (int i = low[0]; i <= high[0]; ++i)
            {
                if (!fluid(node({i, j, k}))) continue;
                const double d =
                    sqr(i - x[0]) + sqr(j - x[1]) + sqr(k - x[2]);
                if (d < best)
                {
                    best = d;
                    nearest = candidates.size();
                }
                *number({i, j, k}) = int(candidates.size());
                candidates.push_back({i, j, k});
            }
        }
    }
    if (candidates.empty()) return candidates;

    // Those that the nearest one is connected with
    std::vector<lbm::Int3> found{candidates[nearest]};
    std::vector<bool> seen(candidates.size(), false);
    seen[nearest] = true;
    for (std::size_t n = 0; n < found.size(); ++n)
    {
        for (const lbm::Int3& c : directions_)
        {
            const lbm::Int3 at =
            {
                found[n][0] + c[0], found[n][1] + c[1], found[n][2] + c[2]
            };
            const int* const candidate = number(at);
            if (!candidate || *candidate < 0) continue;
            const std::size_t m = std::size_t(*candidate);
            if (seen[m] || cut(node(found[n]), c)) continue;
            seen[m] = true;
            found.push_back(at);
        }
    }
    return found;
}


void Foam::lbmCellStencils::addLinks
(
    const lbm::Vec3& centre,
    const lbm::Int3& at,
    std::vector<sample>& samples
) const
{
    const lbm::NodeIndex i = node(at);
    const auto& links = domain_.links;
    for (std::size_t k = firstLink(i); k < links.size(); ++k)
    {
        const lbm::Link& link = links[k];
        if (link.node != i) break;

        const lbmPatchKind& kind = boundary_.kinds()[link.patch];
        if (!kind.fluidSticks() && !kind.fixesPressure()) continue;

        sample s;
        s.node = -1;
        s.patch = link.patch;
        s.face = kind.variable()
          ? boundary_.faceOfLink(link.patch, label(k)) : -1;
        s.hasU = kind.fluidSticks();
        s.hasP = kind.fixesPressure();
        const lbm::Int3 c = lbm::directionOf(link.direction);
        for (int a = 0; a < 3; ++a)
        {
            s.offset[a] = at[a] + double(link.fraction)*c[a] - centre[a];
        }
        samples.push_back(s);
    }
}


Foam::scalarList Foam::lbmCellStencils::coefficients
(
    const std::vector<sample>& samples,
    bool sample::* const has
) const
{
    // Normal equations of value + gradient.offset; the value is wanted
    const label n = axes_.dimensions() + 1;
    const auto basis = [](const sample& s, const label i)
    {
        return i == 0 ? 1.0 : s.offset[i - 1];
    };

    scalarRectangularMatrix normal(n, n, Zero);
    for (const sample& s : samples)
    {
        if (!(s.*has)) continue;
        for (label i = 0; i < n; ++i)
        {
            for (label j = 0; j < n; ++j)
            {
                normal(i, j) += s.weight*basis(s, i)*basis(s, j);
            }
        }
    }
    const scalarRectangularMatrix inverse(SVD(normal, minCondition).VSinvUt());

    scalarList result(label(samples.size()), Zero);
    forAll(result, k)
    {
        const sample& s = samples[k];
        if (!(s.*has)) continue;
        for (label i = 0; i < n; ++i)
        {
            result[k] += s.weight*inverse(0, i)*basis(s, i);
        }
    }
    return result;
}


std::vector<lbm::Int3> Foam::lbmCellStencils::nearby(const lbm::Vec3& x) const
{
    std::vector<lbm::Int3> places;
    for (int reach = firstReach; reach <= lastReach && places.empty(); ++reach)
    {
        places = nearby(x, reach);
    }
    return places;
}


Foam::lbmCellStencils::sample Foam::lbmCellStencils::sampleAt
(
    const lbm::Int3& at,
    const lbm::Vec3& centre
) const
{
    sample s{{0, 0, 0}, 0, node(at), -1, -1, true, true};
    for (int a = 0; a < 3; ++a) s.offset[a] = at[a] - centre[a];
    return s;
}


void Foam::lbmCellStencils::weigh(std::vector<sample>& samples)
{
    for (sample& s : samples)
    {
        const scalar d =
            sqr(s.offset[0]) + sqr(s.offset[1]) + sqr(s.offset[2]);
        s.weight = 1/sqr(d + core);
    }
}


bool Foam::lbmCellStencils::fit(const lbm::Vec3& centre, stencil& result) const
{
    std::vector<sample> samples;
    for (const lbm::Int3& at : nearby(centre))
    {
        samples.push_back(sampleAt(at, centre));
        addLinks(centre, at, samples);
    }
    if (samples.empty()) return false;
    weigh(samples);

    const scalarList U(coefficients(samples, &sample::hasU));
    const scalarList p(coefficients(samples, &sample::hasP));
    forAll(U, k)
    {
        const sample& s = samples[k];
        if (s.node >= 0)
        {
            result.nodes.push_back({s.node, U[k], p[k]});
        }
        else if (s.face >= 0)
        {
            result.faces.push_back({s.patch, s.face, U[k], p[k]});
        }
    }
    return true;
}


bool Foam::lbmCellStencils::wallTerms
(
    const point& onWall,
    const point& inside,
    std::vector<nodeTerm>& terms
) const
{
    const lbm::Vec3 centre(axes_.coordinates(domain_, onWall));
    std::vector<sample> samples;
    for (const lbm::Int3& at : nearby(axes_.coordinates(domain_, inside)))
    {
        samples.push_back(sampleAt(at, centre));
    }
    if (samples.empty()) return false;
    weigh(samples);

    const scalarList weights(coefficients(samples, &sample::hasU));
    forAll(weights, k)
    {
        terms.push_back({samples[k].node, weights[k], weights[k]});
    }
    return true;
}


void Foam::lbmCellStencils::adoptOrphans(labelList orphans)
{
    // From the cells around, layer by layer
    labelHashSet waiting(orphans);
    while (orphans.size())
    {
        std::unordered_map<label, stencil> found;
        for (const label celli : orphans)
        {
            for (const label other : mesh_.cellCells()[celli])
            {
                if (waiting.found(other)) continue;
                stencil s;
                append(other, s.nodes, s.faces);
                found.emplace(celli, std::move(s));
                break;
            }
        }
        if (found.empty())
        {
            FatalErrorInFunction
                << "Cell " << orphans[0] << " at " << mesh_.C()[orphans[0]]
                << " lies in a part of the mesh without any lattice node"
                << nl << "Choose smaller cells in system/lbmDict"
                << exit(FatalError);
        }
        for (auto& entry : found) waiting.erase(entry.first);
        irregular_.merge(found);
        orphans = waiting.sortedToc();
    }
}


void Foam::lbmCellStencils::append
(
    const label celli,
    std::vector<nodeTerm>& nodes,
    std::vector<faceTerm>& faces
) const
{
    if (means_.averages(celli))
    {
        means_.append(celli, nodes);
        return;
    }
    const auto it = irregular_.find(celli);
    if (it == irregular_.end())
    {
        around(axes_.coordinates(domain_, mesh_.C()[celli]), nodes);
        return;
    }
    const stencil& s = it->second;
    nodes.insert(nodes.end(), s.nodes.begin(), s.nodes.end());
    faces.insert(faces.end(), s.faces.begin(), s.faces.end());
}


void Foam::lbmCellStencils::appendNodes
(
    const label celli,
    std::vector<nodeTerm>& nodes
) const
{
    const auto it = irregular_.find(celli);
    if (it == irregular_.end())
    {
        std::vector<faceTerm> none;
        append(celli, nodes, none);
        return;
    }
    const point& centre = mesh_.C()[celli];
    if (wallTerms(centre, centre, nodes)) return;

    // Another cell's nodes
    const scalar share = 1.0/max(std::size_t(1), it->second.nodes.size());
    for (const nodeTerm& term : it->second.nodes)
    {
        nodes.push_back({term.node, share, share});
    }
}
