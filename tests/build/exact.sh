#!/bin/sh
# Where products and sums are kept apart, kernels agree bit for bit.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/preset.sh"

preset exact 'D2Q9|D3Q19'
