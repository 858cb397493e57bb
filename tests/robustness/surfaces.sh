# A case of surfaces without a mesh: runs, has the walls of the same case with the mesh of lbmVoxelize and exactWalls bit for
# bit, and says what does not fit.
# usage: surfaces.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
PATH="$build/bin:$PATH"

# A slanted tetrahedron in a channel
cloneCase "$tutorials/incompressible/icoFoam/cavity/cavity" case
rm -rf case/system/blockMeshDict case/constant/polyMesh
mkdir -p case/constant/triSurface
printf 'o body\ng body\nv 0.7 0.31 0.33\nv 1.23 0.37 0.41\nv 0.79 0.73 0.35\nv 0.83 0.39 0.77\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' \
    > case/constant/triSurface/body.obj
cat > case/system/lbmVoxelizeDict <<'EOF'
FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }
surfaces ( "body.obj" );
cellSize 0.05;
box { min (0 0 0); max (2 1 1); patches ( inlet outlet sides sides sides sides ); }
patches { inlet { type patch; } outlet { type patch; } }
EOF
ductField case U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
ductField case p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
setEntry case/constant/transportProperties nu 0.05
for pair in 'endTime 0.2' 'deltaT 0.02' 'writeInterval 10' 'writeFormat binary'; do
    setEntry case/system/controlDict ${pair% *} ${pair#* }
done
lbmDict case ''

cp -r case meshed
cp -r case stairs
runIn case lbmFoam
expect case/log.lbmFoam 'Walls are the surfaces' 'the mesh for fields is made in memory'
[ ! -e case/constant/polyMesh ] || fail "a mesh was written"

runIn meshed lbmVoxelize
cp -r meshed/constant/polyMesh stairs/constant/
echo 'exactWalls yes;' >> meshed/system/lbmVoxelizeDict
runIn meshed lbmFoam
expect meshed/log.lbmFoam 'Walls are the surfaces' 'the mesh carries fields' 'links meet the surfaces' 'nodes of the lattice as much'
runIn stairs lbmFoam
for name in U p; do
    # Headers may name the folder
    grep -av location case/0.2/$name > a; grep -av location meshed/0.2/$name > b; grep -av location stairs/0.2/$name > c
    cmp -s a b || fail "$name differs with the mesh that lbmVoxelize made"
    ! cmp -s a c || fail "$name is that of the mesh's stairs"
done

# Nodes in the stairs of a finer lattice: of 2 m3 less the body
cp -r case finer
rm -rf finer/0.2
lbmDict finer 'cellSize 0.02;'
(cd finer && "$lbmFoam" -dry-run) > log.finer 2>&1 || { tail -n 20 log.finer; fail "a finer lattice"; }
sed -n 's/.*nodes of the lattice \([0-9.]*\) m3: [0-9.e-]* % \(more\|less\)$/\1/p' log.finer |
    awk '{ print "volume " $1; good = $1 > 1.98 && $1 < 1.99 } END { exit !good }' || fail "volume of the finer lattice"

# refuse NAME CHANGE PATTERN...
refuse()
{
    name=$1 change=$2
    shift 2
    rm -rf bad
    cp -r case bad
    rm -rf bad/0.2
    (cd bad && eval "$change")
    status=0
    "$lbmFoam" -case bad > "log.$name" 2>&1 || status=$?
    [ $status = 1 ] || fail "$name: exit status $status"
    expect "log.$name" 'FOAM FATAL (IO )?ERROR' "$@"
}
refuse regionWithoutPatch "sed -i '/^ *body /d' 0/U" 'Region body of the surfaces is no patch' '0/U'
refuse patchWithoutRegion "sed -i 's/^boundaryField/&/; s/^ *body .*/&\n    wing { type noSlip; }/' 0/U" 'Patch wing of boundaryField is no region' '0/U'
refuse missingFile "rm constant/triSurface/body.obj" 'body.obj'
refuse pointInSolid "echo 'insidePoint (0.85 0.45 0.43);' >> system/lbmVoxelizeDict" 'lbmVoxelizeDict'
refuse smallBox "sed -i 's/min (0 0 0); max (2 1 1)/min (0.8 0.4 0.4); max (0.9 0.5 0.5)/' system/lbmVoxelizeDict" \
    'box is smaller than the surfaces' 'lbmVoxelizeDict'
rm -rf bad; cp -r meshed bad; sed -i 's/sides sides sides sides/sides sides sides top/' bad/system/lbmVoxelizeDict
! "$lbmFoam" -case bad > log.otherMesh 2>&1 || fail "a mesh of other patches was taken"
expect log.otherMesh 'The mesh has the patches' 'exactWalls'

# Reported: an open surface
rm -rf open; cp -r case open; rm -rf open/0.2
sed -i '$d' open/constant/triSurface/body.obj
"$lbmFoam" -case open -dry-run > log.open 2>&1 || { tail -n 20 log.open; fail "an open surface"; }
expect log.open 'The surfaces are not closed: 3 open edges'

# Asked about: a size that may be in millimetres
sed -i 's/^v \([0-9.]*\) /v \1e3 /' open/constant/triSurface/body.obj
sed -i 's/max (2 1 1)/max (2000 1 1)/; s/^cellSize .*/cellSize 0.5;/' open/system/lbmVoxelizeDict
"$build/bin/lbmVoxelize" -case open -dry-run > log.scale 2>&1 || { tail -n 20 log.scale; fail "a long surface"; }
expect log.scale 'If their files are in millimetres: entry scale'
echo passed
