// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmZoneNodes.H"

#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <parallel/algorithm>

namespace
{
    // Places along a node's edge: parts of a node are known to 1/16 or 1/27
    const int finePlane = 4;
    const int fineSpace = 3;

    // Places are a little off the middle, [dx]: meshes like to have faces there
    const double offMiddle[3] = {1.1e-5, 1.7e-5, 2.3e-5};

    // Cells that a thread takes at a time
    const Foam::label sharedOut = 512;

    // Of a normal, what is none of its own axis
    const double oblique = 1e-9;

    // Axis of a normal along one, or -1
    int axisOf(const Foam::vector& n)
    {
        const double bound = oblique*mag(n);
        int axis = -1;
        for (int a = 0; a < 3; ++a)
        {
            if (Foam::mag(n[a]) <= bound) continue;
            if (axis >= 0) return -1;
            axis = a;
        }
        return axis;
    }
}


Foam::lbmZoneNodes::lbmZoneNodes
(
    const polyMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const labelUList& cells
)
:
    mesh_(mesh),
    domain_(domain),
    axes_(axes),
    fine_(axes.dimensions() == 2 ? finePlane : fineSpace),
    ofPlace_
    (
        sqr(domain.spacing/fine_)
       *(
            axes.dimensions() == 2 ? mesh.bounds().span()[axes.foamAxis(2)]
          : domain.spacing/fine_
        )
    )
{
    labelList zoneCell(mesh.nCells(), -1);
    forAll(cells, i) zoneCell[cells[i]] = i;

    // Made when somebody asks, which threads must not do together
    mesh_.cells();
    mesh_.cellPoints();
    mesh_.cellCentres();
    mesh_.cellVolumes();
    mesh_.faceCentres();
    mesh_.faceAreas();

    std::vector<count> counts;
    addPlaces(cells, zoneCell, counts);
    std::vector<bool> inZone(domain_.fluid.size(), false);
    for (const count& found : counts) inZone[found.node] = true;
    DynamicList<label> beside;
    forAll(zoneCell, celli)
    {
        if (zoneCell[celli] < 0 && mayHave(celli, inZone))
        {
            beside.append(celli);
        }
    }
    addPlaces(beside, zoneCell, counts);
    // Places last: the same order with any number of threads
    __gnu_parallel::sort
    (
        counts.begin(),
        counts.end(),
        [](const count& a, const count& b)
        {
            if (a.node != b.node) return a.node < b.node;
            return a.cell != b.cell ? a.cell < b.cell : a.places < b.places;
        }
    );
    collect(counts);
}


void Foam::lbmZoneNodes::addPlaces
(
    const labelUList& cells,
    const labelUList& zoneCell,
    std::vector<count>& counts
) const
{
    std::vector<std::vector<count>> found
    (
        (cells.size() + sharedOut - 1)/sharedOut
    );
    lbm::inParallel(found.size(), [&](const std::size_t share)
    {
        const label first = share*sharedOut;
        const label end = min(first + sharedOut, cells.size());
        for (label i = first; i < end; ++i)
        {
            countPlaces(cells[i], zoneCell[cells[i]], found[share]);
        }
    });
    for (const auto& some : found)
    {
        counts.insert(counts.end(), some.begin(), some.end());
    }
}


bool Foam::lbmZoneNodes::mayHave
(
    const label celli,
    const std::vector<bool>& nodes
) const
{
    const boundBox bounds(mesh_.points(), mesh_.cellPoints()[celli], false);
    const lbm::Vec3 low(axes_.coordinates(domain_, bounds.min()));
    const lbm::Vec3 high(axes_.coordinates(domain_, bounds.max()));
    lbm::Int3 first{0, 0, 0}, last{0, 0, 0};
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        first[a] = std::max(int(std::floor(low[a] + 0.5)), 0);
        last[a] = std::min(int(std::floor(high[a] + 0.5)), domain_.size[a] - 1);
    }
    for (int z = first[2]; z <= last[2]; ++z)
    {
        for (int y = first[1]; y <= last[1]; ++y)
        {
            for (int x = first[0]; x <= last[0]; ++x)
            {
                if (nodes[domain_.index(x, y, z)]) return true;
            }
        }
    }
    return false;
}


lbm::NodeIndex Foam::lbmZoneNodes::nodeOf(const lbm::Int3& place) const
{
    lbm::Int3 at{0, 0, 0};
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        if (place[a] < 0) return -1;
        at[a] = place[a]/fine_;
        if (at[a] >= domain_.size[a]) return -1;
    }
    const lbm::NodeIndex node = domain_.index(at[0], at[1], at[2]);
    return domain_.fluid[node] ? node : -1;
}


bool Foam::lbmZoneNodes::countOfBox
(
    const label zoneCell,
    const planeList& planes,
    const lbm::Int3& first,
    const lbm::Int3& last,
    std::vector<count>& counts
) const
{
    const auto isAlongAnAxis = [](const std::pair<vector, scalar>& plane)
    {
        return axisOf(plane.first) >= 0;
    };
    if (!std::all_of(planes.begin(), planes.end(), isAlongAnAxis)) return false;

    // Of each axis, the nodes that have places between the planes across it,
    // and how many
    std::array<std::vector<std::pair<int, int>>, 3> nodes;
    for (label a = 0; a < 3; ++a)
    {
        if (a >= axes_.dimensions())
        {
            nodes[a] = {{0, 1}};
            continue;
        }
        for (int at = std::max(first[a], 0); at <= last[a]; ++at)
        {
            lbm::Vec3 x{0, 0, 0};
            x[a] = along(at, a);
            const int axis = axes_.foamAxis(a);
            const scalar here = axes_.position(domain_, x)[axis];
            bool inside = at/fine_ < domain_.size[a];
            for (const auto& plane : planes)
            {
                if (axisOf(plane.first) != axis) continue;
                inside = inside && plane.first[axis]*here <= plane.second;
            }
            if (!inside) continue;
            if (nodes[a].empty() || nodes[a].back().first != at/fine_)
            {
                nodes[a].push_back({at/fine_, 0});
            }
            ++nodes[a].back().second;
        }
    }
    bool some = false;
    for (const auto& z : nodes[2])
    {
        for (const auto& y : nodes[1])
        {
            for (const auto& x : nodes[0])
            {
                const lbm::NodeIndex node =
                    domain_.index(x.first, y.first, z.first);
                if (!domain_.fluid[node]) continue;
                some = true;
                counts.push_back
                (
                    {node, zoneCell, scalar(x.second*y.second*z.second)}
                );
            }
        }
    }
    return some;
}


double Foam::lbmZoneNodes::along(const int place, const label axis) const
{
    return (place + 0.5)/fine_ - 0.5 + offMiddle[axis];
}


void Foam::lbmZoneNodes::countPlaces
(
    const label celli,
    const label zoneCell,
    std::vector<count>& counts
) const
{
    // Luck decides whether a place lies in it
    if (mesh_.cellVolumes()[celli] < ofPlace_)
    {
        countCentre(celli, zoneCell, counts);
        return;
    }
    const cell& faces = mesh_.cells()[celli];
    boundBox bounds;
    planeList planes(faces.size());
    forAll(faces, i)
    {
        const label facei = faces[i];
        bounds.add(mesh_.points(), mesh_.faces()[facei]);
        const scalar out = mesh_.faceOwner()[facei] == celli ? 1 : -1;
        const vector n(out*mesh_.faceAreas()[facei]);
        planes[i] = {n, n & mesh_.faceCentres()[facei]};
    }
    const lbm::Vec3 low(axes_.coordinates(domain_, bounds.min()));
    const lbm::Vec3 high(axes_.coordinates(domain_, bounds.max()));
    lbm::Int3 first{0, 0, 0}, last{0, 0, 0};
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        first[a] = int(std::floor((low[a] + 0.5)*fine_)) - 1;
        last[a] = int(std::ceil((high[a] + 0.5)*fine_)) + 1;
    }

    if (countOfBox(zoneCell, planes, first, last, counts)) return;

    std::map<lbm::NodeIndex, int> places;
    lbm::Int3 at;
    for (at[2] = first[2]; at[2] <= last[2]; ++at[2])
    {
        for (at[1] = first[1]; at[1] <= last[1]; ++at[1])
        {
            for (at[0] = first[0]; at[0] <= last[0]; ++at[0])
            {
                lbm::Vec3 x{0, 0, 0};
                for (label a = 0; a < axes_.dimensions(); ++a)
                {
                    x[a] = along(at[a], a);
                }
                const point here(axes_.position(domain_, x));
                bool inside = true;
                for (const auto& plane : planes)
                {
                    inside = inside && (plane.first & here) <= plane.second;
                }
                if (!inside) continue;
                const lbm::NodeIndex node = nodeOf(at);
                if (node >= 0) ++places[node];
            }
        }
    }
    if (places.empty()) countCentre(celli, zoneCell, counts);
    for (const auto& found : places)
    {
        counts.push_back({found.first, zoneCell, scalar(found.second)});
    }
}


void Foam::lbmZoneNodes::countCentre
(
    const label celli,
    const label zoneCell,
    std::vector<count>& counts
) const
{
    const lbm::Vec3 x(axes_.coordinates(domain_, mesh_.cellCentres()[celli]));
    lbm::Int3 place{0, 0, 0};
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        place[a] = int(std::floor((x[a] + 0.5)*fine_));
    }
    const lbm::NodeIndex node = nodeOf(place);
    if (node < 0) return;
    counts.push_back({node, zoneCell, mesh_.cellVolumes()[celli]/ofPlace_});
}


void Foam::lbmZoneNodes::collect(const std::vector<count>& counts)
{
    for (std::size_t i = 0; i < counts.size();)
    {
        std::size_t end = i;
        scalar all = 0;
        for (; end < counts.size() && counts[end].node == counts[i].node; ++end)
        {
            all += counts[end].places;
        }
        const std::size_t before = shares_.size();
        for (std::size_t k = i; k < end; ++k)
        {
            if (counts[k].cell < 0) continue;
            shares_.push_back({counts[k].cell, counts[k].places/all});
        }
        if (shares_.size() > before)
        {
            nodes_.push_back(counts[i].node);
            begin_.push_back(before);
        }
        i = end;
    }
    begin_.push_back(shares_.size());
}
