// VTK finds OpenGL's functions by GLEW's glewInit(), of which Debian's wants an X server after it has found them all. The symbol of the
// module that is loaded comes before those of the libraries that it brings along, so that VTK calls this one.
// Part of lbmFoam, GPL-3.0-or-later.
#include <vtkOpenGLRenderWindow.h>

#include <dlfcn.h>

namespace {

using Init = unsigned (*)();

constexpr unsigned withoutX = 4, unknown = 1; // GLEW_ERROR_NO_GLX_DISPLAY, GLEW_ERROR_NO_GL_VERSION

// That of the library which VTK's is linked with
Init ofLibrary()
{
    Dl_info vtk;
    if (!dladdr(reinterpret_cast<void*>(&vtkOpenGLRenderWindow::GetGlobalMaximumNumberOfMultiSamples), &vtk))
        return nullptr;
    void* library = dlopen(vtk.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return library ? reinterpret_cast<Init>(dlsym(library, "glewInit")) : nullptr;
}

} // namespace

extern "C" unsigned glewInit()
{
    static const Init init = ofLibrary();
    const unsigned status = init ? init() : unknown;
    return status == withoutX ? 0 : status;
}
