// RankCall: what the first rank has the others do. A message begins with the call and the number of a solver, a set or a worker;
// those to a solver that are answered go on with a part of it, or two. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

namespace lbm {

enum class RankCall : int {
    // Without an answer
    end,
    dropSolver,
    dropSet,
    dropStates,
    dropWorker,
    advance,
    nodesWritten,
    fillGhosts,
    joinDevices,

    // Answered: what was asked for, or what went wrong
    makeWorker,
    askWorker,
    signal,
    makePart,
    haloHere,
    endOfGhosts,
    endOfOwners,
    beDirect,
    beStreamed,
    slabOffer,
    slabWindows,
    streamSlabs,
    devicePresence,
    placeNodes,
    placeGroups,
    placeBoxes,
    nodeOfSet,
    initialiseBoxes,
    keepStates,
    setStates,
    tiling,
    memory,
    executor,
    deviceName,
    step,
    initialise,
    sample,
    getPopulations,
    setPopulations,
    sumPopulations,
    getStored,
    setStored,
    stateTau,
    setStateTau,
    setStateSteps,
    keepBoundary,
    setKeptBoundary,
    remembering,
    openingMemory,
    setOpeningMemory,
    setForce,
    setRelaxationTime,
    setCoefficients,
    setMagic,
    setRelaxationTimes,
    setForces,
    getFields,
    health,
    work
};

// An answer's first value.
enum class RankAnswer : int { done, invalidArgument, outOfRange, badAlloc, failed };

constexpr bool answered(RankCall call) { return call >= RankCall::makeWorker; }

} // namespace lbm
