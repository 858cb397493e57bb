// TiledSolver: the Solver of every tiled storage. Owns time and threads, and translates between
// populations and hydrodynamic states.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/KeptStates.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/api/UnsetVector.hpp"
#include "lbm/api/inParallel.hpp"
#include "lbm/device/TeamBarrier.hpp"
#include "lbm/solver/GradientRates.hpp"
#include "lbm/solver/HealthBlocks.hpp"
#include "lbm/solver/HealthOf.hpp"
#include "lbm/solver/LatticePart.hpp"
#include "lbm/solver/TiledFields.hpp"
#include "lbm/solver/TiledHalo.hpp"
#include "lbm/solver/TiledHaloEnds.hpp"
#include "lbm/solver/TiledNodes.hpp"
#include "lbm/storage/rows/Collide.hpp"
#include "lbm/storage/rows/TiledStorage.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <omp.h>

namespace lbm {

template<class Storage>
class TiledSolver final : public LatticePart<typename Storage::Lattice, typename Storage::Scalar>, public KeepsStates {
public:
    using L = typename Storage::Lattice;
    using T = typename Storage::Scalar;
    using Base = LatticePart<L, T>;

    TiledSolver(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row,
                const CollideKernel<T>& kernel) :
        Base(std::move(domain), config, row),
        threads_(config.threads > 0 ? config.threads : omp_get_max_threads()),
        storage_(*domain_, config, kernel, threads_),
        found_(foundAround(config)),
        fields_(closure_.byNode() || (looksAround && found_.tau), config.nodeForces, looksAround && found_.strain,
                storage_.geometry().grid().tiles(), storage_.geometry().boundaryNodeCount(), threads_)
    {
        fillTau();
        fillForce();
        fields_.clearStrain();
        setParameters();
    }

    TilingFacts tiling() const override { return Base::factsOf(storage_.geometry(), Storage::N); }

    MemoryUse memory() const override
    {
        const auto& g = storage_.geometry();
        MemoryUse use;
        use.populations = storage_.storedValues() * sizeof(T) * Storage::copies + fields_.bytes();
        use.geometry = g.bytes() + storage_.tableBytes();
        use.ideal = std::size_t(g.fluidNodes()) * storedState(row_).values * sizeof(T) * Storage::copies;
        return use;
    }

    int stepsOfPass() const override
    {
        if constexpr (requires { storage_.stepsOfPass(); }) return storage_.stepsOfPass();
        return 1;
    }

    void advance(std::int64_t steps) override
    {
        if (findsGradients())
            for (std::int64_t s = 0; s < steps; ++s) {
                findGradients();
                advanceAll(1);
            }
        else advanceAll(steps);
        Base::countSteps(steps);
    }

    void begin(PartOfTiles part) override
    {
        const bool rim = part == PartOfTiles::rim;
        if (rim && findsGradients()) findGradients();
        if constexpr (sweeps) {
            if (rim) storage_.advance(1);
        } else {
            // Where there are no inner tiles, the rim's are the last
            const bool apart = storage_.range(PartOfTiles::inner).count() > 0;
            if (rim || apart) advanceUnits(1, storage_.range(part), rim, !rim || !apart);
        }
        if (!rim) Base::countSteps(1);
    }

    std::unique_ptr<Halo> haloOf(Part& from, const HaloNodes& nodes) override
    {
        const auto* owner = dynamic_cast<const TiledSolver*>(&from);
        if (!owner) throw std::invalid_argument("parts: ghosts are taken over from parts of the same storage");
        return std::make_unique<TiledHalo<Storage>>(storage_, owner->storage_, *domain_, *owner->domain_, nodes,
                                                    threads_);
    }

    std::unique_ptr<HaloEnd> endOfGhosts(const std::vector<NodeIndex>& ghosts,
                                         std::vector<std::uint32_t>& needed) override
    {
        auto end = std::make_unique<TiledGhostsEnd<Storage>>(storage_, *domain_, ghosts, threads_);
        needed = end->needed();
        return end;
    }

    std::unique_ptr<HaloEnd> endOfOwners(const std::vector<NodeIndex>& owners,
                                         const std::vector<std::uint32_t>& needed) override
    {
        return std::make_unique<TiledOwnersEnd<Storage>>(storage_, *domain_, owners, needed, threads_);
    }

    std::shared_ptr<const NodeSet> place(const NodeIndex* nodes, std::size_t n) const override
    {
        return placed(NodeBlocks(*domain_, nodes, n, TiledNodes::blockNodes));
    }

    std::shared_ptr<const NodeSet> place(const NodeGroups& groups) const override
    {
        return placed(NodeBlocks(*domain_, groups, L::Q, TiledNodes::blockNodes));
    }

    std::shared_ptr<const NodeSet> place(const NodeBoxes& boxes) const override
    {
        return placed(NodeBlocks(*domain_, boxes, TiledNodes::blockNodes));
    }

    void initialise(const NodeSet& set, const Macroscopic* states) override
    {
        beginToSet();
        overNodes(own(set, {Kind::nodes}),
                  [&](const TilePlace& place, std::size_t i) { initialise(place, states[i]); });
    }

    void initialise(const NodeBoxes& boxes, const LinearState* states) override
    {
        requireInside(*domain_, boxes);
        beginToSet();
        const TileGrid& grid = storage_.geometry().grid();
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::size_t b = 0; b < boxes.boxes.size(); ++b)
            forFluid(*domain_, boxes.boxes[b], [&](NodeIndex, int x, int y, int z) {
                initialise(grid.place({x, y, z}), stateAt(states[b], x, y, z));
            });
    }

    std::shared_ptr<const KeptStates> keepStates(const NodeBox& box) const override
    {
        requireInside(*domain_, box);
        auto kept = std::make_shared<Kept>();
        kept->box = box;
        kept->before = fluidBefore(*domain_, box);
        kept->states.resize(kept->before.back());
        std::optional<BoxDifferences> differences;
        if (strainRates_.needed(closure_.viscosity())) differences.emplace(strainRates_.differencesIn(box));
        kept->seen = {0, 0, 0, 0};
        const std::size_t rows = kept->before.size() - 1;
        TeamFault fault;
#pragma omp parallel num_threads(threads_)
        fault.keep([&] {
            std::vector<TilePlace> places;
            Extremes seen{0, 0, 0, 0};
#pragma omp for schedule(dynamic) nowait
            for (std::size_t row = 0; row < rows; ++row)
                fault.keep([&] { keepRow(*kept, row, differences ? &*differences : nullptr, places, seen); });
#pragma omp critical(lbmKeepStates)
            include(kept->seen, seen);
        });
        fault.rethrow();
        return kept;
    }

    void setStates(const KeptStates& states, const StateScale& scale) override
    {
        const Kept& kept = ownStates<Kept>(states);
        beginToSet();
        const TileGrid& grid = storage_.geometry().grid();
        const std::size_t rows = kept.before.size() - 1;
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::size_t row = 0; row < rows; ++row) {
            const Macroscopic* from = kept.states.data() + kept.before[row];
            forFluid(*domain_, kept.row(row), [&](NodeIndex, int x, int y, int z) {
                initialise(grid.place({x, y, z}), scaled(*from++, scale));
            });
        }
    }

    Extremes sample(const NodeSet& set, Reading reading, double* values) const override
    {
        const TiledNodes& placed = own(set, reading);
        Extremes seen = sampleSet(placed, rooms_, reading, values,
                                  [&](auto read, const TilePlace* places, std::size_t n, Macroscopic* states) {
                                      statesOf<read != Reading::flow>(places, n, states);
                                  });
        if (strainRates_.needed(closure_.viscosity())) strainRates_.complete(*this, placed, reading, values, seen);
        return seen;
    }

    Extremes getPopulations(const NodeSet& set, double* populations) const override
    {
        return fetchSet(own(set, {Kind::nodes}), rooms_, L::Q, populations,
                        [&](const TilePlace& place, double* g) { read(place, g); });
    }

    void setPopulations(const NodeSet& set, const double* populations) override
    {
        beginToSet();
        overNodes(own(set, {Kind::nodes}),
                  [&](const TilePlace& place, std::size_t i) { write(place, populations + i * L::Q); });
    }

    Extremes sumPopulations(const NodeSet& set, double* sums) const override
    {
        return sumSet(own(set, {Kind::sumsOfPopulations}), rooms_, L::Q, sums,
                      [&](const TilePlace& place, double* g) { read(place, g); });
    }

    void setBoundary(int patch, const LinkValue* values, std::size_t n) override
    {
        if constexpr (requires { storage_.setBoundary(patch, values, n); }) storage_.setBoundary(patch, values, n);
        else storage_.geometry().setBoundary(patch, values, n);
        strainRates_.setBoundary(patch, values, n);
    }

    void getStored(const NodeSet& set, double* values) const override
    {
        if constexpr (keepsItsOwn)
            overNodes(own(set, {Kind::nodes}), [&](const TilePlace& place, std::size_t i) {
                storage_.getStored(place, values + i * Storage::count);
            });
        else getPopulations(set, values);
    }

    void setStored(const NodeSet& set, const double* values) override
    {
        if constexpr (keepsItsOwn) {
            beginToSet();
            overNodes(own(set, {Kind::nodes}), [&](const TilePlace& place, std::size_t i) {
                storage_.setStored(place, values + i * Storage::count);
            });
        } else setPopulations(set, values);
    }

    std::size_t remembering() const override { return storage_.geometry().remembering(); }
    std::vector<OpeningMemory> openingMemory(std::size_t first, std::size_t n) const override
    {
        return storage_.geometry().memory(first, n);
    }
    void setOpeningMemory(const std::vector<OpeningMemory>& memory) override { storage_.geometry().setMemory(memory); }

    void setRelaxationTimes(const NodeSet& set, const double* tau) override
    {
        const TiledNodes& nodes = own(set, {Kind::nodes});
        Base::checkTau(nodes.blocks().nodes, tau);
        overNodes(nodes, [&](const TilePlace& place, std::size_t i) {
            fields_.setTau(place, storage_.geometry().boundaryNode(place), tau[i]);
        });
        strainRates_.setRelaxationTimes(nodes.blocks().nodes, tau);
    }

    void setForces(const NodeSet& set, const double* forces) override
    {
        const TiledNodes& nodes = own(set, {Kind::nodes});
        Base::checkForces(nodes.blocks().nodes, forces);
        overNodes(nodes, [&](const TilePlace& place, std::size_t i) {
            fields_.setForce(place, storage_.geometry().boundaryNode(place), forces + 3 * i);
        });
    }

    void getFields(const NodeSet& set, double* tau, double* forces) const override
    {
        overNodes(own(set, {Kind::nodes}), [&](const TilePlace& place, std::size_t i) {
            const NodeValues<double> at = valuesAt(place);
            if (tau) tau[i] = at.tau;
            if (forces) std::copy_n(at.force, 3, forces + 3 * i);
        });
    }

    Health health(int stride) const override;

private:
    // A storage that has its own order of tiles: all of them are of the rim, for what one finds of its neighbours depends on
    // whether they have been updated.
    static constexpr bool sweeps = requires(Storage & s) { s.advance(std::int64_t(1)); };

    static constexpr bool keepsItsOwn = requires(const Storage& s, double* values)
    {
        s.getStored(TilePlace(), values);
    };

    using Base::beginToSet;
    using Base::closure_;
    using Base::domain_;
    using Base::force_;
    using Base::incompressible_;
    using Base::moments;
    using Base::row_;
    using Base::step_;
    using Base::strainRates_;

    struct Kept final : KeptStates {
        NodeBox box;
        std::vector<std::size_t> before; // see fluidBefore
        UnsetVector<Macroscopic> states;

        NodeBox row(std::size_t i) const
        {
            NodeBox own = box;
            own.low[1] += int(i % std::size_t(box.size[1]));
            own.low[2] += int(i / std::size_t(box.size[1]));
            own.size[1] = own.size[2] = 1;
            return own;
        }
    };

    // places: a thread's own, kept from row to row.
    void keepRow(Kept& kept, std::size_t row, const BoxDifferences* differences, std::vector<TilePlace>& places,
                 Extremes& seen) const
    {
        const TileGrid& grid = storage_.geometry().grid();
        Macroscopic* const states = kept.states.data() + kept.before[row];
        places.clear();
        forFluid(*domain_, kept.row(row), [&](NodeIndex, int x, int y, int z) {
            places.push_back(grid.place({x, y, z}));
        });
        statesOf<true>(places.data(), places.size(), states);
        std::size_t i = 0;
        forFluid(*domain_, kept.row(row), [&](NodeIndex, int x, int y, int z) {
            Macroscopic& state = states[i++];
            if (differences)
                differences->view(*domain_).add(
                    {x, y, z}, &state.velocity[0],
                    [&](const Int3& at, double(&u)[3]) { velocityAt(grid.place(at), u); }, &state.strainRate[0]);
            include(seen, extremesOf(state));
        });
    }

    void velocityAt(const TilePlace& place, double (&u)[3]) const
    {
        Macroscopic there;
        statesOf<false>(&place, 1, &there);
        std::copy_n(there.velocity.begin(), 3, u);
    }

    // Relaxation times and strain rates by the velocities around nodes, unless the storage finds them in its step.
    bool findsGradients() const { return looksAround && found_.any(); }

    static constexpr bool looksAround = !requires { Storage::findsGradients; }
    &&requires(const Storage& s)
    {
        s.geometry().detail(0).isFluid(0);
        s.geometry().remotes();
    };

    void findGradients()
    {
        if constexpr (looksAround) {
            const ClosureData<T>& closure = storage_.parameters().closure;
            const auto populations = [this](const TilePlace& place, double* g) { read(place, g); };
            std::vector<GradientRates<Storage>> rates(threads_, GradientRates<Storage>{storage_});
#pragma omp parallel num_threads(threads_)
            rates[std::size_t(omp_get_thread_num())].find(storage_, closure, incompressible_, populations,
                                                          found_.tau ? fields_.tau() : nullptr, fields_.strain());
        }
    }

    // Not inlined, so that it rounds in one way, whoever asks.
    [[gnu::noinline]] void initialise(const TilePlace& place, const Macroscopic& state)
    {
        double g[L::Q];
        const NodeValues<double> at = valuesAt(place);
        moments().populations(state, closure_.tau(state.strainRate, state.velocity, at.tau), at.force, g);
        write(place, g);
    }

    void advanceAll(std::int64_t steps)
    {
        if constexpr (sweeps) storage_.advance(steps);
        else {
            if constexpr (requires { storage_.advanceBlocks(steps); })
                if (storage_.advanceBlocks(steps)) return;
            const TileRange inner = storage_.range(PartOfTiles::inner), rim = storage_.range(PartOfTiles::rim);
            advanceUnits(steps, {inner.first, rim.last}, true, true);
        }
    }

    void takeStateTau() override
    {
        if constexpr (requires { storage_.setStateRate(T()); }) storage_.setStateRate(T(1 / Base::stateTau()));
    }

    void fillTau() override { fields_.fillTau(T(closure_.tau())); }
    void fillForce() override { fields_.fillForce(force_); }

    void setParameters() override
    {
        storage_.parameters() = Base::parametersOfAll();
        storage_.parameters().closure.fields = fields_.fields();
    }

    // What a node was told, or what holds for all.
    NodeValues<double> valuesAt(const TilePlace& place) const
    {
        NodeValues<double> all{closure_.tau(), {force_[0], force_[1], force_[2]}, false, {}};
        const NodeFields<T> told = fields_.fields();
        if (!told.tau && !told.force) return all;
        const auto own =
            valuesOfNode<L::D>(storage_.parameters(), std::size_t(place.tile) * Storage::N + place.local, Storage::N);
        if (told.tau) all.tau = own.tau;
        for (int a = 0; told.force && a < 3; ++a) all.force[a] = own.force[a];
        return all;
    }

    // Patterns whose tiles need no order. begins, ends: the range is a step's first, or last.
    void advanceUnits(std::int64_t steps, const TileRange& range, [[maybe_unused]] bool begins, bool ends)
    {
        if constexpr (requires { storage_.prepare(); }) storage_.prepare();
        TeamBarrier team;
#pragma omp parallel num_threads(threads_)
        {
            typename Storage::Buffer buffer;
            for (std::int64_t s = 0; s < steps; ++s) {
                if constexpr (requires { storage_.beginStep(team); })
                    if (begins) storage_.beginStep(team);
                for (int pass = 0; pass < Storage::passes; ++pass) {
                    updateOwn(pass, range, buffer);
                    team.wait([&] {
                        if (ends && pass == Storage::passes - 1) storage_.finishStep();
                    });
                }
            }
        }
    }

    // A thread's share of the units; the team has to meet before anybody looks at what others updated.
    void updateOwn(int pass, const TileRange& range, typename Storage::Buffer& buffer)
    {
#pragma omp for schedule(static) nowait
        for (std::int32_t u = range.first; u < range.last; ++u) {
            if constexpr (Storage::passes == 1) storage_.update(u, buffer);
            else storage_.update(u, buffer, pass);
        }
        streamFence();
    }

    using Kind = NodeSet::Kind;

    std::shared_ptr<const NodeSet> placed(NodeBlocks nodes) const
    {
        return std::make_shared<TiledNodes>(owner_, *domain_, storage_.geometry().grid(), threads_, std::move(nodes));
    }

    const TiledNodes& own(const NodeSet& set, std::initializer_list<Kind> kinds) const
    {
        return ownSet<TiledNodes>(set, owner_, kinds);
    }

    const TiledNodes& own(const NodeSet& set, Reading reading) const
    {
        return ownSet<TiledNodes>(set, owner_, reading);
    }

    // But for strain rates that populations do not tell; without strain density and velocity alone.
    template<bool strain>
    void statesOf(const TilePlace* places, std::size_t n, Macroscopic* states) const
    {
        for (std::size_t first = 0; first < n; first += lanes) {
            const int here = int(std::min<std::size_t>(lanes, n - first));
            const auto flow = flowOfLanes<strain>(places + first, here);
            for (int i = 0; i < here; ++i) {
                Macroscopic& state = states[first + std::size_t(i)];
                state.density = flow.density[i];
                for (int a = 0; a < 3; ++a) state.velocity[a] = flow.velocity[a][i];
                if constexpr (strain)
                    for (int k = 0; k < 6; ++k) state.strainRate[k] = flow.strainRate[k][i];
            }
        }
    }

    static constexpr int lanes = Pack<double>::size();

    // Storages that keep momentum need no populations to tell it.
    template<bool strain>
    auto flowOfLanes(const TilePlace* places, int n) const
    {
        using V = Pack<double>;
        const NodeFields<T> told = fields_.fields();
        if constexpr (!strain && keepsItsOwn) {
            V r, j[3] = {0, 0, 0}, force[3];
            momentumOfLanes(places, n, r, j);
            if (told.force) forceOfLanes(told.force, places, n, force);
            return moments().flowOfMomentum(r, j, told.force ? force : nullptr);
        } else {
            alignas(64) double g[L::Q][lanes] = {};
            for (int i = 0; i < n; ++i) read(places[i], &g[0][i], lanes);
            V populations[L::Q];
            for (int q = 0; q < L::Q; ++q) populations[q] = PackTraits<V>::load(g[q]);
            if (!told.force && !(strain && told.tau)) return moments().template flow<strain>(populations);
            if constexpr (strain) return moments().template flow<strain>(populations, valuesOfLanes(places, n));
            else {
                NodeValues<V> at{}; // forces alone are asked for
                forceOfLanes(told.force, places, n, at.force);
                return moments().template flow<strain>(populations, at);
            }
        }
    }

    void momentumOfLanes(const TilePlace* places, int n, Pack<double>& r, Pack<double> (&j)[3]) const
    {
        alignas(64) double conserved[1 + L::D][lanes] = {};
        for (int i = 0; i < n; ++i) storage_.getConserved(places[i], &conserved[0][i], lanes);
        r = PackTraits<Pack<double>>::load(conserved[0]);
        for (int a = 0; a < L::D; ++a) j[a] = PackTraits<Pack<double>>::load(conserved[1 + a]);
    }

    static void forceOfLanes(const T* told, const TilePlace* places, int n, Pack<double> (&force)[3])
    {
        alignas(64) double own[3][lanes] = {};
        for (int i = 0; i < n; ++i)
            for (int a = 0; a < L::D; ++a)
                own[a][i] =
                    double(told[placeOfForce<L::D>(std::size_t(places[i].tile), a, places[i].local, Storage::N)]);
        for (int a = 0; a < 3; ++a) force[a] = PackTraits<Pack<double>>::load(own[a]);
    }

    NodeValues<Pack<double>> valuesOfLanes(const TilePlace* places, int n) const
    {
        alignas(64) double tau[lanes], force[3][lanes] = {};
        std::fill(tau, tau + lanes, 1.0);
        for (int i = 0; i < n; ++i) {
            const NodeValues<double> at = valuesAt(places[i]);
            tau[i] = at.tau;
            for (int a = 0; a < 3; ++a) force[a][i] = at.force[a];
        }
        using Traits = PackTraits<Pack<double>>;
        return {Traits::load(tau), {Traits::load(force[0]), Traits::load(force[1]), Traits::load(force[2])}, true, {}};
    }

    // Population q to g[q*stride]. Unrolled: directions known at compile time make the addresses a third of the work.
    void read(const TilePlace& place, double* g, std::size_t stride = 1) const
    {
        if constexpr (requires { storage_.get(place, g); }) {
            if (stride == 1) return storage_.get(place, g);
            double own[L::Q];
            storage_.get(place, own);
            for (int q = 0; q < L::Q; ++q) g[q * stride] = own[q];
        } else {
            const T* values = storage_.values();
            unroll<L::Q>([&](auto q) { g[q * stride] = double(values[storage_.slot(place.tile, place.local, q)]); });
        }
    }

    // Density and momentum after collision.
    void conserved(const TilePlace& place, double& rho, double (&j)[3]) const
    {
        rho = 1;
        for (double& component : j) component = 0;
        if constexpr (keepsItsOwn) {
            double conserved[1 + L::D];
            storage_.getConserved(place, conserved);
            rho += conserved[0];
            for (int a = 0; a < L::D; ++a) j[a] = conserved[1 + a];
        } else {
            double g[L::Q];
            read(place, g);
            for (int q = 0; q < L::Q; ++q) {
                rho += g[q];
                for (int a = 0; a < 3; ++a) j[a] += L::c[q][a] * g[q];
            }
        }
    }

    void write(const TilePlace& place, const double* g)
    {
        if constexpr (requires { storage_.set(place, g); }) {
            storage_.set(place, g);
        } else {
            T* values = storage_.values();
            unroll<L::Q>([&](auto q) { values[storage_.slot(place.tile, place.local, q)] = T(g[q]); });
            storage_.remember(place, g);
        }
    }

    int threads_;
    Storage storage_;
    FoundAround found_;
    TiledFields<T, L::D, Storage::N> fields_;
    SetOwner owner_ = std::make_shared<const char>();
    mutable Rooms rooms_;
};

template<class Storage>
Health TiledSolver<Storage>::health(int stride) const
{
    const TileGrid& grid = storage_.geometry().grid();
    const HealthBlocks blocks(*domain_, stride);
    Health result = healthOfNone();
#pragma omp parallel num_threads(threads_)
    {
        Health own = healthOfNone();
        const auto look = [&](NodeIndex node, int x, int y, int z) {
            double rho, j[3];
            conserved(grid.place({x, y, z}), rho, j);
            const double square = j[0] * j[0] + j[1] * j[1] + j[2] * j[2];
            if (!std::isfinite(rho) || !std::isfinite(square)) {
                includeBad(own, node);
                return;
            }
            includeSpeed(own, std::sqrt(square) / (incompressible_ ? 1 : std::abs(rho) + 1e-300), node);
            includeDensity(own, rho);
        };
#pragma omp for schedule(static)
        for (std::int64_t row = 0; row < blocks.rows(); ++row)
            blocks.forRow(row, [&](const NodeBox& box) { forFluid(*domain_, box, look); });
#pragma omp critical
        include(result, own);
    }
    return result;
}

} // namespace lbm
