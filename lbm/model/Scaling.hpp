// Scaling: how fast a cut domain should be on many devices, from what each brick has to do and hands over (CutFacts), how fast one
// device is, and its links. A step of a device takes what its nodes take, or, where its rim is stepped first and handed over
// beside inner tiles, the rim and the links if that is longer; ghosts pass through the devices' own memories besides, and
// the step is seen to. Devices wait for each other: the slowest one counts. Of a link, time is latency a message, one to each neighbour
// after the other, and bytes over bandwidth (the alpha-beta model, Hockney 1994). C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/CutFacts.hpp"

#include <functional>
#include <string>
#include <vector>

namespace lbm::model {

// One way, while the other is in use, too. hops: as often a message is passed on as a whole.
struct Connection {
    std::string name;
    double bandwidth; // bytes per second
    double latency;   // seconds a message and hop
    int hops;
};

// By name: nvlink, host, mpi, ndr, ndrByHost; or as GB/s:us, for instance 50:5. Throws std::invalid_argument for anything else.
Connection findConnection(const std::string& word);
std::string connectionNames();

// Devices are alike; those of a host follow each other in the order of bricks.
struct Machine {
    double rate;     // of one device that has the whole domain, in nodes per second
    double memory;   // of it, in bytes per second; what is handed over is read there and written there
    double attended; // seconds a step beyond those of one device alone: more kernels, their launches and ends
    bool overlaps;   // links beside inner tiles
    Connection within, between;
    int perHost;
};

// What of CutFacts is as bytes.
using Bytes = std::function<double(const TakenGhosts&)>;

struct Scaling {
    double bytes = 0, mostBytes = 0; // of a step: of all devices, of the one that takes or gives most
    double time = 0;                 // seconds a step
    double rate = 0;                 // nodes per second of all
    double efficiency = 0;           // over as many devices, each as fast as one is alone
    double link = 0;                 // seconds on links, of the device that they take longest, be they hidden or not
};

// The domain as it is (finer 1), or `finer` times as many nodes along each axis: volumes and faces grow with it, and imbalance is
// taken to stay. So finer = cbrt(bricks) is weak scaling: each device has as many nodes as the domain has now.
Scaling predictScaling(const std::vector<BrickFacts>&, const Bytes&, const Machine&, double finer = 1);

} // namespace lbm::model
