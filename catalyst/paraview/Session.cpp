// Part of lbmFoam, GPL-3.0-or-later.
#include "Session.hpp"
#include "KeptSignals.hpp"
#include "dataObjects.hpp"

#include <vtkInSituInitializationHelper.h>
#include <vtkLogger.h>
#include <vtkMultiProcessController.h>
#include <vtkPVTrivialProducer.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSessionProxyManager.h>
#include <vtkSMSourceProxy.h>

#include <mpi.h>

#include <chrono>
#include <stdexcept>

using Helper = vtkInSituInitializationHelper;

namespace {

// ParaView asks MPI itself whether the solver has initialised it
void start(int ranks)
{
    if (Helper::IsInitialized()) return;
    const KeptSignals signals;
    Helper::Initialize(ranks > 1 ? MPI_Comm_c2f(MPI_COMM_WORLD) : 0);
    // What concerns a script is reported with it (Failures); the rest is of no use: that this ParaView cannot steer
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
    if (!Helper::IsInitialized()) throw std::runtime_error("ParaView can be started once in a process");
    const auto* processes = vtkMultiProcessController::GetGlobalController();
    const int found = processes ? const_cast<vtkMultiProcessController*>(processes)->GetNumberOfProcesses() : 1;
    if (found != ranks)
        throw std::runtime_error("ParaView sees " + std::to_string(found) + " processes, the solver "
            + std::to_string(ranks) + ": are both built with the same MPI?");
}

std::vector<std::string> list(const char* const* texts)
{
    std::vector<std::string> result;
    for (; texts && *texts; ++texts) result.push_back(*texts);
    return result;
}

vtkPVTrivialProducer* producerOf(vtkSMSourceProxy* proxy)
{
    return vtkPVTrivialProducer::SafeDownCast(proxy->GetClientSideObject());
}

} // namespace

Session::Session(const lbmInsituSetup& setup)
{
    const auto begin = std::chrono::steady_clock::now();
    start(setup.ranks);
    startSeconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    for (const std::string& script : list(setup.scripts)) {
        auto pipeline = vtkSmartPointer<Pipeline>::New();
        pipeline->set({script, setup.outputDirectory ? setup.outputDirectory : "", setup.live ? setup.live : "",
                       list(setup.arguments)});
        pipelines_.push_back(pipeline);
    }
}

bool Session::due(int step, double time)
{
    bool any = false;
    for (auto& pipeline : pipelines_) any = pipeline->due(step, time) || any;
    return any;
}

void Session::publish(const std::string& name, const lbmInsituMesh& mesh, const lbmInsituArray* fields, int n)
{
    Channel& channel = channels_[name];
    if (!channel.topology || channel.version != mesh.version) {
        channel.topology = makeGrid(mesh);
        channel.version = mesh.version;
    }
    // A new object over the same topology: what ParaView has derived from that stays valid
    channel.current = vtkSmartPointer<vtkUnstructuredGrid>::New();
    channel.current->CopyStructure(channel.topology);
    setFields(channel.current, fields, n);
}

void Session::produce(double time)
{
    for (auto& [name, channel] : channels_) {
        vtkSMSourceProxy* known = Helper::GetProducer(name);
        if (known) {
            producerOf(known)->SetOutput(channel.current, time);
            Helper::MarkProducerModified(known);
            continue;
        }
        auto* manager = vtkSMProxyManager::GetProxyManager()->GetActiveSessionProxyManager();
        auto fresh = vtkSmartPointer<vtkSMSourceProxy>::Take(
            vtkSMSourceProxy::SafeDownCast(manager->NewProxy("sources", "PVTrivialProducer")));
        if (!fresh) throw std::runtime_error("this ParaView has no PVTrivialProducer");
        fresh->UpdateVTKObjects();
        // SetProducer makes output ports, which ask for data
        producerOf(fresh)->SetOutput(channel.current, time);
        Helper::SetProducer(name, fresh);
        Helper::MarkProducerModified(fresh);
    }
}

// The solver may do with its arrays what it wants again
void Session::forget()
{
    for (auto& [name, channel] : channels_) {
        producerOf(Helper::GetProducer(name))->SetOutput(nullptr);
        channel.current = nullptr;
    }
}

void Session::execute(int step, double time, const std::vector<std::string>& parameters)
{
    produce(time);
    if (!begun_) {
        for (auto& pipeline : pipelines_) Helper::AddPipeline(pipeline);
        begun_ = true;
    }
    std::vector<bool> before;
    for (auto& pipeline : pipelines_) {
        before.push_back(pipeline->failed());
        pipeline->turn(true, parameters);
    }
    Helper::ExecutePipelines(step, time, parameters);
    for (auto& pipeline : pipelines_) pipeline->turn(false, {});
    forget();

    std::string failures;
    for (std::size_t i = 0; i < pipelines_.size(); ++i)
        if (pipelines_[i]->failed() && !before[i]) failures += (failures.empty() ? "" : "\n") + pipelines_[i]->failure();
    if (!failures.empty()) throw std::runtime_error(failures);
}

void Session::finalize()
{
    std::string failures;
    for (auto& pipeline : pipelines_) {
        const bool before = pipeline->failed();
        pipeline->Finalize();
        if (pipeline->failed() && !before) failures += pipeline->failure();
    }
    if (!failures.empty()) throw std::runtime_error(failures);
}

double Session::startSeconds() const
{
    double sum = startSeconds_;
    for (const auto& pipeline : pipelines_) sum += pipeline->startSeconds();
    return sum;
}
