// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Digest.hpp"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace lbm {

namespace {

[[noreturn]] void fail(const std::string& file, const std::string& why) { throw CheckpointError(file + ": " + why); }

class File {
public:
    File(const std::string& name, int flags) : name_(name), descriptor_(open(name.c_str(), flags | O_CLOEXEC))
    {
        if (descriptor_ < 0) fail(name_, std::strerror(errno));
    }
    ~File() { close(descriptor_); }
    File(const File&) = delete;
    void operator=(const File&) = delete;

    int descriptor() const { return descriptor_; }

    std::uint64_t size() const
    {
        struct stat facts;
        if (fstat(descriptor_, &facts) != 0) fail(name_, std::strerror(errno));
        return std::uint64_t(facts.st_size);
    }

private:
    std::string name_;
    int descriptor_;
};

std::uint32_t digestOf(const std::string& name, const File& file, std::uint64_t begin, std::uint64_t end)
{
    std::vector<unsigned char> buffer(std::size_t(1) << 22);
    uLong crc = crc32(0, nullptr, 0);
    for (std::uint64_t at = begin; at < end;) {
        const std::size_t want = std::min<std::uint64_t>(buffer.size(), end - at);
        const ssize_t n = pread(file.descriptor(), buffer.data(), want, off_t(at));
        if (n <= 0) fail(name, n < 0 ? std::strerror(errno) : "shorter than it was");
        crc = crc32(crc, buffer.data(), uInt(n));
        at += std::uint64_t(n);
    }
    return std::uint32_t(crc);
}

std::string header(const FileKind& kind, std::uint64_t bytes, std::uint32_t digest)
{
    char text[headerBytes] = {};
    const int n = std::snprintf(text, sizeof(text), "lbmFoam %s %d, %" PRIu64 " bytes follow, CRC-32 %08" PRIx32 "\n",
                                kind.name, kind.form, bytes, digest);
    return std::string(text, std::size_t(n)) + std::string(headerBytes - std::size_t(n), '\0');
}

template<class T>
void add(uLong& crc, const std::vector<T>& values)
{
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(values.data());
    crc = crc32_z(crc, bytes, values.size() * sizeof(T));
}

} // namespace

GeometryDigest geometryDigest(const Domain& domain)
{
    uLong ofNodes = crc32(0, nullptr, 0), ofLinks = ofNodes;
    std::vector<std::uint8_t> fluid(std::size_t(domain.nodes() + 7) / 8);
    for (NodeIndex i = 0; i < domain.nodes(); ++i)
        fluid[std::size_t(i >> 3)] |= std::uint8_t(domain.fluid[i] << (i & 7));
    add(ofNodes, fluid);

    // Member by member: what lies between them in memory says nothing
    constexpr std::size_t block = 1 << 16;
    std::vector<std::int64_t> nodes;
    std::vector<float> fractions;
    std::vector<std::int16_t> patches;
    std::vector<std::uint8_t> directions;
    for (std::size_t first = 0; first < domain.links.size(); first += block) {
        const std::size_t last = std::min(first + block, domain.links.size());
        nodes.clear(), fractions.clear(), patches.clear(), directions.clear();
        for (std::size_t i = first; i < last; ++i) {
            const Link& link = domain.links[i];
            nodes.push_back(link.node);
            fractions.push_back(link.fraction);
            patches.push_back(link.patch);
            directions.push_back(link.direction);
        }
        add(ofLinks, nodes), add(ofLinks, fractions), add(ofLinks, patches), add(ofLinks, directions);
    }
    return {std::uint32_t(ofNodes), std::uint32_t(ofLinks)};
}

void DigestedRange::add(const void* data, std::size_t n)
{
    digest = std::uint32_t(crc32_z(digest, static_cast<const unsigned char*>(data), n));
    bytes += n;
}

void DigestedRange::add(std::uint32_t next, std::uint64_t n)
{
    digest = std::uint32_t(crc32_combine(digest, next, z_off_t(n)));
    bytes += n;
}

void seal(const std::string& name, const FileKind& kind, const DigestedRange& known)
{
    const File file(name, O_RDWR);
    const std::uint64_t end = known.begin + known.bytes, size = file.size();
    uLong crc = digestOf(name, file, headerBytes, known.begin);
    crc = crc32_combine(crc, known.digest, z_off_t(known.bytes));
    crc = crc32_combine(crc, digestOf(name, file, end, size), z_off_t(size - end));
    const std::string text = header(kind, size - headerBytes, std::uint32_t(crc));
    if (pwrite(file.descriptor(), text.data(), text.size(), 0) != ssize_t(text.size()) || fsync(file.descriptor()) != 0)
        fail(name, std::strerror(errno));
}

void checkSeal(const std::string& name, const FileKind& kind)
{
    const File file(name, O_RDONLY);
    const std::string begin = std::string("lbmFoam ") + kind.name + ' ';
    char text[headerBytes + 1] = {};
    std::uint64_t bytes = 0;
    std::uint32_t digest = 0;
    int form = 0;
    if (pread(file.descriptor(), text, headerBytes, 0) != ssize_t(headerBytes)
        || std::strncmp(text, begin.data(), begin.size()) != 0
        || std::sscanf(text + begin.size(), "%d, %" SCNu64 " bytes follow, CRC-32 %" SCNx32, &form, &bytes, &digest)
            != 3)
        fail(name, std::string("damaged, or no ") + kind.name + ": its header does not say so");
    if (form != kind.form)
        fail(name,
             std::string("is a ") + kind.name + " of form " + std::to_string(form)
                 + ", which another version of lbmFoam wrote; this one reads form " + std::to_string(kind.form));
    if (file.size() != headerBytes + bytes)
        fail(name,
             "damaged: " + std::to_string(file.size()) + " bytes long, not " + std::to_string(headerBytes + bytes));
    if (digestOf(name, file, headerBytes, file.size()) != digest)
        fail(name, "damaged: its content does not match its CRC-32");
}

} // namespace lbm
