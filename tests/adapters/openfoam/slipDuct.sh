# A bend of a duct 12 cells wide past whose walls the fluid slips, without system/lbmDict: nodes are laid such that its walls lie half-way
# between them, its inlet brings the rate that it is given, the edges with the walls included, as much leaves,
# and the duct's loss is what is known of it but for its bend, behind whose inner wall the stream does not separate (simpleFoam has 0.383
# on these cells; along the leg before the bend both lose as much). Restarts go on with all digits of conditions, also of the model's. usage: slipDuct.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
bend bend 12
# Until the sound of its start is gone
setEntry bend/system/controlDict endTime 24
"$lbmFoam" -case bend > log.bend 2>&1 || { tail -n 30 log.bend; fail "bend"; }
expect log.bend '^    cell size +0.0833333 m' '^    walls +wall law' '^End'
balance=$(sed -n 's/^mass balance: in \([^,]*\), out \([^ ]*\) m3.*/\1 \2/p' log.bend | tail -n 1)
loss=$(awk '!/^#/ { p = $2 } END { print 2*p }' bend/postProcessing/pressure/0/surfaceFieldValue.dat)
echo "in, out (1 m3/s): $balance; loss (0.374 dynamic pressures by Crane's rule): $loss"
echo "$balance" | awk '{ exit !(NF == 2 && ($1 - 1)^2 < 0.002^2 && ($2 - $1)^2 < 0.002^2) }' || fail "what comes in and leaves"
awk -v loss="$loss" 'BEGIN { exit !(loss > 0.3 && loss < 0.42) }' || fail "loss"

# Walls that are no whole number of spacings from the middle of the mesh, of which 12 rows of nodes stood for 11.2 spacings
echo "laid from walls"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" oblique
cat > oblique/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) (3 0 0) (5 1.7 0) (0 1 0) (3 1 0) (5 2.7 0) (0 0 0.1) (3 0 0.1) (5 1.7 0.1) (0 1 0.1) (3 1 0.1) (5 2.7 0.1));
blocks
(
    hex (0 1 4 3 6 7 10 9) (34 11 1) simpleGrading (1 1 1)
    hex (1 2 5 4 7 8 11 10) (22 11 1) simpleGrading (1 1 1)
);
boundary
(
    inlet { type patch; faces ((0 6 9 3)); }
    outlet { type patch; faces ((2 5 11 8)); }
    upperWall { type wall; faces ((3 9 10 4) (4 10 11 5)); }
    lowerWall { type wall; faces ((0 1 7 6) (1 2 8 7)); }
    frontAndBack { type empty; faces ((0 3 4 1) (1 4 5 2) (6 7 10 9) (7 8 11 10)); }
);
END
runIn oblique blockMesh
"$lbmFoam" -case oblique -dry-run > log.oblique 2>&1 || { tail -n 30 log.oblique; fail "oblique"; }
expect log.oblique '^    cell size +0.0909091 m, by which walls or sides across axes lie half-way between nodes' '^    box +55 x 30 x 1 nodes'

# A block in a tunnel: no spacing fits its roof, of 11 rows of nodes the tunnel would be 10.3 wide, but with 30 along it its sides lie half-way
echo "laid from sides"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" tunnel
cat > tunnel/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices
(
    (0 0 0) (1.4 0 0) (1.7 0 0) (3 0 0) (0 0.37 0) (1.4 0.37 0) (1.7 0.37 0) (3 0.37 0) (0 1 0) (1.4 1 0) (1.7 1 0) (3 1 0)
    (0 0 0.1) (1.4 0 0.1) (1.7 0 0.1) (3 0 0.1) (0 0.37 0.1) (1.4 0.37 0.1) (1.7 0.37 0.1) (3 0.37 0.1) (0 1 0.1) (1.4 1 0.1) (1.7 1 0.1) (3 1 0.1)
);
blocks
(
    hex (0 1 5 4 12 13 17 16) (14 4 1) simpleGrading (1 1 1) hex (2 3 7 6 14 15 19 18) (13 4 1) simpleGrading (1 1 1)
    hex (4 5 9 8 16 17 21 20) (14 6 1) simpleGrading (1 1 1) hex (5 6 10 9 17 18 22 21) (3 6 1) simpleGrading (1 1 1)
    hex (6 7 11 10 18 19 23 22) (13 6 1) simpleGrading (1 1 1)
);
boundary
(
    inlet { type patch; faces ((0 12 16 4) (4 16 20 8)); }
    outlet { type patch; faces ((3 7 19 15) (7 11 23 19)); }
    upperWall { type wall; faces ((8 20 21 9) (9 21 22 10) (10 22 23 11)); }
    lowerWall { type wall; faces ((0 1 13 12) (1 5 17 13) (5 6 18 17) (2 14 18 6) (2 3 15 14)); }
    frontAndBack
    {
        type empty;
        faces
        (
            (0 4 5 1) (2 6 7 3) (4 8 9 5) (5 9 10 6) (6 10 11 7)
            (12 13 17 16) (14 15 19 18) (16 17 21 20) (17 18 22 21) (18 19 23 22)
        );
    }
);
END
runIn tunnel blockMesh
"$lbmFoam" -case tunnel -dry-run > log.tunnel 2>&1 || { tail -n 30 log.tunnel; fail "tunnel"; }
expect log.tunnel '^    cell size +0.1 m, by which walls or sides across axes lie half-way between nodes' '^    box +30 x 10 x 1 nodes'

# k and epsilon of inlet and outlet have more digits than writePrecision, and what is uniform is text in binary files, too; inletValue
# is no value of a face.
echo "restarted bit for bit"
shortBend short
"$lbmFoam" -case short > log.short 2>&1 || { tail -n 30 log.short; fail "short"; }
grep -aq 'inletValue *uniform 0.000539052;' short/0.1/epsilon || fail "epsilon of the outlet is not written with six digits"
cp -r short again
rm -rf again/0.[234]
"$lbmFoam" -case again > log.again 2>&1 || { tail -n 30 log.again; fail "restart"; }
expect log.again 'Start: checkpoint' 'bit for bit'
! grep -Eq 'is that of its file|were changed since' log.again || fail "what nobody changed is told as changed"
for file in U p k epsilon nut uniform/lbmCheckpoint.h5; do
    cmp short/0.4/$file again/0.4/$file || fail "$file after the restart"
done
# Changed by hand the file's counts
rm -rf again/0.[234]
sed -i 's/inletValue *uniform 0.000539052;/inletValue uniform 0.01;/' again/0.1/epsilon
"$lbmFoam" -case again > log.again 2>&1 || { tail -n 30 log.again; fail "restart with another inletValue"; }
expect log.again 'conditions of epsilon were changed since: those of the file count'
grep -aq 'inletValue *uniform 0.01;' again/0.4/epsilon || fail "inletValue of the file does not count"
echo "OK"
