// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/PartedSolver.hpp"

#include "lbm/boundary/Reach.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/solver/HealthOf.hpp"
#include "lbm/solver/NodeChecks.hpp"
#include "lbm/solver/PartCosts.hpp"
#include "lbm/solver/SlabAgreement.hpp"

#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

namespace lbm {

namespace {

using Kind = NodeSet::Kind;

bool remembers(BoundaryKind kind) { return kind != BoundaryKind::wall && kind != BoundaryKind::interpolatedWall; }

// Of each link, which it is of its patch.
std::vector<std::int32_t> ordinalsOf(const Domain& domain)
{
    std::vector<std::int32_t> ordinals(domain.links.size()), counts(domain.patches.size());
    for (std::size_t i = 0; i < ordinals.size(); ++i) ordinals[i] = counts[std::size_t(domain.links[i].patch)]++;
    return ordinals;
}

// Links that are told at a time: few beside all, and not too few for messages
std::size_t pieceOf(std::size_t links)
{
    constexpr std::size_t least = std::size_t(1) << 14, pieces = 256;
    return std::max(least, (links + pieces - 1) / pieces);
}

GroupTerms groupTerms(const NodeBlocks& split)
{
    return {split.begin.data(), split.ordinals.data(), split.weights.data(), split.directions.data()};
}

// Groups that no part has the whole of, from the states of their nodes.
void sumSplit(const PartedNodes::Split& split, Reading reading, const std::vector<double>& nodeValues, double* values)
{
    const std::size_t width = std::size_t(valuesOf(reading)), n = split.terms->nodes.size();
    const std::size_t first = reading == Reading::strainRate ? 4 : 0;
    std::vector<Macroscopic> states(n);
    for (std::size_t i = 0; i < n; ++i) {
        double* state = reinterpret_cast<double*>(&states[i]);
        std::copy_n(&nodeValues[i * width], width, state + first);
    }
    const GroupTerms terms = groupTerms(*split.terms);
    withReading(reading, [&](auto read) {
        for (std::size_t g = 0; g < split.places.size(); ++g)
            sumStates<read>(terms, g, states.data(), values + split.places[g] * width);
    });
}

} // namespace

PartedSolver::PartedSolver(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row,
                           const MakePart& makePart) :
    PartedSolver(std::move(domain), config, row, nullptr, makePart)
{}

PartedSolver::PartedSolver(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row,
                           std::unique_ptr<SpreadParts> spread) :
    PartedSolver(std::move(domain), config, row, std::move(spread), nullptr)
{}

PartedSolver::PartedSolver(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row,
                           std::unique_ptr<SpreadParts> spread, const MakePart& makePart) :
    domain_(std::move(domain)),
    row_(row),
    streams_(partsStream(row, *domain_, config)),
    bricks_(*domain_, config.parts, tileExtents(row.tile),
            streams_ ? slabCutCosts(cutCosts(row, config)) : cutCosts(row, config), config.cuts),
    closure_(findClosure(config.closure)),
    nodeForces_(config.nodeForces),
    spread_(std::move(spread))
{
    countLinks(config);
    makeParts(config, makePart);
    facts_ = factsOf(*domain_, bricks_, cutView(row_, config), cutCosts(row_, config));
}

// Others make theirs while this process does. Where all are here they are made in their order. A part's nodes and links lie with the
// part: of those elsewhere this process has one at a time.
void PartedSolver::makeParts(const Config& config, const MakePart& makePart)
{
    Config own = streams_ ? configOfSlabPart(row_, config) : config;
    own.parts = 1;
    own.ranks = 1;
    for (int p = 0; p < bricks_.count(); ++p)
        parts_.push_back({PartFrame(*domain_, bricks_[p], reachOf(config), tileExtents(row_.tile)), nullptr});
    std::vector<Ghosts> ghosts(parts_.size());
    links_.assign(parts_.size(), std::vector<NumberRuns>(domain_->patches.size()));
    owned_.assign(parts_.size(), std::vector<std::vector<bool>>(domain_->patches.size()));
    {
        const std::vector<std::int32_t> ordinals = ordinalsOf(*domain_);
        const auto makeThose = [&](bool here) {
            for (std::size_t p = 0; p < parts_.size(); ++p) {
                if (here != (!spread_ || spread_->isHere(p))) continue;
                const PartDomain part(*domain_, parts_[p].frame);
                ghosts[p] = ghostsOf(part);
                listLinks(p, part, config, ordinals);
                parts_[p].solver = spread_ ? spread_->make(int(p), part.domain(), own) : makePart(part.domain(), own);
            }
            return Extremes{};
        };
        andSettle([&] { return makeThose(false), makeThose(true); }, settling());
    }
    if (streams_) letStream(config);
    placeHalos(ghosts);
}

void PartedSolver::letStream(const Config& config)
{
    std::vector<SlabPart*> parts;
    for (const PartOfDomain& part : parts_) parts.push_back(part.solver->inSlabs());
    agreeOnSlabs(parts, config);
}

PartedSolver::Ghosts PartedSolver::ghostsOf(const PartDomain& part) const
{
    Ghosts of;
    part.forGhosts([&](NodeIndex node) {
        const Int3 x = part.global(node);
        const std::size_t from = std::size_t(bricks_.owner(x));
        HaloNodes& nodes = of[from];
        nodes.ghosts.push_back(node);
        nodes.owners.push_back(parts_[from].frame.local(x));
    });
    return of;
}

void PartedSolver::placeHalos(const std::vector<Ghosts>& ghosts)
{
    if (spread_) {
        steps_.lead(*spread_);
        steps_.beOneOf([this](const std::string& own) { return spread_->textsOfAll(own); });
    }
    for (std::size_t p = 0; p < parts_.size(); ++p)
        if (!spread_ || spread_->isHere(p)) steps_.add(*parts_[p].solver);
    for (std::size_t to = 0; to < parts_.size(); ++to)
        for (const auto& [from, nodes] : ghosts[to]) {
            Part &own = *parts_[to].solver, &owner = *parts_[from].solver;
            std::unique_ptr<Halo> halo =
                spread_ ? spread_->halo(to, own, from, owner, nodes) : own.haloOf(owner, nodes);
            if (halo) steps_.add(std::move(halo));
            if (closure_->byNode || nodeForces_) told_.emplace_back(to, from, nodes);
        }
}

void PartedSolver::countLinks(const Config& config)
{
    const std::size_t patches = domain_->patches.size();
    linkCounts_.assign(patches, 0);
    for (const Link& link : domain_->links) ++linkCounts_[std::size_t(link.patch)];
    memoryFirst_.assign(1, 0);
    for (std::size_t patch = 0; patch < patches; ++patch) {
        const BoundaryKind kind = config.patches[patch].kind;
        if (kind == BoundaryKind::wall) linkCounts_[patch] = 0;
        memoryFirst_.push_back(memoryFirst_.back() + (lbm::remembers(kind) ? linkCounts_[patch] : 0));
    }
}

void PartedSolver::listLinks(std::size_t p, const PartDomain& part, const Config& config,
                             const std::vector<std::int32_t>& ordinals)
{
    const Domain& d = *part.domain();
    for (std::size_t i = 0; i < d.links.size(); ++i) {
        const std::size_t patch = std::size_t(d.links[i].patch);
        if (config.patches[patch].kind == BoundaryKind::wall) continue;
        links_[p][patch].push_back(std::size_t(ordinals[std::size_t(part.links()[i])]));
        if (remembers(patch)) owned_[p][patch].push_back(!d.isGhost(d.coordinates(d.links[i].node)));
    }
}

template<class F>
void PartedSolver::forParts(F&& f) const
{
    for (std::size_t p = 0; p < parts_.size(); ++p) f(p, *parts_[p].solver);
}

TilingFacts PartedSolver::tiling() const
{
    TilingFacts all;
    std::int64_t withGhosts = 0;
    forParts([&](std::size_t, const Part& part) {
        const TilingFacts own = part.tiling();
        all.tiles += own.tiles;
        all.uniformTiles += own.uniformTiles;
        all.nodesPerTile = own.nodesPerTile;
        withGhosts += own.fluidNodes;
    });
    all.fluidNodes = domain_->fluidNodes();
    all.tilePorosity = double(withGhosts) / (double(all.tiles) * all.nodesPerTile);
    return all;
}

MemoryUse PartedSolver::memory() const
{
    MemoryUse all;
    forParts([&](std::size_t, const Part& part) {
        const MemoryUse own = part.memory();
        all.populations += own.populations;
        all.geometry += own.geometry;
    });
    all.geometry += steps_.bytes();
    const StoredState state = storedState(row_);
    all.ideal = std::size_t(domain_->fluidNodes()) * std::size_t(state.values * state.valueBytes * state.copies);
    return all;
}

// "on A and B, ghosts this way", of ranks each with its own devices; empty: all are on one device of this process, or on processors.
std::string PartedSolver::devices() const
{
    constexpr std::size_t shown = 8;
    std::map<int, std::set<std::string>> names; // by process
    for (std::size_t p = 0; p < parts_.size(); ++p)
        if (const std::string name = parts_[p].solver->deviceName(); !name.empty())
            names[spread_ ? spread_->processOf(p) : 0].insert(name);
    if (names.empty() || (!spread_ && names[0].size() < 2)) return {};
    std::string text;
    for (const auto& [process, its] : names) {
        if (std::size_t(process) == shown) text += " and so on";
        if (std::size_t(process) >= shown) continue;
        if (spread_) text += (text.empty() ? "rank " : ", rank ") + std::to_string(process) + ' ';
        for (const std::string& name : its) text += (name == *its.begin() ? "on " : " and ") + name;
    }
    const std::set<std::string> here = steps_.ways();
    for (const std::string& way : spread_ ? spread_->ways() : std::vector<std::string>(here.begin(), here.end()))
        text += ", ghosts " + way;
    return text;
}

// Processes and devices wait for the one that has most: how equal their shares are, and what they tell each other.
std::string PartedSolver::executor() const
{
    const CutSums sums = sumsOf(facts_);
    double bytes = 0;
    NodeIndex handedOver = 0;
    for (const BrickFacts& facts : facts_)
        for (const TakenGhosts& taken : facts.taken) {
            bytes += handedOverBytes(row_, taken);
            handedOver += taken.wanted;
        }
    std::ostringstream text;
    text.precision(3);
    text << "parts of " << sums.least << " to " << sums.most
         << " fluid nodes; the one with most to do, boundaries included, is " << 100 * sums.imbalance
         << " % above the mean; " << sums.ghosts << " ghosts, " << 100 * double(sums.ghosts) / double(sums.nodes)
         << " % of the nodes, of which a step looks at " << handedOver << " and has these handed over, " << 1e-6 * bytes
         << " MB in all";
    if (const std::string where = devices(); !where.empty()) text << "; " << where;
    if (const std::string how = steps_.begun(); !how.empty()) text << "; " << how;
    if (streams_) text << "; of each part " << parts_.front().solver->executor();
    if (const std::string axes = axesRoundedByCuts(row_, *domain_, bricks_); !axes.empty())
        text << "; moments are rounded otherwise than in one part around the ends of periodic axis " << axes
             << ", no whole number of tiles of " << row_.tile;
    return text.str();
}

void PartedSolver::advance(std::int64_t steps) { steps_.advance(steps); }

std::shared_ptr<const NodeSet> PartedSolver::place(const NodeIndex* nodes, std::size_t n) const
{
    return std::make_shared<PartedNodes>(sets_, *domain_, bricks_, parts_, nodes, n);
}

std::shared_ptr<const NodeSet> PartedSolver::place(const NodeGroups& groups) const
{
    return std::make_shared<PartedNodes>(sets_, *domain_, bricks_, parts_, groups);
}

std::shared_ptr<const NodeSet> PartedSolver::place(const NodeBoxes& boxes) const
{
    return std::make_shared<PartedNodes>(sets_, *domain_, bricks_, parts_, boxes);
}

const PartedNodes& PartedSolver::own(const NodeSet& set, std::initializer_list<Kind> kinds) const
{
    return ownSet<PartedNodes>(set, sets_.owner, kinds);
}

void PartedSolver::initialise(const NodeSet& set, const Macroscopic* states)
{
    constexpr std::size_t width = sizeof(Macroscopic) / sizeof(double);
    own(set, {Kind::nodes})
        .scatter(
            width, reinterpret_cast<const double*>(states),
            [&](const PartedNodes::Share& share, const double* its) {
                parts_[share.part].solver->initialise(*share.set, reinterpret_cast<const Macroscopic*>(its));
            },
            settling());
    steps_.nodesWritten();
}

namespace {

// What a brick has of a box; false: nothing.
bool cut(NodeBox& box, const Brick& brick)
{
    bool any = true;
    for (int a = 0; a < 3; ++a) {
        const int first = std::max(box.low[a], brick.first[a]),
                  end = std::min(box.low[a] + box.size[a], brick.first[a] + brick.size[a]);
        box.low[a] = first;
        box.size[a] = end - first;
        any = any && first < end;
    }
    return any;
}

struct PartsStates final : KeptStates {
    std::vector<std::shared_ptr<const KeptStates>> ofParts; // null: a part has none of the box
};

} // namespace

// Each part what it owns of each box.
void PartedSolver::initialise(const NodeBoxes& boxes, const LinearState* states)
{
    requireInside(*domain_, boxes);
    const auto tellPart = [&](const PartOfDomain& part) {
        const Brick& brick = part.frame.brick();
        NodeBoxes own(boxes.kind);
        std::vector<LinearState> its;
        for (std::size_t b = 0; b < boxes.boxes.size(); ++b) {
            NodeBox box = boxes.boxes[b];
            if (!cut(box, brick)) continue;
            const Int3 local = part.frame.coordinates(part.frame.local(box.low));
            LinearState state = states[b];
            for (int a = 0; a < 3; ++a) state.origin[a] += local[a] - box.low[a];
            box.low = local;
            own.boxes.push_back(box);
            its.push_back(state);
        }
        part.solver->initialise(own, its.data());
    };
    // Those of other processes come last, and are begun with
    andSettle(
        [&] {
            for (std::size_t p = parts_.size(); p-- > 0;) tellPart(parts_[p]);
            return Extremes{};
        },
        settling());
    steps_.nodesWritten();
}

std::shared_ptr<const KeptStates> PartedSolver::keepStates(const NodeBox& box) const
{
    requireInside(*domain_, box);
    steps_.fillGhosts();
    auto kept = std::make_shared<PartsStates>();
    kept->ofParts.resize(parts_.size());
    // Those of other processes come last, and are begun with
    kept->seen = andSettle(
        [&] {
            Extremes all{0, 0, 0, 0};
            for (std::size_t p = parts_.size(); p-- > 0;) {
                NodeBox own = box;
                const PartFrame& frame = parts_[p].frame;
                if (!cut(own, frame.brick())) continue;
                own.low = frame.coordinates(frame.local(own.low));
                kept->ofParts[p] = lbm::keepStates(*parts_[p].solver, own);
                include(all, kept->ofParts[p]->seen);
            }
            return all;
        },
        settling());
    return kept;
}

void PartedSolver::setStates(const KeptStates& states, const StateScale& scale)
{
    const auto& kept = ownStates<PartsStates>(states);
    andSettle(
        [&] {
            for (std::size_t p = parts_.size(); p-- > 0;)
                if (kept.ofParts[p]) lbm::setStates(*parts_[p].solver, *kept.ofParts[p], scale);
            return Extremes{};
        },
        settling());
    steps_.nodesWritten();
}

Extremes PartedSolver::sample(const NodeSet& set, Reading reading, double* values) const
{
    steps_.fillGhosts();
    const PartedNodes& placed = ownSet<PartedNodes>(set, sets_.owner, reading);
    const std::size_t width = std::size_t(valuesOf(reading));
    const auto read = [&](const PartedNodes::Share& share, double* its) {
        return parts_[share.part].solver->sample(*share.set, reading, its);
    };
    Extremes all = placed.gather(width, values, read, settling());
    std::vector<double> nodeValues;
    for (const PartedNodes::Split& split : placed.splits()) {
        nodeValues.resize(split.nodes->size() * width);
        include(all, split.nodes->gather(width, nodeValues.data(), read, settling()));
        sumSplit(split, reading, nodeValues, values);
    }
    return all;
}

Extremes PartedSolver::getPopulations(const NodeSet& set, double* populations) const
{
    return own(set, {Kind::nodes})
        .gather(
            std::size_t(directions()), populations,
            [&](const PartedNodes::Share& share, double* its) {
                return parts_[share.part].solver->getPopulations(*share.set, its);
            },
            settling());
}

void PartedSolver::setPopulations(const NodeSet& set, const double* populations)
{
    own(set, {Kind::nodes})
        .scatter(
            std::size_t(directions()), populations,
            [&](const PartedNodes::Share& share, const double* its) {
                parts_[share.part].solver->setPopulations(*share.set, its);
            },
            settling());
    steps_.nodesWritten();
}

Extremes PartedSolver::sumPopulations(const NodeSet& set, double* sums) const
{
    steps_.fillGhosts();
    const PartedNodes& placed = own(set, {Kind::sumsOfPopulations});
    Extremes all = placed.gather(
        1, sums,
        [&](const PartedNodes::Share& share, double* its) {
            return parts_[share.part].solver->sumPopulations(*share.set, its);
        },
        settling());
    const std::size_t Q = std::size_t(directions());
    std::vector<double> populations;
    for (const PartedNodes::Split& split : placed.splits()) {
        populations.resize(split.nodes->size() * Q);
        include(all, getPopulations(*split.nodes, populations.data()));
        const GroupTerms terms = groupTerms(*split.terms);
        for (std::size_t g = 0; g < split.places.size(); ++g)
            sums[split.places[g]] = lbm::sumPopulations(terms, g, int(Q), populations.data());
    }
    return all;
}

void PartedSolver::getStored(const NodeSet& set, double* values) const
{
    own(set, {Kind::nodes})
        .gather(
            std::size_t(storedState(row_).values), values,
            [&](const PartedNodes::Share& share, double* its) {
                parts_[share.part].solver->getStored(*share.set, its);
                return Extremes{};
            },
            settling());
}

void PartedSolver::setStored(const NodeSet& set, const double* values)
{
    own(set, {Kind::nodes})
        .scatter(
            std::size_t(storedState(row_).values), values,
            [&](const PartedNodes::Share& share, const double* its) {
                parts_[share.part].solver->setStored(*share.set, its);
            },
            settling());
    steps_.nodesWritten();
}

double PartedSolver::stateTau() const { return parts_.front().solver->stateTau(); }

void PartedSolver::setStateTau(double tau)
{
    steps_.changed();
    forParts([&](std::size_t, Part& part) { part.setStateTau(tau); });
}

void PartedSolver::setStateSteps(std::int64_t steps)
{
    steps_.changed();
    forParts([&](std::size_t, Part& part) { part.setStateSteps(steps); });
}

void PartedSolver::setBoundary(int patch, const LinkValue* values, std::size_t n)
{
    tellBoundary(patch, n,
                 [&](std::size_t first, std::size_t many, LinkValue* to) { std::copy_n(values + first, many, to); });
}

// Each part's share of a piece goes there before the next one is asked for.
void PartedSolver::tellBoundary(int patch, std::size_t n, const TellLinks& tell)
{
    if (patch < 0 || patch >= int(linkCounts_.size()))
        throw std::invalid_argument("boundary: no patch number " + std::to_string(patch));
    if (n != linkCounts_[std::size_t(patch)])
        throw std::invalid_argument("boundary: patch " + std::to_string(patch) + " takes "
                                    + std::to_string(linkCounts_[std::size_t(patch)])
                                    + " values (none for a resting wall), not " + std::to_string(n));
    steps_.changed();
    const auto linksOf = [&](std::size_t p) -> const NumberRuns& { return links_[p][std::size_t(patch)]; };
    const std::size_t most = pieceOf(n);
    andSettle(
        [&] {
            UnsetVector<LinkValue> values(std::min(n, most));
            for (std::size_t first = 0; first < n; first += most) {
                const std::size_t many = std::min(most, n - first);
                tell(first, many, values.data());
                // Those of other processes come last, and are begun with
                for (std::size_t p = parts_.size(); p-- > 0;) {
                    LinkPiece its;
                    linksOf(p).eachWithin(first, first + many, [&](std::size_t from, std::size_t at, std::size_t run) {
                        its.runs.push_back({at, run});
                        its.values.insert(its.values.end(), values.begin() + std::ptrdiff_t(from - first),
                                          values.begin() + std::ptrdiff_t(from - first + run));
                    });
                    if (!its.runs.empty()) parts_[p].solver->keepBoundary(linksOf(p).size(), its);
                }
            }
            // Who has none of them may still keep what another patch was told before it failed
            for (std::size_t p = parts_.size(); p-- > 0;)
                if (linksOf(p).size() > 0) parts_[p].solver->setKeptBoundary(patch);
            return Extremes{};
        },
        settling());
}

template<class F>
void PartedSolver::forRemembering(std::size_t p, std::size_t first, std::size_t n, F&& f) const
{
    std::size_t before = 0;
    for (std::size_t patch = 0; patch < linkCounts_.size(); ++patch) {
        if (!remembers(patch)) continue;
        const std::size_t begin = memoryFirst_[patch], end = memoryFirst_[patch + 1];
        const std::size_t from = std::max(first, begin), to = std::min(first + n, end);
        if (from < to)
            links_[p][patch].eachWithin(from - begin, to - begin,
                                        [&](std::size_t link, std::size_t at, std::size_t many) {
                                            f(patch, begin + link, before + at, at, many);
                                        });
        before += links_[p][patch].size();
    }
}

// Ghosts' links remember what their part made of them, which is not what their owners' do: those come from the owners.
std::vector<OpeningMemory> PartedSolver::openingMemory(std::size_t first, std::size_t n) const
{
    std::vector<OpeningMemory> all(n);
    forParts([&](std::size_t p, const Part& part) {
        std::size_t low = std::numeric_limits<std::size_t>::max(), high = 0;
        forRemembering(p, first, n, [&](std::size_t, std::size_t, std::size_t at, std::size_t, std::size_t many) {
            low = std::min(low, at);
            high = std::max(high, at + many);
        });
        if (low >= high) return;
        const std::vector<OpeningMemory> its = part.openingMemory(low, high - low);
        forRemembering(p, first, n,
                       [&](std::size_t patch, std::size_t to, std::size_t at, std::size_t link, std::size_t many) {
                           for (std::size_t i = 0; i < many; ++i)
                               if (owned_[p][patch][link + i]) all[to - first + i] = its[at - low + i];
                       });
    });
    return all;
}

void PartedSolver::setOpeningMemory(const std::vector<OpeningMemory>& memory)
{
    if (memory.size() != memoryFirst_.back())
        throw std::invalid_argument("boundary: openings have " + std::to_string(memoryFirst_.back())
                                    + " links that remember, not " + std::to_string(memory.size()));
    steps_.changed();
    forParts([&](std::size_t p, Part& part) {
        std::vector<OpeningMemory> its;
        for (std::size_t patch = 0; patch < linkCounts_.size(); ++patch) {
            if (!remembers(patch)) continue;
            links_[p][patch].each([&](std::size_t first, std::size_t, std::size_t many) {
                const auto begin = memory.begin() + std::ptrdiff_t(memoryFirst_[patch] + first);
                its.insert(its.end(), begin, begin + std::ptrdiff_t(many));
            });
        }
        part.setOpeningMemory(its);
    });
}

void PartedSolver::setForce(const Vec3& force)
{
    steps_.changed();
    forParts([&](std::size_t, Part& part) { part.setForce(force); });
}

void PartedSolver::setRelaxationTime(double tau)
{
    steps_.changed();
    forParts([&](std::size_t, Part& part) { part.setRelaxationTime(tau); });
}

void PartedSolver::setCoefficients(const ClosureCoefficients& coefficients)
{
    steps_.changed();
    forParts([&](std::size_t, Part& part) { part.setCoefficients(coefficients); });
}

void PartedSolver::setMagic(double magic)
{
    steps_.changed();
    forParts([&](std::size_t, Part& part) { part.setMagic(magic); });
}

// check(i, x): which of the set, and its coordinates for what it throws, which are asked for then alone: they may lie elsewhere.
template<class Check>
void PartedSolver::checkNodes(const PartedNodes& set, Check&& check) const
{
    for (const PartedNodes::Share& share : set.shares())
        share.places.each([&](std::size_t first, std::size_t before, std::size_t many) {
            std::size_t i = 0;
            try {
                for (; i < many; ++i) check(first + i, Int3{0, 0, 0});
            } catch (const std::invalid_argument&) {
                check(first + i, parts_[share.part].frame.global(PartedNodes::nodeOf(share, before + i)));
            }
        });
}

void PartedSolver::setRelaxationTimes(const NodeSet& set, const double* tau)
{
    const PartedNodes& placed = own(set, {Kind::nodes});
    requireNodeTau(*closure_);
    checkNodes(placed, [&](std::size_t i, const Int3& x) { checkNodeTau(tau[i], isSingle(row_), x); });
    placed.scatter(
        1, tau,
        [&](const PartedNodes::Share& share, const double* its) {
            parts_[share.part].solver->setRelaxationTimes(*share.set, its);
        },
        settling());
    tellGhosts(true, false);
    steps_.changed();
}

void PartedSolver::setForces(const NodeSet& set, const double* forces)
{
    const PartedNodes& placed = own(set, {Kind::nodes});
    requireNodeForces(nodeForces_);
    checkNodes(placed, [&](std::size_t i, const Int3& x) { checkNodeForce(forces + 3 * i, x); });
    placed.scatter(
        3, forces,
        [&](const PartedNodes::Share& share, const double* its) {
            parts_[share.part].solver->setForces(*share.set, its);
        },
        settling());
    tellGhosts(false, true);
    steps_.changed();
}

PartedSolver::ToldGhosts::ToldGhosts(std::size_t toPart, std::size_t fromPart, const HaloNodes& nodes) :
    to(toPart), from(fromPart)
{
    for (const NodeIndex node : nodes.ghosts) ghostRuns_.push_back(std::size_t(node));
    for (const NodeIndex node : nodes.owners) ownerRuns_.push_back(std::size_t(node));
}

void PartedSolver::ToldGhosts::place(const Part& ghostsPart, const Part& ownersPart)
{
    if (ghosts) return;
    const auto placed = [](const Part& part, NumberRuns& runs) {
        std::vector<NodeIndex> nodes;
        runs.each([&](std::size_t first, std::size_t, std::size_t many) {
            for (std::size_t i = 0; i < many; ++i) nodes.push_back(NodeIndex(first + i));
        });
        return part.place(nodes.data(), nodes.size());
    };
    owners = placed(ownersPart, ownerRuns_);
    ghosts = placed(ghostsPart, ghostRuns_);
    ghostRuns_ = ownerRuns_ = NumberRuns();
}

// What other parts' nodes were told: boundaries and sums of a part look at its ghosts.
void PartedSolver::tellGhosts(bool tau, bool forces)
{
    const auto tell = [&] {
        std::vector<double> values;
        for (ToldGhosts& told : told_) {
            told.place(*parts_[told.to].solver, *parts_[told.from].solver);
            values.resize(told.ghosts->size() * (forces ? 3 : 1));
            parts_[told.from].solver->getFields(*told.owners, tau ? values.data() : nullptr,
                                                forces ? values.data() : nullptr);
            if (tau) parts_[told.to].solver->setRelaxationTimes(*told.ghosts, values.data());
            if (forces) parts_[told.to].solver->setForces(*told.ghosts, values.data());
        }
        return Extremes{};
    };
    andSettle(tell, settling());
}

Health PartedSolver::health(int stride) const
{
    Health all = healthOfNone();
    forParts([&](std::size_t p, const Part& part) {
        Health its = part.health(stride);
        const auto whole = [&](NodeIndex node) {
            if (node < 0) return node;
            const Int3 x = parts_[p].frame.global(node);
            return domain_->index(x[0], x[1], x[2]);
        };
        its.fastest = whole(its.fastest);
        its.bad = whole(its.bad);
        include(all, its);
    });
    return all;
}

std::vector<PartPlace> PartedSolver::partPlaces() const
{
    std::vector<PartPlace> places;
    for (int p = 0; p < bricks_.count(); ++p)
        places.push_back({bricks_[p].first, bricks_[p].size, spread_ ? spread_->processOf(std::size_t(p)) : 0});
    return places;
}

std::vector<Message> PartedSolver::work(const std::string& name, const std::vector<Message>& told)
{
    std::vector<Message> answers;
    if (spread_) {
        std::vector<Part*> all;
        for (const PartOfDomain& part : parts_) all.push_back(part.solver.get());
        answers = spread_->work(name, all, told);
    } else
        forParts([&](std::size_t p, Part& part) {
            Message its = told[p];
            answers.push_back(partWork(name)(part, its));
        });
    const PartEffect effect = partEffect(name);
    if (effect == PartEffect::values || effect == PartEffect::all) steps_.nodesWritten();
    if (effect == PartEffect::steps || effect == PartEffect::all) steps_.changed();
    return answers;
}

} // namespace lbm
