// The functions that solvers see, for the Catalyst API: environment variables CATALYST_IMPLEMENTATION_NAME and
// CATALYST_IMPLEMENTATION_PATHS choose who stands behind it. One client a process, as the API has it.
// Part of lbmFoam, GPL-3.0-or-later.
#include "meshNode.hpp"
#include "catalyst/lattice/FieldValues.hpp"

#include <catalyst.hpp>

#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

struct Channel {
    BlueprintCells cells;
    lbm::FieldValues values;
    std::unique_ptr<conduit_cpp::Node> data;
};
std::map<std::string, Channel> channels;
bool running = false, ended = false;
std::string lastMessage;

// No exception may cross to the solver
template<class F>
int guarded(F&& f)
{
    try {
        f();
        return 0;
    } catch (const std::exception& fault) {
        lastMessage = fault.what();
        return -1;
    }
}

void check(catalyst_status status, const char* call)
{
    if (status != catalyst_status_ok)
        throw std::runtime_error(std::string(call) + " returned " + std::to_string(int(status))
                                 + " (catalyst_api.h); CATALYST_DEBUG=1 tells more");
}

int initialize(const lbmInsituSetup* setup)
{
    return guarded([&] {
        if (running || ended) throw std::runtime_error("the Catalyst API can be started once in a process");
        conduit_cpp::Node node;
        for (int i = 0; setup->scripts[i]; ++i) {
            conduit_cpp::Node script = node["catalyst/scripts"]["script" + std::to_string(i)];
            script["filename"] = setup->scripts[i];
            for (int k = 0; setup->arguments[k]; ++k) script["args"].append().set(setup->arguments[k]);
        }
        node["catalyst/outputDirectory"] = setup->outputDirectory;
        if (setup->live) node["catalyst/live"] = setup->live;
        check(catalyst_initialize(conduit_cpp::c_node(&node)), "catalyst_initialize");
        running = true;
    });
}

int due(int, std::int64_t, double) { return 1; } // whoever stands behind it decides

int publish(int, const char* name, const lbmInsituMesh* mesh, const lbmInsituArray* fields, int n,
            const lbmInsituSource* source)
{
    return guarded([&] {
        Channel& channel = channels[name];
        channel.cells.set(*mesh);
        channel.data = std::make_unique<conduit_cpp::Node>();
        setMesh(*channel.data, *mesh, channel.cells, channel.values.fill(fields, n, source).data(), n);
    });
}

int execute(int, std::int64_t step, double time, const char* const* parameters)
{
    return guarded([&] {
        conduit_cpp::Node node;
        node["catalyst/state/timestep"].set_int64(step);
        node["catalyst/state/time"].set_float64(time);
        for (; *parameters; ++parameters) node["catalyst/state/parameters"].append().set(*parameters);
        for (auto& [name, channel] : channels) {
            conduit_cpp::Node target = node["catalyst/channels"][name];
            target["type"] = "mesh";
            target["data"].set_external_node(*channel.data);
        }
        check(catalyst_execute(conduit_cpp::c_node(&node)), "catalyst_execute");
    });
}

int finalize(int)
{
    return guarded([&] {
        running = false;
        ended = true;
        channels.clear();
        conduit_cpp::Node node;
        check(catalyst_finalize(conduit_cpp::c_node(&node)), "catalyst_finalize");
    });
}

const char* message() { return lastMessage.c_str(); }

double startSeconds() { return 0; } // not told apart

const lbmInsituModule functions = {
    LBM_INSITU_VERSION, "Catalyst API 2", &initialize, &due, &publish, &execute, &finalize, &message, &startSeconds,
};

} // namespace

extern "C" const lbmInsituModule* lbmInsituEntry() { return &functions; }
