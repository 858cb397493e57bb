// format: a line of a table, as printf makes it. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdio>
#include <string>

namespace lbm::bench {

// At most 255 characters.
template<class... Values>
std::string format(const char* pattern, Values... values)
{
    char text[256];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
}

} // namespace lbm::bench
