# Boussinesq flow, temperature on the mesh beside the lattice (latticeHeat.sh: on it): a cavity by both on the same cells, restarts bit for bit, what is
# refused and warned of; the onset of convection; a passive scalar in the lattice's flow. usage: heat.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
ours=$here/../../../tutorials/heatedCavity

heated() { heatedCavity "$1" 'checkpoint all; threads 1;'; }

# refused NAME PATTERN: the case of that name
refused()
{
    if "$lbmFoam" -case "$1" > "log.$1" 2>&1; then fail "$1 is not refused"; fi
    expect "log.$1" 'FOAM FATAL' "$2"
    echo "$1: $(grep -E -m1 "$2" "log.$1")"
}

# cells FIELD FILE: the values in all cells, one a line; such of a field that is the same everywhere too
cells()
{
    awk -v field="$1" '/^internalField *uniform/ { gsub(/[();]/, " "); for (i = 0; i < 576; ++i) { for (j = 3; j <= NF; ++j) printf "%s ", $j; print "" } exit }
        /^\(/ && !/^\([-0-9]/ { on = 1; next } /^\)/ { exit } on { gsub(/[()]/, " "); print }' "$2"
}

heated whole
cp -r whole fv
sed -i '/^functions/,$d' fv/system/controlDict
runIn fv buoyantBoussinesqPimpleFoam
"$lbmFoam" -case whole > log.whole 2>&1 || { tail -n 30 log.whole; fail "whole"; }
expect log.whole "temperature +OpenFOAM's equation on the mesh" 'buoyancy +g \(0 -9.81 0\)' 'Solving for T'
"$build/bin/lbmCompare" whole fv -fields '(U T p_rgh)' -noPicture -maxRelL2 U=0.03,T=1.5e-4,p_rgh=0.0147 > log.compare ||
    { cat log.compare; fail "lbmFoam and buoyantBoussinesqPimpleFoam"; }
grep -E '^(U|T|p_rgh) ' log.compare
# p and p_rgh as those solvers write them
for field in p p_rgh T alphat; do [ -f whole/100/$field ] || fail "no $field"; done

echo "restarted half-way"
cp -r whole again
rm -rf again/100 again/postProcessing
"$lbmFoam" -case again > log.again 2>&1 || { tail -n 30 log.again; fail "restart"; }
expect log.again 'Start: checkpoint' 'bit for bit'
for file in U T p p_rgh uniform/lbmCheckpoint.h5; do
    cmp whole/100/$file again/100/$file || fail "$file after the restart"
done

echo "warm beside cold, and p_rgh 0: the one that belongs to them, for the sound of what it lacks sloshes for ever"
# lock NAME LBMDICT
lock()
{
    heated "$1"
    rm "$1"/system/lbmDict
    [ -z "$2" ] || lbmDict "$1" "$2"
    sed -i '/^functions/,$d' "$1/system/controlDict"
    echo 'functions { mean { type volFieldValue; libs (fieldFunctionObjects); operation volAverage; fields (U); regionType all; writeFields false;
        writeControl timeStep; writeInterval 1; log no; } }' >> "$1/system/controlDict"
    sed -i 's/insulated .*/insulated { type wall; faces ((0 1 5 4) (3 7 6 2)); }/' "$1/system/blockMeshDict"
    {
        echo "internalField nonuniform List<scalar> 576 ("
        awk 'BEGIN { for (i = 0; i < 576; ++i) print i % 24 < 12 ? 305 : 295; print ");" }'
    } > "$1.T"
    sed -i -e "/^internalField/{r $1.T" -e 'd}' -e 's/fixedValue/zeroGradient/' "$1/0/T"
    for entry in 'deltaT 0.02' 'endTime 2' 'writeInterval 100'; do setEntry "$1/system/controlDict" ${entry% *} ${entry#* }; done
    runIn "$1" blockMesh
    runIn "$1" "$lbmFoam"
}
# sloshes CASE: the largest mean velocity across, which walls let no fluid have
sloshes() { awk '!/^#/ { gsub(/[()]/, " "); u = $2 < 0 ? -$2 : $2; if (u > most) most = u } END { print most }' "$1"/postProcessing/mean/0/volFieldValue.dat; }
lock lock ''
lock lockAsGiven 'startFlow given;'
expect lock/log.lbmFoam '^Initial p_rgh: the same in all cells, beside a T that is not'
echo "mean velocity across: $(sloshes lock) m/s, as given $(sloshes lockAsGiven)"
awk -v kept="$(sloshes lock)" -v given="$(sloshes lockAsGiven)" 'BEGIN { exit !(given > 0 && kept != "" && kept < 0.1*given) }' || fail "the box sloshes"

echo "warm above cold: fluid that rests stays at rest, and its mass, between walls that lie off the nodes"
heated layers
sed -i '/^functions/,$d' layers/system/controlDict
echo 'functions { hot { type lbmForces; libs (lbmFunctionObjects); patches (hot); rho rhoInf; rhoInf 1; CofR (0 0 0);
    writeControl writeTime; log no; } }' >> layers/system/controlDict
sed -i 's/hot .*/hot { type wall; faces ((3 7 6 2)); }/; s/cold .*/cold { type wall; faces ((0 1 5 4)); }/
    s/insulated .*/insulated { type wall; faces ((0 4 7 3) (1 2 6 5)); }/' layers/system/blockMeshDict
{
    echo "internalField nonuniform List<scalar> 576 ("
    awk 'BEGIN { for (i = 0; i < 576; ++i) print 295 + 10*(int(i/24) + 0.5)/24; print ");" }'
} > layers.T
sed -i -e '/^internalField/{r layers.T' -e 'd}' layers/0/T
setEntry layers/system/controlDict deltaT 0.2
setEntry layers/system/controlDict endTime 20
setEntry layers/system/controlDict writeInterval 20
runIn layers blockMesh
for scheme in linear quadratic local; do
    lbmDict layers "threads 1; collision regularized; cellSize 0.0487; wall $scheme;"
    rm -rf layers/20 layers/postProcessing
    "$lbmFoam" -case layers > log.layers 2>&1 || { tail -n 30 log.layers; fail "layers"; }
    expect log.layers 'hot +wall interpolated'
    # What links let through without their nodes' force: 0.011 (linear, quadratic) and 0.036 (local) of the mass, 0.9 and 1.5 mm/s
    awk -v scheme="$scheme" '/^mass drift: / { drift = $3 } /max\|U\| = / { sub(/.*max\|U\| = /, ""); u = $1 }
        END { print scheme ": mass drift " drift ", " u " m/s"; exit !(drift != "" && drift*drift < 1e-6 && u < 7e-4) }' log.layers ||
        fail "fluid at rest"
    # Links hand over the pressure of the plane half-way behind the last nodes, 0.00156 m2/s2 above that of the last cells
    awk -v force="$(tail -n 1 layers/postProcessing/hot/0/force.dat | tr -d '()' | awk '{ print $3 }')" '
        /^boundaryField/ { exit }
        /^[-0-9.e]+$/ { p[++n] = $1 }
        END {
            for (i = n - 23; i <= n; ++i) top += p[i]/24
            rise = (force/(21*0.0487*0.1) - top - 9.81*46/48)/(0.04905*((21*0.0487/2)^2 - (23/48)^2))
            print "force on the upper wall: " rise " of what it should be above the last cells"
            exit !(n >= 576 && rise > 0.85 && rise < 1.15)
        }' layers/20/p || fail "force on the upper wall"
done

echo "warm below cold: rolls that fade and rolls that grow, and the Rayleigh number between them"
# Rayleigh number at which rolls twice as wide as high neither fade nor grow between two plates: 1708.0; Chandrasekhar, Hydrodynamic
# and Hydromagnetic Stability (1961), section 15 (1707.8 at a width of 2.016)
onset=1708
# rolls CASE RA WHERE: 20 cells between the plates, for one time that heat takes from one to the other, with T on the mesh or on the
# lattice; its growth rate in that time
rolls()
{
    cloneCase "$ours" "$1"
    rm "$1/system/validationDict"
    cat > "$1/system/blockMeshDict" <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) (2 0 0) (2 1 0) (0 1 0) (0 0 .1) (2 0 .1) (2 1 .1) (0 1 .1));
blocks (hex (0 1 2 3 4 5 6 7) (40 20 1) simpleGrading (1 1 1));
boundary
(
    hot { type wall; faces ((0 1 5 4)); }
    cold { type wall; faces ((3 7 6 2)); }
    left { type cyclic; neighbourPatch right; faces ((0 4 7 3)); }
    right { type cyclic; neighbourPatch left; faces ((1 2 6 5)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
END
    for field in "$1"/0/*; do
        sed -i 's/^ *frontAndBack/    "(left|right)" { type cyclic; }\n&/' "$field"
    done
    {
        echo "internalField nonuniform List<scalar> 800 ("
        awk 'BEGIN {
            pi = atan2(0, -1)
            for (i = 0; i < 800; ++i) {
                y = (int(i/40) + 0.5)/20
                printf "%.12g\n", 305 - 10*y + 0.05*cos(pi*(i % 40 + 0.5)/20)*sin(pi*y)
            }
            print ");" }'
    } > rolls.T
    sed -i -e '/^internalField/{r rolls.T' -e 'd}' "$1/0/T"
    # g beta (Thot - Tcold) 0.0981, Prandtl number 0.71
    nu=$(awk -v Ra="$2" 'BEGIN { printf "%.12g", sqrt(0.71*0.0981/Ra) }')
    setEntry "$1/constant/transportProperties" nu "$nu"
    sed -i '/^functions/,$d; s/^writeControl .*/writeControl timeStep;/' "$1/system/controlDict"
    setEntry "$1/system/controlDict" writeInterval 400
    setEntry "$1/system/controlDict" deltaT "$(awk -v nu="$nu" 'BEGIN { printf "%.8g", 0.71/nu/800 }')"
    setEntry "$1/system/controlDict" endTime "$(awk -v nu="$nu" 'BEGIN { printf "%.8g", 800*sprintf("%.8g", 0.71/nu/800) }')"
    runIn "$1" blockMesh > /dev/null
    lbmDict "$1" "threads 1; temperatureOn $3;"
    "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }
    for time in $(cd "$1" && ls -d [1-9]* | sort -g); do
        # What rises under the first harmonic of the width
        awk '/^boundaryField/ { exit }
            /^\([-0-9.e]+ / { v += $2*cos(atan2(0, -1)*(n++ % 40 + 0.5)/20) }
            END { if (n != 800) exit 1; print v < 0 ? -v : v }' "$1/$time/U" || fail "U at $time"
    done > "$1.rise"
    awk 'NR == 1 { first = $1 } END { if (NR != 2) exit 1; print 2*log($1/first) }' "$1.rise" || fail "$1: $(cat "$1.rise")"
}
for where in mesh lattice; do
    below=$(rolls fades 1650 $where) || { echo "$below"; fail "rolls that fade"; }
    above=$(rolls grows 1770 $where) || { echo "$above"; fail "rolls that grow"; }
    awk -v a="$below" -v b="$above" -v onset=$onset -v where=$where 'BEGIN {
        Ra = 1650 - 120*a/(b - a)
        print "T on the " where ": growth rates " a " at 1650, " b " at 1770: none at " Ra
        exit !(a < 0 && b > 0 && (Ra - onset)^2 < (0.01*onset)^2) }' || fail "onset"
    rm -rf fades grows
done

echo "as warm everywhere, in a flow: what divergence the flux keeps neither heats nor cools, in no cell"
heated alike
sed -i '/^functions/,$d' alike/system/controlDict
sed -i 's/uniform 305/uniform 300/; s/uniform 295/uniform 300/' alike/0/T
sed -i 's/"(hot|cold/hot { type fixedValue; value uniform (0 0.2 0); } "(cold/' alike/0/U
setEntry alike/system/controlDict writePrecision 12
"$lbmFoam" -case alike > log.alike 2>&1 || { tail -n 30 log.alike; fail "alike"; }
# The model's solver leaves 1e-9 of it; the divergence of one time step alone is 1e-4 of T where it is a source of that
cells T alike/100/T | awk '{ d = $1 - 300; if (d < 0) d = -d; if (d > most) most = d; ++n }
    END { print "at most " most + 0 " K from 300"; exit !(n == 576 && most < 1e-5) }' || fail "as warm everywhere"
cells U alike/100/U | awk '{ if ($2 > most) most = $2 } END { exit !(most > 0.05) }' || fail "no flow there"

echo "a chimney"
heated chimney
sed -i '/^functions/,$d' chimney/system/controlDict
cat > chimney/system/blockMeshDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) (1 0 0) (1 3 0) (0 3 0) (0 0 .1) (1 0 .1) (1 3 .1) (0 3 .1));
blocks (hex (0 1 2 3 4 5 6 7) (24 72 1) simpleGrading (1 1 1));
boundary
(
    hot { type wall; faces ((0 4 7 3) (1 2 6 5)); }
    bottom { type patch; faces ((0 1 5 4)); }
    top { type patch; faces ((3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
END
# chimneyField NAME CLASS DIMENSIONS VALUE WALLS OPENINGS [TOP]
chimneyField()
{
    cat > "chimney/0/$1" <<END
FoamFile { version 2.0; format ascii; class $2; object $1; }
dimensions $3;
internalField uniform $4;
boundaryField { hot { $5 } bottom { $6 } top { ${7:-$6} } frontAndBack { type empty; } }
END
}
chimneyField T volScalarField '[0 0 0 1 0 0 0]' 300 'type fixedValue; value uniform 305;' \
    'type inletOutlet; inletValue uniform 300; value uniform 300;'
chimneyField U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type noSlip;' \
    'type pressureInletOutletVelocity; value uniform (0 0 0);'
# Outside it is as cold as the air that comes in
chimneyField p_rgh volScalarField '[0 2 -2 0 0 0 0]' 0 'type fixedFluxPressure; rho rhok; value uniform 0;' \
    'type prghPressure; rho rhok; p uniform 0; value uniform 0;' \
    'type prghPressure; rho rhok; p uniform -29.43; value uniform 0;'
chimneyField alphat volScalarField '[0 2 -1 0 0 0 0]' 0 'type calculated; value uniform 0;' 'type calculated; value uniform 0;'
setEntry chimney/constant/transportProperties nu 5e-3
setEntry chimney/system/controlDict deltaT 0.2
runIn chimney blockMesh
cp -r chimney chimneyFv
runIn chimneyFv buoyantBoussinesqPimpleFoam
"$lbmFoam" -case chimney > log.chimney 2>&1 || { tail -n 30 log.chimney; fail "chimney"; }
"$build/bin/lbmCompare" chimney chimneyFv -fields '(U T)' -noPicture -maxRelL2 U=0.02,T=1e-4 > log.compare ||
    { cat log.compare; fail "chimney by lbmFoam and buoyantBoussinesqPimpleFoam"; }
grep -E '^(U|T) ' log.compare
cp -r chimney chimneyLattice
rm -rf chimneyLattice/[1-9]*
lbmDict chimneyLattice 'checkpoint all; threads 1; temperatureOn lattice;'
"$lbmFoam" -case chimneyLattice > log.chimneyLattice 2>&1 || { tail -n 30 log.chimneyLattice; fail "chimney with T on the lattice"; }
expect log.chimneyLattice 'temperature: .* hot [^ ]* \(gradient [0-9.]* K/m\), bottom [^ ]*, top '
"$build/bin/lbmCompare" chimneyLattice chimneyFv -fields '(U T)' -noPicture -maxRelL2 U=0.02,T=1e-4 > log.compare ||
    { cat log.compare; fail "chimney with T on the lattice and by buoyantBoussinesqPimpleFoam"; }
grep -E '^(U|T) ' log.compare
rm -rf chimneyLattice/[1-9]*
sed -i 's/top {[^}]*}/top { type fixedGradient; gradient uniform 5; }/' chimneyLattice/0/T
refused chimneyLattice 'cannot honour type fixedGradient of T at an opening, where its gradient is 5'

echo "with k-epsilon and wall functions of heat: OpenFOAM's hotRoom"
cloneCase "$tutorials/heatTransfer/buoyantBoussinesqPimpleFoam/hotRoom" room
gunzip -rf room
cp room/0/T.orig room/0/T
setEntry room/system/controlDict endTime 40
setEntry room/system/controlDict writeInterval 10
setEntry room/system/controlDict writeFormat binary
setEntry room/system/controlDict startFrom latestTime
runIn room blockMesh
runIn room setFields
lbmDict room 'checkpoint all; threads 1;'
"$lbmFoam" -case room > log.room 2>&1 || { tail -n 30 log.room; fail "room"; }
expect log.room 'beta \(T - TRef\) is 0.9' 'Solving for T' 'Solving for epsilon'
cp -r room roomAgain
rm -rf roomAgain/40
"$lbmFoam" -case roomAgain > log.roomAgain 2>&1 || { tail -n 30 log.roomAgain; fail "restart of the room"; }
for file in U T k alphat uniform/lbmCheckpoint.h5; do
    cmp room/40/$file roomAgain/40/$file || fail "$file of the room after the restart"
done

echo "T changed beside the checkpoint"
cp -r whole changed
rm -rf changed/100
sed -i 's/^internalField.*/internalField uniform 300; before/' changed/50/T
"$lbmFoam" -case changed -dry-run > log.changed 2>&1 || { tail -n 30 log.changed; fail "changed"; }
expect log.changed 'internal field of T was changed'

cloned() { cp -r fv "$1"; rm -rf "$1"/[1-9]* "$1"/postProcessing; lbmDict "$1" 'threads 1;'; }
cloned noBeta; foamDictionary -entry beta -remove noBeta/constant/transportProperties > /dev/null; refused noBeta "beta"
cloned Prt; setEntry Prt/constant/transportProperties Prt -1; refused Prt 'Entry Prt is -1'
cloned radiates
echo 'FoamFile { version 2.0; format ascii; class dictionary; object radiationProperties; } radiation on; radiationModel P1;' \
    > radiates/constant/radiationProperties
refused radiates 'Entry radiationModel is P1'
cloned dimensions; sed -i 's/0 0 0 1 0 0 0/0 0 0 0 0 0 0/' dimensions/0/T; refused dimensions 'T has'
cloned rare; lbmDict rare 'coupleEvery 2;'; refused rare 'coupleEvery is 2, and temperature acts on a transient flow'
cloned gravity; rm gravity/constant/g; refused gravity 'constant/g'
cloned openTop; sed -i 's/fixedFluxPressure; rho rhok/waveTransmissive; gamma 1; fieldInf 0; lInf 1/' openTop/0/p_rgh
refused openTop 'cannot honour type waveTransmissive'
cloned onLattice
echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; } simulationType LES;
LES { LESModel Smagorinsky; turbulence on; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; } }' \
    > onLattice/constant/turbulenceProperties
refused onLattice 'turbulenceOn mesh'

cloned hot
setEntry hot/constant/transportProperties beta 0.05
setEntry hot/system/controlDict endTime 1
"$lbmFoam" -case hot > log.hot 2>&1 || { tail -n 30 log.hot; fail "hot"; }
expect log.hot 'beyond 0.1 Boussinesq' 'T is (305|295) at \('
[ "$(grep -c 'beyond 0.1 Boussinesq' log.hot)" = 1 ] || fail "told more than once"
echo "a passive scalar"
freshCavity scalar
sed -i 's/^divSchemes/divSchemes { "div.phi,(s|one)." Gauss limitedLinear01 1; } &/' scalar/system/fvSchemes
sed -i 's/^solvers/solvers { "(s|one)" { solver PBiCGStab; preconditioner DILU; tolerance 1e-12; relTol 0; } } &/' scalar/system/fvSolution
setEntry scalar/system/controlDict deltaT 0.0025
setEntry scalar/system/controlDict endTime 2
setEntry scalar/system/controlDict writeInterval 800
setEntry scalar/system/controlDict writePrecision 12
for name in s one; do
    cat > scalar/0/$name <<END
FoamFile { version 2.0; format ascii; class volScalarField; object $name; }
dimensions [0 0 0 0 0 0 0];
internalField uniform 1;
boundaryField { "(movingWall|fixedWalls)" { type zeroGradient; } frontAndBack { type empty; } }
END
done
cat > scalar/system/setFieldsDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object setFieldsDict; }
defaultFieldValues ();
regions ( boxToCell { box (0 0 -1) (0.05 1 1); fieldValues ( volScalarFieldValue s 0 ); } );
END
cat >> scalar/system/controlDict <<'END'
functions
{
    s { type scalarTransport; libs (solverFunctionObjects); field s; D 1e-4; nCorr 0; log no; }
    one { $s; field one; }
    content
    {
        type volFieldValue; libs (fieldFunctionObjects); fields (s one); operation volAverage; regionType all;
        writeFields no; writeControl writeTime; log no;
    }
    highest { $content; operation max; }
}
END
runIn scalar setFields
cp -r scalar scalarFv
lbmDict scalar 'threads 1; startFlow given;'
runIn scalarFv icoFoam
"$lbmFoam" -case scalar > log.scalar 2>&1 || { tail -n 30 log.scalar; fail "scalar"; }
"$build/bin/lbmCompare" scalar scalarFv -fields '(s one)' -noPicture -maxRelL2 s=0.02,one=5e-4 > log.compare ||
    { cat log.compare; fail "scalarTransport in lbmFoam's flow and in icoFoam's"; }
grep -E '^(s|one) ' log.compare
# What the flow carries it neither makes nor destroys, in no cell: 1e-4 of it, with a reference of the flux's potential in the first one
awk '/^\($/ { on = 1; next } /^\)/ { on = 0 } on { d = $1 - 1; if (d < 0) d = -d; if (d > most) most = d; ++n }
    END { print "a scalar of 1 is at most " most + 0 " off"; exit !(n == 400 && most < 5e-5) }' scalar/2/one || fail "a scalar that is the same everywhere"
tail -n 1 scalar/postProcessing/content/0/volFieldValue.dat
awk 'END { exit !(($2 - 0.5)^2 < 1e-12) }' scalar/postProcessing/content/0/volFieldValue.dat || fail "the mean of s"

# The flux that it is carried with is solved for from the one before, which the checkpoint has. (The scalar itself: function objects
# solve after fields have been written.)
echo "the flux of a passive scalar goes on exactly"
cp -r scalar carried
rm -rf carried/[12] carried/postProcessing
setEntry carried/system/controlDict endTime 0.2
setEntry carried/system/controlDict writeInterval 40
setEntry carried/system/controlDict writeFormat binary
setEntry carried/system/controlDict startFrom latestTime
lbmDict carried 'threads 1; startFlow given; checkpoint all;'
"$lbmFoam" -case carried > log.carried 2>&1 || { tail -n 30 log.carried; fail "carried"; }
cp -r carried goesOn
rm -rf goesOn/0.2 goesOn/postProcessing
"$lbmFoam" -case goesOn > log.goesOn 2>&1 || { tail -n 30 log.goesOn; fail "restart with a scalar"; }
expect log.goesOn 'bit for bit'
fluxes() { awk '/^Time = / { after = $3 > 0.1 } after && /fluxPotential/' "$1"; }
[ "$(fluxes log.carried | wc -l)" = 40 ] || fail "no flux for the scalar in each time step"
[ "$(fluxes log.carried)" = "$(fluxes log.goesOn)" ] || fail "the flux after a restart with a scalar"
cmp carried/0.2/U goesOn/0.2/U || fail "U after a restart with a scalar"
echo "warm below a top that is open, at rest for as long as what is unstable takes to grow: next to nothing passes, which is no ringing"
heated open
sed -i '/^functions/,$d' open/system/controlDict
sed -i 's/hot .*/hot { type wall; faces ((0 1 5 4)); }/; s/cold .*/cold { type patch; faces ((3 7 6 2)); }/
    s/insulated .*/insulated { type wall; faces ((0 4 7 3) (1 2 6 5)); }/' open/system/blockMeshDict
runIn open blockMesh
for field in U p_rgh T; do sed -i 's/(hot|cold|insulated)/(hot|insulated)/; /^ *cold /d' open/0/$field; done
sed -i 's/^ *frontAndBack/    cold { type pressureInletOutletVelocity; value uniform (0 0 0); }\n&/' open/0/U
sed -i 's/^ *frontAndBack/    cold { type totalPressure; p0 uniform 0; value uniform 0; }\n&/' open/0/p_rgh
sed -i 's/^ *frontAndBack/    cold { type inletOutlet; inletValue uniform 300; value uniform 300; }\n&/' open/0/T
setEntry open/constant/transportProperties nu 2e-4
for entry in 'deltaT 0.05' 'endTime 10' 'writeInterval 200'; do setEntry open/system/controlDict ${entry% *} ${entry#* }; done
"$lbmFoam" -case open > log.open 2>&1 || { tail -n 30 log.open; fail "open"; }
! grep -q 'ring with sound' log.open || fail "open: warned of sound"
# Of 0.016 m3/s with the reference speed
grep '^mass balance' log.open | tr -d , | awk '{ if ($4 > 2e-5 || $6 > 2e-5) bad = 1 } END { exit bad || NR != 200 }' || fail "open: what passes"
# What cells next to the opening have of p lies between nodes and its faces, which have the weight of the fluid
echo "warm walls of a channel, up to an opening above: restarted half-way"
rm -rf again
heated shaft
sed -i '/^functions/,$d' shaft/system/controlDict
sed -i 's/hot .*/hot { type wall; faces ((0 4 7 3) (1 2 6 5)); }/; s/cold .*/cold { type patch; faces ((3 7 6 2)); }/
    s/insulated .*/insulated { type patch; faces ((0 1 5 4)); }/' shaft/system/blockMeshDict
runIn shaft blockMesh
for field in U p_rgh T; do sed -i '/^ *".*(hot.*/d; /^ *\(hot\|cold\|insulated\) /d' shaft/0/$field; done
sed -i 's/^ *frontAndBack/    hot { type noSlip; }\n    cold { type inletOutlet; inletValue uniform (0 0 0); value uniform (0 0 0); }\n    insulated { type fixedValue; value uniform (0 0.1 0); }\n&/' shaft/0/U
sed -i 's/^ *frontAndBack/    "(hot|insulated)" { type fixedFluxPressure; rho rhok; value uniform 0; }\n    cold { type fixedValue; value uniform 0; }\n&/' shaft/0/p_rgh
sed -i 's/^ *frontAndBack/    hot { type fixedValue; value uniform 305; }\n    cold { type zeroGradient; }\n    insulated { type fixedValue; value uniform 300; }\n&/' shaft/0/T
for entry in 'deltaT 0.02' 'endTime 0.4' 'writeControl timeStep' 'writeInterval 10'; do setEntry shaft/system/controlDict ${entry% *} ${entry#* }; done
setEntry shaft/constant/transportProperties nu 1e-3
setEntry shaft/system/lbmDict cellSize 0.05
cp -r shaft shaftLattice
setEntry shaftLattice/system/lbmDict temperatureOn lattice
for case in shaft shaftLattice; do
    "$lbmFoam" -case $case > log.$case 2>&1 || { tail -n 30 log.$case; fail "$case"; }
    cp -r $case again
    rm -rf again/0.4
    "$lbmFoam" -case again > log.again 2>&1 || { tail -n 30 log.again; fail "restart of the $case"; }
    expect log.again 'bit for bit'
    for file in U p p_rgh T; do cmp $case/0.4/$file again/0.4/$file || fail "$file of the $case after the restart"; done
    rm -r again
done
echo passed
