# Surfaces of a case named in lbmDict, or by snappyHexMeshDict and blockMeshDict: the flow is that of lbmVoxelizeDict bit for bit. A
# mesh whose walls are replaced by the surfaces of their name: as by surfaces alone. What does not fit is refused.
# usage: surfaceForms.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
PATH="$build/bin:$PATH"

# A slanted tetrahedron in a channel
cloneCase "$tutorials/incompressible/icoFoam/cavity/cavity" bare
rm -rf bare/system/blockMeshDict bare/constant/polyMesh
mkdir -p bare/constant/triSurface
printf 'o body\ng body\nv 0.7 0.31 0.33\nv 1.23 0.37 0.41\nv 0.79 0.73 0.35\nv 0.83 0.39 0.77\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' \
    > bare/constant/triSurface/body.obj
ductField bare U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;' 'overset { type overset; } "proc.*" { type processor; }'
ductField bare p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;' 'overset { type overset; } "proc.*" { type processor; }'
setEntry bare/constant/transportProperties nu 0.05
for pair in 'endTime 0.2' 'deltaT 0.02' 'writeInterval 10' 'writeFormat ascii' 'writePrecision 17'; do
    setEntry bare/system/controlDict ${pair% *} ${pair#* }
done
entries='surfaces ( "body.obj" );
cellSize 0.05;
origin (0 0 0);
insidePoint (0.101 0.102 0.103);
box { min (0 0 0); max (2 1 1); patches ( inlet outlet sides sides sides sides ); }
patches { inlet { type patch; } outlet { type patch; } }'

cp -r bare own
printf 'FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }\n%s\n' "$entries" > own/system/lbmVoxelizeDict
lbmDict own ''
cp -r bare inLattice
lbmDict inLattice "surfaces { $entries }"

cp -r bare snappy
lbmDict snappy ''
cat > snappy/system/blockMeshDict <<'EOF'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
convertToMeters 0.5;
vertices ( (0 0 0) (4 0 0) (4 2 0) (0 2 0) (0 0 2) (4 0 2) (4 2 2) (0 2 2) );
blocks ( hex (0 1 2 3 4 5 6 7) (40 20 20) simpleGrading (1 1 1) );
edges ( );
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((0 1)); }
    sides { type wall; faces ((1 5 4 0) (3 7 6 2) (0 3 2 1) (4 5 6 7)); }
);
EOF
cat > snappy/system/snappyHexMeshDict <<'EOF'
FoamFile { version 2.0; format ascii; class dictionary; object snappyHexMeshDict; }
castellatedMesh true;
snap true;
addLayers true;
geometry
{
    body.obj { type triSurfaceMesh; name body; }
    fine { type box; min (0 0 0); max (1 1 1); }
}
castellatedMeshControls
{
    features ( );
    refinementSurfaces { body { level (0 0); } }
    refinementRegions { fine { mode inside; levels ((1 1)); } }
    locationInMesh (0.101 0.102 0.103);
}
EOF

for case in own inLattice snappy; do runIn $case lbmFoam; done
expect inLattice/log.lbmFoam 'surfaces of system/lbmDict.surfaces' 'the mesh for fields is made in memory'
expect snappy/log.lbmFoam 'surfaces of system/snappyHexMeshDict' 'walls: body' 'box from \(0 0 0\) to \(2 1 1\) m, cells of 0.05[0-9]* m' \
    'cells of 0.05[0-9]* m: level 0' 'not used.*features, refinementRegions, addLayers'

# same CASE OTHER
same()
{
    for name in U p; do
        # Headers may name the folder
        grep -av location "$1/0.2/$name" > a; grep -av location "$2/0.2/$name" > b
        cmp -s a b || fail "$name of $1 and $2 differ"
    done
}
same own inLattice
same own snappy

# far CASE FILE...: the same place in coordinates of a map, at the default writePrecision
far()
{
    case=$1; shift
    rm -rf $case/0.2
    sed -i '/writePrecision/d; s/writeFormat .*/writeFormat binary;/' $case/system/controlDict
    awk '$1 == "v" { printf "v %.2f %.2f %.2f\n", $2 + 684321.5, $3 + 4785613.25, $4 + 930; next } { print }' \
        $case/constant/triSurface/body.obj > body.moved
    mv body.moved $case/constant/triSurface/body.obj
    sed -i 's/(0.101 0.102 0.103)/(684321.601 4785613.352 930.103)/' "$@"
}
cp -r own ownFar; cp -r snappy snappyFar
far ownFar ownFar/system/lbmVoxelizeDict
far snappyFar snappyFar/system/snappyHexMeshDict
sed -i 's/(0 0 0)/(684321.5 4785613.25 930)/; s/(2 1 1)/(684323.5 4785614.25 931)/' ownFar/system/lbmVoxelizeDict
# In m: no scale
sed -i '/convertToMeters/d; s/^vertices.*/vertices ( (684321.5 4785613.25 930) (684323.5 4785613.25 930) (684323.5 4785614.25 930) (684321.5 4785614.25 930) (684321.5 4785613.25 931) (684323.5 4785613.25 931) (684323.5 4785614.25 931) (684321.5 4785614.25 931) );/' \
    snappyFar/system/blockMeshDict
for case in ownFar snappyFar; do runIn $case lbmFoam; done
same ownFar snappyFar

# A turned box holds what its span says, wherever it stands and whatever files round to
cp -r snappyFar turned; rm -rf turned/0.2
sed -i 's/body.obj { type triSurfaceMesh; name body; }/body { type rotatedBox; span (0.6249 0.4449 0.3449); origin (684322.1 4785613.4 930.3); e1 (3 1 0); e3 (0 0 1); }/; s/level (0 0)/level (0 1)/' \
    turned/system/snappyHexMeshDict
cp -r turned turnedRounded
setEntry turnedRounded/system/controlDict writePrecision 2
for case in turned turnedRounded; do runIn $case lbmFoam; done
same turned turnedRounded
sed -n 's/^Volume *\([0-9.]*\) m3.*/\1/p' turned/log.lbmFoam |
    awk '{ off = (2 - $1)/(0.6249*0.4449*0.3449) - 1; print "volume of the box off by " off; good = off > -0.03 && off < 0.03 } END { exit !good }' ||
    fail "volume of a turned box"

# A mesh, and the body alone as a surface: its wall is the surface's, all else the mesh's
cp -r own meshed
rm -rf meshed/0.2
runIn meshed lbmVoxelize
cp -r meshed stairs
rm stairs/system/lbmVoxelizeDict
runIn stairs lbmFoam
lbmDict meshed 'surfaces { surfaces ( "body.obj" ); cellSize 0.05; }'
rm meshed/system/lbmVoxelizeDict
runIn meshed lbmFoam
expect meshed/log.lbmFoam 'wall body is the surface of this name, [0-9.]+ m from the mesh' 'all other patches are the mesh'
# off CASE OTHER: of U, the largest difference of numbers
off()
{
    paste "$1/0.2/U" "$2/0.2/U" | tr -d '()' | awk '
        NF == 6 && $1 ~ /^[-0-9]/ { for (i = 1; i <= 3; ++i) { d = $i - $(i + 3); if (d < 0) d = -d; if (d > most) most = d } ++n }
        END { if (n < 15000) exit 1; print most }'
}
off own meshed | awk '{ exit !($1 < 1e-12) }' || fail "the wall is not the surface's"
off stairs meshed | awk '{ exit !($1 > 0.01) }' || fail "the wall is the mesh's"

# Planes of one patch, two of which face inwards, without an edge in common with the others
cp -r own channel; rm -rf channel/0.2
sed -i 's/"body.obj"//' channel/system/lbmVoxelizeDict
runIn channel lbmVoxelize
rm channel/system/lbmVoxelizeDict
cp -r channel twoRegions
cat > twoRegions/constant/triSurface/sides.obj <<'EOF'
v 0 0 0
v 2 0 0
v 2 1 0
v 0 1 0
v 0 0 1
v 2 0 1
v 2 1 1
v 0 1 1
v 1 0 0
v 1 0 1
v 1 1 0
v 1 1 1
g outwards
f 1 4 3
f 1 3 2
f 5 6 7
f 5 7 8
g inwards
f 1 10 9
f 1 5 10
f 9 6 2
f 9 10 6
f 4 12 8
f 4 11 12
f 11 7 12
f 11 3 7
EOF
lbmDict twoRegions 'surfaces { surfaces ( "sides.obj" ); cellSize 0.05; inside windingNumber; }'
for case in channel twoRegions; do runIn $case lbmFoam; done
off channel twoRegions | awk '{ exit !($1 < 1e-6) }' || fail "regions of one patch face different ways"

# Patches in another order
cp -r own reordered; rm -rf reordered/0.2
cp -r stairs/constant/polyMesh reordered/constant/
cat > reordered/system/createPatchDict <<'EOF'
FoamFile { version 2.0; format ascii; class dictionary; object createPatchDict; }
pointSync false;
patches ( { name last; patchInfo { type wall; } constructFrom patches; patches ( body ); } );
EOF
runIn reordered createPatch -overwrite
sed -i 's/last/body/' reordered/constant/polyMesh/boundary
echo 'exactWalls yes;' >> reordered/system/lbmVoxelizeDict
runIn reordered lbmFoam
expect reordered/log.lbmFoam 'Walls are the surfaces of system/lbmVoxelizeDict; the mesh carries fields'
off own reordered | awk '{ exit !($1 < 1e-12) }' || fail "patches in another order"

# lbmVoxelize reads lbmDict, too
cp -r inLattice written; rm -rf written/0.2
runIn written lbmVoxelize
cmp -s written/constant/polyMesh/faces meshed/constant/polyMesh/faces || fail "lbmVoxelize by lbmDict"

# Shapes of OpenFOAM: 4/3 pi 0.3^3 in 2 m3; a finer level
cp -r snappy shapes; rm -rf shapes/0.2
sed -i 's/body.obj { type triSurfaceMesh; name body; }/body { type sphere; origin (1 0.5 0.5); radius 0.3; }/; s/level (0 0)/level (0 1)/' \
    shapes/system/snappyHexMeshDict
"$lbmFoam" -case shapes -dry-run > log.shapes 2>&1 || { tail -n 20 log.shapes; fail "shapes"; }
expect log.shapes 'cells of 0.025[0-9]* m: level 1' 'entry outputMesh'
sed -n 's/^Volume *\([0-9.]*\) m3.*/\1/p' log.shapes |
    awk '{ off = (2 - $1)/0.113097 - 1; print "volume of the sphere off by " off; good = off > -0.01 && off < 0.01 } END { exit !good }' ||
    fail "volume of a sphere"

# A body that holds the fluid: sides of the box have none, and are no patches
cp -r shapes within; sed -i 's/locationInMesh.*/locationInMesh (1.01 0.502 0.503);/' within/system/snappyHexMeshDict
sed -i '/inlet\|outlet\|sides/d' within/0/U within/0/p
lbmDict within 'referenceSpeed 1;'
"$lbmFoam" -case within -dry-run > log.within 2>&1 || { tail -n 20 log.within; fail "flow within a body"; }
expect log.within 'no fluid at patch inlet' 'no fluid at patch sides'

# The same room with a pipe to the outlet that the sketch's cells, larger than the lattice's, do not see
cp -r within passage; rm -rf passage/0.2
sed -i 's/body.obj { type triSurfaceMesh; name body; }\|body { type sphere; [^}]*}/room { type sphere; origin (0.5025 0.2525 0.2525); radius 0.15; } pipe { type cylinder; point1 (0.5513 0.2525 0.2525); point2 (1.2 0.2525 0.2525); radius 0.003; }/; s/refinementSurfaces {.*/refinementSurfaces { room { level (0 0); } pipe { level (0 0); } }/; s/locationInMesh.*/locationInMesh (0.5025 0.2525 0.2525);/' \
    passage/system/snappyHexMeshDict
sed -i 's/(4 0 0) (4 2 0)/(2 0 0) (2 2 0)/; s/(4 0 2) (4 2 2)/(2 0 2) (2 2 2)/; s/(40 20 20)/(200 200 200)/' passage/system/blockMeshDict
sed -i 's/body/"(room|pipe)"/' passage/0/U passage/0/p
status=0
"$lbmFoam" -case passage > log.passage 2>&1 || status=$?
[ $status = 1 ] || fail "a side that the sketch does not see: exit status $status"
expect log.passage 'no fluid at patch outlet' 'FOAM FATAL IO ERROR' 'reaches outlet, which was left out' \
    'highest level of refinementSurfaces in castellatedMeshControls' 'locationInMesh of castellatedMeshControls'

# Ground wider than the box of blockMeshDict: the lattice is the box's
cp -r snappy ground; rm -rf ground/0.2
sed -i 's/body.obj { type triSurfaceMesh; name body; }/body { type box; min (-3 -3 -3); max (5 4 0.23); }/; s/locationInMesh.*/locationInMesh (0.501 0.502 0.503);/' \
    ground/system/snappyHexMeshDict
"$lbmFoam" -case ground -dry-run > log.ground 2>&1 || { tail -n 20 log.ground; fail "ground wider than the box"; }
expect log.ground 'box             40 x 20 x 20 nodes'

# A pipe too narrow for the sketch that tells which sides the fluid reaches: of one cell, between two of the sketch's
cp -r snappy narrow; rm -rf narrow/0.2
sed -i 's/body.obj { type triSurfaceMesh; name body; }/body { type cylinder; point1 (0.1 0.2525 0.2525); point2 (0.9 0.2525 0.2525); radius 0.003; }/; s/locationInMesh.*/locationInMesh (0.5025 0.2525 0.2525);/' \
    narrow/system/snappyHexMeshDict
sed -i 's/(4 0 0) (4 2 0)/(2 0 0) (2 2 0)/; s/(4 0 2) (4 2 2)/(2 0 2) (2 2 2)/; s/(40 20 20)/(200 200 200)/' narrow/system/blockMeshDict
setEntry narrow/system/controlDict endTime 0.02
lbmDict narrow 'referenceSpeed 0.1;'
runIn narrow lbmFoam
expect narrow/log.lbmFoam 'all sides of the box are patches' 'walls: body'

# refuse NAME CASE CHANGE PATTERN...
refuse()
{
    name=$1 from=$2 change=$3
    shift 3
    rm -rf bad
    cp -r "$from" bad
    rm -rf bad/0.2
    (cd bad && eval "$change")
    status=0
    "$lbmFoam" -case bad > "log.$name" 2>&1 || status=$?
    [ $status = 1 ] || fail "$name: exit status $status"
    expect "log.$name" 'FOAM FATAL (IO )?ERROR' "$@"
}
refuse bothForms inLattice 'cp ../own/system/lbmVoxelizeDict system/' 'Entry surfaces: the case has .*lbmVoxelizeDict' 'system/lbmDict'
refuse noDictionary inLattice "sed -i 's/^surfaces {.*/surfaces 1; x {/' system/lbmDict; echo 'surfaces ( );' >> system/lbmDict" 'system/lbmDict'
refuse noBlockMesh snappy 'rm system/blockMeshDict' 'blockMeshDict'
refuse noBox snappy "sed -i 's/(4 2 2)/(4 2 3)/' system/blockMeshDict" 'they are no box along the axes' 'blockMeshDict'
refuse curved snappy "sed -i 's/^edges.*/edges ( arc 0 1 (2 -1 0) );/' system/blockMeshDict" 'Entry edges' 'blockMeshDict'
refuse twoPatches snappy "sed -i 's/^blocks.*/blocks ( hex (0 1 2 3 4 5 6 7) (40 20 20) simpleGrading (1 1 1) );/; s/ sides { type wall; faces (/& (0 4 7 3) /' system/blockMeshDict" \
    'low side of x has the patches inlet and sides' 'blockMeshDict'
refuse openSide snappy "sed -i 's/ inlet { type patch; faces ((0 4 7 3)); }//' system/blockMeshDict" 'defaultFaces is of type empty' 'blockMeshDict'
refuse noSurface snappy "sed -i 's/refinementSurfaces { body/refinementSurfaces { wing/' system/snappyHexMeshDict" \
    'No surface of geometry is a wall' 'snappyHexMeshDict'
refuse otherName snappy "sed -i 's/refinementSurfaces {/& wing { level (0 0); }/' system/snappyHexMeshDict" \
    'Entry wing is no surface of geometry' 'snappyHexMeshDict.*refinementSurfaces'
refuse otherRegion snappy "sed -i 's/level (0 0);/& regions { wing { level (1 1); } }/' system/snappyHexMeshDict" \
    'Entry wing is no region of surface body' 'snappyHexMeshDict'
refuse noFile snappy 'rm constant/triSurface/body.obj' 'body.obj' 'snappyHexMeshDict'
refuse disk snappy "sed -i 's/type triSurfaceMesh; name body;/type disk; name body; origin (0 0 0); normal (1 0 0); radius 1;/' system/snappyHexMeshDict" \
    'Entry type is disk' 'snappyHexMeshDict'
refuse outside snappy "sed -i 's/locationInMesh.*/locationInMesh (5 0.5 0.5);/' system/snappyHexMeshDict" \
    'Entry locationInMesh is \(5 0.5 0.5\), outside the box' 'snappyHexMeshDict.*castellatedMeshControls'
refuse smallBox snappy "sed -i 's/convertToMeters.*/convertToMeters 0.01;/; s/locationInMesh.*/locationInMesh (0.001 0.001 0.001);/' system/blockMeshDict system/snappyHexMeshDict; sed -i 's/^v .*/& 0.01/; s/^v 0.7 .*/v -1 -1 -1/; s/^v 1.23 .*/v 9 0 0/; s/^v 0.79 .*/v 0 9 0/; s/^v 0.83 .*/v 0 0 9/' constant/triSurface/body.obj" \
    'box is smaller than the surfaces' 'file: .*blockMeshDict'
refuse inSolid snappy "sed -i 's/locationInMesh.*/locationInMesh (0.85 0.45 0.43);/' system/snappyHexMeshDict; sed -i '/inlet/d' 0/U" 'snappyHexMeshDict|0/U'
refuse apart stairs "cp ../twoRegions/constant/triSurface/sides.obj constant/triSurface/; cp ../twoRegions/system/lbmDict system/" \
    'Wall body of the mesh stands apart' 'system/lbmDict'
refuse elsewhere meshed "sed -i 's/cellSize 0.05;/& scale 3;/' system/lbmDict" 'lie .* m apart on average' 'system/lbmDict'
for entry in 'domainFile "lattice.h5";' 'outputMesh { cellSize 0.1; }' 'patches { body { type wall; } }'; do
    refuse "noEffect${entry%% *}" meshed "sed -i 's/cellSize 0.05;/& $entry/' system/lbmDict" \
        "Entry ${entry%% *} has no effect on this mesh" 'system/lbmDict.surfaces'
done
openBody="sed -i '\$d' constant/triSurface/body.obj"
cp -r meshed open; rm -rf open/0.2; (cd open && eval "$openBody")
"$lbmFoam" -case open -dry-run > log.open 2>&1 || { tail -n 20 log.open; fail "an open wall"; }
refuse exactInside meshed "$openBody; sed -i 's/cellSize 0.05;/& inside exact;/' system/lbmDict" 'not closed' 'system/lbmDict'
refuse nobodysWall meshed "sed -i 's/^[og] body/g wing/' constant/triSurface/body.obj; mv constant/triSurface/body.obj constant/triSurface/x.obj; sed -i 's/body.obj/x.obj/' system/lbmDict" \
    'The mesh has the patches' 'region wing of file x' 'system/lbmDict'
echo passed
