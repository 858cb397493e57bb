// Part of lbmFoam, GPL-3.0-or-later.
#include "EglDevice.hpp"

#include <vector>

#include <EGL/eglext.h>

namespace {

constexpr unsigned glRenderer =
    0x1F01; // GL_RENDERER of OpenGL's headers, of which each program is to have one set: VTK has its own

template<class F>
F extension(const char* name)
{
    return reinterpret_cast<F>(eglGetProcAddress(name));
}

} // namespace

const EglDevice& EglDevice::get()
{
    static const EglDevice one;
    return one;
}

EglDevice::EglDevice()
{
    if (!openDevices() && !open(eglGetDisplay(EGL_DEFAULT_DISPLAY))) obstacle_ = "EGL finds no device with OpenGL 3.2";
}

bool EglDevice::openDevices()
{
    const auto query = extension<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    const auto displayOf = extension<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    EGLint n = 0;
    if (!query || !displayOf || !query(0, nullptr, &n) || n < 1) return false;
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(n));
    if (!query(n, devices.data(), &n)) return false;
    for (EGLint i = 0; i < n; ++i) // software is the last
        if (open(displayOf(EGL_PLATFORM_DEVICE_EXT, devices[std::size_t(i)], nullptr))) return true;
    return false;
}

bool EglDevice::open(EGLDisplay display)
{
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return false;
    display_ = display;
    constexpr EGLint wanted[] = {EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_BIT,
                                 EGL_SURFACE_TYPE,
                                 EGL_PBUFFER_BIT,
                                 EGL_RED_SIZE,
                                 8,
                                 EGL_GREEN_SIZE,
                                 8,
                                 EGL_BLUE_SIZE,
                                 8,
                                 EGL_ALPHA_SIZE,
                                 8,
                                 EGL_NONE};
    EGLint n = 0;
    const Drawing trial = eglChooseConfig(display, wanted, &config_, 1, &n) && n > 0 ? make() : Drawing();
    const bool draws = trial.context != EGL_NO_CONTEXT && makeCurrent(trial);
    if (draws) {
        using GetString = const unsigned char* (*)(unsigned);
        const auto text = extension<GetString>("glGetString");
        const auto* name = text ? text(glRenderer) : nullptr;
        renderer_ = name ? reinterpret_cast<const char*>(name) : "EGL";
    }
    drop(trial);
    if (draws) return true;
    eglTerminate(display);
    display_ = EGL_NO_DISPLAY;
    return false;
}

EglDevice::Drawing EglDevice::make(EGLContext shared) const
{
    constexpr EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_NONE},
                     pixel[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    Drawing made;
    if (display_ == EGL_NO_DISPLAY || !eglBindAPI(EGL_OPENGL_API)) return made;
    made.surface = eglCreatePbufferSurface(display_, config_, pixel);
    if (made.surface != EGL_NO_SURFACE) made.context = eglCreateContext(display_, config_, shared, version);
    if (made.context == EGL_NO_CONTEXT) drop(made);
    return made.context == EGL_NO_CONTEXT ? Drawing() : made;
}

void EglDevice::drop(const Drawing& drawing) const
{
    if (display_ == EGL_NO_DISPLAY) return;
    if (drawing.context != EGL_NO_CONTEXT) {
        if (eglGetCurrentContext() == drawing.context)
            eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, drawing.context);
    }
    if (drawing.surface != EGL_NO_SURFACE) eglDestroySurface(display_, drawing.surface);
}

bool EglDevice::makeCurrent(const Drawing& drawing) const
{
    return eglBindAPI(EGL_OPENGL_API)
        && eglMakeCurrent(display_, drawing.surface, drawing.surface, drawing.context) == EGL_TRUE;
}
