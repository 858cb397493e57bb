// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/Hdf5.hpp"

#include "adapters/checkpoint/Checkpoint.hpp"

#include <cerrno>
#include <cstring>

namespace lbm::hdf5 {

namespace {

// HDF5's own messages would go to the screen; errno knows why a system call failed. At exit HDF5 would close once more
// what it could not, and crash.
void prepare()
{
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    errno = 0;
}

[[noreturn]] void fail(const std::string& name, const std::string& what)
{
    throw CheckpointError(name + ": " + what + (errno ? std::string(": ") + std::strerror(errno) : std::string()));
}

// Without the time of the writing: the same state makes the same bytes
Handle dataProperties()
{
    Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(properties, false);
    H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
    return properties;
}

std::uint64_t placeOf(hid_t table, const std::string& name)
{
    const haddr_t at = H5Dget_offset(table);
    if (at == HADDR_UNDEF) fail(name, "has a table without a place");
    return std::uint64_t(at);
}

} // namespace

template<>
hid_t typeOf<double>()
{
    return H5T_NATIVE_DOUBLE;
}
template<>
hid_t typeOf<float>()
{
    return H5T_NATIVE_FLOAT;
}
template<>
hid_t typeOf<std::int16_t>()
{
    return H5T_NATIVE_INT16;
}
template<>
hid_t typeOf<std::int64_t>()
{
    return H5T_NATIVE_INT64;
}
template<>
hid_t typeOf<std::uint64_t>()
{
    return H5T_NATIVE_UINT64;
}
template<>
hid_t typeOf<std::uint8_t>()
{
    return H5T_NATIVE_UINT8;
}
template<>
hid_t typeOf<char>()
{
    return H5T_NATIVE_CHAR;
}

hid_t File::valid(hid_t id, const std::string& what) const
{
    if (id < 0) fail(name_, what);
    return id;
}

File File::create(const std::string& name, std::size_t userBlock)
{
    prepare();
    const Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_userblock(properties, userBlock);
    Handle file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, properties, H5P_DEFAULT), H5Fclose);
    if (file < 0) fail(name, "cannot be created");
    return File(name, std::move(file));
}

File File::open(const std::string& name)
{
    prepare();
    Handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (file < 0) fail(name, "cannot be opened");
    return File(name, std::move(file));
}

void File::close()
{
    if (!file_.close()) fail(name_, "cannot be written to its end");
}

void File::makeGroup(const std::string& path) const
{
    const Handle group(
        valid(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "no room for " + path), H5Gclose);
}

std::vector<std::string> File::members(const std::string& group) const
{
    std::vector<std::string> names;
    if (H5Lexists(file_, group.c_str(), H5P_DEFAULT) <= 0) return names;
    const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
        static_cast<std::vector<std::string>*>(list)->push_back(name);
        return 0;
    };
    H5Literate_by_name(file_, group.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names, H5P_DEFAULT);
    return names;
}

template<class T>
void File::makeList(const std::string& path, std::size_t n) const
{
    const hsize_t extent = n;
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const Handle data(
        valid(H5Dcreate2(file_, path.c_str(), typeOf<T>(), space, H5P_DEFAULT, dataProperties(), H5P_DEFAULT),
              "no room for " + path),
        H5Dclose);
}

template<class T>
void File::writePiece(const std::string& path, std::size_t first, const T* values, std::size_t n) const
{
    if (n == 0) return;
    const hsize_t from = first, count = n;
    const Handle data(valid(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), "has no " + path), H5Dclose);
    const Handle place(H5Dget_space(data), H5Sclose), memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    valid(H5Sselect_hyperslab(place, H5S_SELECT_SET, &from, nullptr, &count, nullptr), "no room for " + path);
    valid(H5Dwrite(data, typeOf<T>(), memory, place, H5P_DEFAULT, values), "cannot write " + path);
}

template<class T>
void File::write(const std::string& path, const T* values, std::size_t n) const
{
    makeList<T>(path, n);
    writePiece(path, 0, values, n);
}

std::size_t File::lengthOf(hid_t data, std::size_t valueBytes, const std::string& path) const
{
    const Handle space(H5Dget_space(data), H5Sclose);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    hsize_t bytes = 0;
    H5Fget_filesize(file_, &bytes);
    errno = 0;
    if (n < 0 || std::uint64_t(n) > bytes / valueBytes) fail(name_, path + " has no length that fits the file");
    return std::size_t(n);
}

template<class T>
std::vector<T> File::read(const std::string& path) const
{
    const Handle data(valid(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), "has no " + path), H5Dclose);
    std::vector<T> values(lengthOf(data, sizeof(T), path));
    if (!values.empty())
        valid(H5Dread(data, typeOf<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "cannot read " + path);
    return values;
}

template<class T>
std::vector<T> File::read(const std::string& path, std::size_t n) const
{
    std::vector<T> values = read<T>(path);
    errno = 0;
    if (values.size() != n)
        fail(name_, path + " holds " + std::to_string(values.size()) + " values, not " + std::to_string(n));
    return values;
}

void File::writeText(const std::string& path, const std::string& text) const { write(path, text.data(), text.size()); }

std::string File::readText(const std::string& path) const
{
    const std::vector<char> text = read<char>(path);
    return {text.begin(), text.end()};
}

void File::copy(const File& from, const std::string& group) const
{
    valid(H5Ocopy(from.file_, group.c_str(), file_, group.c_str(), H5P_DEFAULT, H5P_DEFAULT), "no room for " + group);
}

std::uint64_t File::makeTable(const std::string& path, hid_t type, const std::vector<std::size_t>& extents) const
{
    const std::vector<hsize_t> own(extents.begin(), extents.end());
    const Handle space(H5Screate_simple(int(own.size()), own.data(), nullptr), H5Sclose), properties = dataProperties();
    H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
    const Handle table(valid(H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                             "no room for " + path),
                       H5Dclose);
    return placeOf(table, name_);
}

std::uint64_t File::placeOfTable(const std::string& path, hid_t type, std::size_t rows, std::size_t columns) const
{
    const Handle table(valid(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), "has no " + path), H5Dclose);
    const Handle space(H5Dget_space(table), H5Sclose), its(H5Dget_type(table), H5Tclose);
    hsize_t extents[2] = {0, 0};
    if (H5Sget_simple_extent_ndims(space) == 2) H5Sget_simple_extent_dims(space, extents, nullptr);
    errno = 0;
    if (extents[0] != rows || extents[1] != columns) fail(name_, path + " has another shape");
    if (H5Tequal(its, type) <= 0) fail(name_, path + " has another precision than its storage keeps");
    return placeOf(table, name_);
}

#define LBM_HDF5_VALUES(T)                                                                                             \
    template void File::makeList<T>(const std::string&, std::size_t) const;                                            \
    template void File::writePiece(const std::string&, std::size_t, const T*, std::size_t) const;                      \
    template void File::write(const std::string&, const T*, std::size_t) const;                                        \
    template std::vector<T> File::read(const std::string&) const;                                                      \
    template std::vector<T> File::read(const std::string&, std::size_t) const;
LBM_HDF5_VALUES(double)
LBM_HDF5_VALUES(float)
LBM_HDF5_VALUES(std::int16_t)
LBM_HDF5_VALUES(std::int64_t)
LBM_HDF5_VALUES(std::uint64_t)
LBM_HDF5_VALUES(std::uint8_t)
LBM_HDF5_VALUES(char)
#undef LBM_HDF5_VALUES

} // namespace lbm::hdf5
