# A turbulence model on the mesh, OpenFOAM's own pitzDaily with k-epsilon and wall functions, on two ranks.
# usage: turbulence.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
cloneCase "$tutorials/incompressible/pimpleFoam/RAS/pitzDaily" whole
binary whole
setEntry whole/system/controlDict endTime 0.001
setEntry whole/system/controlDict writeInterval 0.001
runIn whole blockMesh
cp -r whole two
runIn whole "$lbmFoam"
shared two 2 "2 1 1"
# reconstructPar knows no wall functions, and writes their entries in an order of its own
but=epsilon same whole two
strings -n 3 whole/0.001/epsilon | sort > entries.whole
strings -n 3 two/0.001/epsilon | sort > entries.two
cmp entries.whole entries.two || fail "epsilon"
echo "U, p, k, epsilon and nut are those of one process"

# Eddies on the lattice with a wall law, as OpenFOAM's function objects see them
cloneCase "$tutorials/incompressible/pimpleFoam/RAS/pitzDaily" eddies
binary eddies
setEntry eddies/system/controlDict endTime 0.0005
setEntry eddies/system/controlDict writeInterval 0.00025
cat > eddies/constant/turbulenceProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }
simulationType LES;
LES { LESModel Smagorinsky; turbulence on; printCoeffs off; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; } }
END
lbmDict eddies 'turbulenceOn lattice;'
rm eddies/0/k eddies/0/epsilon eddies/0/nuTilda
sed -i '/^functions/,$d' eddies/system/controlDict
cat >> eddies/system/controlDict <<'END'
functions
{
    forces { type forces; libs (forces); patches (lowerWall); rho rhoInf; rhoInf 1; CofR (0 0 0); log no; writeControl writeTime; }
    stress { type wallShearStress; libs (fieldFunctionObjects); log no; writeControl writeTime; }
    layers { type yPlus; libs (fieldFunctionObjects); log no; writeControl writeTime; }
    model { type turbulenceFields; libs (fieldFunctionObjects); fields (k nuEff R); writeControl writeTime; }
}
END
runIn eddies blockMesh
cp -r eddies two.eddies
runIn eddies "$lbmFoam"
expect eddies/log.lbmFoam '^wall law: sampled at y\+ '
shared two.eddies 2 "2 1 1"
for name in k nut yPlus wallShearStress turbulenceProperties:R; do [ -s "eddies/0.0005/$name" ] || fail "no $name"; done
same eddies two.eddies
echo "and of eddies on the lattice: k, nut, stress, forces"

status=0
"$python" "$here/paraview.py" whole two 0.001 U p k nut || status=$?
case $status in
    0) ;;
    77) echo "skipped from here"; exit 77 ;;
    *) fail "ParaView's reader" ;;
esac
