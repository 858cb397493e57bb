// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/model/Scaling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace lbm::model {

namespace {

const Connection known[] = {
    // A kernel's stores through a peer pointer over 18 NVLinks between two H100: 369 GB/s; up to 128 kB take 6.7 us, launch and
    // synchronization included. Measured, lbm/bench/results/two-gpus.md.
    {"nvlink", 369e9, 6.7e-6, 1},
    // Pinned memory of the host, in and out: 54.7 to 55.5 GB/s each way, measured on the same; kernels at either end, as above.
    {"host", 55e9, 6.7e-6, 2},
    // Ranks of one host through pinned memory and MPI, which moves 4.7 MB each way in 1.0 ms (two copies through shared memory), the
    // same page: 1/55 + 1/4.7 + 1/55 is three times 1/12.
    {"mpi", 12e9, 6.7e-6, 3},
    // InfiniBand NDR, 400 Gb/s a port (NVIDIA ConnectX-7, data sheet), a port a device, from one device's memory to another's
    // (GPUDirect). Latency assumed, not measured here.
    {"ndr", 50e9, 5e-6, 1},
    // The same from the host's pinned memory to another host's, as ranks without NCCL do: 1/55 + 1/50 + 1/55 is three times 1/53.
    {"ndrByHost", 53e9, 6.7e-6, 3}};

// Of a device with all of its neighbours, in one direction.
struct Traffic {
    double bytes = 0, time = 0;

    void add(const Connection& link, double size)
    {
        bytes += size;
        time += link.hops * (link.latency + size / link.bandwidth);
    }
};

} // namespace

std::string connectionNames()
{
    std::string names;
    for (const Connection& link : known) names.append(names.empty() ? "" : ", ").append(link.name);
    return names;
}

Connection findConnection(const std::string& word)
{
    for (const Connection& link : known)
        if (link.name == word) return link;
    double gigabytes = 0, microseconds = 0;
    int end = 0;
    if (std::sscanf(word.c_str(), "%lf:%lf%n", &gigabytes, &microseconds, &end) != 2 || end != int(word.size())
        || !(gigabytes > 0) || !(microseconds >= 0))
        throw std::invalid_argument("'" + word + "' is none of " + connectionNames() + ", nor GB/s:us such as 50:5");
    return {word, 1e9 * gigabytes, 1e-6 * microseconds, 1};
}

Scaling predictScaling(const std::vector<BrickFacts>& bricks, const Bytes& bytesOf, const Machine& machine,
                       double finer)
{
    const double volume = finer * finer * finer, face = finer * finer;
    double nodes = 0, cost = 0;
    for (const BrickFacts& b : bricks) {
        nodes += double(b.nodes);
        cost += b.cost;
    }
    const double timeOfCost = nodes / cost / machine.rate;
    std::vector<Traffic> taken(bricks.size()), given(bricks.size());
    Scaling result;
    for (std::size_t to = 0; to < bricks.size(); ++to)
        for (const TakenGhosts& over : bricks[to].taken) {
            const auto from = std::size_t(over.from);
            const double bytes = face * bytesOf(over);
            result.bytes += bytes;
            if (from == to) continue; // its own, beyond a periodic side
            const auto host = std::size_t(machine.perHost);
            const Connection& link = from / host == to / host ? machine.within : machine.between;
            taken[to].add(link, bytes);
            given[from].add(link, bytes);
        }
    for (std::size_t b = 0; b < bricks.size(); ++b) {
        const double work = volume * bricks[b].cost * timeOfCost,
                     rim = bricks[b].nodes > 0
            ? std::min(work, face * double(bricks[b].rim) / double(bricks[b].nodes) * bricks[b].cost * timeOfCost)
            : 0;
        const double link = std::max(taken[b].time, given[b].time);
        const double step = (machine.overlaps ? std::max(work, rim + link) : work + link)
            + (taken[b].bytes + given[b].bytes) / machine.memory + (bricks.size() > 1 ? machine.attended : 0);
        result.time = std::max(result.time, step);
        result.link = std::max(result.link, link);
        result.mostBytes = std::max({result.mostBytes, taken[b].bytes, given[b].bytes});
    }
    result.rate = volume * nodes / result.time;
    result.efficiency = result.rate / (machine.rate * double(bricks.size()));
    return result;
}

} // namespace lbm::model
