// What a surface file may hold: any bytes must give a mesh, a Domain and a report, or a SurfaceError.
// The first byte chooses the kind of file (d: stl, e: stlb, f: obj, g: stl.gz, h: obj.gz), the rest is its content.
// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/GeometryReport.hpp"
#include "adapters/surface/ReaderEntry.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <unistd.h>
#include <zlib.h>

namespace {

namespace fs = std::filesystem;

const char* const kinds[] = {"stl", "stlb", "obj", "stl.gz", "obj.gz"};
constexpr int plainKinds = 3;

class Folder {
public:
    Folder() : path_(fs::temp_directory_path() / ("lbmFuzzSurface." + std::to_string(getpid())))
    {
        fs::create_directories(path_);
    }
    ~Folder() { fs::remove_all(path_); }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

void write(const fs::path& file, bool packed, const std::uint8_t* data, std::size_t n)
{
    if (packed) {
        gzFile gz = gzopen(file.c_str(), "wb1");
        if (!gz || gzwrite(gz, data, unsigned(n)) != int(n) || gzclose(gz) != Z_OK) std::abort();
        return;
    }
    std::ofstream os(file, std::ios::binary);
    os.write(reinterpret_cast<const char*>(data), std::streamsize(n));
    if (!os) std::abort();
}

void report(const lbm::TriangleMesh& mesh)
{
    constexpr int cells = 6;
    try {
        lbm::SurfaceOptions options;
        options.threads = 1;
        lbm::reportJson(lbm::geometryReport(mesh, lbm::boxAround(mesh, cells), options));
    } catch (const lbm::SurfaceError&) {
        // an answer, too
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Folder folder;
    if (size < 1) return 0;
    const int kind = data[0] % (sizeof(kinds) / sizeof(kinds[0]));
    const fs::path file = folder.path() / (std::string("surface.") + kinds[kind]);
    write(file, kind >= plainKinds, data + 1, size - 1);

    lbm::TriangleMesh mesh;
    std::string error;
    lbmReadSurface(file.string(), 1, mesh, error);
    fs::remove(file);
    if (error.empty()) report(mesh);
    return 0;
}
