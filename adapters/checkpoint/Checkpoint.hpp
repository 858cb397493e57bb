// Checkpoint: the state of a lattice in a file, from which a run goes on bit for bit (moments in 16 bits: to their rounding).
//
// The file is HDF5 behind a header of 512 bytes (HDF5's user block), a line of text that `head -1` shows: length and
// CRC-32 of all that follows. Populations are canonical (Solver::getPopulations), [fluid nodes][Q], in
// the precision that the kernel stores: any storage, tile, device and number of threads goes on from them. Beside them:
// what the lattice was, to tell whether it fits, what openings remember, and what the caller noted.
// Units: lattice. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/api/Storage.hpp"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace lbm {

// Names the file and the reason.
struct CheckpointError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// False where the build has no HDF5; all else then throws CheckpointError.
bool checkpointsAvailable();

// Does a kernel keep moments, which are found again from populations to rounding alone?
inline bool storesMoments(const KernelRow& row) { return storageOf(row).stored == Stored::moments; }

// What a run needs besides the lattice, by name.
struct CheckpointNotes {
    std::int64_t steps = 0;         // lattice steps since the case began
    std::map<std::string, double> numbers;
    std::map<std::string, std::vector<double>> arrays;
    std::map<std::string, std::string> texts;   // any bytes
};

// CRC-32 of a lattice: which nodes are fluid; where links meet which patch.
struct GeometryDigest {
    std::uint32_t nodes = 0, links = 0;
};

class CheckpointWriter {
public:
    // The solver outlives it.
    explicit CheckpointWriter(Solver&);

    // On return the file is on the disk. A storage that keeps moments is given the populations of the file, which are its
    // own to rounding, so that it goes on as who reads them will. A file that could not be finished has no valid header.
    void write(const std::string& file, const CheckpointNotes&) const;

private:
    Solver& solver_;
    GeometryDigest geometry_;
};

class CheckpointReader {
public:
    // Reads all of the file once to hold it against its digest.
    explicit CheckpointReader(const std::string& file);

    const CheckpointNotes& notes() const { return notes_; }

    // name(KernelRow) of the kernel that it was written with
    const std::string& kernel() const { return kernel_; }

    // Sets populations and the parity of the step; throws before anything is changed if the lattice is another one.
    void restore(Solver&) const;

private:
    std::string file_, kernel_;
    CheckpointNotes notes_;
};

} // namespace lbm
