// A Domain in a Message, but for turns: a domain that is cut into parts has none. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"
#include "lbm/api/Message.hpp"

#include <utility>

namespace lbm {

inline void put(Message& message, const Domain& d)
{
    message.put(d.dimensions), message.put(d.size), message.put(d.periodic), message.put(d.fluid.size());
    message.put(d.fluid.words()), message.put(d.links), message.put(d.patches), message.put(d.origin);
    message.put(d.spacing), message.put(d.ghostsBelow), message.put(d.ghostsAbove), message.put(d.reach);
    message.put(d.inWhole), message.put(d.whole);
}

inline Domain getDomain(Message& message)
{
    Domain d;
    message.get(d.dimensions), message.get(d.size), message.get(d.periodic);
    const auto n = message.get<std::int64_t>();
    std::vector<std::uint64_t> words;
    message.get(words);
    d.fluid = BitSet(n, std::move(words));
    message.get(d.links), message.get(d.patches), message.get(d.origin), message.get(d.spacing);
    message.get(d.ghostsBelow), message.get(d.ghostsAbove), message.get(d.reach);
    message.get(d.inWhole), message.get(d.whole);
    return d;
}

} // namespace lbm
