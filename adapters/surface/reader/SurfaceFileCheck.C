/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "SurfaceFileCheck.H"
#include "adapters/surface/TriangleMesh.hpp"

#include "IFstream.H"
#include "OSspecific.H"
#include "stringOps.H"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

namespace
{

const std::streamsize binaryHeader = 80;
const std::streamsize binaryTriangle = 50;

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

bool startsWithSolid(const std::string& header)
{
    const auto begin = header.find_first_not_of(" \t\r\n");
    return begin != std::string::npos && lower(header.substr(begin, 5)) == "solid";
}

double value(const std::string& number)
{
    return std::strtod(number.c_str(), nullptr);
}

bool isNumber(const std::string& text)
{
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end != text.c_str() && *end == '\0' && std::isfinite(value);
}

// The words of a facet in a text STL; # is a number
const char* const facetWords[] =
{
    "facet", "normal", "#", "#", "#", "outer", "loop",
    "vertex", "#", "#", "#", "vertex", "#", "#", "#", "vertex", "#", "#", "#",
    "endloop", "endfacet"
};

// Place of the first vertex's first number; those of the next come four places later
const std::size_t firstVertex = 8;

const std::size_t nFacetWords = sizeof(facetWords)/sizeof(facetWords[0]);

bool isPlainNumber(const std::string& text)
{
    return text.find_first_not_of("0123456789+-.eE") == std::string::npos && isNumber(text);
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


void lbm::SurfaceFileCheck::checkStl(std::istream& is)
{
    std::string header(binaryHeader, '\0');
    is.read(&header[0], binaryHeader);
    const std::streamsize n = is.gcount();
    header.resize(n);
    if (n == 0)
    {
        fail("is empty");
    }

    // As OpenFOAM decides: what starts with "solid" is text
    if (kind_ == "stl" && startsWithSolid(header))
    {
        Foam::IFstream again(plain_);
        checkAscii(again.stdStream());
    }
    else if (n < binaryHeader)
    {
        fail("is neither text (it does not start with solid) nor binary (shorter than the header)");
    }
    else
    {
        checkBinary(is);
    }
}


void lbm::SurfaceFileCheck::checkBinary(std::istream& is)
{
    std::uint32_t n = 0;
    if (!is.read(reinterpret_cast<char*>(&n), sizeof(n)))
    {
        fail("binary STL that ends before its number of triangles");
    }
    const std::uint64_t found = countBytes(is);
    if (found != std::uint64_t(n)*binaryTriangle)
    {
        fail
        (
            "binary STL of " + std::to_string(n) + " triangles, but "
          + std::to_string(found/binaryTriangle) + " are there: it was cut short or is not an STL file"
        );
    }
    triangles_ = long(n);
    Foam::IFstream again(plain_);
    again.stdStream().ignore(binaryHeader + std::streamsize(sizeof(n)));
    checkTriangles(again.stdStream());
}


void lbm::SurfaceFileCheck::checkTriangles(std::istream& is)
{
    // A normal and three vertices; two bytes follow
    std::array<float, 12> x;
    std::array<char, binaryTriangle> record;
    for (long i = 0; i < triangles_ && is.read(record.data(), record.size()); ++i)
    {
        std::memcpy(x.data(), record.data(), sizeof(x));
        for (std::size_t k = 3; k < x.size(); k += 3)
        {
            checkVertex({x[k], x[k + 1], x[k + 2]}, "triangle", i);
        }
    }
}


void lbm::SurfaceFileCheck::checkVertex(const std::array<double, 3>& x, const char* unit, long number)
{
    const std::string fault = vertices_.add(x, unit, number);
    if (!fault.empty())
    {
        fail(fault);
    }
}


void lbm::SurfaceFileCheck::checkAscii(std::istream& is)
{
    triangles_ = 0;
    bool inSolid = false;
    std::size_t place = 0;      // in a facet
    std::array<double, 3> x{};
    long number = 0;
    std::string line;
    while (std::getline(is, line))
    {
        ++number;
        for (const std::string& raw : words(line))
        {
            const std::string word = lower(raw);
            if (place == 0 && word == (inSolid ? "endsolid" : "solid"))
            {
                inSolid = !inSolid;
                break;          // what follows is a name
            }
            const std::string expected = inSolid ? facetWords[place] : "solid";
            if (!inSolid || !(expected == "#" ? isPlainNumber(raw) : word == expected))
            {
                fail
                (
                    "line " + std::to_string(number) + ": " + raw + " where "
                  + (expected == "#" ? "a finite number" : expected) + " should be: cut short or malformed"
                );
            }
            if (place >= firstVertex && expected == "#")
            {
                const std::size_t axis = (place - firstVertex) % 4;
                x[axis] = value(raw);
                if (axis == 2)
                {
                    checkVertex(x, "line", number);
                }
            }
            place = (place + 1) % nFacetWords;
            triangles_ += place == 0;
        }
    }
    if (inSolid)
    {
        fail("ends within a solid: cut short or malformed");
    }
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
        checkVertex({value(word[1]), value(word[2]), value(word[3])}, "line", number);
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

    Foam::IFstream is(plain_);
    if (kind_ == "obj")
    {
        checkObj(is.stdStream());
    }
    else
    {
        checkStl(is.stdStream());
        if (triangles_ == 0)
        {
            fail("holds no triangle");
        }
    }
    const std::string outlier = vertices_.outlier();
    if (!outlier.empty())
    {
        fail(outlier);
    }
}
