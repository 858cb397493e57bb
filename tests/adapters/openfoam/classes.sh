# Cases for the tests of single classes, and these tests.
# usage: classes.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# the cavity's 20 x 20 cells on the same, a coarser, a finer and a far finer lattice
freshCavity equal
for lattice in 'coarseLattice 19' 'fineLattice 60' 'finestLattice 400'; do
    set -- $lattice
    cp -r equal "$1"
    lbmDict "$1" "cells $2;"
done

cloneCase "$tutorials/incompressible/icoFoam/cavity/cavityGrade" graded
setEntry graded/system/controlDict startTime 0
lbmDict graded 'cells 24;'
runIn graded blockMesh

cloneCase "$tutorials/incompressible/icoFoam/elbow" triangles
gunzip -c "$tutorials/incompressible/icoFoam/elbow/elbow.msh.gz" > triangles/elbow.msh
runIn triangles fluentMeshToFoam elbow.msh
lbmDict triangles 'cellSize 1;'

# cells of three sizes, so many that threads share those of one box of the search tree
cp -r equal manyCells
sed -E -i 's/\(20 20 1\) simpleGrading.*/(60 20 14) simpleGrading (3 1 0.5)/' manyCells/system/blockMeshDict
sed -i 's/type empty/type patch/' manyCells/system/blockMeshDict
runIn manyCells blockMesh

# the cavity in the plane of y and z
cp -r equal turned
sed -E -i '/^vertices/,/^\)/s/\(([0-9.]+) ([0-9.]+) ([0-9.]+)\)/(\3 \1 \2)/' turned/system/blockMeshDict
runIn turned blockMesh

channelMesh channel
channelField channel U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
channelField channel p volScalarField '[0 2 -2 0 0 0 0]' 0 \
    'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
# with what models of eddies read
cp -r channel eddies
echo 'transportModel Newtonian;' >> eddies/constant/transportProperties
echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; } simulationType LES;' \
    > eddies/constant/turbulenceProperties
echo 'divSchemes { div((nuEff*dev2(T(grad(U))))) Gauss linear; }' >> eddies/system/fvSchemes
# on a lattice whose nodes lie between the centres of its cells
cp -r channel coarseChannel
lbmDict coarseChannel 'cells 60;'
# the same, periodic along x
cp -r channel periodic
sed -i 's/inlet { type patch/inlet { type cyclic; neighbourPatch outlet/; s/outlet { type patch/outlet { type cyclic; neighbourPatch inlet/' \
    periodic/system/blockMeshDict
runIn periodic blockMesh
for field in U p; do sed -i 's/let .*/let { type cyclic; }/' periodic/0/$field; done
# with factors for equations that it does not have, and without any
cp -r periodic relaxed
echo 'relaxationFactors { fields { p 0.5; } equations { default 0.8; k 0.5; "(epsilon|omega)" 0.9; R 1; kFinal 1; } }' \
    >> relaxed/system/fvSolution
# and driven by a source of fvOptions
cp -r periodic sourced
cat > sourced/constant/fvOptions <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object fvOptions; }
source { type vectorSemiImplicitSource; active yes; selectionMode all; volumeMode specific; injectionRateSuSp { U ((5 0 -1) 0); } }
END
# a wall without thickness in the channel's middle
cp -r channel baffle
cat > baffle/system/topoSetDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
actions
(
    { name middle; type faceSet; action new; source boxToFace; box (0.5 0.249 0) (1.5 0.251 0.1); }
    { name middle; type faceZoneSet; action new; source setToFaceZone; faceSet middle; }
);
END
cat > baffle/system/createBafflesDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object createBafflesDict; }
internalFacesOnly true;
baffles { middle { type faceZone; zoneName middle; patches { master { name walls; } slave { name walls; } } } }
END
runIn baffle topoSet
runIn baffle createBaffles -overwrite
# the same, whose sides have points of their own
cp -r baffle slit
runIn slit mergeOrSplitBaffles -split -overwrite
cp -r channel unbalanced
channelField unbalanced U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type fixedValue; value uniform (1 0 0);' 'type fixedValue; value uniform (0.5 0 0);' 'type noSlip;'
channelField unbalanced p volScalarField '[0 2 -2 0 0 0 0]' 0 \
    'type zeroGradient;' 'type zeroGradient;' 'type zeroGradient;'


# a channel with a backward step, cut out of its cells
cp -r channel backwardStep
echo 'FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
    actions ( { name fluid; type cellSet; action new; source boxToCell; box (-1 -1 -1) (0.5 0.2 1); }
        { name fluid; type cellSet; action invert; } );' > backwardStep/system/topoSetDict
runIn backwardStep topoSet
mv backwardStep/0 backwardStep/fields
runIn backwardStep subsetMesh fluid -patch walls -overwrite
rm -rf backwardStep/0
mv backwardStep/fields backwardStep/0

# a disk cut out of the cavity's cells, symmetric about its middle
cp -r equal steps
sed -i 's/^    frontAndBack$/    body { type wall; faces (); }\n&/' steps/system/blockMeshDict
runIn steps blockMesh
echo 'FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
    actions ( { name fluid; type cellSet; action new; source cylinderToCell; p1 (0.05 0.05 -1); p2 (0.05 0.05 1);
        radius 0.0251; } { name fluid; type cellSet; action invert; } );' > steps/system/topoSetDict
runIn steps topoSet
for field in U p; do
    sed -i 's/^    frontAndBack$/    body { type fixedValue; value uniform 0; }\n&/' steps/0/$field
done
sed -i 's/body { type fixedValue; value uniform 0; }/body { type noSlip; }/' steps/0/U
sed -i 's/body { type fixedValue; value uniform 0; }/body { type zeroGradient; }/' steps/0/p
mv steps/0 steps/fields
runIn steps subsetMesh fluid -patch body -overwrite
rm -rf steps/0
mv steps/fields steps/0

"$build/tests/bin/lbmOpenFOAMTests" "$work"
