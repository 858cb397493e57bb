# Initial fields that do not fit the conditions, as incompressible solvers take them: p of another level than the outlet's, fluid at
# rest or too slow before an inlet or in a freestream; and such a solver's own result, which stays what it is.
# usage: starts.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

channelMesh base
setEntry base/system/controlDict writePrecision 12
setEntry base/system/controlDict startFrom latestTime
lbmDict base 'threads 1;'
inlet='type fixedValue; value uniform (1 0 0);'
zero='type zeroGradient;'
vector="volVectorField [0 1 -1 0 0 0 0]" scalar="volScalarField [0 2 -2 0 0 0 0]"

# start NAME U OUTLET-P: with these initial values inside, p 0
start()
{
    rm -rf "$1"; cp -r base "$1"
    channelField "$1" U "${vector%% *}" "${vector#* }" "$2" "$inlet" "$zero" 'type noSlip;'
    channelField "$1" p "${scalar%% *}" "${scalar#* }" 0 "$zero" "type fixedValue; value uniform $3;" "$zero"
}
# flow NAME: runs it
flow() { timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }; }
# values FILE: of p in cells
values() { awk '/^[(]$/ { inside = 1; next } /^[)]/ { exit } inside' "$1"; }
# same CASE LEVEL LIMIT OTHER: p beyond that level is the other's
same()
{
    values "$1/4/p" > here; values "$4/4/p" > there
    paste here there | awk -v level="$2" -v limit="$3" '{ d = $1 - level - $2; off += d*d; all += $2*$2 }
        END { print "p off by " sqrt(off/all); exit !(NR > 0 && off <= limit*limit*all) }' || fail "$1: p"
}

echo "p of another level than the outlet's"
start level0 '(1 0 0)' 0
flow level0
! grep -q '^Initial p' log.level0 || fail "p was shifted for nothing"
for level in 0.3 100; do
    start "level$level" '(1 0 0)' $level
    flow "level$level"
    expect "log.level$level" "^Initial p: $level m2/s2 below what patches hold it to"
    same "level$level" $level 1e-3 level0
done
start given '(1 0 0)' 100
lbmDict given 'threads 1; startFlow given;'
refused given 'Initial p is beyond what the lattice can have' 'held by patch outlet to 100 .. 100' 'given/0/p'
! grep -q 'node (-1' log.given || fail "a node that there is not"

echo "fluid that is too slow behind an inlet"
start rest '(0 0 0)' 0
start slow '(0.8 0 0)' 0
start fits '(0.97 0 0)' 0
for case in rest slow fits; do flow $case; done
expect log.slow '^Initial U: lacks 20 % .*, 20 % behind inlets' 'made free of divergence'
same slow 0 1e-3 rest
! grep -q 'made free' log.fits || fail "a flow that fits"

echo "what a finite-volume solver wrote, whose cells beside walls miss some of the flow"
start solved '(0 0 0)' 0
channelBox solved '16 4 1'
runIn solved icoFoam
setEntry solved/system/controlDict endTime 4.05
flow solved
awk '/^Initial U/ { print; found = $4 > 10 && $12 < 8 } END { exit !found }' log.solved || fail "what it lacks"
! grep -Eq 'made free|^Initial p' log.solved || fail "a flow that a solver wrote was changed"

echo "fluid at rest in a freestream"
start stream '(0 0 0)' 0
sed -i '/inlet {/s/{.*}/{ type freestreamVelocity; freestreamValue uniform (1 0 0); value uniform (1 0 0); }/; /walls {/s/{.*}/{ type slip; }/' stream/0/U
sed -i '/inlet {/s/{.*}/{ type freestreamPressure; freestreamValue uniform 0; value uniform 0; }/' stream/0/p
setEntry stream/system/controlDict endTime 0.05
setEntry stream/system/controlDict writeInterval 1
flow stream
expect log.stream '^Initial U: lacks 100 %' 'made free of divergence'
awk '/^[(]$/ { inside = 1; next } /^[)]/ { exit } inside { gsub(/[()]/, ""); if ($1 < 0.99 || $1 > 1.01) { print; bad = 1 } ++n }
    END { exit bad || n != 1600 }' stream/0.05/U || fail "the stream does not move as a whole"

echo "p where no patch fixes it has the level of fvSolution's reference, before an outlet without one, too"
start reference '(1 0 0)' 0
sed -i '/outlet {/s/{.*}/{ type zeroGradient; }/' reference/0/p
sed -i 's/pRefCell .*/pRefCell 5;/; s/pRefValue .*/pRefValue 7;/' reference/system/fvSolution
flow reference
awk '/^[(]$/ { inside = 1; next } inside && ++n == 6 { print "p of cell 5: " $1; exit !($1 == 7) }' reference/4/p || fail "the reference"

echo "one velocity everywhere, past a body: no blow that rings in the channel, whose drag coefficient would go from -1.3 to 6.9"
start body '(1 0 0)' 0
{
    echo "$foamHead"
    echo 'vertices ('
    for z in 0 0.1; do for y in 0 0.375 0.625 1; do for x in 0 1.25 1.5 4; do echo "($x $y $z)"; done; done; done
    echo '); blocks ('
    row=0
    for ny in 6 4 6; do
        column=0
        for nx in 20 4 40; do
            a=$((4*row + column)) b=$((4*row + column + 16))
            [ $row$column = 11 ] || echo "hex ($a $((a+1)) $((a+5)) $((a+4)) $b $((b+1)) $((b+5)) $((b+4))) ($nx $ny 1) simpleGrading (1 1 1)"
            column=$((column + 1))
        done
        row=$((row + 1))
    done
    echo '); boundary ( inlet { type patch; faces ((0 16 20 4) (4 20 24 8) (8 24 28 12)); } outlet { type patch; faces ((3 7 23 19) (7 11 27 23) (11 15 31 27)); }
    walls { type wall; faces ((0 1 17 16) (1 2 18 17) (2 3 19 18) (12 28 29 13) (13 29 30 14) (14 30 31 15) (5 21 22 6) (9 10 26 25) (5 9 25 21) (6 22 26 10)); } );
    defaultPatch { name frontAndBack; type empty; }'
} > body/system/blockMeshDict
rm -rf body/constant/polyMesh
runIn body blockMesh
setEntry body/constant/transportProperties nu 0.0005
setEntry body/system/controlDict functions '{ drag { type lbmForceCoeffs; libs (lbmFunctionObjects); patches (walls); rho rhoInf; rhoInf 1; CofR (0 0 0);
    liftDir (0 1 0); dragDir (1 0 0); pitchAxis (0 0 1); magUInf 1; lRef 0.25; Aref 0.025; log no; } }'
flow body
expect log.body 'made free of divergence'
awk '!/^#/ && $1 > 0.2 { least = n++ && least < $2 ? least : $2; most = most > $2 ? most : $2 }
    END { print "drag coefficient " least " to " most; exit !(n > 10 && least > 0 && most < 6) }' body/postProcessing/drag/0/coefficient.dat || fail "drag of the body"

echo "walls whose faces are finer than nodes"
rm -r body/4
lbmDict body 'threads 1; cellSize 0.125;'
"$lbmFoam" -case body -dry-run > log.finer 2>&1 || { tail -n 30 log.finer; fail "plan"; }
expect log.finer '^ *finer faces +of walls: 0.0625 m wide, nodes are 0.125 m apart. With cellSize 0.0625; .* 4 times as many'
! grep -q 'finer faces' log.body || fail "faces that are not finer"

echo "a stream that speeds up: momentum that alternates from step to step would be fed in each time step, and the drag be another in each lattice step"
cp -r body ramp
rm -rf ramp/[1-9]* ramp/system/lbmDict ramp/postProcessing
setEntry ramp/constant/transportProperties nu 0.01
setEntry ramp/system/controlDict deltaT 0.037
setEntry ramp/0/U 'boundaryField/inlet' '{ type uniformFixedValue; uniformValue table ((0 (1 0 0)) (1 (1 0 0)) (3 (1.3 0 0))); value uniform (1 0 0); }'
of='patches (walls); rho rhoInf; rhoInf 1; CofR (0 0 0); liftDir (0 1 0); dragDir (1 0 0); pitchAxis (0 0 1); magUInf 1; lRef 0.25; Aref 0.025; log no;'
setEntry ramp/system/controlDict functions "{ ours { type lbmForceCoeffs; libs (lbmFunctionObjects); $of }
    theirs { type forceCoeffs; libs (forces); $of writeControl timeStep; writeInterval 1; } }"
flow ramp
expect log.ramp 'D2Q9 trt' 'lattice steps .*\([0-9]*[13579] in each of'
# meanDrag NAME: after the speed has changed
meanDrag() { awk '!/^#/ && $1 > 2 { sum += $2; ++n } END { print sum/n }' "ramp/postProcessing/$1/0/coefficient.dat"; }
echo "drag coefficient by links $(meanDrag ours), by cells $(meanDrag theirs)"
awk -v ours="$(meanDrag ours)" -v theirs="$(meanDrag theirs)" 'BEGIN { d = ours/theirs - 1; exit !(d*d < 0.05*0.05) }' || fail "drag of the ramp"

echo "p that is the same in all cells beside vortices: the one that belongs to them, whose sound nothing would damp"
freshCavity vortices
rm vortices/0/*
sides=
for pair in 'left right 0 4 7 3' 'right left 2 6 5 1' 'low top 1 5 4 0' 'top low 3 7 6 2'; do
    set -- $pair
    sides="$sides $1 { type cyclic; neighbourPatch $2; faces (($3 $4 $5 $6)); }"
done
cat > vortices/system/blockMeshDict <<END
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) (1 0 0) (1 1 0) (0 1 0) (0 0 0.1) (1 0 0.1) (1 1 0.1) (0 1 0.1));
blocks ( hex (0 1 2 3 4 5 6 7) (32 32 1) simpleGrading (1 1 1) );
boundary ( $sides sheets { type empty; faces ((0 3 2 1) (4 5 6 7)); } );
END
runIn vortices blockMesh
around='".*" { type cyclic; } sheets { type empty; }'
# vortex FILE CLASS DIMENSIONS EXPRESSION: of x and y, in rows
vortex()
{
    awk -v class="$2" -v dimensions="$3" -v around="$around" 'BEGIN {
        printf "FoamFile { version 2.0; format ascii; class %s; object f; }\ndimensions [%s];\ninternalField ", class, dimensions
        if (class == "volScalarField") printf "uniform 0;\n"
        else {
            print "nonuniform List<vector> 1024 ("
            for (j = 0; j < 32; ++j) for (i = 0; i < 32; ++i) {
                x = 6.283185307179586*(i + 0.5)/32; y = 6.283185307179586*(j + 0.5)/32
                printf "(%.12g %.12g 0)\n", sin(x)*cos(y), -cos(x)*sin(y)
            }
            print ");"
        }
        print "boundaryField {", around, "}" }' > "vortices/0/$1"
}
vortex U volVectorField '0 1 -1 0 0 0 0'
vortex p volScalarField '0 2 -2 0 0 0 0'
setEntry vortices/constant/transportProperties nu 0.003
setEntry vortices/system/controlDict deltaT 0.01
setEntry vortices/system/controlDict endTime 1
setEntry vortices/system/controlDict writeInterval 10
cp -r vortices asGiven
lbmDict asGiven 'startFlow given;'
for case in vortices asGiven; do flow $case; done
expect log.vortices '^Initial p: the same in all cells, beside a U that is not'
! grep -q '^Initial p' log.asGiven || fail "p was changed though it is given"
# apart CASE: the largest deviation of p from the exact one in ten times, over the latter's amplitude
apart()
{
    for time in 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1; do
        values "$1/$time/p" | awk -v t=$time '{ p[NR] = $1; mean += $1/1024 } END {
            scale = 0.25*exp(-4*0.003*39.4784176*t)
            for (n = 0; n < 1024; ++n) {
                x = 6.283185307179586*(n % 32 + 0.5)/32; y = 6.283185307179586*(int(n/32) + 0.5)/32
                d = p[n + 1] - mean - scale*(cos(2*x) + cos(2*y)); sum += d*d
            }
            print sqrt(sum/1024)/scale }'
    done | sort -g | tail -n 1
}
kept=$(apart vortices) given=$(apart asGiven)
echo "p off by $kept of its amplitude, as given $given"
awk -v kept="$kept" -v given="$given" 'BEGIN { exit !(kept < 0.1 && given > 0.5) }' || fail "p of the vortices"
