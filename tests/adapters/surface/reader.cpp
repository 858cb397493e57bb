// Surface files: what is read, and what is said of files that cannot be.
// Part of lbmFoam, GPL-3.0-or-later.
#include "meshes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace lbm::test {
namespace {

namespace fs = std::filesystem;

std::string asciiStl(const TriangleMesh& mesh)
{
    std::ostringstream os;
    for (std::size_t region = 0; region < mesh.regionNames.size(); ++region) {
        os << "solid " << mesh.regionNames[region] << "\n";
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            if (mesh.regions[t] != std::int16_t(region)) continue;
            os << " facet normal 0 0 0\n  outer loop\n";
            for (int c : mesh.triangles[t])
                os << "   vertex " << mesh.points[c][0] << " " << mesh.points[c][1] << " " << mesh.points[c][2] << "\n";
            os << "  endloop\n endfacet\n";
        }
        os << "endsolid " << mesh.regionNames[region] << "\n";
    }
    return os.str();
}

std::string binaryStl(const TriangleMesh& mesh)
{
    std::string bytes(80, ' ');
    auto put = [&](const void* p, std::size_t n) { bytes.append(static_cast<const char*>(p), n); };
    const std::uint32_t n = std::uint32_t(mesh.triangles.size());
    put(&n, 4);
    for (std::size_t t = 0; t < n; ++t) {
        const float normal[3] = {0, 0, 0};
        put(normal, 12);
        for (int c : mesh.triangles[t]) {
            const float p[3] = {float(mesh.points[c][0]), float(mesh.points[c][1]), float(mesh.points[c][2])};
            put(p, 12);
        }
        const std::uint16_t attribute = std::uint16_t(mesh.regions[t]);
        put(&attribute, 2);
    }
    return bytes;
}

std::string objText(const TriangleMesh& mesh)
{
    std::ostringstream os;
    os << "# a comment\n";
    for (const Vec3& p : mesh.points) os << "v " << p[0] << " " << p[1] << " " << p[2] << "\n";
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (t == 0 || mesh.regions[t] != mesh.regions[t - 1]) os << "g " << mesh.regionNames[mesh.regions[t]] << "\n";
        os << "f";
        for (int c : mesh.triangles[t]) os << " " << c + 1 << "//1";
        os << "\n";
    }
    return os.str();
}

class SurfaceReader : public testing::Test {
protected:
    void SetUp() override
    {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::temp_directory_path()
            / ("lbmSurfaceReader." + std::string(info->name()) + "." + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& content) const
    {
        std::ofstream(folder_ / name, std::ios::binary) << content;
        return (folder_ / name).string();
    }

    std::string writePacked(const std::string& name, const std::string& content) const
    {
        const std::string plain = write(name, content);
        EXPECT_EQ(std::system(("gzip -f '" + plain + "'").c_str()), 0);
        return plain + ".gz";
    }

    // The message must name the file and say `what`.
    void expectRefused(const std::string& file, const std::string& what) const
    {
        try {
            readSurface(file);
            ADD_FAILURE() << file << " was accepted, not refused for " << what;
        } catch (const SurfaceError& e) {
            const std::string said = e.what();
            EXPECT_NE(said.find(file), std::string::npos) << said;
            EXPECT_NE(said.find(what), std::string::npos) << said;
        }
    }

    fs::path folder_;
    const TriangleMesh box_ = boxMesh({0, 0, 0}, {1, 2, 3}, {"inlet", "outlet", "wall", "wall", "front", "back"});
};

void expectBox(const TriangleMesh& mesh, const std::vector<std::string>& regions, double scale = 1)
{
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_EQ(mesh.points.size(), 8u);
    EXPECT_EQ(mesh.regionNames, regions);
    EXPECT_TRUE(edgeDefects(mesh).none());
    EXPECT_NEAR(volume(mesh), 6 * scale * scale * scale, 1e-9 * scale);
    std::vector<int> count(regions.size(), 0);
    for (std::int16_t region : mesh.regions) ++count[region];
    EXPECT_EQ(count, (std::vector<int>{2, 2, 4, 2, 2}));
}

const std::vector<std::string> names = {"inlet", "outlet", "wall", "front", "back"};
const std::vector<std::string> numbers = {"patch0", "patch1", "patch2", "patch3", "patch4"};

TEST_F(SurfaceReader, asciiStl)
{
    expectBox(readSurface(write("box.stl", asciiStl(box_))), names);
    expectBox(readSurface(write("upper.STL", asciiStl(box_))), names);
    expectBox(readSurface(writePacked("packed.stl", asciiStl(box_))), names);
    expectBox(readSurface(write("mm.stl", asciiStl(box_)), 0.001), names, 0.001);

    std::string coloured = asciiStl(box_);
    coloured.insert(coloured.find('\n') + 1, "color 0.5 0.5 0.5\n");
    expectBox(readSurface(write("coloured.stl", coloured)), names);
}

TEST_F(SurfaceReader, binaryStl)
{
    expectBox(readSurface(write("box.stl", binaryStl(box_))), numbers);
    expectBox(readSurface(writePacked("packed.stl", binaryStl(box_))), numbers);
    expectBox(readSurface(write("box.stlb", binaryStl(box_))), numbers);
    std::string solid = binaryStl(box_);
    solid.replace(0, 10, "solid part");
    expectBox(readSurface(write("solid.stl", solid)), numbers);
    expectBox(readSurface(writePacked("packedSolid.stl", solid)), numbers);
}

TEST_F(SurfaceReader, obj)
{
    expectBox(readSurface(write("box.obj", objText(box_))), names);
    expectBox(readSurface(writePacked("packed.obj", objText(box_))), names);
}

TEST_F(SurfaceReader, findsAPackedFileByItsPlainName)
{
    const std::string packed = writePacked("box.stl", asciiStl(box_));
    expectBox(readSurface(packed.substr(0, packed.size() - 3)), names);
}

TEST_F(SurfaceReader, everyCutOfAnAsciiStlIsRefused)
{
    // several solids could be cut between two of them, which no reader can tell from a smaller file
    const std::string whole = asciiStl(sphereMesh({0, 0, 0}, 1, 2));
    const std::size_t end = whole.rfind("endsolid") + std::string("endsolid").size();
    for (std::size_t n = 0; n < end; ++n) {
        const std::string file = write("cut.stl", whole.substr(0, n));
        EXPECT_THROW(readSurface(file), SurfaceError) << "cut after " << n << " bytes";
    }
    expectRefused(write("cut.stl", whole.substr(0, end - 1)), "cut short");
}

TEST_F(SurfaceReader, everyCutOfABinaryStlIsRefused)
{
    const std::string whole = binaryStl(box_);
    for (std::size_t n = 0; n < whole.size(); ++n) {
        const std::string file = write("cut.stl", whole.substr(0, n));
        EXPECT_THROW(readSurface(file), SurfaceError) << "cut after " << n << " bytes";
    }
    expectRefused(write("cut.stl", whole.substr(0, whole.size() - 1)), "12 triangles, but 11");
}

TEST_F(SurfaceReader, cutPackedFilesAreRefused)
{
    const std::string packed = writePacked("box.obj", objText(box_));
    const auto size = fs::file_size(packed);
    for (std::uintmax_t n = 0; n < size; n += 5) {
        fs::copy_file(packed, folder_ / "cut.obj.gz", fs::copy_options::overwrite_existing);
        fs::resize_file(folder_ / "cut.obj.gz", n);
        EXPECT_THROW(readSurface((folder_ / "cut.obj.gz").string()), SurfaceError) << n;
    }
}

TEST_F(SurfaceReader, saysWhatIsWrong)
{
    expectRefused((folder_ / "none.stl").string(), "no such file");
    expectRefused(write("empty.stl", ""), "is empty");
    expectRefused(write("empty.obj", ""), "is empty");
    expectRefused(write("hollow.stl", "solid a\nendsolid a\n"), "holds no triangle");
    expectRefused(write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"), "has no face");
    expectRefused(write("box.ply", asciiStl(box_)), "unknown kind");
    expectRefused(write("text.stl", std::string(300, 'x')), "cut short or is not an STL file");
    fs::create_directories(folder_ / "folder.stl");
    expectRefused((folder_ / "folder.stl").string(), "is not a file");

    // What is no STL is OpenFOAM's reader to say
    std::string order = asciiStl(box_);
    order.erase(order.find("endloop"), 7);
    expectRefused(write("order.stl", order), "on line 8\n    expected 'vertex' or 'endloop' but found 'endfacet'");
    expectRefused(write("tail.stl", asciiStl(box_) + "solid more\n"), "does not end with endsolid");

    // ... which passes over these, crashes, and takes minutes for zeros
    std::string four = asciiStl(box_);
    four.insert(four.find("  endloop"), "vertex 3 3 3\n");
    expectRefused(write("four.stl", four), "line 9: a facet of 4 vertices");
    const std::string whole = asciiStl(box_);
    expectRefused(write("headless.stl", "\n" + whole.substr(whole.find('\n') + 1)),
                  "line 2: a facet before the first solid");
    expectRefused(write("zeros.stl", std::string(3000000, '\0')), "is neither text nor a binary STL");
    std::string huge = asciiStl(box_);
    huge.insert(huge.find("vertex") + 7, "1e300");
    expectRefused(write("huge.stl", huge), "line 4: vertex (inf");

    TriangleMesh bad = box_;
    bad.points[3][1] = std::nan("");
    expectRefused(write("nan.stl", binaryStl(bad)), "not finite");
    EXPECT_THROW(readSurface(write("nanText.stl", asciiStl(bad))), SurfaceError);
    bad.points[3][1] = HUGE_VAL;
    expectRefused(write("inf.stl", binaryStl(bad)), "not finite");
}

TEST_F(SurfaceReader, namesThePlaceOfABadVertex)
{
    const auto facet = [](const std::string& x) {
        return "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex " + x + " 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    };
    const std::string text =
        "solid vertex vertex\n" + facet("1") + "endsolid vertex\nSOLID\n" + facet("1e20") + "endsolid\n";
    expectRefused(write("far.stl", text), "line 14: vertex (1e+20 0 0) lies too far off");
    TriangleMesh bad = box_;
    bad.points.push_back({0, 1e20f, 0});
    bad.triangles[7][2] = int(bad.points.size()) - 1;
    expectRefused(write("farBinary.stl", binaryStl(bad)), "triangle 7: vertex (0 1e+20 0) lies too far off");
    expectRefused(write("far.obj", "g v\nv 0 0 0\nv 1e20 0 0\nv 0 1 0\nf 1 2 3\n"),
                  "line 3: vertex (1e+20 0 0) lies too far off");
}

TEST_F(SurfaceReader, namesTheLineOfABadObj)
{
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    expectRefused(write("few.obj", "v 0 0\n" + points), "line 1: a vertex needs three finite numbers");
    expectRefused(write("word.obj", points + "v 0 0 zero\n"), "line 4");
    expectRefused(write("nan.obj", points + "v 0 0 nan\n"), "line 4");
    expectRefused(write("edge.obj", points + "f 1 2\n"), "line 4: a face needs three corners");
    for (const char* corner : {"4", "0", "-1", "x", "99999999999", "1.5"})
        expectRefused(write("corner.obj", points + "f 1 2 " + corner + "\n"), std::string("line 4: corner ") + corner);
}

TEST_F(SurfaceReader, fileToDomain)
{
    const Domain domain = surfaceDomain(write("box.stl", asciiStl(box_)), 12, d3q27());
    EXPECT_EQ(domain.size, (Int3{4, 8, 12}));
    EXPECT_EQ(domain.fluidNodes(), 4 * 8 * 12);
    EXPECT_EQ(domain.patches, names);
    EXPECT_EQ(linkFault(domain, d3q27()), "");
    for (const Link& link : domain.links) EXPECT_FLOAT_EQ(link.fraction, 0.5f);
}

} // namespace
} // namespace lbm::test
