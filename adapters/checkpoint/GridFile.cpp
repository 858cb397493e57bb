// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/GridFile.hpp"

#include "adapters/checkpoint/Checkpoint.hpp"
#include "adapters/checkpoint/Hdf5.hpp"

#include <algorithm>
#include <cstdio>

namespace lbm {

namespace {

template<class T>
std::array<T, 3> readThree(const hdf5::File& file, const std::string& path)
{
    const std::vector<T> values = file.read<T>(path, 3);
    return {values[0], values[1], values[2]};
}

std::vector<std::uint64_t> make(const std::string& name, const Grid& grid, double time,
                                const std::vector<GridField>& fields)
{
    hdf5::File file = hdf5::File::create(name, 0);
    file.makeGroup("/grid");
    file.write("/grid/cells", grid.cells.data(), 3);
    file.write("/grid/origin", grid.origin.data(), 3);
    file.write("/grid/spacing", grid.spacing.data(), 3);
    file.write("/grid/time", &time, 1);
    std::vector<std::uint64_t> places;
    for (const GridField& field : fields) {
        std::vector<std::size_t> extents(grid.cells.rbegin(), grid.cells.rend());
        if (field.components > 1) extents.push_back(std::size_t(field.components));
        places.push_back(file.makeTable("/" + field.name, hdf5::typeOf<float>(), extents));
    }
    file.close();
    return places;
}

} // namespace

std::vector<std::uint64_t> makeGridFile(const std::string& name, const Grid& grid, double time,
                                        const std::vector<GridField>& fields)
{
    try {
        return make(name, grid, time, fields);
    } catch (const CheckpointError&) {
        std::remove(name.c_str());
        throw;
    }
}

std::optional<double> timeOfGridFile(const std::string& name, const Grid& grid, const std::vector<GridField>& fields)
{
    const hdf5::File file = hdf5::File::open(name);
    const Grid its{readThree<std::int64_t>(file, "/grid/cells"), readThree<double>(file, "/grid/origin"),
                   readThree<double>(file, "/grid/spacing")};
    const std::vector<std::string> members = file.members("/");
    for (const GridField& field : fields)
        if (std::find(members.begin(), members.end(), field.name) == members.end()) return std::nullopt;
    if (!(its == grid)) return std::nullopt;
    return file.read<double>("/grid/time", 1)[0];
}

} // namespace lbm
