// What the host can give, out of files as systems have them. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/HostMemory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

using lbm::availableMemory;
namespace fs = std::filesystem;

namespace {

class HostMemory : public testing::Test {
protected:
    HostMemory()
    {
        std::string name = (fs::temp_directory_path() / "lbmHostMemory.XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
        root = name;
        write("proc/meminfo",
              "MemTotal:       64000000 kB\nMemFree:         1000000 kB\nMemAvailable:   40000000 kB\n");
    }
    ~HostMemory() override { fs::remove_all(root); }

    void write(const std::string& file, const std::string& text) const
    {
        fs::create_directories((fs::path(root) / file).parent_path());
        std::ofstream(fs::path(root) / file) << text;
    }

    std::string root;
};

constexpr std::uint64_t all = 40960000000; // 40 000 000 kB

} // namespace

TEST_F(HostMemory, isWhatTheKernelCallsAvailable)
{
    EXPECT_EQ(availableMemory(root), all);
    write("proc/self/cgroup", "0::/user.slice\n");
    EXPECT_EQ(availableMemory(root), all);
    write("sys/fs/cgroup/user.slice/memory.max", "max\n");
    write("sys/fs/cgroup/user.slice/memory.current", "5000000000\n");
    EXPECT_EQ(availableMemory(root), all);
}

// The least of all groups around the process, whatever it is in; what files' pages take can be had.
TEST_F(HostMemory, isWhatControlGroupsLeave)
{
    write("proc/self/cgroup", "0::/system.slice/job\n");
    write("sys/fs/cgroup/system.slice/memory.max", "9000000000\n");
    write("sys/fs/cgroup/system.slice/memory.current", "2500000000\n");
    write("sys/fs/cgroup/system.slice/job/memory.max", "8000000000\n");
    write("sys/fs/cgroup/system.slice/job/memory.current", "1000000000\n");
    EXPECT_EQ(availableMemory(root), 6500000000u);
    write("sys/fs/cgroup/system.slice/memory.stat", "anon 7\ninactive_file 400000000\nactive_file 300000000\n");
    EXPECT_EQ(availableMemory(root), 7000000000u);
    write("sys/fs/cgroup/system.slice/job/memory.current", "9000000000\n"); // over its limit for a moment
    EXPECT_EQ(availableMemory(root), 0u);
}

TEST_F(HostMemory, isWhatControlGroupsOfTheFirstVersionLeave)
{
    write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/docker/abc\n3:cpuset:/memory\n0::/\n");
    const std::string group = "sys/fs/cgroup/memory/docker/abc/";
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"); // as it says where there is none
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "20000000000\n");
    EXPECT_EQ(availableMemory(root), all);
    write(group + "memory.limit_in_bytes", "4000000000\n");
    write(group + "memory.usage_in_bytes", "3000000000\n");
    write(group + "memory.stat", "total_inactive_file 500000000\ninactive_file 100000000\n");
    EXPECT_EQ(availableMemory(root), 1500000000u);
}

// A container sees its own group where the mount begins, and may be told of paths beyond.
TEST_F(HostMemory, isWhatAContainersOwnGroupLeaves)
{
    write("sys/fs/cgroup/memory.max", "3000000000\n");
    write("sys/fs/cgroup/memory.current", "1000000000\n");
    for (const char* path : {"/", "/docker/abc", "/../../elsewhere"}) {
        write("proc/self/cgroup", std::string("0::") + path + "\n");
        EXPECT_EQ(availableMemory(root), 2000000000u) << path;
    }
}

TEST_F(HostMemory, isToldOrRefused)
{
    EXPECT_GT(availableMemory(), 0u);
    write("proc/meminfo", "MemTotal:       64000000 kB\n");
    try {
        availableMemory(root);
        ADD_FAILURE() << "not refused";
    } catch (const std::runtime_error& fault) {
        EXPECT_EQ(fault.what(), root + "/proc/meminfo has no entry MemAvailable");
    }
}
