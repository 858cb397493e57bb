// Cuda: a CUDA device as host code sees it. Every call is checked; a failure throws cuda::Error, whose text
// names the device and what was being done.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace lbm::cuda {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws where there is none, or its driver is too old.
int deviceCount();

class Device {
public:
    // "cuda" (the first), "cuda:N" by number, or "cuda:NAME" by a part of its name. Throws if there is no such
    // device or its driver is too old.
    explicit Device(const std::string& word);

    // E.g. "cuda:0 (NVIDIA H200)".
    const std::string& name() const { return name_; }

    int index() const { return index_; }

    // Which of all there are, whatever a process calls it.
    std::string identity() const;

    // Makes it the device of the calling thread, which each call below does by itself. To be called before kernels are started.
    void use() const;

    // Throws if a call before, or work that it started, has failed. `what`: whose, for the message.
    void check(const std::string& what) const;
    void synchronize(const std::string& what) const;

    std::size_t freeBytes() const;

    // Throws if so much is not free. The message says how many of `items` would fit.
    void require(std::size_t bytes, double items, const std::string& itemName) const;

    // Shared memory that a block of the kernel will ask for. Throws if the device has less.
    void allowSharedMemory(const void* kernel, std::size_t bytes) const;
    std::size_t sharedMemory() const; // that a block of threads may have at most

    void* allocate(std::size_t bytes) const;
    void release(void* memory) const noexcept;
    void fillZero(void* memory, std::size_t bytes) const;
    void toDevice(void* target, const void* source, std::size_t bytes) const;
    void toHost(void* target, const void* source, std::size_t bytes) const;

    // Bytes per second of copies within the device's memory, reads and writes together.
    double copyBandwidth(std::size_t bytes) const;

    // Bytes per second each way over the link to the host, while both ways are in use.
    double linkBandwidth(std::size_t bytes) const;

private:
    int index_ = 0;
    std::string name_;
};

// Device memory for n values, zero at first.
template<class T>
class Array {
public:
    Array() = default;
    Array(const Device& device, std::size_t n) : device_(&device), n_(n)
    {
        if (n == 0) return;
        data_ = static_cast<T*>(device.allocate(bytes()));
        device.fillZero(data_, bytes());
    }
    Array(const Device& device, const T* values, std::size_t n) : Array(device, n) { upload(values, n); }
    ~Array()
    {
        if (data_) device_->release(data_);
    }

    Array(Array&& other) noexcept { swap(other); }
    Array& operator=(Array&& other) noexcept
    {
        swap(other);
        return *this;
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return n_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

    void upload(const T* values, std::size_t n)
    {
        if (n) device_->toDevice(data_, values, n * sizeof(T));
    }
    // values: of all; those numbered first to last - 1 are copied.
    void upload(const T* values, std::size_t first, std::size_t last)
    {
        if (first < last) device_->toDevice(data_ + first, values + first, (last - first) * sizeof(T));
    }
    void download(T* values, std::size_t n) const
    {
        if (n) device_->toHost(values, data_, n * sizeof(T));
    }

    void swap(Array& other) noexcept
    {
        const Device* device = device_;
        device_ = other.device_;
        other.device_ = device;
        T* data = data_;
        data_ = other.data_;
        other.data_ = data;
        std::size_t n = n_;
        n_ = other.n_;
        other.n_ = n;
    }

private:
    const Device* device_ = nullptr;
    T* data_ = nullptr;
    std::size_t n_ = 0;
};

} // namespace lbm::cuda
