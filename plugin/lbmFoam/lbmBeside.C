// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmBeside.H"
#include "plugin/common/lbmProgram.H"

#include <chrono>

void Foam::lbmBeside::begin(const std::function<void()>& work)
{
    throwing_.reset(new lbmThrowing);
    if (!thread_.joinable()) thread_ = std::thread([this]{ serve(); });
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        next_ = std::packaged_task<void()>(work);
        work_ = next_.get_future();
    }
    told_.notify_one();
}


void Foam::lbmBeside::serve()
{
    for (;;)
    {
        std::packaged_task<void()> task;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            told_.wait(lock, [this]{ return ends_ || next_.valid(); });
            if (!next_.valid()) return;
            task.swap(next_);
        }
        task();
    }
}


Foam::lbmBeside::~lbmBeside()
{
    leave();
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ends_ = true;
    }
    told_.notify_one();
    if (thread_.joinable()) thread_.join();
}


bool Foam::lbmBeside::busy() const
{
    return work_.valid()
        && work_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}


void Foam::lbmBeside::wait()
{
    if (!work_.valid()) return;
    work_.wait();
    throwing_.reset();
    lbmProgram::reading([this]{ work_.get(); });
}


void Foam::lbmBeside::leave()
{
    if (work_.valid()) work_.wait();
    throwing_.reset();
    work_ = {};
}
