#!/bin/sh
# run.sh TARGET CORPUS FOLDER SECONDS: fuzzes in FOLDER (made anew), from the files of CORPUS. What it finds
# remains there as crash-*, leak-*, oom-* or timeout-*. Inputs are read in processes of their own, one after the other: one
# that ends itself, as OpenFOAM does for some faults, does not end the search.
# Part of lbmFoam, GPL-3.0-or-later.
set -eu
target=$1 corpus=$2 folder=$3 seconds=$4
rm -rf "$folder"
mkdir -p "$folder/corpus" "$folder/temporary"
cd "$folder"
export TMPDIR="$folder/temporary" # a process that is stopped leaves its case there
# OpenMP's threads and OpenFOAM's registries live as long as the process
export OMP_NUM_THREADS=1 ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=0
exec "$target" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    -fork=1 -ignore_crashes=0 -ignore_timeouts=0 -ignore_ooms=0 \
    corpus "$corpus"
