// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/StateTable.hpp"

#include "lbm/api/PartWork.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>

#include <fcntl.h>
#include <unistd.h>

namespace lbm {

namespace {

// Nodes carried at a time: large enough for every thread to have work, small beside the part.
std::size_t blockOf(const Domain& part)
{
    constexpr NodeIndex least = NodeIndex(1) << 12, most = NodeIndex(1) << 16, blocks = 128;
    return std::size_t(std::clamp(part.nodes() / blocks, least, most));
}

// The order of nodes in a file: bricks of the box, so that tiles are read one after the other, in each of them the
// nodes in rising order. Belongs to the format.
constexpr Int3 brick = {16, 4, 4};

// f(row of nodes along x: y, z, first x, end): rows of the box in the order of the file, those within the place alone.
template<class F>
void forRows(const PartPlace& place, F&& f)
{
    Int3 begin, end;
    for (int a = 0; a < 3; ++a)
        begin[a] = place.first[a] / brick[a] * brick[a], end[a] = place.first[a] + place.size[a];
    for (int Z = begin[2]; Z < end[2]; Z += brick[2])
        for (int Y = begin[1]; Y < end[1]; Y += brick[1])
            for (int X = begin[0]; X < end[0]; X += brick[0])
                for (int z = std::max(Z, place.first[2]); z < std::min(Z + brick[2], end[2]); ++z)
                    for (int y = std::max(Y, place.first[1]); y < std::min(Y + brick[1], end[1]); ++y)
                        f(y, z, std::max(X, place.first[0]), std::min(X + brick[0], end[0]));
}

// Rows of the table that follow each other and are all of one part.
struct Run {
    std::uint64_t first = 0, rows = 0;
};

// Of each part, in the order of the file.
std::vector<std::vector<Run>> runsOf(const Domain& whole, const std::vector<PartPlace>& places)
{
    std::vector<std::vector<Run>> runs(places.size());
    std::uint64_t row = 0;
    const auto add = [&](std::size_t part, std::int64_t rows) {
        if (rows == 0) return;
        std::vector<Run>& its = runs[part];
        if (its.empty() || its.back().first + its.back().rows != row) its.push_back({row, 0});
        its.back().rows += std::uint64_t(rows);
        row += std::uint64_t(rows);
    };
    // Parts of a row of nodes, by where they begin
    std::vector<std::pair<int, std::size_t>> cuts;
    int knownY = -1, knownZ = -1;
    forRows({{0, 0, 0}, whole.size}, [&](int y, int z, int first, int end) {
        if (y != knownY || z != knownZ) {
            cuts.clear();
            for (std::size_t p = 0; p < places.size(); ++p) {
                const PartPlace& its = places[p];
                const bool in = y >= its.first[1] && y < its.first[1] + its.size[1] && z >= its.first[2]
                    && z < its.first[2] + its.size[2];
                if (in) cuts.push_back({its.first[0], p});
            }
            std::sort(cuts.begin(), cuts.end());
            knownY = y, knownZ = z;
        }
        for (const auto& [begin, part] : cuts) {
            const int from = std::max(first, begin), to = std::min(end, begin + places[part].size[0]);
            if (from < to) add(part, whole.fluid.countIn(whole.index(from, y, z), to - from));
        }
    });
    return runs;
}

// f(nodes): a part's own fluid nodes, as its domain knows them, block by block in the order of the file.
template<class F>
void inBlocks(const Domain& domain, const PartPlace& place, F&& f)
{
    const std::size_t block = blockOf(domain);
    std::vector<NodeIndex> nodes;
    const auto flush = [&] {
        if (!nodes.empty()) f(nodes);
        nodes.clear();
    };
    const auto local = [&](int a, int x) { return x - place.first[a] + domain.ghostsBelow[a]; };
    forRows(place, [&](int y, int z, int first, int end) {
        const NodeIndex at = domain.index(local(0, first), local(1, y), local(2, z));
        domain.fluid.forEachIn(at, end - first, [&](std::int64_t x) { nodes.push_back(at + x); });
        if (nodes.size() >= block) flush();
    });
    flush();
}

// Words of a kernel that say what the table of states holds; the others are the reader's.
constexpr std::string KernelRow::*words[] = {&KernelRow::collision, &KernelRow::storage, &KernelRow::precision,
                                             &KernelRow::device};

Message toldTo(const StateTable& table, const PartPlace& place, const std::vector<Run>& runs)
{
    Message told(table.file, table.begin, table.tau, place, runs);
    for (const auto word : words) told.put(table.writer.*word);
    return told;
}

// One part's rows of the table.
class OwnRows {
public:
    OwnRows(const Solver& part, Message& told, int flags) : writer(part.row())
    {
        told.get(file_), told.get(begin_), told.get(tau), told.get(place), told.get(runs_);
        for (const auto word : words) told.get(writer.*word);
        width = std::size_t(storedState(writer).values);
        descriptor_ = open(file_.c_str(), flags | O_CLOEXEC);
        if (descriptor_ < 0) fail();
    }
    ~OwnRows() { close(descriptor_); }
    OwnRows(const OwnRows&) = delete;
    OwnRows& operator=(const OwnRows&) = delete;

    const std::vector<Run>& runs() const { return runs_; }

    // f(run, place of its bytes in the file, and in the block, how many): of the next rows.
    template<class F>
    void next(std::size_t rows, std::size_t rowBytes, F&& f)
    {
        for (std::size_t had = 0; had < rows;) {
            const Run& run = runs_.at(run_);
            const std::size_t n = std::min<std::uint64_t>(rows - had, run.rows - inRun_);
            f(run_, begin_ + (run.first + inRun_) * rowBytes, had * rowBytes, n * rowBytes);
            had += n;
            inRun_ += n;
            if (inRun_ == run.rows) ++run_, inRun_ = 0;
        }
    }

    void write(const char* bytes, std::size_t n, std::uint64_t at) const
    {
        for (std::size_t done = 0; done < n;) {
            const ssize_t some = pwrite(descriptor_, bytes + done, n - done, off_t(at + done));
            if (some < 0) fail();
            done += std::size_t(some);
        }
        // Only for speed: whether all is on the disk is fsync's to say
        sync_file_range(descriptor_, off_t(at), off_t(n), SYNC_FILE_RANGE_WRITE);
    }

    void read(char* bytes, std::size_t n, std::uint64_t at) const
    {
        for (std::size_t done = 0; done < n;) {
            const ssize_t some = pread(descriptor_, bytes + done, n - done, off_t(at + done));
            if (some < 0) fail();
            if (some == 0) throw CheckpointError(file_ + ": shorter than it was");
            done += std::size_t(some);
        }
    }

    void toDisk() const
    {
        if (fsync(descriptor_) != 0) fail();
    }

    KernelRow writer;
    double tau = 0;
    PartPlace place;
    std::size_t width = 0;

private:
    [[noreturn]] void fail() const { throw CheckpointError(file_ + ": " + std::strerror(errno)); }

    std::string file_;
    std::uint64_t begin_ = 0;
    std::vector<Run> runs_;
    std::size_t run_ = 0;
    std::uint64_t inRun_ = 0;
    int descriptor_ = -1;
};

void inPrecision(std::vector<double>& values, std::vector<double>& stored) { stored.swap(values); }
template<class T>
void inPrecision(std::vector<double>& values, std::vector<T>& stored)
{
    stored.assign(values.begin(), values.end());
}

// While one block is written the next one is fetched from the lattice. Answers with the digest of each run.
template<class T>
Message writeAs(Solver& part, OwnRows& rows)
{
    const std::size_t rowBytes = rows.width * sizeof(T);
    std::vector<DigestedRange> digests(rows.runs().size());
    std::vector<double> values;
    std::vector<T> stored;
    std::future<void> writing;
    inBlocks(part.domain(), rows.place, [&](const std::vector<NodeIndex>& nodes) {
        const std::size_t n = nodes.size();
        values.resize(n * rows.width);
        part.getStored(nodes.data(), n, values.data());
        if (writing.valid()) writing.get();
        inPrecision(values, stored);
        writing = std::async(std::launch::async, [&, n] {
            const char* bytes = reinterpret_cast<const char*>(stored.data());
            rows.next(n, rowBytes, [&](std::size_t run, std::uint64_t at, std::size_t from, std::size_t count) {
                rows.write(bytes + from, count, at);
                digests[run].add(bytes + from, count);
            });
        });
    });
    if (writing.valid()) writing.get();
    rows.toDisk();
    return Message(digests);
}

template<class T>
void readAs(Solver& part, OwnRows& rows, bool asItIs)
{
    const std::size_t rowBytes = rows.width * sizeof(T), q = std::size_t(part.directions());
    std::vector<T> stored;
    std::vector<double> values, populations;
    inBlocks(part.domain(), rows.place, [&](const std::vector<NodeIndex>& nodes) {
        const std::size_t n = nodes.size();
        stored.resize(n * rows.width);
        char* bytes = reinterpret_cast<char*>(stored.data());
        rows.next(n, rowBytes, [&](std::size_t, std::uint64_t at, std::size_t to, std::size_t count) {
            rows.read(bytes + to, count, at);
        });
        values.assign(stored.begin(), stored.end());
        if (asItIs) {
            part.setStored(nodes.data(), n, values.data());
            return;
        }
        populations.resize(n * q);
        populationsOfStored(rows.writer, values.data(), n, populations.data(), rows.tau);
        part.setPopulations(nodes.data(), n, populations.data());
    });
}

// f(a value of the type that a row is stored in)
template<class F>
auto withType(const KernelRow& row, F&& f)
{
    switch (storedState(row).valueBytes) {
        case sizeof(std::int16_t): return f(std::int16_t());
        case sizeof(float): return f(float());
        default: return f(double());
    }
}

// Can one go on from what the other keeps, value by value?
bool keepTheSame(const KernelRow& a, const KernelRow& b)
{
    const StoredState one = storedState(a), other = storedState(b);
    const auto integers = [](const StoredState& s) { return s.valueBytes == int(sizeof(std::int16_t)); };
    return storesMoments(a) == storesMoments(b) && one.values == other.values && integers(one) == integers(other);
}

Message writeOwn(Solver& part, Message& told)
{
    OwnRows rows(part, told, O_WRONLY);
    return withType(rows.writer, [&](auto type) { return writeAs<decltype(type)>(part, rows); });
}

Message readOwn(Solver& part, Message& told)
{
    OwnRows rows(part, told, O_RDONLY);
    const bool asItIs = keepTheSame(rows.writer, part.row());
    withType(rows.writer, [&](auto type) { readAs<decltype(type)>(part, rows, asItIs); });
    return {};
}

const std::string writing = "checkpoint.write", reading = "checkpoint.read";
[[maybe_unused]] const bool named =
    namePartWork(writing, writeOwn, PartEffect::none) && namePartWork(reading, readOwn, PartEffect::all);

std::vector<Message> atParts(Solver& solver, const std::string& work, const StateTable& table,
                             const std::vector<std::vector<Run>>& runs)
{
    const std::vector<PartPlace> places = partPlaces(solver);
    std::vector<Message> told;
    for (std::size_t p = 0; p < places.size(); ++p) told.push_back(toldTo(table, places[p], runs[p]));
    try {
        return workAtParts(solver, work, told);
    } catch (const CheckpointError&) {
        throw;
    } catch (const std::runtime_error& fault) { // another process's
        throw CheckpointError(fault.what());
    }
}

} // namespace

DigestedRange writeStates(Solver& solver, const StateTable& table)
{
    const auto runs = runsOf(solver.domain(), partPlaces(solver));
    std::vector<Message> answers = atParts(solver, writing, table, runs);
    std::vector<std::pair<std::uint64_t, DigestedRange>> parts;
    for (std::size_t p = 0; p < runs.size(); ++p) {
        const auto digests = [&] {
            std::vector<DigestedRange> its;
            answers[p].get(its);
            return its;
        }();
        for (std::size_t i = 0; i < digests.size(); ++i) parts.push_back({runs[p][i].first, digests[i]});
    }
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    DigestedRange all;
    all.begin = table.begin;
    for (const auto& [first, its] : parts) all.add(its.digest, its.bytes);
    return all;
}

void checkStates(const Solver& solver, const StateTable& table)
{
    try {
        if (!keepTheSame(table.writer, solver.row())) populationsOfStored(table.writer, nullptr, 0, nullptr, table.tau);
    } catch (const UnknownKernel& missing) {
        throw CheckpointError(table.file + ": " + missing.what());
    }
}

void readStates(Solver& solver, const StateTable& table)
{
    atParts(solver, reading, table, runsOf(solver.domain(), partPlaces(solver)));
}

} // namespace lbm
