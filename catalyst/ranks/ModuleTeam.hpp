// ModuleTeam: a client of an in-situ module (catalyst/insitu.h) in each of the processes that share a lattice (lbm/api/Ranks.hpp), led by
// the first one, or in this process alone where none shares its lattice. What the first one has its module do the others do at the same
// time, for those that stand behind modules wait for each other. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/ranks/ModuleClient.hpp"
#include "lbm/api/RankTeam.hpp"

#include <functional>

namespace lbm {

class ModuleTeam {
public:
    // Has each process load the module of this file. Functions throw what a process could not do, as std::runtime_error but for memory:
    // of this one, else of another one, with its place in front.
    explicit ModuleTeam(const std::string& file);

    const char* name() const { return here_.name(); }
    double startSeconds() const { return here_.startSeconds(); }

    void initialize(const ModuleSetup&);

    // What something looks at is the same in all processes.
    bool due(std::int64_t step, double time) const { return here_.due(step, time); }

    // piece: its number where each process has one of the lattice (LatticePiece), which has the same fields; -1: this process has all,
    // and others publish nothing, with the same fields.
    void publish(const std::string& channel, const lbmInsituMesh&, const std::vector<lbmInsituArray>& fields,
                 const lbmInsituSource*, int piece);

    void execute(std::int64_t step, double time, const std::vector<std::string>& parameters);
    void finalize();

private:
    void together(const Message& told, const std::function<void()>& here);

    RankTeam team_;
    ModuleClient here_;
};

} // namespace lbm
