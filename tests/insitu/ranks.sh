# Two processes of a finite-volume solver: each publishes its part, and what comes out is the whole.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
command -v mpirun > /dev/null || { echo "skipped: no mpirun"; exit 77; }
needX

insituCase case "scripts (\"$scripts/slices.py\"); arguments (\"--maxSpeed=1\" \"--table=1\");"
parts case 2
xvfb-run -a -s -noreset mpirun --oversubscribe -n 2 icoFoam -parallel -case case > log.case 2>&1 ||
    { tail -n 30 log.case; fail "icoFoam"; }
expect log.case 'nProcs : 2' '2 times, .* s in all' 'End'
runIn case reconstructPar
# Halves one above the other: their tables one after the other are that of the whole
"$python" "$here/compare.py" case/postProcessing/insitu/slices_000020.csv case/0.1 U || fail "values"
"$python" "$here/pixels.py" case/postProcessing/insitu/slices_000020.png || fail "picture"

echo "a script that raises"
cat > raising.py <<'END'
# script-version: 2.0
from paraview import catalyst
from paraview.simple import *
cells = PVTrivialProducer(registrationName='input')
options = catalyst.Options()
def catalyst_execute(info): raise ValueError('on purpose')
END
sed -i "s|$scripts/slices.py|$work/raising.py|" case/system/controlDict
status=0
inRanks log.raising 2 icoFoam -parallel -case case || status=$?
[ "$status" -ne 0 ] || fail "went on"
expect log.raising 'raising.py: ValueError: on purpose'
