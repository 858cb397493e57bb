# A checkpoint that two ranks wrote is gone on from in one process, and one of one process on two ranks, in single precision and with
# another storage: the same flow to the rounding of that precision. usage: otherStorage.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# The cavity in three dimensions, for which the default set of kernels has single precision
freshCavity case
sed -i 's/(20 20 1)/(12 12 8)/' case/system/blockMeshDict
sed -i 's/type  *empty;/type wall;/' case/system/blockMeshDict
sed -i 's/type  *empty;/type noSlip;/' case/0/U
sed -i 's/type  *empty;/type zeroGradient;/' case/0/p
runIn case blockMesh
setEntry case/system/controlDict startFrom latestTime
setEntry case/system/controlDict endTime 0.2
setEntry case/system/controlDict writeInterval 20
setEntry case/system/controlDict writePrecision 17

# of CASE STORAGE [ENTRIES]: its lbmDict
of() { lbmDict "$1" "lattice D3Q19; collision regularized; checkpoint all; blocks no; storage $2; ${3:-}"; }

# goesOn CASE LIMIT KERNEL: from time 0.1 to 0.2, where U and p differ from `whole` by less than LIMIT of the largest
goesOn()
{
    if [ -d "$1/processor0" ]; then
        onRanks "$1" 2 || { tail -n 30 "$1.log.2" >&2; fail "$1"; }
        log=$1.log.2
        runIn "$1" reconstructPar -newTimes
    else
        "$lbmFoam" -case "$1" > "$1.log" 2>&1 || { tail -n 30 "$1.log" >&2; fail "$1"; }
        log=$1.log
    fi
    expect "$log" 'Start: checkpoint .*0.1/uniform/lbmCheckpoint.h5' "kernel +D3Q19 regularized incompressible $3" 'End'
    for field in U p; do
        "$python" "$here/../adapters/openfoam/relativeL2.py" whole/0.2/$field "$1/0.2/$field" "$2" || fail "$1: $field"
    done
}

of case aa
cp -r case whole
runIn whole "$lbmFoam"

# fromTwo NAME LIMIT STORAGE ENTRIES KERNEL: what two ranks wrote with aa in double precision, in one process
setEntry case/system/controlDict endTime 0.1
cp -r case two
shared two 2 "2 1 1"
rm -r two/processor*
setEntry two/system/controlDict endTime 0.2
fromTwo()
{
    cp -r two "$1"
    of "$1" "$3" "$4"
    goesOn "$1" "$2" "$5"
}
fromTwo single 1e-5 aa 'precision float;' 'aa float'
fromTwo moments 1e-9 moments '' 'moments double'

# fromOne NAME LIMIT STORAGE ENTRIES KERNEL: what one process wrote with moments in double precision, on two ranks
of case moments
cp -r case one
runIn one "$lbmFoam"
setEntry one/system/controlDict endTime 0.2
fromOne()
{
    cp -r one "$1"
    of "$1" "$3" "$4"
    decomposed "$1" 2 "1 2 1" -latestTime
    goesOn "$1" "$2" "$5"
}
fromOne onTwo 1e-9 aa '' 'aa double'
fromOne singleOnTwo 1e-5 aa 'precision float;' 'aa float'
echo "other precisions and storages go on from checkpoints of other numbers of ranks"
