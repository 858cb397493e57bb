// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMemoryCheck.H"
#include "lbmPlan.H"
#include "lbm/api/Solver.hpp"


void Foam::lbmMemoryCheck::checkMemory
(
    const lbmControls& controls,
    const lbmMeshDomain& lattice,
    const lbm::Config& config,
    const scalar nodes,
    const char* what
)
{
    const scalar bitsPerByte = 8;
    const scalar available = lbmPlan::availableMemory();
    // Counted for a million nodes: the bytes of a mistyped cell size pass
    // every whole number
    const scalar million = 1e6;
    const lbm::KernelRow& kernel = lbm::findKernel(config);
    // Another device has its own memory, and says itself when it is too small
    const scalar perMillion =
        kernel.device == "cpu"
      ? scalar(lbm::populationBytes(kernel, million))
      : 0;
    const scalar needed =
        nodes/million*perMillion + lattice.boxNodes()/bitsPerByte;

    if (needed > available)
    {
        FatalIOErrorInFunction(controls.dict())
            << "About " << nodes << " nodes in " << what << " need "
            << needed/1e9 << " GB of memory; " << available/1e9
            << " GB are available" << nl
            << "Entry "
            << (controls.spacingIsFree() ? "cellSize"
                                          : controls.spacingEntry())
            << ": the cell size is " << lattice.spacing() << ", try "
            << lattice.spacing()
              *pow(needed/available, 1.0/lattice.axes().dimensions())
            << " or more" << exit(FatalIOError);
    }
}
