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

# timesOf CASE: names of its time folders, in one line
timesOf() { (cd "$1" && ls -d [0-9]* | sort -g | tr '\n' ' '); }

# channelMesh CASE: a channel of 2 x 0.5, 80 x 20 cells, nu 0.05, 80 time steps to 4 s
channelMesh()
{
    freshCavity "$1"
    cat > "$1/system/blockMeshDict" <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) (2 0 0) (2 0.5 0) (0 0.5 0) (0 0 0.1) (2 0 0.1) (2 0.5 0.1) (0 0.5 0.1));
blocks (hex (0 1 2 3 4 5 6 7) (80 20 1) simpleGrading (1 1 1));
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 2 6 5)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
END
    setEntry "$1/constant/transportProperties" nu 0.05
    setEntry "$1/system/controlDict" endTime 4
    setEntry "$1/system/controlDict" deltaT 0.05
    setEntry "$1/system/controlDict" writeInterval 80
    runIn "$1" blockMesh
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

rm -rf "$work"
mkdir -p "$work"
cd "$work"
