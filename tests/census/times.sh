# The table of times to solution: a row with both times and both differences for each run of which OpenFOAM's own ended;
# results that were kept are taken as they are, those of other dictionaries are not. Both at once and on two processes. usage: times.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "FAILED: $*"; exit 1; }
rm -rf "$3"; mkdir -p "$3/tutorials/icoFoam"; cd "$3" || exit 1
cp -r "$2/incompressible/icoFoam/cavity" tutorials/icoFoam/cavity || exit 1
census()
{
    python3 "$here/census.py" --build "$1" --tutorials tutorials --work work --budget 100 --reference 100 --times times.md \
        --keep icoFoam/cavity > census.log 2>&1 || fail "$(tail -n 5 census.log)"
}
begun() { cut -d '|' -f 2 work/references/icoFoam_cavity.0.told; }
census "$1"
rows=$(awk -F ' *[|] *' '/cavity\/cavity/ && $3 > 0 && $4 > 0 && $5 > 0 && $6 > 0 && $8 ~ /^L2\(U\) [0-9.]+ %, L2\(p\) [0-9.]+ %$/' times.md | wc -l)
[ "$rows" -eq 5 ] || fail "$rows of 5 runs are in the table: $(cat times.md)"
awk -F ' *[|] *' '/\/cavity \|/ { found = 1; split($8, words, " "); exit !($3 == 400 && $4 == 400 && words[2] < 8) } END { if (!found) exit 1 }' times.md ||
    fail "not the cavity's nodes, cells and difference: $(grep '/cavity |' times.md)"
first=$(begun)
census "$1"
[ "$(begun)" = "$first" ] || fail "OpenFOAM's result of the first time was not kept"
# Both at once, OpenFOAM's own on two processes: each is divided, ends, is put together and compared
python3 "$here/census.py" --build "$1" --tutorials tutorials --work beside --budget 100 --reference 400 --beside --ranks 2 \
    icoFoam/cavity > census.log 2>&1 || fail "$(tail -n 5 census.log)"
rows=$(awk -F ' *[|] *' '$4 == "ends" && $5 ~ /L2\(U\) [0-9.]+ %, L2\(p\) [0-9.]+ %$/' census.log | wc -l)
[ "$rows" -eq 5 ] || fail "$rows of 5 runs beside OpenFOAM's on two processes were compared: $(cat census.log)"
grep -q 'nProcs : 2' beside/references/icoFoam_cavity.0/log.icoFoam || fail "OpenFOAM's own run was not on two processes"
sed -i 's/^endTime .*/endTime 0.4;/' tutorials/icoFoam/cavity/cavity/system/controlDict
census "$1"
[ "$(begun)" != "$first" ] || fail "a result of another endTime was taken"
echo "times to solution of 5 runs; OpenFOAM's own kept while dictionaries are the same, and beside lbmFoam's on two processes"
