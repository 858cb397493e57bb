# --check is not content with a tutorial whose own programs failed, for lbmFoam never ran then: simpleCar without the set of cells that
# its topoSet is to make. usage: setUp.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "FAILED: $*"; exit 1; }
rm -rf "$3"; mkdir -p "$3/tutorials/simpleFoam"; cd "$3" || exit 1
cp -r "$2/incompressible/simpleFoam/simpleCar" tutorials/simpleFoam/simpleCar || exit 1
echo "actions ( { name porousZone; type cellSet; action new; source noSuchSource; } );" >> tutorials/simpleFoam/simpleCar/system/topoSetDict
census()
{
    python3 "$here/census.py" --build "$1" --tutorials tutorials --work work --budget 60 simpleFoam/simpleCar --check > census.log 2>&1
}
census "$1" && fail "nothing amiss: $(cat census.log)"
grep -q '| no set-up | topoSet ended with status [1-9]' census.log || fail "the row: $(cat census.log)"
grep -q '^simpleFoam/simpleCar: promised runs, found no set-up$' census.log || fail "why: $(tail -n 1 census.log)"
echo "a tutorial that lbmFoam never ran is told and not as promised"
