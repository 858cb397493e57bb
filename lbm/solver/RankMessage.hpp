// RankMessage: values that go from one rank to another, one after the other as bytes. Ranks are of one build and one kind of
// machine. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace lbm {

class RankMessage {
public:
    RankMessage() = default;
    template<class... Values>
    explicit RankMessage(const Values&... values)
    {
        (put(values), ...);
    }

    void putRaw(const void* values, std::size_t n)
    {
        const std::size_t at = bytes.size();
        bytes.resize(at + n);
        if (n) std::memcpy(bytes.data() + at, values, n);
    }

    template<class T>
    void put(const T& value)
    {
        static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
        putRaw(&value, sizeof value);
    }
    template<class T>
    void put(const std::vector<T>& values)
    {
        put(values.size());
        putRaw(values.data(), values.size() * sizeof(T));
        static_assert(std::is_trivially_copyable_v<T>);
    }
    void put(const std::string& text)
    {
        put(text.size());
        putRaw(text.data(), text.size());
    }
    void put(const std::vector<std::string>& texts)
    {
        put(texts.size());
        for (const std::string& text : texts) put(text);
    }

    template<class T>
    void put(const T* values, std::size_t n)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        put(n);
        putRaw(values, n * sizeof(T));
    }

    // In the order in which they were put.
    void getRaw(void* values, std::size_t n)
    {
        if (n > bytes.size() - at_) throw std::logic_error("ranks: a message is shorter than what is read of it");
        if (n) std::memcpy(values, bytes.data() + at_, n);
        at_ += n;
    }

    template<class T>
    T get()
    {
        T value;
        get(value);
        return value;
    }
    template<class T>
    void get(T& value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        getRaw(&value, sizeof value);
    }
    template<class T>
    void get(std::vector<T>& values)
    {
        values.resize(get<std::size_t>());
        getRaw(values.data(), values.size() * sizeof(T));
    }
    void get(std::string& text)
    {
        text.resize(get<std::size_t>());
        getRaw(text.data(), text.size());
    }
    void get(std::vector<std::string>& texts)
    {
        texts.resize(get<std::size_t>());
        for (std::string& text : texts) get(text);
    }

    // To where there is room for as many as were put
    template<class T>
    void get(T* values)
    {
        getRaw(values, get<std::size_t>() * sizeof(T));
    }

    std::vector<char> bytes;

private:
    std::size_t at_ = 0;
};

// f of every member, for both directions.
template<class C, class F>
void forMembers(C& c, F&& f)
{
    f(c.lattice), f(c.collision), f(c.equilibrium), f(c.storage), f(c.closure), f(c.coefficients), f(c.precision);
    f(c.device), f(c.arithmetic), f(c.tile), f(c.threads), f(c.deviceMemory), f(c.slabSteps), f(c.slabLayers);
    f(c.parts), f(c.exchange), f(c.sharedDevices), f(c.ranks), f(c.tau), f(c.magic), f(c.sigma), f(c.force),
        f(c.nodeForces), f(c.patches);
}

inline void put(RankMessage& message, const Config& config)
{
    forMembers(config, [&](const auto& member) { message.put(member); });
}

inline Config getConfig(RankMessage& message)
{
    Config config;
    forMembers(config, [&](auto& member) { message.get(member); });
    return config;
}

inline void put(RankMessage& message, const Domain& d)
{
    message.put(d.dimensions), message.put(d.size), message.put(d.periodic), message.put(d.fluid.size());
    message.put(d.fluid.words()), message.put(d.links), message.put(d.patches), message.put(d.origin);
    message.put(d.spacing), message.put(d.ghostsBelow), message.put(d.ghostsAbove), message.put(d.reach);
}

inline Domain getDomain(RankMessage& message)
{
    Domain d;
    message.get(d.dimensions), message.get(d.size), message.get(d.periodic);
    const auto n = message.get<std::int64_t>();
    std::vector<std::uint64_t> words;
    message.get(words);
    d.fluid = BitSet(n, std::move(words));
    message.get(d.links), message.get(d.patches), message.get(d.origin), message.get(d.spacing);
    message.get(d.ghostsBelow), message.get(d.ghostsAbove), message.get(d.reach);
    return d;
}

} // namespace lbm
