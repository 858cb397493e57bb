// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/TowerMeasure.hpp"

#include "lbm/api/HostMemory.hpp"
#include "lbm/bench/Measure.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/solver/Devices.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace lbm::bench {
namespace {

using Clock = std::chrono::steady_clock;

void checkMemory(const TowerCase& c)
{
    if (!c.onHost()) return; // the device says so itself
    const double need = towerBytes(c), have = double(availableMemory());
    if (need <= have) return;
    std::ostringstream message;
    message << "towers of " << c.shell << " take " << need / 1e9 << " GB, " << have / 1e9
            << " GB are free: take a smaller --size or --scale, or fewer --steps-at-once";
    throw std::runtime_error(message.str());
}

// The first processor's, as the kernel knows it; of AMD's third ones the C library tells ten times as much on some machines.
long cacheBytes(int level, int otherwise)
{
    for (int index = 0; index < 8; ++index) {
        const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + '/';
        int itsLevel = 0;
        long kilobytes = 0;
        std::string type;
        std::ifstream(folder + "level") >> itsLevel;
        std::ifstream(folder + "type") >> type;
        std::ifstream(folder + "size") >> kilobytes; // "32K"
        if (itsLevel == level && type != "Instruction" && kilobytes > 0) return 1024 * kilobytes;
    }
    return sysconf(otherwise);
}

std::unique_ptr<TowerBox> make(const TowerCase& c)
{
    try {
        checkMemory(c);
        return makeTowers(c);
    } catch (const std::invalid_argument& fault) {
        throw UsageError(std::string("--towers: ") + fault.what());
    }
}

} // namespace

double median(std::vector<double> v)
{
    std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
    return v[v.size() / 2];
}

std::vector<std::string> towerDevices(const Options& o)
{
    Config config;
    config.device = o.device;
    config.sharedDevices = o.sharedDevices;
    try {
        checkDevices(config);
        return devicesOf(config);
    } catch (const std::invalid_argument& fault) {
        throw UsageError(fault.what());
    }
}

void measureTowers(TowerRow& row, const Options& o, Bandwidth& probe)
{
    const int valueBytes = row.towers.precision == "float" ? 4 : 8;
    const double nodes = row.towers.fluidNodes();
    const auto box = make(row.towers);
    row.wallBytes = box->wallBytes();
    const std::int64_t steps = o.steps > 0 ? o.steps : row.towers.stepsAtOnce;
    box->advance(steps, row.threads); // pages, caches, thread pool
    for (int repeat = 0; repeat < o.repeats; ++repeat) {
        const double bandwidth = row.towers.onHost()
            ? probe.measure(Traffic::inPlace, D3Q19::Q, valueBytes, row.threads)
            : deviceBandwidth({row.towers.device});
        const auto start = Clock::now();
        box->advance(steps, row.threads);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        row.mlups.push_back(1e-6 * nodes * double(steps) / seconds);
        row.roof.push_back(1e-6 * bandwidth / (2.0 * row.shell.values * valueBytes));
    }
    if (!box->finite()) throw std::runtime_error("LRnLA " + row.shell.name + ": the flow is not finite after the run");
}

std::vector<model::MemoryLevel> measureLevels(int threads, Bandwidth& probe)
{
    struct Cache {
        const char* name;
        long bytes;
    };
    std::vector<model::MemoryLevel> levels;
    double smaller = 0;
    for (const Cache& cache :
         {Cache{"L1", cacheBytes(1, _SC_LEVEL1_DCACHE_SIZE)}, Cache{"L2", cacheBytes(2, _SC_LEVEL2_CACHE_SIZE)},
          Cache{"L3", cacheBytes(3, _SC_LEVEL3_CACHE_SIZE) / threads}}) {
        const double bytes = double(cache.bytes) / 2;
        if (bytes <= smaller) continue; // not told, or a thread's share is no larger than what it has to itself
        smaller = double(cache.bytes);
        levels.push_back({cache.name, bytes, cacheBandwidth(std::size_t(bytes), threads)});
    }
    levels.push_back({"memory", 0, probe.measure(Traffic::inPlace, D3Q19::Q, 4, threads)});
    return levels;
}

} // namespace lbm::bench
