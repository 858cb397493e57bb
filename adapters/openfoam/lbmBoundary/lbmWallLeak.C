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
    const std::vector<double> counted(balance.beyond(passed_, velocities, values));
    leaks_.setSize(label(counted.size()), FixedList<scalar, lags>(Zero));
    forAll(leaks_, side)
    {
        follow
        (
            leaks_[side],
            scalar(counted[side]*pow3(units.dx())/units.dt()),
            share(diagonal, units.dx(), steps_)
        );
    }
    steps_ = 0;
}


std::vector<double> Foam::lbmWallLeak::values(const lbmUnits& units) const
{
    std::vector<double> leaks;
    for (const auto& leak : leaks_) leaks.push_back(leak.last()*units.dt()/pow3(units.dx()));
    return leaks;
}


void Foam::lbmWallLeak::note
(
    lbm::CheckpointNotes& notes,
    const std::string& patch
) const
{
    std::vector<double>& values = notes.arrays[leakNote(patch)];
    values.clear();
    for (const auto& leak : leaks_) values.insert(values.end(), leak.begin(), leak.end());
    values.push_back(steps_);
}


void Foam::lbmWallLeak::recall
(
    const lbm::CheckpointNotes& notes,
    const std::string& patch,
    const std::size_t pieces
)
{
    const auto found = notes.arrays.find(leakNote(patch));
    if (found == notes.arrays.end() || found->second.size() != lags*pieces + 1) return;
    leaks_.setSize(label(pieces));
    auto from = found->second.begin();
    for (auto& leak : leaks_)
    {
        std::copy_n(from, lags, leak.begin());
        from += lags;
    }
    steps_ = found->second.back();
}
