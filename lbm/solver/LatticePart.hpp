// LatticePart: what a Part keeps whatever its storage and device are: its Domain and row; force, rates and closure of all nodes
// that are told no other ones; strain rates that populations do not tell. The solver of a device adds where its steps find
// them. Units: lattice. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Moments.hpp"
#include "lbm/physics/Parameters.hpp"
#include "lbm/solver/ClosureState.hpp"
#include "lbm/solver/NodeChecks.hpp"
#include "lbm/solver/Part.hpp"
#include "lbm/solver/StrainRates.hpp"

namespace lbm {

template<class L, class T>
class LatticePart : public Part {
public:
    const KernelRow& row() const final { return row_; }
    const Domain& domain() const final { return *domain_; }
    std::int64_t step() const final { return step_; }
    int directions() const final { return L::Q; }

    void setForce(const Vec3& force) final
    {
        force_ = force;
        fillForce();
        setParameters();
    }

    void setRelaxationTime(double tau) final
    {
        closure_.set(tau, closure_.coefficients());
        fillTau();
        if (closure_.byNode()) strainRates_.setRelaxationTime(tau);
        setParameters();
    }

    double stateTau() const final { return stateTau_ > 0 ? stateTau_ : closure_.tau(); }
    void setStateTau(double tau) final
    {
        if (!(tau > 0.5))
            throw std::invalid_argument("relaxation time of the state = " + std::to_string(tau)
                                        + ": must be above 0.5");
        stateTau_ = tau;
        takeStateTau();
    }

    // Of storages that do not round at random
    void setStateSteps(std::int64_t) override {}

    void setCoefficients(const ClosureCoefficients& coefficients) override
    {
        closure_.set(closure_.tau(), coefficients);
        setParameters();
    }

    void setMagic(double magic) final
    {
        magic_ = magic;
        setParameters();
    }

protected:
    LatticePart(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row) :
        domain_(std::move(domain)),
        row_(row),
        closure_(config),
        force_(config.force),
        incompressible_(isIncompressible(config)),
        strainRates_(*domain_, config),
        magic_(config.magic),
        sigma_(config.sigma),
        nodeForces_(config.nodeForces)
    {}

    // What nodes have been told gives way to what holds for all.
    virtual void fillTau() = 0;
    virtual void fillForce() = 0;

    // Steps to come take parametersOfAll().
    virtual void setParameters() = 0;

    // The storage is told stateTau().
    virtual void takeStateTau() = 0;

    // Nodes are about to be set.
    void beginToSet()
    {
        if (!(stateTau_ > 0)) setStateTau(closure_.tau());
    }

    void countSteps(std::int64_t steps)
    {
        step_ += steps;
        if (steps > 0) stateTau_ = closure_.tau();
    }

    // But for what nodes are told; tables are the host's.
    Parameters<T> parametersOfAll() const
    {
        const double force[3] = {force_[0], force_[1], force_[2]};
        Parameters<T> all = parameters<T>(closure_.tau(), magic_, force);
        closure_.fill(all.closure);
        all.closure.differences = T(1 - sigma_);
        return all;
    }

    Moments<L> moments() const { return {incompressible_, closure_.viscosity(), force_}; }

    // Before nodes are told anything.
    void checkTau(const std::vector<NodeIndex>& nodes, const double* tau) const
    {
        requireNodeTau(closure_.descriptor());
        for (std::size_t i = 0; i < nodes.size(); ++i)
            checkNodeTau(tau[i], sizeof(T) == sizeof(float), domain_->coordinates(nodes[i]));
    }

    void checkForces(const std::vector<NodeIndex>& nodes, const double* forces) const
    {
        requireNodeForces(nodeForces_);
        for (std::size_t i = 0; i < nodes.size(); ++i) checkNodeForce(forces + 3 * i, domain_->coordinates(nodes[i]));
    }

    template<class Geometry>
    static TilingFacts factsOf(const Geometry& tiles, int nodesPerTile)
    {
        TilingFacts facts;
        facts.tiles = tiles.grid().tiles();
        facts.uniformTiles = tiles.uniformTiles();
        facts.fluidNodes = tiles.fluidNodes();
        facts.nodesPerTile = nodesPerTile;
        facts.tilePorosity = double(facts.fluidNodes) / (double(facts.tiles) * nodesPerTile);
        return facts;
    }

    std::shared_ptr<const Domain> domain_;
    KernelRow row_;
    ClosureState<T> closure_;
    Vec3 force_;
    bool incompressible_;
    std::int64_t step_ = 0;
    StrainRates strainRates_;

private:
    double magic_, sigma_;
    double stateTau_ = 0; // 0: no step is made and no node is set
    bool nodeForces_;
};

} // namespace lbm
