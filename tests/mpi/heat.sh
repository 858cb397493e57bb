# Boussinesq flow with temperature on the mesh and on the lattice, our heatedCavity, on two ranks. usage: heat.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
for where in mesh lattice; do
    rm -rf whole two
    cloneCase "$ours/heatedCavity" whole
    binary whole
    sed -i 's/CELLS/24/g' whole/system/blockMeshDict
    sed -i '/^functions/,$d' whole/system/controlDict
    setEntry whole/constant/transportProperties nu 2.639e-3
    setEntry whole/system/controlDict deltaT 1
    setEntry whole/system/controlDict endTime 20
    setEntry whole/system/controlDict writeInterval 10
    lbmDict whole "temperatureOn $where;"
    runIn whole blockMesh
    cp -r whole two
    runIn whole "$lbmFoam"
    shared two 2 "2 1 1"
    # reconstructPar evaluates the values of fixedFluxPressure anew, to rounding
    but=p_rgh same whole two
    echo "T on the $where: U, T, p and the checkpoint are those of one process"
done
expect two.log.2 'it steps +on the first process alone, of 2'
