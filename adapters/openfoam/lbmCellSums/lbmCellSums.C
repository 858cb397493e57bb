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
    boxes_(kind),
    firstPiece_(1, 0)
{}


void Foam::lbmCellSums::endGroup()
{
    ofGroups_.append(size());
    groups_.endGroup();
}


void Foam::lbmCellSums::reserve(const std::size_t terms)
{
    groups_.nodes.reserve(terms);
    groups_.weights.reserve(terms);
}


void Foam::lbmCellSums::addGroup(const lbm::NodeGroups& groups, const std::size_t g)
{
    const auto append = [&](auto& all, const auto& more)
    {
        const auto first = more.begin();
        all.insert(all.end(), first + groups.begin[g], first + groups.begin[g + 1]);
    };
    append(groups_.nodes, groups.nodes);
    append(groups_.weights, groups.weights);
    endGroup();
}


void Foam::lbmCellSums::addBox(const lbm::NodeBox& box)
{
    ofBoxes_.append(size());
    lbm::putPieces(box, nodesOfPiece, boxes_.boxes);
    firstPiece_.push_back(boxes_.boxes.size());
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


// Densities are told as what they exceed 1 by, and 1
void Foam::lbmCellSums::addUp
(
    const lbm::Reading reading,
    const std::vector<double>& ofPieces,
    std::vector<double>& values
) const
{
    const std::size_t width = std::size_t(lbm::valuesOf(reading));
    const double level = reading == lbm::Reading::strainRate ? 0 : 1;
    #pragma omp parallel for schedule(static)
    for (label i = 0; i < ofBoxes_.size(); ++i)
    {
        double* sum = &values[width*ofBoxes_[i]];
        std::fill_n(sum, width, 0);
        for (std::size_t piece = firstPiece_[i]; piece < firstPiece_[i + 1]; ++piece)
        {
            const double* own = &ofPieces[width*piece];
            sum[0] += own[0] - level;
            for (std::size_t k = 1; k < width; ++k) sum[k] += own[k];
        }
        sum[0] += level;
    }
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
    if (ofBoxes_.empty())
    {
        if (placedGroups_) solver.sample(*placedGroups_, reading, values.data());
        return;
    }
    std::vector<double> own(width*placedBoxes_->size());
    solver.sample(*placedBoxes_, reading, own.data());
    addUp(reading, own, values);
    if (ofGroups_.empty()) return;

    own.resize(width*placedGroups_->size());
    solver.sample(*placedGroups_, reading, own.data());
    forAll(ofGroups_, i)
    {
        std::copy_n(&own[width*i], width, &values[width*ofGroups_[i]]);
    }
}
