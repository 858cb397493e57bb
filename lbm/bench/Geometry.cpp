// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/Geometry.hpp"

#include "lbm/api/Solver.hpp"

#include <algorithm>
#include <functional>

namespace lbm::bench {
namespace {

bool isFlat(const std::vector<Int3>& directions)
{
    return std::all_of(directions.begin(), directions.end(), [](const Int3& c) { return c[2] == 0; });
}

GeneratedCase fromFile(const Options& o, const std::vector<Int3>& directions,
                       const std::vector<GeometrySource>& sources)
{
    const auto colon = o.geometry.find(':');
    const std::string prefix = o.geometry.substr(0, colon), file = o.geometry.substr(colon + 1);
    for (const GeometrySource& source : sources) {
        if (source.prefix != prefix) continue;
        GeneratedCase result{source.make(file, o.size, directions), {}};
        result.patches.resize(result.domain.patches.size()); // resting walls
        return result;
    }
    if (prefix == "stl")
        throw UsageError("--geometry " + o.geometry
                         + ": this build of lbmBench reads no surfaces; "
                           "the one of preset release with OpenFOAM present does");
    throw UsageError("--geometry " + o.geometry + ": no source '" + prefix + ":'");
}

// Words that make a geometry. dimensions: 0, any; fluidNodes: about how many it will have.
struct Word {
    const char* name;
    int dimensions;
    std::function<GeneratedCase(const Options&, const std::vector<Int3>& directions)> make;
    std::function<double(const Options&)> fluidNodes;
    GeometryOptions options = {};
};

double cube(double n) { return n * n * n; }

const std::vector<Word>& words()
{
    using Directions = std::vector<Int3>;
    static const std::vector<Word> all = {
        {"cavity3D", 3, [](const Options& o, const Directions& d) { return cavity3D(o.size, d); },
         [](const Options& o) { return cube(o.size); }},
        {"cavity2D", 2, [](const Options& o, const Directions& d) { return cavity2D(o.size, d); },
         [](const Options& o) { return double(o.size) * o.size; }},
        {"box", 0,
         [](const Options& o, const Directions& d) {
             const int length = o.length > 0 ? o.length : o.size;
             return box({o.size, length, isFlat(d) ? 1 : o.size});
         },
         [](const Options& o) { return double(o.size) * (o.length > 0 ? o.length : o.size); }},
        {"ras",
         3,
         [](const Options& o, const Directions&) { return ras(o.size, o.porosity, o.diameter, o.seed); },
         [](const Options& o) { return o.porosity * cube(o.size); },
         {false, true}},
        {"aneurysm", 3, [](const Options& o, const Directions&) { return aneurysm(o.size); },
         [](const Options& o) { return 0.17 * cube(o.size); }},
        {"coarctation", 3, [](const Options& o, const Directions&) { return coarctation(o.size); },
         [](const Options& o) { return 0.025 * cube(o.size); }},
        {"chipA",
         2,
         [](const Options& o, const Directions&) { return chipA(o.width); },
         [](const Options& o) { return 7e3 * o.width * o.width; },
         {true, false}},
        {"chipB",
         2,
         [](const Options& o, const Directions&) { return chipB(o.width); },
         [](const Options& o) { return 7.5e3 * o.width * o.width; },
         {true, false}}};
    return all;
}

const Word* findWord(const std::string& name)
{
    for (const Word& word : words())
        if (name == word.name) return &word;
    return nullptr;
}

} // namespace

GeometryOptions optionsOf(const std::string& geometry)
{
    const Word* word = findWord(geometry);
    return word ? word->options : GeometryOptions{};
}

double expectedFluidNodes(const Options& o, const std::string& lattice)
{
    const Word* word = findWord(o.geometry);
    if (!word) return 0;
    const bool deep = word->dimensions == 0 && !isFlat(latticeDirections(lattice));
    return word->fluidNodes(o) * (deep ? o.size : 1);
}

GeneratedCase makeGeometry(const Options& o, const std::string& lattice, const std::vector<GeometrySource>& sources)
{
    const std::vector<Int3> directions = latticeDirections(lattice);
    const auto needs = [&](int dimensions) {
        if (dimensions != 0 && isFlat(directions) != (dimensions == 2))
            throw UsageError("--geometry " + o.geometry + " is " + (dimensions == 2 ? "two" : "three")
                             + "-dimensional, lattice " + lattice + " is not");
    };

    if (const Word* word = findWord(o.geometry)) {
        needs(word->dimensions);
        return word->make(o, directions);
    }
    if (o.geometry.find(':') != std::string::npos) {
        needs(3);
        return fromFile(o, directions, sources);
    }
    throw UsageError("--geometry " + o.geometry + ": unknown; valid are " + geometryWords() + ", stl:FILE");
}

void recordWalls(GeneratedCase& made, const std::vector<Int3>& directions, bool halfway)
{
    constexpr unsigned steps = 64;
    Domain& domain = made.domain;
    std::vector<Int3> sorted = directions;
    std::sort(sorted.begin(), sorted.end(), [](const Int3& a, const Int3& b) {
        return directionCode(a[0], a[1], a[2]) < directionCode(b[0], b[1], b[2]);
    });
    const auto patch = std::int16_t(domain.patches.size());
    std::vector<Link> links;
    auto given = domain.links.begin();
    unsigned count = 0;
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        if (!domain.fluid[node]) continue;
        const Int3 x = domain.coordinates(node);
        for (const Int3& c : sorted) {
            const std::uint8_t direction = directionCode(c[0], c[1], c[2]);
            if (given != domain.links.end() && given->node == node && given->direction == direction) {
                links.push_back(*given++);
                continue;
            }
            const NodeIndex there = domain.neighbour(x, c);
            if (there >= 0 && domain.fluid[there]) continue;
            count = (count + 37) % steps;
            int side = 0;
            for (int a = domain.dimensions - 1; a >= 0; --a)
                if (x[a] + c[a] < 0 || x[a] + c[a] >= domain.size[a]) side = a;
            links.push_back({node, halfway ? 0.5f : float(count + 0.5) / steps, std::int16_t(patch + side), direction});
        }
    }
    domain.links = std::move(links);
    for (const char* side : {"recordedX", "recordedY", "recordedZ"}) {
        domain.patches.push_back(side);
        made.patches.push_back(LinkValue());
    }
}

std::string geometryWords()
{
    std::string text;
    for (const Word& word : words()) text.append(text.empty() ? "" : ", ").append(word.name);
    return text;
}

} // namespace lbm::bench
