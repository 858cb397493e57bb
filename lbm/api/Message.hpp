// Message: values that go from one process to another, one after the other as bytes. Both are of one build and one kind of
// machine. Throws std::logic_error where more is read than was put. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace lbm {

class Message {
public:
    Message() = default;
    template<class... Values>
    explicit Message(const Values&... values)
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
        if (n > bytes.size() - at_) throw std::logic_error("a message is shorter than what is read of it");
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

} // namespace lbm
