# A body from a surface in eddies that live on the lattice, its walls with a wall function: the law acts link by link, less drag than where
# the fluid sticks, restarts bit for bit; eddies that leave fade in a sponge, which entries change and switch off; a model
# without eddies in shear is told.
# usage: linkLaw.sh BUILD TUTORIALS WORK. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
geometry=$tutorials/resources/geometry
rm -rf "$work" && mkdir -p "$work" && cd "$work"

"$lbmFoam" -init "$geometry/motorBike.obj.gz" -U '(20 0 0)' -cellSize 0.2 -case sticks > log.init 2>&1 || { cat log.init; fail "no case"; }
# Forces are those of a lattice step, in which sound goes about: conditions are renewed often
step=$(awk -v t="$(getEntry sticks/system/controlDict deltaT)" 'BEGIN { printf "%.10g", t/5 }')
setEntry sticks/system/controlDict deltaT "$step"
setEntry sticks/system/controlDict endTime "$(awk -v t="$step" 'BEGIN { printf "%.10g", 20*t }')"
setEntry sticks/system/controlDict writeInterval "$(awk -v t="$step" 'BEGIN { printf "%.10g", 10*t }')"
cp -r sticks law
sed -i 's/type  *calculated;  *\/\/ none of.*/type nutUSpaldingWallFunction;/' law/0/nut
grep -q nutUSpaldingWallFunction law/0/nut || fail "nut was not changed"
cp -r law off
cp -r law shear
sed -i 's/\(LESModel  *\)Smagorinsky;/\1WALE;/' shear/constant/turbulenceProperties
grep -q 'LESModel  *WALE;' shear/constant/turbulenceProperties || fail "the model was not changed"
cp -r law whole
echo 'sponge off;' >> off/system/lbmDict
setEntry law/system/controlDict endTime "$(awk -v t="$step" 'BEGIN { printf "%.10g", 10*t }')"

for name in sticks law whole; do
    timeout 300 "$lbmFoam" -case $name > log.$name 2>&1 || { tail -n 30 log.$name; fail "$name"; }
done
expect log.whole '  wall law  ' '^wall law: sampled at y\+ [1-9]' '^    sponge  .* m before'
! grep -q '^wall law: ' log.sticks || fail "a law without a wall function"
# Expected by Spalding's law at the reference speed, in the distance that is told; cells of 0.2 m are wider than the motorbike's layers
nu=$(getEntry whole/constant/transportProperties nu)
speed=$(awk '$1 " " $2 == "reference speed" { print $3 }' log.whole)
awk -v nu="${nu##* }" -v u="$speed" '$1 == "y+" && $2 == "about" { ++n; y = $5; friction = $3*nu/y; k = 0.41*u/friction
    law = u/friction + (exp(k) - 1 - k - k^2/2 - k^3/6)/9.8; print "y+ " $3 " expected at " y " m, by the law " law
    bad = bad || y < 0.49 || y > 0.51 || law/$3 < 0.99 || law/$3 > 1.01 } END { exit bad || n != 1 }' log.whole || fail "y+ expected"
expect log.whole '^    y\+ too high .*, not 0.5' 'cells of 0.00[0-9]+ m would fit'
! grep -q '^    y+ ' log.sticks || fail "y+ without a wall function"
# By itself the zone is a tenth of the box, but of a fine lattice no more than some nodes, which the plan tells whether it fits or not
cp -r sticks fine && rm -rf fine/[1-9]* fine/0.* fine/postProcessing
sed -i 's/^cellSize .*/cellSize 0.013;/' fine/system/lbmVoxelizeDict
"$lbmFoam" -case fine -dry-run -sketch 30000 > log.fine 2>&1 || grep -q 'GB of memory; .* available' log.fine ||
    { tail -n 20 log.fine; fail "the plan of a fine lattice"; }
zone() { sed -n 's/^    sponge  *\([0-9.e-]*\) m before.*/\1/p' "$1"; }
echo "sponge: $(zone log.whole) m, in a fine lattice $(zone log.fine) m"
awk -v long="$(zone log.whole)" -v short="$(zone log.fine)" 'BEGIN { exit !(short > 0.13 && short < 0.6*long) }' || fail "length of the sponge"
"$lbmFoam" -case off -dry-run > log.off 2>&1 || fail "without a sponge"
! grep -q '^    sponge ' log.off || fail "the sponge is not off"
"$lbmFoam" -case shear -dry-run > log.shear 2>&1 || fail "with WALE"
expect log.shear '^    nut at walls  *none: WALE has none in shear alone'
! grep -q '^    nut at walls ' log.whole || fail "Smagorinsky has eddies in shear"

setEntry law/system/controlDict endTime "$(getEntry whole/system/controlDict endTime)"
timeout 300 "$lbmFoam" -case law > log.rest 2>&1 || { tail -n 30 log.rest; fail "the rest"; }
last=$(foamListTimes -case whole -latestTime 2>/dev/null || ls whole | grep -E '^[0-9.e-]+$' | sort -g | tail -n 1)
cmp "whole/$last/U" "law/$last/U" || fail "a run that goes on is another one"

drag() { tail -n 1 "$1"/postProcessing/forceCoeffs/0/coefficient.dat | awk '{ print $2 }'; }
echo "drag with the law $(drag whole), where the fluid sticks $(drag sticks)"
awk -v a="$(drag whole)" -v b="$(drag sticks)" 'BEGIN { exit !(a > 0 && a < b) }' || fail "drag"

# Past the edges of a block no link leads where the fluid slips; where half a spacing lies in the viscous layer it sticks, and they stay
python3 - <<'END'
low, high = (-0.49, -0.53, -0.47), (0.51, 0.47, 0.53)
corner = lambda i: tuple((high if i >> a & 1 else low)[a] for a in range(3))
faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
with open('block.stl', 'w') as f:
    f.write('solid block\n')
    for a, b, c, d in faces:
        for t in ((a, b, c), (a, c, d)):
            f.write('facet normal 0 0 0\nouter loop\n' + ''.join('vertex %g %g %g\n' % corner(i) for i in t) + 'endloop\nendfacet\n')
    f.write('endsolid block\n')
END
"$lbmFoam" -init block.stl -U '(1 0 0)' -cellSize 0.1 -case block > log.block 2>&1 || { cat log.block; fail "no case"; }
sed -i 's/type  *calculated;  *\/\/ none of.*/type nutUSpaldingWallFunction;/' block/0/nut
linksOf() # VISCOSITY
{
    setEntry block/constant/transportProperties nu "$1"
    "$lbmFoam" -case block -dry-run > "log.block.$1" 2>&1 || { tail -n 20 "log.block.$1"; fail "block"; }
    awk '$1 == "block" && $2 == "wall" && $3 == "law" { print $4 }' "log.block.$1"
}
slipping=$(linksOf 1e-6) sticking=$(linksOf 1e-2)
echo "links of a block: $slipping where the fluid slips, $sticking where it sticks"
# Twelve edges of ten nodes
[ "$slipping" -ge $((sticking + 120)) ] || fail "links past edges"
