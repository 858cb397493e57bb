// ModuleClient: a client of an in-situ module in this process (catalyst/insitu.h). Its functions throw std::runtime_error with what the
// module says it could not do. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/insitu.h"

#include <string>
#include <vector>

namespace lbm {

// See lbmInsituSetup
struct ModuleSetup {
    std::vector<std::string> scripts, arguments;
    std::string outputDirectory, live; // live: empty: none
    int ranks = 1;
};

class ModuleClient {
public:
    // Loads it; the file as dlopen finds it.
    explicit ModuleClient(const std::string& file);

    const char* name() const { return module_->name; }
    double startSeconds() const { return module_->startSeconds(); }

    void initialize(const ModuleSetup&);
    bool due(std::int64_t step, double time) const { return module_->due(client_, step, time); }
    void publish(const std::string& channel, const lbmInsituMesh&, const std::vector<lbmInsituArray>& fields,
                 const lbmInsituSource*);
    void execute(std::int64_t step, double time, const std::vector<std::string>& parameters);
    void finalize();

private:
    void check(int status) const;

    const lbmInsituModule* module_;
    int client_ = -1;
};

} // namespace lbm
