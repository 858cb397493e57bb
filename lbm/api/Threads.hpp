// How many threads a program may be asked for. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <string>

namespace lbm {

// Processors that this process may run on.
int processors();

// The most threads that are taken: a few for each processor, so that tests with many run on small machines. OpenMP itself
// dies of 100 000, and 500 on a processor wait for each other at every barrier.
int mostThreads();

// Throws std::invalid_argument, which begins with `what`, where threads is not from 0 (as OpenMP would) to mostThreads().
void checkThreads(int threads, const std::string& what);

// What to be told where several threads share a processor; empty where none do.
std::string threadAdvice(int threads, const std::string& what);

// Both for the number that OpenMP takes by itself.
std::string checkDefaultThreads();

} // namespace lbm
