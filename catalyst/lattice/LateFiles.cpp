// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/LateFiles.hpp"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace lbm {

namespace {

// exit() destroys nobody's LateFiles, but ends their threads: it waits until what they write is whole
class Unfinished {
public:
    void begin()
    {
        static const int registered = std::atexit([] { all().end(); });
        (void)registered;
        const std::lock_guard<std::mutex> lock(mutex_);
        ++n_;
    }
    void done()
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        --n_;
        changed_.notify_all();
    }

    // Never destroyed: threads may still look at it
    static Unfinished& all()
    {
        static Unfinished& lots = *new Unfinished;
        return lots;
    }

private:
    void end()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return n_ == 0; });
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    int n_ = 0;
};

class Open {
public:
    explicit Open(const LateFiles::File& file) :
        name_(LateFiles::unfinished(file.name)),
        descriptor_(open(name_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (file.begun ? 0 : O_TRUNC), 0666))
    {
        if (descriptor_ < 0) fail();
    }
    ~Open()
    {
        if (descriptor_ >= 0) close(descriptor_);
    }
    Open(const Open&) = delete;
    void operator=(const Open&) = delete;

    void write(const void* data, std::size_t n, std::uint64_t& at)
    {
        const char* from = static_cast<const char*>(data);
        while (n > 0) {
            const ssize_t done = pwrite(descriptor_, from, n, off_t(at));
            if (done < 0 && errno == EINTR) continue;
            if (done == 0) errno = ENOSPC; // which tells no reason
            if (done <= 0) fail();
            from += done, n -= std::size_t(done), at += std::uint64_t(done);
        }
    }

    void finish(const std::string& name)
    {
        if (fsync(descriptor_) != 0 || close(std::exchange(descriptor_, -1)) != 0) fail();
        if (rename(name_.c_str(), name.c_str()) != 0) fail();
    }

private:
    [[noreturn]] void fail() const
    {
        const std::string why = std::strerror(errno);
        unlink(name_.c_str());
        throw std::runtime_error(name_ + " cannot be written: " + why);
    }

    std::string name_;
    int descriptor_;
};

void writeOne(const LateFiles::File& file)
{
    Open open(file);
    for (const LateFiles::Piece& piece : file.pieces) {
        std::uint64_t at = piece.at;
        open.write(piece.text.data(), piece.text.size(), at);
        open.write(piece.values.data(), piece.values.size() * sizeof(float), at);
    }
    open.finish(file.name);
}

struct Mark {
    Mark() { Unfinished::all().begin(); }
    ~Mark() { Unfinished::all().done(); }
    Mark(const Mark&) = delete;
    void operator=(const Mark&) = delete;
};

} // namespace

LateFiles::~LateFiles()
{
    if (running_.valid()) running_.wait();
}

void LateFiles::write(std::vector<File> files)
{
    wait();
    // Before the thread begins, which exit() would not know of otherwise
    auto mark = std::make_shared<Mark>();
    running_ = std::async(std::launch::async, [files = std::move(files), mark = std::move(mark)]() mutable {
        const auto whole = std::move(mark);
        for (File& file : files) {
            writeOne(file);
            file = {};
        }
    });
}

void LateFiles::wait()
{
    if (running_.valid()) running_.get();
}

void LateFiles::check()
{
    if (running_.valid() && running_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) running_.get();
}

} // namespace lbm
