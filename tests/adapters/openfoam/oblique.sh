# A channel turned by 20 degrees whose walls have wall functions: what the last links of its walls bring beside its openings is these
# openings', and the flow that comes in goes through all of it. usage: oblique.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" oblique
rm oblique/0/*
# 1 m long, 0.1 m wide
cat > oblique/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices
(
    (0 0 0) (0.9396926 0.3420201 0) (0.9054906 0.4359894 0) (-0.0342020 0.0939693 0)
    (0 0 0.1) (0.9396926 0.3420201 0.1) (0.9054906 0.4359894 0.1) (-0.0342020 0.0939693 0.1)
);
blocks ( hex (0 1 2 3 4 5 6 7) (200 20 1) simpleGrading (1 1 1) );
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 5 6 2)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
END
runIn oblique blockMesh
channelField oblique U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type fixedValue; value uniform (4.698463 1.710101 0);' 'type zeroGradient;' 'type noSlip;'
channelField oblique p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
channelField oblique k volScalarField '[0 2 -2 0 0 0 0]' 0.09 \
    'type fixedValue; value uniform 0.09;' 'type zeroGradient;' 'type kqRWallFunction; value uniform 0.09;'
channelField oblique epsilon volScalarField '[0 2 -3 0 0 0 0]' 0.6 \
    'type fixedValue; value uniform 0.6;' 'type zeroGradient;' 'type epsilonWallFunction; value uniform 0.6;'
channelField oblique nut volScalarField '[0 2 -1 0 0 0 0]' 0 \
    'type calculated; value uniform 0;' 'type calculated; value uniform 0;' 'type nutkWallFunction; value uniform 0;'
setEntry oblique/system/controlDict endTime 500
setEntry oblique/system/controlDict functions '{}'

# Means of the cells of a section, all of which are as large, over the 5 m/s that come in, times 1000
through() { # CASE COLUMN
    awk -v column="$2" '
        /^internalField/ { inside = 1; next }
        inside && /^\)/ { exit }
        inside && /^\([-0-9]/ {
            gsub(/[()]/, "")
            if (n++ % 200 == column) sum += 0.9396926*$1 + 0.3420201*$2
        }
        END { printf "%.0f", sum/20/5*1000 }' "$1/$(ls "$1" | grep -E '^[0-9]+$' | sort -n | tail -1)/U"
}
for spacing in 0.005 0.0065; do
    cp -r oblique case$spacing
    lbmDict case$spacing "threads 1; cellSize $spacing;"
    runIn case$spacing "$lbmFoam"
    expect case$spacing/log.lbmFoam '^ *walls +wall law'
    for column in 20 100 180; do
        part=$(through case$spacing $column)
        echo "spacing $spacing m: $part thousandths of the flow pass the column $column of 200"
        [ "$part" -ge 992 ] && [ "$part" -le 1008 ] || fail "$part thousandths of the flow pass the column $column"
    done
done
