# Cells of several sizes (entry outputMesh of lbmVoxelizeDict) that ranks share, with the surfaces' own walls: bit for bit what one process
# makes of them. usage: outputMesh.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
PATH="$build/bin:$PATH"
freshCavity case
binary case
rm -rf case/constant/polyMesh case/system/blockMeshDict
mkdir -p case/constant/triSurface
printf 'o body\ng body\nv 0.7 0.31 0.33\nv 1.23 0.37 0.41\nv 0.79 0.73 0.35\nv 0.83 0.39 0.77\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' \
    > case/constant/triSurface/body.obj
cat > case/system/lbmVoxelizeDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }
surfaces ( "body.obj" );
cellSize 0.025;
box { min (0 0 0); max (2 1 1); patches ( inlet outlet sides sides sides sides ); }
patches { inlet { type patch; } outlet { type patch; } }
exactWalls yes;
outputMesh { box (0.5 0.25 0.25) (1.5 0.8 0.8); cellSize 0.05; maxCellSize 0.2; }
END
field()
{
    cat > "case/0/$1" <<END
FoamFile { version 2.0; format ascii; class $2; object $1; }
dimensions $3;
internalField uniform $4;
boundaryField { inlet { $5 } outlet { $6 } sides { $7 } body { $7 } }
END
}
field U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
field p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
setEntry case/constant/transportProperties nu 0.05
for pair in 'endTime 0.1' 'deltaT 0.01' 'writeInterval 5'; do setEntry case/system/controlDict ${pair% *} ${pair#* }; done
runIn case lbmVoxelize
cp -r case whole
runIn whole lbmFoam
shared case 2 '2 1 1'
expect case.log.2 'the mesh carries fields'
same whole case
echo "cells of several sizes on two ranks: bit for bit what one process makes of them"
