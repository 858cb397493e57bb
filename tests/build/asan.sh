#!/bin/sh
# Kernels and boundaries under the sanitizers of addresses and undefined behaviour. Guards around what collisions keep in
# registers, and checks of their references, take the compiler minutes a source; both are left out: arrays of known length are
# checked by their bounds, all others by the heap's guards.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/preset.sh"

preset asan D2Q9 -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=-O1 -fsanitize=address,undefined --param asan-stack=0 \
-fno-sanitize=null,alignment,object-size -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
