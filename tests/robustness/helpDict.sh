# What -help-dict prints: a dictionary that the program takes and that changes nothing, with every entry that the program
# knows and no other.
# usage: helpDict.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

# print PROGRAM FILE; nothing else comes with it
print()
{
    "$build/bin/$1" -help-dict > "$2" || fail "$1 -help-dict: status $?"
    head -n 1 "$2" | grep -q '^// system/' || fail "$1 -help-dict prints more than the dictionary"
    ! "$build/bin/$1" -help-dict > /dev/full 2> log.full || fail "$1: a full disk was not noticed"
}

# keywords FILE: those of entries, comments among them
keywords() { sed -n '/^}/,$ s|^\(//\)\{0,1\}\([A-Za-z][A-Za-z]*\)  *[^ ].*[;}]$|\2|p' "$1" | sort; }

# sameKeywords CASE PROGRAM DICTIONARY PRINTED: as the program itself lists them
sameKeywords()
{
    cp "$4" "$1/system/$3"
    echo 'nonsense 1;' >> "$1/system/$3"
    ! "$build/bin/$2" -case "$1" -dry-run > "log.$2.nonsense" 2>&1 || fail "$2 takes an unknown entry"
    sed -n 's/^Valid entries are: *[0-9]*(\(.*\))$/\1/p' "log.$2.nonsense" | tr ' ' '\n' | sort > valid
    [ -s valid ] || fail "$2 lists no valid entries"
    keywords "$4" > printed
    diff valid printed || fail "$2: -help-dict and the valid entries differ"
}

# plan PROGRAM CASE: what it says, but for what differs from run to run
plan()
{
    "$build/bin/$1" -case "$2" -dry-run > "log.$1.plan" 2>&1 || { tail -n 20 "log.$1.plan"; fail "$1 refuses $2"; }
    sed '1,/^\/\/ \* \* \*/d; /measured speed/d; /expected time/d; /available/d; /Voxelized in/d; /^Set-up took/d; /^Set-up: /d; /^This process held/d; /^At most .* MB until their ends/d' "log.$1.plan"
}

echo "lbmFoam"
freshCavity cavity
plan lbmFoam cavity > without
print lbmFoam lbmDict
cp lbmDict cavity/system/
plan lbmFoam cavity > with
[ -s with ] || fail "lbmFoam: no plan"
diff without with || fail "lbmFoam: the printed dictionary changes the plan"
sameKeywords cavity lbmFoam lbmDict lbmDict

echo "lbmVoxelize"
mkdir -p surface/system surface/constant/triSurface
gunzip -c "$tutorials/resources/geometry/flange.stl.gz" > surface/constant/triSurface/body.stl
cp cavity/system/controlDict surface/system/
cat > surface/system/lbmVoxelizeDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }
surfaces ( "body.stl" );
cells 40;
END
plan lbmVoxelize surface > without
print lbmVoxelize lbmVoxelizeDict
cp lbmVoxelizeDict surface/system/
plan lbmVoxelize surface > with
[ -s with ] || fail "lbmVoxelize: no plan"
diff without with || fail "lbmVoxelize: the printed dictionary changes the plan"
sameKeywords surface lbmVoxelize lbmVoxelizeDict lbmVoxelizeDict

echo "each entry is printed, and each that is printed is one"
