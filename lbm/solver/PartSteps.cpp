// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/PartSteps.hpp"

#include <algorithm>
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
    std::vector<Halo*> left;
    for (const auto& halo : halos_) left.push_back(halo.get());
    while (!left.empty()) {
        for (Halo* halo : left) halo->start(what);
        for (Halo* halo : left) halo->take(what);
        left.erase(std::remove_if(left.begin(), left.end(), [](const Halo* halo) { return !halo->more(); }),
                   left.end());
    }
    ghosts_ = what == Handover::forStep ? Ghosts::forStep : Ghosts::whole;
}

void PartSteps::nodesWritten()
{
    if (followers_ && ghosts_ != Ghosts::old) followers_->nodesWritten();
    ghosts_ = Ghosts::old;
    boxKnown_ = false;
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
    const bool first = !std::exchange(begun_, true);
    if (first) {
        rims_.be(parts_, halos_, textsOfAll_);
        if (!followers_) graph_.be(parts_, halos_);
    }
    if (steps > 0 && rims_.stepsOfPass(parts_, steps) > 0) return advanceOverBox(steps);
    boxKnown_ = false;
    if (ghosts_ == Ghosts::old) take(Handover::whole);
    if (!parts_.empty() && parts_.front()->inSlabs()) return advanceInSlabs(steps);
    rims_.make(parts_, [&] {
        graph_.advance(
            steps, [this] { step(); }, [this](std::int64_t some) { rims_.begun(parts_, some); });
    });
}

// All parts have the same pieces, so that what one hands over the others take into the layers that they have just stepped.
void PartSteps::advanceInSlabs(std::int64_t steps)
{
    std::int64_t pieces = 0;
    for (Part* part : parts_) pieces = part->inSlabs()->beginPasses(steps);
    for (; pieces > 0; --pieces) {
        for (Part* part : parts_) part->inSlabs()->stepPiece();
        take(Handover::piece);
        for (Part* part : parts_) part->inSlabs()->endPiece();
    }
    for (Part* part : parts_) part->inSlabs()->endPasses(steps);
    for (Part* part : parts_) part->wait();
}

// Passes move from copy to copy other than steps one by one do, on which recorded ones rely.
void PartSteps::advanceOverBox(std::int64_t steps)
{
    graph_.forget();
    rims_.make(parts_, [&] { rims_.passOverBox(parts_, steps, boxKnown_); });
    boxKnown_ = true;
    ghosts_ = Ghosts::whole;
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

std::string PartSteps::begun() const
{
    const std::string how = graph_.found();
    if (!rims_.passed()) return how;
    std::string text = "steps store what others take into their ghosts themselves";
    if (stepsOfPass() > 1) text += ", " + std::to_string(stepsOfPass()) + " in a pass";
    return text + (how.empty() ? how : "; " + how);
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
