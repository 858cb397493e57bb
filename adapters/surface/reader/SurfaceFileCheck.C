/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "SurfaceFileCheck.H"
#include "adapters/surface/TriangleMesh.hpp"

#include "IFstream.H"
#include "OSspecific.H"
#include "STLReader.H"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace
{

const std::streamsize binaryTriangle = 50;

// To ask what the reader asks itself
struct StlHeader
:
    Foam::fileFormats::STLCore
{
    using STLCore::detectBinaryHeader;
    using STLCore::readBinaryHeader;
};

std::string lower(std::string text)
{
    for (char& c : text)
    {
        c = char(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

// What is left in the stream
std::uint64_t countBytes(std::istream& is)
{
    std::vector<char> block(1 << 16);
    std::uint64_t n = 0;
    while (is.read(block.data(), block.size()) || is.gcount() > 0)
    {
        n += std::uint64_t(is.gcount());
    }
    return n;
}

// As long as the number of triangles behind its header says. CAD programs write binary ones, too, whose header begins
// with "solid", which the reader takes for text
bool isBinaryByLength(std::istream& is)
{
    char header[80];
    unsigned char n[4];
    if (!is.read(header, sizeof(header)) || !is.read(reinterpret_cast<char*>(n), sizeof(n)))
    {
        return false;
    }
    const std::uint64_t triangles = n[0] | n[1] << 8 | n[2] << 16 | std::uint32_t(n[3]) << 24;
    return triangles > 0 && countBytes(is) == triangles*binaryTriangle;
}

double value(const std::string& number)
{
    return std::strtod(number.c_str(), nullptr);
}

// Neither hexadecimal nor nan, which strtod takes
bool isNumber(const std::string& text)
{
    if (text.find_first_not_of("0123456789+-.eE") != std::string::npos) return false;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end != text.c_str() && *end == '\0' && std::isfinite(value);
}

std::vector<std::string> words(const std::string& line)
{
    std::vector<std::string> result;
    std::size_t end = 0;
    for (std::size_t begin; (begin = line.find_first_not_of(" \t\r", end)) != std::string::npos;)
    {
        end = std::min(line.find_first_of(" \t\r", begin), line.size());
        result.push_back(line.substr(begin, end - begin));
    }
    return result;
}

// In lower case; of a line that begins or ends a solid the first alone, for a
// name follows
std::vector<std::string> stlWords(const std::string& line)
{
    std::vector<std::string> result = words(line);
    for (std::string& word : result) word = lower(word);
    if (!result.empty() && (result[0] == "solid" || result[0] == "endsolid"))
    {
        result.resize(1);
    }
    return result;
}

} // End anonymous namespace


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void lbm::SurfaceFileCheck::fail(const std::string& what) const
{
    throw SurfaceError("surface file " + file_ + ": " + what);
}


void lbm::SurfaceFileCheck::checkPresent() const
{
    if (!Foam::isFile(plain_))
    {
        fail(Foam::exists(plain_) ? "is not a file" : "no such file, plain or .gz");
    }
    if (!Foam::IFstream(plain_).good())
    {
        fail("cannot be opened");
    }
}


void lbm::SurfaceFileCheck::checkUnpacked(const Foam::fileName& packed) const
{
    std::ifstream raw(packed, std::ios::binary);
    unsigned char tail[4];
    raw.seekg(-4, std::ios::end);
    if (!raw.read(reinterpret_cast<char*>(tail), 4))
    {
        fail("is empty");
    }
    const std::uint32_t promised =
        tail[0] | tail[1] << 8 | tail[2] << 16 | std::uint32_t(tail[3]) << 24;

    Foam::IFstream is(plain_);
    const std::uint64_t found = countBytes(is.stdStream());
    if (std::uint32_t(found) != promised)
    {
        fail
        (
            "unpacks to " + std::to_string(found) + " bytes, but its end promises "
          + std::to_string(promised) + ": it was cut short or is not a gzip file"
        );
    }
}


void lbm::SurfaceFileCheck::checkStl()
{
    if (Foam::IFstream(plain_).stdStream().peek() == std::istream::traits_type::eof())
    {
        fail("is empty");
    }
    binary_ = kind_ == "stlb" || StlHeader::detectBinaryHeader(plain_) > 0;
    if (!binary_)
    {
        Foam::IFstream is(plain_);
        binary_ = isBinaryByLength(is.stdStream());
        if (binary_)
        {
            kind_ = "stlb";
        }
    }
    if (binary_)
    {
        checkBinary();
    }
    else
    {
        checkText();
    }
    Foam::fileFormats::STLReader reader
    (
        plain_,
        binary_ ? StlHeader::BINARY : StlHeader::ASCII
    );
    if (reader.zoneIds().empty())
    {
        fail("holds no triangle");
    }
    for (const Foam::STLpoint& p : reader.points())
    {
        check(vertices_.add({p.x(), p.y(), p.z()}));
    }
}


void lbm::SurfaceFileCheck::checkBinary() const
{
    Foam::label n = 0;
    Foam::autoPtr<std::istream> is = StlHeader::readBinaryHeader(plain_, n);
    const std::uint64_t found = countBytes(is());
    if (found != std::uint64_t(n)*binaryTriangle)
    {
        fail
        (
            "binary STL of " + std::to_string(n) + " triangles, but "
          + std::to_string(found/binaryTriangle) + " are there: it was cut short or is not an STL file"
        );
    }
}


void lbm::SurfaceFileCheck::checkText() const
{
    Foam::IFstream is(plain_);
    long number = 0, vertices = 0;
    bool begun = false, ended = false;
    for (std::string line; std::getline(is.stdStream(), line);)
    {
        ++number;
        if (line.find('\0') != std::string::npos)
        {
            fail
            (
                "is neither text nor a binary STL as long as its number of triangles says:"
                " it was cut short or is not an STL file"
            );
        }
        for (const std::string& word : stlWords(line))
        {
            begun = begun || word == "solid";
            ended = word == "endsolid";
            if (!begun && word == "facet")
            {
                fail("line " + std::to_string(number) + ": a facet before the first solid");
            }
            vertices += word == "vertex";
            if (word != "endfacet")
            {
                continue;
            }
            if (vertices != 3)
            {
                fail("line " + std::to_string(number) + ": a facet of " + std::to_string(vertices) + " vertices");
            }
            vertices = 0;
        }
    }
    if (!ended)
    {
        fail("does not end with endsolid: it was cut short or is not an STL file");
    }
}


void lbm::SurfaceFileCheck::check(const VertexCheck::Fault& fault) const
{
    if (!fault.what.empty())
    {
        fail(place(fault.vertex) + ": " + fault.what);
    }
}


std::string lbm::SurfaceFileCheck::place(long vertex) const
{
    if (binary_)
    {
        return "triangle " + std::to_string(vertex/3);
    }
    const bool obj = kind_ == "obj";
    Foam::IFstream is(plain_);
    long number = 0;
    for (std::string line; std::getline(is.stdStream(), line);)
    {
        ++number;
        const std::vector<std::string> list = obj ? words(line) : stlWords(line);
        const long here = obj ? !list.empty() && list[0] == "v" : std::count(list.begin(), list.end(), "vertex");
        if (vertex < here)
        {
            return "line " + std::to_string(number);
        }
        vertex -= here;
    }
    fail("has changed while it was read");
}


void lbm::SurfaceFileCheck::checkObj(std::istream& is)
{
    long points = 0, faces = 0, number = 0;
    std::string line;
    while (std::getline(is, line))
    {
        ++number;
        checkObjLine(line, number, points, faces);
    }
    if (number == 0)
    {
        fail("is empty");
    }
    if (faces == 0)
    {
        fail("has no face");
    }
}


void lbm::SurfaceFileCheck::checkObjLine
(
    const std::string& line, long number, long& points, long& faces
)
{
    const std::vector<std::string> word = words(line);
    if (word.empty())
    {
        return;
    }
    const std::string at = "line " + std::to_string(number) + ": ";

    if (word[0] == "v")
    {
        ++points;
        if (word.size() < 4 || !isNumber(word[1]) || !isNumber(word[2]) || !isNumber(word[3]))
        {
            fail(at + "a vertex needs three finite numbers");
        }
        check(vertices_.add({value(word[1]), value(word[2]), value(word[3])}));
    }
    else if (word[0] == "f")
    {
        ++faces;
        if (word.size() < 4)
        {
            fail(at + "a face needs three corners");
        }
        for (std::size_t i = 1; i < word.size(); ++i)
        {
            const std::string corner = word[i].substr(0, word[i].find('/'));
            const bool digits = corner.find_first_not_of("0123456789") == std::string::npos;
            const long vertex = digits && !corner.empty() && corner.size() < 10 ? std::stol(corner) : 0;
            if (vertex < 1 || vertex > points)
            {
                fail(at + "corner " + word[i] + " is none of the " + std::to_string(points) + " vertices before it");
            }
        }
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

lbm::SurfaceFileCheck::SurfaceFileCheck(const Foam::fileName& file, const double scale)
:
    file_(file),
    plain_(file.ext() == "gz" ? file.lessExt() : file),
    kind_(lower(plain_.ext())),
    vertices_(scale)
{
    if (kind_ != "stl" && kind_ != "stlb" && kind_ != "obj")
    {
        fail("unknown kind; supported are stl, stlb and obj, each plain or .gz");
    }
    checkPresent();

    const Foam::fileName packed(plain_ + ".gz");
    if (!Foam::isFile(plain_, false) && Foam::isFile(packed, false))
    {
        checkUnpacked(packed);
    }

    if (kind_ == "obj")
    {
        Foam::IFstream is(plain_);
        checkObj(is.stdStream());
    }
    else
    {
        checkStl();
    }
    check(vertices_.outlier());
}
