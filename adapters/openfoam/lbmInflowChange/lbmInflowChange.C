// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmInflowChange.H"

namespace
{

// Of the mean: less is rounding
const Foam::scalar least = 1e-6;

const char* const noteName = "inflowChange";

} // End anonymous namespace


Foam::lbmInflowChange::lbmInflowChange(const label patches)
:
    means_(patches, Zero),
    begun_(patches, false),
    velocities_(patches, Zero),
    outflows_(patches, Zero),
    relative_(0)
{}


void Foam::lbmInflowChange::follow
(
    const label patchi,
    const scalar brought,
    const scalar perRate,
    const scalar share
)
{
    scalar& mean = means_[patchi];
    if (!begun_[patchi]) mean = brought;
    begun_[patchi] = true;
    const scalar beyond = brought - mean;
    const scalar all = max(mag(mean), mag(brought));
    velocities_[patchi] = mag(beyond) > least*all ? beyond*perRate : 0;
    outflows_[patchi] = mean*perRate;
    if (all > 0) relative_ = max(relative_, mag(beyond)/all);
    mean += share*beyond;
}


void Foam::lbmInflowChange::note(lbm::CheckpointNotes& notes) const
{
    std::vector<double>& values = notes.arrays[noteName];
    values.assign(1, relative_);
    forAll(means_, patchi)
    {
        values.push_back(begun_[patchi]);
        values.push_back(means_[patchi]);
        values.push_back(velocities_[patchi]);
        values.push_back(outflows_[patchi]);
    }
}


void Foam::lbmInflowChange::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(noteName);
    if
    (
        found == notes.arrays.end()
     || found->second.size() != 1 + 4*std::size_t(means_.size())
    ) return;
    const double* value = found->second.data();
    relative_ = *value++;
    forAll(means_, patchi)
    {
        begun_[patchi] = *value++ != 0;
        means_[patchi] = *value++;
        velocities_[patchi] = *value++;
        outflows_[patchi] = *value++;
    }
}
