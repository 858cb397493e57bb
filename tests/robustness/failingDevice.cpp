// Preloaded before lbmFoam: its solvers fail as a GPU does. LBM_FAIL_AFTER: lattice steps that succeed once
// the initial state is set, or -1: the solver cannot even be made. LBM_FAIL_BY: an exception of another type than a device's
// (bad_alloc, invalid_argument, int). Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Solver.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <stdexcept>
#include <string>

namespace {

using Make = std::unique_ptr<lbm::Solver> (*)(std::shared_ptr<const lbm::Domain>, const lbm::Config&);

const long failAfter = std::atol(std::getenv("LBM_FAIL_AFTER"));

[[noreturn]] void fail(const std::string& words)
{
    const char* const set = std::getenv("LBM_FAIL_BY");
    const std::string by(set ? set : "runtime_error");
    if (by == "bad_alloc") throw std::bad_alloc();
    if (by == "invalid_argument") throw std::invalid_argument(words);
    if (by == "int") throw 42;
    throw std::runtime_error(words);
}

class FailingSolver final : public lbm::Solver {
public:
    explicit FailingSolver(std::unique_ptr<lbm::Solver> solver) : solver_(std::move(solver)) {}

    const lbm::KernelRow& row() const override { return solver_->row(); }
    const lbm::Domain& domain() const override { return solver_->domain(); }
    lbm::TilingFacts tiling() const override { return solver_->tiling(); }
    lbm::MemoryUse memory() const override { return solver_->memory(); }
    std::int64_t step() const override { return solver_->step(); }

    void advance(std::int64_t steps) override
    {
        if (start_ >= 0 && step() - start_ + steps > failAfter)
            fail("kernel " + name(row()) + " on cuda:0 (test): unspecified launch failure");
        solver_->advance(steps);
    }

    std::shared_ptr<const lbm::NodeSet> place(const lbm::NodeIndex* nodes, std::size_t n) const override
    {
        return solver_->place(nodes, n);
    }
    std::shared_ptr<const lbm::NodeSet> place(const lbm::NodeGroups& groups) const override
    {
        return solver_->place(groups);
    }
    void initialise(const lbm::NodeSet& set, const lbm::Macroscopic* states) override
    {
        solver_->initialise(set, states);
        start_ = step();
    }
    lbm::Extremes sample(const lbm::NodeSet& set, lbm::Reading reading, double* values) const override
    {
        return solver_->sample(set, reading, values);
    }
    int directions() const override { return solver_->directions(); }
    lbm::Extremes getPopulations(const lbm::NodeSet& set, double* populations) const override
    {
        return solver_->getPopulations(set, populations);
    }
    void setPopulations(const lbm::NodeSet& set, const double* populations) override
    {
        solver_->setPopulations(set, populations);
    }
    lbm::Extremes sumPopulations(const lbm::NodeSet& set, double* sums) const override
    {
        return solver_->sumPopulations(set, sums);
    }
    void setBoundary(int patch, const lbm::LinkValue* values, std::size_t n) override
    {
        solver_->setBoundary(patch, values, n);
    }
    void getStored(const lbm::NodeSet& set, double* values) const override { solver_->getStored(set, values); }
    void setStored(const lbm::NodeSet& set, const double* values) override { solver_->setStored(set, values); }
    double stateTau() const override { return solver_->stateTau(); }
    void setStateTau(double tau) override { solver_->setStateTau(tau); }
    void setStateSteps(std::int64_t steps) override { solver_->setStateSteps(steps); }
    std::size_t remembering() const override { return solver_->remembering(); }
    std::vector<lbm::OpeningMemory> openingMemory(std::size_t first, std::size_t n) const override
    {
        return solver_->openingMemory(first, n);
    }
    void setOpeningMemory(const std::vector<lbm::OpeningMemory>& memory) override { solver_->setOpeningMemory(memory); }
    void setForce(const lbm::Vec3& force) override { solver_->setForce(force); }
    void setRelaxationTime(double tau) override { solver_->setRelaxationTime(tau); }
    void setCoefficients(const lbm::ClosureCoefficients& c) override { solver_->setCoefficients(c); }
    void setMagic(double magic) override { solver_->setMagic(magic); }
    void setRelaxationTimes(const lbm::NodeSet& set, const double* tau) override
    {
        solver_->setRelaxationTimes(set, tau);
    }
    void setForces(const lbm::NodeSet& set, const double* forces) override { solver_->setForces(set, forces); }
    lbm::Health health(int stride) const override { return solver_->health(stride); }

private:
    std::unique_ptr<lbm::Solver> solver_;
    std::int64_t start_ = -1; // none yet: the plan measures the speed before
};

} // namespace

namespace lbm {

std::unique_ptr<Solver> makeSolver(std::shared_ptr<const Domain> domain, const Config& config)
{
    if (failAfter < 0) fail("device cuda: no CUDA device is present");
    // The one that this one hides
    const auto make =
        reinterpret_cast<Make>(dlsym(RTLD_NEXT, "_ZN3lbm10makeSolverESt10shared_ptrIKNS_6DomainEERKNS_6ConfigE"));
    if (!make) throw std::logic_error("failingDevice: lbm::makeSolver was not found");
    return std::make_unique<FailingSolver>(make(std::move(domain), config));
}

} // namespace lbm
