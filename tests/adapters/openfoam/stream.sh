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

echo "a jet from a floor past which the fluid slips brings its rate, 0.023 m3/s, and where the roof has a given flow, too, as much leaves"
cloneCase "$tutorials/incompressible/icoFoam/cavity/cavity" jet
cat > jet/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices
(
    (0 0 0) (0.4 0 0) (0.63 0 0) (1 0 0) (0 1 0) (0.4 1 0) (0.63 1 0) (1 1 0)
    (0 0 0.1) (0.4 0 0.1) (0.63 0 0.1) (1 0 0.1) (0 1 0.1) (0.4 1 0.1) (0.63 1 0.1) (1 1 0.1)
);
blocks
(
    hex (0 1 5 4 8 9 13 12) (8 20 1) simpleGrading (1 1 1) hex (1 2 6 5 9 10 14 13) (5 20 1) simpleGrading (1 1 1)
    hex (2 3 7 6 10 11 15 14) (8 20 1) simpleGrading (1 1 1)
);
boundary
(
    jet { type patch; faces ((1 2 10 9)); }
    floor { type patch; faces ((0 1 9 8) (2 3 11 10)); }
    left { type symmetryPlane; faces ((0 8 12 4)); }
    right { type symmetryPlane; faces ((3 7 15 11)); }
    top { type patch; faces ((4 12 13 5) (5 13 14 6) (6 14 15 7)); }
    frontAndBack { type empty; faces ((0 4 5 1) (1 5 6 2) (2 6 7 3) (8 9 13 12) (9 10 14 13) (10 11 15 14)); }
);
END
runIn jet blockMesh
setEntry jet/constant/transportProperties nu 0.05
for entry in 'deltaT 0.02' 'endTime 4' 'writeInterval 200'; do setEntry jet/system/controlDict ${entry% *} ${entry#* }; done
# jet JET TOP PTOP CELL: conditions; the last mass balance is to be that of the rate
jet()
{
    for part in "U volVectorField [0_1_-1_0_0_0_0] (0_0_0)" "p volScalarField [0_2_-2_0_0_0_0] 0"; do
        set -- "$1" "$2" "$3" "$4" $(echo "$part")
        [ "$5" = U ] && ends="jet { $1 } top { $2 } floor { type slip; }" || ends="jet { type zeroGradient; } top { $3 } floor { type zeroGradient; }"
        cat > "jet/0/$5" <<END
FoamFile { version 2.0; format ascii; class $6; object $5; }
dimensions $(echo "$7" | tr _ ' ');
internalField uniform $(echo "$8" | tr _ ' ');
boundaryField { $ends left { type symmetryPlane; } right { type symmetryPlane; } frontAndBack { type empty; } }
END
    done
    rm -rf jet/[1-9]*
    lbmDict jet "cellSize $4;"
    "$lbmFoam" -case jet > log.jet 2>&1 || { tail -n 30 log.jet; fail "jet"; }
    balance=$(sed -n 's/^mass balance: in \([^,]*\), out \([^ ]*\) m3.*/\1 \2/p' log.jet | tail -n 1)
    echo "cells of $4 m: $balance"
    echo "$balance" | awk '{ exit !(NF == 2 && ($1/0.023 - 1)^2 < 0.02^2 && ($2/$1 - 1)^2 < 0.01^2) }' || fail "jet"
}
given='type fixedValue; value uniform (0 0.23 0);'
for cell in 0.05 0.06; do
    jet 'type fixedValue; value uniform (0 1 0);' 'type zeroGradient;' 'type fixedValue; value uniform 0;' $cell
    jet 'type flowRateInletVelocity; volumetricFlowRate 0.023; value uniform (0 1 0);' "$given" 'type zeroGradient;' $cell
done
