# What ranks cannot share is said before the first step, with the way out; a rank that fails ends all.
# usage: refusals.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
freshCavity case
decomposed case 2 "2 1 1"
cp -r case sound

# alone WORDS...: the only process ends in a line
alone()
{
    if "$@" "$lbmFoam" -parallel -case case > alone.log 2>&1; then fail "one process is no parallel run"; fi
    expect alone.log 'is the only one: mpirun -n 4 lbmFoam -parallel starts four'
    ! grep -q 'printStack\|aborting' alone.log || { cat alone.log; fail "a stack for users"; }
}
alone
alone mpirun --oversubscribe -n 1

# refused RANKS PATTERN...: on that many ranks
refused()
{
    on=$1
    shift
    if onRanks case "$on"; then tail -n 20 "case.log.$on" >&2; fail "not refused: $1"; fi
    expect "case.log.$on" "$@"
    ! grep -qE '^Set-up took|Starting time loop' "case.log.$on" || fail "not before the first step: $1"
    ! ls -d case/processor*/0.* case/lbmFoam* > /dev/null 2>&1 || fail "left behind: $1"
    rm -rf case
    cp -r sound case
}

refused 3 'number of processor directories = 2 is not equal to the number of processors = 3'
rm -r case/processor1/0
refused 2 'The run starts from time 0 .*' 'processor1.* has not' 'decomposePar -fields'
rm -r case/processor1/constant && cp -r case/processor0/constant case/processor1/
refused 2 'Cell 0 of the mesh .* is in 2 of the processor directories' 'decomposePar -force'
rm case/processor1/constant/polyMesh/cellProcAddressing
refused 2 'cannot find file .*processor1/constant/polyMesh/cellProcAddressing'
sed -i 's/(20 20 1)/(10 40 1)/' case/system/blockMeshDict && runIn case blockMesh
refused 2 'processor0.* is no part of the mesh in' 'decomposePar -force'
rm case/processor*/constant/polyMesh/*Addressing case/processor1/constant/polyMesh/points
refused 2 'reconstructParMesh cannot put the mesh of the 2 processor directories together' 'Cannot find file "points"'
lbmDict case 'parts 3;'
refused 2 'lbmDict' 'Entry parts is 3, and 2 ranks share the lattice' 'take a multiple of 2'
lbmDict case 'exchange nccl;'
refused 2 'exchange nccl: it is between GPUs, and the device is cpu'
lbmDict case 'exchange pigeons;'
refused 2 "exchange 'pigeons' is none of auto, peer, nccl, mpi"
sed -i 's/(2 1 1)/(2 2 1)/' case/system/decomposeParDict
refused 2 'decomposeParDict' 'Entry n is \(2 2 1\), 4 pieces, and 2 ranks share the lattice'
sed -i 's/(2 1 1)/(2 0 1)/' case/system/decomposeParDict
refused 2 'decomposeParDict' 'Entry n is \(2 0 1\)'
sed -i 's/(2 1 1)/(1 1 2)/' case/system/decomposeParDict
refused 2 'decomposeParDict' 'Entry n is \(1 1 2\), but the case is two-dimensional: along z'
sed -i 's/(2 1 1)/(2 1 1); order xxz/' case/system/decomposeParDict
refused 2 'decomposeParDict' 'Entry order is xxz'
sed -i 's/n (2 1 1);//' case/system/decomposeParDict
refused 2 'decomposeParDict' "Entry 'n' not found"
lbmDict case 'cuts (3 1 1);'
refused 2 'lbmDict' 'Entry cuts is \(3 1 1\), 3 pieces, and the lattice has 2 part'
# A product that 32 bits have as zero
lbmDict case 'cuts (65536 65536 1);'
refused 2 'lbmDict' 'Entry cuts is \(65536 65536 1\), 4.29497e\+09 pieces, and the lattice has 2 part'
lbmDict case 'cuts (-1 2 1);'
refused 2 'lbmDict' 'Entry cuts is \(-1 2 1\); it is the number of pieces along x, y and z, each 1 or more'
lbmDict case 'cuts often;'
refused 2 'lbmDict' 'Entry cuts is often; it must be auto, free, or'
lbmDict case 'device cuda;'
refused 2 "unknown device 'cuda'"
mkdir case/lbmFoam.whole
if onRanks case 2; then fail "another's folder"; fi
expect case.log.2 'lbmFoam.whole" is not lbmFoam.s' 'move it away'
[ -d case/lbmFoam.whole ] || fail "another's folder is gone"
rmdir case/lbmFoam.whole

# The same program but for what its linker named it, as after a build that another host has not seen yet
objcopy --dump-section .note.gnu.build-id=id "$lbmFoam" copy 2> objcopy.log || { cat objcopy.log; fail "objcopy"; }
printf '\377\376' | dd of=id bs=1 seek=20 conv=notrunc 2> dd.log
mkdir -p other/bin && ln -sfn "$build/lib" other/lib
objcopy --update-section .note.gnu.build-id=id "$lbmFoam" other/bin/another
mpirun --oversubscribe -n 1 "$lbmFoam" -parallel -case case : -n 1 other/bin/another -parallel -case case > case.log 2>&1 && fail "builds"
expect case.log 'rank 1 is of another build of lbmFoam than the first one' 'rank 0: .*bin/lbmFoam on host' 'rank 1: .*another on host'
! grep -qE '^Set-up took|Starting time loop' case.log || fail "not before the first step: builds"
rm -rf case && cp -r sound case
sed -i 's/movingWall/noWall/' case/processor1/0/U
refused 2 'processor1/0/U'

# One node, two ranks
for cuts in auto free; do
    lbmDict case "cellSize 0.1; cuts $cuts;"
    refused 2 'the lattice cannot be cut into as many'
done
lbmDict case 'cellSize 0.1; cuts (2 1 1);'
refused 2 'cuts: 2 x 1 x 1 pieces: along x a box of 1 x 1 x 1 nodes cannot be cut' 'Way out: cuts free;'
echo "all are refused before the first step"
