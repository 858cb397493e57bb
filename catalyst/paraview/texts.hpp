// Texts up to a null pointer, as the interface of modules hands them over. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <string>
#include <vector>

inline std::vector<std::string> list(const char* const* texts)
{
    std::vector<std::string> result;
    for (; texts && *texts; ++texts) result.push_back(*texts);
    return result;
}
