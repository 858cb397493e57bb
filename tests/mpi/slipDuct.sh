# A bend past whose walls the fluid slips, k-epsilon on the mesh, conditions with more digits than writePrecision: on two ranks as in
# one process, and bit for bit when it goes on from a checkpoint, on two ranks and in one process of what reconstructPar makes.
# usage: slipDuct.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
shortBend whole
cp -r whole two
"$lbmFoam" -case whole > log.whole 2>&1 || { tail -n 30 log.whole >&2; fail "whole"; }
# decomposePar writes conditions anew: all their digits
setEntry two/system/controlDict writePrecision 17
decomposed two 2 "2 1 1"
setEntry two/system/controlDict writePrecision 6
onRanks two 2 || { tail -n 30 two.log.2 >&2; fail "on two ranks"; }
grep -aq 'inletValue *uniform 0.000539052;' two/processor1/0.1/epsilon || fail "epsilon of the outlet is not written with six digits"

# state CASE: what goes on at the end, fields and conditions of flow and model to the last bit
state() { echo "$1/0.4/uniform/lbmCheckpoint.h5"; }
cmp "$(state whole)" "$(state two/processor0)" || fail "two ranks and one process"

# goesOn LOG: none of the conditions that nobody changed is told as changed
goesOn()
{
    expect "$1" 'Start: checkpoint' 'continues bit for bit'
    ! grep -Eq 'is that of its file|were changed since' "$1" || fail "$1: what nobody changed is told as changed"
}
cp -r two again
rm -rf again/processor*/0.[234]
cp -r again one
onRanks again 2 || { tail -n 30 again.log.2 >&2; fail "again on two ranks"; }
goesOn again.log.2
cmp "$(state two/processor0)" "$(state again/processor0)" || fail "the state after the restart on two ranks"
for rank in 0 1; do
    for file in U p k epsilon nut; do
        cmp two/processor$rank/0.4/$file again/processor$rank/0.4/$file || fail "$file of rank $rank after the restart"
    done
done
# reconstructPar knows no wall functions, and writes their entries in an order of its own
reconstructPar -case one > log.reconstructPar 2>&1 || { tail -n 20 log.reconstructPar >&2; fail "reconstructPar"; }
rm -rf one/processor*
"$lbmFoam" -case one > log.one 2>&1 || { tail -n 30 log.one >&2; fail "in one process"; }
goesOn log.one
cmp "$(state two/processor0)" "$(state one)" || fail "the state after the restart in one process"
echo "restarted bit for bit on two ranks and in one process"
