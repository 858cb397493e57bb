// FieldValues: room for the values of fields that are described without them (catalyst/insitu.h), kept from one call to
// the next. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/insitu.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace lbm {

class FieldValues {
public:
    // The fields, all with values, valid until the next call. Throws std::runtime_error where the source fails.
    std::vector<lbmInsituArray> fill(const lbmInsituArray* fields, int n, const lbmInsituSource* source)
    {
        std::vector<lbmInsituArray> result(fields, fields + n);
        std::vector<const char*> names;
        std::vector<void*> rooms;
        rooms_.resize(n);
        for (int i = 0; i < n; ++i) {
            if (result[i].values) continue;
            const std::size_t each = result[i].type == LBM_FLOAT64 ? sizeof(double) : sizeof(float);
            rooms_[i].resize(each * result[i].components * result[i].tuples);
            result[i].values = rooms_[i].data();
            names.push_back(result[i].name);
            rooms.push_back(rooms_[i].data());
        }
        if (names.empty()) return result;
        if (!source || source->sample(source->self, names.data(), int(names.size()), nullptr, 0, rooms.data()) != 0)
            throw std::runtime_error(std::string("fields cannot be computed, the first of them ") + names[0]);
        return result;
    }

private:
    std::vector<std::vector<char>> rooms_;
};

} // namespace lbm
