# A channel with a bend, whose straight and curved walls are one patch with wall functions: the fluid slips past all of them, and loses
# along its straight leg, where a layer grows, about what it does with simpleFoam. usage: bend.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" bend
rm bend/0/*
# 0.1 m wide, legs of 0.4 and 0.6 m, radius of the middle 0.25 m
cat > bend/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices
(
    (0 0 0) (0.4 0 0) (0.7 0.3 0) (0.7 0.9 0) (0 0.1 0) (0.4 0.1 0) (0.6 0.3 0) (0.6 0.9 0)
    (0 0 0.1) (0.4 0 0.1) (0.7 0.3 0.1) (0.7 0.9 0.1) (0 0.1 0.1) (0.4 0.1 0.1) (0.6 0.3 0.1) (0.6 0.9 0.1)
);
blocks
(
    hex (0 1 5 4 8 9 13 12) (40 10 1) simpleGrading (1 1 1)
    hex (1 2 6 5 9 10 14 13) (36 10 1) simpleGrading (1 1 1)
    hex (2 3 7 6 10 11 15 14) (60 10 1) simpleGrading (1 1 1)
);
edges
(
    arc 1 2 (0.6121320344 0.0878679656 0) arc 9 10 (0.6121320344 0.0878679656 0.1)
    arc 5 6 (0.5414213562 0.1585786438 0) arc 13 14 (0.5414213562 0.1585786438 0.1)
);
boundary
(
    inlet { type patch; faces ((0 8 12 4)); }
    outlet { type patch; faces ((3 11 15 7)); }
    walls { type wall; faces ((0 1 9 8) (1 2 10 9) (2 3 11 10) (4 12 13 5) (5 13 14 6) (6 14 15 7)); }
    frontAndBack { type empty; faces ((0 4 5 1) (1 5 6 2) (2 6 7 3) (8 9 13 12) (9 10 14 13) (10 11 15 14)); }
);
END
runIn bend blockMesh
channelField bend U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type fixedValue; value uniform (2 0 0);' 'type zeroGradient;' 'type noSlip;'
channelField bend p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
channelField bend k volScalarField '[0 2 -2 0 0 0 0]' 0.015 \
    'type fixedValue; value uniform 0.015;' 'type zeroGradient;' 'type kqRWallFunction; value uniform 0.015;'
channelField bend epsilon volScalarField '[0 2 -3 0 0 0 0]' 0.07 \
    'type fixedValue; value uniform 0.07;' 'type zeroGradient;' 'type epsilonWallFunction; value uniform 0.07;'
channelField bend nut volScalarField '[0 2 -1 0 0 0 0]' 0 \
    'type calculated; value uniform 0;' 'type calculated; value uniform 0;' 'type nutkWallFunction; value uniform 0;'
setEntry bend/system/controlDict functions '{ leg { type probes; libs (sampling); fields (p); probeLocations ((0.055 0.055 0.05) (0.325 0.055 0.05)); } }'
cp -r bend reference
runIn reference simpleFoam
runIn bend "$lbmFoam"
expect bend/log.lbmFoam '^ *walls +wall law'
loss() { awk '!/^#/ { p = $2 - $3 } END { print p }' "$1/postProcessing/leg/0/p"; }
found=$(loss bend) wanted=$(loss reference)
echo "loss along the first leg $found m2/s2, simpleFoam's $wanted"
awk -v found="$found" -v wanted="$wanted" 'BEGIN { exit !(wanted > 0.05 && found > 0.9*wanted && found < 1.25*wanted) }' || fail "loss along the leg"
