// Pipeline: one script that ParaView runs. Unlike ParaView's own class it keeps what went wrong, can say whether a step
// concerns it, and sets what the case decides (output directory, live client) in the script's options.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <vtkInSituPipeline.h>
#include <vtkSmartPointer.h>

#include <string>
#include <vector>

class ScriptHelper;

class Pipeline : public vtkInSituPipeline {
public:
    static Pipeline* New();
    vtkTypeMacro(Pipeline, vtkInSituPipeline);

    struct Settings {
        std::string script, outputDirectory, live;
        std::vector<std::string> arguments;
    };
    void set(const Settings& settings) { settings_ = settings; }
    const std::string& script() const { return settings_.script; }

    // Before the first call of Execute: true
    bool due(int step, double time);

    // ParaView calls every pipeline that it knows; only those whose turn it is act.
    void turn(bool on, const std::vector<std::string>& parameters);

    bool Initialize() override;
    bool Execute(int step, double time) override;
    bool Finalize() override;

    // Empty as long as nothing failed
    const std::string& failure() const { return failure_; }
    bool failed() const { return !failure_.empty(); }

    // As if it had failed here, too
    void leaveOut()
    {
        if (!failed()) fail("failed in another process");
    }

    double startSeconds() const { return startSeconds_; }

private:
    Pipeline();
    ~Pipeline() override;

    bool import();
    void setOptions();
    bool fail(const std::string& why);

    Settings settings_;
    vtkSmartPointer<ScriptHelper> helper_;
    std::vector<std::string> parameters_;
    bool turn_ = false, finalized_ = false, arraysChecked_ = false;
    std::string failure_;
    double startSeconds_ = 0;
};
