# What is published, seen by a script that needs no X server: fields of lattice, mesh and walls, arguments, parameters,
# and that steps at which no trigger fires cost nothing.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
unset DISPLAY

# Single precision in two dimensions: built with LBM_KERNELS=checked or all
precisions=double
! "$lbmFoam" -listKernels | grep -q 'D2Q9 trt .* float ' || precisions="double float"

entries="scripts (\"$here/channels.py\"); arguments (\"--real=REAL\"); parameters { Re 10; title \"two words\"; }"
for precision in $precisions; do
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
for precision in $precisions; do
    insituCase sampled "scripts (\"$here/sampled.py\"); inputs { input { fields (\".*\"); } }"
    lbmDict sampled "precision $precision;"
    "$lbmFoam" -case sampled > log.sampled.$precision 2>&1 || { tail -n 30 log.sampled.$precision; fail "sampled"; }
    expect log.sampled.$precision '18 slices of vtk.*Array are' '18 slices of .*LazyArray.* are' 'End'
done

echo "in another solver, with the mesh alone"
insituCase fv "scripts (\"$here/mesh.py\"); inputs { \"any name\" { type mesh; fields (\"U.*\" p); } }"
icoFoam -case fv > log.fv 2>&1 || { tail -n 30 log.fv; fail "icoFoam"; }
expect log.fv 'cells: 400, arrays: U U_0 p$' 'End'

echo "stress of a fluid that thins with shear: 2 on the walls, 1.9375 in the nodes beside them"
cloneCase "$here/../../tutorials/planarPoiseuille" thins
sed -i 's/(16 8 1)/(4 32 1)/; s/(2 /(0.125 /g' thins/system/blockMeshDict
sed -i 's/^nu .*/transportModel powerLaw; k 0.8164965809; n 0.5; nuMin 1e-3; nuMax 5;/' thins/constant/transportProperties
lbmDict thins 'referenceSpeed 1;'
cat >> thins/system/controlDict <<END
functions
{
    insitu
    {
        type catalyst; libs (lbmFunctionObjects); writeControl writeTime; executeControl writeTime;
        scripts ("$here/stress.py");
        inputs
        {
            input { fields (wallShearStress); }
            walls { type walls; fields (wallShearStress nu); }
            exact { type walls; stress lattice; fields (wallShearStress); }
        }
    }
}
END
runIn thins blockMesh
"$lbmFoam" -case thins > log.thins 2>&1 || { tail -n 30 log.thins; fail "a fluid that thins"; }
expect log.thins 'input: 8 values, stress 1.9[2-5][0-9]* to 1.9[2-5]' \
    'walls: 8 values, stress (1.9[2-9]|2.0[0-5])' 'exact: 8 values, stress (1.9[89]|2.0[01])' 'End'
