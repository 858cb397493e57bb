// EglWindow: a window of VTK that draws without an X server, on a graphics card or in software, whichever EGL finds. Debian's ParaView
// has X's window alone. What it shows is in a frame buffer of VTK's, for pictures.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "EglDevice.hpp"

#include <vtkOpenGLRenderWindow.h>

#include <string>

class EglWindow : public vtkOpenGLRenderWindow {
public:
    static EglWindow* New();
    vtkTypeMacro(EglWindow, vtkOpenGLRenderWindow);
    EglWindow(const EglWindow&) = delete;
    void operator=(const EglWindow&) = delete;

    // Why there can be none here; empty: there can.
    static std::string obstacle();

    // What draws, where nothing stands against it, such as: llvmpipe (LLVM 15.0.6, 256 bits)
    static std::string renderer();

    // From now on vtkRenderWindow::New() gives such a window, and vtkRenderWindowInteractor::New() one that awaits no events.
    static void replaceOthers();

    void Initialize() override;
    void Finalize() override;
    void MakeCurrent() override;
    void ReleaseCurrent() override;
    bool IsCurrent() override;
    vtkTypeBool IsDirect() override { return 1; }
    int* GetScreenSize() override;
    void* GetGenericContext() override { return drawing_.context; }

    // It never shows
    void SetShowWindow(bool) override {}
    void SetUseOffScreenBuffers(bool) override {}

protected:
    EglWindow();
    ~EglWindow() override;

    void CreateAWindow() override;
    void DestroyWindow() override;

private:
    EglDevice::Drawing drawing_;
    int screen_[2] = {1920, 1080}; // pixels, of a window whose size nobody sets
};
