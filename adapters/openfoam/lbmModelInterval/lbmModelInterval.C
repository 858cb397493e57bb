// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmModelInterval.H"

#include <algorithm>

const Foam::scalar Foam::lbmModelInterval::tolerance = 0.05;
const Foam::scalar Foam::lbmModelInterval::calm = 0.4*tolerance;
const Foam::label Foam::lbmModelInterval::longest = 8;

// With 4 and more what flows past pitzDaily's step does not settle: U goes on changing by
// 1 to 3 % in the time of a passage
const Foam::label Foam::lbmModelInterval::mostSteady = 2;

// As transient solvers keep it for their accuracy
const Foam::scalar Foam::lbmModelInterval::courant = 0.5;

namespace
{
    const std::string stepsNote("models.interval");
    const std::string passedNote("models.behind");
    const std::string atOnceNote("models.atOnce");
    const std::string untoldNote("models.untold");
    const std::string followsNote("models.follows");
    const std::string halfwayNote("models.halfway");
    const std::string lengthNote("models.length");
    const std::string beforeNote("models.before");
    const std::string earlierNote("models.earlier");
}


Foam::lbmModelInterval::lbmModelInterval(const label steps)
:
    follows_(steps == 0),
    steps_(follows_ ? 1 : steps),
    passed_(1),
    length_(1),
    before_(1),
    earlier_(1),
    atOnce_(true),
    halfway_(false),
    untold_(false),
    solutions_(0),
    all_(0)
{}


void Foam::lbmModelInterval::solved()
{
    halfSolved();
    wholeSolved();
}


void Foam::lbmModelInterval::halfSolved()
{
    earlier_ = before_;
    before_ = length_;
    length_ = passed_;
    passed_ = 0;
    atOnce_ = false;
    halfway_ = true;
    ++solutions_;
}


void Foam::lbmModelInterval::wholeSolved()
{
    halfway_ = false;
    untold_ = true;
}


Foam::label Foam::lbmModelInterval::passing(const scalar courantNumber)
{
    // What is no number lets nothing pass
    if (!(courant >= courantNumber)) return 1;
    return std::min<scalar>(longest, courant/std::max(courantNumber, courant/longest));
}


void Foam::lbmModelInterval::told(const scalar change, const label most)
{
    untold_ = false;
    if (!follows_) return;
    // What is no number is no calm either
    if (change < calm) steps_ *= 2;
    else if (!(change <= tolerance)) steps_ /= 2;
    steps_ = std::clamp<label>(steps_, 1, std::min(most, longest));
}


void Foam::lbmModelInterval::begun()
{
    ++passed_;
    ++all_;
}


void Foam::lbmModelInterval::restart()
{
    if (halfway_)
    {
        // The half is dropped: the next solution is for its time steps, too
        passed_ += length_;
        length_ = before_;
        before_ = earlier_;
        // One of a checkpoint was not counted in this run
        if (solutions_ > 0) --solutions_;
    }
    if (follows_) steps_ = 1;
    atOnce_ = true;
    halfway_ = untold_ = false;
}


void Foam::lbmModelInterval::note(lbm::CheckpointNotes& notes) const
{
    notes.numbers[stepsNote] = steps_;
    notes.numbers[passedNote] = passed_;
    notes.numbers[atOnceNote] = atOnce_;
    notes.numbers[untoldNote] = untold_;
    notes.numbers[followsNote] = follows_;
    notes.numbers[halfwayNote] = halfway_;
    notes.numbers[lengthNote] = length_;
    notes.numbers[beforeNote] = before_;
    notes.numbers[earlierNote] = earlier_;
}


void Foam::lbmModelInterval::recall
(
    const lbm::CheckpointNotes& notes,
    const label most
)
{
    const auto steps = notes.numbers.find(stepsNote);
    if (steps == notes.numbers.end()) return;
    const auto number = [](const double value)
    {
        return label(std::clamp<double>(value, 1, longest));
    };
    // An interval that was given says nothing of one that follows the change
    const auto followed = notes.numbers.find(followsNote);
    const bool givenThere = followed != notes.numbers.end() && !(followed->second > 0);
    if (follows_ && !givenThere) steps_ = std::min(number(steps->second), std::max(most, label(1)));
    // Solved in each time step: also after another run that did not (a transient
    // one goes on from a steady one)
    const bool inEach = !follows_ && steps_ == 1;
    passed_ = inEach ? 1 : number(notes.numbers.at(passedNote));
    const auto is = [&](const std::string& name)
    {
        const auto found = notes.numbers.find(name);
        return found != notes.numbers.end() && found->second > 0;
    };
    atOnce_ = is(atOnceNote);
    halfway_ = is(halfwayNote);
    untold_ = is(untoldNote);
    const auto noted = [&](const std::string& name)
    {
        const auto found = notes.numbers.find(name);
        return found == notes.numbers.end() ? label(1) : number(found->second);
    };
    length_ = noted(lengthNote);
    before_ = noted(beforeNote);
    earlier_ = noted(earlierNote);
}
