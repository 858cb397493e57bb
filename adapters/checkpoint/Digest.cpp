// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Digest.hpp"

#include "lbm/api/inParallel.hpp"

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
    // No more than there is: zeroing it would take a small case's file longer than all else
    std::vector<unsigned char> buffer(std::min<std::uint64_t>(std::uint64_t(1) << 22, end - begin));
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
void add(DigestedRange& range, const std::vector<T>& values)
{
    range.add(values.data(), values.size() * sizeof(T));
}

// Digest of what blocks of `each` hold, one after the other, that threads share. digest(begin, end)
template<class Digest>
std::uint32_t inBlocks(std::size_t n, std::size_t each, const Digest& digest)
{
    std::vector<DigestedRange> blocks((n + each - 1) / each);
    inParallel(blocks.size(), [&](std::size_t b) { blocks[b] = digest(b * each, std::min((b + 1) * each, n)); });
    DigestedRange all;
    for (const DigestedRange& block : blocks) all.add(block.digest, block.bytes);
    return all.digest;
}

// Bits, the first one lowest; `begin` is that of a word.
DigestedRange ofNodes(const BitSet& fluid, std::size_t begin, std::size_t end)
{
    constexpr std::size_t bits = 64, byte = 8;
    std::vector<std::uint8_t> bytes;
    for (std::size_t first = begin; first < end; first += bits) {
        const std::size_t n = std::min(bits, end - first);
        const std::uint64_t word = fluid.words()[first / bits] & (~std::uint64_t(0) >> (bits - n));
        for (std::size_t i = 0; i < n; i += byte) bytes.push_back(std::uint8_t(word >> i));
    }
    DigestedRange range;
    add(range, bytes);
    return range;
}

// Member by member: what lies between them in memory says nothing.
DigestedRange ofLinks(const std::vector<Link>& links, std::size_t begin, std::size_t end)
{
    std::vector<std::int64_t> nodes;
    std::vector<float> fractions;
    std::vector<std::int16_t> patches;
    std::vector<std::uint8_t> directions;
    for (std::size_t i = begin; i < end; ++i) {
        const Link& link = links[i];
        nodes.push_back(link.node);
        fractions.push_back(link.fraction);
        patches.push_back(link.patch);
        directions.push_back(link.direction);
    }
    DigestedRange range;
    add(range, nodes), add(range, fractions), add(range, patches), add(range, directions);
    return range;
}

} // namespace

GeometryDigest geometryDigest(const Domain& domain)
{
    constexpr std::size_t nodes = std::size_t(1) << 22, links = std::size_t(1) << 16;
    return {inBlocks(std::size_t(domain.nodes()), nodes,
                     [&](std::size_t begin, std::size_t end) { return ofNodes(domain.fluid, begin, end); }),
            inBlocks(domain.links.size(), links,
                     [&](std::size_t begin, std::size_t end) { return ofLinks(domain.links, begin, end); })};
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
