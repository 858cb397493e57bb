// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Checkpoint.hpp"

#include "adapters/checkpoint/Digest.hpp"
#include "adapters/checkpoint/Hdf5.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <future>
#include <utility>

namespace lbm {

namespace {

// 3: what storages keep, be it moments; openings remember in the order of the Domain's links
constexpr FileKind checkpointKind = {"checkpoint", 3};

// Nodes carried at a time: large enough for every thread to have work, small beside the lattice.
constexpr std::size_t block = std::size_t(1) << 16;

// The order of nodes in a file: bricks of the box, so that tiles are read one after the other, in each of them the
// nodes in rising order. Belongs to the format.
constexpr Int3 brick = {16, 4, 4};

void addBrick(const Domain& domain, const Int3& at, std::vector<NodeIndex>& nodes)
{
    Int3 end;
    for (int a = 0; a < 3; ++a) end[a] = std::min(at[a] + brick[a], domain.size[a]);
    for (int z = at[2]; z < end[2]; ++z)
        for (int y = at[1]; y < end[1]; ++y)
            for (int x = at[0]; x < end[0]; ++x)
                if (const NodeIndex i = domain.index(x, y, z); domain.fluid[i]) nodes.push_back(i);
}

// f(first, nodes): the domain's fluid nodes block by block.
template<class F>
void inBlocks(const Domain& domain, F&& f)
{
    std::vector<NodeIndex> nodes;
    std::size_t first = 0;
    const auto flush = [&] {
        if (!nodes.empty()) f(first, nodes);
        first += nodes.size();
        nodes.clear();
    };
    const Int3& n = domain.size;
    for (int z = 0; z < n[2]; z += brick[2])
        for (int y = 0; y < n[1]; y += brick[1])
            for (int x = 0; x < n[0]; x += brick[0]) {
                addBrick(domain, {x, y, z}, nodes);
                if (nodes.size() >= block) flush();
            }
    flush();
}

std::string inWords(const Vec3& v)
{
    char text[96];
    std::snprintf(text, sizeof(text), "(%.17g %.17g %.17g)", v[0], v[1], v[2]);
    return text;
}

// What has to agree, by name, in words that a message can show.
std::map<std::string, std::string> identity(const Solver& solver, const GeometryDigest& geometry)
{
    const Domain& domain = solver.domain();
    const KernelRow& row = solver.row();
    char spacing[32];
    std::snprintf(spacing, sizeof(spacing), "%.17g", domain.spacing);
    const Int3& n = domain.size;
    std::string patches;
    for (const std::string& patch : domain.patches) patches += (patches.empty() ? "" : " ") + patch;
    return {
        {"lattice", row.lattice},
        {"equilibrium", row.equilibrium},
        {"cell size", spacing},
        {"box", std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2])},
        {"origin", inWords(domain.origin)},
        {"fluid nodes", std::to_string(domain.fluidNodes())},
        {"digest of the fluid nodes' places", std::to_string(geometry.nodes)},
        {"digest of where walls and openings cut links", std::to_string(geometry.links)},
        {"list of patches", patches},
    };
}

void writeNotes(const hdf5::File& file, const CheckpointNotes& notes)
{
    file.write("steps", &notes.steps, 1);
    for (const char* group : {"numbers", "arrays", "texts"}) file.makeGroup(group);
    for (const auto& [name, value] : notes.numbers) file.write("numbers/" + name, &value, 1);
    for (const auto& [name, values] : notes.arrays) file.write("arrays/" + name, values.data(), values.size());
    for (const auto& [name, text] : notes.texts) file.writeText("texts/" + name, text);
}

// Words of the kernel that say what the table of states holds.
constexpr std::pair<const char*, std::string KernelRow::*> kernelWords[] = {{"collision", &KernelRow::collision},
                                                                            {"storage", &KernelRow::storage},
                                                                            {"precision", &KernelRow::precision},
                                                                            {"device", &KernelRow::device}};

void inPrecision(std::vector<double>& values, std::vector<double>& stored) { stored.swap(values); }
template<class T>
void inPrecision(std::vector<double>& values, std::vector<T>& stored)
{
    stored.assign(values.begin(), values.end());
}

// While one block is written the next one is fetched from the lattice.
template<class T>
DigestedRange writeState(const hdf5::File& file, const Solver& solver)
{
    const std::size_t width = std::size_t(storedState(solver.row()).values),
                      n = std::size_t(solver.domain().fluidNodes());
    const hdf5::Handle table = file.makeTable("state", hdf5::typeOf<T>(), n, width);
    DigestedRange range;
    std::vector<double> values;
    std::vector<T> stored;
    std::future<void> writing;
    inBlocks(solver.domain(), [&](std::size_t first, const std::vector<NodeIndex>& nodes) {
        const std::size_t rows = nodes.size();
        values.resize(rows * width);
        solver.getStored(nodes.data(), rows, values.data());
        if (writing.valid()) writing.get();
        inPrecision(values, stored);
        writing = std::async(std::launch::async, [&, first, rows] {
            file.writeRows(table, hdf5::typeOf<T>(), first, rows, width, stored.data());
            const std::size_t bytes = rows * width * sizeof(T);
            if (first == 0) range.begin = file.place(table);
            file.startWriting(range.begin + range.bytes, bytes);
            range.add(stored.data(), bytes);
        });
    });
    if (writing.valid()) writing.get();
    return range;
}

DigestedRange writeState(const hdf5::File& file, const Solver& solver)
{
    switch (storedState(solver.row()).valueBytes) {
        case 2: return writeState<std::int16_t>(file, solver);
        case 4: return writeState<float>(file, solver);
        default: return writeState<double>(file, solver);
    }
}

void writeMemory(const hdf5::File& file, const std::vector<OpeningMemory>& memory)
{
    if (memory.empty()) return;
    std::vector<double> means;
    std::vector<std::int16_t> kinds;
    for (const OpeningMemory& m : memory) {
        means.push_back(m.mean);
        kinds.push_back(std::int16_t(m.kind));
    }
    file.makeGroup("openings");
    file.write("openings/means", means.data(), means.size());
    file.write("openings/kinds", kinds.data(), kinds.size());
}

std::vector<OpeningMemory> readMemory(const hdf5::File& file)
{
    std::vector<OpeningMemory> memory;
    if (file.members("openings").empty()) return memory;
    const std::vector<double> means = file.read<double>("openings/means");
    const std::vector<std::int16_t> kinds = file.read<std::int16_t>("openings/kinds");
    for (std::size_t i = 0; i < means.size(); ++i) memory.push_back({BoundaryKind(kinds.at(i)), means[i]});
    return memory;
}

// The kernel that wrote a file, on the lattice of one that reads it.
KernelRow writerOf(const hdf5::File& file, KernelRow reader)
{
    for (const auto& [word, member] : kernelWords) reader.*member = file.readText(std::string("writer/") + word);
    if (!findStorage(reader.device, reader.storage))
        throw CheckpointError(file.name() + ": its storage " + reader.storage + " on " + reader.device
                              + " is none that this lbmFoam knows");
    return reader;
}

// Can one go on from what the other keeps, value by value?
bool keepTheSame(const KernelRow& a, const KernelRow& b)
{
    const StoredState one = storedState(a), other = storedState(b);
    const auto integers = [](const StoredState& s) { return s.valueBytes == int(sizeof(std::int16_t)); };
    return storesMoments(a) == storesMoments(b) && one.values == other.values && integers(one) == integers(other);
}

template<class Values>
auto only(const Values& values, const std::string& file, const std::string& path)
{
    if (values.size() != 1) throw CheckpointError(file + ": " + path + " is not one value");
    return values.front();
}

} // namespace

bool checkpointsAvailable() { return true; }

CheckpointWriter::CheckpointWriter(const Solver& solver) : solver_(solver), geometry_(geometryDigest(solver.domain()))
{}

void CheckpointWriter::write(const std::string& name, const CheckpointNotes& notes) const
{
    hdf5::File file = hdf5::File::create(name, headerBytes);
    file.writeText("kernel", lbm::name(solver_.row()));
    file.makeGroup("identity");
    for (const auto& [what, text] : identity(solver_, geometry_)) file.writeText("identity/" + what, text);
    writeNotes(file, notes);
    file.makeGroup("writer");
    for (const auto& [word, member] : kernelWords) file.writeText(std::string("writer/") + word, solver_.row().*member);
    writeMemory(file, solver_.openingMemory());
    const DigestedRange state = writeState(file, solver_);
    file.close();
    seal(name, checkpointKind, state);
}

CheckpointReader::CheckpointReader(const std::string& name) : file_(name)
{
    checkSeal(name, checkpointKind);
    const hdf5::File file = hdf5::File::open(name);
    kernel_ = file.readText("kernel");
    notes_.steps = only(file.read<std::int64_t>("steps"), name, "steps");
    for (const std::string& n : file.members("numbers"))
        notes_.numbers[n] = only(file.read<double>("numbers/" + n), name, n);
    for (const std::string& n : file.members("arrays")) notes_.arrays[n] = file.read<double>("arrays/" + n);
    for (const std::string& n : file.members("texts")) notes_.texts[n] = file.readText("texts/" + n);
}

void CheckpointReader::restore(Solver& solver) const
{
    const hdf5::File file = hdf5::File::open(file_);
    for (const auto& [what, here] : identity(solver, geometryDigest(solver.domain()))) {
        const std::string there = file.readText("identity/" + what);
        if (there != here)
            throw CheckpointError(file_ + ": does not fit: its " + what + " is " + there + ", that of the case "
                                  + here);
    }
    const KernelRow writer = writerOf(file, solver.row());
    const std::vector<OpeningMemory> memory = readMemory(file);
    const std::size_t here = solver.openingMemory().size();
    if (memory.size() != here)
        throw CheckpointError(file_ + ": does not fit: its openings and walls remember " + std::to_string(memory.size())
                              + " values, those of the case " + std::to_string(here));
    const std::size_t width = std::size_t(storedState(writer).values), q = std::size_t(solver.directions());
    const hdf5::Handle table = file.openTable("state", std::size_t(solver.domain().fluidNodes()), width);
    const bool asItIs = keepTheSame(writer, solver.row());
    try {
        if (!asItIs) populationsOfStored(writer, nullptr, 0, nullptr);
    } catch (const UnknownKernel& missing) {
        throw CheckpointError(file_ + ": " + missing.what());
    }

    // Steps of some patterns alternate between two kernels, which may round differently
    if ((solver.step() + notes_.steps) % 2) solver.advance(1);

    std::vector<double> stored, populations;
    inBlocks(solver.domain(), [&](std::size_t first, const std::vector<NodeIndex>& nodes) {
        const std::size_t rows = nodes.size();
        stored.resize(rows * width);
        file.readRows(table, H5T_NATIVE_DOUBLE, first, rows, width, stored.data());
        if (asItIs) {
            solver.setStored(nodes.data(), rows, stored.data());
            return;
        }
        populations.resize(rows * q);
        populationsOfStored(writer, stored.data(), rows, populations.data());
        solver.setPopulations(nodes.data(), rows, populations.data());
    });
    if (here) solver.setOpeningMemory(memory);
}

} // namespace lbm
