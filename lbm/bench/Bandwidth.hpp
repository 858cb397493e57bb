// Bandwidth: what the memory gives to code that moves as many streams as a lattice has populations and
// computes next to nothing. The ceiling of a kernel is the one that moves data as it does:
//   inPlace  every stream is read and written back where it was (patterns with one lattice)
//   copy     every stream is read and written elsewhere, past the caches (patterns with two lattices)
//   memcpy   of a GPU: copies by its driver within its memory
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lbm::bench {

enum class Traffic { inPlace, copy, memcpy };

class Bandwidth {
public:
    // Takes twice so many bytes of memory: at least four times the last cache, whatever is asked for.
    explicit Bandwidth(std::size_t bytes = 0);

    // Bytes per second, reads and writes together. valueBytes: 4 or 8.
    double measure(Traffic, int streams, int valueBytes, int threads);

    std::size_t bytes() const { return bytes_; } // of one side of a copy

private:
    template<class T>
    double measureAs(Traffic, int streams, int threads);

    std::size_t bytes_;
    HostArray<double> memory_;
};

// Of a cache: each thread reads and writes back so many bytes of its own, over and over; bytes per second of all of them, reads and
// writes together.
double cacheBandwidth(std::size_t bytes, int threads);

// Traffic::memcpy on devices, each named as in Config; bytes per second, reads and writes together, of all.
double deviceBandwidth(const std::vector<std::string>& devices);

} // namespace lbm::bench
