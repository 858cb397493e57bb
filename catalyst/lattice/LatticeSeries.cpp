// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/LatticeSeries.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace fs = std::filesystem;
using nlohmann::json;

namespace lbm {

namespace {

const char* const format = "lbmFoam lattice";
constexpr int version = 1;
const char* const nodesFile = "nodes.bin";

struct Type {
    lbmInsituType type;
    const char* name;
    std::size_t bytes;
};
constexpr Type types[] = {{LBM_FLOAT32, "float32", 4}, {LBM_FLOAT64, "float64", 8}, {LBM_INT32, "int32", 4}};

const Type& find(lbmInsituType type)
{
    for (const Type& t : types)
        if (t.type == type) return t;
    throw std::invalid_argument("LatticeSeries: a field of no known type");
}

std::size_t bytesOf(const std::string& name)
{
    for (const Type& t : types)
        if (name == t.name) return t.bytes;
    throw std::runtime_error("unknown type " + name);
}

// Under another name first: what can be seen under its own is complete
void writeFile(const fs::path& path, const void* data, std::size_t bytes)
{
    const fs::path fresh = path.string() + ".new";
    std::ofstream file(fresh, std::ios::binary);
    file.write(static_cast<const char*>(data), std::streamsize(bytes));
    file.close();
    if (!file) throw std::runtime_error("cannot write " + fresh.string());
    fs::rename(fresh, path);
}

// A piece of a file that has `each` bytes for each of n nodes
std::vector<char> readBytes(const fs::path& path, std::int64_t n, std::size_t each, const SeriesPiece& piece)
{
    std::error_code fault;
    const auto size = fs::file_size(path, fault);
    if (fault || size != std::size_t(n) * each)
        throw std::runtime_error(
            path.string() + ": "
            + (fault ? fault.message()
                     : std::to_string(size) + " bytes instead of " + std::to_string(std::size_t(n) * each)));
    const std::int64_t begin = n * piece.number / piece.count, end = n * (piece.number + 1) / piece.count;
    std::vector<char> result(std::size_t(end - begin) * each);
    std::ifstream file(path, std::ios::binary);
    file.seekg(std::streamoff(begin * std::int64_t(each)));
    if (!file.read(result.data(), std::streamsize(result.size())))
        throw std::runtime_error("cannot read " + path.string());
    return result;
}

json readIndex(const fs::path& path)
{
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    try {
        json index = json::parse(file);
        if (index.at("format") != format || index.at("version") != version || index.at("byteOrder") != "little")
            throw std::runtime_error(path.string() + ": not a lattice series of version " + std::to_string(version));
        return index;
    } catch (const json::exception& fault) {
        throw std::runtime_error(path.string() + ": " + fault.what());
    }
}

} // namespace

LatticeSeries::LatticeSeries(const std::string& folder, const Domain& domain, const LatticeCells& cells,
                             const SeriesFrame& frame, double start) :
    folder_(folder)
{
    const fs::path path(folder);
    fs::create_directories(path);
    json index = {
        {"format", format},
        {"version", version},
        {"byteOrder", "little"},
        {"dimensions", domain.dimensions},
        {"size", domain.size},
        {"origin", domain.origin},
        {"spacing", domain.spacing},
        {"caseAxis", frame.caseAxis},
        {"thickness", frame.thickness},
        {"nodes", cells.nodes().size()},
        {"times", json::array()},
    };

    const fs::path former = path / "series.lbm";
    if (fs::exists(former)) {
        json earlier = readIndex(former);
        json times = json::array();
        for (const json& time : earlier["times"])
            if (time["time"] <= start) times.push_back(time);
        earlier["times"] = json::array();
        if (earlier == index) index["times"] = times;
    }
    writeFile(path / nodesFile, cells.nodes().data(), cells.nodes().size() * sizeof(NodeIndex));
    index_ = index.dump(1);
    writeFile(former, index_.data(), index_.size());
}

void LatticeSeries::write(const std::string& timeName, double time, std::int64_t step,
                          const std::vector<lbmInsituArray>& fields)
{
    const fs::path path(folder_);
    fs::create_directories(path / timeName);
    json entry = {{"time", time}, {"step", step}, {"fields", json::array()}};
    for (const lbmInsituArray& field : fields) {
        const Type& type = find(field.type);
        const std::string file = timeName + "/" + field.name + ".bin";
        writeFile(path / file, field.values, std::size_t(field.tuples) * field.components * type.bytes);
        entry["fields"].push_back(
            {{"name", field.name}, {"components", field.components}, {"type", type.name}, {"file", file}});
    }
    json index = json::parse(index_);
    index["times"].push_back(entry);
    index_ = index.dump(1);
    writeFile(path / "series.lbm", index_.data(), index_.size());
}

SeriesIndex::SeriesIndex(const std::string& file) : file_(file)
{
    const json index = readIndex(file);
    try {
        domain.dimensions = index.at("dimensions");
        domain.size = index.at("size");
        domain.origin = index.at("origin");
        domain.spacing = index.at("spacing");
        frame.caseAxis = index.at("caseAxis");
        frame.thickness = index.at("thickness");
        nodes = index.at("nodes");
        for (const json& time : index.at("times")) {
            SeriesTime entry{time.at("time"), {}};
            for (const json& field : time.at("fields"))
                entry.fields.push_back({field.at("name"), field.at("type"), field.at("file"), field.at("components")});
            times.push_back(entry);
        }
    } catch (const json::exception& fault) {
        throw std::runtime_error(file + ": " + fault.what());
    }
}

void SeriesIndex::readNodes(const SeriesPiece& piece)
{
    const auto bytes = readBytes(fs::path(file_).parent_path() / nodesFile, nodes, sizeof(NodeIndex), piece);
    const auto* numbers = reinterpret_cast<const NodeIndex*>(bytes.data());
    domain.fluid = BitSet(domain.nodes());
    for (std::size_t i = 0; i < bytes.size() / sizeof(NodeIndex); ++i) {
        if (numbers[i] < 0 || numbers[i] >= domain.nodes())
            throw std::runtime_error(file_ + ": node " + std::to_string(numbers[i]) + " outside of the box");
        domain.fluid.set(numbers[i]);
    }
}

std::vector<char> SeriesIndex::readField(const SeriesTime::Field& field, const SeriesPiece& piece) const
{
    return readBytes(fs::path(file_).parent_path() / field.file, nodes, field.components * bytesOf(field.type), piece);
}

} // namespace lbm
