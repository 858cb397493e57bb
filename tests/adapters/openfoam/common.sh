# What the tests of lbmFoam share. Sourced with: BUILD TUTORIALS WORK as $1 $2 $3.
# Part of lbmFoam, GPL-3.0-or-later.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1 tutorials=$2 work=$3
. "$build/share/lbmFoam/RunFunctions"
lbmFoam=$build/bin/lbmFoam
export OMP_NUM_THREADS=2

fail() { echo "FAILED: $*" >&2; exit 1; }

# expect FILE PATTERN...: every pattern occurs in the file
expect()
{
    file=$1; shift
    for pattern in "$@"; do
        grep -Eq -- "$pattern" "$file" && continue
        tail -n 40 "$file" >&2
        fail "no '$pattern' in $file"
    done
}

# inRanks LOG RANKS PROGRAM...: on so many ranks. The log has what each one said, one after the other: what they say at once would get
# into each other's lines
inRanks()
{
    to=$1 ranks=$2 status=0
    shift 2
    mkdir -p "$to.each"
    mpirun --oversubscribe --merge-stderr-to-stdout --output-filename "$PWD/$to.each:nocopy" -n "$ranks" "$@" > "$to" 2>&1 || status=$?
    find "$to.each" -name stdout | sort | xargs cat >> "$to"
    rm -r "$to.each"
    return $status
}

# begun CASE PATTERN: runs it until a line of its log says so; $pid
begun()
{
    rm -f "log.$1"
    "$lbmFoam" -case "$1" > "log.$1" 2>&1 &
    pid=$!
    until grep -Eqs "$2" "log.$1"; do
        kill -0 $pid 2> /dev/null || { tail -n 30 "log.$1" >&2; fail "$1 ended before '$2'"; }
        sleep 0.005
    done
}

# cutShort CASE TIME: told to stop within the time step to TIME, and stopped there. That step, or the run, may be over before the signal
# comes, on a fast machine as on a busy one: then once more from what was before
cutShort()
{
    rm -rf "$1.before"
    cp -r "$1" "$1.before"
    for attempt in $(seq 40); do
        begun "$1" "^Time = $2\$"
        kill -TERM $pid 2> /dev/null || true
        wait $pid || { tail -n 30 "log.$1" >&2; fail "$1 was told to stop"; }
        if grep '^Time = ' "log.$1" | grep -A 1 "^Time = $2\$" | grep -q 'cut short after'; then
            expect "log.$1" 'SIGTERM: stopping after time' 'End'
            rm -r "$1.before"
            return
        fi
        rm -r "$1"
        cp -r "$1.before" "$1"
    done
    fail "$1: $attempt signals, and none within the time step to $2"
}

# refused CASE PATTERN...: lbmFoam ends with an error, and its log has every pattern
refused()
{
    status=0 name=$1; shift
    "$lbmFoam" -case "$name" > "log.$name" 2>&1 || status=$?
    [ "$status" -eq 1 ] || fail "$name: exit status $status"
    expect "log.$name" "$@"
}

# freshCavity FOLDER: OpenFOAM's own cavity case with its mesh and an empty system/lbmDict
freshCavity()
{
    cloneCase "$tutorials/incompressible/icoFoam/cavity/cavity" "$1"
    runIn "$1" blockMesh
    lbmDict "$1" ''
}

# lbmDict CASE ENTRIES: writes system/lbmDict
lbmDict()
{
    {
        echo 'FoamFile { version 2.0; format ascii; class dictionary; object lbmDict; }'
        echo "$2"
    } > "$1/system/lbmDict"
}

# bodyInChannel CASE CELLSIZE INLET: a case without a mesh in which a slanted tetrahedron, of which there is a surface, stands in a
# channel; INLET: the condition of U there
bodyInChannel()
{
    rm -rf "$1/system/blockMeshDict" "$1/constant/polyMesh"
    mkdir -p "$1/constant/triSurface"
    printf 'o body\ng body\nv 0.7 0.31 0.33\nv 1.23 0.37 0.41\nv 0.79 0.73 0.35\nv 0.83 0.39 0.77\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' \
        > "$1/constant/triSurface/body.obj"
    cat > "$1/system/lbmVoxelizeDict" <<END
FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }
surfaces ( "body.obj" );
cellSize $2;
box { min (0 0 0); max (2 1 1); patches ( inlet outlet sides sides sides sides ); }
patches { inlet { type patch; } outlet { type patch; } }
END
    cat > "$1/0/U" <<END
FoamFile { version 2.0; format ascii; class volVectorField; object U; }
dimensions [0 1 -1 0 0 0 0];
internalField uniform (0 0 0);
boundaryField { inlet { $3 } outlet { type zeroGradient; } sides { type noSlip; } body { type noSlip; } }
END
    cat > "$1/0/p" <<END
FoamFile { version 2.0; format ascii; class volScalarField; object p; }
dimensions [0 2 -2 0 0 0 0];
internalField uniform 0;
boundaryField
{
    inlet { type zeroGradient; } outlet { type fixedValue; value uniform 0; }
    sides { type zeroGradient; } body { type zeroGradient; }
}
END
    setEntry "$1/constant/transportProperties" nu 0.05
}

# timesOf CASE: names of its time folders, in one line
timesOf() { (cd "$1" && ls -d [0-9]* | sort -g | tr '\n' ' '); }

# heatedCavity CASE ENTRIES: tutorials/heatedCavity at Ra 10^4 with 24 cells a side, 100 time steps; ENTRIES of lbmDict
heatedCavity()
{
    cloneCase "$here/../../../tutorials/heatedCavity" "$1"
    rm "$1/system/validationDict"
    sed -i 's/CELLS/24/g; s/writePrecision 10/writePrecision 6/' "$1/system/blockMeshDict" "$1/system/controlDict"
    setEntry "$1/constant/transportProperties" nu 2.639e-3
    setEntry "$1/system/controlDict" deltaT 1
    setEntry "$1/system/controlDict" endTime 100
    setEntry "$1/system/controlDict" writeInterval 50
    setEntry "$1/system/controlDict" startFrom latestTime
    runIn "$1" blockMesh
    lbmDict "$1" "$2"
}

# boxMesh CASE 'X Y Z' CELLS: the mesh of a box from the origin on; patches, as in blockMeshDict, from the input
boxMesh()
{
    {
        echo 'FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }'
        echo "$2" | awk '{ print "vertices ((0 0 0) (" $1 " 0 0) (" $1 " " $2 " 0) (0 " $2 " 0) (0 0 " $3 ") (" $1 " 0 " $3 ") (" $1 " " $2 " " $3 ") (0 " $2 " " $3 "));" }'
        echo "blocks (hex (0 1 2 3 4 5 6 7) ($3) simpleGrading (1 1 1)); boundary ("
        cat
        echo ');'
    } > "$1/system/blockMeshDict"
    runIn "$1" blockMesh
}

# channelBox CASE CELLS: the mesh of the next one
channelBox()
{
    boxMesh "$1" '2 0.5 0.1' "$2" <<'END'
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 2 6 5)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
END
}

# channelMesh CASE: a channel of 2 x 0.5, 80 x 20 cells, nu 0.05, 80 time steps to 4 s
channelMesh()
{
    freshCavity "$1"
    channelBox "$1" '80 20 1'
    setEntry "$1/constant/transportProperties" nu 0.05
    setEntry "$1/system/controlDict" endTime 4
    setEntry "$1/system/controlDict" deltaT 0.05
    setEntry "$1/system/controlDict" writeInterval 80
}

# channelField CASE NAME CLASS DIMENSIONS VALUE INLET OUTLET WALLS: U or p; patches: entries of boundaryField
channelField()
{
    cat > "$1/0/$2" <<END
FoamFile { version 2.0; format ascii; class $3; object $2; }
dimensions $4;
internalField uniform $5;
boundaryField
{
    inlet { $6 }
    outlet { $7 }
    walls { $8 }
    frontAndBack { type empty; }
}
END
}

foamHead='FoamFile { version 2.0; format ascii; class dictionary; object any; }'

# steadyChannel CASE: the same channel, steady with kEpsilon on the mesh and wall functions, nu 1e-4, 60 iterations
steadyChannel()
{
    channelMesh "$1"
    setEntry "$1"/constant/transportProperties transportModel Newtonian
    setEntry "$1"/constant/transportProperties nu 1e-4
    for entry in 'startFrom latestTime' 'deltaT 1' 'endTime 60' 'writeInterval 30' 'writeFormat binary' 'writePrecision 12'; do
        setEntry "$1"/system/controlDict "${entry%% *}" "${entry#* }"
    done
    cat > "$1"/system/fvSchemes <<END
$foamHead
ddtSchemes { default steadyState; }
gradSchemes { default Gauss linear; }
divSchemes { default none; "div\(phi,.*\)" bounded Gauss upwind; div((nuEff*dev2(T(grad(U))))) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
wallDist { method meshWave; }
END
    cat > "$1"/system/fvSolution <<END
$foamHead
solvers
{
    p { solver GAMG; smoother GaussSeidel; tolerance 1e-7; relTol 0.05; }
    ".*" { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-8; relTol 0.05; }
}
SIMPLE { }
PISO { nCorrectors 2; }
relaxationFactors { equations { ".*" 0.7; } }
END
    echo "$foamHead simulationType RAS; RAS { RASModel kEpsilon; turbulence on; printCoeffs off; }" > "$1"/constant/turbulenceProperties
    channelField "$1" U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
    channelField "$1" p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
    channelField "$1" k volScalarField '[0 2 -2 0 0 0 0]' 0.01 'type fixedValue; value uniform 0.01;' 'type zeroGradient;' 'type kqRWallFunction; value uniform 0.01;'
    channelField "$1" epsilon volScalarField '[0 2 -3 0 0 0 0]' 0.01 'type fixedValue; value uniform 0.01;' 'type zeroGradient;' 'type epsilonWallFunction; value uniform 0.01;'
    channelField "$1" nut volScalarField '[0 2 -1 0 0 0 0]' 0 'type calculated; value uniform 0;' 'type calculated; value uniform 0;' 'type nutkWallFunction; value uniform 0;'
}

# ductField CASE NAME CLASS DIMENSIONS VALUE INLET OUTLET WALLS [MORE]: the same of a box with a body in it; MORE: other entries
ductField()
{
    cat > "$1/0/$2" <<END
FoamFile { version 2.0; format ascii; class $3; object $2; }
dimensions $4;
internalField uniform $5;
boundaryField
{
    inlet { $6 }
    outlet { $7 }
    sides { $8 }
    body { $8 }
    ${9:-}
}
END
}

# throatCase CASE: a channel of 1 x 1 with an inlet at 1 m/s that ends in one an eighth as wide, 36 x 32 cells; nothing in its
# files tells that the flow there is eight times as fast. 100 time steps to 2 s, startFrom latestTime
throatCase()
{
    freshCavity "$1"
    {
        echo 'FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }'
        echo 'vertices ('
        for z in 0 0.1; do
            echo "(0 0 $z) (1 0 $z) (1 0.4375 $z) (1 0.5625 $z) (1 1 $z) (0 1 $z) (0 0.4375 $z) (0 0.5625 $z) (2 0.4375 $z) (2 0.5625 $z)"
        done
        cat <<'END'
);
blocks
(
    hex (0 1 2 6 10 11 12 16) (32 14 1) simpleGrading (1 1 1) hex (6 2 3 7 16 12 13 17) (32 4 1) simpleGrading (1 1 1)
    hex (7 3 4 5 17 13 14 15) (32 14 1) simpleGrading (1 1 1) hex (2 8 9 3 12 18 19 13) (32 4 1) simpleGrading (1 1 1)
);
boundary
(
    inlet { type patch; faces ((0 10 16 6) (6 16 17 7) (7 17 15 5)); }
    outlet { type patch; faces ((8 9 19 18)); }
    walls { type wall; faces ((0 1 11 10) (5 15 14 4) (1 2 12 11) (3 4 14 13) (2 8 18 12) (3 13 19 9)); }
    frontAndBack
    {
        type empty;
        faces ((0 6 2 1) (6 7 3 2) (7 5 4 3) (2 3 9 8) (10 11 12 16) (16 12 13 17) (17 13 14 15) (12 18 19 13));
    }
);
END
    } > "$1/system/blockMeshDict"
    runIn "$1" blockMesh
    setEntry "$1/system/controlDict" endTime 2
    setEntry "$1/system/controlDict" deltaT 0.02
    setEntry "$1/system/controlDict" writeInterval 50
    setEntry "$1/system/controlDict" writePrecision 12
    setEntry "$1/system/controlDict" startFrom latestTime
    setEntry "$1/constant/transportProperties" nu 0.01
    channelField "$1" U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
        'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type slip;'
    channelField "$1" p volScalarField '[0 2 -2 0 0 0 0]' 0 \
        'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
}

rm -rf "$work"
mkdir -p "$work"
cd "$work"

# bend CASE CELLS: coarse bend of a duct so many cells wide past whose walls the fluid slips, k-epsilon on the mesh (tests/robustness/coarse)
bend()
{
    python3 - "${here%/tests/*}/tests/robustness/coarse" "$build" "$tutorials" "$1" "$2" <<'END'
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import cases
cases.make(Path(sys.argv[4]), 'bend', 1e5, 'kEpsilon', int(sys.argv[5]), 0.4, Path(sys.argv[3]), Path(sys.argv[2]))
END
}

# shortBend CASE: one that writes its checkpoints at 0.1, 0.2, 0.3 and 0.4, and whose outlet takes in what its inletValue says
shortBend()
{
    bend "$1" 6
    for entry in 'functions {}' 'startFrom latestTime' 'endTime 0.4' 'writeInterval 0.1'; do
        setEntry "$1/system/controlDict" "${entry%% *}" "${entry#* }"
    done
    setEntry "$1/0/U" internalField 'uniform (0 0.3 0)'
    lbmDict "$1" 'checkpoint all; startFlow given;'
}
