// What ParaView does not say about a script by itself. Texts have one line a fault; empty: none.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <string>

// Extractors that cannot write the kind of data that they are given: ParaView would die of it.
std::string unfitExtractors();

// Filters and representations that are told to use an array which their input lacks: ParaView goes on without. To be
// asked after pipelines have run.
std::string missingArrays();
