// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmBeside.H"
#include "plugin/common/lbmProgram.H"

#include <chrono>

void Foam::lbmBeside::begin(const std::function<void()>& work)
{
    throwing_.reset(new lbmThrowing);
    work_ = std::async(std::launch::async, work);
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
