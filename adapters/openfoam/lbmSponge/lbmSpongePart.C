// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSpongePart.H"
#include "lbm/api/PartWork.hpp"
#include "lbm/api/Sponge.hpp"

#include <map>
#include <memory>
#include <utility>
#include <vector>

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

    // Nodes come some at a time, before the sponge has them
    struct partsSponge
    {
        std::vector<lbm::NodeIndex> nodes;
        std::vector<double> shares;
        std::unique_ptr<lbm::Sponge> its;
    };

    using partsSponges = std::map<std::pair<int, int>, partsSponge>;

    // Of this process
    partsSponges& spongeParts()
    {
        static partsSponges all;
        return all;
    }

    std::pair<int, int> keyOf(lbm::Message& message)
    {
        const auto of = message.get<lbmSpongePart::number>();
        return {of.sponge, of.part};
    }

    lbm::Sponge& partOf(lbm::Message& message)
    {
        return *spongeParts().at(keyOf(message)).its;
    }

    // Nodes are told by where they are in the part, without the ghosts that it has more
    lbm::Message placeWork(lbm::Solver& part, lbm::Message& message)
    {
        partsSponge& sponge = spongeParts()[keyOf(message)];
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
        sponge.nodes.insert(sponge.nodes.end(), nodes.begin(), nodes.end());
        sponge.shares.insert(sponge.shares.end(), shares.begin(), shares.end());
        if (!message.get<bool>()) return lbm::Message(std::string());
        sponge.its = lbm::placeSponge(part, sponge.nodes, sponge.shares);
        sponge.nodes = {};
        sponge.shares = {};
        return lbm::Message(sponge.its->whyOnHost());
    }

    lbm::Message applyWork(lbm::Solver&, lbm::Message& message)
    {
        lbm::Sponge& its = partOf(message);
        const auto newest = message.get<double>(), most = message.get<double>();
        return lbm::Message(its.apply(newest, most, message.get<int>()));
    }

    lbm::Message convertWork(lbm::Solver&, lbm::Message& message)
    {
        partOf(message).convert(message.get<double>());
        return {};
    }

    lbm::Message tellWork(lbm::Solver&, lbm::Message& message)
    {
        lbm::Sponge& its = partOf(message);
        std::vector<double> means;
        message.get(means);
        its.setMeans(means.data());
        return {};
    }

    lbm::Message noteWork(lbm::Solver&, lbm::Message& message)
    {
        const lbm::Sponge& its = partOf(message);
        const auto first = message.get<std::size_t>(), n = message.get<std::size_t>();
        std::vector<double> means(lbm::Sponge::meanValues*n);
        its.means(first, n, means.data());
        lbm::Message some;
        some.putRaw(means.data(), means.size()*sizeof(double));
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
