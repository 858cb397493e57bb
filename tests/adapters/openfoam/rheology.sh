# Viscosity by the shear rate: power-law fluids between plates against the exact profile and the order of its error, stress and y+
# on the walls, field nu, restarts with other coefficients. usage: rheology.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# Body force 4 and height 1: stress 2 at the walls. A speed of 1 in the middle makes their shear rate 2 (1 + 1/n).
cells=32 # across
# exact FUNCTION: this profile of s, the distance from the middle by half of the height, in place of the U that comes in
exact()
{
    awk -v cells="$cells" '!/^internalField/ { print; next }
    {
        print "internalField nonuniform List<vector> " 4*cells " ("
        for (i = 0; i < 4*cells; ++i) {
            s = (2*int(i/4) + 1)/cells - 1
            if (s < 0) s = -s
            print "(" '"$1"' " 0 0)"
        }
        print ");"
    }'
}

# powerLaw CASE N ENTRIES: entries of system/lbmDict
powerLaw()
{
    cloneCase "$here/../../../tutorials/planarPoiseuille" "$1"
    length=$(awk -v cells="$cells" 'BEGIN { print 4/cells }')
    sed -i "s/(16 8 1)/(4 $cells 1)/; s/(2 /($length /g" "$1/system/blockMeshDict"
    lbmDict "$1" "$3"
    {
        sed '/^nu /d' "$1/constant/transportProperties"
        awk -v n="$2" 'BEGIN { print "transportModel powerLaw;\npowerLawCoeffs { n " n "; k [0 2 -1 0 0 0 0] " \
            2/(2*(1 + 1/n))^n "; nuMin nuMin [0 2 -1 0 0 0 0] 1e-3; nuMax 5; }" }'
    } > properties
    mv properties "$1/constant/transportProperties"
    cat >> "$1/system/controlDict" <<'END'
functions
{
    stress      { type lbmWallShearStress; libs (lbmFunctionObjects); writeControl writeTime; }
    distance    { type lbmYPlus; libs (lbmFunctionObjects); patches (walls); writeControl writeTime; }
}
END
    runIn "$1" blockMesh
    cloneCase "$1" "$1.exact"
    cp -r "$1/constant/polyMesh" "$1.exact/constant/"
    exact "1 - s^(1 + 1/$2)" < "$1/0/U" > "$1.exact/0/U"
}

for n in 0.5 1.5; do
    powerLaw "n$n" $n ''
    timeout 300 "$lbmFoam" -case "n$n" > "log.$n" 2>&1 || { tail -n 30 "log.$n"; fail "n = $n"; }
    "$build/bin/lbmCompare" "n$n" "n$n.exact" -fields '(U)' -noPicture -maxRelL2 U=0.01 > "log.compare.$n" ||
        { cat "log.compare.$n"; fail "n = $n: profile"; }
    grep -E 'relL2|U' "log.compare.$n" | head -n 5
    tail -n 1 "n$n/postProcessing/stress/0/wallShearStress.dat" | tr -d '()' > stress
    awk '{ exit !(($3 + 2)^2 < 4e-4 && ($6 + 2)^2 < 4e-4) }' stress || fail "n = $n: stress $(cat stress)"
    # y = 1/64, viscosity 2 over the shear rate at the wall
    tail -n 1 "n$n/postProcessing/distance/0/yPlus.dat" > distance
    awk -v n=$n '{ y = sqrt(2)/64*2*(1 + 1/n)/2; exit !(($3 - y)^2 < 4e-4*y*y && ($4 - y)^2 < 4e-4*y*y) }' distance ||
        fail "n = $n: distance $(cat distance)"
    # Stress 2 s over the shear rate, four cells a row; not where a limit of the model is near
    awk -v n=$n '/^\($/ && !row { inside = 1; next } /^\)/ { inside = 0 }
        inside {
            s = (2*int(row/4) + 1)/32 - 1
            ++row
            if (s < 0) s = -s
            nu = s^(1 - 1/n)/(1 + 1/n)
            if (s > 0.25 && ($1 - nu)^2 > (0.02*nu)^2) { print "nu " $1 " instead of " nu " at " s; bad = 1 }
        }
        END { exit bad || row != 128 }' "n$n/5/nu" > wrong || fail "n = $n: $(cat wrong)"
done

echo "the order of the error: from 16 cells across to 32"
cells=16
# error CASE: relative L2 difference of U from the exact profile
error() { "$build/bin/lbmCompare" "$1" "$1.exact" -fields '(U)' -noPicture | awk '$1 == "U" { print $6 }'; }
for n in 0.5 1.5; do
    powerLaw "coarse$n" $n ''
    timeout 300 "$lbmFoam" -case "coarse$n" > "log.coarse.$n" 2>&1 || { tail -n 30 "log.coarse.$n"; fail "n = $n, coarse"; }
    awk -v n=$n -v coarse="$(error "coarse$n")" -v fine="$(error "n$n")" 'BEGIN {
        if (!(coarse > 0 && fine > 0)) exit 1
        order = log(coarse/fine)/log(2)
        print "n = " n ": " coarse ", " fine ", order " order
        exit !(order > 1.8) }' || fail "n = $n: order"
done
cells=32

echo "a plug: Bingham's fluid, which at rest is a thousand times as thick as where it flows"
cp -r n0.5 plug
cp -r n0.5.exact plug.exact
rm -rf plug/5 plug/postProcessing
sed -i '/^transportModel/,$d' plug/constant/transportProperties
echo 'transportModel HerschelBulkley; HerschelBulkleyCoeffs { n 1; k 0.5; tau0 1; nu0 500; }' \
    >> plug/constant/transportProperties
# Stress 2 s, of which 1 is what it yields to
exact '(s < 0.5 ? 0.25 : s - s*s)' < n0.5/0/U > plug.exact/0/U
"$lbmFoam" -case plug > log.plug 2>&1 || { tail -n 30 log.plug; fail "plug"; }
"$build/bin/lbmCompare" plug plug.exact -fields '(U)' -noPicture -maxRelL2 U=0.01 > log.compare.plug ||
    { cat log.compare.plug; fail "plug: profile"; }

echo "restart: bit for bit, and with another coefficient or model named"
cloneCase n0.5 whole
cp -r n0.5/constant/polyMesh whole/constant/
# By default the force's speed is that of the whole run
lbmDict whole 'referenceSpeed 1;'
setEntry whole/system/controlDict endTime 0.2
setEntry whole/system/controlDict writeInterval 0.1
sed -i '/^functions/,$d' whole/system/controlDict
cp -r whole halves
setEntry halves/system/controlDict endTime 0.1
"$lbmFoam" -case whole > log.whole 2>&1 || fail "whole run"
"$lbmFoam" -case halves > log.first 2>&1 || fail "first half"
setEntry halves/system/controlDict startFrom latestTime
setEntry halves/system/controlDict endTime 0.2
cp -r halves other
cp -r halves thinner
"$lbmFoam" -case halves > log.second 2>&1 || { tail -n 30 log.second; fail "second half"; }
expect log.second 'no setting has changed since: continues bit for bit'
for field in U p nu; do cmp whole/0.2/$field halves/0.2/$field || fail "$field after a restart"; done

sed -i 's/nuMax 5/nuMax 4/' thinner/constant/transportProperties
"$lbmFoam" -case thinner > log.thinner 2>&1 || { tail -n 30 log.thinner; fail "another coefficient"; }
expect log.thinner 'not bit for bit' 'coefficient nuMax was 5, is 4$' 'deltaT = 0.05: .* lattice steps'

sed -i 's/^transportModel.*/transportModel CrossPowerLaw;/; s/^powerLawCoeffs.*/nu0 0.6; nuInf 0.1; m 1; n 1;/' \
    other/constant/transportProperties
"$lbmFoam" -case other > log.other 2>&1 || { tail -n 30 log.other; fail "another model"; }
expect log.other 'not bit for bit' 'viscosity model was powerLaw, is CrossPowerLaw$' 'CrossPowerLaw at shear rates of'

echo "each model, in its dictionary or beside the others, with dimensions or without"
# model MODEL ENTRIES NU_AT_REST
model()
{
    rm -rf dry
    cp -r n0.5 dry
    sed -i '/^transportModel/,$d' dry/constant/transportProperties
    echo "transportModel $1; $2" >> dry/constant/transportProperties
    "$lbmFoam" -dry-run -case dry > log.dry 2>&1 || { tail -n 30 log.dry; fail "$1"; }
    expect log.dry " nu .* m2/s, $1 at shear rates of .*; $3 at rest"
}
model CrossPowerLaw 'nu0 0.3; nuInf 0.1; m 4; n 2;' 0.3
model BirdCarreau 'BirdCarreauCoeffs { nu0 nu0 [0 2 -1 0 0 0 0] 0.3; nuInf 0.1; k [0 0 1 0 0 0 0] 4; n 0.4; }' 0.3
model BirdCarreau 'BirdCarreauCoeffs { nu0 0.3; nuInf 0.1; k 4; n 0.4; a 1; } CassonCoeffs { m 1; }' 0.3
model HerschelBulkley 'HerschelBulkleyCoeffs { tau0 tau0 [0 2 -2 0 0 0 0] 1; k 0.5; n 1; nu0 50; }' 50
model Casson 'CassonCoeffs { m 0.3; tau0 0.1; nuMin 0.01; nuMax 7; }' 7

echo "a model that OpenFOAM alone has, on the mesh: viscosity 0.25 + 0.125 times the strain rate, between plates"
cp -r n0.5 function
cp -r n0.5.exact function.exact
rm -rf function/5 function/postProcessing
sed -i '/^functions/,$d' function/system/controlDict
sed -i '/^transportModel/,$d' function/constant/transportProperties
echo 'transportModel strainRateFunction; strainRateFunctionCoeffs { function polynomial ((0.25 0) (0.125 1)); }' \
    >> function/constant/transportProperties
echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; } simulationType laminar;' \
    > function/constant/turbulenceProperties
exact '2*((1.0625^1.5 - (0.0625 + s)^1.5)/1.5 - 0.25*(1 - s))' < n0.5/0/U > function.exact/0/U
"$lbmFoam" -case function > log.function 2>&1 || { tail -n 30 log.function; fail "strainRateFunction"; }
expect log.function "viscosity +transportModel, OpenFOAM's on the mesh"
"$build/bin/lbmCompare" function function.exact -fields '(U)' -noPicture -maxRelL2 U=0.01 > log.compare.function ||
    { cat log.compare.function; fail "strainRateFunction: profile"; }

echo "viscosity by temperature, on the mesh: a wall that moves and is warm above one at rest that is cold. U and T conduct alike, by"
echo "nu = nu0 exp(-0.15 (T - 300)), which is linear from wall to wall"
cloneCase "$here/../../../tutorials/heatedCavity" warm
rm warm/system/validationDict
boxMesh warm '0.2 1 0.1' '4 20 1' <<'END'
    hot { type wall; faces ((3 7 6 2)); }
    cold { type wall; faces ((0 1 5 4)); }
    left { type cyclic; neighbourPatch right; faces ((0 4 7 3)); }
    right { type cyclic; neighbourPatch left; faces ((1 2 6 5)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
END
for field in warm/0/*; do sed -i 's/^ *frontAndBack/    "(left|right)" { type cyclic; }\n&/' "$field"; done
sed -i 's/"(hot|cold|insulated)".*/hot { type fixedValue; value uniform (1 0 0); } cold { type noSlip; }/' warm/0/U
sed -i 's/(0 -9.81 0)/(0 0 0)/' warm/constant/g
sed -i '/^functions/,$d' warm/system/controlDict
for entry in 'deltaT 0.1' 'endTime 40' 'writeInterval 40'; do setEntry warm/system/controlDict $entry; done
sed -i '/^transportModel/d; /^nu /d; /^Pr /d' warm/constant/transportProperties
echo 'transportModel ArrheniusBirdCarreau; alpha 0.15; Talpha 300; nu0 0.2; nuInf 0.2; k 0; n 1; Pr 1;' >> warm/constant/transportProperties
lbmDict warm 'referenceSpeed 1; threads 1;'
"$lbmFoam" -case warm > log.warm 2>&1 || { tail -n 30 log.warm; fail "ArrheniusBirdCarreau"; }
for field in U T; do
    awk -v field=$field '/internalField/ { n = NR + 2 } /^boundaryField/ { exit }
        n && NR > n && gsub(/[()]/, " ") + 1 && NF && $1 ~ /^[-0-9]/ {
            y = (int(i/4) + 0.5)/20
            ++i
            exact = -log(1 + (exp(-1.5) - 1)*y)/1.5
            u = field == "U" ? $1 : ($1 - 295)/10
            error += (u - exact)^2; all += exact^2
        }
        END { print field ": relative L2 " sqrt(error/all); exit !(i == 80 && error < 1e-4*all) }' warm/40/$field || fail "$field by temperature"
done
echo passed
