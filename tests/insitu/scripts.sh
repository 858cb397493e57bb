# Every script of catalyst/scripts, the same file for lbmFoam and icoFoam: leaves what it says, with as many pictures as its
# arguments ask for.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

for solver in lbmFoam icoFoam; do
    insituCase $solver "scripts (\"$scripts/streamlines.py\" \"$scripts/qIsosurface.py\" \"$scripts/wallShearStress.py\"
        \"$scripts/lineAndProbe.py\" \"$scripts/extracts.py\" \"$scripts/cinema.py\");
        arguments (\"--phi=2\" \"--theta=1\" \"--samples=50\");"
    setEntry $solver/system/controlDict functions/insitu/executeInterval 20
    # lbmFoam computes Q where it is asked for
    [ $solver = lbmFoam ] || sed -i 's/^    insitu$/    Q { type Q; libs (fieldFunctionObjects); }\n    insitu/' $solver/system/controlDict
    inX $solver $solver || { tail -n 30 log.$solver; fail "$solver"; }
    expect log.$solver '1 times, .* s in all' 'End'
    output=$solver/postProcessing/insitu
    for file in streamlines_000020.png qIsosurface_000020.png wallShearStress_000020.png extract_000020.pvtu \
        extract_000020.vtpc 'cinema_000020p=000.00t=000.00.png' 'cinema_000020p=180.00t=000.00.png'; do
        [ -s "$output/$file" ] || fail "$solver: no $file in $(ls "$output")"
    done
    "$python" - "$output/extract_000020.pvtu" <<'PYTHON' || fail "$solver: cells cannot be read"
import sys
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader
reader = vtkXMLPUnstructuredGridReader()
reader.SetFileName(sys.argv[1])
reader.Update()
assert reader.GetOutput().GetNumberOfCells() == 400
PYTHON
    # With a line of titles
    for table in line_000020.csv=52 probe_000020.csv=2 data.csv=3; do
        [ "$(wc -l < "$output/${table%=*}")" -eq "${table#*=}" ] || fail "$solver: ${table%=*} has $(wc -l < "$output/${table%=*}") lines"
    done
done
