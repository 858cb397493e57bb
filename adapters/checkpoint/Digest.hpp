// Digests of files: CRC-32 of one behind its header, and of a lattice's geometry. Files by POSIX's calls, for a
// stream can neither be brought to the disk (fsync) nor say why it failed.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/checkpoint/Checkpoint.hpp"

#include <cstdint>
#include <string>

namespace lbm {

GeometryDigest geometryDigest(const Domain&);

// What a file is, in the words of its header, and the form that is read and written.
struct FileKind {
    const char* name;
    int form;
};

// The header that every such file begins with.
constexpr std::size_t headerBytes = 512;

// Part of a file whose digest is made while it is written.
struct DigestedRange {
    std::uint64_t begin = 0, bytes = 0;
    std::uint32_t digest = 0;

    void add(const void* data, std::size_t n);

    // What follows, of which the digest is known.
    void add(std::uint32_t digest, std::uint64_t bytes);
};

// Digests the rest of the finished file, writes its header and brings it to the disk. Throws CheckpointError.
void seal(const std::string& file, const FileKind&, const DigestedRange& known);

// Throws CheckpointError unless the file is what was sealed.
void checkSeal(const std::string& file, const FileKind&);

} // namespace lbm
