# Sectors that repeat by quarter or half turns: flow between cylinders, the inner one turning, as in the whole circle.
# usage: turns.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

python=$(command -v python3)
# Half-way between the axes at radii 1 and 2
a=0.70710678118654752 _a=-$a b=1.41421356237309505 _b=-$b

# sector CASE LAST TYPE: of the tutorial's four blocks the first to the LAST, whose ends are patches of that type
sector()
{
    cloneCase "$here/../../../tutorials/taylorCouette" "$1"
    sed -i '/^functions/,$d' "$1/system/controlDict"
    setEntry "$1/system/controlDict" endTime 4
    setEntry "$1/system/controlDict" writeInterval 4
    lbmDict "$1" 'cellSize 0.0625; maxMach 0.1; referenceSpeed 1; startFlow given;'
    echo 'PISO { pRefPoint (1.5 0.05 0.05); pRefValue 0; }' >> "$1/system/fvSolution"
    [ "$2" -lt 4 ] || return 0
    # Points of the tutorial that are in no block are none of the mesh
    turn='transform rotational; rotationAxis (0 0 1); rotationCentre (0 0 0);'
    sed -i '/^vertices/,$d' "$1/system/blockMeshDict"
    if [ "$2" -eq 1 ]
    then
        cat <<END
vertices
(
    ($a $_a 0) ($b $_b 0) ($b $b 0) ($a $a 0)
    ($a $_a 0.1) ($b $_b 0.1) ($b $b 0.1) ($a $a 0.1)
);
blocks (hex (0 1 2 3 4 5 6 7) (24 48 1) simpleGrading (1 1 1));
edges (arc 0 3 (1 0 0) arc 4 7 (1 0 0.1) arc 1 2 (2 0 0) arc 5 6 (2 0 0.1));
boundary
(
    inner { type wall; faces ((0 4 7 3)); }
    outer { type wall; faces ((1 2 6 5)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
    side1 { type $3; neighbourPatch side2; $turn faces ((0 1 5 4)); }
    side2 { type $3; neighbourPatch side1; $turn faces ((3 7 6 2)); }
);
END
    else
        cat <<END
vertices
(
    ($a $_a 0) ($b $_b 0) ($b $b 0) ($a $a 0) ($_a $a 0) ($_b $b 0)
    ($a $_a 0.1) ($b $_b 0.1) ($b $b 0.1) ($a $a 0.1) ($_a $a 0.1) ($_b $b 0.1)
);
blocks
(
    hex (0 1 2 3 6 7 8 9) (24 48 1) simpleGrading (1 1 1)
    hex (3 2 5 4 9 8 11 10) (24 48 1) simpleGrading (1 1 1)
);
edges
(
    arc 0 3 (1 0 0) arc 6 9 (1 0 0.1) arc 1 2 (2 0 0) arc 7 8 (2 0 0.1)
    arc 3 4 (0 1 0) arc 9 10 (0 1 0.1) arc 2 5 (0 2 0) arc 8 11 (0 2 0.1)
);
boundary
(
    inner { type wall; faces ((0 6 9 3) (3 9 10 4)); }
    outer { type wall; faces ((1 2 8 7) (2 5 11 8)); }
    frontAndBack { type empty; faces ((0 3 2 1) (3 4 5 2) (6 7 8 9) (9 8 11 10)); }
    side1 { type $3; neighbourPatch side2; $turn faces ((0 1 7 6)); }
    side2 { type $3; neighbourPatch side1; $turn faces ((4 10 11 5)); }
);
END
    fi >> "$1/system/blockMeshDict"
    for field in U p; do sed -i "s/^    frontAndBack/    \"side.*\" { type $3; }\n    frontAndBack/" "$1/0/$field"; done
}

# mesh CASE DEGREES
mesh()
{
    runIn "$1" blockMesh
    [ "$2" -eq 0 ] || runIn "$1" transformPoints -rollPitchYaw "(0 0 $2)"
}

run()
{
    timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }
}

# same SECTOR WHOLE FIELD LIMIT: relative L2 in the cells of the sector, which are the whole's first ones
same()
{
    "$python" - "$@" <<'END' || fail "$3 of $1"
import re, sys
def internal(case):
    text = open(f'{case}/4/{sys.argv[3]}').read()
    start = re.search(r'internalField\s+nonuniform\s+List<(\w+)>\s*(\d+)\s*\(', text)
    body = text[start.end():text.index('boundaryField')]
    values = [float(x) for x in re.sub(r'[();]', ' ', body).split()]
    return values, int(start.group(2))
(a, n), (b, m) = internal(sys.argv[1]), internal(sys.argv[2])
b = b[:len(a)]
difference = sum((x - y)**2 for x, y in zip(a, b))**0.5
norm = sum(y*y for y in b)**0.5
print(f'{sys.argv[1]}: {n} of {m} cells, relative L2 of {sys.argv[3]} {difference/norm:.2e}, limit {sys.argv[4]}')
sys.exit(not (n < m and difference <= float(sys.argv[4])*norm))
END
}

for degrees in 0 45
do
    echo "sides $degrees degrees further than at -45 and 45"
    sector "whole$degrees" 4
    mesh "whole$degrees" $degrees
    run "whole$degrees"
    for type in cyclic cyclicAMI
    do
        sector "$type$degrees" 1 $type
        mesh "$type$degrees" $degrees
        run "$type$degrees"
        expect "log.$type$degrees" 'side1 +turn' 'side2 +turn'
        same "$type$degrees" "whole$degrees" U 5e-3
        same "$type$degrees" "whole$degrees" p 5e-2
    done
done

echo "half of it"
sector half 2 cyclic
mesh half 45
run half
same half whole45 U 5e-3

echo "two meshes that cyclicAMI joins, 20 cells high and 15: the lattice knows nothing of it"
channelMesh whole
lbmDict whole 'cells 80; referenceSpeed 1.5;'
cp -r whole joined
# blocks CASE TYPE PLACE: a channel of two blocks, the second one from that place on
blocks()
{
    cat > "$1/system/blockMeshDict" <<END
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices
(
    (0 0 0) (1 0 0) (1 0.5 0) (0 0.5 0) (0 0 0.1) (1 0 0.1) (1 0.5 0.1) (0 0.5 0.1)
    ($3 0 0) (2 0 0) (2 0.5 0) ($3 0.5 0) ($3 0 0.1) (2 0 0.1) (2 0.5 0.1) ($3 0.5 0.1)
);
blocks (hex (0 1 2 3 4 5 6 7) (40 20 1) simpleGrading (1 1 1) hex (8 9 10 11 12 13 14 15) (30 15 1) simpleGrading (1 1 1));
boundary
(
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((9 10 14 13)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2) (8 9 13 12) (11 15 14 10)); }
    before { type $2; neighbourPatch behind; faces ((1 2 6 5)); }
    behind { type $2; neighbourPatch before; faces ((8 12 15 11)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7) (8 11 10 9) (12 13 14 15)); }
);
END
    runIn "$1" blockMesh
}
blocks joined cyclicAMI 1
for name in whole joined; do
    channelField $name U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
    channelField $name p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
done
for field in U p; do sed -i 's/^ *walls /    before { type cyclicAMI; } behind { type cyclicAMI; }\n&/' joined/0/$field; done
for name in whole joined; do
    run $name
    # Of the cell at the inlet, and the fastest in the middle of the block before
    awk '/internalField/ { n = NR + 3 } n && NR == n' $name/4/p > $name.p
    awk '/^\(.* .* .*\)$/ { gsub(/[()]/, ""); if (n++ < 800 && $1 > most) most = $1 } END { print most }' $name/4/U > $name.U
done
expect log.joined 'before +- ' '^End'
echo "p at the inlet $(cat whole.p) and $(cat joined.p), fastest $(cat whole.U) and $(cat joined.U)"
paste whole.p joined.p | awk '{ exit !(NF == 2 && $1 > 1 && ($2/$1 - 1)^2 < 1e-6) }' || fail "p of two blocks"
paste whole.U joined.U | awk '{ exit !(NF == 2 && $1 > 1.4 && ($2/$1 - 1)^2 < 1e-6) }' || fail "U of two blocks"

echo "what is refused"
blocks joined cyclicAMI 1.1
refused joined 'Patch (before|behind) .cyclicAMI.: lbmFoam cannot honour type cyclicAMI of U' 'whose two sides lie in one place'
sector across 2 cyclic
mesh across 0
refused across 'Patch side1 of type cyclic repeats by a rotation' 'half turns about one of them' 'polyMesh'
sector narrow 1 cyclicAMI
mesh narrow 0
runIn narrow transformPoints -scale '(1 0.5 1)'
refused narrow 'Patch side1 of type cyclicAMI repeats by a rotation' 'quarter' 'polyMesh'
echo passed
