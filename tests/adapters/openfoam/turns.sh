# Sectors that repeat by quarter or half turns: flow between cylinders, the inner one turning, as in the whole circle.
# usage: turns.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

python=$(command -v python3)

# sector CASE LAST TYPE: of the tutorial's four blocks the first to the LAST, whose ends are patches of that type
sector()
{
    cloneCase "$here/../../../tutorials/taylorCouette" "$1"
    sed -i '/^functions/,$d' "$1/system/controlDict"
    setEntry "$1/system/controlDict" endTime 4
    setEntry "$1/system/controlDict" writeInterval 4
    lbmDict "$1" 'cellSize 0.0625; maxMach 0.1; referenceSpeed 1; startFlow given;'
    echo 'PISO { pRefPoint (1.5 0.05 0.05); pRefValue 0; }' >> "$1/system/fvSolution"
    case $2 in
    1) blocks='/^    hex (3 2/d; /^    hex (4 5/d; /^    hex (7 6/d' last='(3 11 10 2)' inner='(0 8 11 3)' outer='(1 2 10 9)'
        flat='(0 3 2 1) (8 9 10 11)' ;;
    2) blocks='/^    hex (4 5/d; /^    hex (7 6/d' last='(4 12 13 5)' inner='(0 8 11 3) (3 11 12 4)'
        outer='(1 2 10 9) (2 5 13 10)' flat='(0 3 2 1) (3 4 5 2) (8 9 10 11) (11 10 13 12)' ;;
    4) return ;;
    esac
    turn='transform rotational; rotationAxis (0 0 1); rotationCentre (0 0 0);'
    sed -i "$blocks; /^boundary/,\$d" "$1/system/blockMeshDict"
    cat >> "$1/system/blockMeshDict" <<END
boundary
(
    inner { type wall; faces ($inner); }
    outer { type wall; faces ($outer); }
    frontAndBack { type empty; faces ($flat); }
    side1 { type $3; neighbourPatch side2; $turn faces ((0 1 9 8)); }
    side2 { type $3; neighbourPatch side1; $turn faces ($last); }
);
END
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
        same "$type$degrees" "whole$degrees" U 1e-3
        same "$type$degrees" "whole$degrees" p 1e-2
    done
done

echo "half of it"
sector half 2 cyclic
mesh half 45
run half
same half whole45 U 1e-3

echo "what is refused"
# refused CASE PATTERN...
refused()
{
    status=0 name=$1; shift
    "$lbmFoam" -case "$name" > "log.$name" 2>&1 || status=$?
    [ "$status" -eq 1 ] || fail "$name: exit status $status"
    expect "log.$name" "$@"
}
sector across 2 cyclic
mesh across 0
refused across 'Patch side1 of type cyclic repeats by a rotation' 'half turns about one of them' 'polyMesh'
sector narrow 1 cyclicAMI
mesh narrow 0
runIn narrow transformPoints -scale '(1 0.5 1)'
refused narrow 'Patch side1 of type cyclicAMI repeats by a rotation' 'quarter' 'polyMesh'
echo passed
