// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCellSums.H"

#include <algorithm>

namespace
{
    // Each group is a node: then nodes say as much, in less memory
    bool single(const lbm::NodeGroups& groups)
    {
        if (groups.nodes.size() != groups.size()) return false;
        for (std::size_t i = 0; i < groups.size(); ++i)
        {
            if (groups.begin[i] != i || groups.weights[i] != 1) return false;
        }
        return true;
    }
}


Foam::lbmCellSums::lbmCellSums(lbm::NodeSet::Kind kind)
:
    groups_(kind),
    boxes_(kind)
{}


void Foam::lbmCellSums::endGroup()
{
    ofGroups_.append(size());
    groups_.endGroup();
}


void Foam::lbmCellSums::addBox(const lbm::NodeBox& box)
{
    ofBoxes_.append(size());
    boxes_.boxes.push_back(box);
}


void Foam::lbmCellSums::place(const lbm::Solver& solver)
{
    if (!ofGroups_.empty())
    {
        placedGroups_ = single(groups_)
          ? solver.place(groups_.nodes.data(), groups_.size())
          : solver.place(groups_);
    }
    if (!ofBoxes_.empty()) placedBoxes_ = solver.place(boxes_);
    groups_ = lbm::NodeGroups(groups_.kind);
    boxes_ = lbm::NodeBoxes(boxes_.kind);
}


void Foam::lbmCellSums::sample
(
    const lbm::Solver& solver,
    const lbm::Reading reading,
    std::vector<double>& values
) const
{
    const std::size_t width = std::size_t(lbm::valuesOf(reading));
    values.resize(width*size());
    if (ofBoxes_.empty() || ofGroups_.empty())
    {
        const auto& all = ofBoxes_.empty() ? placedGroups_ : placedBoxes_;
        if (all) solver.sample(*all, reading, values.data());
        return;
    }
    std::vector<double> own;
    const auto read = [&](const lbm::NodeSet& set, const labelUList& places)
    {
        own.resize(width*set.size());
        solver.sample(set, reading, own.data());
        forAll(places, i)
        {
            std::copy_n(&own[width*i], width, &values[width*places[i]]);
        }
    };
    read(*placedGroups_, ofGroups_);
    read(*placedBoxes_, ofBoxes_);
}
