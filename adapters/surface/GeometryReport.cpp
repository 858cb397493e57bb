// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/GeometryReport.hpp"

#include "adapters/surface/Contacts.hpp"
#include "adapters/surface/MeshEdges.hpp"
#include "adapters/surface/ShellRoles.hpp"
#include "adapters/surface/Thickness.hpp"
#include "adapters/surface/VectorMath.hpp"

#include <algorithm>
#include <omp.h>

namespace lbm {

namespace {

using namespace vec;

constexpr int refinements = 4; // spacings that are looked at

const std::vector<Int3> axes = {{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

std::vector<Int3> allDirections()
{
    std::vector<Int3> result;
    for (int code = 0; code < 27; ++code) result.push_back(directionOf(std::uint8_t(code)));
    return result;
}

constexpr double sampleLength = 2; // spacings between the places at which a triangle is looked at
constexpr int mostSamples = 16;    // along a side

// Share of all orientations for which a direction with so many components is the nearest of the 26
// (Ohser & Muecklich 2000): the weights of Crofton's formula on a cubic lattice.
double croftonWeight(int components)
{
    const double weight[4] = {0, 0.04577789120476, 0.03698062787608, 0.03519563978232};
    return weight[components];
}

// Area of a surface of all orientations for one link of this direction that meets it, for spacing 1: Crofton's formula.
double areaOfLink(const Int3& c)
{
    const int n = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    return n ? 4 * croftonWeight(n) / std::sqrt(double(n)) : 0;
}

// What the formula makes of a plane, over its area: 0.93 for one across an axis.
double croftonOfPlane(const Vec3& unitNormal)
{
    double share = 0;
    for (const Int3& c : allDirections())
        share += 0.5 * areaOfLink(c) * std::abs(unitNormal[0] * c[0] + unitNormal[1] * c[1] + unitNormal[2] * c[2]);
    return share;
}

class Reporter {
public:
    Reporter(const TriangleMesh& mesh, const LatticeBox& box, const SurfaceOptions& options) :
        mesh_(mesh),
        box_(box),
        options_(options),
        bodies_(bodiesOf(mesh, options)),
        topology_(topologyOf(bodies_)),
        roles_(shellRoles(bodies_, topology_)),
        threads_(options.threads > 0 ? options.threads : omp_get_max_threads())
    {
        report_.name = options.name;
    }

    GeometryReport run()
    {
        lookAtTriangles();
        lookAtShells();
        findContacts();
        Domain domain = makeDomain(mesh_, box_, allDirections(), options_, &report_.facts);
        measureLattice(domain);
        report_.pockets = keepConnected(domain, axes, options_.insidePoint, threads_);
        report_.fluidNodes = domain.fluidNodes();
        measureDistances(domain);
        for (const Int3& extents : {Int3{8, 4, 4}, Int3{4, 4, 4}}) {
            report_.tiles.push_back(bestTileOffset(domain, extents));
            report_.orders.push_back(model::compareOrders(domain, extents, GeometryReport::nearTiles));
        }
        predict(domain);
        return std::move(report_);
    }

private:
    void lookAtTriangles()
    {
        report_.triangles = std::int64_t(bodies_.triangles.size());
        report_.points = std::int64_t(bodies_.points.size());
        report_.regions = std::int64_t(mesh_.regionNames.size());
        report_.degenerate = topology_.count(Topology::degenerate);
        report_.repeated = topology_.count(Topology::repeated);
        report_.flipped = topology_.count(Topology::flipped);
        report_.openEdges = topology_.openEdges;
        report_.branchEdges = topology_.branchEdges;
        report_.misorientedEdges = topology_.misorientedEdges;
        report_.defects = topology_.defects;
        report_.shell = topology_.shell;
        report_.defects.resize(mesh_.triangles.size(), 0);
        report_.shell.resize(mesh_.triangles.size(), -1);
    }

    void lookAtShells()
    {
        report_.shells = std::int64_t(topology_.shells.size());
        for (std::size_t s = 0; s < topology_.shells.size(); ++s) {
            const Shell& shell = topology_.shells[s];
            const ShellRole& role = roles_[s];
            report_.closedShells += shell.closed();
            report_.bodies += role.holdsVolume && !role.nested;
            report_.cavities += role.nested;
            report_.sheets += !role.holdsVolume;
            report_.insideOut += role.holdsVolume && role.insideOut;
            report_.area += shell.area;
            if (role.holdsVolume) report_.volume += role.weight * shell.volume;
        }
    }

    void findContacts()
    {
        const exact::Surface surface(bodies_, box_);
        for (const exact::Contact& c : exact::contacts(surface, mergedPoints(bodies_.points))) {
            if (topology_.shell[c.a] < 0 || topology_.shell[c.b] < 0) continue;
            ++(c.crosses ? report_.crossingPairs : report_.touchingPairs);
            if (!c.crosses) continue;
            for (int t : {c.a, c.b}) {
                report_.crossingTriangles += !(report_.defects[t] & Topology::crossing);
                report_.defects[t] |= Topology::crossing;
            }
        }
    }

    bool fluidInBodies() const
    {
        if (!options_.insidePoint) return options_.enclosure < 0;
        Vec3 p = *options_.insidePoint;
        for (int a = 0; a < 3; ++a) p[a] = (p[a] - box_.origin[a]) / box_.spacing;
        return WindingTree(facetsOf(bodies_, topology_, roles_, box_.origin, box_.spacing)).inside(p);
    }

    void measureLattice(const Domain& domain)
    {
        report_.size = domain.size;
        report_.spacing = domain.spacing;
        report_.origin = domain.origin;
        report_.fluidVolume = double(domain.fluidNodes()) * std::pow(domain.spacing, 3);
        fluidInBodies_ = fluidInBodies();
        if (fluidInBodies_) {
            report_.expectedFluidVolume = report_.volume;
        } else if (options_.enclosure > 0) {
            TriangleMesh around = mesh_;
            around.triangles.erase(around.triangles.begin(), around.triangles.begin() + options_.enclosure);
            report_.enclosureVolume = lbm::volume(around);
            report_.expectedFluidVolume = report_.enclosureVolume - report_.volume;
        }

        const std::vector<std::int64_t> links = linksPerPatch(domain);
        for (std::size_t i = 0; i < links.size(); ++i)
            if (links[i] == 0) report_.regionsWithoutLink.push_back(domain.patches[i]);
    }

    double areaOfLinks(const Domain& domain) const
    {
        // regions of the enclosure alone are not part of the surface
        std::vector<bool> ofSurface(mesh_.regionNames.size(), false);
        for (std::int16_t region : bodies_.regions) ofSurface[region] = true;
        std::array<std::int64_t, 27> met{};
        for (const Link& link : domain.links) met[link.direction] += ofSurface[link.patch];
        double area = 0;
        for (int code = 0; code < 27; ++code)
            area += double(met[code] - report_.facts.capLinksAlong[code]) * areaOfLink(directionOf(std::uint8_t(code)));
        return area;
    }

    // Whether a share of the nodes around a place is fluid: the corners of its cell with trilinear weights. In a corner of the
    // fluid a quarter and more are.
    static bool isWetted(const Domain& domain, const Vec3& place)
    {
        double fluid = 0;
        for (int corner = 0; corner < 8; ++corner) {
            Int3 n;
            double weight = 1;
            bool there = true;
            for (int a = 0; a < 3; ++a) {
                const double low = std::floor(place[a]), share = place[a] - low;
                n[a] = int(low) + (corner >> a & 1);
                weight *= corner >> a & 1 ? share : 1 - share;
                there = there && n[a] >= 0 && n[a] < domain.size[a];
            }
            if (there && domain.fluid[domain.index(n[0], n[1], n[2])]) fluid += weight;
        }
        return fluid >= 0.25;
    }

    // Share of a triangle with fluid half a spacing in front of it.
    static double wettedShare(const Domain& domain, const std::array<Vec3, 3>& corners, const Vec3& towards)
    {
        double longest = 0;
        for (int i = 0; i < 3; ++i) longest = std::max(longest, magnitude(corners[(i + 1) % 3] - corners[i]));
        const int n = std::clamp(int(longest / sampleLength), 1, mostSamples);
        const auto at = [&](double i, double j) {
            return corners[0] + (i / n) * (corners[1] - corners[0]) + (j / n) * (corners[2] - corners[0])
                + 0.5 * towards;
        };
        int wetted = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; i + j < n; ++j) {
                wetted += isWetted(domain, at(i + 1.0 / 3, j + 1.0 / 3));
                if (i + j + 1 < n) wetted += isWetted(domain, at(i + 2.0 / 3, j + 2.0 / 3));
            }
        return double(wetted) / (n * n);
    }

    // What meets the fluid; for each triangle its area and whether its corners turn counter-clockwise seen from there.
    void measureWetting(const Domain& domain, const exact::Surface& surface, std::vector<std::int8_t>& outward,
                        std::vector<double>& area)
    {
        double wettedArea = 0, crofton = 0;
        for (std::size_t t = 0; t < bodies_.triangles.size(); ++t) {
            const int shell = topology_.shell[t];
            if (shell < 0) continue;
            const std::array<Vec3, 3> c = surface.place(t);
            const Vec3 product = cross(c[1] - c[0], c[2] - c[0]);
            area[t] = magnitude(product) / 2;
            const bool turned = bool(topology_.defects[t] & Topology::flipped) != (roles_[shell].weight < 0);
            outward[t] = turned == fluidInBodies_ ? 1 : -1;
            if (area[t] == 0) continue;
            const Vec3 normal = (outward[t] / (2 * area[t])) * product;
            double share = wettedShare(domain, c, normal);
            if (!roles_[shell].holdsVolume) share += wettedShare(domain, c, -1.0 * normal);
            report_.wetted[t] = share > 0;
            wettedArea += share * area[t];
            crofton += share * area[t] * croftonOfPlane(normal);
        }
        const double unit = domain.spacing * domain.spacing;
        report_.expectedWettedArea = wettedArea * unit;
        if (crofton > 0) report_.wettedArea = areaOfLinks(domain) * unit * wettedArea / crofton;
    }

    void measureDistances(const Domain& domain)
    {
        const exact::Surface surface(mesh_, box_);
        const std::size_t n = mesh_.triangles.size();
        std::vector<std::int8_t> outward(n, 0);
        std::vector<double> area(n, 0);
        report_.wetted.assign(n, 0);
        measureWetting(domain, surface, outward, area);
        const exact::Thickness found = exact::thickness(surface, outward, threads_);
        report_.gaps = found.gap;
        report_.walls = found.wall;
        report_.gap = distances(found.gap, area);
        report_.wall = distances(found.wall, area);
        recommend(found.gap, area);
    }

    Distances distances(const std::vector<float>& length, const std::vector<double>& area) const
    {
        Distances d;
        double all = 0;
        std::vector<std::pair<float, double>> found;
        for (std::size_t t = 0; t < length.size(); ++t) {
            if (!report_.wetted[t]) continue;
            all += area[t];
            if (length[t] > 0) found.push_back({length[t], area[t]});
        }
        d.measured = std::int64_t(found.size());
        if (found.empty()) return d;
        std::sort(found.begin(), found.end());
        d.least = found.front().first;
        d.percent1 = d.percent5 = d.percent50 = found.back().first;
        double measured = 0, sum = 0;
        for (const auto& f : found) measured += f.second;
        for (auto f = found.rbegin(); f != found.rend(); ++f) {
            const double below = measured - sum;
            if (below >= 0.50 * measured) d.percent50 = f->first;
            if (below >= 0.05 * measured) d.percent5 = f->first;
            if (below >= 0.01 * measured) d.percent1 = f->first;
            sum += f->second;
        }
        for (const auto& f : found) {
            d.belowOne += f.first < 1;
            d.belowTwo += f.first < 2;
            if (f.first < 1) d.shareBelowOne += f.second / all;
            if (f.first < 2) d.shareBelowTwo += f.second / all;
        }
        return d;
    }

    void predict(const Domain& domain)
    {
        const Config config;
        const std::vector<Int3> directions = latticeDirections(config.lattice);
        report_.tiling = model::measureTiling(domain, {4, 4, 4}, directions);
        const model::SparseCase sparse = model::sparseCase(report_.tiling, directions, model::Sizes());
        const std::pair<const char*, model::Method> methods[] = {{"T2C", model::Method::twoCopies},
                                                                 {"TGB", model::Method::ghostBuffers},
                                                                 {"FIA", model::Method::fluidIndex},
                                                                 {"CM", model::Method::connectivity}};
        for (const auto& [name, method] : methods) {
            const model::TrafficOverhead traffic = model::trafficOverhead(method, sparse);
            report_.methods.push_back(
                {name, model::memoryOverhead(method, sparse).sum(), traffic.ideal(), traffic.burst()});
        }
        report_.storages = model::chooseStorage(domain, config);
    }

    void recommend(const std::vector<float>& gap, const std::vector<double>& area)
    {
        for (int i = 0; i < refinements; ++i) {
            const double factor = std::ldexp(1.0, i);
            double all = 0, narrow = 0;
            for (std::size_t t = 0; t < gap.size(); ++t) {
                if (!report_.wetted[t]) continue;
                all += area[t];
                if (gap[t] > 0 && gap[t] * factor < GeometryReport::acrossGap) narrow += area[t];
            }
            const double share = all > 0 ? narrow / all : 0;
            report_.refinements.push_back({box_.spacing / factor, share});
            if (report_.recommendedSpacing > 0) continue;
            if (share <= GeometryReport::allowedShare || i == refinements - 1)
                report_.recommendedSpacing = box_.spacing / factor;
        }
    }

    const TriangleMesh& mesh_;
    const LatticeBox& box_;
    const SurfaceOptions& options_;
    TriangleMesh bodies_;
    Topology topology_;
    std::vector<ShellRole> roles_;
    int threads_;
    bool fluidInBodies_ = true;
    GeometryReport report_;
};

} // namespace

GeometryReport geometryReport(const TriangleMesh& mesh, const LatticeBox& box, const SurfaceOptions& options)
{
    return Reporter(mesh, box, options).run();
}

} // namespace lbm
