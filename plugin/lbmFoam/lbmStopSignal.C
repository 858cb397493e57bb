// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmStopSignal.H"

#include <csignal>

namespace
{

volatile std::sig_atomic_t lastSignal = 0;

extern "C" void remember(int signal)
{
    lastSignal = signal;
}

} // End anonymous namespace


void Foam::lbmStopSignal::watch()
{
    struct sigaction action = {};
    action.sa_handler = remember;
    action.sa_flags = SA_RESTART | SA_RESETHAND;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}


bool Foam::lbmStopSignal::received()
{
    return lastSignal != 0;
}


Foam::word Foam::lbmStopSignal::name()
{
    return lastSignal == SIGINT ? "SIGINT" : "SIGTERM";
}
