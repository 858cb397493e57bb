// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/GeometryReport.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace lbm {

namespace {

constexpr std::size_t entriesShown = 10; // pockets that are named one by one

Vec3 positionOf(const GeometryReport& r, NodeIndex node)
{
    const Int3 at{int(node % r.size[0]), int(node / r.size[0] % r.size[1]), int(node / r.size[0] / r.size[1])};
    Vec3 p;
    for (int a = 0; a < 3; ++a) p[a] = r.origin[a] + at[a] * r.spacing;
    return p;
}

class Table {
public:
    template<class... Parts>
    void line(const std::string& key, const Parts&... parts)
    {
        os_ << "    " << std::left << std::setw(20) << key;
        (os_ << ... << parts) << '\n';
    }

    void title(const std::string& name) { os_ << '\n' << name << '\n'; }
    void add(const std::string& text) { os_ << (text.empty() ? "" : "\n") << text; }
    std::string text() const { return os_.str(); }

private:
    std::ostringstream os_;
};

std::string percent(double share)
{
    std::ostringstream os;
    os << std::setprecision(3) << 100 * share << " %";
    return os.str();
}

// A figure of the lattice against the surface's.
std::string difference(double found, double expected)
{
    return expected > 0 ? " (" + std::string(found < expected ? "" : "+") + percent(found / expected - 1) + ")" : "";
}

void addDistances(Table& table, const std::string& key, const Distances& d)
{
    if (d.measured == 0) return table.line(key, "none");
    std::ostringstream os;
    os << std::setprecision(3) << "least " << d.least << ", 1 % below " << d.percent1 << ", 5 % below " << d.percent5
       << ", half below " << d.percent50 << "; below 1: " << d.belowOne << " triangles (" << percent(d.shareBelowOne)
       << " of the wetted area), below 2: " << d.belowTwo << " (" << percent(d.shareBelowTwo) << ")";
    table.line(key, os.str());
}

void addSurface(Table& table, const GeometryReport& r)
{
    table.title("Surface " + r.name);
    table.line("triangles", r.triangles, " with ", r.points, " points in ", r.regions, " regions");
    table.line("without area", r.degenerate, " triangles");
    table.line("repeated", r.repeated, " triangles");
    table.line("flipped", r.flipped, " triangles; ", r.misorientedEdges, " edges between opposite orientations");
    table.line("open edges", r.openEdges);
    table.line("branching edges", r.branchEdges, " with three triangles or more");
    table.line("crossing", r.crossingTriangles, " triangles, ", r.crossingPairs, " pairs; ", r.touchingPairs,
               " pairs touch");
    table.line("shells", r.shells, ": ", r.closedShells, " closed; ", r.bodies, " hold a volume, ", r.cavities,
               " are cavities, ", r.sheets, " are sheets; ", r.insideOut, " inside out");
}

void addVolumes(Table& table, const GeometryReport& r)
{
    table.line("fluid volume", r.fluidVolume, " m3 before pockets go, by the surface ", r.expectedFluidVolume, " m3",
               difference(r.fluidVolume, r.expectedFluidVolume));
    double held = r.fluidVolume;
    if (r.enclosureVolume > 0) {
        held = r.enclosureVolume - r.fluidVolume;
        const double expected = r.enclosureVolume - r.expectedFluidVolume;
        table.line("body volume", held, " m3, by the surface ", expected, " m3", difference(held, expected));
    }
    if (held > 0)
        table.line("", "nodes count whole: half a spacing along the area is ",
                   percent(0.5 * r.expectedWettedArea * r.spacing / held), " of it");
    if (r.openEdges > 0) table.line("", "by the surface: holes as if closed by flat faces");
    if (r.sheets > 0)
        table.line("", "by the surface: nothing for ", r.sheets, " sheets, which may shut in space together");
    if (r.crossingPairs > 0) table.line("", "by the surface: overlaps count twice");
}

void addLattice(Table& table, const GeometryReport& r)
{
    table.title("Lattice");
    table.line("nodes", r.size[0], " x ", r.size[1], " x ", r.size[2], ", spacing ", r.spacing, " m");
    table.line("inside by", r.facts.byWindingNumber ? "winding number: " : "crossings: ",
               !r.facts.byWindingNumber  ? "the surface is closed"
                   : r.facts.why.empty() ? "as asked"
                                         : r.facts.why);
    table.line("fluid", r.fluidNodes, " nodes");
    addVolumes(table, r);
    table.line("area", r.wettedArea, " m2 by links, by triangles with fluid in front ", r.expectedWettedArea, " m2",
               difference(r.wettedArea, r.expectedWettedArea), "; all triangles ", r.area, " m2");
    table.line("thin walls", r.facts.thinWallLinks, " links between fluid nodes; ", r.facts.bulgeLinks,
               " more by bodies' edges and bulges");
    table.line("across holes", r.facts.capLinks, " links; ", r.facts.guessedLinks, " more miss the surface by little");
    table.line("gaps", "in spacings:");
    addDistances(table, "  through fluid", r.gap);
    addDistances(table, "  through solid", r.wall);
    for (const std::string& name : r.regionsWithoutLink) table.line("no link", "meets region ", name);
}

void addPockets(Table& table, const GeometryReport& r)
{
    table.title("Regions of fluid: " + std::to_string(r.pockets.regions));
    for (std::size_t i = 0; i < r.pockets.all.size(); ++i) {
        const Pocket& p = r.pockets.all[i];
        if (i >= entriesShown && !p.kept) continue;
        const Vec3 at = positionOf(r, p.first);
        table.line(p.kept ? "kept" : "removed", p.nodes, " nodes, one at (", at[0], " ", at[1], " ", at[2], ")");
    }
    if (r.pockets.all.size() > entriesShown) table.line("in all removed", r.pockets.removedNodes, " nodes");
}

void addAdvice(Table& table, const GeometryReport& r)
{
    table.title("Recommendation");
    for (const GeometryReport::Refinement& s : r.refinements) {
        table.line("spacing", s.spacing, " m: ", percent(s.shareOfNarrow), " of the wetted area has fewer than ",
                   GeometryReport::acrossGap, " cells in front; nodes x ",
                   std::round(std::pow(r.spacing / s.spacing, 3)),
                   s.spacing == r.recommendedSpacing ? "   <- recommended" : "");
    }
    for (const TileChoice& t : r.tiles) {
        table.line("tiles", t.extents[0], "x", t.extents[1], "x", t.extents[2], ": ", percent(t.porosityWithoutOffset),
                   " of their nodes are fluid, with offset (", t.offset[0], " ", t.offset[1], " ", t.offset[2], ") ",
                   percent(t.porosity), ": ", percent(1 - double(t.tiles) / double(t.tilesWithoutOffset)),
                   " less memory");
    }
    for (const model::TileOrder& o : r.orders) {
        table.line("order of tiles", o.extents[0], "x", o.extents[1], "x", o.extents[2], ": ", percent(o.rows),
                   " of the neighbours lie within ", o.window, " tiles row by row, ", percent(o.curve),
                   " along a Morton curve");
    }
}

void addModel(Table& table, const GeometryReport& r)
{
    table.title("Model, D3Q19, double");
    table.line("tiles 4x4x4", "porosity ", r.tiling.porosity(), ", tile porosity ", r.tiling.tilePorosity(),
               ", alpha_M ", r.tiling.alphaM, ", alpha_B ", r.tiling.alphaB);
    for (const GeometryReport::MethodOverhead& m : r.methods)
        table.line(m.name, "memory +", percent(m.memory), ", traffic +", percent(m.traffic),
                   ", in whole transactions at most +", percent(m.transactions));
    for (const model::Choice::Candidate& c : r.storages.candidates)
        table.line(c.row.storage + " " + c.row.tile, c.prediction.memory, " bytes a fluid node, moves +",
                   percent(c.prediction.overhead()));
    if (!r.storages.candidates.empty()) table.line("storage", r.storages.best().name, ", ", r.storages.reason);
}

nlohmann::json json(const Distances& d)
{
    return {{"measured", d.measured},           {"belowOne", d.belowOne},           {"belowTwo", d.belowTwo},
            {"shareBelowOne", d.shareBelowOne}, {"shareBelowTwo", d.shareBelowTwo}, {"least", d.least},
            {"percent1", d.percent1},           {"percent5", d.percent5},           {"percent50", d.percent50}};
}

nlohmann::json surfaceJson(const GeometryReport& r)
{
    return {{"triangles", r.triangles},
            {"points", r.points},
            {"regions", r.regions},
            {"degenerate", r.degenerate},
            {"repeated", r.repeated},
            {"flipped", r.flipped},
            {"openEdges", r.openEdges},
            {"branchEdges", r.branchEdges},
            {"misorientedEdges", r.misorientedEdges},
            {"crossingPairs", r.crossingPairs},
            {"touchingPairs", r.touchingPairs},
            {"crossingTriangles", r.crossingTriangles},
            {"shells", r.shells},
            {"closedShells", r.closedShells},
            {"bodies", r.bodies},
            {"cavities", r.cavities},
            {"insideOut", r.insideOut},
            {"sheets", r.sheets},
            {"area", r.area},
            {"volume", r.volume}};
}

nlohmann::json rimsJson(const GeometryReport& r)
{
    nlohmann::json all = nlohmann::json::array();
    for (const RimFate& f : r.rims)
        all.push_back({{"patch", f.patch},
                       {"surface", f.surface},
                       {"why", f.why},
                       {"centre", f.rim.centre},
                       {"normal", f.rim.normal},
                       {"area", f.rim.area},
                       {"radius", f.rim.radius()},
                       {"perimeter", f.rim.perimeter},
                       {"deviation", f.rim.deviation},
                       {"points", f.rim.points.size()}});
    return all;
}

nlohmann::json latticeJson(const GeometryReport& r)
{
    return {{"size", r.size},
            {"spacing", r.spacing},
            {"fluidNodes", r.fluidNodes},
            {"byWindingNumber", r.facts.byWindingNumber},
            {"why", r.facts.why},
            {"nodesOnSurface", r.facts.nodesOnSurface},
            {"thinWallLinks", r.facts.thinWallLinks},
            {"bulgeLinks", r.facts.bulgeLinks},
            {"guessedLinks", r.facts.guessedLinks},
            {"capLinks", r.facts.capLinks},
            {"unitedLinks", r.facts.unitedLinks},
            {"enclosureVolume", r.enclosureVolume},
            {"expectedFluidVolume", r.expectedFluidVolume},
            {"fluidVolume", r.fluidVolume},
            {"wettedArea", r.wettedArea},
            {"expectedWettedArea", r.expectedWettedArea},
            {"regionsWithoutLink", r.regionsWithoutLink},
            {"gap", json(r.gap)},
            {"wall", json(r.wall)}};
}

} // namespace

std::string reportText(const GeometryReport& report)
{
    Table table;
    addSurface(table, report);
    table.add(rimsText(report.rims));
    addLattice(table, report);
    addPockets(table, report);
    addAdvice(table, report);
    addModel(table, report);
    return table.text();
}

std::string reportJson(const GeometryReport& r)
{
    nlohmann::json pockets = nlohmann::json::array();
    for (const Pocket& p : r.pockets.all)
        pockets.push_back({{"nodes", p.nodes}, {"position", positionOf(r, p.first)}, {"kept", p.kept}});
    nlohmann::json refinements = nlohmann::json::array();
    for (const GeometryReport::Refinement& s : r.refinements)
        refinements.push_back({{"spacing", s.spacing}, {"shareOfNarrow", s.shareOfNarrow}});
    nlohmann::json tiles = nlohmann::json::array();
    for (const TileChoice& t : r.tiles) {
        tiles.push_back({{"extents", t.extents},
                         {"offset", t.offset},
                         {"tiles", t.tiles},
                         {"tilesWithoutOffset", t.tilesWithoutOffset},
                         {"porosity", t.porosity},
                         {"porosityWithoutOffset", t.porosityWithoutOffset}});
    }
    nlohmann::json orders = nlohmann::json::array(), methods = orders, storages = orders;
    for (const model::TileOrder& o : r.orders)
        orders.push_back({{"extents", o.extents}, {"window", o.window}, {"rows", o.rows}, {"curve", o.curve}});
    for (const GeometryReport::MethodOverhead& m : r.methods)
        methods.push_back(
            {{"name", m.name}, {"memory", m.memory}, {"traffic", m.traffic}, {"transactions", m.transactions}});
    for (const model::Choice::Candidate& c : r.storages.candidates)
        storages.push_back({{"storage", c.row.storage},
                            {"tile", c.row.tile},
                            {"memoryPerFluidNode", c.prediction.memory},
                            {"trafficPerFluidNode", c.prediction.traffic}});
    const nlohmann::json model = {{"porosity", r.tiling.porosity()},
                                  {"tilePorosity", r.tiling.tilePorosity()},
                                  {"alphaM", r.tiling.alphaM},
                                  {"alphaB", r.tiling.alphaB},
                                  {"methods", methods},
                                  {"storages", storages}};
    const nlohmann::json all = {{"name", r.name},
                                {"surface", surfaceJson(r)},
                                {"rims", rimsJson(r)},
                                {"lattice", latticeJson(r)},
                                {"pockets", pockets},
                                {"refinements", refinements},
                                {"recommendedSpacing", r.recommendedSpacing},
                                {"tiles", tiles},
                                {"orders", orders},
                                {"model", model}};
    // names come from files and may hold any bytes
    return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace lbm
