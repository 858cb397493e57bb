# Viscosity by the shear rate: power-law fluids between plates against the exact profile, stress and y+ on the walls, field
# nu, restarts with other coefficients. usage: rheology.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# Body force 4 and height 1: stress 2 at the walls. A speed of 1 in the middle makes their shear rate 2 (1 + 1/n).
# exact N: the profile in 4 x 32 cells in place of the U that comes in
exact()
{
    awk -v n="$1" '!/^internalField/ { print; next }
    {
        print "internalField nonuniform List<vector> 128("
        for (i = 0; i < 128; ++i) {
            s = (2*int(i/4) + 1)/32 - 1
            print "(" 1 - (s < 0 ? -s : s)^(1 + 1/n) " 0 0)"
        }
        print ");"
    }'
}

# powerLaw CASE N ENTRIES: 32 cells across; entries of system/lbmDict
powerLaw()
{
    cloneCase "$here/../../../tutorials/planarPoiseuille" "$1"
    sed -i 's/(16 8 1)/(4 32 1)/; s/(2 /(0.125 /g' "$1/system/blockMeshDict"
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
    exact "$2" < "$1/0/U" > "$1.exact/0/U"
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
    [ -s "n$n/5/nu" ] || fail "n = $n: no field nu"
done
