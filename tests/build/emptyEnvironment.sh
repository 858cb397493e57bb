#!/bin/sh
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

for program in lbmFoam lbmVoxelize lbmCompare; do
    runsWithoutEnvironment "$build/bin/$program"
done

# A setting of the user's must not be overridden
if WM_PROJECT_DIR=$work/nowhere HOME=$work "$build/bin/lbmFoam" -help > wrong.txt 2>&1; then
    fail "WM_PROJECT_DIR of the environment was ignored"
fi
