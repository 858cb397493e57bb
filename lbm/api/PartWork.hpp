// Work on the parts of a solver, each in the process that has it, at the same time in different ones: for what is too much to go
// through one of them, such as the state of a lattice to a file. Processes are of one build, and know works by name. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Message.hpp"
#include "lbm/api/Solver.hpp"

namespace lbm {

// part: of a domain of its own, with ghosts (Domain::isGhost) around its nodes, which are not its to write. What is thrown by
// another process comes as std::invalid_argument, std::out_of_range, std::bad_alloc, or else a RankError.
using PartWork = Message (*)(Solver& part, Message& told);

// What a work does to a part: nothing; it sets values of nodes, so that those of ghosts are old afterwards; it sets what steps are
// made with (viscosity, links), of ghosts, too, so that steps that were recorded do not hold any more; or both.
enum class PartEffect { none, values, steps, all };

// By all processes, before leadOrServeRanks; returns true, for who does it while a library is loaded.
bool namePartWork(const std::string& name, PartWork, PartEffect);

// Throw std::invalid_argument for a name that nobody gave.
PartWork partWork(const std::string& name);
PartEffect partEffect(const std::string& name);

// The nodes of a part among those of the whole, without its ghosts: in front of them are Domain::ghostsBelow layers.
struct PartPlace {
    Int3 first{0, 0, 0}, size{0, 0, 0};
    int process = 0; // which of the ranks has it, 0: the one that leads them

    bool holds(const Int3& x) const
    {
        for (int a = 0; a < 3; ++a)
            if (x[a] < first[a] || x[a] >= first[a] + size[a]) return false;
        return true;
    }
};

// What a Solver is, too, if it has parts.
class WorkedParts {
public:
    virtual ~WorkedParts() = default;
    virtual std::vector<PartPlace> partPlaces() const = 0;
    virtual std::vector<Message> work(const std::string& name, const std::vector<Message>& told) = 0;
};

// What a Solver is, too, if it does more than its parts where they are read: states are checked first, and where a part has velocities
// of nodes as seen from frames that move, those are added.
class CheckedReadings {
public:
    virtual ~CheckedReadings() = default;

    // The whole lattice, as it is now; ends as a reading of a state does that no flow has.
    virtual void check() const = 0;

    // [m/s], axes of the lattice; 0 of nodes that are seen from rest
    virtual Vec3 frameVelocity(NodeIndex) const = 0;
};

// A solver without parts is one itself.
std::vector<PartPlace> partPlaces(const Solver&);

// told, answers: by part.
std::vector<Message> workAtParts(Solver&, const std::string& name, const std::vector<Message>& told);

} // namespace lbm
