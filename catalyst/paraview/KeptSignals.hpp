// KeptSignals: puts the solver's signal handlers back when it goes. ParaView and Python install theirs when they start;
// the solver's may write its state before it ends.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <csignal>

class KeptSignals {
public:
    KeptSignals()
    {
        for (int i = 0; i < n; ++i) sigaction(signals[i], nullptr, &actions_[i]);
    }
    ~KeptSignals()
    {
        for (int i = 0; i < n; ++i) sigaction(signals[i], &actions_[i], nullptr);
    }
    KeptSignals(const KeptSignals&) = delete;
    void operator=(const KeptSignals&) = delete;

private:
    static constexpr int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGSEGV, SIGTERM};
    static constexpr int n = sizeof signals / sizeof signals[0];
    struct sigaction actions_[n];
};
