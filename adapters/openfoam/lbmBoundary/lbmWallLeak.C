// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallLeak.H"

namespace
{

std::string leakNote(const std::string& patch) { return "wallLeak." + patch; }

} // End anonymous namespace


Foam::scalar Foam::lbmWallLeak::share
(
    const scalar diagonal,
    const scalar dx,
    const scalar steps
)
{
    return lbm::wallLags::share(diagonal/dx, steps);
}


void Foam::lbmWallLeak::place
(
    const lbm::Solver& solver,
    const lbm::NodeGroups& links
)
{
    links_ = solver.place(links);
    passed_.resize(links.size());
}


void Foam::lbmWallLeak::follow
(
    const lbm::Solver& solver,
    const lbm::SlipBalance& balance,
    const std::vector<lbm::Vec3>& velocities,
    const lbm::LinkValue* values,
    const lbmUnits& units,
    const scalar diagonal
)
{
    if (!links_ || !asked_ || !(steps_ > 0)) return;
    asked_ = false;
    solver.sumPopulations(*links_, passed_.data());
    const scalar counted =
        balance.beyond(passed_, velocities, values)*pow3(units.dx())/units.dt();
    follow(leak_, counted, share(diagonal, units.dx(), steps_));
    steps_ = 0;
}


void Foam::lbmWallLeak::note
(
    lbm::CheckpointNotes& notes,
    const std::string& patch
) const
{
    std::vector<double>& values = notes.arrays[leakNote(patch)];
    values.assign(leak_.begin(), leak_.end());
    values.push_back(steps_);
}


void Foam::lbmWallLeak::recall
(
    const lbm::CheckpointNotes& notes,
    const std::string& patch
)
{
    const auto found = notes.arrays.find(leakNote(patch));
    if (found == notes.arrays.end() || found->second.size() != lags + 1) return;
    std::copy_n(found->second.begin(), lags, leak_.begin());
    steps_ = found->second.back();
}
