# Function object lbmWallHeatFlux: with T on the mesh, in lbmFoam and in OpenFOAM's own solver, against the gradient on the wall; with T
# on the lattice against the heat of the log; what is refused. usage: wallHeat.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# near WHAT FOUND EXPECTED SHARE
near()
{
    echo "$1: $2, $3"
    awk -v a="$2" -v b="$3" -v share="$4" 'BEGIN { exit !(b != 0 && (a - b)^2 <= (share*b)^2) }' || fail "$1: $2 and $3"
}

# heat CASE PATCH COLUMN: of the last time; columns: 3 min, 4 max, 5 integral
heat() { awk -v patch="$2" -v c="$3" '$2 == patch { v = $c } END { print v }' "$1"/postProcessing/heat/0/wallHeatFlux.dat; }

# gradient CASE WALL: mean of grad(T) along x
gradient() { tail -n 1 "$1/postProcessing/$2/0/surfaceFieldValue.dat" | tr -d '()' | awk '{ print $2 }'; }

# alpha of nu 2.639e-3 and Pr 0.71; walls of 0.1 m2
alpha=3.716901e-3

heatedCavity mesh 'threads 1;'
sed -i '/^functions/,$d' mesh/system/controlDict
cat >> mesh/system/controlDict <<'END'
functions
{
    heat { type lbmWallHeatFlux; libs (lbmFunctionObjects); patches (hot cold); writeControl writeTime; }
    gradientOfT { type grad; libs (fieldFunctionObjects); field T; executeControl writeTime; writeControl none; }
    hotWall
    {
        type surfaceFieldValue; libs (fieldFunctionObjects); regionType patch; name hot; operation areaAverage;
        fields (grad(T)); writeFields no; log no; executeControl writeTime; writeControl writeTime;
    }
    coldWall { $hotWall; name cold; }
}
END
cp -r mesh lattice
cp -r mesh fv
lbmDict lattice 'threads 1; temperatureOn lattice;'
for name in mesh lattice; do
    "$lbmFoam" -case $name > log.$name 2>&1 || { tail -n 30 log.$name; fail $name; }
done
(export LD_LIBRARY_PATH="$build/lib:${LD_LIBRARY_PATH:-}"; runIn fv buoyantBoussinesqPimpleFoam)
for name in mesh fv; do
    near "$name, hot" "$(heat $name hot 5)" "$(awk -v g="$(gradient $name hotWall)" -v a=$alpha 'BEGIN { print -0.1*a*g }')" 1e-5
    near "$name, cold" "$(heat $name cold 5)" "$(awk -v g="$(gradient $name coldWall)" -v a=$alpha 'BEGIN { print 0.1*a*g }')" 1e-5
done
near "lbmFoam and buoyantBoussinesqPimpleFoam" "$(heat mesh hot 5)" "$(heat fv hot 5)" 0.02
for wall in hot cold; do
    near "lattice, $wall, file and log" "$(heat lattice $wall 5)" \
        "$(sed -n "s/^temperature: in its last step.* $wall \([-0-9.e]*\) .*/\1/p" log.lattice | tail -n 1)" 1e-4
done
near "lattice and mesh" "$(heat lattice hot 5)" "$(heat mesh hot 5)" 0.01
for name in mesh lattice; do
    awk -v least="$(heat $name hot 3)" -v most="$(heat $name hot 4)" -v all="$(heat $name hot 5)" 'BEGIN {
        print "hot wall, flux from " least " to " most; exit !(0 < least && least < all/0.1 && all/0.1 < most) }' || fail "$name: range"
    expect $name/100/wallHeatFlux '^dimensions +\[0 1 -1 1 0 0 0\];'
done

echo "in W/m2"
cp -r mesh watts
rm -rf watts/50 watts/100 watts/postProcessing
sed -i 's/patches (hot cold);/& rhoCp 1200;/' watts/system/controlDict
"$lbmFoam" -case watts > log.watts 2>&1 || { tail -n 30 log.watts; fail watts; }
near "rhoCp" "$(heat watts hot 5)" "$(awk -v q="$(heat mesh hot 5)" 'BEGIN { print 1200*q }')" 1e-5
expect watts/100/wallHeatFlux '^dimensions +\[1 0 -3 0 0 0 0\];'

echo "refused"
sed -i 's/rhoCp 1200/rhoCp -1/' watts/system/controlDict
rm -rf watts/50 watts/100
refused watts 'Entry rhoCp is -1; it must be positive'
freshCavity cold
echo 'functions { heat { type lbmWallHeatFlux; libs (lbmFunctionObjects); writeControl writeTime; } }' >> cold/system/controlDict
runIn cold "$lbmFoam"
expect cold/log.lbmFoam 'Function object heat of type lbmWallHeatFlux: there is no temperature T' '^End'
echo passed
