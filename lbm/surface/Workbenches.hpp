// Workbenches: a few things that threads use one at a time, such as a device's streams with memory of their own; who finds none free
// waits. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace lbm {

template<class Workbench>
class Workbenches {
public:
    Workbenches() = default;
    void add(std::unique_ptr<Workbench> one) { free_.push_back(std::move(one)); } // before threads use them

    // Calls act(workbench) with one that nobody else uses meanwhile.
    template<class Act>
    void use(const Act& act)
    {
        Taken taken{*this, take()};
        act(*taken.one);
    }

private:
    // Given back whether or not act throws
    struct Taken {
        Workbenches& all;
        std::unique_ptr<Workbench> one;
        ~Taken() { all.giveBack(std::move(one)); }
    };

    std::unique_ptr<Workbench> take()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return !free_.empty(); });
        std::unique_ptr<Workbench> one = std::move(free_.back());
        free_.pop_back();
        return one;
    }

    // There is room, for it was there before.
    void giveBack(std::unique_ptr<Workbench> one)
    {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            free_.push_back(std::move(one));
        }
        changed_.notify_one();
    }

    std::vector<std::unique_ptr<Workbench>> free_;
    std::mutex mutex_;
    std::condition_variable changed_;
};

} // namespace lbm
