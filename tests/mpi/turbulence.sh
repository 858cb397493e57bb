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

if [ -x /usr/bin/python3 ]; then python=/usr/bin/python3; else python=python3; fi
status=0
"$python" "$here/paraview.py" whole two 0.001 U p k nut || status=$?
case $status in
    0) ;;
    77) echo "skipped from here"; exit 77 ;;
    *) fail "ParaView's reader" ;;
esac
