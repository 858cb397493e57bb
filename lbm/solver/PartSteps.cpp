// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/PartSteps.hpp"

#include <utility>

namespace lbm {

// Others let go what is this one's, too, and wait for it to do so.
PartSteps::~PartSteps()
{
    if (followers_) followers_->end();
    for (const auto& halo : halos_) halo->close();
}

void PartSteps::take(Handover what)
{
    for (const auto& halo : halos_) halo->start(what);
    for (const auto& halo : halos_) halo->take(what);
    ghosts_ = what == Handover::whole ? Ghosts::whole : Ghosts::forStep;
}

void PartSteps::nodesWritten()
{
    if (followers_ && ghosts_ != Ghosts::old) followers_->nodesWritten();
    ghosts_ = Ghosts::old;
}

void PartSteps::fillGhosts()
{
    if (ghosts_ == Ghosts::whole) return;
    if (followers_) followers_->fillGhosts();
    take(Handover::whole);
}

void PartSteps::advance(std::int64_t steps)
{
    if (followers_) followers_->advance(steps);
    if (ghosts_ == Ghosts::old) take(Handover::whole);
    if (!std::exchange(begun_, true) && !followers_) graph_.be(parts_, halos_);
    graph_.advance(steps, [this] { step(); });
    for (Part* part : parts_) part->wait();
}

void PartSteps::step()
{
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        Part& part = *parts_[backwards_ ? parts_.size() - 1 - i : i];
        part.begin(PartOfTiles::rim);
        part.begin(PartOfTiles::inner);
    }
    backwards_ = !backwards_;
    take(Handover::forStep);
}

std::size_t PartSteps::bytes() const
{
    std::size_t sum = 0;
    for (const auto& halo : halos_) sum += halo->bytes();
    return sum;
}

std::set<std::string> PartSteps::ways() const
{
    std::set<std::string> all;
    for (const auto& halo : halos_)
        if (const std::string way = halo->way(); !way.empty()) all.insert(way);
    return all;
}

} // namespace lbm
