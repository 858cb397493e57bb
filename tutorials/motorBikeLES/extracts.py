"""What Catalyst wrote where nothing draws, drawn elsewhere: pvbatch extracts.py CASE OUTPUT.png

The newest surface of Q and middle plane in CASE/postProcessing/insitu, with the motorbike (CASE/motorBike.obj, or the file of
that name here).

Part of lbmFoam, GPL-3.0-or-later.
"""
import pathlib
import sys

from paraview import simple as pv

SPEED_MAX = 28      # m/s


def newest(case, name):
    files = sorted((case / "postProcessing" / "insitu").glob(f"{name}_[0-9]*.pvtp"))
    if not files:
        sys.exit(f"no {name}_*.pvtp in {case}/postProcessing/insitu: ./Allrun insitu writes them where nothing draws")
    return pv.OpenDataFile(str(files[-1]))


def show(source, view, lit):
    source.UpdatePipeline()
    if not source.PointData["U"]:       # nothing turns that fast
        return
    shown = pv.Show(source, view)
    pv.ColorBy(shown, ("POINTS", "U", "Magnitude"))
    shown.Ambient, shown.Diffuse = (0.3, 0.7) if lit else (1, 0)


if len(sys.argv) != 3:
    sys.exit("usage: pvbatch extracts.py CASE OUTPUT.png")
case = pathlib.Path(sys.argv[1])
view = pv.CreateView("RenderView")
view.ViewSize = [1200, 700]
view.Background = [1, 1, 1]
view.UseColorPaletteForBackground = 0
view.OrientationAxesVisibility = 0

body = next((file for file in (case / "motorBike.obj", pathlib.Path("motorBike.obj")) if file.exists()), None)
if body:
    shown = pv.Show(pv.OpenDataFile(str(body)), view)
    pv.ColorBy(shown, ("POINTS", None))
    shown.AmbientColor = shown.DiffuseColor = [0.35, 0.35, 0.38]
show(newest(case, "qIsosurfacePlane"), view, lit=False)
show(newest(case, "qIsosurface"), view, lit=True)

table = pv.GetColorTransferFunction("U")
table.VectorMode = "Magnitude"
table.ApplyPreset("Viridis (matplotlib)", True)
table.RescaleTransferFunction(0, SPEED_MAX)
bar = pv.GetScalarBar(table, view)
bar.Title, bar.ComponentTitle = "speed [m/s]", ""
bar.RangeLabelFormat = "%.3g"
bar.TitleColor = bar.LabelColor = [0, 0, 0]
bar.Orientation, bar.ScalarBarLength, bar.WindowLocation = "Horizontal", 0.3, "Lower Right Corner"
bar.Visibility = 1

view.CameraParallelProjection = 1
view.CameraFocalPoint = [1.3, 0, 0.7]
view.CameraPosition = [-2.7, -7, 6.7]
view.CameraViewUp = [0, 0, 1]
view.CameraParallelScale = 1.35
pv.SaveScreenshot(sys.argv[2], view)
