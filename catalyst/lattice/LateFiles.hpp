// LateFiles: files whose bytes are ready, written by a thread while their maker goes on: a disk is slower than a lattice. What waits
// to be written is one lot, so that memory is bounded: who brings the next one waits until it is on the disk. A file appears under
// its name when it is whole. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdint>
#include <future>
#include <string>
#include <vector>

namespace lbm {

class LateFiles {
public:
    // Bytes from `at` on: text, then values.
    struct Piece {
        std::uint64_t at = 0;
        std::string text;
        std::vector<float> values;
    };
    struct File {
        std::string name;
        std::vector<Piece> pieces;
        bool begun = false; // unfinished(name) is there and stays what the pieces leave of it
    };

    // The name until then
    static std::string unfinished(const std::string& name) { return name + ".begun"; }

    LateFiles() = default;
    ~LateFiles();
    LateFiles(const LateFiles&) = delete;
    void operator=(const LateFiles&) = delete;

    // Takes one file after the other to the disk; where one fails, those after it are not written. Waits for the lot before it and
    // throws as wait().
    void write(std::vector<File>);

    // Until all are on the disk. Throws std::runtime_error naming the file and the reason, once; what was written before is whole,
    // and nothing is left of the file that failed.
    void wait();

    // The same, if there is nothing to wait for
    void check();

private:
    std::future<void> running_;
};

} // namespace lbm
