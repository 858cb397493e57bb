// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Checkpoint.hpp"

#include "adapters/checkpoint/Digest.hpp"
#include "adapters/checkpoint/Hdf5.hpp"

#include <cstdio>

namespace lbm {

namespace {

// Nodes carried at a time: large enough for every thread to have work, small beside the lattice.
constexpr std::size_t block = std::size_t(1) << 16;

// f(first, nodes): the domain's fluid nodes in rising order, block by block.
template<class F>
void inBlocks(const Domain& domain, F&& f)
{
    std::vector<NodeIndex> nodes;
    nodes.reserve(block);
    std::size_t first = 0;
    for (NodeIndex i = 0; i < domain.nodes(); ++i) {
        if (domain.fluid[i]) nodes.push_back(i);
        if (nodes.size() < block && i + 1 < domain.nodes()) continue;
        if (!nodes.empty()) f(first, nodes);
        first += nodes.size();
        nodes.clear();
    }
}

std::string inWords(const Vec3& v)
{
    char text[96];
    std::snprintf(text, sizeof(text), "(%.17g %.17g %.17g)", v[0], v[1], v[2]);
    return text;
}

// What has to agree, by name, in words that a message can show.
std::map<std::string, std::string> identity(const Solver& solver, std::uint32_t geometry)
{
    const Domain& domain = solver.domain();
    const KernelRow& row = solver.row();
    char spacing[32];
    std::snprintf(spacing, sizeof(spacing), "%.17g", domain.spacing);
    const Int3& n = domain.size;
    return {
        {"lattice", row.lattice},
        {"equilibrium", row.equilibrium},
        {"cell size", spacing},
        {"box", std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2])},
        {"origin", inWords(domain.origin)},
        {"fluid nodes", std::to_string(domain.fluidNodes())},
        {"geometry", std::to_string(geometry)},
    };
}

void writeText(const hdf5::File& file, const std::string& path, const std::string& text)
{
    file.write(path, text.data(), text.size());
}

std::string readText(const hdf5::File& file, const std::string& path)
{
    const std::vector<char> text = file.read<char>(path);
    return {text.begin(), text.end()};
}

void writeNotes(const hdf5::File& file, const CheckpointNotes& notes)
{
    file.write("steps", &notes.steps, 1);
    for (const char* group : {"numbers", "arrays", "texts"}) file.makeGroup(group);
    for (const auto& [name, value] : notes.numbers) file.write("numbers/" + name, &value, 1);
    for (const auto& [name, values] : notes.arrays) file.write("arrays/" + name, values.data(), values.size());
    for (const auto& [name, text] : notes.texts) writeText(file, "texts/" + name, text);
}

template<class T>
void writePopulations(const hdf5::File& file, const Solver& solver)
{
    const std::size_t q = std::size_t(solver.directions()), n = std::size_t(solver.domain().fluidNodes());
    const hdf5::Handle table = file.makeTable("populations", hdf5::typeOf<T>(), n, q);
    std::vector<double> values;
    std::vector<T> stored;
    inBlocks(solver.domain(), [&](std::size_t first, const std::vector<NodeIndex>& nodes) {
        values.resize(nodes.size()*q);
        solver.getPopulations(nodes.data(), nodes.size(), values.data());
        stored.assign(values.begin(), values.end());
        file.writeRows(table, hdf5::typeOf<T>(), first, nodes.size(), q, stored.data());
    });
}

template<class Values>
auto only(const Values& values, const std::string& file, const std::string& path)
{
    if (values.size() != 1) throw CheckpointError(file + ": " + path + " is not one value");
    return values.front();
}

} // namespace

bool checkpointsAvailable() { return true; }

CheckpointWriter::CheckpointWriter(const Solver& solver) : solver_(solver), geometry_(geometryDigest(solver.domain())) {}

void CheckpointWriter::write(const std::string& name, const CheckpointNotes& notes) const
{
    hdf5::File file = hdf5::File::create(name, headerBytes);
    writeText(file, "kernel", lbm::name(solver_.row()));
    file.makeGroup("identity");
    for (const auto& [what, text] : identity(solver_, geometry_)) writeText(file, "identity/" + what, text);
    writeNotes(file, notes);
    if (solver_.row().precision == "float") writePopulations<float>(file, solver_);
    else writePopulations<double>(file, solver_);
    file.close();
    seal(name);
}

CheckpointReader::CheckpointReader(const std::string& name) : file_(name)
{
    checkSeal(name);
    const hdf5::File file = hdf5::File::open(name);
    kernel_ = readText(file, "kernel");
    notes_.steps = only(file.read<std::int64_t>("steps"), name, "steps");
    for (const std::string& n : file.members("numbers"))
        notes_.numbers[n] = only(file.read<double>("numbers/" + n), name, n);
    for (const std::string& n : file.members("arrays")) notes_.arrays[n] = file.read<double>("arrays/" + n);
    for (const std::string& n : file.members("texts")) notes_.texts[n] = readText(file, "texts/" + n);
}

void CheckpointReader::restore(Solver& solver) const
{
    const hdf5::File file = hdf5::File::open(file_);
    for (const auto& [what, here] : identity(solver, geometryDigest(solver.domain()))) {
        const std::string there = readText(file, "identity/" + what);
        if (there != here)
            throw CheckpointError(file_ + ": does not fit: its " + what + " is " + there + ", that of the case " + here);
    }
    const std::size_t q = std::size_t(solver.directions()), n = std::size_t(solver.domain().fluidNodes());
    const hdf5::Handle table = file.openTable("populations", n, q);

    // Steps of some patterns alternate between two kernels, which may round differently
    if ((solver.step() + notes_.steps) % 2) solver.advance(1);

    std::vector<double> values;
    inBlocks(solver.domain(), [&](std::size_t first, const std::vector<NodeIndex>& nodes) {
        values.resize(nodes.size()*q);
        file.readRows(table, H5T_NATIVE_DOUBLE, first, nodes.size(), q, values.data());
        solver.setPopulations(nodes.data(), nodes.size(), values.data());
    });
}

} // namespace lbm
