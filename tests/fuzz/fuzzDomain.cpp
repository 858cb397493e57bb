// What a domain file may hold: any bytes must give a Domain that passes its check, or a reason why not.
// The first byte chooses: a: the file as it is written; b: bytes of such a file, altered; c: lists of any length and content
// in a file whose digest fits, as if whoever wrote it had gone wrong; d: any bytes.
// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Digest.hpp"
#include "adapters/checkpoint/DomainFile.hpp"
#include "adapters/checkpoint/Hdf5.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace lbm;

const DomainIdentity identity = {{"surface", "any"}};

class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

    bool empty() const { return at_ == end_; }
    std::uint8_t byte() { return empty() ? std::uint8_t(0) : *at_++; }

    template<class T>
    T value()
    {
        T v{};
        const std::size_t n = std::min(sizeof(T), std::size_t(end_ - at_));
        std::memcpy(&v, at_, n);
        at_ += n;
        return v;
    }

    std::string rest()
    {
        return {reinterpret_cast<const char*>(std::exchange(at_, end_)), reinterpret_cast<const char*>(end_)};
    }

private:
    const std::uint8_t *at_, *end_;
};

DomainRecord record()
{
    DomainRecord r;
    Domain& d = r.domain;
    d.size = {5, 4, 3};
    d.fluid = BitSet(d.nodes(), true);
    d.patches = {"walls", "inlet"};
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (std::uint8_t code = 0; code < 27; ++code)
            if (code != 13 && d.neighbour(d.coordinates(i), directionOf(code)) < 0)
                d.links.push_back({i, 0.5f, std::int16_t(i % 2), code});
    r.numbers["regions"] = 1;
    r.texts["why"] = "";
    return r;
}

std::string bytesOf(const fs::path& file)
{
    std::ifstream is(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(is), {}};
}

void put(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

const std::string& whole(const fs::path& file)
{
    static const std::string bytes = [&] {
        DomainFile(file.string()).write("lattice", identity, record());
        return bytesOf(file);
    }();
    return bytes;
}

void writeAltered(const fs::path& file, Input& in)
{
    std::string bytes = whole(file);
    while (!in.empty()) {
        const std::size_t at = in.value<std::uint32_t>() % bytes.size();
        bytes[at] = char(in.byte());
    }
    put(file, bytes);
}

template<class T>
void writeList(const hdf5::File& file, const char* path, Input& in)
{
    const int n = in.byte();
    if (n == 255) return; // not there
    std::vector<T> values;
    for (int i = 0; i < n % 24; ++i) values.push_back(in.value<T>());
    file.write(std::string("lattice/") + path, values.data(), values.size());
}

void writeColumns(const fs::path& name, Input& in)
{
    hdf5::File file = hdf5::File::create(name.string(), headerBytes);
    file.makeGroup("lattice");
    file.makeGroup("lattice/identity");
    file.writeText("lattice/identity/surface", "any");
    file.makeGroup("lattice/links");
    file.makeGroup("lattice/texts");
    file.makeGroup("lattice/numbers");
    // Small boxes more often than chance would have it
    if (in.byte() % 2) {
        std::int64_t box[7];
        for (std::int64_t& b : box) b = in.byte() % 8;
        file.write("lattice/box", box, 7);
    } else {
        writeList<std::int64_t>(file, "box", in);
    }
    writeList<double>(file, "place", in);
    writeList<std::uint64_t>(file, "fluid", in);
    writeList<char>(file, "patches", in);
    writeList<std::int64_t>(file, "links/nodes", in);
    writeList<float>(file, "links/fractions", in);
    writeList<std::int16_t>(file, "links/patches", in);
    writeList<std::uint8_t>(file, "links/directions", in);
    writeList<std::int64_t>(file, "numbers/regions", in);
    writeList<char>(file, "texts/why", in);
    file.close();
    seal(name.string(), {"domain", 1}, {headerBytes, 0, 0});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const fs::path folder = [] {
        const fs::path made = fs::temp_directory_path() / ("lbmFuzzDomain." + std::to_string(getpid()));
        fs::create_directories(made);
        return made;
    }();
    const fs::path file = folder / "domain.h5";
    Input in(data, size);
    const std::uint8_t kind = in.byte();
    switch (kind) {
        case 'b': writeAltered(file, in); break;
        case 'c': writeColumns(file, in); break;
        case 'd': put(file, in.rest()); break;
        default: put(file, whole(file));
    }

    std::string why;
    const auto found = DomainFile(file.string()).read("lattice", identity, why);
    if (found) found->domain.check();
    if (kind == 'a' && !found) std::abort();
    if (kind == 'b' && found && bytesOf(file).substr(headerBytes) != whole(file).substr(headerBytes)) std::abort();
    return 0;
}
