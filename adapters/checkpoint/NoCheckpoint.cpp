// Checkpoints, domain files and grids of a build without HDF5: none.
// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Checkpoint.hpp"
#include "adapters/checkpoint/DomainFile.hpp"
#include "adapters/checkpoint/GridFile.hpp"

namespace lbm {

namespace {

[[noreturn]] void refuse(const std::string& file)
{
    throw CheckpointError(file + ": this build has no HDF5: neither checkpoints nor domain files nor grids");
}

} // namespace

bool checkpointsAvailable() { return false; }

CheckpointWriter::CheckpointWriter(Solver& solver) : solver_(solver) {}
void CheckpointWriter::write(const std::string& file, CheckpointNotes) const { refuse(file); }

CheckpointReader::CheckpointReader(const std::string& file) { refuse(file); }
void CheckpointReader::restore(Solver&) const { refuse(file_); }

std::optional<DomainRecord> DomainFile::read(const std::string&, const DomainIdentity&, std::string&) const
{
    refuse(name_);
}
void DomainFile::write(const std::string&, const DomainIdentity&, const DomainRecord&) const { refuse(name_); }

std::vector<std::uint64_t> makeGridFile(const std::string& file, const Grid&, double, const std::vector<GridField>&)
{
    refuse(file);
}
std::optional<double> timeOfGridFile(const std::string& file, const Grid&, const std::vector<GridField>&)
{
    refuse(file);
}

} // namespace lbm
