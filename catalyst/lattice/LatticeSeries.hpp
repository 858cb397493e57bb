// LatticeSeries: fields of the sparse lattice on disk, for lattices that are too large for a mesh of their own. A folder
// with
//
//   series.lbm    JSON: what follows and the times written so far
//   nodes.bin     numbers of the fluid nodes, int64, rising, x fastest in the box
//   TIME/FIELD.bin  values, one tuple a node in that order, float32, float64 or int32
//
//   { "format": "lbmFoam lattice", "version": 1, "byteOrder": "little",
//     "dimensions": 3, "size": [nx, ny, nz], "origin": [x, y, z] of node (0 0 0), "spacing": dx,
//     "caseAxis": which axis of the case each lattice axis is, "thickness": of the cells where dimensions is 2,
//     "nodes": how many,
//     "times": [{"time": t, "step": s, "fields": [{"name", "components", "type", "file"}]}] }
//
// No topology is kept: readers make it from the node numbers (LatticeCells), each process from its share of them. The index
// is replaced as a whole once the values are there, so that an interrupted run leaves a series that can be read. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/lattice/LatticeCells.hpp"

#include <string>

namespace lbm {

struct SeriesFrame {
    Int3 caseAxis{0, 1, 2};
    double thickness = 1; // m
};

class LatticeSeries {
public:
    // Makes the folder and writes the nodes; continues a series of the same nodes up to `start`, the time at which the
    // run begins. Throws std::runtime_error where it cannot write.
    LatticeSeries(const std::string& folder, const Domain&, const LatticeCells&, const SeriesFrame&, double start);

    // Throws std::runtime_error where it cannot write; what was there before stays readable.
    void write(const std::string& timeName, double time, std::int64_t step, const std::vector<lbmInsituArray>& fields);

private:
    std::string folder_;
    std::string index_; // JSON
};

// What a reader needs of a series
struct SeriesTime {
    struct Field {
        std::string name, type, file;
        int components;
    };
    double time;
    std::vector<Field> fields;
};

// Part of the nodes, one after the other: `number` of `count` equal ones
struct SeriesPiece {
    int number = 0, count = 1;
};

struct SeriesIndex {
    Domain domain; // box; fluid nodes of a piece once they are read; no links
    SeriesFrame frame;
    std::vector<SeriesTime> times;
    std::int64_t nodes = 0; // of all pieces

    // These throw std::runtime_error naming the file and what is wrong with it.
    explicit SeriesIndex(const std::string& file);
    void readNodes(const SeriesPiece&);
    std::vector<char> readField(const SeriesTime::Field&, const SeriesPiece&) const; // tuples, as bytes

private:
    std::string file_;
};

} // namespace lbm
