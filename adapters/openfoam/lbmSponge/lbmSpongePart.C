// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSpongePart.H"
#include "lbm/api/inParallel.hpp"
#include "lbm/api/PartWork.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

const std::string
    Foam::lbmSpongePart::place("sponge.place"),
    Foam::lbmSpongePart::applied("sponge.apply"),
    Foam::lbmSpongePart::converted("sponge.convert"),
    Foam::lbmSpongePart::told("sponge.tell"),
    Foam::lbmSpongePart::noted("sponge.note"),
    Foam::lbmSpongePart::dropped("sponge.drop");

namespace
{
    using Foam::lbmSpongePart;

    // Nodes that a thread takes
    const std::size_t spongeShare = 1024;

    // Of this process
    std::map<std::pair<int, int>, lbmSpongePart>& spongeParts()
    {
        static std::map<std::pair<int, int>, lbmSpongePart> all;
        return all;
    }

    std::pair<int, int> keyOf(lbm::Message& message)
    {
        const auto of = message.get<lbmSpongePart::number>();
        return {of.sponge, of.part};
    }

    lbmSpongePart& partOf(lbm::Message& message)
    {
        return spongeParts().at(keyOf(message));
    }

    // Nodes are told by where they are in the part, without the ghosts that it has more,
    // some at a time
    lbm::Message placeWork(lbm::Solver& part, lbm::Message& message)
    {
        const auto key = keyOf(message);
        const auto size = message.get<lbm::Int3>();
        std::vector<lbm::NodeIndex> nodes;
        std::vector<double> shares;
        message.get(nodes);
        message.get(shares);
        const lbm::Domain& domain = part.domain();
        for (lbm::NodeIndex& node : nodes)
        {
            const lbm::NodeIndex row = node/size[0];
            node = domain.index
            (
                int(node % size[0]) + domain.ghostsBelow[0],
                int(row % size[1]) + domain.ghostsBelow[1],
                int(row/size[1]) + domain.ghostsBelow[2]
            );
        }
        spongeParts().try_emplace(key, part).first->second.add(part, nodes, shares);
        return {};
    }

    lbm::Message applyWork(lbm::Solver& part, lbm::Message& message)
    {
        lbmSpongePart& its = partOf(message);
        const auto newest = message.get<double>(), most = message.get<double>();
        return lbm::Message(its.apply(part, newest, most, message.get<int>()));
    }

    lbm::Message convertWork(lbm::Solver&, lbm::Message& message)
    {
        lbmSpongePart& its = partOf(message);
        its.inUnitsOf(message.get<double>());
        return {};
    }

    lbm::Message tellWork(lbm::Solver&, lbm::Message& message)
    {
        lbmSpongePart& its = partOf(message);
        std::vector<double> means;
        message.get(means);
        its.setMeans(std::move(means));
        return {};
    }

    lbm::Message noteWork(lbm::Solver&, lbm::Message& message)
    {
        const std::vector<double>& means = partOf(message).means();
        const auto first = message.get<std::size_t>(), n = message.get<std::size_t>();
        lbm::Message some;
        some.putRaw(means.data() + first, n*sizeof(double));
        return some;
    }

    lbm::Message dropWork(lbm::Solver&, lbm::Message& message)
    {
        spongeParts().erase(keyOf(message));
        return {};
    }

    [[maybe_unused]] const bool named =
        lbm::namePartWork(lbmSpongePart::place, placeWork, lbm::PartEffect::none)
     && lbm::namePartWork(lbmSpongePart::applied, applyWork, lbm::PartEffect::values)
     && lbm::namePartWork(lbmSpongePart::converted, convertWork, lbm::PartEffect::none)
     && lbm::namePartWork(lbmSpongePart::told, tellWork, lbm::PartEffect::none)
     && lbm::namePartWork(lbmSpongePart::noted, noteWork, lbm::PartEffect::none)
     && lbm::namePartWork(lbmSpongePart::dropped, dropWork, lbm::PartEffect::none);
}


Foam::lbmSpongePart::lbmSpongePart(const lbm::Solver& part)
:
    directions_(lbm::latticeDirections(part.row().lattice)),
    weights_(lbm::latticeWeights(part.row().lattice))
{}


void Foam::lbmSpongePart::add
(
    const lbm::Solver& part,
    const std::vector<lbm::NodeIndex>& nodes,
    const std::vector<double>& shares
)
{
    shares_.insert(shares_.end(), shares.begin(), shares.end());
    means_.resize(nOfMean*shares_.size());
    for (std::size_t begin = 0; begin < nodes.size(); begin += nodesOfPiece)
    {
        const std::size_t n = std::min(nodesOfPiece, nodes.size() - begin);
        pieces_.push_back(part.place(nodes.data() + begin, n));
    }
}


void Foam::lbmSpongePart::meanOf(const double* f, double* values) const
{
    for (int k = 0; k < nOfMean; ++k) values[k] = 0;
    for (std::size_t q = 0; q < weights_.size(); ++q)
    {
        values[0] += f[q];
        for (int a = 0; a < 3; ++a) values[1 + a] += directions_[q][a]*f[q];
    }
}


// By the difference of two equilibria
void Foam::lbmSpongePart::relax(double* f, double* mean, const double s) const
{
    double is[nOfMean], change[nOfMean];
    meanOf(f, is);
    for (int k = 0; k < nOfMean; ++k) change[k] = -s*(is[k] - mean[k]);

    double squares = 0;
    for (int a = 1; a < nOfMean; ++a) squares += change[a]*(2*is[a] + change[a]);
    for (std::size_t q = 0; q < weights_.size(); ++q)
    {
        double before = 0, by = 0;
        for (int a = 0; a < 3; ++a)
        {
            before += directions_[q][a]*is[1 + a];
            by += directions_[q][a]*change[1 + a];
        }
        f[q] += weights_[q]
           *(change[0] + 3*by + 4.5*by*(2*before + by) - 1.5*squares);
    }
}


std::vector<lbm::Extremes> Foam::lbmSpongePart::apply
(
    lbm::Solver& part,
    const double newest,
    const double most,
    const int threads
)
{
    std::vector<lbm::Extremes> seen;
    const std::size_t Q = weights_.size();
    std::size_t begin = 0;
    for (const std::shared_ptr<const lbm::NodeSet>& piece : pieces_)
    {
        const std::size_t n = piece->size();
        populations_.resize(Q*n);
        seen.push_back(part.getPopulations(*piece, populations_.data()));
        lbm::inParallel((n + spongeShare - 1)/spongeShare, [&](const std::size_t share)
        {
            const std::size_t end = std::min(n, (share + 1)*spongeShare);
            for (std::size_t i = share*spongeShare; i < end; ++i)
            {
                double* f = &populations_[Q*i];
                double* mean = &means_[nOfMean*(begin + i)];
                double is[nOfMean];
                meanOf(f, is);
                for (int k = 0; k < nOfMean; ++k) mean[k] += newest*(is[k] - mean[k]);
                relax(f, mean, 1 - std::exp(-most*shares_[begin + i]));
            }
        }, threads);
        part.setPopulations(*piece, populations_.data());
        begin += n;
    }
    return seen;
}


void Foam::lbmSpongePart::inUnitsOf(const double longer)
{
    for (std::size_t i = 0; i < means_.size(); i += nOfMean)
    {
        means_[i] *= longer*longer;
        for (int a = 1; a < nOfMean; ++a) means_[i + a] *= longer;
    }
}
