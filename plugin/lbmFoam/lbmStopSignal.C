// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmStopSignal.H"
#include "lbm/api/Ranks.hpp"

#include <chrono>
#include <csignal>
#include <unistd.h>

namespace
{

volatile std::sig_atomic_t lastSignal = 0;

void (*lastCall)() = nullptr;

extern "C" void keepSignal(int signal)
{
    lastSignal = signal;
}


// What a handler may do is little: no stream, no destructor
template<std::size_t n>
[[noreturn]] void endWith(const char (&text)[n], const int signal)
{
    lastCall();
    const ssize_t written = write(STDERR_FILENO, text, n - 1);
    static_cast<void>(written);
    _exit(128 + signal);
}


extern "C" void endProcess(int signal)
{
    if (signal == SIGINT)
    {
        endWith("\nSIGINT before the time loop: nothing was written\n", signal);
    }
    endWith("\nSIGTERM before the time loop: nothing was written\n", signal);
}


void handle(void (*const handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

} // End anonymous namespace


void Foam::lbmStopSignal::endAtOnce(void (*const last)())
{
    lastCall = last;
    handle(endProcess);
}


void Foam::lbmStopSignal::remember()
{
    handle(keepSignal);
}


void Foam::lbmStopSignal::leaveOthersToFirst()
{
    struct sigaction action = {};
    action.sa_handler = SIG_IGN;
    sigaction(SIGUSR1, &action, nullptr);
    sigaction(SIGUSR2, &action, nullptr);
}


bool Foam::lbmStopSignal::received()
{
    using clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds seldom(50);
    static clock::time_point asked;
    if (!lastSignal && lbm::ranks() > 1 && clock::now() - asked > seldom)
    {
        asked = clock::now();
        const int signal = lbm::signalOfRanks();
        if (signal) lastSignal = signal;
    }
    return lastSignal != 0;
}


int Foam::lbmStopSignal::number()
{
    return lastSignal;
}


Foam::word Foam::lbmStopSignal::name()
{
    return lastSignal == SIGINT ? "SIGINT" : "SIGTERM";
}
