// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/SurfaceTeam.hpp"

#include "adapters/surface/DomainBuilder.hpp"
#include "adapters/surface/EmbreeScene.hpp"
#include "lbm/api/RankTeam.hpp"

#include <chrono>
#include <cmath>
#include <map>

namespace lbm::exact {

namespace {

const char* const workerName = "surface";

// What a worker is asked for
enum class Wanted : int { marks, links };

using Words = std::vector<std::uint64_t>;
constexpr int bitsOfWord = 64;

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// ---- Arguments of makeDomain

void putMarks(Message& message, const std::vector<bool>& marks)
{
    message.put(std::vector<char>(marks.begin(), marks.end()));
}

std::vector<bool> getMarks(Message& message)
{
    std::vector<char> marks;
    message.get(marks);
    return std::vector<bool>(marks.begin(), marks.end());
}

Message argumentsOf(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                    const SurfaceOptions& options)
{
    Message message;
    message.put(mesh.points), message.put(mesh.triangles), message.put(mesh.regions), message.put(mesh.regionNames);
    message.put(box), message.put(directions), message.put(options.rule), message.put(options.enclosure);
    putMarks(message, options.transparent);
    putMarks(message, options.preferred);
    message.put(options.insidePoint.has_value());
    if (options.insidePoint) message.put(*options.insidePoint);
    message.put(options.name), message.put(options.threads), message.put(options.device);
    return message;
}

// ---- Bits of planes

struct WordRange {
    std::size_t first, end; // words
};

// That hold planes [begin, end); a word that others share with none is not theirs
WordRange wordsOf(const Int3& size, int begin, int end)
{
    if (begin == end) return {0, 0};
    const Slab planes{size, begin, end};
    return {std::size_t(firstNode(planes) / bitsOfWord), std::size_t((endNode(planes) + bitsOfWord - 1) / bitsOfWord)};
}

void putWords(Message& message, const BitSet& all, const WordRange& range)
{
    message.put(all.words().data() + range.first, range.end - range.first);
}

void getWords(Message& message, Words& all, const WordRange& range) { message.get(all.data() + range.first); }

std::size_t wordCount(const Int3& size) { return wordsOf(size, 0, size[2]).end; }

NodeIndex nodesOf(const Int3& size) { return NodeIndex(size[0]) * size[1] * size[2]; }

// Of planes and one on each side of them, around the box where it repeats.
std::vector<WordRange> aroundPlanes(const LatticeBox& box, int begin, int end)
{
    const int n = box.size[2];
    std::vector<WordRange> ranges = {wordsOf(box.size, std::max(0, begin - 1), std::min(n, end + 1))};
    if (!box.periodic[2]) return ranges;
    if (begin == 0) ranges.push_back(wordsOf(box.size, n - 1, n));
    if (end == n) ranges.push_back(wordsOf(box.size, 0, 1));
    return ranges;
}

// ---- Another process

class SurfaceWorker final : public RankWorker {
public:
    // Numbers that are no numbers are to be found, not to end the process
    explicit SurfaceWorker(Message& told)
    {
        const QuietFloats quiet;
        told.get(mesh_.points), told.get(mesh_.triangles), told.get(mesh_.regions), told.get(mesh_.regionNames);
        told.get(box_), told.get(directions_), told.get(options_.rule), told.get(options_.enclosure);
        options_.transparent = getMarks(told);
        options_.preferred = getMarks(told);
        if (told.get<bool>()) options_.insidePoint = told.get<Vec3>();
        told.get(options_.name), told.get(options_.threads), told.get(options_.device);
        builder_ = std::make_unique<DomainBuilder>(mesh_, box_, directions_, options_, facts_);
    }

    Message answer(Message& told) override
    {
        const QuietFloats quiet;
        const auto wanted = told.get<Wanted>();
        const int begin = told.get<int>(), end = told.get<int>();
        if (wanted == Wanted::links) return links(begin, end, told);
        builder_->takeDevice(onHost); // as its solver does
        return marks(begin, end);
    }

private:
    Message marks(int begin, int end)
    {
        const FluidSide::Marks own = builder_->marks(begin, end);
        const WordRange range = wordsOf(box_.size, begin, end);
        Message found(own.count, own.known.size() > 0);
        putWords(found, own.inside, range);
        if (own.known.size() > 0) putWords(found, own.known, range);
        return found;
    }

    Message links(int begin, int end, Message& told)
    {
        Words fluid(wordCount(box_.size));
        for (const WordRange& range : aroundPlanes(box_, begin, end)) getWords(told, fluid, range);
        builder_->setFluid(BitSet(nodesOf(box_.size), std::move(fluid)));
        const PlaneLinks found = builder_->links(begin, end);
        return Message(found.links, found.guessed, found.thin, found.bulges, found.united, found.caps,
                       builder_->shortOfDevice());
    }

    TriangleMesh mesh_;
    LatticeBox box_;
    std::vector<Int3> directions_;
    SurfaceOptions options_;
    SurfaceFacts facts_;
    std::unique_ptr<DomainBuilder> builder_;
};

[[maybe_unused]] const bool named = nameRankWorker(
    workerName, [](Message& told) -> std::unique_ptr<RankWorker> { return std::make_unique<SurfaceWorker>(told); });

// ---- The first process

class Leader {
public:
    Leader(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
           const SurfaceOptions& options, SurfaceFacts& facts) :
        box_(box),
        facts_(facts),
        team_(workerName, argumentsOf(mesh, box, directions, options)),
        builder_(mesh, box, directions, options, facts),
        shares_(sharesOfPlanes(mesh, box, facts.byWindingNumber ? bodies(mesh, options) : 0, team_.size()))
    {}

    Domain make()
    {
        auto start = std::chrono::steady_clock::now();
        builder_.setFluid(marks());
        facts_.voxelizeSeconds = secondsSince(start);
        start = std::chrono::steady_clock::now();
        PlaneLinks all = links();
        facts_.linkSeconds = secondsSince(start);
        Domain domain = builder_.finish(std::move(all));
        tellOthers();
        return domain;
    }

private:
    static std::size_t bodies(const TriangleMesh& mesh, const SurfaceOptions& options)
    {
        return options.enclosure > 0 ? std::size_t(options.enclosure) : mesh.triangles.size();
    }
    int others() const { return team_.size() - 1; }
    int begin(int rank) const { return shares_[std::size_t(rank)]; }
    int end(int rank) const { return shares_[std::size_t(rank) + 1]; }

    FluidSide::Marks marks()
    {
        builder_.takeDevice(0);
        std::vector<Message> told;
        for (int rank = 1; rank <= others(); ++rank) told.emplace_back(Wanted::marks, begin(rank), end(rank));
        FluidSide::Marks all;
        std::vector<Message> found = team_.ask(told, [&] { all = builder_.marks(begin(0), end(0)); });
        if (found.empty()) return all;
        Words inside = all.inside.words(), known = all.known.words();
        for (int rank = 1; rank <= others(); ++rank) {
            Message& its = found[std::size_t(rank) - 1];
            const WordRange range = wordsOf(box_.size, begin(rank), end(rank));
            all.count += its.get<std::int64_t>();
            const bool winding = its.get<bool>();
            getWords(its, inside, range);
            if (winding) getWords(its, known, range);
        }
        all.inside = BitSet(all.inside.size(), std::move(inside));
        all.known = BitSet(all.known.size(), std::move(known));
        return all;
    }

    PlaneLinks links()
    {
        std::vector<Message> told;
        for (int rank = 1; rank <= others(); ++rank) {
            told.emplace_back(Wanted::links, begin(rank), end(rank));
            for (const WordRange& range : aroundPlanes(box_, begin(rank), end(rank)))
                putWords(told.back(), builder_.fluid(), range);
        }
        PlaneLinks all;
        std::vector<Message> found = team_.ask(told, [&] { all = builder_.links(begin(0), end(0)); });
        for (Message& its : found) {
            PlaneLinks part;
            its.get(part.links), its.get(part.guessed), its.get(part.thin), its.get(part.bulges);
            its.get(part.united), its.get(part.caps), its.get(shortOfDevice_.emplace_back());
            std::vector<char>().swap(its.bytes);
            all.append(std::move(part));
        }
        return all;
    }

    // What kept other processes from their GPUs, once where it is the same for several.
    void tellOthers()
    {
        std::map<std::string, std::string> ranks; // by words
        for (std::size_t i = 0; i < shortOfDevice_.size(); ++i) {
            const std::string& words = shortOfDevice_[i];
            if (words.empty() || words == builder_.raysOn()) continue;
            ranks[words] += (ranks[words].empty() ? "rank " : ", ") + std::to_string(i + 1);
        }
        for (const auto& [words, which] : ranks) facts_.raysOn += "; " + which + ": " + words;
    }

    const LatticeBox& box_;
    SurfaceFacts& facts_;
    std::vector<std::string> shortOfDevice_; // of the second process on
    RankTeam team_;
    DomainBuilder builder_;
    std::vector<int> shares_;
};

// What is to be done, in links' searches around a square of the surface with the spacing's side, 3 us each, as measured with
// 31 million nodes around OpenFOAM's motorBike: of a node, by winding number and by parity; of such a square whose winding numbers
// are taken, besides; of a triangle, however small; and by the first process of each node.
constexpr double ofWindingNode = 0.02, ofParityNode = 0.005, ofNumbers = 8, ofTriangle = 1, ofFirst = 0.004;

double areaOf(const std::array<Vec3, 3>& x)
{
    Vec3 a, b;
    for (std::size_t i = 0; i < 3; ++i) {
        a[i] = x[1][i] - x[0][i];
        b[i] = x[2][i] - x[0][i];
    }
    const double n0 = a[1] * b[2] - a[2] * b[1], n1 = a[2] * b[0] - a[0] * b[2], n2 = a[0] * b[1] - a[1] * b[0];
    return 0.5 * std::sqrt(n0 * n0 + n1 * n1 + n2 * n2);
}

std::vector<double> costsOfPlanes(const TriangleMesh& mesh, const LatticeBox& box, std::size_t byWinding)
{
    const int n = box.size[2];
    const double ofNode = byWinding ? ofWindingNode : ofParityNode;
    std::vector<double> costs(std::size_t(n), ofNode * box.size[0] * box.size[1]);
    const auto plane = [&](double z) {
        return int(std::clamp(std::round((z - box.origin[2]) / box.spacing), 0., double(n - 1)));
    };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        std::array<Vec3, 3> x;
        for (std::size_t i = 0; i < 3; ++i) x[i] = mesh.points[std::size_t(mesh.triangles[t][i])];
        const int low = plane(std::min({x[0][2], x[1][2], x[2][2]})),
                  high = plane(std::max({x[0][2], x[1][2], x[2][2]}));
        const double squares = areaOf(x) / (box.spacing * box.spacing);
        const double each = (squares * (t < byWinding ? 1 + ofNumbers : 1) + ofTriangle) / (high - low + 1);
        for (int z = low; z <= high; ++z) costs[std::size_t(z)] += each;
    }
    return costs;
}

} // namespace

std::vector<int> sharesOfPlanes(const TriangleMesh& mesh, const LatticeBox& box, std::size_t byWinding, int n)
{
    const int planes = box.size[2], grain = grainOf(box.size);
    std::vector<int> begins(std::size_t(n) + 1, planes);
    begins[0] = 0;
    if (n == 1) return begins;
    const std::vector<double> costs = costsOfPlanes(mesh, box, byWinding);
    const double first = ofFirst * double(nodesOf(box.size)),
                 all = first + std::accumulate(costs.begin(), costs.end(), 0.);
    double done = first;
    int rank = 1;
    for (int z = 0; z < planes && rank < n; z += grain) {
        for (int own = z; own < std::min(planes, z + grain); ++own) done += costs[std::size_t(own)];
        while (rank < n && done >= all * rank / n) begins[std::size_t(rank++)] = std::min(planes, z + grain);
    }
    return begins;
}

Domain sharedDomain(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                    const SurfaceOptions& options, SurfaceFacts& facts)
{
    try {
        return Leader(mesh, box, directions, options, facts).make();
    } catch (const SurfaceError&) {
        throw;
    } catch (const std::runtime_error& fault) {
        throw SurfaceError(fault.what());
    }
}

} // namespace lbm::exact
