// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/ReaderEntry.hpp"

#include <cstdlib>
#include <dlfcn.h>

namespace lbm {

namespace {

// The module lies beside this library.
std::string modulePath()
{
    Dl_info here;
    if (!dladdr(reinterpret_cast<void*>(&modulePath), &here)) throw SurfaceError("this library has no file");
    const std::string library = here.dli_fname;
    return library.substr(0, library.rfind('/') + 1) + "liblbmSurfaceReader.so";
}

LbmReadSurface* loadReader()
{
    // keeps what the user or the application has set
    setenv("WM_PROJECT_DIR", FOAM_DEFAULT_PROJECT_DIR, 0);
    void* module = dlopen(modulePath().c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* entry = module ? dlsym(module, "lbmReadSurface") : nullptr;
    if (!entry) throw SurfaceError(std::string("the reader of surface files cannot be loaded: ") + dlerror());
    return reinterpret_cast<LbmReadSurface*>(entry);
}

} // namespace

TriangleMesh readSurface(const std::string& file, double scale)
{
    static LbmReadSurface* const reader = loadReader();
    TriangleMesh mesh;
    std::string error;
    reader(file, scale, mesh, error);
    if (!error.empty()) throw SurfaceError(error);
    return mesh;
}

} // namespace lbm
