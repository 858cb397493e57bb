# OpenFOAM's way of running in parallel, by scripts: a tutorial of its own whose Allrun has decomposePar, fields that are not decomposed
# (restore0Dir -processor), and runParallel, as it is; and one of ours with reconstructPar. usage: workflow.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# Fields of 0.orig have conditions of constraints that no patch of this mesh is (overset)
grep -q setConstraintTypes "$tutorials"/IO/systemCall/0.orig/nut || fail "systemCall is another case now"
"$python" "$here/../census/census.py" --build "$build" --tutorials "$tutorials/IO" --work census --budget 200 --parallel systemCall \
    > census.log 2>&1 || { cat census.log; fail "census"; }
grep -q '| systemCall | simpleFoam | ends | time 4' census.log || { cat census.log; fail "systemCall"; }
log=$(echo census/cases/systemCall/census.simpleFoam.*[0-9])
expect "$log" 'nProcs : 6' 'end of run' '^End'
! grep -q 'is left out' "$log" || fail "a field is left out"

cp -r "$ours/cavity" cavity
chmod -R u+w cavity
PATH="$build/bin:$PATH" cavity/Allparallel || fail "Allparallel of cavity"
expect cavity/Re10/parallel/log.lbmFoam 'nProcs : 2' 'End'
echo "OpenFOAM's scripts run lbmFoam on ranks"
