// Lanes: a few things that threads use one at a time, such as a device's streams with memory of their own: made when they are first
// needed; who finds none free waits. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace lbm {

template<class Lane>
class Lanes {
public:
    explicit Lanes(int most) : most_(most) {}

    // Calls act(lane) with one that nobody else uses meanwhile; make() makes a new one, by pointer. One whose act throws is not used
    // again.
    template<class Make, class Act>
    void use(const Make& make, const Act& act)
    {
        std::unique_ptr<Lane> lane = take();
        try {
            if (!lane) lane = make();
            act(*lane);
        } catch (...) {
            lane.reset();
            giveBack(nullptr);
            throw;
        }
        giveBack(std::move(lane));
    }

private:
    // Null: a new one is to be made.
    std::unique_ptr<Lane> take()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return !free_.empty() || made_ < most_; });
        if (free_.empty()) {
            ++made_;
            return nullptr;
        }
        std::unique_ptr<Lane> lane = std::move(free_.back());
        free_.pop_back();
        return lane;
    }

    void giveBack(std::unique_ptr<Lane> lane)
    {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (lane) free_.push_back(std::move(lane));
            else --made_;
        }
        changed_.notify_one();
    }

    int most_, made_ = 0;
    std::vector<std::unique_ptr<Lane>> free_;
    std::mutex mutex_;
    std::condition_variable changed_;
};

} // namespace lbm
