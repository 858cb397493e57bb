// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

// Whether an X server answers every process
bool displayAnswers();

// From now on a script that creates a view gets a Python exception which says what to do
void refuseViews();
