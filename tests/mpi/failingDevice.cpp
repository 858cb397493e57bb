// A device that fails while another waits for its rim within a step (lbm/solver/PassedRims.hpp): in one process with two devices, or, by
// mpirun, of two ranks with a device each. The call that steps is to throw, whoever waits is to end, and the message is to name the device.
// A device does not recover within its process, so this is a program of its own, which failingDevice.sh judges.
// usage: lbmFailingDevice HOW DEVICE SECONDS STEPS: DEVICE, 0 or 1, fails after SECONDS of STEPS (0: before they begin); HOW: passes, of
// several steps over the box, or steps, one by one as a force wants them.
// Exit status: 1 as it should be, 3 nothing was thrown, 77 there are no two devices. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/RankTeam.hpp"
#include "lbm/api/Ranks.hpp"
#include "lbm/api/Solver.hpp"
#include "lbm/device/Cuda.hpp"
#include "tests/built.hpp"
#include "tests/mpi/failLater.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>

namespace lbm::test {
namespace {

// In the process whose device it is
class Fails final : public RankWorker {
public:
    explicit Fails(Message&) {}
    Message answer(Message& told) override
    {
        const int device = told.get<int>();
        const double seconds = told.get<double>();
        if (device == onHost) failLater(device, seconds);
        return {};
    }
};

[[maybe_unused]] const bool named =
    nameRankWorker("fails", [](Message& told) -> std::unique_ptr<RankWorker> { return std::make_unique<Fails>(told); });

// Of the size at which a step takes longer than to begin it, so that steps are under way when the device fails.
std::shared_ptr<const Domain> box()
{
    auto domain = std::make_shared<Domain>();
    domain->size = {256, 256, 256};
    domain->fluid = BitSet(domain->nodes());
    for (NodeIndex node = 0; node < domain->nodes(); ++node) domain->fluid.set(node);
    domain->periodic = {true, true, true};
    return domain;
}

Config config(const std::string& how)
{
    Config c;
    c.lattice = "D3Q19";
    c.collision = "regularized";
    c.storage = "moments";
    c.precision = "float";
    c.device = ranks() > 1 ? "cuda" : "cuda:0,1";
    c.parts = 2;
    c.ranks = ranks();
    if (how == "steps") c.force = {1e-7, 0, 0};
    return c;
}

// The exit status, where nothing is thrown.
int stepOn(Solver& solver, int device, double seconds, std::int64_t steps)
{
    solver.advance(20);
    solver.health(1); // has waited for them
    std::printf("%s\n", solver.executor().c_str());
    if (ranks() > 1 && device != 0) {
        RankTeam team("fails", {});
        team.ask({Message(device, seconds)}, [] {});
    } else failLater(device, seconds);
    std::printf("%lld steps\n", static_cast<long long>(steps));
    std::fflush(stdout);
    solver.advance(steps);
    solver.health(1);
    std::fprintf(stderr, "nothing was thrown\n");
    return 3;
}

// Ranks end together before any of them lets go what others use; one process lets go all that it has.
int lead(const std::string& how, int device, double seconds, std::int64_t steps)
{
    const std::string missing = whyNoDevice();
    if (!missing.empty() || cuda::deviceCount() < 2) {
        std::printf("skipped: there are no two devices %s\n", missing.c_str());
        return 77;
    }
    try {
        const auto solver = makeSolver(box(), config(how));
        try {
            return stepOn(*solver, device, seconds, steps);
        } catch (const std::exception& fault) {
            std::fprintf(stderr, "%s: %s\n", placeOfRank().c_str(), fault.what());
            if (ranks() > 1) abortRanks(1);
        }
        std::fprintf(stderr, "lets go\n");
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "not as it should be: %s\n", fault.what());
        return 4;
    }
    return 1;
}

} // namespace
} // namespace lbm::test

int main(int argc, char** argv)
{
    if (argc != 5) return 2;
    MPI_Init(&argc, &argv);
    int status = 0;
    if (lbm::leadOrServeRanks({})) {
        status = lbm::test::lead(argv[1], std::atoi(argv[2]), std::atof(argv[3]), std::atoll(argv[4]));
        lbm::endRanks();
    }
    MPI_Finalize();
    return status;
}
