// Failures: collects, while it lives, what VTK and Python report as errors: ParaView goes on after most of them, and a
// script that raised looks like one that did not. Prints what they report besides, and what live data's client does.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <string>

class Failures {
public:
    Failures();
    ~Failures();
    Failures(const Failures&) = delete;
    void operator=(const Failures&) = delete;

    const std::string& text() const { return text_; }
    void add(const std::string& line);

private:
    std::string text_;
};

// The last exception that Python reported, or an empty string
std::string lastException();
