# What is published, seen by a script that needs no X server: fields of lattice, mesh and walls, arguments, parameters,
# and that steps at which no trigger fires cost nothing.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
unset DISPLAY

entries="scripts (\"$here/channels.py\"); arguments (\"--real=REAL\"); parameters { Re 10; title \"two words\"; }"
for precision in double float; do
    insituCase $precision "$(echo "$entries" | sed "s/REAL/$precision/")"
    setEntry $precision/system/controlDict functions/insitu/executeInterval 1
    lbmDict $precision "precision $precision;"
    "$lbmFoam" -case $precision > log.$precision 2>&1 || { tail -n 30 log.$precision; fail "$precision"; }
    expect log.$precision 'input: 400 lattice cells' 'channels are as they should be' '3 times, .* s in all' 'End'
    for file in lattice_000010.vtu lattice_000020.vtu both_000010.vtpc both_000020.vtpc; do
        [ -s $precision/postProcessing/insitu/$file ] || fail "no $file"
    done
done

echo "sampled"
for precision in double float; do
    insituCase sampled "scripts (\"$here/sampled.py\"); inputs { input { fields (\".*\"); } }"
    lbmDict sampled "precision $precision;"
    "$lbmFoam" -case sampled > log.sampled.$precision 2>&1 || { tail -n 30 log.sampled.$precision; fail "sampled"; }
    expect log.sampled.$precision '18 slices of vtk.*Array are' '18 slices of .*LazyArray.* are' 'End'
done

echo "in another solver, with the mesh alone"
insituCase fv "scripts (\"$here/mesh.py\"); inputs { \"any name\" { type mesh; fields (\"U.*\" p); } }"
icoFoam -case fv > log.fv 2>&1 || { tail -n 30 log.fv; fail "icoFoam"; }
expect log.fv 'cells: 400, arrays: U U_0 p$' 'End'
