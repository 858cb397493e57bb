# A rank whose device fails, while it makes its part or within the run: the message names rank, host and what it was doing, all others end,
# and times written before are whole. An MPI that differs from OpenFOAM's is refused. usage: faults.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
on="on host $(uname -n)"

freshCavity case
binary case
lbmDict case 'cells 20;'
setEntry case/system/controlDict writeInterval 10
decomposed case 2 "2 1 1"
cp -r case whole
onRanks whole 2 || fail "the run without a failure"

# failing RANK WHEN [BY]: ends with an error, and no rank is left
failing()
{
    rm -rf case/processor*/0.[1-9]*
    status=0
    LBM_FAIL_RANK=$1 LBM_FAIL_WHEN=$2 LBM_FAIL_BY=${3:-} LD_PRELOAD=$build/tests/lib/libfailingRank.so onRanks case 2 || status=$?
    [ "$status" -ne 0 ] || { tail -n 20 case.log.2 >&2; fail "rank $1 fails, and the run does not"; }
}

for rank in 0 1; do
    failing $rank ''
    expect case.log.2 'FOAM FATAL IO ERROR' "rank $rank $on: kernel D2Q9 on cuda:0" 'Entry device' 'lbmDict'
    [ "$(timesOf case/processor0)" = "0 " ] || fail "rank $rank without a device: wrote $(timesOf case/processor0)"
    failing $rank '' bad_alloc
    expect case.log.2 'FOAM FATAL IO ERROR' "rank $rank $on: [Nn]ot enough memory for 400 nodes"
done

# wroteWhole: what is there of the run is as if nothing had failed, and there is more to come
wroteWhole()
{
    [ -d case/processor1/0.1 ] && [ ! -e case/processor1/0.5 ] || fail "times $(timesOf case/processor1)"
    for at in 0.05 0.1; do
        for of in 0 1; do
            for file in U p; do cmp "whole/processor$of/$at/$file" "case/processor$of/$at/$file" >&2 || fail "time $at is not whole"; done
        done
    done
}
after=$PWD/case/processor1/0.1/U
failing 1 "$after"
expect case.log.2 "^\[1\] rank 1 $on failed: kernel D2Q9 on cuda:0: unspecified launch failure"
wroteWhole
failing 1 "$after" bad_alloc
expect case.log.2 "^\[1\] rank 1 $on failed: not enough memory"
wroteWhole
failing 0 "$after"
expect case.log.2 'FOAM FATAL ERROR' "^\\[0\\] rank 0 $on: kernel D2Q9 on cuda:0: unspecified launch failure" 'times written before are whole'
wroteWhole

echo "while the plan measures how fast the lattice steps"
failing 1 "$PWD/case/system/controlDict"
expect case.log.2 "^\[1\] rank 1 $on failed: kernel D2Q9 on cuda:0: unspecified launch failure"
failing 0 "$PWD/case/system/controlDict"
expect case.log.2 'FOAM FATAL ERROR' "^\\[0\\] rank 0 $on: kernel D2Q9 on cuda:0: unspecified launch failure" 'secondsPerStep'

echo "an MPI that differs from OpenFOAM's"
# OpenFOAM's library, as if it had been linked with another one: a copy of the same under another name
set -- $(ldd "$lbmFoam" | awk '$1 == "libPstream.so" { print $3 }')
pstream=$1
set -- $(ldd "$pstream" | awk '$1 ~ /^libmpi\.so/ { print $1, $3 }')
name=$1 library=$2
other=$(echo "$name" | sed 's/libmpi/libmqi/')
mkdir other
for file in "$pstream" "$library"; do
    to=other/$(basename "$file" | sed "s/$name/$other/")
    LC_ALL=C sed "s/$name/$other/g" "$file" > "$to"
done
if LD_LIBRARY_PATH=$PWD/other onRanks case 2; then tail -n 20 case.log.2 >&2; fail "another MPI is not refused"; fi
expect case.log.2 'linked with different MPI libraries' 'liblbmRanks: /.*/libmpi\.so' "libPstream: $PWD/other/$other" 'Build lbmFoam with that of OpenFOAM'
! grep -q 'Create time' case.log.2 || fail "not before the first step"
echo "faults name rank and host, and leave times whole"
