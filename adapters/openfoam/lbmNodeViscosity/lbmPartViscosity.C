// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPartViscosity.H"
#include "lbm/api/PartWork.hpp"
#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <map>
#include <memory>

const std::string
    Foam::lbmPartViscosity::box("viscosity.box"),
    Foam::lbmPartViscosity::place("viscosity.place"),
    Foam::lbmPartViscosity::tell("viscosity.tell");

namespace
{
    // Nodes that are told at a time. A device has them listed once: to place them takes
    // longer there than to tell
    const std::size_t viscosityPiece = 1 << 15, viscosityPieceOfDevice = 1 << 20;

    struct partViscosity
    {
        std::vector<std::size_t> firstRun{0};   // of each row, and one more
        std::vector<std::int32_t> from, cell;
        std::vector<lbm::NodeIndex> others;
        std::vector<std::shared_ptr<const lbm::NodeSet>> onDevice;  // by piece
    };

    // Of this process, by part
    std::map<int, partViscosity>& viscosityParts()
    {
        static std::map<int, partViscosity> all;
        return all;
    }

    lbm::Message boxWork(lbm::Solver& part, lbm::Message& message)
    {
        viscosityParts()[message.get<int>()] = partViscosity();
        return lbm::Message(part.domain().inWhole, part.domain().size);
    }

    template<class T>
    void appendTo(std::vector<T>& all, lbm::Message& message)
    {
        std::vector<T> some;
        message.get(some);
        all.insert(all.end(), some.begin(), some.end());
    }

    lbm::Message placeWork(lbm::Solver&, lbm::Message& message)
    {
        const int part = message.get<int>();
        if (part == Foam::lbmPartViscosity::none) return {};
        partViscosity& its = viscosityParts().at(part);
        std::vector<std::int32_t> runs;
        message.get(runs);
        for (const std::int32_t n : runs)
        {
            its.firstRun.push_back(its.firstRun.back() + std::size_t(n));
        }
        appendTo(its.from, message);
        appendTo(its.cell, message);
        appendTo(its.others, message);
        return {};
    }

    struct toldNodes
    {
        std::vector<lbm::NodeIndex> nodes;
        std::vector<double> tau;
    };

    // Nodes of a row and what they are told, from where they are to stand in the lists
    void listRow
    (
        const lbm::Domain& domain,
        const partViscosity& its,
        const std::size_t row,
        const std::vector<double>& ofCells,
        const std::vector<double>& ofOthers,
        lbm::NodeIndex* nodes,
        double* tau
    )
    {
        const lbm::NodeIndex first = lbm::NodeIndex(row)*domain.size[0];
        std::size_t run = its.firstRun[row];
        const std::size_t end = its.firstRun[row + 1];
        auto other = std::lower_bound(its.others.begin(), its.others.end(), first);
        domain.fluid.forEachIn
        (
            first,
            domain.size[0],
            [&](const std::int64_t x)
            {
                while (run + 1 < end && its.from[run + 1] <= x) ++run;
                double own = ofCells[std::size_t(its.cell[run])];
                // Of nodes of the whole, which a part may have left out in front of its ghosts
                while (other != its.others.end() && *other < first + x) ++other;
                if (other != its.others.end() && *other == first + x)
                {
                    own = ofOthers[std::size_t(other - its.others.begin())];
                }
                *nodes++ = first + x;
                *tau++ = own;
            }
        );
    }

    lbm::Message tellWork(lbm::Solver& part, lbm::Message& message)
    {
        partViscosity& its = viscosityParts().at(message.get<int>());
        const int threads = message.get<int>();
        std::vector<double> ofCells, ofOthers;
        message.get(ofCells);
        message.get(ofOthers);
        const lbm::Domain& domain = part.domain();
        const bool onDevice = !lbm::isOnHost(part.row());
        const std::size_t most = onDevice ? viscosityPieceOfDevice : viscosityPiece;
        const std::size_t rows = its.firstRun.size() - 1;
        toldNodes told;
        for (std::size_t row = 0, piece = 0; row < rows; ++piece)
        {
            std::vector<std::size_t> before(1, 0);
            const std::size_t first = row;
            do
            {
                const auto n = domain.fluid.countIn
                (
                    lbm::NodeIndex(row)*domain.size[0], domain.size[0]
                );
                before.push_back(before.back() + std::size_t(n));
            }
            while (++row < rows && before.back() < most);
            if (before.back() == 0) continue;
            told.nodes.resize(before.back());
            told.tau.resize(before.back());
            lbm::inParallel
            (
                row - first,
                [&](const std::size_t i)
                {
                    listRow
                    (
                        domain,
                        its,
                        first + i,
                        ofCells,
                        ofOthers,
                        told.nodes.data() + before[i],
                        told.tau.data() + before[i]
                    );
                },
                threads
            );
            if (!onDevice)
            {
                part.setRelaxationTimes
                (
                    told.nodes.data(), told.nodes.size(), told.tau.data()
                );
                continue;
            }
            if (its.onDevice.size() == piece)
            {
                its.onDevice.push_back(part.place(told.nodes.data(), told.nodes.size()));
            }
            part.setRelaxationTimes(*its.onDevice[piece], told.tau.data());
        }
        return {};
    }

    [[maybe_unused]] const bool named =
        lbm::namePartWork
        (
            Foam::lbmPartViscosity::box, boxWork, lbm::PartEffect::none
        )
     && lbm::namePartWork
        (
            Foam::lbmPartViscosity::place, placeWork, lbm::PartEffect::none
        )
     && lbm::namePartWork
        (
            Foam::lbmPartViscosity::tell, tellWork, lbm::PartEffect::steps
        );
}
