// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSketch.H"
#include "lbmSurfaceWalls.H"
#include "lbm/model/Prediction.hpp"

namespace
{
    // Of what two sketches differ by
    const Foam::scalar safety = 2;

    // Digits that are worth to be told
    const Foam::scalar leastOff = 1e-3;


    Foam::scalar off(const Foam::scalar coarse, const Foam::scalar fine)
    {
        return fine > 0 ? safety*Foam::mag(coarse/fine - 1) : 0;
    }


    // Of all nodes, those that may be one more or less at planes of the lattice
    Foam::scalar offAtSides(const int dimensions, const lbm::Int3& size)
    {
        Foam::scalar sum = 0;
        for (int a = 0; a < dimensions; ++a) sum += 1.0/size[a];
        return sum;
    }


    // The same at planes of a sketch; none between sides that are whole multiples
    Foam::scalar offAtSides
    (
        const lbm::Domain& sketch,
        const Foam::scalar times,
        const lbm::Int3& size
    )
    {
        Foam::scalar sum = 0;
        for (int a = 0; a < sketch.dimensions; ++a)
        {
            const bool same = Foam::mag(sketch.size[a]*times - size[a]) < 0.5;
            if (!same) sum += 1.0/sketch.size[a];
        }
        return sum;
    }


    Foam::scalar timeOfNode(const lbm::Domain& domain, const lbm::KernelRow& row)
    {
        // Step by step: a coarser box may have too few columns for passes
        const auto p =
            lbm::model::Predictor(domain).predict(row, false, true);
        return p.traffic/(p.share > 0 ? p.share : 1);
    }
}


Foam::lbmSketch::lbmSketch
(
    const lbmMeshDomain& lattice,
    const lbm::Config& config,
    const std::shared_ptr<const lbm::Domain>& coarse,
    const std::shared_ptr<const lbm::Domain>& fine
)
:
    config_(config),
    fine_(fine),
    times_(fine->spacing/lattice.spacing()),
    slowness_(0)
{
    using lbm::model::DomainCounts;
    const lbm::KernelRow& row = lbm::findKernel(config_);
    const DomainCounts ofFine(lbm::model::countDomain(*fine, row));
    const DomainCounts ofCoarse(lbm::model::countDomain(*coarse, row));
    const scalar byCoarse = coarse->spacing/lattice.spacing();
    const lbm::Int3 size = lattice.size();
    const bool byVolume = lattice.boundedByMesh();
    const scalar box = scalar(size[0])*size[1]*size[2];
    const auto fluid = [&](const lbm::Domain& sketch)
    {
        return byVolume ? lattice.expectedNodes() : sketch.porosity()*box;
    };
    counts_ = ofFine.refined(times_, size, fluid(*fine));
    const DomainCounts other(ofCoarse.refined(byCoarse, size, fluid(*coarse)));
    const scalar sides = byVolume
      ? offAtSides(fine->dimensions, size) : offAtSides(*fine, times_, size);
    offFluid_ = max(leastOff, off(other.fluid, counts_.fluid) + sides);
    offTiles_ = max(offFluid_, off(other.tiles, counts_.tiles) + sides);
    offLinks_ = 0;
    for (std::size_t patchi = 0; patchi < counts_.patchLinks.size(); ++patchi)
    {
        const scalar differ =
            mag(other.patchLinks[patchi] - counts_.patchLinks[patchi]);
        offLinks_ = max(offLinks_, safety*differ/max(counts_.links(), 1.0));
    }
    estimateMemory(ofFine);
    estimateSpeed(*coarse, lattice.spacing());
}


// What parts keep besides, of others' nodes, grows with the faces between them
void Foam::lbmSketch::estimateMemory(const lbm::model::DomainCounts& ofSketch)
{
    const lbm::KernelRow& row = lbm::findKernel(config_);
    memory_ = lbm::model::memoryOf(counts_, row, config_);
    if (lbm::partsOf(config_) == 1) return;

    const lbm::MemoryUse parts(lbm::expectedMemory(*fine_, config_));
    const lbm::MemoryUse whole(lbm::model::memoryOf(ofSketch, row, config_));
    const scalar area = pow(times_, scalar(counts_.dimensions - 1));
    const auto besides = [&](const std::size_t ofAll, const std::size_t ofOne)
    {
        return std::size_t(area*max(scalar(ofAll) - scalar(ofOne), scalar(0)));
    };
    memory_.populations += besides(parts.populations, whole.populations);
    memory_.geometry += besides(parts.geometry, whole.geometry);
}


// What walls cost is in proportion to the area that they have for each node
void Foam::lbmSketch::estimateSpeed
(
    const lbm::Domain& coarse,
    const scalar spacing
)
{
    const lbm::KernelRow& row = lbm::findKernel(config_);
    if (!lbm::model::Predictor::knows(row)) return;
    const scalar fine = timeOfNode(*fine_, row);
    const scalar perSpacing =
        (timeOfNode(coarse, row) - fine)/(coarse.spacing - fine_->spacing);
    // No storage is quicker where walls are nearer; what looks so is rounding
    const scalar saved = max(perSpacing, scalar(0))*(fine_->spacing - spacing);
    slowness_ = (fine - saved)/fine;
}
