# Scripts that draw, where neither an X server answers nor EGL: the data that they would show in place of pictures, and the log says
# so; views of other scripts are refused. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
unset DISPLAY
withoutEgl
window=$("$python" -c '
import vtkmodules.vtkRenderingOpenGL2
from vtkmodules.vtkRenderingCore import vtkRenderWindow
print(vtkRenderWindow().GetClassName())')
case $window in
    vtkX*) ;;
    *) echo "skipped: ParaView draws without an X server ($window)"; exit 77 ;;
esac

insituCase data "scripts (\"$scripts/slices.py\" \"$scripts/streamlines.py\" \"$scripts/qIsosurface.py\"
        \"$scripts/wallShearStress.py\" \"$scripts/cinema.py\");
    arguments (\"--phi=2\" \"--theta=1\" \"--value=1\");"
"$lbmFoam" -case data > log.data 2>&1 || { tail -n 30 log.data; fail "data"; }
expect log.data 'slices: no pictures, for no X server answers \(DISPLAY is not set\), and EGL finds no device .* written as slices_\*\.pvtp' \
    'streamlines: no pictures' 'qIsosurface: no pictures' 'wallShearStress: no pictures.*wallShearStress_\*\.pvtu' \
    '2 times, .* s in all' 'End'
! ls data/postProcessing/insitu/*.png > /dev/null 2>&1 || fail "pictures without a display"
"$python" - <<'PYTHON' || fail "data in place of pictures"
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPPolyDataReader, vtkXMLPUnstructuredGridReader

def read(name, reader):
    reader.SetFileName(f"data/postProcessing/insitu/{name}")
    reader.Update()
    return reader.GetOutput()

for step in 10, 20:
    cut = read(f"slices_{step:06d}.pvtp", vtkXMLPPolyDataReader())
    assert cut.GetNumberOfCells() == 400 and abs(vtk_to_numpy(cut.GetCellData().GetArray("U"))).max() > 0.5
    assert read(f"streamlines_{step:06d}.pvtp", vtkXMLPPolyDataReader()).GetNumberOfCells() > 0
    walls = read(f"wallShearStress_{step:06d}.pvtu", vtkXMLPUnstructuredGridReader())
    assert abs(vtk_to_numpy(walls.GetCellData().GetArray("wallShearStress"))).max() > 0
PYTHON
insituCase image "scripts (\"$scripts/slices.py\" \"$scripts/qIsosurface.py\"); image yes; coarsen 2;
    arguments (\"--plane=x\" \"--value=1\");"
"$lbmFoam" -case image > log.image 2>&1 || { tail -n 30 log.image; fail "image"; }
expect log.image 'slices_\*\.pvti' 'qIsosurface_\*\.pvtp' 'qIsosurfacePlane_\*\.pvtp' 'End'
[ -s image/postProcessing/insitu/slices_000020.pvti ] || fail "no image"
"$python" - <<'PYTHON' || fail "Q of an image cannot be read"
from vtkmodules.vtkIOXML import vtkXMLPPolyDataReader

for name in "qIsosurface", "qIsosurfacePlane":
    reader = vtkXMLPPolyDataReader()
    reader.SetFileName(f"image/postProcessing/insitu/{name}_000020.pvtp")
    reader.Update()
    data = reader.GetOutput()
    assert data.GetNumberOfCells() > 0 and data.GetPointData().GetArray("fluid").GetRange()[0] >= 0.99, name
PYTHON
echo passed
