// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/HostMemory.hpp"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace lbm {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// Of a control group (Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst).
struct GroupFiles {
    const char *limit, *used;
    std::initializer_list<const char*> filePages; // entries of memory.stat
};
const GroupFiles unified{"memory.max", "memory.current", {"active_file", "inactive_file"}};
const GroupFiles legacy{"memory.limit_in_bytes", "memory.usage_in_bytes", {"total_active_file", "total_inactive_file"}};

// A file of one number; `missing` where there is no such file or it says "max".
std::uint64_t numberIn(const std::string& file, std::uint64_t missing)
{
    std::ifstream is(file);
    std::uint64_t number;
    return is >> number ? number : missing;
}

// Of a file of keys and numbers, those of one key; false: none.
bool findNumber(const std::string& file, const std::string& key, std::uint64_t& number)
{
    std::ifstream is(file);
    for (std::string line, word; std::getline(is, line);)
        if (std::istringstream words(line); words >> word && word == key && words >> number) return true;
    return false;
}

std::uint64_t leftIn(const std::string& group, const GroupFiles& files)
{
    const std::uint64_t limit = numberIn(group + files.limit, unlimited);
    if (limit == unlimited) return unlimited;
    std::uint64_t used = numberIn(group + files.used, 0);
    for (const char* key : files.filePages)
        if (std::uint64_t pages; findNumber(group + "memory.stat", key, pages)) used -= std::min(used, pages);
    return limit - std::min(limit, used);
}

// Of a group and of all around it. A container may see its own as the top, and be told of a path that is not there.
std::uint64_t leftAround(const std::string& mount, std::string path, const GroupFiles& files)
{
    if ((path + "/").find("/../") != std::string::npos) path = "/"; // outside of what this process sees
    std::uint64_t left = leftIn(mount + "/", files);
    for (; path.size() > 1; path.erase(path.rfind('/'))) left = std::min(left, leftIn(mount + path + "/", files));
    return left;
}

// A line of /proc/self/cgroup: number:controllers:path, the first two "0:" with version 2.
std::uint64_t leftBy(const std::string& line, const std::string& mounts)
{
    std::istringstream words(line);
    std::string number, controllers, path;
    std::getline(words, number, ':');
    std::getline(words, controllers, ':');
    std::getline(words, path);
    if (number == "0" && controllers.empty()) return leftAround(mounts, path, unified);
    if (("," + controllers + ",").find(",memory,") == std::string::npos) return unlimited;
    return leftAround(mounts + "/memory", path, legacy);
}

} // namespace

std::uint64_t availableMemory(const std::string& root)
{
    std::uint64_t available = 0;
    if (!findNumber(root + "/proc/meminfo", "MemAvailable:", available))
        throw std::runtime_error(root + "/proc/meminfo has no entry MemAvailable");
    available *= 1024; // it counts kilobytes
    std::ifstream groups(root + "/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);)
        available = std::min(available, leftBy(line, root + "/sys/fs/cgroup"));
    return available;
}

} // namespace lbm
