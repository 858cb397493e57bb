# Meshes that checkMesh calls sound are taken, whatever their cells look like: no refusal may hit one.
# usage: legalMeshes.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

# taken CASE: the plan of the run is printed, or refused for something else than the mesh
taken()
{
    status=0
    timeout 60 "$lbmFoam" -case "$1" -dry-run > "log.$1" 2>&1 || status=$?
    [ "$status" -le 1 ] || fail "$1: exit status $status"
    expect "log.$1" 'Start: U and p of time 0'
    ! grep -Eq 'Open cells|negative cell volume|incorrectly oriented|announces' "log.$1" ||
        fail "$1: $(grep -E 'Open cells|negative cell|incorrectly|announces' "log.$1" | head -n 1)"
}

echo "hexahedra, graded hexahedra, prisms"
freshCavity cavity
taken cavity
cloneCase "$tutorials/incompressible/icoFoam/cavity/cavityGrade" graded
setEntry graded/system/controlDict startTime 0
runIn graded blockMesh
taken graded
cloneCase "$tutorials/incompressible/icoFoam/elbow" elbow
gunzip -c "$tutorials/incompressible/icoFoam/elbow/elbow.msh.gz" > elbow/elbow.msh
runIn elbow fluentMeshToFoam elbow.msh
taken elbow

# Its faces are not in upper triangular order
cloneCase "$tutorials/incompressible/simpleFoam/airFoil2D" airFoil
taken airFoil

echo "polyhedra"
cloneCase cavity dual
sed -i 's/(20 20 1)/(8 8 4)/; s/type empty/type wall/' dual/system/blockMeshDict
sed -i 's/type *empty;/type noSlip;/' dual/0/U
sed -i 's/type *empty;/type zeroGradient;/' dual/0/p
runIn dual blockMesh
runIn dual polyDualMesh -overwrite 80
taken dual

echo "hanging nodes"
cp -r cavity hanging
cat > hanging/system/topoSetDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
actions ( { name fine; type cellSet; action new; source boxToCell; box (0.02 0.02 -1) (0.06 0.06 1); } );
END
runIn hanging topoSet
runIn hanging refineHexMesh -overwrite fine
taken hanging

echo "small, large, and far from the origin"
for change in 'small -scale 1e-6' 'large -scale 1e4' 'far -translate (1e5,2e5,0)'; do
    set -- $change
    cp -r cavity "$1"
    runIn "$1" transformPoints "$2" "$(echo "$3" | tr , ' ')"
    taken "$1"
done

echo "binary and packed files"
cp -r cavity binary
setEntry binary/system/controlDict writeFormat binary
runIn binary blockMesh
taken binary
cp -r cavity packed
gzip packed/constant/polyMesh/*
taken packed

echo passed
