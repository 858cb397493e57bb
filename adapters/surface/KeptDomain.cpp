// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/KeptDomain.hpp"

#include "adapters/checkpoint/Checkpoint.hpp"
#include "adapters/checkpoint/DomainFile.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace lbm {

namespace {

// To be raised with whatever changes nodes or links that a surface makes
constexpr const char* method = "1";

// Fowler, Noll and Vo's 1a in 64 bits.
class Digest {
public:
    template<class T>
    void add(const std::vector<T>& values)
    {
        const unsigned char* bytes = reinterpret_cast<const unsigned char*>(values.data());
        for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3u;
    }

    std::string text() const
    {
        char text[17];
        std::snprintf(text, sizeof(text), "%016" PRIx64, value_);
        return text;
    }

private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

std::string inWords(const Vec3& v)
{
    char text[96];
    std::snprintf(text, sizeof(text), "(%.17g %.17g %.17g)", v[0], v[1], v[2]);
    return text;
}

std::string inWords(double value)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.17g", value);
    return text;
}

std::string surfaceWords(const TriangleMesh& mesh)
{
    Digest digest;
    digest.add(mesh.points);
    digest.add(mesh.triangles);
    digest.add(mesh.regions);
    return std::to_string(mesh.triangles.size()) + " triangles with digest " + digest.text();
}

// Names of those that are marked; none: an empty list means none, too.
std::string marked(const TriangleMesh& mesh, const std::vector<bool>& marks)
{
    std::string names;
    for (std::size_t i = 0; i < marks.size() && i < mesh.regionNames.size(); ++i)
        if (marks[i]) names += (names.empty() ? "" : " ") + mesh.regionNames[i];
    return '(' + names + ')';
}

std::vector<bool> patchMarks(const TriangleMesh& mesh, const SurfaceOptions& options)
{
    return std::vector<bool>(options.patches ? options.patches : mesh.regionNames.size(), true);
}

std::string directionWords(const std::vector<Int3>& directions)
{
    std::string words(27, '-');
    for (const Int3& c : directions) words[directionCode(c[0], c[1], c[2])] = '+';
    words[directionCode(0, 0, 0)] = '-';
    return words;
}

DomainIdentity identityOf(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                          const SurfaceOptions& options)
{
    const Int3& n = box.size;
    std::string periodic;
    for (const bool repeats : box.periodic) periodic += repeats ? "yes " : "no ";
    return {
        {"method", method},
        {"surface", surfaceWords(mesh)},
        {"list of patches", marked(mesh, patchMarks(mesh, options))},
        {"box", std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2])},
        {"origin", inWords(box.origin)},
        {"cell size", inWords(box.spacing)},
        {"periodic directions", periodic},
        {"list of link directions", directionWords(directions)},
        {"rule of what is inside", std::to_string(int(options.rule))},
        {"first triangle of the box", std::to_string(options.enclosure)},
        {"inside point", options.insidePoint ? inWords(*options.insidePoint) : "none"},
        {"list of patches that stop no link", marked(mesh, options.transparent)},
        {"list of walls at rest", marked(mesh, options.preferred)},
    };
}

// f(name, number): of all that counts something.
template<class Facts, class F>
void forNumbers(Facts& facts, F&& f)
{
    f("nearNodes", facts.nearNodes);
    f("faceNodes", facts.faceNodes);
    f("capLinks", facts.capLinks);
    for (std::size_t code = 0; code < facts.capLinksAlong.size(); ++code)
        f("capLinksAlong" + std::to_string(code), facts.capLinksAlong[code]);
    f("unitedLinks", facts.unitedLinks);
    f("nodesOnSurface", facts.nodesOnSurface);
    f("guessedLinks", facts.guessedLinks);
    f("thinWallLinks", facts.thinWallLinks);
    f("bulgeLinks", facts.bulgeLinks);
}

DomainRecord recordOf(const ConnectedDomain& made)
{
    DomainRecord record;
    record.domain = made.domain;
    forNumbers(made.facts, [&](const std::string& name, std::int64_t value) { record.numbers[name] = value; });
    record.numbers["byWindingNumber"] = made.facts.byWindingNumber;
    record.numbers["resolutionBits"] = made.facts.resolutionBits;
    record.numbers["regions"] = made.pockets.regions;
    record.numbers["removedNodes"] = made.pockets.removedNodes;
    record.texts["why"] = made.facts.why;
    return record;
}

ConnectedDomain fromRecord(DomainRecord&& record)
{
    ConnectedDomain made;
    made.domain = std::move(record.domain);
    forNumbers(made.facts, [&](const std::string& name, std::int64_t& value) { value = record.numbers[name]; });
    made.facts.byWindingNumber = record.numbers["byWindingNumber"] != 0;
    made.facts.resolutionBits = int(record.numbers["resolutionBits"]);
    made.facts.why = record.texts["why"];
    made.pockets.regions = record.numbers["regions"];
    made.pockets.removedNodes = record.numbers["removedNodes"];
    return made;
}

} // namespace

namespace {

// Links go on numbering the patches as before: these come first.
void dropRegions(Domain& domain, const SurfaceOptions& options)
{
    if (options.patches == 0) return;
    const auto isPatch = [&](const Link& link) { return std::size_t(link.patch) < options.patches; };
    const auto beyond = std::find_if_not(domain.links.begin(), domain.links.end(), isPatch);
    if (beyond != domain.links.end()) {
        const Int3 node = domain.coordinates(beyond->node);
        std::string place;
        for (int a = 0; a < 3; ++a)
            place += (a ? " " : "") + std::to_string(domain.origin[a] + node[a] * domain.spacing);
        throw SurfaceError(
            options.name + ": the fluid at (" + place + ") reaches " + domain.patches[beyond->patch]
            + ", which was left out, for a sketch of larger cells has no fluid there. Close the gap that it passes, or"
              " make the mesh");
    }
    domain.patches.resize(options.patches);
}

} // namespace

ConnectedDomain connectedDomain(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                                const SurfaceOptions& options)
{
    ConnectedDomain made;
    made.domain = makeDomain(mesh, box, directions, options, &made.facts);
    made.pockets = keepConnected(made.domain, directions, options.insidePoint, options.threads);
    dropRegions(made.domain, options);
    return made;
}

KeptDomain DomainKeeper::domain(const std::string& record, const TriangleMesh& mesh, const LatticeBox& box,
                                const std::vector<Int3>& directions, const SurfaceOptions& options) const
{
    KeptDomain result;
    if (file_.empty()) {
        result.made = connectedDomain(mesh, box, directions, options);
        return result;
    }
    const DomainIdentity identity = identityOf(mesh, box, directions, options);
    const DomainFile file(file_);
    if (std::optional<DomainRecord> found = file.read(record, identity, result.why)) {
        result.made = fromRecord(std::move(*found));
        result.read = true;
        return result;
    }
    result.made = connectedDomain(mesh, box, directions, options);
    if (!writes_) return result;
    try {
        file.write(record, identity, recordOf(result.made));
    } catch (const CheckpointError& fault) {
        result.fault = fault.what();
    }
    return result;
}

} // namespace lbm
