#!/bin/sh
# Where products and sums are kept apart, kernels agree bit for bit: default rows of the CPU in double precision, with two
# collisions.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/preset.sh"

{
    echo 'equilibria D2Q9,D3Q15,D3Q19,D3Q27 incompressible'
    echo 'closures D2Q9 cpu double smagorinsky,shearRate trt,regularized'
    awk '($1 == "D2Q9" || $1 == "D3Q19") && $2 == "cpu" && $3 == "double" {
        $6 = $5 ~ /moments/ ? "regularized" : "trt,regularized"; print }' "$source/lbm/kernels.list"
} > few.list
preset exact -DLBM_OPENFOAM=OFF
cmake --build build --parallel 2 --target lbmEquivalenceTests
sharded lbmEquivalenceTests
