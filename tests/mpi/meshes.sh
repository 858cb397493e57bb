# A mesh that is in processor directories alone, as snappyHexMesh -parallel makes it there, beside another one in constant/polyMesh
# (blockMesh's). usage: meshes.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
freshCavity case
binary case
decomposed case 2 "2 1 1"
rm case/processor*/constant/polyMesh/*Addressing
sed -i 's/(20 20 1)/(10 10 1)/' case/system/blockMeshDict && runIn case blockMesh
find case/constant case/processor*/constant -type f -exec cksum {} + | sort > before

# Nothing changes but times; whoever is killed leaves nothing that the next one does not remove
untouched()
{
    find case/constant case/processor*/constant -type f -exec cksum {} + | sort > after
    cmp before after || fail "$1 changes meshes"
    ! ls -d case/lbmFoam.* > /dev/null 2>&1 || fail "$1 leaves $(ls -d case/lbmFoam.*)"
}
onRanks case 2 -dry-run || { tail -n 30 case.log.2 >&2; fail "-dry-run"; }
expect case.log.2 'constant/polyMesh is not; reconstructParMesh' 'fluid nodes +400' 'mesh cells +400'
untouched -dry-run
mkdir case/lbmFoam.whole && (cd case/lbmFoam.whole && mkdir constant && ln -s ../system && ln -s ../processor0 && ln -s ../processor1)
for i in 0 1; do echo old > case/processor$i/constant/polyMesh/cellProcAddressing; done
onRanks case 2 || { tail -n 30 case.log.2 >&2; fail "on two ranks"; }
expect case.log.2 'mesh cells +400' 'End'
untouched "the run"

# As OpenFOAM's tutorials go on
reconstructParMesh -case case -constant > case/log.reconstructParMesh 2>&1 || fail "reconstructParMesh"
reconstructPar -case case > case/log.reconstructPar 2>&1 || fail "reconstructPar"
cp -r case whole
rm -rf whole/processor* whole/0.*
runIn whole "$lbmFoam"
same whole case

# None at all
rm -rf case/constant/polyMesh case/processor*/0.* case/processor*/constant/polyMesh
if onRanks case 2; then fail "without a mesh"; fi
expect case.log.2 'no mesh in constant/polyMesh, neither in .*case" nor in .*processor0'
echo "a mesh of processor directories alone: bit for bit what one process makes of it"
