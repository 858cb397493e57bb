// What of HDF5 checkpoints and domain files use: handles that close themselves, and errors as exceptions.
//
// By hand over HDF5's C interface. HDF5's own layer in C++ (H5Cpp) prints from its destructors, and crashes at exit, where a
// full disk or a limit of files' sizes keeps it from closing a file: it starts HDF5 before anybody can say H5dont_atexit.
// HighFive is no package of Debian 12.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lbm::hdf5 {

class Handle {
public:
    using Close = herr_t (*)(hid_t);

    Handle(hid_t id, Close close) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    ~Handle()
    {
        if (id_ >= 0) close_(id_);
    }
    void operator=(const Handle&) = delete;

    operator hid_t() const { return id_; }

    // Closes now; false if that failed, as it does where buffers could not be written.
    bool close() { return close_(std::exchange(id_, -1)) >= 0; }

private:
    hid_t id_;
    Close close_;
};

// One file that is written or read. Throws CheckpointError with its name.
class File {
public:
    static File create(const std::string& name, std::size_t userBlock);
    static File open(const std::string& name);

    const std::string& name() const { return name_; }
    hid_t id() const { return file_; }
    void close();

    // Names of the members of a group; none if there is no such group.
    std::vector<std::string> members(const std::string& group) const;

    void makeGroup(const std::string& path) const;
    template<class T>
    void write(const std::string& path, const T* values, std::size_t n) const;
    // The same of a list whose values come piece by piece.
    template<class T>
    void makeList(const std::string& path, std::size_t n) const;
    template<class T>
    void writePiece(const std::string& path, std::size_t first, const T* values, std::size_t n) const;
    template<class T>
    std::vector<T> read(const std::string& path) const;
    template<class T>
    std::vector<T> read(const std::string& path, std::size_t n) const; // that many

    void writeText(const std::string& path, const std::string& text) const;
    std::string readText(const std::string& path) const;

    // A group of another file with all in it, under the same name.
    void copy(const File& from, const std::string& group) const;

    // Where a table of rows begins in the file, in which it lies in one piece: for who writes and reads it past HDF5.
    std::uint64_t makeTable(const std::string& path, hid_t type, const std::vector<std::size_t>& extents) const;
    std::uint64_t makeTable(const std::string& path, hid_t type, std::size_t rows, std::size_t columns) const
    {
        return makeTable(path, type, {rows, columns});
    }
    std::uint64_t placeOfTable(const std::string& path, hid_t type, std::size_t rows, std::size_t columns) const;

    // id, or CheckpointError naming the file and what was done if it is negative
    hid_t valid(hid_t id, const std::string& what) const;

private:
    File(std::string name, Handle file) : name_(std::move(name)), file_(std::move(file)) {}

    // Of a list, which the file is long enough to hold
    std::size_t lengthOf(hid_t data, std::size_t valueBytes, const std::string& path) const;

    std::string name_;
    Handle file_;
};

template<class T>
hid_t typeOf();
template<>
hid_t typeOf<double>();
template<>
hid_t typeOf<float>();
template<>
hid_t typeOf<std::int16_t>();
template<>
hid_t typeOf<std::int64_t>();
template<>
hid_t typeOf<char>();

} // namespace lbm::hdf5
