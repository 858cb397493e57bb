# The ParaView plug-in: pvpython loads it, reads a lattice series that lbmFoam wrote, and the difference filter's norms
# are lbmCompare's.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
unset DISPLAY

for case in lattice fv; do
    freshCavity $case
    setEntry $case/system/controlDict endTime 0.1
    setEntry $case/system/controlDict writeInterval 10
    setEntry $case/system/controlDict writePrecision 12
done
cat >> lattice/system/controlDict <<'END'
functions { series { type latticeSeries; libs (lbmFunctionObjects); fields (U p nodeKind); writeControl writeTime; } }
END
"$lbmFoam" -case lattice > log.lattice 2>&1 || { tail -n 30 log.lattice; fail "lbmFoam"; }
runIn fv icoFoam
lbmCompare lattice fv -fields '(U)' -noPicture -output compared > log.compare 2>&1 || { cat log.compare; fail "lbmCompare"; }
relL2=$(awk -F, '$1 == "field" && $2 == "U" && $3 == "relL2" { print $4 }' compared/comparison.csv)
touch fv/case.foam
# Not by a search: installed trees of other tests lie below the build, too
plugin="$build/lib/paraview-plugins/lbmFoamLattice/lbmFoamLattice.so"
/usr/bin/pvpython "$here/plugin.py" "$plugin" lattice/postProcessing/series/series.lbm fv/case.foam "$relL2" > log.plugin 2>&1 ||
    { cat log.plugin; fail "pvpython"; }
cat log.plugin
expect log.plugin 'relL2 as lbmCompare'

if command -v mpirun > /dev/null; then
    echo "a piece a process"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    mpirun --oversubscribe -n 2 /usr/bin/pvbatch "$here/pieces.py" "$plugin" lattice/postProcessing/series/series.lbm \
        > log.pieces 2>&1 || { cat log.pieces; fail "pvbatch"; }
    expect log.pieces 'cells .200, 200., volume 0.0001, links 236'
fi

echo "a run that goes on continues its series"
setEntry lattice/system/controlDict startFrom latestTime
setEntry lattice/system/controlDict endTime 0.15
"$lbmFoam" -case lattice > log.again 2>&1 || fail "restart"
[ "$(grep -c '"step"' lattice/postProcessing/series/series.lbm)" -eq 3 ] || fail "times: $(grep '"time"' lattice/postProcessing/series/series.lbm)"

echo "damaged"
truncate -s 100 lattice/postProcessing/series/nodes.bin
if /usr/bin/pvpython "$here/pieces.py" "$plugin" lattice/postProcessing/series/series.lbm > log.damaged 2>&1; then
    fail "a truncated series was read"
fi
expect log.damaged 'nodes.bin: 100 bytes instead of 3200'
