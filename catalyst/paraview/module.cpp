// The functions that solvers see. Part of lbmFoam, GPL-3.0-or-later.
#include "Session.hpp"
#include "texts.hpp"

#include <vtkInSituInitializationHelper.h>
#include <vtkPVVersion.h>

#include <exception>
#include <memory>

namespace {

std::vector<std::unique_ptr<Session>> sessions; // null: finalized
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

int initialize(const lbmInsituSetup* setup)
{
    return guarded([&] { sessions.push_back(std::make_unique<Session>(*setup)); }) == 0 ? int(sessions.size()) - 1 : -1;
}

int due(int client, std::int64_t step, double time) { return sessions[client]->due(int(step), time); }

int publish(int client, const char* channel, const lbmInsituMesh* mesh, const lbmInsituArray* fields, int n,
            const lbmInsituSource* source)
{
    return guarded([&] { sessions[client]->publish(channel, *mesh, fields, n, source); });
}

int execute(int client, std::int64_t step, double time, const char* const* parameters)
{
    return guarded([&] { sessions[client]->execute(int(step), time, list(parameters)); });
}

int finalize(int client)
{
    const int status = guarded([&] { sessions[client]->finalize(); });
    sessions[client].reset();
    for (const auto& session : sessions)
        if (session) return status;
    if (vtkInSituInitializationHelper::IsInitialized()) vtkInSituInitializationHelper::Finalize();
    return status;
}

const char* message() { return lastMessage.c_str(); }

double startSeconds()
{
    double sum = 0;
    for (const auto& session : sessions)
        if (session) sum += session->startSeconds();
    return sum;
}

const lbmInsituModule functions = {
    LBM_INSITU_VERSION, "ParaView " PARAVIEW_VERSION_FULL, &initialize, &due, &publish, &execute, &finalize, &message,
    &startSeconds,
};

} // namespace

extern "C" const lbmInsituModule* lbmInsituEntry() { return &functions; }
