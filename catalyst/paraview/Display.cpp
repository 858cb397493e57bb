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
import vtkmodules.vtkRenderingOpenGL2
from vtkmodules.vtkRenderingCore import vtkRenderWindow

# One that is built for EGL or OSMesa draws without
if vtkRenderWindow().GetClassName().startswith('vtkX'):
    paraview.simple.lbm_no_pictures = 'no X server answers (DISPLAY is ' + (os.environ.get('DISPLAY') or 'not set') + ')'

    def _refuse_view(*arguments, **settings):
        raise RuntimeError('the script makes a view, and ' + paraview.simple.lbm_no_pictures + '. Run the solver, or mpirun '
                           'with it, under: xvfb-run -a; or with scripts that write data, as extracts.py does')

    for _name in [name for name in dir(paraview.simple) if name.startswith('Create') and name.endswith('View')]:
        setattr(paraview.simple, _name, _refuse_view)
)");
}
