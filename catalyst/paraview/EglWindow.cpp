// Part of lbmFoam, GPL-3.0-or-later.
#include "EglWindow.hpp"

#include <vtkGenericRenderWindowInteractor.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkVersion.h>

namespace {

class EglWindows : public vtkObjectFactory {
public:
    static EglWindows* New();
    vtkTypeMacro(EglWindows, vtkObjectFactory);
    const char* GetVTKSourceVersion() override { return VTK_SOURCE_VERSION; }
    const char* GetDescription() override { return "drawing without an X server"; }

protected:
    EglWindows()
    {
        for (const char* window : {"vtkRenderWindow", "vtkOpenGLRenderWindow"})
            RegisterOverride(window, "EglWindow", GetDescription(), 1,
                             [] { return static_cast<vtkObject*>(EglWindow::New()); });
        RegisterOverride("vtkRenderWindowInteractor", "vtkGenericRenderWindowInteractor", GetDescription(), 1,
                         [] { return static_cast<vtkObject*>(vtkGenericRenderWindowInteractor::New()); });
    }
};
vtkStandardNewMacro(EglWindows);

} // namespace

vtkStandardNewMacro(EglWindow);

EglWindow::EglWindow()
{
    ShowWindow = false;
    UseOffScreenBuffers = true;
}

EglWindow::~EglWindow() { EglWindow::Finalize(); }

std::string EglWindow::obstacle()
{
    const std::string& ofDevice = EglDevice::get().obstacle();
    if (!ofDevice.empty()) return ofDevice;
    const vtkNew<EglWindow> trial;
    trial->Initialize();
    return trial->GlewInitValid ? "" : "this ParaView finds no functions of OpenGL by EGL";
}

std::string EglWindow::renderer() { return EglDevice::get().renderer(); }

void EglWindow::replaceOthers()
{
    const vtkNew<EglWindows> factory;
    vtkObjectFactory::RegisterFactory(factory);
    // VTK takes the first that is registered
    vtkObjectFactory::SetAllEnableFlags(0, "vtkRenderWindow", "vtkXOpenGLRenderWindow");
    vtkObjectFactory::SetAllEnableFlags(0, "vtkRenderWindowInteractor", "vtkXRenderWindowInteractor");
}

void EglWindow::Initialize()
{
    if (!drawing_.context) CreateAWindow();
    else {
        MakeCurrent();
        OpenGLInit();
    }
}

void EglWindow::Finalize()
{
    if (drawing_.context) DestroyWindow();
}

void EglWindow::CreateAWindow()
{
    drawing_ = EglDevice::get().make(SharedRenderWindow ? SharedRenderWindow->GetGenericContext() : EGL_NO_CONTEXT);
    if (!drawing_.context) {
        vtkErrorMacro("EGL gives no context of OpenGL 3.2");
        return;
    }
    for (int a = 0; a < 2; ++a)
        if (Size[a] == 0) Size[a] = screen_[a];
    Mapped = 1;
    MakeCurrent();
    OpenGLInit();
}

void EglWindow::DestroyWindow()
{
    MakeCurrent();
    ReleaseGraphicsResources(this);
    EglDevice::get().drop(drawing_);
    drawing_ = {};
    Mapped = 0;
    Initialized = false;
}

void EglWindow::MakeCurrent()
{
    if (drawing_.context) EglDevice::get().makeCurrent(drawing_);
}

void EglWindow::ReleaseCurrent()
{
    if (drawing_.context) EglDevice::get().makeCurrent({});
}

bool EglWindow::IsCurrent() { return drawing_.context && eglGetCurrentContext() == drawing_.context; }

int* EglWindow::GetScreenSize() { return screen_; }
