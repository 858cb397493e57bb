# Cells of several sizes (entry outputMesh of lbmVoxelizeDict) that ranks share, with the surfaces' own walls: bit for bit what one process
# makes of them. usage: outputMesh.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
PATH="$build/bin:$PATH"
freshCavity case
binary case
bodyInChannel case 0.025 'type fixedValue; value uniform (1 0 0);'
cat >> case/system/lbmVoxelizeDict <<'END'
exactWalls yes;
outputMesh { box (0.5 0.25 0.25) (1.5 0.8 0.8); cellSize 0.05; maxCellSize 0.2; }
END
for pair in 'endTime 0.1' 'deltaT 0.01' 'writeInterval 5'; do setEntry case/system/controlDict ${pair% *} ${pair#* }; done
runIn case lbmVoxelize
cp -r case whole
runIn whole lbmFoam
shared case 2 '2 1 1'
expect case.log.2 'the mesh carries fields'
same whole case
echo "cells of several sizes on two ranks: bit for bit what one process makes of them"
