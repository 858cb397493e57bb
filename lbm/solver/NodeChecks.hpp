// Checks of what nodes are told one by one (Solver::setRelaxationTimes, Solver::setForces), before anything is changed. Each throws
// std::invalid_argument in words. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

namespace lbm {

// A Config that asks for room which its closure or the row's storage has none for.
void checkNodeFields(const Config&, const KernelRow&);

// A closure that asks for the velocities around nodes, of a row whose storage does not find them: UnknownKernel names those that do.
void checkGradients(const Config&, const KernelRow&);

// A solver that was not asked for room.
void requireNodeTau(const ClosureDescriptor&);
void requireNodeForces(bool asked);

// The ith node's value. x: its coordinates. single: kept in single precision.
void checkNodeTau(double tau, bool single, const Int3& x);
void checkNodeForce(const double* force, const Int3& x);

} // namespace lbm
