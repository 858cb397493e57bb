// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Checkpoint.hpp"

#include "adapters/checkpoint/Digest.hpp"
#include "adapters/checkpoint/Hdf5.hpp"
#include "adapters/checkpoint/StateTable.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace lbm {

namespace {

// 4: what storages keep, be it moments, and the relaxation time that left it; openings remember in the order of the Domain's links
constexpr FileKind checkpointKind = {"checkpoint", 4};

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
    for (const auto& [name, array] : notes.told) {
        const std::string path = "arrays/" + name;
        file.makeList<double>(path, array.size);
        std::size_t first = 0;
        array.tell([&, n = array.size](const std::vector<double>& piece) {
            if (piece.size() > n - first) throw std::logic_error("checkpoint: " + path + " is told more than it has");
            file.writePiece(path, first, piece.data(), piece.size());
            first += piece.size();
        });
        if (first != array.size) throw std::logic_error("checkpoint: " + path + " is told less than it has");
    }
}

// Words of the kernel that say what the table of states holds.
constexpr std::pair<const char*, std::string KernelRow::*> kernelWords[] = {{"collision", &KernelRow::collision},
                                                                            {"storage", &KernelRow::storage},
                                                                            {"precision", &KernelRow::precision},
                                                                            {"device", &KernelRow::device}};

hid_t typeOf(const KernelRow& row)
{
    switch (storedState(row).valueBytes) {
        case sizeof(std::int16_t): return hdf5::typeOf<std::int16_t>();
        case sizeof(float): return hdf5::typeOf<float>();
        default: return hdf5::typeOf<double>();
    }
}

// Piece by piece: the links of all parts are too many for one process.
void writeMemory(const hdf5::File& file, const Solver& solver)
{
    const std::size_t n = solver.remembering();
    if (n == 0) return;
    file.makeGroup("openings");
    file.makeList<double>("openings/means", n);
    file.makeList<std::int16_t>("openings/kinds", n);
    constexpr std::size_t least = std::size_t(1) << 17, pieces = 64;
    const std::size_t most = std::max(least, (n + pieces - 1) / pieces);
    std::vector<double> means;
    std::vector<std::int16_t> kinds;
    for (std::size_t first = 0; first < n; first += most) {
        means.clear(), kinds.clear();
        for (const OpeningMemory& m : solver.openingMemory(first, std::min(most, n - first))) {
            means.push_back(m.mean);
            kinds.push_back(std::int16_t(m.kind));
        }
        file.writePiece("openings/means", first, means.data(), means.size());
        file.writePiece("openings/kinds", first, kinds.data(), kinds.size());
    }
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

template<class Values>
auto only(const Values& values, const std::string& file, const std::string& path)
{
    if (values.size() != 1) throw CheckpointError(file + ": " + path + " is not one value");
    return values.front();
}

} // namespace

bool checkpointsAvailable() { return true; }

CheckpointWriter::CheckpointWriter(Solver& solver) : solver_(solver), geometry_(geometryDigest(solver.domain())) {}

void CheckpointWriter::write(const std::string& name, CheckpointNotes notes) const
{
    hdf5::File file = hdf5::File::create(name, headerBytes);
    file.writeText("kernel", lbm::name(solver_.row()));
    file.makeGroup("identity");
    for (const auto& [what, text] : identity(solver_, geometry_)) file.writeText("identity/" + what, text);
    writeNotes(file, std::exchange(notes, {}));
    file.makeGroup("writer");
    for (const auto& [word, member] : kernelWords) file.writeText(std::string("writer/") + word, solver_.row().*member);
    writeMemory(file, solver_);
    const double tau = solver_.stateTau();
    file.write("writer/stateTau", &tau, 1);
    const KernelRow& row = solver_.row();
    const auto nodes = std::size_t(solver_.domain().fluidNodes());
    const StateTable table{name, row, tau,
                           file.makeTable("state", typeOf(row), nodes, std::size_t(storedState(row).values))};
    file.close();
    seal(name, checkpointKind, writeStates(solver_, table));
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
    const std::size_t here = solver.remembering();
    if (memory.size() != here)
        throw CheckpointError(file_ + ": does not fit: its openings and walls remember " + std::to_string(memory.size())
                              + " values, those of the case " + std::to_string(here));
    const auto nodes = std::size_t(solver.domain().fluidNodes());
    const double tau = only(file.read<double>("writer/stateTau"), file_, "writer/stateTau");
    const StateTable table{file_, writer, tau,
                           file.placeOfTable("state", typeOf(writer), nodes, std::size_t(storedState(writer).values))};
    checkStates(solver, table);

    // Steps of some patterns alternate between two kernels, which may round differently
    if ((solver.step() + notes_.steps) % 2) solver.advance(1);
    solver.setStateTau(tau);
    solver.setStateSteps(notes_.steps);
    readStates(solver, table);
    if (here) solver.setOpeningMemory(memory);
}

} // namespace lbm
