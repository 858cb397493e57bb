// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmNodeViscosity.H"
#include "lbmPartViscosity.H"
#include "lbm/api/PartWork.hpp"
#include "lbm/api/inParallel.hpp"

namespace
{
    const std::string valuesNote("nodeViscosity.nu");
    const std::string guardedNote("nodeViscosity.guarded");
    const std::string addedNote("nodeViscosity.added");

    // Runs of nodes that a part is told of at a time
    const std::size_t placedRuns = 1 << 16;

    // Rows that a thread lists at a time, and rows that are listed before they are told
    const std::size_t rowsOfShare = 32, rowsListed = 4096;

    // Of some rows: runs of nodes that take values from the same of all cells
    struct listedRows
    {
        std::vector<std::int32_t> runs, from;
        std::vector<Foam::label> cells;
        std::vector<lbm::NodeIndex> others;
        std::vector<std::size_t> shared;
    };

    int wrapped(const int x, const int n)
    {
        return (x % n + n) % n;
    }
}


Foam::lbmNodeViscosity::lbmNodeViscosity
(
    const lbmNodeCells& cells,
    lbm::Solver& solver,
    const scalar maxGridReynolds,
    const int threads
)
:
    cells_(cells),
    maxGridReynolds_(maxGridReynolds),
    threads_(threads > 0 ? threads : omp_get_max_threads()),
    guarded_(0),
    added_(0),
    changed_(1)
{
    place(solver);
}


void Foam::lbmNodeViscosity::place(lbm::Solver& solver)
{
    std::vector<lbm::Message> told;
    for (std::size_t p = 0; p < lbm::partPlaces(solver).size(); ++p)
    {
        told.emplace_back(int(p));
    }
    parts_.resize(told.size());
    std::vector<lbm::Message> boxes(lbm::workAtParts(solver, lbmPartViscosity::box, told));
    for (std::size_t p = 0; p < boxes.size(); ++p)
    {
        const auto inWhole = boxes[p].get<lbm::Int3>(), size = boxes[p].get<lbm::Int3>();
        place(solver, p, inWhole, size);
    }
}


// Some rows at a time: lists of all of a part's would be as long as its own
void Foam::lbmNodeViscosity::place
(
    lbm::Solver& solver,
    const std::size_t parti,
    const lbm::Int3& inWhole,
    const lbm::Int3& size
)
{
    const lbm::Domain& whole = solver.domain();
    part& its = parts_[parti];
    std::vector<label> numbers;     // of cells, in the part; -1: it does not know them
    const auto numberOf = [&](const label celli)
    {
        if (std::size_t(celli) >= numbers.size()) numbers.resize(celli + 1, -1);
        label& number = numbers[celli];
        if (number < 0)
        {
            number = label(its.cells.size());
            its.cells.push_back(celli);
        }
        return number;
    };

    lbmPartViscosity::rows rows;
    const auto send = [&]
    {
        std::vector<lbm::Message> told(parts_.size(), lbm::Message(lbmPartViscosity::none));
        told[parti] =
            lbm::Message(int(parti), rows.runs, rows.from, rows.cell, rows.others);
        lbm::workAtParts(solver, lbmPartViscosity::place, told);
        rows = lbmPartViscosity::rows();
    };
    const auto list = [&](const std::size_t row, listedRows& to)
    {
        const std::size_t before = to.from.size();
        const lbm::NodeIndex line = whole.index
        (
            0,
            wrapped(inWhole[1] + int(row % size[1]), whole.size[1]),
            wrapped(inWhole[2] + int(row/size[1]), whole.size[2])
        );
        // Ghosts may lie around the box
        for (int x = 0, many = 0; x < size[0]; x += many)
        {
            const int first = wrapped(inWhole[0] + x, whole.size[0]);
            many = min(size[0] - x, whole.size[0] - first);
            cells_.visitIn(line + first, many, [&](const int at, const std::size_t i)
            {
                const label celli = cells_.cellOf(i);
                if (to.from.size() == before || to.cells.back() != celli)
                {
                    to.from.push_back(x + at);
                    to.cells.push_back(celli);
                }
                if (!cells_.isShared(i)) return;
                to.others.push_back(lbm::NodeIndex(row)*size[0] + x + at);
                to.shared.push_back(i);
            });
        }
        to.runs.push_back(std::int32_t(to.from.size() - before));
    };
    // Put together in the order of rows
    const std::size_t n = std::size_t(size[1])*size[2];
    for (std::size_t begin = 0; begin < n; begin += rowsListed)
    {
        const std::size_t end = std::min(n, begin + rowsListed);
        std::vector<listedRows> listed((end - begin + rowsOfShare - 1)/rowsOfShare);
        lbm::inParallel
        (
            listed.size(),
            [&](const std::size_t share)
            {
                const std::size_t first = begin + share*rowsOfShare;
                for (std::size_t row = first; row < std::min(end, first + rowsOfShare); ++row)
                {
                    list(row, listed[share]);
                }
            },
            threads_
        );
        for (const listedRows& some : listed)
        {
            for (const label celli : some.cells) rows.cell.push_back(numberOf(celli));
            const auto append = [](auto& all, const auto& more)
            {
                all.insert(all.end(), more.begin(), more.end());
            };
            append(rows.runs, some.runs);
            append(rows.from, some.from);
            append(rows.others, some.others);
            append(its.shared, some.shared);
            if (rows.from.size() >= placedRuns) send();
        }
    }
    send();
}


void Foam::lbmNodeViscosity::tell
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const scalarField& nu,
    const scalarField& volumes,
    const vectorField& U
)
{
    const bool first = nu_.empty();
    nu_.setSize(nu.size());
    scalar guarded = 0, changed = 0, all = 0;
    added_ = 0;
    forAll(nu_, celli)
    {
        const scalar least = mag(U[celli])*units.dx()/maxGridReynolds_;
        const scalar before = nu_[celli];
        nu_[celli] = nu[celli];
        all += volumes[celli];
        if (!(nu[celli] >= least))
        {
            nu_[celli] = least;
            guarded += volumes[celli];
            added_ = max(added_, least/nu[celli] - 1);
        }
        if (first) continue;
        changed +=
            volumes[celli]*mag(nu_[celli] - before)/max(nu_[celli], before);
    }
    guarded_ = guarded/all;
    changed_ = first ? 1 : changed/all;
    tell(solver, units);
}


void Foam::lbmNodeViscosity::tell(lbm::Solver& solver, const lbmUnits& units)
{
    std::vector<lbm::Message> told;
    for (std::size_t p = 0; p < parts_.size(); ++p)
    {
        std::vector<double> ofCells, ofShared;
        ofCells.reserve(parts_[p].cells.size());
        for (const label celli : parts_[p].cells) ofCells.push_back(units.tau(nu_[celli]));
        for (const std::size_t i : parts_[p].shared)
        {
            ofShared.push_back(units.tau(cells_.at(i, nu_)));
        }
        told.emplace_back(int(p), threads_, ofCells, ofShared);
    }
    lbm::workAtParts(solver, lbmPartViscosity::tell, told);
}


void Foam::lbmNodeViscosity::tell
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const std::size_t first,
    const std::vector<lbm::NodeIndex>& nodes
) const
{
    std::vector<double> tau(nodes.size());
    for (std::size_t i = 0; i < tau.size(); ++i)
    {
        tau[i] = units.tau(cells_.at(first + i, nu_));
    }
    solver.setRelaxationTimes(nodes.data(), nodes.size(), tau.data());
}


void Foam::lbmNodeViscosity::note(lbm::CheckpointNotes& notes) const
{
    notes.arrays[valuesNote].assign(nu_.begin(), nu_.end());
    notes.numbers[guardedNote] = guarded_;
    notes.numbers[addedNote] = added_;
}


void Foam::lbmNodeViscosity::recall
(
    const lbm::CheckpointNotes& notes,
    lbm::Solver& solver,
    const lbmUnits& units
)
{
    const auto found = notes.arrays.find(valuesNote);
    if
    (
        found == notes.arrays.end()
     || found->second.size() != std::size_t(nu_.size())
    ) return;
    std::copy(found->second.begin(), found->second.end(), nu_.begin());
    guarded_ = notes.numbers.at(guardedNote);
    added_ = notes.numbers.at(addedNote);
    tell(solver, units);
}
