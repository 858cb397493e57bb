# Images of the lattice (latticeImage): the mesh's values where nodes are at its cells' centres, their means where it is coarsened,
# a line through the middle; the series over a restart; refusals. usage: image.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
python=/usr/bin/python3

# functions CASE ENTRIES
functions()
{
    sed -i '/^functions/,$d' "$1/system/controlDict"
    printf 'functions\n{\n%s\n}\n' "$2" >> "$1/system/controlDict"
}
image='type latticeImage; libs (lbmFunctionObjects); fields (U p); writeControl writeTime;'

freshCavity case
lbmDict case 'threads 1;'
setEntry case/system/controlDict endTime 0.2
setEntry case/system/controlDict writeInterval 20
setEntry case/system/controlDict writePrecision 10
functions case "whole { $image }
    coarse { $image coarsen 4; }
    line { $image box (0 0.0501 0) (0.1 0.0502 0.01); }"
timeout 300 "$lbmFoam" -case case > log.case 2>&1 || { tail -n 30 log.case; fail "run"; }
setEntry case/system/controlDict endTime 0.3
timeout 300 "$lbmFoam" -case case > log.again 2>&1 || { tail -n 30 log.again; fail "restart"; }
[ "$(grep -c '"name"' case/postProcessing/whole/whole.vti.series)" = 3 ] || fail "the series has not 0.1, 0.2 and 0.3"

"$python" - <<'END' || fail "values"
import re
from vtkmodules.vtkIOXML import vtkXMLImageDataReader
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy

def image(name):
    reader = vtkXMLImageDataReader()
    reader.SetFileName(f"case/postProcessing/{name}/{name}_0.2.vti")
    reader.Update()
    data = reader.GetOutput()
    arrays = {k: vtk_to_numpy(data.GetCellData().GetArray(k)) for k in ("U", "p", "fluid")}
    return data, arrays

def field(name):
    text = open(f"case/0.2/{name}").read()
    text = text[text.index("nonuniform"):]
    n = int(re.search(r"\n(\d+)\n\(", text).group(1))
    lines = text[text.index("\n(\n") + 3:].split("\n")[:n]
    return np.array([[float(v) for v in line.strip("()").split()] for line in lines])

whole, values = image("whole")
assert whole.GetDimensions() == (21, 21, 2), whole.GetDimensions()
assert np.allclose(whole.GetBounds(), (0, 0.1, 0, 0.1, 0, 0.01)), whole.GetBounds()
U, p = field("U"), field("p")[:, 0]
assert abs(U).max() > 0.5 and (values["fluid"] == 1).all()
assert abs(values["U"] - U).max() < 1e-6, abs(values["U"] - U).max()
assert abs(values["p"] - p).max() < 1e-5 * abs(p).max(), abs(values["p"] - p).max()

coarse, means = image("coarse")
assert coarse.GetDimensions() == (6, 6, 2) and np.allclose(coarse.GetSpacing(), (0.02, 0.02, 0.01))
blocks = U.reshape(5, 4, 5, 4, 3).mean(axis=(1, 3)).reshape(25, 3)
assert abs(means["U"] - blocks).max() < 1e-6, abs(means["U"] - blocks).max()

line, row = image("line")
assert line.GetDimensions() == (21, 2, 2) and abs(line.GetOrigin()[1] - 0.05) < 1e-9, line.GetOrigin()
assert abs(row["U"] - U.reshape(20, 20, 3)[10]).max() < 1e-6
END

# refused NAME ENTRIES PATTERN...
refused()
{
    name=$1
    cp -r case "$name"
    functions "$name" "odd { $2 }"
    shift 2
    ! timeout 60 "$lbmFoam" -case "$name" > "log.$name" 2>&1 || fail "$name runs"
    expect "log.$name" "$@"
}
refused otherField 'type latticeImage; libs (lbmFunctionObjects); fields (U T);' 'fields has T; there are [0-9]*.U p density vorticity Q fluid.' 'functions.odd'
refused outside "$image box (1 1 0) (2 2 0);" 'meets no node of the lattice'
refused fractions "$image coarsen 0;" 'coarsen is 0; it must be 1 or more'
refused noEddies "$(echo "$image" | sed 's/(U p)/(U nut)/')" 'fields has nut' 'eddies on the lattice, at single nodes'
refused otherValues "$image values medians;" 'values is medians; valid are means and nodes'
refused otherFormat "$image format png;" 'format is png; valid are vtk and xdmf'
echo passed
