# OpenFOAM's cavity case, as it is and with system/lbmDict added.
# usage: cavity.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

freshCavity case

echo "plan only"
"$lbmFoam" -case case -dry-run > log.dryRun 2>&1 || fail "-dry-run"
expect log.dryRun 'fluid nodes +400' 'tau ' 'Ma ' 'movingWall +movingWall +58' 'fixedWalls +wall +178' 'expected time' 'End'
[ "$(timesOf case)" = "0 " ] || fail "-dry-run wrote $(timesOf case)"

echo "no lbmDict: defaults"
cp -r case asItIs
rm asItIs/system/lbmDict
"$lbmFoam" -case asItIs -dry-run > log.asItIs 2>&1 || fail "no lbmDict"
expect log.asItIs 'No "system/lbmDict": all its entries have their defaults' 'fluid nodes +400' 'End'

! grep -Eq 'storage (advised|chosen)' log.asItIs || fail "the model looked at the lattice, and nobody asked it"

echo "the model chooses the storage"
cp -r case auto
lbmDict auto 'storage auto;'
"$lbmFoam" -case auto -dry-run > log.auto 2>&1 || fail "storage auto"
expect log.auto 'kernel +D2Q9 trt incompressible aa ' "storage chosen +aa, .*times the least memory traffic.*t2c [0-9.]+ % of its speed"

echo "an empty environment"
env -i "$lbmFoam" -listKernels > log.kernels 2>&1 || fail "-listKernels"
expect log.kernels 'D2Q9 trt incompressible aa double cpu'
# How threads wait: in the place of another variable, and where there is none by a second start
for spare in "_=x SHLVL=1" ""
do
    env -i $spare OMP_DISPLAY_ENV=VERBOSE "$lbmFoam" -listKernels > log.turns 2>&1 || fail "-listKernels with $spare"
    expect log.turns "GOMP_SPINCOUNT = '8000'"
done
"$lbmFoam" -help > log.help 2>&1 || fail "-help"
expect log.help 'dry-run' 'listKernels'
! "$lbmFoam" -postProcess -case case > log.postProcess 2>&1 || fail "-postProcess is none of its options"
expect log.postProcess 'no option -postProcess.*pimpleFoam -postProcess.*postProcess -func'

echo "the whole case"
env -i "$lbmFoam" -case case > log.run 2>&1 || fail "run"
expect log.run 'Time = 0.5$' 'MLUPS' 'time left' 'ExecutionTime' 'End'
[ "$(timesOf case)" = "0 0.1 0.2 0.3 0.4 0.5 " ] || fail "times $(timesOf case)"
for field in U p; do [ -s "case/0.5/$field" ] || fail "no $field"; done
expect case/0.5/p 'dimensions +\[0 2 -2 0 0 0 0\]'

echo "restart, purgeWrite, function objects"
cp -r case again
setEntry again/system/controlDict startFrom latestTime
setEntry again/system/controlDict endTime 0.8
setEntry again/system/controlDict purgeWrite 2
cat >> again/system/controlDict <<'EOF'
functions
{
    probes
    {
        type probes; libs ("libsampling.so"); writeControl timeStep; writeInterval 1;
        fields (U p); probeLocations ((0.0525 0.0525 0.005));
    }
    mean
    {
        type fieldAverage; libs ("libfieldFunctionObjects.so"); writeControl writeTime;
        fields (U { mean on; prime2Mean off; base time; });
    }
    flux { type mag; libs ("libfieldFunctionObjects.so"); field phi; writeControl writeTime; }
}
EOF
"$lbmFoam" -case again > log.again 2>&1 || fail "restart"
expect log.again 'Time = 0.505$' 'Time = 0.8$'
[ -s again/0.8/UMean ] || fail "no UMean"
expect "again/0.8/mag(phi)" 'surfaceScalarField'
[ "$(grep -vc '^#' again/postProcessing/probes/0.5/U)" -ge 60 ] || fail "probes"
[ "$(timesOf again)" = "0 0.1 0.2 0.3 0.4 0.5 0.7 0.8 " ] || fail "purgeWrite: $(timesOf again)"
# The flow was steady before: what the restart carries over must stay
"$python" "$here/relativeL2.py" again/0.8/U case/0.5/U 2e-3 || fail "restart changed the flow"

echo "ends when the flow is steady"
cloneCase case steady
setEntry steady/system/controlDict endTime 500
lbmDict steady 'steadyTolerance 1e-3;'
"$lbmFoam" -case steady > log.steady 2>&1 || fail "steady"
expect log.steady 'change of U in 0.1 s: ' 'The flow is steady: stopping after time' 'End'
last=$(timesOf steady | tr ' ' '\n' | grep . | tail -n 1)
"$python" "$here/relativeL2.py" "steady/$last/U" case/0.5/U 2e-3 || fail "stopped before the flow was steady"

echo "interrupted"
cloneCase case stopped
setEntry stopped/system/controlDict endTime 500
"$lbmFoam" -case stopped > log.stopped 2>&1 &
pid=$!
while ! grep -q 'Time = 0.05$' log.stopped; do
    kill -0 $pid 2> /dev/null || fail "ended before it was stopped"
    sleep 0.1
done
kill -TERM $pid
status=0; wait $pid || status=$?
[ "$status" -eq 0 ] || fail "SIGTERM: exit status $status"
expect log.stopped 'SIGTERM: stopping' 'End'
last=$(timesOf stopped | tr ' ' '\n' | grep . | tail -n 1)
expect log.stopped "stopping after time $last,"
[ -s "stopped/$last/U" ] || fail "no state at $last"

echo "controlDict changed while running"
cloneCase case changed
setEntry changed/system/controlDict endTime 500
timeout 120 "$lbmFoam" -case changed > log.changed 2>&1 &
pid=$!
while ! grep -q 'Time = 0.05$' log.changed; do
    kill -0 $pid 2> /dev/null || fail "ended before the change"
    sleep 0.1
done
# At once: the run may read it at any time
cp changed/system/controlDict edited
setEntry edited stopAt writeNow
# OpenFOAM allows for clocks that differ (fileModificationSkew)
touch -d '+1 minute' edited
mv edited changed/system/controlDict
status=0; wait $pid || status=$?
[ "$status" -eq 0 ] || fail "stopAt writeNow: exit status $status"
expect log.changed 'End'
echo passed
