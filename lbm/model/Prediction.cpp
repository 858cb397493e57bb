// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/model/Prediction.hpp"

#include "lbm/api/Storage.hpp"
#include "lbm/geometry/BoxCut.hpp"
#include "lbm/geometry/TileGrid.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace lbm::model {
namespace {

// Of the populations. box: of all nodes of the box, with a byte each that tells their type; wordBox: with a word.
// Those on tiles come first.
enum class Layout { tiles, packedTiles, ghostTiles, moments, fluidNodes, fluidIndex, box, wordBox };

// Of the bandwidth that lbmBench relates a storage to (CPU: in-place updates or copies, GPU: copies by the driver), in
// double and single precision; 0: not measured.
struct Shares {
    double plain[2] = {0, 0}, walls[2] = {0, 0}; // of tiles without and with walls
};

// Shares are fitted to lbm/bench/results, storages with the tile that is their default. `ceiling`: that bandwidth over
// the device's highest. flat: of two-dimensional lattices, where they were measured; else as the others.
struct Pattern {
    const char *device, *storage;
    Layout layout;
    double ceiling;
    Shares deep, flat = {};
    bool everyTile = false; // whose shares these are
};

// moments16 rounds to 16 bits: nobody but the user can choose that, so it has no share.
const Pattern patterns[] = {
    {"cpu", "aa", Layout::tiles, 1, {{0.78, 0.78}, {0.73, 0.73}}},
    {"cpu", "ab", Layout::tiles, 0.81, {}},
    {"cpu", "t2c", Layout::tiles, 0.81, {{0.71, 0.67}, {0.51, 0.50}}},
    {"cuda", "ab", Layout::tiles, 1, {{0.98, 0.96}, {0.65, 0.60}}, {{0.93, 0}, {0.88, 0}}},
    {"cuda", "t2c", Layout::tiles, 1, {{0.93, 0.92}, {0.70, 0.64}}, {{0.95, 0}, {0.72, 0}}},
    {"cuda", "aa", Layout::tiles, 1, {{0.91, 0.84}, {0.69, 0.64}}, {{0.88, 0}, {0.71, 0}}},
    {"cuda", "packed", Layout::packedTiles, 1, {{0.91, 0.83}, {0.77, 0.51}}, {{0.92, 0}, {0.72, 0}}},
    {"cuda", "tgb", Layout::ghostTiles, 1, {{0.69, 0.61}, {0.64, 0.57}}, {{0.86, 0.73}, {0.66, 0.56}}},
    {"cuda", "connectivity", Layout::fluidNodes, 1, {{0.91, 0.82}, {0.91, 0.82}}, {{0.96, 0}, {0.96, 0}}},
    {"cuda", "fluidIndex", Layout::fluidIndex, 1, {{0.74, 0}, {0.74, 0}}, {{0.80, 0}, {0.80, 0}}},
    {"cuda", "moments", Layout::moments, 1, {{0.85, 0.78}, {0.56, 0.51}}, {{0.86, 0}, {0.48, 0}}, true},
    {"cuda", "moments16", Layout::moments, 1, {}},
    {"cuda", "denseAos", Layout::box, 1, {{0.16, 0.16}, {0.16, 0.16}}},
    {"cuda", "densePush", Layout::box, 1, {{0.79, 0.73}, {0.79, 0.73}}},
    {"cuda", "densePull", Layout::box, 1, {{0.89, 0.70}, {0.89, 0.70}}},
    {"cuda", "denseBranchless", Layout::wordBox, 1, {{0.90, 0.85}, {0.90, 0.85}}},
    {"cuda", "denseBounded", Layout::box, 1, {{0.90, 0.76}, {0.90, 0.76}}},
    {"cuda", "denseFull", Layout::wordBox, 1, {{0.90, 0.85}, {0.90, 0.85}}},
    {"cuda", "denseTiled", Layout::tiles, 1, {{0.97, 0.92}, {0.75, 0.68}}}};

const Pattern* find(const KernelRow& row)
{
    for (const Pattern& p : patterns)
        if (row.device == p.device && row.storage == p.storage) return &p;
    return nullptr;
}

const Pattern& pattern(const KernelRow& row)
{
    if (const Pattern* found = find(row)) return *found;
    throw std::invalid_argument("model: storage '" + row.storage + "' on " + row.device + " has no equations");
}

// Of passes of two steps over a box, on an H200 (lbm/bench/results/two-steps.md): not its memory is nearest its end there, so that
// another device's share may be higher (H100: 0.73, 0.72).
constexpr double shareOfPasses[2] = {0.60, 0.55};

// Without walls, with them; 0: not measured.
std::pair<double, double> shares(const Pattern& p, const KernelRow& row)
{
    const int single = isSingle(row);
    const Shares& s = latticeDimensions(row.lattice) == 2 && p.flat.plain[single] > 0 ? p.flat : p.deep;
    return {s.plain[single], s.walls[single]};
}

// Populations, or the moments in their place: density, velocity and stress.
double nodeBytes(const KernelRow& row)
{
    const StoredState stored = storedState(row);
    return double(stored.values) * stored.valueBytes;
}

// Of a tile of moments: the populations that leave it across x, which three-dimensional ones keep besides; and velocities.
double faceBytes(const KernelRow& row, const Int3& tile, bool velocities)
{
    const int dimensions = latticeDimensions(row.lattice);
    if (dimensions == 2 || !storageOf(row).keepsFaces) return 0;
    int across = velocities ? 2 * dimensions : 0;
    for (const Int3& c : latticeDirections(row.lattice)) across += c[0] != 0;
    return double(across) * tile[1] * tile[2] * valueBytes(row);
}

bool looksForCollision(const KernelRow& row)
{
    const CollisionDescriptor* collision = findCollision(row.collision);
    return collision && collision->ofGradient;
}

// Values that memory moves together.
int group(const KernelRow& row)
{
    constexpr int cacheLine = 64, sector = 32;
    return (isOnHost(row) ? cacheLine : sector) / valueBytes(row);
}

// Per tile with fluid: the numbers of the tiles around it, and where its details lie.
constexpr double tileWords = (27 + 1) * 4;
constexpr double packedTileBytes = 16;

// What a tile with walls keeps of its nodes: a bit a population on the CPU and some words, a word a node on GPUs.
double wallTileBytes(const KernelRow& row, const Tiling& t, int q)
{
    constexpr double fewWords = 32;
    return isOnHost(row) ? t.nodesPerTile() * (q + 1) / 8.0 + fewWords : t.nodesPerTile() * 4.0;
}

double wallTiles(const Tiling& t) { return double(t.tiles - t.plainTiles); }

} // namespace

bool Predictor::knows(const KernelRow& row) { return find(row) != nullptr; }

const Tiling& Predictor::tiling(const KernelRow& row)
{
    const auto key = std::make_pair(tileExtents(row.tile), row.lattice);
    const auto found = tilings_.find(key);
    if (found != tilings_.end()) return found->second;
    return tilings_[key] = measureTiling(domain_, key.first, latticeDirections(row.lattice));
}

double Predictor::nodesMoved(const Int3& extents, int together, bool packed)
{
    const std::array<int, 5> key = {extents[0], extents[1], extents[2], together, packed};
    const auto found = moved_.find(key);
    if (found != moved_.end()) return double(found->second);
    return double(moved_[key] =
                      packed ? nodesPacked(domain_, extents, together) : nodesInGroups(domain_, extents, together));
}

namespace {

// All tiles but the plain ones keep details of their nodes; the rest is the same for each tile.
Prediction onTiles(const KernelRow& row, const Pattern& p, const Tiling& t, double moved, bool looksAround)
{
    const LatticeCounts lattice = countDirections(latticeDirections(row.lattice));
    const double node = nodeBytes(row), tiles = double(t.tiles), fluid = double(t.fluidNodes);
    const bool host = isOnHost(row);
    const int copies = storageOf(row).copies;
    const double inTiles = (tiles + (host ? 1 : 0)) * t.nodesPerTile();
    const double stored = p.layout == Layout::packedTiles ? moved
        : keepsRuns(storageOf(row))                       ? nodesInRuns(inTiles, storedState(row).valueBytes)
                                                          : inTiles;
    double geometry = tiles * tileWords
        + (p.layout == Layout::packedTiles ? tiles * packedTileBytes : wallTiles(t) * wallTileBytes(row, t, lattice.q));
    double ghosts = 0, faces = 0, facesMoved = 0;
    if (p.layout == Layout::moments) {
        faces = tiles * faceBytes(row, t.extents, keepsFaceVelocities(row));
        facesMoved = tiles * faceBytes(row, t.extents, looksAround);
    }
    if (p.layout == Layout::ghostTiles) {
        geometry += tiles * (lattice.ghostIndices() + 1 - tileWords / 4) * 4; // instead of neighbours
        ghosts = 2 * lattice.ghostBuffersPerValue() * t.alphaM / t.extents[0] * tiles * t.nodesPerTile();
    }
    const double hostMap = host ? double(t.allTiles + t.tiles) * 4 : 0;
    Prediction result;
    result.memory = (copies * (node * stored + faces) + node * ghosts + geometry + hostMap) / fluid;
    // Moments are read layer by layer, with what belongs to solid nodes.
    const double read = p.layout == Layout::moments ? tiles * t.nodesPerTile() : moved;
    result.traffic = (node * (read + moved) + 2 * facesMoved + geometry) / fluid;
    return result;
}

// Nodes one by one: `moved` of the box, or all fluid ones without gaps.
Prediction onNodes(const KernelRow& row, const Pattern& p, const Tiling& t, double moved)
{
    constexpr double index = 4;
    const double q = double(latticeDirections(row.lattice).size()), node = q * valueBytes(row);
    const int copies = storageOf(row).copies;
    const double all = 1 / t.porosity(); // nodes of the box for each fluid one
    switch (p.layout) {
        case Layout::fluidNodes: return {copies * node + (q - 1) * index, 2 * node + (q - 1) * index};
        case Layout::fluidIndex: return {copies * node + all * index, 4 * node + 2 * all * index};
        default: {
            const double type = p.layout == Layout::box ? 1 : 4;
            return {(copies * node + type) * all, 2 * node * moved / double(t.fluidNodes) + type * all};
        }
    }
}

} // namespace

bool Predictor::passes(const KernelRow& row) const
{
    const StoredState stored = storedState(row);
    return passesOverBoxes(row)
        && layersOfBoxPass(domain_, tileExtents(row.tile), stored.values, stored.valueBytes) > 0;
}

Prediction Predictor::predict(const KernelRow& row, bool looksAround, bool oneByOne)
{
    const Pattern& p = pattern(row);
    const Tiling& t = tiling(row);
    const int together = group(row);
    const bool inTiles = p.layout < Layout::fluidNodes;
    Prediction result = inTiles ? onTiles(row, p, t, nodesMoved(t.extents, together, p.layout == Layout::packedTiles),
                                          looksAround || looksForCollision(row))
                                : onNodes(row, p, t, nodesMoved({together, 1, 1}, together, false));
    result.least = 2 * nodeBytes(row);
    result.ceiling = p.ceiling;
    const double plain = double(t.plainTiles) * t.nodesPerTile() / double(t.fluidNodes);
    if (const auto [free, walled] = shares(p, row); free > 0) result.share = 1 / (plain / free + (1 - plain) / walled);
    if (oneByOne || looksAround || !passes(row)) return result;
    // Tables and faces are not looked at; what neighbouring columns read again comes from the second cache for the most part.
    result.steps = PassColumn::steps;
    result.least /= result.steps;
    result.traffic = result.least;
    result.share = shareOfPasses[isSingle(row)];
    return result;
}

std::vector<KernelRow> storagesFor(const Config& config)
{
    std::vector<KernelRow> rows;
    std::set<std::string> seen;
    for (const KernelRow& row : kernels()) {
        if (!seen.insert(row.storage).second) continue;
        Config wanted = config;
        wanted.storage = row.storage;
        try {
            rows.push_back(findKernel(wanted));
        } catch (const UnknownKernel&) {
            // this storage comes without something else that the Config names
        }
    }
    return rows;
}

namespace {

// The row, and those that differ by their tile alone, but not in its thickness alone, which findKernel has seen to.
std::vector<KernelRow> withEveryTile(const KernelRow& row)
{
    std::vector<KernelRow> rows = {row};
    const Int3 own = tileExtents(row.tile);
    for (KernelRow other : kernels()) {
        const std::string tile = std::exchange(other.tile, row.tile);
        const Int3 extents = tileExtents(tile);
        if ((extents[0] == own[0] && extents[1] == own[1]) || name(other) != name(row)) continue;
        other.tile = tile;
        rows.push_back(other);
    }
    return rows;
}

// Of a device that gives so much memory alone: kernels whose state fits, and where none does, those that stream through it.
void keepWhatFits(std::vector<Choice::Candidate>& all, Predictor& predictor, const Domain& domain, const Config& config)
{
    if (config.deviceMemory <= 0 || all.empty() || isOnHost(all.front().row)) return;
    const auto fits = [&](const Choice::Candidate& c) {
        Config own = config;
        own.storage = c.row.storage;
        own.tile = c.row.tile;
        const MemoryUse use = expectedMemory(domain, own);
        return double(use.populations + use.geometry) <= config.deviceMemory;
    };
    const bool streams = std::none_of(all.begin(), all.end(), fits);
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const auto& c) { return streams ? !storageOf(c.row).streams : !fits(c); }),
              all.end());
    if (streams)
        for (Choice::Candidate& c : all) c.prediction = predictor.predict(c.row, foundAround(config).any(), true);
}

// Moments find a velocity gradient in their step; populations take another pass over all nodes, which the model does not know.
void keepWhatLooksAround(std::vector<Choice::Candidate>& all, const Config& config)
{
    const auto looks = [](const Choice::Candidate& c) { return storageOf(c.row).stored == Stored::moments; };
    if (!foundAround(config).any() || std::none_of(all.begin(), all.end(), looks)) return;
    all.erase(std::remove_if(all.begin(), all.end(), [&](const auto& c) { return !looks(c); }), all.end());
}

} // namespace

Choice chooseStorage(const Domain& domain, const Config& config)
{
    Choice choice;
    Predictor predictor(domain);
    for (const KernelRow& row : storagesFor(config)) {
        const Pattern* known = find(row);
        if (!known || shares(*known, row).first == 0) continue;
        for (const KernelRow& each : known->everyTile&& config.tile.empty() ? withEveryTile(row) : std::vector{row})
            choice.candidates.push_back({each,
                                         predictor.predict(each, foundAround(config).any(), stepsOneByOne(config)),
                                         each.storage + (each.tile == row.tile ? "" : ", tile " + each.tile)});
    }
    keepWhatLooksAround(choice.candidates, config);
    keepWhatFits(choice.candidates, predictor, domain, config);
    if (choice.candidates.empty()) return choice;
    auto& all = choice.candidates;
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.prediction.speed() > b.prediction.speed(); });
    const double enough = (1 - alike) * all.front().prediction.speed();
    const auto end = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.prediction.speed() < enough; });
    const auto leanest = std::min_element(
        all.begin(), end, [](const auto& a, const auto& b) { return a.prediction.memory < b.prediction.memory; });
    const bool leaner = leanest != all.begin();
    std::rotate(all.begin(), leanest, leanest + 1);

    std::ostringstream why;
    why.precision(3);
    const Prediction& best = choice.best().prediction;
    why << (leaner ? "nearly as fast as the fastest, with less memory" : "the fastest")
        << " by the model: " << best.traffic / best.least << " times the least memory traffic, at "
        << 100 * best.share * best.ceiling << " % of the bandwidth";
    if (best.steps > 1) why << ", " << best.steps << " steps a pass";
    constexpr std::size_t told = 5;
    for (std::size_t i = 1; i < std::min(all.size(), told); ++i)
        why << (i == 1 ? "; " : ", ") << all[i].name << ' ' << 100 * all[i].prediction.speed() / best.speed()
            << " % of its speed";
    choice.reason = why.str();
    return choice;
}

} // namespace lbm::model
