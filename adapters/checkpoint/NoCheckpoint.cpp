// Checkpoints and domain files of a build without HDF5: none.
// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Checkpoint.hpp"
#include "adapters/checkpoint/DomainFile.hpp"

namespace lbm {

namespace {

[[noreturn]] void refuse(const std::string& file)
{
    throw CheckpointError(file + ": this build has no HDF5: neither checkpoints nor domain files");
}

} // namespace

bool checkpointsAvailable() { return false; }

CheckpointWriter::CheckpointWriter(Solver& solver) : solver_(solver) {}
void CheckpointWriter::write(const std::string& file, const CheckpointNotes&) const { refuse(file); }

CheckpointReader::CheckpointReader(const std::string& file) { refuse(file); }
void CheckpointReader::restore(Solver&) const { refuse(file_); }

std::optional<DomainRecord> DomainFile::read(const std::string&, const DomainIdentity&, std::string&) const
{
    refuse(name_);
}
void DomainFile::write(const std::string&, const DomainIdentity&, const DomainRecord&) const { refuse(name_); }

} // namespace lbm
