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

rm -rf "$work"
mkdir -p "$work"
cd "$work"
