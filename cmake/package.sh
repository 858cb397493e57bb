#!/bin/sh
# A Debian package that runs on any x86-64-v3 processor, with kernels for AVX-512 beside, in build-package/.
# usage: cmake/package.sh    (packages of cmake/packages.txt are installed where they are missing)
# Part of lbmFoam, GPL-3.0-or-later.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

mkdir -p build
installPackages
fetchHeaders
build=build-package

# configured FOLDER ARCHITECTURE [OPTION...]
configured()
{
    folder=$1 architecture=$2
    shift 2
    say "configuring $folder"
    logged build/log.package cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
        -DLBM_NATIVE=OFF -DLBM_ARCHITECTURE="$architecture" "$@"
}

configured $build-v4 x86-64-v4 -DLBM_OPENFOAM=OFF
say "building the core for x86-64-v4"
logged build/log.package ninja -C $build-v4 lbmCore
configured $build x86-64-v3 -DOPENFOAM_SRC="$foamTree/src" -DLBM_CORE_V4="$PWD/$build-v4/lib/liblbmCore.so"
say "building all for x86-64-v3"
logged build/log.package ninja -C $build
say "packing"
(cd $build && logged ../build/log.package cpack -G DEB)
say "$(ls $build/*.deb)"
