// Checkpoint: the state of a lattice in a file, from which a run goes on bit for bit (moments in 16 bits: as their random
// rounding falls).
//
// The file is HDF5 behind a header of 512 bytes (HDF5's user block), a line of text that `head -1` shows: version, length and
// CRC-32 of all that follows. Its table `state` holds what the storage keeps (Solver::getStored) in the precision that it
// keeps it in, [fluid nodes][values]; each process writes and reads the rows of its own parts. Any storage, tile, device and
// number of threads, parts and processes goes on from it, by way of populations where it keeps something else. Beside it: the kernel; what the lattice was, to tell whether it fits; what openings
// remember; and what the caller noted.
// Units: lattice. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/api/Storage.hpp"

#include <cstdint>
#include <functional>
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

// Does a kernel keep moments? Populations follow from them, but not they from populations but for rounding.
inline bool storesMoments(const KernelRow& row) { return storageOf(row).stored == Stored::moments; }

// What a run needs besides the lattice, by name.
struct CheckpointNotes {
    std::int64_t steps = 0; // lattice steps since the case began
    std::map<std::string, double> numbers;
    std::map<std::string, std::vector<double>> arrays;
    std::map<std::string, std::string> texts; // any bytes

    // Arrays that no process has whole: tell() gives their values to `take` one piece after the other, as they are written. Who reads
    // finds them among `arrays`.
    using Take = std::function<void(const std::vector<double>&)>;
    struct Told {
        std::size_t size;
        std::function<void(const Take& take)> tell;
    };
    std::map<std::string, Told> told;
};

// CRC-32 of a lattice: which nodes are fluid; where links meet which patch.
struct GeometryDigest {
    std::uint32_t nodes = 0, links = 0;
};

class CheckpointWriter {
public:
    // The solver outlives it.
    explicit CheckpointWriter(Solver&);

    // On return the file is on the disk. A file that could not be finished has no valid header.
    // Notes go before states are written.
    void write(const std::string& file, CheckpointNotes) const;

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

    // Sets the state and the parity of the step; throws before anything is changed if the lattice is another one, or if
    // this build cannot tell what the kernel of the file kept.
    void restore(Solver&) const;

private:
    std::string file_, kernel_;
    CheckpointNotes notes_;
};

} // namespace lbm
