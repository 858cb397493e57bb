// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/LatticePieces.hpp"

#include "lbm/api/DomainMessage.hpp"

#include <algorithm>

namespace lbm {

namespace {

const char* const pieceWorker = "in situ: pieces";

// Of this run
int piecesMade = 0;

// Ends a piece of a process with those of the others
class PieceWorker final : public RankWorker {
public:
    explicit PieceWorker(int number) : number_(number) {}
    ~PieceWorker() override { LatticePiece::all().erase(number_); }
    Message answer(Message&) override { return {}; }

private:
    int number_;
};

[[maybe_unused]] const bool piecesNamed = nameRankWorker(pieceWorker, [](Message& told) -> std::unique_ptr<RankWorker> {
    return std::make_unique<PieceWorker>(told.get<int>());
});

// From low to below high along each axis
struct Span {
    Int3 low, high;

    explicit Span(const PartPlace& box) : low(box.first), high(box.first)
    {
        for (int a = 0; a < 3; ++a) high[a] += box.size[a];
    }

    // By a layer, not beyond the domain, but along these axes
    Span wider(const Domain& domain, const std::array<bool, 3>& beyond) const
    {
        Span result(*this);
        for (int a = 0; a < 3; ++a) {
            result.low[a] -= low[a] > 0 || beyond[a];
            result.high[a] += high[a] < domain.size[a] || beyond[a];
        }
        return result;
    }

    PartPlace from(const Int3& origin) const
    {
        PartPlace box;
        for (int a = 0; a < 3; ++a) box.first[a] = low[a] - origin[a], box.size[a] = high[a] - low[a];
        return box;
    }
};

// Boxes of a process: what its parts own, what is shown of each, and what it knows of the domain: a layer more around all of that
struct Boxes {
    std::vector<Span> own, shown;
    Span known;

    Boxes(const Domain& whole, const std::vector<PartPlace>& parts, bool ghosts) : known(parts.at(0))
    {
        for (const PartPlace& part : parts) {
            own.emplace_back(part);
            shown.push_back(ghosts ? own.back().wider(whole, {false, false, false}) : own.back());
            for (int a = 0; a < 3; ++a) {
                known.low[a] = std::min(known.low[a], shown.back().low[a]);
                known.high[a] = std::max(known.high[a], shown.back().high[a]);
            }
        }
        std::array<bool, 3> wraps;
        for (int a = 0; a < 3; ++a) wraps[a] = whole.periodic[a] && known.high[a] - known.low[a] < whole.size[a];
        known = known.wider(whole, wraps);
    }

    std::vector<PartPlace> inKnown(const std::vector<Span>& spans) const
    {
        std::vector<PartPlace> boxes;
        for (const Span& span : spans) boxes.push_back(span.from(known.low));
        return boxes;
    }
};

} // namespace

LatticePieces::LatticePieces(Solver& solver, const Frame& frame) :
    solver_(solver), reader_(solver), frame_(frame), number_(piecesMade++), team_(pieceWorker, Message(number_))
{
    // Works do not wait for who makes workers
    team_.ask(std::vector<Message>(std::size_t(team_.size() - 1)), [] {});
    place();
}

LatticePieces::~LatticePieces() { LatticePiece::all().erase(number_); }

Message LatticePieces::whatIs(const std::vector<PartPlace>& parts) const
{
    const Domain& whole = solver_.domain();
    const Boxes boxes(whole, parts, frame_.ghosts);
    const Domain domain = cutOut(whole, boxes.known.low, boxes.known.from({0, 0, 0}).size);
    const std::vector<PartPlace> own = boxes.inKnown(boxes.own);

    std::vector<NodeIndex> moving;
    std::vector<Vec3> frames;
    const auto* readings = dynamic_cast<const CheckedReadings*>(&solver_);
    for (NodeIndex node = 0; readings && node < domain.nodes(); ++node) {
        const auto holds = [x = domain.coordinates(node)](const PartPlace& box) { return box.holds(x); };
        if (!domain.fluid[node] || std::none_of(own.begin(), own.end(), holds)) continue;
        const Vec3 velocity = readings->frameVelocity(nodeOfWhole(domain, node));
        if (velocity == Vec3{0, 0, 0}) continue;
        moving.push_back(node);
        frames.push_back(velocity);
    }

    Message told;
    put(told, domain);
    told.put(boxes.inKnown(boxes.shown)), told.put(own), told.put(frame_.ghosts);
    told.put(frame_.caseAxis), told.put(frame_.thickness);
    told.put(std::vector<std::uint8_t>(frame_.walls.begin(), frame_.walls.end()));
    told.put(moving), told.put(frames);
    return told;
}

std::vector<Message> LatticePieces::toParts() const
{
    std::vector<Message> told(parts_, Message(number_, false));
    for (const Of& piece : pieces_) told[piece.firstPart] = Message(number_, true);
    return told;
}

void LatticePieces::place()
{
    const std::vector<PartPlace> parts = partPlaces(solver_);
    std::map<int, std::vector<PartPlace>> byProcess;
    parts_ = parts.size();
    for (std::size_t p = 0; p < parts_; ++p) {
        auto& own = byProcess[parts[p].process];
        if (own.empty()) pieces_.emplace_back().firstPart = p;
        own.push_back(parts[p]);
    }
    std::vector<Message> told = toParts();
    for (const Of& piece : pieces_) {
        const Message what = whatIs(byProcess[parts[piece.firstPart].process]);
        told[piece.firstPart].putRaw(what.bytes.data(), what.bytes.size());
    }
    std::vector<Message> answers = workAtParts(solver_, LatticePiece::placing, told);

    for (Of& its : pieces_) {
        Message& facts = answers.at(its.firstPart);
        std::vector<NodeIndex> around;
        facts.get(its.cells), facts.get(its.ghosts), facts.get(its.bytes), facts.get(around), facts.get(its.atWalls);
        if (!around.empty()) its.around = solver_.place(around.data(), around.size());
        // Where a node is an image of another one these do not rise, and links are found by searches
        its.stress = std::make_unique<LatticeFields>(reader_, its.atWalls, std::vector<NodeIndex>(), frame_.walls);
    }
}

std::vector<double> LatticePieces::stressOf(const Of& piece, const LatticeScales& scales) const
{
    const std::size_t n = 3 * piece.atWalls.size();
    std::vector<double> values(n);
    if (n == 0) return values;
    const std::string name = "wallShearStress";
    if (piece.stress->describe(name).type == LBM_FLOAT64) {
        void* room = values.data();
        piece.stress->compute({name}, scales, nullptr, 0, &room);
        return values;
    }
    std::vector<float> single(n);
    void* room = single.data();
    piece.stress->compute({name}, scales, nullptr, 0, &room);
    std::copy(single.begin(), single.end(), values.begin());
    return values;
}

void LatticePieces::tell(const std::vector<std::string>& names, const LatticeScales& scales)
{
    if (const auto* readings = dynamic_cast<const CheckedReadings*>(&solver_)) readings->check();
    const bool stress = std::find(names.begin(), names.end(), "wallShearStress") != names.end();
    std::vector<Message> told = toParts();
    for (const Of& piece : pieces_) {
        std::vector<double> flows;
        if (piece.around) {
            flows.resize(piece.around->size() * std::size_t(valuesOf(Reading::flow)));
            solver_.sample(*piece.around, Reading::flow, flows.data());
        }
        Message& its = told[piece.firstPart];
        its.put(scales.caseAxis), its.put(scales.dx), its.put(scales.dt), its.put(scales.pressureOffset);
        its.put(flows), its.put(stress ? stressOf(piece, scales) : std::vector<double>());
    }
    workAtParts(solver_, LatticePiece::telling, told);
}

std::int64_t LatticePieces::cells() const
{
    std::int64_t sum = 0;
    for (const Of& piece : pieces_) sum += piece.cells - piece.ghosts;
    return sum;
}

std::int64_t LatticePieces::mostCells() const
{
    std::int64_t most = 0;
    for (const Of& piece : pieces_) most = std::max(most, piece.cells);
    return most;
}

std::size_t LatticePieces::mostBytes() const
{
    std::size_t most = 0;
    for (const Of& piece : pieces_) most = std::max(most, piece.bytes);
    return most;
}

} // namespace lbm
