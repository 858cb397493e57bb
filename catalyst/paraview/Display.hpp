// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

// How scripts' views are drawn, which all processes decide together: as this ParaView does without an X server, if it is built for
// that (EGL, OSMesa); by X, where a server answers each process; else by EGL (EglWindow), which is said once. Where none of these is,
// from now on a script that creates a view gets a Python exception which says what to do, and paraview.simple.lbm_no_pictures tells
// scripts why, so that they can write data in their place.
void settleViews();
