// Part of lbmFoam, GPL-3.0-or-later.
#include "Display.hpp"
#include "EglWindow.hpp"

#include <vtkCLIOptions.h>
#include <vtkCommunicator.h>
#include <vtkMultiProcessController.h>
#include <vtkNew.h>
#include <vtkPythonInterpreter.h>
#include <vtkRemotingCoreConfiguration.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include <dlfcn.h>

namespace {

bool serverAnswers()
{
    // ParaView has loaded it; its headers are a package of their own
    void* library = dlopen("libX11.so.6", RTLD_LAZY);
    if (!library) return false;
    const auto open = reinterpret_cast<void* (*)(const char*)>(dlsym(library, "XOpenDisplay"));
    // Stays open: a server that loses its last client starts anew, and refuses others meanwhile
    static void* const display = open ? open(nullptr) : nullptr;
    return display != nullptr;
}

bool everywhere(bool here)
{
    int ours = here, all = here;
    if (auto* processes = vtkMultiProcessController::GetGlobalController())
        processes->AllReduce(&ours, &all, 1, vtkCommunicator::MIN_OP);
    return all;
}

bool isFirstProcess()
{
    auto* processes = vtkMultiProcessController::GetGlobalController();
    return !processes || processes->GetLocalProcessId() == 0;
}

bool wantsServer()
{
    // An X server is opened when the window is drawn in, not here
    const vtkNew<vtkRenderWindow> window;
    return std::string(window->GetClassName()).rfind("vtkX", 0) == 0;
}

// Else a ParaView whose windows are X's takes processes without a server for such as do not draw, and draws on one of them alone
void tellEachDraws()
{
    std::string program = "lbmFoam", option = "--disable-xdisplay-test";
    char *words[] = {program.data(), option.data()}, **arguments = words;
    int count = 2;
    const vtkNew<vtkCLIOptions> options;
    vtkRemotingCoreConfiguration::GetInstance()->PopulateOptions(options, vtkProcessModule::PROCESS_BATCH);
    options->Parse(count, arguments);
}

// As a text of Python
std::string quoted(const std::string& text)
{
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result += '\\';
        result += c;
    }
    return result + '\'';
}

void refuseViews(const std::string& why)
{
    vtkPythonInterpreter::RunSimpleString(
        ("import paraview.simple\nparaview.simple.lbm_no_pictures = " + quoted(why)).c_str());
    vtkPythonInterpreter::RunSimpleString(R"(
def _refuse_view(*arguments, **settings):
    raise RuntimeError('the script makes a view, and ' + paraview.simple.lbm_no_pictures + '. Run the solver, or mpirun with it, '
                       'under: xvfb-run -a; or with scripts that write data, as extracts.py does')

for _name in [name for name in dir(paraview.simple) if name.startswith('Create') and name.endswith('View')]:
    setattr(paraview.simple, _name, _refuse_view)
)");
}

} // namespace

void settleViews()
{
    static bool settled = false;
    if (settled) return;
    settled = true;
    if (!wantsServer() || everywhere(serverAnswers())) return;
    const std::string obstacle = EglWindow::obstacle();
    if (everywhere(obstacle.empty())) {
        EglWindow::replaceOthers();
        tellEachDraws();
        if (isFirstProcess())
            std::cout << "Pictures are drawn without an X server, by EGL: " << EglWindow::renderer() << std::endl;
        return;
    }
    const char* display = std::getenv("DISPLAY");
    refuseViews(std::string("no X server answers (DISPLAY is ") + (display && *display ? display : "not set")
                + "), and " + (obstacle.empty() ? "EGL draws on some of the processes alone" : obstacle));
}
