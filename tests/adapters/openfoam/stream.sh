# An even stream between planes that lie off the nodes is even, and as fast as its inlet says, whatever rows of nodes fit between them.
# usage: stream.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# field NAME CLASS DIMENSIONS VALUE INLET OUTLET
field()
{
    cat > "stream/0/$1" <<END
FoamFile { version 2.0; format ascii; class $2; object $1; }
dimensions $3;
internalField uniform $4;
boundaryField { inlet { $5 } outlet { $6 } planes { type symmetryPlane; } bottom { type slip; } frontAndBack { type ${sides:-empty}; } }
END
}

cloneCase "$tutorials/incompressible/icoFoam/cavity/cavity" stream
cat > stream/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) (1 0 0) (1 0.5 0) (0 0.5 0) (0 0 .1) (1 0 .1) (1 0.5 .1) (0 0.5 .1));
blocks (hex (0 1 2 3 4 5 6 7) (20 10 1) simpleGrading (1 1 1));
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 2 6 5)); }
    planes { type symmetryPlane; faces ((3 7 6 2)); }
    bottom { type patch; faces ((0 1 5 4)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
END
fields()
{
    field U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;'
    field p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;'
}
fields
setEntry stream/system/controlDict deltaT 0.05
setEntry stream/system/controlDict endTime 5
setEntry stream/system/controlDict writeInterval 100
runIn stream blockMesh
# even CELL CELLS: of the lattice, and of the mesh
even()
{
    cell=$1
    lbmDict stream "cellSize $cell;"
    rm -rf stream/5
    "$lbmFoam" -case stream > log.stream 2>&1 || { tail -n 30 log.stream; fail "cells of $cell m"; }
    awk -v cell="$cell" -v cells="$2" '/^\(.* .* .*\)$/ { gsub(/[()]/, ""); if (n++ == 0) least = most = $1
            if ($1 < least) least = $1; if ($1 > most) most = $1 }
        END { print "cells of " cell " m: " least " to " most " m/s"; exit !(n == cells && least > 0.998 && most < 1.002) }' stream/5/U || fail "speed"
}
for cell in 0.0475 0.0525; do even $cell 200; done

echo "between four planes"
sed -i 's/\.1)/.29)/g; s/(20 10 1)/(20 10 6)/; s/type empty/type symmetry/' stream/system/blockMeshDict
runIn stream blockMesh
sides=symmetry
fields
for cell in 0.0475 0.0525; do even $cell 1200; done
