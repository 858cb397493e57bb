// Windows of a CUDA device: addresses that come and go. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/Window.hpp"

#include "tests/built.hpp"

#include <gtest/gtest.h>

namespace lbm::cuda {
namespace {

// Thrown away while the device still fills it, which the driver itself does not wait for: the fault would be told by what is asked next.
TEST(Window, goesWhenWorkInItHasEnded)
{
    SKIP_WITHOUT_DEVICE();
    const Device device("cuda");
    const std::size_t bytes = std::size_t(8) << 30;
    if (device.freeBytes() < bytes + bytes / 8) GTEST_SKIP() << "8.6 GB of a device's memory are needed";
    for (int i = 0; i < 3; ++i) Window(device, bytes, bytes, 0);
    EXPECT_NO_THROW(device.synchronize("windows that have gone"));
}

} // namespace
} // namespace lbm::cuda
