// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

// Whether an X server answers every process
bool displayAnswers();

// Unless this ParaView draws without a display (EGL, OSMesa): from now on a script that creates a view gets a Python exception which
// says what to do, and paraview.simple.lbm_no_pictures tells scripts why, so that they can write data in their place.
void refuseViews();
