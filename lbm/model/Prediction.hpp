// Prediction: what a kernel of this library stores and moves on a domain, and how fast it should be, before it is made.
// The equations of Overheads.hpp with the sizes of our own data, and whole memory transactions counted in the
// domain instead of bounded. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/model/Overheads.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace lbm::model {

// Bytes a fluid node, of traffic in a step; `least` is what populations take to be read and written once, 2 Q s, or the
// moments in their place, over the steps of a pass.
struct Prediction {
    double memory = 0;
    double traffic = 0, least = 0;
    double share = 0;   // of the bandwidth that lbmBench relates it to, reached with its traffic; 0: not measured
    double ceiling = 1; // that bandwidth over the device's highest
    int steps = 1;      // in one pass over all nodes, which reads and writes once for all of them; so of `least`

    double overhead() const { return traffic / least - 1; }
    double efficiency() const { return share * least / traffic; } // as lbmBench's: MLUPS x least over the bandwidth
    double speed() const { return ceiling * share / traffic; }    // updates a byte of the highest bandwidth
};

// Looks at the domain once for each tile size and transaction that a row asks for.
class Predictor {
public:
    explicit Predictor(const Domain& domain) : domain_(domain) {}

    // False for storages that the model has no equations for.
    static bool knows(const KernelRow&);

    // looksAround: at velocities around nodes, for a closure (foundAround); what a collision asks for its row tells.
    // oneByOne: steps that no pass takes together (stepsOneByOne), such as those of slabs that stream through a device.
    // Throws std::invalid_argument for a row that it does not know.
    Prediction predict(const KernelRow&, bool looksAround = false, bool oneByOne = false);

    const Tiling& tiling(const KernelRow&);

private:
    double nodesMoved(const Int3& extents, int together, bool packed);
    bool passes(const KernelRow&) const;

    const Domain& domain_;
    std::map<std::pair<Int3, std::string>, Tiling> tilings_; // by tile and lattice
    std::map<std::array<int, 5>, std::int64_t> moved_;
};

struct Choice {
    struct Candidate {
        KernelRow row;
        Prediction prediction;
        std::string name; // the storage, and the tile if it is not the default
    };
    std::vector<Candidate> candidates; // the best first; none where no share is known
    std::string reason;                // one line

    const Candidate& best() const { return candidates.front(); }
};

// Rows that agree with all of the Config but its storage, one a storage, with its default tile where the Config
// names none.
std::vector<KernelRow> storagesFor(const Config&);

// Of those whose share is known, of moments with every tile where the Config names none: the one of the highest
// predicted speed, and of those within `alike` of it the one that takes the least memory.
Choice chooseStorage(const Domain&, const Config&);
constexpr double alike = 0.02;

} // namespace lbm::model
