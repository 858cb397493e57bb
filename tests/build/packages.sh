#!/bin/sh
# In situ is built with what packages of cmake/packages.txt bring alone: libegl-dev has no development files of libOpenGL, which a
# machine may have of other packages and CMake's target OpenGL::EGL asks for.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

# An empty value is a library that was looked for and is not there
foam=$(sed -n 's/^OPENFOAM_SRC:[^=]*=//p' "$build/CMakeCache.txt")
cmake -S "$source" -B build -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DLBM_KERNELS=default -DOPENFOAM_SRC="$foam" \
    -DOPENGL_opengl_LIBRARY= > log.cmake 2>&1 || { cat log.cmake; fail "configuring"; }
grep -q '^OPENGL_opengl_LIBRARY:[^=]*=$' build/CMakeCache.txt || fail "libOpenGL was found again"
! grep 'in situ is left out' log.cmake || fail "in situ wants more than its packages"
grep -rq 'lbmInsituParaView.dir' build/CMakeFiles/TargetDirectories.txt || fail "no target lbmInsituParaView"
echo passed
