// GridFile: fields on a regular grid in an HDF5 file, one a time, beside an XDMF file through which ParaView opens them all as one
// series. Tables are made with their room in the file, and values come later, past HDF5: a thread may bring them while others use
// HDF5, which is none of threads.
//
// In the file, of float32, x fastest:
//   /NAME           [nz][ny][nx] or [nz][ny][nx][components], values of cells
//   /grid/cells     nx ny nz      /grid/origin  low corner [m]      /grid/spacing  of cells [m]      /grid/time [s]
// Units: SI. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lbm {

struct GridField {
    std::string name;
    int components;
};

struct Grid {
    std::array<std::int64_t, 3> cells;
    std::array<double, 3> origin, spacing;

    bool operator==(const Grid& g) const { return cells == g.cells && origin == g.origin && spacing == g.spacing; }
};

// Makes the file, in which each field has room from the returned place on. Throws CheckpointError naming the file and the reason, and
// leaves nothing of it, also where the build has no HDF5.
std::vector<std::uint64_t> makeGridFile(const std::string& file, const Grid&, double time,
                                        const std::vector<GridField>&);

// Of a file that makeGridFile made: its time, if it has this grid and these fields. Throws CheckpointError.
std::optional<double> timeOfGridFile(const std::string& file, const Grid&, const std::vector<GridField>&);

// One of the files: its name as the XDMF file is to have it, its time.
struct GridTime {
    std::string file;
    double time;
};

// The text of an XDMF file for times that have the same grid and fields.
std::string xdmfOf(const Grid&, const std::vector<GridField>&, const std::vector<GridTime>&);

} // namespace lbm
