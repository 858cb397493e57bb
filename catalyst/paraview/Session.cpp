// Part of lbmFoam, GPL-3.0-or-later.
#include "Session.hpp"
#include "KeptSignals.hpp"
#include "LatticeGrid.hpp"
#include "LatticeSlice.hpp"
#include "dataObjects.hpp"
#include "texts.hpp"

#include <vtkInSituInitializationHelper.h>
#include <vtkLogger.h>
#include <vtkMultiProcessController.h>
#include <vtkPVTrivialProducer.h>
#include <vtkSMOutputPort.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSessionProxyManager.h>
#include <vtkSMSourceProxy.h>

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

using Helper = vtkInSituInitializationHelper;

namespace {

// ParaView asks MPI itself whether the solver has initialised it
void start(int ranks)
{
    if (Helper::IsInitialized()) return;
    const KeptSignals signals;
    int begun = 0;
    MPI_Initialized(&begun);
    // A run on one process may be one of several that MPI has begun
    const MPI_Comm all = ranks > 1 ? MPI_COMM_WORLD : MPI_COMM_SELF;
    Helper::Initialize(begun ? MPI_Comm_c2f(all) : 0);
    // What concerns a script is reported with it (Failures); the rest is of no use: that this ParaView cannot steer
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
    if (!Helper::IsInitialized()) throw std::runtime_error("ParaView can be started once in a process");
    const auto* processes = vtkMultiProcessController::GetGlobalController();
    const int found = processes ? const_cast<vtkMultiProcessController*>(processes)->GetNumberOfProcesses() : 1;
    if (found != ranks)
        throw std::runtime_error("ParaView sees " + std::to_string(found) + " processes, the solver "
                                 + std::to_string(ranks) + ": are both built with the same MPI?");
    LatticeSlice::takeOver();
}

vtkPVTrivialProducer* producerOf(vtkSMSourceProxy* proxy)
{
    return vtkPVTrivialProducer::SafeDownCast(proxy->GetClientSideObject());
}

// What scripts have made of a channel, without the helpers that ParaView gives to each source and that look at no data.
// Before its first step there is none.
std::vector<vtkSMProxy*> consumers(vtkSMSourceProxy* producer)
{
    std::vector<vtkSMProxy*> result;
    for (unsigned i = 0; producer && i < producer->GetNumberOfConsumers(); ++i) {
        vtkSMProxy* consumer = producer->GetConsumerProxy(i);
        const std::string group = consumer->GetXMLGroup();
        if (group != "misc" && group != "implicit_functions") result.push_back(consumer);
    }
    return result;
}

bool isSlice(vtkSMProxy* proxy) { return LatticeSlice::SafeDownCast(proxy->GetClientSideObject()) != nullptr; }

bool onlySlicesRead(const std::string& channel)
{
    const auto all = consumers(Helper::GetProducer(channel));
    return !all.empty() && std::all_of(all.begin(), all.end(), &isSlice);
}

// ParaView's own way (MarkProducerModified) asks for the range of each array to bring up to date what its window offers
// for properties, and so for all values. Who asks for a range here gets that of the new data, too.
void markSlicesModified(vtkSMSourceProxy* producer)
{
    producerOf(producer)->Modified();
    for (unsigned i = 0; i < producer->GetNumberOfOutputPorts(); ++i)
        producer->GetOutputPort(i)->InvalidateDataInformation();
    for (vtkSMProxy* slice : consumers(producer)) slice->MarkModified(producer);
}

} // namespace

Session::Session(const lbmInsituSetup& setup)
{
    const auto begin = std::chrono::steady_clock::now();
    start(setup.ranks);
    if (setup.ranks > 1) agreement_ = std::make_unique<Agreement>(MPI_COMM_WORLD);
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

void Session::describe(Channel& channel, const lbmInsituMesh& mesh)
{
    if (mesh.image) channel.topology = makeImage(*mesh.image);
    else channel.topology = makeGrid(mesh);
    channel.slicer = !mesh.image && lbm::CubeSlicer::cuts(mesh) ? std::make_shared<lbm::CubeSlicer>(mesh) : nullptr;
    channel.version = mesh.version;
}

void Session::publish(const std::string& name, const lbmInsituMesh& mesh, const lbmInsituArray* fields, int n,
                      const lbmInsituSource* source)
{
    Channel& channel = channels_[name];
    if (!channel.topology || channel.version != mesh.version) describe(channel, mesh);
    // A new object over the same topology: what ParaView has derived from that stays valid
    if (channel.slicer) {
        auto grid = vtkSmartPointer<LatticeGrid>::New();
        grid->CopyStructure(channel.topology);
        grid->setSlicer(channel.slicer);
        channel.current = grid;
    } else {
        channel.current = vtkSmartPointer<vtkDataSet>::Take(channel.topology->NewInstance());
        channel.current->CopyStructure(channel.topology);
    }
    if (mesh.ghosts) setGhosts(channel.current, mesh);
    // Slices ask for a few cells' values; for others all are made at once
    channel.sampled = channel.slicer && onlySlicesRead(name);
    if (channel.sampled) {
        setFields(channel.current, fields, n, source);
    } else {
        const std::vector<lbmInsituArray> full = channel.values.fill(fields, n, source);
        setFields(channel.current, full.data(), n);
    }
}

void Session::produce(double time)
{
    for (auto& [name, channel] : channels_) {
        vtkSMSourceProxy* known = Helper::GetProducer(name);
        if (known) {
            producerOf(known)->SetOutput(channel.current, time);
            if (channel.sampled) markSlicesModified(known);
            else Helper::MarkProducerModified(known);
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

void Session::run(int step, double time, const std::vector<std::string>& parameters)
{
    produce(time);
    if (!begun_) {
        for (auto& pipeline : pipelines_) Helper::AddPipeline(pipeline);
        begun_ = true;
    }
    for (auto& pipeline : pipelines_) pipeline->turn(true, parameters);
    Helper::ExecutePipelines(step, time, parameters);
    for (auto& pipeline : pipelines_) pipeline->turn(false, {});
    forget();
}

void Session::execute(int step, double time, const std::vector<std::string>& parameters)
{
    std::vector<bool> before;
    for (auto& pipeline : pipelines_) before.push_back(pipeline->failed());
    std::string failures;
    try {
        run(step, time, parameters);
    } catch (const std::exception& fault) {
        failures = fault.what();
    }
    for (std::size_t i = 0; i < pipelines_.size(); ++i)
        if (pipelines_[i]->failed() && !before[i])
            failures += (failures.empty() ? "" : "\n") + pipelines_[i]->failure();
    if (agreement_) {
        // A script that failed in one process is called in none: others would wait there for that one
        std::vector<int> failed;
        for (auto& pipeline : pipelines_) failed.push_back(pipeline->failed());
        agreement_->share(failed, failures);
        for (std::size_t i = 0; i < pipelines_.size(); ++i)
            if (failed[i]) pipelines_[i]->leaveOut();
    }
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
