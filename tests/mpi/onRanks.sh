#!/bin/sh
# What tutorial.sh puts in the place of lbmFoam, in the folder of a case: runs a copy of it in one process, then the case itself on ranks
# from decomposePar to reconstructPar, and holds one against the other. Part of lbmFoam, GPL-3.0-or-later.
set -eu
case " $* " in *" -help"* | *" -dry-run "* | *" -init "*) exec "$lbmBuild/bin/lbmFoam" "$@" ;; esac
fail() { echo "FAILED: $*" >&2; exit 1; }
# A tutorial's script may go on after any end of this one
trap '[ $? = 0 ] || echo "$PWD" >> "$lbmAlone/failed"' EXIT

control() { foamDictionary -entry "$1" -set "$2" system/controlDict > /dev/null; }

# OpenFOAM's readers take -0 in a text for 0, and decomposePar writes what conditions are given with so many digits
format=$(foamDictionary -entry writeFormat -value system/controlDict)
digits=$(foamDictionary -entry writePrecision -value system/controlDict)
control writeFormat binary
control writePrecision 17
# Several steps a pass, which one process may make, round sums otherwise
[ -e system/lbmDict ] || echo 'FoamFile { version 2.0; format ascii; class dictionary; object lbmDict; }' > system/lbmDict
foamDictionary -entry blocks -set no system/lbmDict > /dev/null
# decomposePar needs a mesh; walls stay the surfaces'
if [ ! -e constant/polyMesh ]; then
    lbmVoxelize > log.lbmVoxelize
    foamDictionary -entry exactWalls -set yes system/lbmVoxelizeDict > /dev/null
fi

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
# mpirun reads what is a script's own
mpirun --oversubscribe -n "$lbmRanks" "$lbmBuild/bin/lbmFoam" -parallel "$@" < /dev/null || fail "lbmFoam -parallel in $PWD"
reconstructPar > log.reconstructPar 2>&1 || { tail -n 20 log.reconstructPar; fail "reconstructPar"; }
rm -rf processor*

# matches PATTERN FILE
matches() { [ -n "$1" ] && basename "$2" | grep -Eqx "$1"; }

# bytesOf FILE: how many there are of each value
bytesOf() { od -An -v -t u1 -w1 "$1" | sort | uniq -c; }

# rounded FIELD: the tutorial's own limits are for others
rounded()
{
    [ ! -e system/validationDict ] || mv system/validationDict limits
    status=0
    lbmCompare "$PWD" "$alone" -time "$time" -fields "($1)" -maxRelLinf "$1=1e-12" -output compared -noPicture || status=1
    [ ! -e limits ] || mv limits system/validationDict
    return $status
}

same()
{
    cmp "$1" "$2" && return
    if matches "$lbmReordered" "$2"; then
        [ "$(bytesOf "$1")" = "$(bytesOf "$2")" ]
    elif matches "$lbmRounded" "$2"; then
        rounded "$(basename "$2")"
    else
        return 1
    fi
}

timesIn() { (cd "$1" && ls -d [0-9]* | grep -vx 0 | sort -g | tr '\n' ' '); }
[ "$(timesIn .)" = "$(timesIn "$alone")" ] || fail "times: $(timesIn .), of one process $(timesIn "$alone")"
[ -n "$(timesIn .)" ] || fail "no time was written"
for time in $(timesIn .); do
    for file in $(cd "$alone/$time" && find . -type f); do
        same "$alone/$time/$file" "$time/$file" || fail "$file of time $time in $PWD"
    done
done
[ ! -d "$alone/postProcessing" ] || diff -rq "$alone/postProcessing" postProcessing || fail "tables in $PWD"

# A tutorial's own programs read what it asks for
control writePrecision "$digits"
[ "$format" != binary ] || exit 0
control writeFormat "$format"
foamFormatConvert -noZero > log.foamFormatConvert 2>&1 || { tail -n 20 log.foamFormatConvert; fail "foamFormatConvert"; }
