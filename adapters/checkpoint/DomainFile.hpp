// DomainFile: what surfaces were made into, in a file, so that it need not be found again.
//
// HDF5 behind a header as checkpoints have one (Checkpoint.hpp): form, length and CRC-32 of all that follows. Each record is a
// group: a Domain, numbers and texts that go with it, and by what it was made (`identity`), which who reads holds against
// what he would make it by. A file is replaced by a rename when its successor is on the disk: what stands under its name
// is whole, whenever the process ends.
// Units: those of Domain. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace lbm {

// What has to agree, by name, in words that a message can show.
using DomainIdentity = std::map<std::string, std::string>;

struct DomainRecord {
    Domain domain; // without turns and ghosts
    std::map<std::string, std::int64_t> numbers;
    std::map<std::string, std::string> texts;
};

class DomainFile {
public:
    explicit DomainFile(std::string name) : name_(std::move(name)) {}

    // Nothing where there is no such record, and where the file is cut, altered, of another version, or the record was made
    // by something else, which `why` then says.
    std::optional<DomainRecord> read(const std::string& record, const DomainIdentity&, std::string& why) const;

    // Replaces the record; others of a file that is whole stay. Throws CheckpointError naming the file and the reason,
    // and then the file is what it was; std::invalid_argument for a domain with turns or ghosts.
    void write(const std::string& record, const DomainIdentity&, const DomainRecord&) const;

private:
    std::string name_;
};

} // namespace lbm
