// NCCL is found when the program runs, or what is missing is said. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/Nccl.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace lbm::cuda {
namespace {

std::string faultOf(const char* library)
{
    setenv("LBM_NCCL_LIBRARY", library, 1);
    std::string words;
    try {
        ncclName();
    } catch (const Error& fault) {
        words = fault.what();
    }
    unsetenv("LBM_NCCL_LIBRARY");
    return words;
}

// In this order: once found, it stays.
TEST(Nccl, isFoundOrSaysWhatIsMissing)
{
    EXPECT_EQ(faultOf("/nowhere/libnccl.so").find("NCCL is not found: /nowhere/libnccl.so"), std::size_t(0));
    EXPECT_EQ(faultOf("libm.so.6"), "NCCL: the library has no ncclGetErrorString");
    try {
        ncclName();
    } catch (const Error& missing) {
        GTEST_SKIP() << missing.what();
    }
    EXPECT_EQ(ncclName().find("NCCL 2."), std::size_t(0));
    EXPECT_EQ(faultOf("/nowhere/libnccl.so"), "");
    EXPECT_EQ(newNcclId().size(), std::size_t(128));
}

} // namespace
} // namespace lbm::cuda
