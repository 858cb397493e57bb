// HostArray: page-aligned memory on huge pages where the system gives them, untouched until the caller's
// threads write it (first touch decides the NUMA node), with room for one vector before and behind.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstddef>
#include <new>

#include <sys/mman.h>

namespace lbm {

template<class T>
class HostArray {
public:
    static constexpr std::size_t margin = 4096;

    HostArray() = default;
    explicit HostArray(std::size_t n) : bytes_(n * sizeof(T) + 2 * margin)
    {
        // Huge pages need an aligned range: ask for one page more and begin at its boundary.
        constexpr std::size_t huge = std::size_t(2) << 20;
        bytes_ += huge;
        void* raw = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (raw == MAP_FAILED) throw std::bad_alloc();
        base_ = raw;
        madvise(raw, bytes_, MADV_HUGEPAGE);
        const std::size_t start = (reinterpret_cast<std::size_t>(raw) + margin + huge - 1) / huge * huge;
        data_ = reinterpret_cast<T*>(start);
    }
    ~HostArray()
    {
        if (base_) munmap(base_, bytes_);
    }

    HostArray(HostArray&& other) noexcept { swap(other); }
    HostArray& operator=(HostArray&& other) noexcept
    {
        swap(other);
        return *this;
    }

    T* data() { return data_; }
    const T* data() const { return data_; }

    void swap(HostArray& other) noexcept
    {
        std::size_t b = bytes_;
        bytes_ = other.bytes_;
        other.bytes_ = b;
        void* p = base_;
        base_ = other.base_;
        other.base_ = p;
        T* d = data_;
        data_ = other.data_;
        other.data_ = d;
    }

private:
    std::size_t bytes_ = 0;
    void* base_ = nullptr;
    T* data_ = nullptr;
};

} // namespace lbm
