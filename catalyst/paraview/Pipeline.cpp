// Part of lbmFoam, GPL-3.0-or-later.
#include "Pipeline.hpp"
#include "Display.hpp"
#include "Failures.hpp"
#include "KeptSignals.hpp"
#include "checks.hpp"

#include <vtkCPPythonScriptV2Helper.h>
#include <vtkObjectFactory.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>

#include <chrono>
#include <utility>

// What ParaView keeps for its own classes
class ScriptHelper : public vtkCPPythonScriptV2Helper {
public:
    static ScriptHelper* New();
    vtkTypeMacro(ScriptHelper, vtkCPPythonScriptV2Helper);
    bool due(int step, double time) { return this->IsActivated(step, time); }
};

vtkStandardNewMacro(ScriptHelper);
vtkStandardNewMacro(Pipeline);

Pipeline::Pipeline() = default;
Pipeline::~Pipeline() = default;

bool Pipeline::fail(const std::string& why)
{
    failure_ = settings_.script + ": " + why;
    return false;
}

bool Pipeline::due(int step, double time)
{
    if (failed() || finalized_) return false;
    return !helper_ || helper_->due(step, time);
}

void Pipeline::turn(bool on, const std::vector<std::string>& parameters)
{
    turn_ = on;
    parameters_ = parameters;
}

bool Pipeline::import()
{
    helper_ = vtkSmartPointer<ScriptHelper>::New();
    if (!helper_->PrepareFromScript(settings_.script)) return false;
    // VTK ends the process where a view finds no X server
    settleViews();
    if (!helper_->Import(settings_.arguments)) return false;
    const std::string unfit = unfitExtractors();
    if (!unfit.empty()) return fail(unfit);
    setOptions();
    return helper_->CatalystInitialize();
}

void Pipeline::setOptions()
{
    vtkSMProxy* options = helper_->GetOptions();
    if (!settings_.outputDirectory.empty())
        vtkSMPropertyHelper(options, "ExtractsOutputDirectory").Set(settings_.outputDirectory.c_str());
    if (!settings_.live.empty()) {
        vtkSMPropertyHelper(options, "EnableCatalystLive").Set(1);
        vtkSMPropertyHelper(options, "CatalystLiveURL").Set(settings_.live.c_str());
    }
    options->UpdateVTKObjects();
}

bool Pipeline::Initialize()
{
    const auto start = std::chrono::steady_clock::now();
    const KeptSignals signals;
    Failures failures;
    const bool done = import();
    startSeconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (failed()) return false;
    const std::string exception = lastException();
    if (!done || !exception.empty()) return fail(exception.empty() ? failures.text() : exception);
    return true;
}

bool Pipeline::Execute(int step, double time)
{
    if (!turn_ || failed() || finalized_) return true;
    Failures failures;
    const bool done = helper_->CatalystExecute(step, time, parameters_);
    const std::string exception = lastException();
    if (!exception.empty()) return fail(exception);
    if (!done || !failures.text().empty()) return fail(failures.text());
    if (std::exchange(arraysChecked_, true)) return true;
    const std::string missing = missingArrays();
    return missing.empty() || fail(missing);
}

bool Pipeline::Finalize()
{
    if (finalized_ || failed() || !helper_) return true;
    finalized_ = true;
    Failures failures;
    const bool done = helper_->CatalystFinalize();
    const std::string exception = lastException();
    if (!done || !exception.empty()) return fail(exception.empty() ? failures.text() : exception);
    return true;
}
