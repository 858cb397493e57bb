// Part of lbmFoam, GPL-3.0-or-later.
#include "Display.hpp"

#include <vtkCommunicator.h>
#include <vtkMultiProcessController.h>
#include <vtkPythonInterpreter.h>

#include <dlfcn.h>

namespace {

bool answersHere()
{
    // ParaView has loaded it; its headers are a package of their own
    void* library = dlopen("libX11.so.6", RTLD_LAZY);
    if (!library) return false;
    const auto open = reinterpret_cast<void* (*)(const char*)>(dlsym(library, "XOpenDisplay"));
    // Stays open: a server that loses its last client starts anew, and refuses others meanwhile
    static void* const display = open ? open(nullptr) : nullptr;
    return display != nullptr;
}

} // namespace

bool displayAnswers()
{
    int here = answersHere(), everywhere = here;
    if (auto* processes = vtkMultiProcessController::GetGlobalController())
        processes->AllReduce(&here, &everywhere, 1, vtkCommunicator::MIN_OP);
    return everywhere;
}

void refuseViews()
{
    vtkPythonInterpreter::RunSimpleString(R"(
import os
import paraview.simple
def _refuse_view(*arguments, **settings):
    display = os.environ.get('DISPLAY') or 'not set'
    raise RuntimeError('the script makes a view, and no X server answers (DISPLAY is ' + display + '). '
                       'Run the solver, or mpirun with it, under: xvfb-run -a')
for _name in [name for name in dir(paraview.simple) if name.startswith('Create') and name.endswith('View')]:
    setattr(paraview.simple, _name, _refuse_view)
)");
}
