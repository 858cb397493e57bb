// Parts of a domain whose slabs are stepped piece by piece, as parts on several devices step theirs (lbm/solver/PartSteps.cpp): behind each
// piece ghosts in its layers are taken over from their owners. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Reach.hpp"
#include "lbm/geometry/PartDomain.hpp"
#include "lbm/solver/HaloLayers.hpp"
#include "lbm/solver/SlabAgreement.hpp"
#include "tests/equivalence/NodesOnHost.hpp"

#include <map>
#include <memory>
#include <stdexcept>

namespace lbm::test {

// Emulated: what a part is stepped by.
template<class Emulated>
class InParts {
public:
    using Collision = typename Emulated::Collision;

    // tile: extents.
    InParts(const Scenario& s, const Config& config, const Thickness& slabs, int parts, const Int3& tile) :
        whole_(*s.domain), bricks_(whole_, parts, tile, slabCutCosts(CutCosts()))
    {
        for (int p = 0; p < parts; ++p) {
            auto part =
                std::make_unique<Part>(Part{PartDomain(whole_, bricks_[p], reachOf(config), tile), s, nullptr, {}});
            part->scenario.domain = part->domain.domain();
            part->nodes = std::make_unique<Emulated>(part->scenario, config, slabs);
            parts_.push_back(std::move(part));
        }
        agree(slabs);
        placeHalos(tile);
    }

    bool streams() const
    {
        return std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->nodes->streams(); });
    }

    void set(double tau, const Vec3& force, double magic)
    {
        for (auto& part : parts_) part->nodes->set(tau, force, magic);
    }

    // values: by link of the patch
    void setBoundary(int patch, const std::vector<LinkValue>& values)
    {
        std::vector<std::int32_t> ordinal(whole_.links.size());
        std::int32_t next = 0;
        for (std::size_t i = 0; i < ordinal.size(); ++i)
            if (whole_.links[i].patch == patch) ordinal[i] = next++;
        for (auto& part : parts_) {
            std::vector<LinkValue> own;
            const auto& links = part->scenario.domain->links;
            for (std::size_t i = 0; i < links.size(); ++i)
                if (links[i].patch == patch)
                    own.push_back(values[std::size_t(ordinal[std::size_t(part->domain.links()[i])])]);
            part->nodes->setBoundary(patch, own);
        }
    }

    // Ghosts, too.
    void put(const std::vector<NodeIndex>& nodes, const std::vector<double>& values)
    {
        const std::size_t Q = values.size() / nodes.size();
        std::vector<std::size_t> at(std::size_t(whole_.nodes()));
        for (std::size_t i = 0; i < nodes.size(); ++i) at[std::size_t(nodes[i])] = i;
        for (auto& part : parts_) {
            const Domain& d = *part->scenario.domain;
            std::vector<NodeIndex> all;
            std::vector<double> its;
            for (NodeIndex node = 0; node < d.nodes(); ++node) {
                if (!d.fluid[node]) continue;
                const Int3 x = part->domain.global(node);
                const auto first = values.begin() + std::ptrdiff_t(at[std::size_t(whole_.index(x[0], x[1], x[2]))] * Q);
                all.push_back(node);
                its.insert(its.end(), first, first + std::ptrdiff_t(Q));
            }
            part->nodes->put(all, its);
        }
    }

    std::vector<double> get(const std::vector<NodeIndex>& nodes)
    {
        std::vector<std::vector<NodeIndex>> of(parts_.size());
        std::vector<std::vector<std::size_t>> places(parts_.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Int3 x = whole_.coordinates(nodes[i]);
            const auto p = std::size_t(bricks_.owner(x));
            of[p].push_back(parts_[p]->domain.local(x));
            places[p].push_back(i);
        }
        std::vector<double> values;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            const std::vector<double> its = parts_[p]->nodes->get(of[p]);
            const std::size_t Q = its.size() / of[p].size();
            values.resize(nodes.size() * Q);
            for (std::size_t i = 0; i < of[p].size(); ++i) std::copy_n(&its[i * Q], Q, &values[places[p][i] * Q]);
        }
        return values;
    }

    void advance(int steps)
    {
        const int most = parts_.front()->nodes->slabs().steps;
        for (; steps > 0; steps -= most) pass(std::min(steps, most));
    }

private:
    struct TakenGhosts {
        std::size_t from;
        std::vector<Int3> ghosts, owners; // by layer
        HaloLayers layers;
    };
    struct Part {
        PartDomain domain;
        Scenario scenario;
        std::unique_ptr<Emulated> nodes;
        std::vector<TakenGhosts> halos;
    };

    // The furthest reach of all.
    void agree(const Thickness& thickness)
    {
        SlabShape shape = parts_.front()->nodes->slabs().shape;
        for (auto& part : parts_) {
            const SlabShape& own = part->nodes->slabs().shape;
            shape.reach = std::max(shape.reach, own.reach);
            shape.remembers = shape.remembers || own.remembers;
        }
        for (auto& part : parts_) {
            SlabsOnHost& slabs = part->nodes->slabs();
            if (slabs.shape.bounds != shape.bounds) throw std::logic_error("parts have other slabs");
            slabs.shape = shape;
            slabs.steps = std::min(thickness.steps, shape.mostSteps());
            slabs.known = slabs.known && slabs.steps > 0;
        }
    }

    void placeHalos(const Int3& tile)
    {
        for (auto& part : parts_) {
            std::map<std::size_t, std::vector<NodeIndex>> of;
            part->domain.forGhosts(
                [&](NodeIndex node) { of[std::size_t(bricks_.owner(part->domain.global(node)))].push_back(node); });
            for (const auto& [from, nodes] : of) {
                TakenGhosts halo{from, {}, {}, HaloLayers(*part->scenario.domain, nodes, tile)};
                for (const NodeIndex node : nodes) {
                    halo.ghosts.push_back(part->domain.coordinates(node));
                    const PartDomain& owner = parts_[from]->domain;
                    halo.owners.push_back(owner.coordinates(owner.local(part->domain.global(node))));
                }
                part->halos.push_back(std::move(halo));
            }
        }
    }

    void pass(int steps)
    {
        const Slabs slabs(parts_.front()->nodes->slabs().shape, steps);
        for (auto& part : parts_) part->nodes->beginPass();
        for (int slab = 0; slab < slabs.count(); ++slab) {
            for (auto& part : parts_) part->nodes->takeUp(slabs.takenUp(slab));
            for (int ahead = 0; ahead < steps; ++ahead) {
                for (auto& part : parts_) part->nodes->stepPiece(slabs, slab, ahead);
                for (auto& part : parts_)
                    for (const TakenGhosts& halo : part->halos)
                        halo.layers.forNodesIn(slabs.stepped(slab, ahead), [&](std::size_t first, std::size_t n) {
                            for (std::size_t i = first; i < first + n; ++i)
                                part->nodes->take(*parts_[halo.from]->nodes, halo.owners[i], halo.ghosts[i], ahead + 1);
                        });
            }
            for (auto& part : parts_) part->nodes->takeOut(slabs.finished(slab), steps);
        }
        for (auto& part : parts_) part->nodes->endPass(steps);
    }

    const Domain& whole_;
    Bricks bricks_;
    std::vector<std::unique_ptr<Part>> parts_;
};

} // namespace lbm::test
