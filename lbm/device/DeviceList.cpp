// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/DeviceList.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace lbm {

bool namesAllDevices(const std::string& word)
{
    const auto colon = word.find(':');
    return colon != std::string::npos && word.substr(colon + 1) == "all";
}

std::vector<std::string> devicesIn(const std::string& word, int present)
{
    const auto colon = word.find(':');
    if (colon == std::string::npos) return {word};
    const std::string kind = word.substr(0, colon + 1), names = word.substr(colon + 1);
    std::vector<std::string> list;
    if (namesAllDevices(word)) {
        for (int i = 0; i < present; ++i) list.push_back(kind + std::to_string(i));
        return list;
    }
    for (std::size_t begin = 0; begin <= names.size();) {
        const std::size_t end = std::min(names.find(',', begin), names.size());
        const std::string name = names.substr(begin, end - begin);
        if (name.empty()) throw std::invalid_argument("device '" + word + "': a name is missing");
        if (name == "all") throw std::invalid_argument("device '" + word + "': all is named beside others");
        list.push_back(kind + name);
        begin = end + 1;
    }
    return list;
}

int deviceOfPart(int part, int parts, int devices) { return int(std::int64_t(part) * devices / parts); }

} // namespace lbm
