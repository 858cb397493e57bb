# lbmFoam -init: cases from surfaces alone run as they are; what cannot be made a case is refused and nothing is left behind.
# usage: init.sh BUILD TUTORIALS WORK. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
geometry=$tutorials/resources/geometry
rm -rf "$work" && mkdir -p "$work" && cd "$work"
python=python3; [ ! -x /usr/bin/python3 ] || python=/usr/bin/python3

# begins NAME FILE OPTION...: makes the case, and runs ten of its time steps
begins()
{
    name=$1 file=$2
    shift 2
    "$lbmFoam" -init "$geometry/$file" "$@" > "log.$name.init" 2>&1 || { tail -n 20 "log.$name.init" >&2; fail "$name is not made"; }
    step=$(getEntry "$name/system/controlDict" deltaT)
    setEntry "$name/system/controlDict" endTime "$(awk -v t="$step" 'BEGIN { print 10*t }')"
    "$lbmFoam" -case "$name" > "log.$name" 2>&1 || { tail -n 30 "log.$name" >&2; fail "$name does not run"; }
    expect "log.$name" '^End'
    drag=$(tail -n 1 "$name/postProcessing/forceCoeffs/0/coefficient.dat" | awk '{ print $2 }')
    awk -v d="$drag" 'BEGIN { exit !(d > 0 && d < 100) }' || fail "drag of $name is $drag"
}

# One region, laminar; many, some smaller than a cell, with eddies; an oblique flow
begins bullet bullet.stl.gz -U '(0 0 0.01)' -nu 1e-6 -cellSize 0.002
expect bullet/constant/turbulenceProperties '^simulationType +laminar;'
# 4 nodes in a layer of 5 sqrt(nu x/U); none is told of where nodes resolve them on any body
expect log.bullet 'layers +at walls have 4 nodes from 0[.]0256 m behind their edges on .*: forces on what is shorter are coarse'
sed -i 's/1e-06/1e-05/; s/1e-6/1e-5/' bullet/constant/transportProperties
"$lbmFoam" -dry-run -case bullet > log.thick 2>&1 || { tail -n 20 log.thick >&2; fail "plan of a thicker fluid"; }
expect log.thick ' 2 with dx'
! grep -q '^ *layers ' log.thick || fail "layers of a thick fluid are called coarse"
expect bullet/system/controlDict 'Aref +7\.8[0-9]*e-05;' 'lRef +0\.02;' 'dragDir +\( ?0 0 1 ?\);'
begins motorBike motorBike.obj.gz -U '(20 0 0)' -cellSize 0.2
expect log.motorBike 'links of regions that no cell meets' '^Regions +[1-9][0-9]* of 70 are met by no cell: .* and [1-9][0-9]* more'
[ "$(grep -c '^ *rider-body' log.motorBike)" -eq 1 ] || fail "the plan does not have each patch once"
expect motorBike/constant/turbulenceProperties '^simulationType +LES;'
# Inlet and outlet let sound out
expect motorBike/system/lbmDict '^openings +\{ "\(inlet\|outlet\)" \{ type nonReflecting; \} \}'
# Its picture has the body, which ParaView reads unpacked, and what of the flow is near it
expect log.motorBike.init '^Pictures as it runs: enabled yes'
expect motorBike/system/controlDict '"--body=\.\./constant/triSurface/motorBike\.obj" "--bodyScale=1"' \
    'box +\( ?-1\.[0-9]+ -0\.0090[0-9]* -[0-9.]+ ?\) \( ?[0-9.]+ -0\.0090[0-9]* [0-9.]+ ?\);' 'image +yes;'
zcat "$geometry/motorBike.obj.gz" | cmp -s - motorBike/constant/triSurface/motorBike.obj || fail "the surface is not the one that was given"
begins flange flange.stl.gz -U '(-1 0.5 0)' -nu 1e-4 -cellSize 0.005
expect flange/system/lbmVoxelizeDict 'patches +\( outlet inlet inlet outlet sides sides \)'
# Its picture is to show it: the box is longer downstream
getEntry flange/system/controlDict functions/insitu/arguments | tr '()"' '   ' > arguments
getEntry flange/system/controlDict functions/forceCoeffs/CofR | tr '()' '  ' | cat - arguments | tr '\n' ' ' | awk '
    { x["x"] = $1; x["y"] = $2; x["z"] = $3; sub(/--normal=/, "", $4); sub(/--at=/, "", $5); off = $5 - x[$4] }
    END { print "slice across " $4 " at " $5; exit !($4 ~ /^[xyz]$/ && off^2 < 1e-12) }' || fail "the slice misses the body"
begins tip propellerTip.obj.gz -U '(1 1 1)' -case tip -cellSize 0.03
! grep -q sides tip/0/U || fail "a flow across all sides has sides"

# refused NAME PATTERN OPTION...: ends with these words, and leaves no folder
refused()
{
    name=$1 words=$2
    shift 2
    ! "$lbmFoam" "$@" -case "$name" > "log.$name" 2>&1 || fail "$name is taken"
    expect "log.$name" "$words"
    [ ! -e "$name" ] || fail "$name is left behind"
}
bullet=$geometry/bullet.stl.gz
refused missing 'none.stl' -init none.stl -U '(1 0 0)'
refused noSpeed 'needs the velocity of the flow' -init "$bullet"
refused resting 'a flow must move' -init "$bullet" -U '(0 0 0)'
refused coarse 'needs cells of at most' -init "$bullet" -U '(1 0 0)' -cellSize 0.01
refused thick 'Option -nu is -1; it must be above 0' -init "$bullet" -U '(1 0 0)' -nu -1
refused number 'Option -U is 20; the flow around a body has a direction' -init "$bullet" -U 20
zcat "$bullet" | sed 's/^\( *\(end\)\{0,1\}solid\).*/\1 inlet/' > inlet.stl
refused sides 'Region inlet of .* has the name of a side' -init inlet.stl -U '(1 0 0)'
! "$lbmFoam" -init "$bullet" -U '(1 0 0)' -case bullet > log.twice 2>&1 || fail "a case is written over another"
expect log.twice 'is there already'
! "$lbmFoam" -case bullet -U '(1 0 0)' > log.alone 2>&1 || fail "-U alone is passed over"
expect log.alone 'Option -U belongs to -init'
# In millimetres
"$lbmFoam" -init "$bullet" -U '(1 0 0)' -scale 10000 -cellSize 20 -case large > log.scaled 2>&1 || fail "-scale"
expect log.scaled '^Body +\(99\.98'
zcat "$bullet" | awk '$1 == "vertex" { print $1, 1e4*$2, 1e4*$3, 1e4*$4; next } { print }' > big.stl
refused big 'If the file is in millimetres: -scale 0.001' -init big.stl -U '(1 0 0)'

# Inside a surface: of open ends, of flat ends of one region, and of regions; oblique to the axes
"$python" - <<'END' || fail "no tubes"
import math
n, turn, radius, low, high = 48, math.pi/4, 0.01, -0.02, 0.02
def place(i, x):
    y, z = radius*math.cos(2*math.pi*i/n), radius*math.sin(2*math.pi*i/n)
    return x*math.cos(turn) - y*math.sin(turn), x*math.sin(turn) + y*math.cos(turn), z
points = [place(i, x) for x in (low, high) for i in range(n)]
points += [(x*math.cos(turn), x*math.sin(turn), 0) for x in (low, high)]
wall, first, last = [], [], []
for i in range(n):
    j = (i + 1) % n
    wall += [(i, n + j, j), (i, n + i, n + j)]
    first.append((2*n, i, j))
    last.append((2*n + 1, n + j, n + i))
def write(name, groups):
    with open(name, "w") as file:
        for p in points:
            file.write("v %.17g %.17g %.17g\n" % p)
        for group, faces in groups:
            file.write(f"g {group}\n")
            for f in faces:
                file.write("f %d %d %d\n" % tuple(k + 1 for k in f))
write("open.obj", [("tube", wall)])
write("one.obj", [("tube", wall + first + last)])
write("regions.obj", [("tube", wall), ("back", first), ("front", last)])
END

# inside NAME FILE OPTION...: makes the case and runs it; the flow that enters leaves
inside()
{
    name=$1 file=$2
    shift 2
    "$lbmFoam" -init "$file" -internal -case "$name" -nu 1e-4 -cellSize 0.001 "$@" > "log.$name.init" 2>&1 ||
        { tail -n 20 "log.$name.init" >&2; fail "$name is not made"; }
    "$lbmFoam" -case "$name" > "log.$name" 2>&1 || { tail -n 30 "log.$name" >&2; fail "$name does not run"; }
    expect "log.$name" '^End' 'the surface is closed'
}
inside tubeOpen open.obj -U 0.1
expect log.tubeOpen.init '^Inlet +inlet at \(-0.0141' '^Outlet +outlet at \(0.0141' 'mean speed 0.1 m/s, Re 20, laminar'
expect tubeOpen/system/lbmVoxelizeDict 'default +wall;'
inside tubeOne one.obj -flowRate 3e-5 -inlet '(0.0141 0.0141 0)'
expect log.tubeOne.init '^Inlet +inlet at \(0.0141' 'Flow +3e-05 m3/s'
expect tubeOne/system/lbmVoxelizeDict 'featureAngle +60;'
inside tubeRegions regions.obj -U '(-0.1 0 0)' -inlet '(0.014 0.014 0)'
expect log.tubeRegions.init '^Inlet +front' '^Outlet +back'
# With eddies: nut, too, names all walls whatever regions are called
"$lbmFoam" -init open.obj -internal -case eddies -nu 1e-6 -cellSize 0.001 -U 1 > log.eddies.init 2>&1 || fail "eddies is not made"
expect log.eddies.init 'Re 20000, LES'
"$lbmFoam" -case eddies -dry-run > log.eddies 2>&1 || { tail -n 20 log.eddies >&2; fail "eddies does not run"; }

refused twoSpeeds '-U 0.2 .* or -flowRate' -init open.obj -internal -U 1 -flowRate 1
refused noInlet 'is in none of the ends' -init open.obj -internal -U 1 -inlet '(0 0 0)'
refused outOfInlet 'does not enter at the inlet' -init regions.obj -internal -U '(1 0 0)' -inlet '(0.014 0.014 0)'
refused wideCells 'needs cells of at most' -init open.obj -internal -U 1 -cellSize 0.008
refused noEnds 'has 0 ends|has 1 ends|which of them are ends' -init "$bullet" -internal -U 1
! "$lbmFoam" -init open.obj -U '(1 0 0)' -inlet '(0 0 0)' -case other > log.other 2>&1 || fail "-inlet without -internal is passed over"
expect log.other 'Option -inlet belongs to -internal'
sed 's/^g tube/g outlet/' open.obj > named.obj
refused namedEnd 'Region outlet of .* has the name of an end' -init named.obj -internal -U 1
