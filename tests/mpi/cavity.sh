# OpenFOAM's cavity as its users run it: decomposePar, mpirun lbmFoam -parallel, reconstructPar. On any number of ranks what one
# process makes of it, whatever OpenFOAM's division and which of its programs made it. usage: cavity.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
freshCavity whole
binary whole
for case in two three four twoEach text shares; do cp -r whole $case; done
# A field that one process does not ask for may have conditions that nobody has
sed 's/type  *zeroGradient/type nobodysCondition; value uniform 0/; s/object  *p;/object stray;/' whole/0/p > two/0/stray
grep -q nobodysCondition two/0/stray
runIn whole "$lbmFoam"
shared two 2 "2 1 1"
expect two.log.2 'nProcs : 2' 'ranks +2' 'End' 'Finalising parallel run' \
    'Field stray of time 0 is left out: no library that is loaded has its condition nobodysCondition \(way out: libs'
same whole two
shared three 3 "1 3 1"
same whole three
shared four 4 "2 2 1"
same whole four

# Names of times that another timeFormat wrote
cp -r two formats && rm -rf formats/processor*/[1-9]* formats/processor*/0.* formats/[1-9]* formats/0.*
for part in '0.2 scientific' '0.4 fixed' '0.5 general'; do
    setEntry formats/system/controlDict startFrom latestTime
    setEntry formats/system/controlDict endTime "${part% *}"
    setEntry formats/system/controlDict timeFormat "${part#* }"
    onRanks formats 2 || { tail -n 40 formats.log.2 >&2; fail "timeFormat ${part#* }"; }
done
expect formats.log.2 'Start: checkpoint .*/0.40000000/' 'continues bit for bit'
for file in U p; do cmp two/processor1/0.5/$file formats/processor1/0.5/$file || fail "formats: $file"; done

# Several parts a rank
lbmDict twoEach 'parts 4;'
shared twoEach 2 "2 1 1"
expect twoEach.log.2 'ranks +2, 2 parts each' 'parts of [0-9]+ to [0-9]+ fluid nodes'
same whole twoEach

# The lattice is cut as decomposeParDict says, if its method says so
expect four.log.4 'cuts  *2 x 2 x 1 of decomposeParDict, method hierarchical: each where its own nodes' \
    'across x rows of nodes are cut, which makes the dearest faces'
cp -r four scotch && rm -rf scotch/processor*/[1-9]* scotch/processor*/0.* scotch/[1-9]* scotch/0.*
sed -i 's/hierarchical/scotch/' scotch/system/decomposeParDict
onRanks scotch 4 || { tail -n 40 scotch.log.4 >&2; fail "method scotch"; }
expect scotch.log.4 'cuts  *boxes cut in two again and again.*; method scotch of decomposeParDict is for the mesh'
reconstructPar -case scotch > scotch/log.reconstructPar 2>&1 || fail "reconstructPar"
same whole scotch
cp -r four simple && rm -rf simple/processor*/[1-9]* simple/processor*/0.* simple/[1-9]* simple/0.*
sed -i 's/hierarchical/simple/' simple/system/decomposeParDict
onRanks simple 4 -dry-run || { tail -n 40 simple.log.4 >&2; fail "method simple"; }
expect simple.log.4 'cuts  *2 x 2 x 1 of decomposeParDict, method simple: between planes through the whole'

# In an L, between whose arms a quarter of n's pieces has no nodes, boxes take their place. Who asks in lbmDict for what cannot be is refused
freshCavity angle
cat > angle/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
scale 0.1;
vertices ((0 0 0) (.2 0 0) (1 0 0) (0 .2 0) (.2 .2 0) (1 .2 0) (0 1 0) (.2 1 0)
    (0 0 .1) (.2 0 .1) (1 0 .1) (0 .2 .1) (.2 .2 .1) (1 .2 .1) (0 1 .1) (.2 1 .1));
blocks (hex (0 1 4 3 8 9 12 11) (4 4 1) simpleGrading (1 1 1) hex (1 2 5 4 9 10 13 12) (16 4 1) simpleGrading (1 1 1)
    hex (3 4 7 6 11 12 15 14) (4 16 1) simpleGrading (1 1 1));
boundary
(
    movingWall { type wall; faces ((6 14 15 7)); }
    fixedWalls { type wall; faces ((0 8 11 3) (3 11 14 6) (0 1 9 8) (1 2 10 9) (2 5 13 10) (4 12 13 5) (4 7 15 12)); }
    frontAndBack { type empty; faces ((0 3 4 1) (1 4 5 2) (3 6 7 4) (8 9 12 11) (9 10 13 12) (11 12 15 14)); }
);
END
runIn angle blockMesh
decomposed angle 4 "2 2 1"
sed -i 's/hierarchical/simple/' angle/system/decomposeParDict
onRanks angle 4 || { tail -n 40 angle.log.4 >&2; fail "an L"; }
expect angle.log.4 'cuts  *boxes cut in two again and again.*; not n of decomposeParDict: cuts: 2 x 2 x 1 pieces: along y a box of' 'End'
lbmDict angle 'cuts (25 1 1); parts 25;'
! "$lbmFoam" -case angle > angle.log.entry 2>&1 || fail "25 pieces of 20 columns"
expect angle.log.entry 'cuts: 25 x 1 x 1 pieces: along x a box of 20 x 20 x 1 nodes cannot be cut' 'Way out: cuts free;'

# Processors' files of a text are OpenFOAM's, of as many digits
setEntry text/system/controlDict writeFormat ascii
setEntry text/system/controlDict writePrecision 6
rm -rf text/[1-9]* text/0.*
cp -r text textWhole
runIn textWhole "$lbmFoam"
shared text 2 "1 2 1"
same textWhole text
grep -q 'type *processor;' text/processor1/0.5/U || fail "no processor patch in a processor's U"

# Ranks that divide the mesh themselves, and put times together
cp two/system/decomposeParDict shares/system/
mpirun --oversubscribe -n 2 redistributePar -parallel -decompose -case shares > shares/log.decompose 2>&1 || fail "redistributePar -decompose"
onRanks shares 2 || { tail -n 40 shares.log.2 >&2; fail "on what redistributePar made"; }
mpirun --oversubscribe -n 2 redistributePar -parallel -reconstruct -case shares > shares/log.reconstruct 2>&1 || fail "redistributePar -reconstruct"
same whole shares

# The plan writes nothing
rm -rf two/processor*/0.*
onRanks two 2 -dry-run || fail "-dry-run"
expect two.log.2 'ranks +2' 'expected time' 'End' 'parts of [0-9]+ to [0-9]+ fluid nodes' \
    '[0-9.]+ % above the mean; [0-9]+ ghosts, [0-9.]+ % of the nodes, .* [0-9.e-]+ MB in all'
! ls -d two/processor*/0.* two/lbmFoam* > /dev/null 2>&1 || fail "-dry-run has written"
echo "2, 3 and 4 ranks: bit for bit as one process"
