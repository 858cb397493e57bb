// EglDevice: the first device of EGL that has OpenGL as VTK wants it, graphics cards before software; and its contexts.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <string>

#include <EGL/egl.h>

class EglDevice {
public:
    // The process's one
    static const EglDevice& get();

    // Why there is none; empty: there is
    const std::string& obstacle() const { return obstacle_; }
    const std::string& renderer() const { return renderer_; }

    // A context and what it needs to be current, of one pixel. No context: EGL refuses, or there is no display.
    struct Drawing {
        EGLContext context = EGL_NO_CONTEXT;
        EGLSurface surface = EGL_NO_SURFACE;
    };
    Drawing make(EGLContext shared = EGL_NO_CONTEXT) const;
    void drop(const Drawing&) const;
    bool makeCurrent(const Drawing&) const;

private:
    EglDevice();
    bool open(EGLDisplay);
    bool openDevices();

    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLConfig config_ = nullptr;
    std::string obstacle_, renderer_;
};
