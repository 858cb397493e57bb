// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/ReaderEntry.hpp"

#include <cstdlib>
#include <dlfcn.h>

namespace lbm {

namespace {

LbmReadSurface* loadReader()
{
    // keeps what the user or the application has set
    setenv("WM_PROJECT_DIR", FOAM_DEFAULT_PROJECT_DIR, 0);
    void* library = dlopen("liblbmSurfaceReader.so", RTLD_NOW | RTLD_GLOBAL);
    void* entry = library ? dlsym(library, "lbmReadSurface") : nullptr;
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
