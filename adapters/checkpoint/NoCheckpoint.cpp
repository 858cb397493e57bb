// Checkpoints of a build without HDF5: none.
// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Checkpoint.hpp"

namespace lbm {

namespace {

[[noreturn]] void refuse(const std::string& file)
{
    throw CheckpointError(file + ": this build has no HDF5 and no checkpoints");
}

} // namespace

bool checkpointsAvailable() { return false; }

CheckpointWriter::CheckpointWriter(Solver& solver) : solver_(solver) {}
void CheckpointWriter::write(const std::string& file, const CheckpointNotes&) const { refuse(file); }

CheckpointReader::CheckpointReader(const std::string& file) { refuse(file); }
void CheckpointReader::restore(Solver&) const { refuse(file_); }

} // namespace lbm
