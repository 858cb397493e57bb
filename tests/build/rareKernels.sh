#!/bin/sh
# What LBM_KERNELS=all builds besides compiles: sources of kernels that this build lacks, or has with fewer rows. No code is made of them, which
# takes minutes in place of hours: templates alone are instantiated.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

cmake --preset core -S "$source" -B build -DLBM_KERNELS=all -DBUILD_TESTING=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > log.cmake 2>&1 ||
    { cat log.cmake; fail "configuring"; }
sed -nE 's/^ *"command": "(.*)",?$/\1/p' build/compile_commands.json | grep '/kernels/[A-Za-z0-9_]*\.cpp$' > commands
while read -r command; do
    file=${command##* }
    cmp -s "$file" "$build/lbm/kernels/${file##*/}" || echo "$command"
done < commands > rare
[ -s rare ] || fail "none of $(wc -l < commands) sources differs from this build's"
echo "$(wc -l < rare) of $(wc -l < commands) sources"
# Eight at a time: half of what one takes are the headers that all have
sed -E 's/ -o [^ ]+ / -fsyntax-only /; s/ -c [^ ]+$//' rare | sort -u > alike
[ "$(wc -l < alike)" = 1 ] || fail "sources of kernels have other flags: $(cat alike)"
sed 's/.* //; s/.*/#include "&"/' rare | split -l 8 --additional-suffix=.cpp - several.
ls several.*.cpp | xargs -P 2 -I {} sh -c "$(cat alike) -c $PWD/{}" || fail "kernels of LBM_KERNELS=all do not compile"
echo passed
