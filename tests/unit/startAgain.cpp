// Settings that libraries read before main() take the places of variables that can be spared. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/startAgain.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace {

// As a process gets it: null at its end
struct Environment {
    explicit Environment(std::vector<std::string> names) : texts(std::move(names))
    {
        for (std::string& text : texts) entries.push_back(text.data());
        entries.push_back(nullptr);
    }

    std::vector<std::string> now() const { return {entries.begin(), entries.end() - 1}; }

    std::vector<std::string> texts;
    std::vector<char*> entries;
};

const char* const settings[] = {"ONE=1", nullptr, "TWO=2"};

} // namespace

TEST(StartAgain, takesPlacesThatCanBeSpared)
{
    Environment environment({"HOME=/here", "SHLVL=1", "PATH=/bin", "_=/bin/program", "OLDPWD=/"});
    char* displaced[3];
    ASSERT_TRUE(lbm::putInPlace(environment.entries.data(), settings, 3, displaced));
    EXPECT_EQ(environment.now(), (std::vector<std::string>{"HOME=/here", "ONE=1", "PATH=/bin", "TWO=2", "OLDPWD=/"}));
    EXPECT_STREQ(displaced[0], "SHLVL=1");
    EXPECT_EQ(displaced[1], nullptr);
    EXPECT_STREQ(displaced[2], "_=/bin/program");
}

TEST(StartAgain, leavesTooSmallAnEnvironmentAsItIs)
{
    const std::vector<std::string> names{"HOME=/here", "TERM=dumb", "_x=1", "TERMINAL=2"};
    Environment environment(names);
    char* displaced[3];
    EXPECT_FALSE(lbm::putInPlace(environment.entries.data(), settings, 3, displaced));
    EXPECT_EQ(environment.now(), names);
}

TEST(StartAgain, bringsBackWhatItDisplaced)
{
    static char text[] = "lbmDisplaced=yes";
    char* const displaced[] = {nullptr, text};
    lbm::putBack(displaced, 2);
    ASSERT_NE(std::getenv("lbmDisplaced"), nullptr);
    EXPECT_STREQ(std::getenv("lbmDisplaced"), "yes");
    unsetenv("lbmDisplaced");
}
