#!/bin/sh
# Kernels and boundaries under the sanitizers of addresses and undefined behaviour.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/preset.sh"

preset asan D2Q9
