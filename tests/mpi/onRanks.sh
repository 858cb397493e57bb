#!/bin/sh
# What tutorial.sh puts in the place of lbmFoam, in the folder of a case: runs a copy of it in one process, then the case itself on ranks
# from decomposePar to reconstructPar, and holds one against the other. Part of lbmFoam, GPL-3.0-or-later.
set -eu
case " $* " in *" -help"* | *" -dry-run "* | *" -init "*) exec "$lbmBuild/bin/lbmFoam" "$@" ;; esac
fail() { echo "FAILED: $*" >&2; exit 1; }

# OpenFOAM's readers take -0 in a text for 0
foamDictionary -entry writeFormat -set binary system/controlDict > /dev/null
# decomposePar needs a mesh
[ -e constant/polyMesh ] || lbmVoxelize > log.lbmVoxelize

alone=$lbmAlone/$(ls "$lbmAlone" | wc -l)
cp -r . "$alone"
(cd "$alone" && "$lbmBuild/bin/lbmFoam" "$@" > log.alone 2>&1) || { tail -n 40 "$alone/log.alone"; fail "one process"; }

cat > system/decomposeParDict <<END
FoamFile { version 2.0; format ascii; class dictionary; object decomposeParDict; }
numberOfSubdomains $lbmRanks;
method hierarchical;
coeffs { n ($lbmRanks 1 1); }
END
decomposePar -force > log.decomposePar 2>&1 || { tail -n 20 log.decomposePar; fail "decomposePar"; }
mpirun --oversubscribe -n "$lbmRanks" "$lbmBuild/bin/lbmFoam" -parallel "$@"
reconstructPar > log.reconstructPar 2>&1 || { tail -n 20 log.reconstructPar; fail "reconstructPar"; }
rm -rf processor*

timesIn() { (cd "$1" && ls -d [0-9]* | grep -vx 0 | sort -g | tr '\n' ' '); }
[ "$(timesIn .)" = "$(timesIn "$alone")" ] || fail "times: $(timesIn .), of one process $(timesIn "$alone")"
[ -n "$(timesIn .)" ] || fail "no time was written"
for time in $(timesIn .); do
    for file in $(cd "$alone/$time" && find . -type f); do
        [ -z "$lbmBut" ] || ! echo "$file" | grep -Eq "$lbmBut" || continue
        cmp "$alone/$time/$file" "$time/$file" || fail "time $time in $PWD"
    done
done
[ ! -d "$alone/postProcessing" ] || diff -rq "$alone/postProcessing" postProcessing || fail "tables in $PWD"
