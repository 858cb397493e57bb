# What the tests of ranks share. Sourced with: BUILD TUTORIALS WORK and this repository's TUTORIALS as $1 to $4.
# Part of lbmFoam, GPL-3.0-or-later.
command -v mpirun > /dev/null || { echo "skipped: no mpirun"; exit 77; }
ours=$4
. "$(dirname "$0")/../adapters/openfoam/common.sh"
export OMP_NUM_THREADS=1

# decomposed CASE RANKS DIVISION [OPTION]: with processor directories, DIVISION such as "2 1 1"
decomposed()
{
    cat > "$1/system/decomposeParDict" <<END
FoamFile { version 2.0; format ascii; class dictionary; object decomposeParDict; }
numberOfSubdomains $2;
method hierarchical;
coeffs { n ($3); }
END
    decomposePar -case "$1" -force ${4:-} > "$1/log.decomposePar" 2>&1 || { tail -n 20 "$1/log.decomposePar"; fail "decomposePar"; }
}

# onRanks CASE RANKS [OPTION...]: log.RANKS beside it says how it went
onRanks()
{
    of=$1 ranks=$2
    shift 2
    inRanks "$of.log.$ranks" "$ranks" "$lbmFoam" -parallel -case "$of" "$@"
}

# shared CASE RANKS DIVISION: decomposes, runs and reconstructs
shared()
{
    decomposed "$1" "$2" "$3"
    onRanks "$1" "$2" || { tail -n 40 "$1.log.$2" >&2; fail "$1 on $2 ranks"; }
    reconstructPar -case "$1" > "$1/log.reconstructPar" 2>&1 || { tail -n 20 "$1/log.reconstructPar"; fail "reconstructPar"; }
    ! ls -d "$1"/lbmFoam.* > /dev/null 2>&1 || fail "$1: left behind: $(ls -d "$1"/lbmFoam.*)"
}

# same A B [FROM]: files of all times (after FROM) but the first, and tables, byte for byte. Times are binary: OpenFOAM's readers
# take -0 in a text for 0.
same()
{
    for at in $(timesOf "$1"); do
        [ "$at" != 0 ] || continue
        awk "BEGIN { exit !($at > ${3:-0}) }" || continue
        for file in $(cd "$1/$at" && find . -type f); do
            [ -z "${but:-}" ] || ! echo "$file" | grep -Eq "$but" || continue
            cmp "$1/$at/$file" "$2/$at/$file" >&2 || fail "time $at of $1 and $2"
        done
    done
    [ "$(timesOf "$1")" = "$(timesOf "$2")" ] || fail "times of $1 and $2: $(timesOf "$1"), $(timesOf "$2")"
    [ -z "${3:-}" ] || return 0
    [ ! -d "$1/postProcessing" ] || diff -r "$1/postProcessing" "$2/postProcessing" >&2 || fail "tables of $1 and $2"
}

# alive PROCESS: still about what it does; one that has ended may keep its number where nobody asks for its status
alive() { grep -Eqs '^State:[[:space:]]*[^XZ[:space:]]' "/proc/$1/status"; }

binary()
{
    setEntry "$1/system/controlDict" writeFormat binary
    setEntry "$1/system/controlDict" writePrecision 17
    setEntry "$1/system/controlDict" timePrecision 8
}

# cylinder CASE: our tutorial, coarse and short, with forces, probes and fields of function objects
cylinder()
{
    cloneCase "$ours/cylinder2D" "$1"
    sed -i 's/9.756097560975610/14.634146341463415/; s/-23.795359904818562/-35.693039857227844/' "$1/0/U"
    binary "$1"
    setEntry "$1/system/controlDict" startFrom latestTime
    setEntry "$1/system/controlDict" endTime 0.2
    setEntry "$1/system/controlDict" deltaT 0.01
    setEntry "$1/system/controlDict" writeInterval 0.1
    setEntry "$1/system/controlDict" purgeWrite 0
    setEntry "$1/system/controlDict" functions/pressure/writeInterval 2
    setEntry "$1/system/controlDict" functions/stress \
        '{ type lbmWallShearStress; libs (lbmFunctionObjects); writeControl writeTime; }'
    setEntry "$1/system/controlDict" functions/curl \
        '{ type vorticity; libs (fieldFunctionObjects); writeControl writeTime; }'
    setEntry "$1/system/controlDict" functions/average \
        '{ type fieldAverage; libs (fieldFunctionObjects); writeControl writeTime;
           fields (U { mean on; prime2Mean on; base time; } p { mean on; prime2Mean off; base time; }); }'
    setEntry "$1/system/lbmDict" cellSize 0.005
    setEntry "$1/system/lbmDict" referenceSpeed 0.6
    runIn "$1" blockMesh
}
