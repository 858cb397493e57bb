# Files of all processors in one directory, processorsN (-fileHandler collated): read and written as OpenFOAM does, with fields of function
# objects, restarted, on a mesh that is there alone; bit for bit what one process makes. usage: collated.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
collated="-fileHandler collated"

# onProcessors CASE RANKS
onProcessors() { onRanks "$1" "$2" $collated || { tail -n 40 "$1.log.$2" >&2; fail "$1 on $2 ranks, collated"; }; }

# together CASE: reconstructed, and nothing left behind
together()
{
    reconstructPar -case "$1" $collated > "$1/log.reconstructPar" 2>&1 || { tail -n 20 "$1/log.reconstructPar"; fail "reconstructPar"; }
    left=$(cd "$1" && find . -name 'lbmFoam.*' -o -name '*.unfinished' -o -name 'processor[0-9]*')
    [ -z "$left" ] || fail "$1: left behind: $left"
}

cylinder whole
for case in two three; do cp -r whole $case; done
runIn whole "$lbmFoam"
decomposed two 2 "2 1 1" "$collated"
setEntry two/system/controlDict endTime 0.1
onProcessors two 2
expect two.log.2 'Files of processors are in processors2, collated; .*without threads' 'ranks +2' 'End'
grep -q 'class *decomposedBlockData' two/processors2/0.1/U || fail "U of time 0.1 is not collated"
grep -q '^// Processor1' two/processors2/0.1/vorticity || fail "a function object's field is not collated"
setEntry two/system/controlDict endTime 0.2
# As one that was killed while it wrote leaves it
mkdir -p two/processors2/0.15.unfinished/processors2/0.15
echo 'Made by lbmFoam. Unfinished or replaced: processors2/0.15' > two/processors2/0.15.unfinished/madeByLbmFoam
onProcessors two 2
expect two.log.2 'Removing "*0.15.unfinished'
expect two.log.2 'Start: checkpoint' 'continues bit for bit' 'End'
together two
same whole two 0

# controlDict alone may name the handler, too; times that are purged go
decomposed three 3 "1 3 1" "$collated"
setEntry three/system/controlDict OptimisationSwitches '{ fileHandler collated; }'
setEntry three/system/controlDict purgeWrite 1
onRanks three 3 || { tail -n 40 three.log.3 >&2; fail "three ranks"; }
expect three.log.3 'Files of processors are in processors3, collated'
[ ! -e three/processors3/0.1 ] || fail "purgeWrite leaves time 0.1"
together three
rm -r whole/0.1
same whole three

# OpenFOAM's own solver goes on from what lbmFoam wrote, and lbmFoam from that
freshCavity cavity
decomposed cavity 2 "2 1 1" "$collated"
setEntry cavity/system/controlDict endTime 0.1
onProcessors cavity 2
setEntry cavity/system/controlDict startFrom latestTime
setEntry cavity/system/controlDict endTime 0.2
inRanks cavity.log 2 icoFoam -parallel -case cavity $collated || { tail -n 30 cavity.log; fail "icoFoam"; }
expect cavity.log 'Create mesh for time = 0.1' '^Time = 0.2'
setEntry cavity/system/controlDict endTime 0.3
onProcessors cavity 2
expect cavity.log.2 'Time = 0.3' 'End'

# A mesh that is in processorsN alone
rm -rf cavity/processors2/0.* cavity/constant/polyMesh cavity/processors2/constant/polyMesh/*Addressing
find cavity/processors2/constant -type f -exec cksum {} + | sort > before
setEntry cavity/system/controlDict endTime 0.1
onProcessors cavity 2
expect cavity.log.2 'is nowhere else; reconstructParMesh' 'mesh cells +400' 'End'
find cavity/processors2/constant -type f -exec cksum {} + | sort > after
cmp before after || fail "the run changes meshes of processors"

# What the handlers spread over several directories is refused
if FOAM_IORANKS='(0 1)' onRanks cavity 2 $collated; then fail "FOAM_IORANKS"; fi
expect cavity.log.2 'The file handler is collated, and FOAM_IORANKS is .0 1.'
if onRanks cavity 2 -fileHandler hostCollated; then fail "hostCollated"; fi
expect cavity.log.2 'The file handler is hostCollated'
echo "collated: bit for bit what one process makes, restarted, with OpenFOAM's own solver in between"
