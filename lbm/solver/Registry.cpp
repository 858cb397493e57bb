// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Storage.hpp"
#include "lbm/device/DeviceList.hpp"
#include "lbm/device/InstructionSet.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/lattice/named.hpp"
#include "lbm/solver/CudaTypes.hpp"
#include "lbm/solver/Devices.hpp"
#include "lbm/solver/NodeChecks.hpp"
#include "lbm/solver/PartedSolver.hpp"
#include "lbm/solver/RankSolvers.hpp"
#include "lbm/solver/RegistryTypes.hpp"
#include "lbm/api/TeamSize.hpp"
#include "lbm/api/Threads.hpp"

#include <algorithm>
#include <cstring>
#include <set>

namespace lbm {

namespace {

struct RegisteredRow {
    KernelRow row;
    std::unique_ptr<Part> (*make)(std::shared_ptr<const Domain>, const Config&, const KernelRow&);
};

template<class C>
const C& catalogue()
{
    static const C filled = [] {
        C c;
        fillCatalogue(c);
        return c;
    }();
    return filled;
}

// words: separated by commas.
bool lists(const std::string& words, const std::string& word)
{
    return ("," + words + ",").find("," + word + ",") != std::string::npos;
}

template<class T>
std::unique_ptr<Part> make(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row)
{
    for (const StorageEntry<T>& s : catalogue<Catalogue<T>>().storages) {
        if (row.lattice != s.lattice || row.storage != s.storage || row.tile != s.tile
            || !lists(s.collisions, row.collision))
            continue;
        for (const CollideEntry<T>& c : catalogue<Catalogue<T>>().collisions)
            if (row.lattice == c.lattice && row.collision == c.collision && row.closure == c.closure
                && row.equilibrium == c.equilibrium && row.arithmetic == c.arithmetic)
                return s.make(std::move(domain), config, row, c.kernel);
    }
    throw std::logic_error("registry: row without a kernel: " + name(row));
}

template<class T>
std::unique_ptr<Part> makeOnCuda(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row)
{
    for (const CudaStorageEntry<T>& s : catalogue<CudaCatalogue<T>>().storages) {
        if (row.lattice != s.lattice || row.storage != s.storage || row.tile != s.tile) continue;
        for (const CudaStepEntry<T>& k : catalogue<CudaCatalogue<T>>().steps)
            if (row.lattice == k.lattice && row.storage == k.storage && row.tile == k.tile
                && row.collision == k.collision && row.closure == k.closure && row.equilibrium == k.equilibrium)
                return s.make(std::move(domain), config, row, k.step);
    }
    for (const CudaMomentEntry<T>& m : catalogue<CudaCatalogue<T>>().moments)
        if (row.lattice == m.lattice && row.storage == m.storage && row.tile == m.tile && row.collision == m.collision
            && row.closure == m.closure && row.equilibrium == m.equilibrium)
            return m.make(std::move(domain), config, row);
    throw std::logic_error("registry: row without a kernel: " + name(row));
}

template<class T>
void addCudaRows(const char* precision, std::vector<RegisteredRow>& rows)
{
    for (const CudaStepEntry<T>& k : catalogue<CudaCatalogue<T>>().steps)
        rows.push_back(
            {{k.lattice, k.collision, k.closure, k.equilibrium, k.storage, precision, "cuda", "simt", k.tile},
             &makeOnCuda<T>});
    for (const CudaMomentEntry<T>& m : catalogue<CudaCatalogue<T>>().moments)
        rows.push_back(
            {{m.lattice, m.collision, m.closure, m.equilibrium, m.storage, precision, "cuda", "simt", m.tile},
             &makeOnCuda<T>});
}

template<class T>
void addRows(const char* precision, std::vector<RegisteredRow>& rows)
{
    for (const StorageEntry<T>& s : catalogue<Catalogue<T>>().storages)
        for (const CollideEntry<T>& c : catalogue<Catalogue<T>>().collisions) {
            if (std::strcmp(s.lattice, c.lattice) != 0 || !lists(s.collisions, c.collision)) continue;
            const bool scalar = std::strcmp(c.arithmetic, "scalar") == 0;
            if (scalar && std::strcmp(s.storage, "ab") != 0) continue;
            const CollisionDescriptor* known = findCollision(c.collision);
            const StorageDescriptor& storage = *findStorage("cpu", s.storage);
            if (known && known->ofGradient && !takesGradients(storage)) continue;
            if (known && !takesClosures(storage, *known) && c.closure != uniformClosure().kernel) continue;
            rows.push_back(
                {{s.lattice, c.collision, c.closure, c.equilibrium, s.storage, precision, "cpu", c.arithmetic, s.tile},
                 &make<T>});
        }
}

const std::vector<RegisteredRow>& registered()
{
    static const std::vector<RegisteredRow> rows = [] {
        checkProcessor(); // what follows is compiled as the kernels are
        std::vector<RegisteredRow> all;
        addRows<double>("double", all);
        addRows<float>("float", all);
        addCudaRows<double>("double", all);
        addCudaRows<float>("float", all);
        return all;
    }();
    return rows;
}

using Member = std::string KernelRow::*;

// In the order in which an unknown word is reported: the first entry that no remaining row has.
struct Entry {
    const char* key;
    Member member;
    std::string Config::*wanted;
};
const Entry entries[] = {
    {"lattice", &KernelRow::lattice, &Config::lattice},
    {"device", &KernelRow::device, &Config::device},
    {"storage", &KernelRow::storage, &Config::storage},
    {"precision", &KernelRow::precision, &Config::precision},
    {"collision", &KernelRow::collision, &Config::collision},
    {"closure", &KernelRow::closure, &Config::closure},
    {"equilibrium", &KernelRow::equilibrium, &Config::equilibrium},
    {"arithmetic", &KernelRow::arithmetic, &Config::arithmetic},
    {"tile", &KernelRow::tile, &Config::tile},
};

// A word of a Config, for an entry; of a device, which of them is its own matter; of a closure, its kernel.
std::string wordOf(const Config& config, const Entry& entry)
{
    const std::string word = config.*entry.wanted;
    if (entry.member == &KernelRow::closure) {
        const ClosureDescriptor* closure = findClosure(word);
        return closure ? std::string(closure->kernel) : word;
    }
    return entry.member == &KernelRow::device ? word.substr(0, word.find(':')) : word;
}

// The arithmetic of rows that are left out is not told.
bool isLeftOut(const Config& config)
{
    return std::any_of(leftOutKernels().begin(), leftOutKernels().end(), [&](const LeftOutKernel& k) {
        const KernelRow row{k.lattice,   k.collision, k.closure, k.equilibrium, k.storage,
                            k.precision, k.device,    "",        k.tile};
        return std::all_of(std::begin(entries), std::end(entries), [&](const Entry& entry) {
            const std::string word = wordOf(config, entry);
            return word.empty() || (row.*entry.member).empty() || row.*entry.member == word;
        });
    });
}

// A GPU that is asked for in vain is most often missing from the build.
std::string hint(const Config& config, [[maybe_unused]] const Entry& entry, [[maybe_unused]] const std::string& word)
{
    if (isLeftOut(config)) return " (not built; one configured with LBM_KERNELS=all has this, too)";
#ifndef LBM_CUDA
    if (entry.member == &KernelRow::device && word == "cuda")
        return " (this build has no GPU kernels: configure it with LBM_CUDA=ON where nvcc is present)";
#endif
    return {};
}

// Words of a Config that choose a row.
void insertWords(std::set<std::string>& words, const Entry& entry, const std::string& word)
{
    if (entry.member != &KernelRow::closure) words.insert(word);
    for (const ClosureDescriptor& closure : closureDescriptors)
        if (entry.member == &KernelRow::closure && closure.kernel == word) words.insert(std::string(closure.name));
}

// Where no tile is named: the first one, or, for slabs, which move down by a layer of tiles with each step, of those that differ
// from it along the last axis alone the thinnest.
const RegisteredRow& choose(const std::vector<const RegisteredRow*>& rows, const Config& config)
{
    const RegisteredRow* chosen = rows.front();
    const bool slabs = config.deviceMemory > 0 || config.slabSteps > 0 || config.slabLayers > 0;
    if (!config.tile.empty() || !slabs || isOnHost(chosen->row)) return *chosen;
    for (const RegisteredRow* r : rows) {
        const Int3 a = tileExtents(chosen->row.tile), b = tileExtents(r->row.tile);
        if (b[0] == a[0] && b[1] == a[1] && b[2] < a[2]) chosen = r;
    }
    return *chosen;
}

const RegisteredRow& find(const Config& config)
{
    // Of a collision that no storage without them has rows of, the reason
    KernelRow asked;
    asked.storage = config.storage;
    asked.device = config.device.substr(0, config.device.find(':'));
    if (foundAround(config).strain && findStorage(asked.device, asked.storage)) checkGradients(config, asked);
    std::vector<const RegisteredRow*> left;
    for (const RegisteredRow& r : registered()) left.push_back(&r);
    std::string chosen;
    for (const Entry& entry : entries) {
        const std::string word = wordOf(config, entry);
        if (word.empty() && (entry.member == &KernelRow::tile || entry.member == &KernelRow::arithmetic)) continue;
        std::vector<const RegisteredRow*> next;
        std::set<std::string> valid;
        for (const RegisteredRow* r : left) {
            insertWords(valid, entry, r->row.*entry.member);
            if (r->row.*entry.member == word) next.push_back(r);
        }
        if (next.empty()) {
            std::string list;
            for (const std::string& v : valid) list.append(" ").append(v);
            throw UnknownKernel(std::string("unknown ") + entry.key + " '" + config.*entry.wanted + "'"
                                + (chosen.empty() ? "" : " for" + chosen) + "; valid:" + list
                                + hint(config, entry, word));
        }
        left.swap(next);
        if (entry.member != &KernelRow::closure || config.closure != uniformClosure().name) chosen += " " + word;
    }
    const RegisteredRow& found = choose(left, config);
    checkGradients(config, found.row);
    return found;
}

int nodesIn(const std::string& tile)
{
    const Int3 e = tileExtents(tile);
    return e[0] * e[1] * e[2];
}

// In copies of the populations: ghost buffers of tiles among others, (27) of Tomczak & Szafran 2019.
double ghostBuffers(const KernelRow& row)
{
    if (!storageOf(row).ghostBuffers) return 0;
    const auto directions = latticeDirections(row.lattice);
    double buffers = 0;
    for (const Int3& c : directions) buffers += (c[0] != 0) + (c[1] != 0) + (c[2] != 0);
    return 2 * buffers / (double(directions.size()) * tileExtents(row.tile)[0]);
}

template<class T>
NodeOfMoments nodeIn(const KernelRow& row)
{
    for (const CollideEntry<T>& c : catalogue<Catalogue<T>>().collisions)
        if (row.lattice == c.lattice && row.collision == c.collision && row.equilibrium == c.equilibrium
            && c.kernel.moments.node)
            return {c.kernel.moments.node, c.kernel.moments.factors};
    return {};
}

} // namespace

// It computes in double precision, whatever the kernel does.
NodeOfMoments nodeOfMoments(const KernelRow& row)
{
    const NodeOfMoments found = nodeIn<double>(row);
    return found.populations ? found : nodeIn<float>(row);
}

std::string name(const KernelRow& r)
{
    return r.lattice + " " + r.collision + " " + (r.closure == uniformClosure().kernel ? "" : r.closure + " ")
        + r.equilibrium + " " + r.storage + " " + r.precision + " " + r.device + " " + r.arithmetic + " " + r.tile;
}

const std::vector<KernelRow>& kernels()
{
    static const std::vector<KernelRow> rows = [] {
        std::vector<KernelRow> all;
        for (const RegisteredRow& r : registered()) all.push_back(r.row);
        return all;
    }();
    return rows;
}

const KernelRow& findKernel(const Config& config) { return find(config).row; }

std::vector<Int3> latticeDirections(const std::string& lattice)
{
    std::vector<Int3> all;
    withLattice(lattice, [&](auto l) {
        for (const auto& c : decltype(l)::c) all.push_back({c[0], c[1], c[2]});
    });
    return all;
}

int latticeDimensions(const std::string& lattice)
{
    int dimensions = 0;
    withLattice(lattice, [&](auto l) { dimensions = decltype(l)::D; });
    return dimensions;
}

std::vector<double> latticeWeights(const std::string& lattice)
{
    std::vector<double> all;
    withLattice(lattice, [&](auto l) {
        for (int q = 0; q < decltype(l)::Q; ++q) all.push_back(decltype(l)::w[q]);
    });
    return all;
}

const StorageDescriptor& storageOf(const KernelRow& row)
{
    const StorageDescriptor* found = findStorage(row.device, row.storage);
    if (!found)
        throw std::logic_error("lbm/api/Storage.hpp does not describe storage " + row.storage + " on " + row.device);
    return *found;
}

StoredState storedState(const KernelRow& row)
{
    const StorageDescriptor& s = storageOf(row);
    const CollisionDescriptor* collision = findCollision(row.collision);
    const int moments = collision && collision->ofThird ? 17
                                                        : (latticeDimensions(row.lattice) == 2 ? 6 : 10)
            - (isOnHost(row) ? 0 : 1); // GPUs leave out the trace of the stress
    return {s.stored == Stored::moments ? moments : int(latticeDirections(row.lattice).size()),
            s.valueBytes > 0 ? s.valueBytes : valueBytes(row), s.copies};
}

std::size_t populationBytes(const KernelRow& row, double nodesInTiles)
{
    const StoredState s = storedState(row);
    const double nodes = nodesInTiles + (storageOf(row).spareTile ? nodesIn(row.tile) : 0);
    const double kept = keepsRuns(storageOf(row)) ? nodesInRuns(nodes, s.valueBytes) : nodes;
    return std::size_t(kept * s.values * s.valueBytes * (s.copies + ghostBuffers(row)));
}

namespace {

void checkTurns(const Domain& domain, const Config& config)
{
    for (std::size_t i = 0; i < config.patches.size(); ++i) {
        const bool told = std::any_of(domain.turns.begin(), domain.turns.end(),
                                      [&](const Turn& turn) { return turn.patch == int(i); });
        if (told != (config.patches[i].kind == BoundaryKind::turn))
            throw std::invalid_argument("boundary: patch " + std::to_string(i)
                                        + (told ? " repeats by a turn, and has another condition"
                                                : " has the condition turn, and the domain no turn for it"));
    }
    if (domain.turns.empty()) return;
    if (partsOf(config) > 1 || config.ranks > 1)
        throw std::invalid_argument(
            "parts: a domain that repeats by turns cannot be cut, for nodes far from each other meet");
    const FoundAround found = foundAround(config);
    if (found.any())
        throw std::invalid_argument(
            (found.strain ? "collision " + config.collision : "closure " + config.closure)
            + ": looks at velocities around nodes, and not through the sides of a domain that repeats "
              "by turns; collision recursiveRegularized and closure smagorinsky do without");
}

} // namespace

std::unique_ptr<Solver> makeSolver(std::shared_ptr<const Domain> domain, const Config& config)
{
    const RegisteredRow& found = find(config);
    domain->check();
    if (config.patches.size() != domain->patches.size())
        throw std::invalid_argument("boundary: " + std::to_string(config.patches.size()) + " conditions for "
                                    + std::to_string(domain->patches.size()) + " patches");
    if (latticeDimensions(found.row.lattice) != domain->dimensions)
        throw UnknownKernel("lattice '" + found.row.lattice + "' does not fit a domain of "
                            + std::to_string(domain->dimensions) + " dimensions");
    checkThreads(config.threads, "threads");
    if (!(config.sigma > 0) || !(config.sigma <= 1))
        throw std::invalid_argument("sigma = " + std::to_string(config.sigma)
                                    + ": the share of the stress that populations bring, above 0 and at most 1");
    checkNodeFields(config, found.row);
    if (isOnHost(found.row) && (config.slabSteps > 0 || config.slabLayers > 0))
        throw std::invalid_argument("slabSteps, slabLayers: slabs stream through a GPU, and the device is cpu");
    checkDevices(config);
    checkTurns(*domain, config);
    // Ranks choose among them at their own hosts
    const std::vector<std::string> devices =
        config.ranks > 1 ? std::vector<std::string>{config.device} : devicesOf(config);
    Config resolved = config;
    resolved.parts = partsOf(config);
    if (devices.size() == 1) resolved.device = devices.front();
    resolved.threads = threadsFor(config, domain->fluidNodes());
    if (resolved.parts == 1 && resolved.ranks == 1) return found.make(std::move(domain), resolved, found.row);
    // Parts are made in their order
    const auto make = [&found, devices, parts = resolved.parts, next = 0](std::shared_ptr<const Domain> part,
                                                                          Config own) mutable {
        if (devices.size() > 1) own.device = devices[std::size_t(deviceOfPart(next++, parts, int(devices.size())))];
        return found.make(std::move(part), own, found.row);
    };
    if (resolved.ranks == 1) return std::make_unique<PartedSolver>(std::move(domain), resolved, found.row, make);
    if (!spreadOverRanks())
        throw std::invalid_argument("ranks is " + std::to_string(resolved.ranks) + ", but this process leads none");
    return std::make_unique<PartedSolver>(std::move(domain), resolved, found.row,
                                          spreadOverRanks()(resolved, found.row, make));
}

SpreadOverRanks& spreadOverRanks()
{
    static SpreadOverRanks present = nullptr;
    return present;
}

std::unique_ptr<Part> makePart(std::shared_ptr<const Domain> domain, const Config& config)
{
    const RegisteredRow& found = find(config);
    return found.make(std::move(domain), config, found.row);
}

} // namespace lbm
