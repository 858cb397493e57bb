"""Eddies behind the motorbike and the speed in its middle plane: pvbatch picture.py CASE OUTPUT.png [Q]

Eddies are the surface on which Q, half of what rotation has more than strain, is that many 1/s2; without the argument what
eddies of a tenth of the motorbike's length have that turn with the wind's speed, or on coarse lattices, which blur these, a
tenth of the largest. Q comes from the lattice's velocities.

Part of lbmFoam, GPL-3.0-or-later.
"""
import json
import pathlib
import sys

from paraview import simple as pv

WIND = 20.0             # m/s
LENGTH = 2.04           # m, of the motorbike
SPEED_MAX = 1.4*WIND


def last_image(case, name):
    """The newest image of a function object latticeImage, its values at points."""
    folder = case / "postProcessing" / name
    series = json.loads((folder / f"{name}.vti.series").read_text())["files"]
    newest = max(series, key=lambda file: file["time"])
    reader = pv.XMLImageDataReader(FileName=[str(folder / newest["name"])])
    return reader, newest["time"]


def in_fluid(image):
    """What of the image holds fluid: cells in the body are left out, that no zeros of theirs are averaged."""
    cells = pv.Threshold(Input=image)
    cells.Scalars, cells.ThresholdMethod = ["CELLS", "fluid"], "Above Upper Threshold"
    cells.UpperThreshold = 0.5
    return cells


def q_criterion(image):
    points = pv.CellDatatoPointData(Input=image)
    points.CellDataArraytoprocess = ["U", "fluid"]
    gradient = pv.Gradient(Input=points)
    gradient.ScalarArray = ["POINTS", "U"]
    gradient.ComputeGradient, gradient.ComputeQCriterion = 0, 1
    gradient.QCriterionArrayName = "Q"
    return gradient


def by_speed(shown):
    pv.ColorBy(shown, ("POINTS", "U", "Magnitude"))
    table = pv.GetColorTransferFunction("U")
    table.VectorMode = "Magnitude"
    table.ApplyPreset("Viridis (matplotlib)", True)
    table.RescaleTransferFunction(0, SPEED_MAX)
    return table


def draw_eddies(case, view, value):
    image, time = last_image(case, "wake")
    points = q_criterion(image)
    if value is None:
        points.UpdatePipeline()
        value = min((WIND/(0.1*LENGTH))**2, 0.1*points.PointData["Q"].GetRange()[1])
    surface = pv.Contour(Input=points)
    surface.ContourBy = ["POINTS", "Q"]
    surface.Isosurfaces = [value]
    # Points whose cells are partly in the body have velocities that are not the flow's
    away = pv.Threshold(Input=surface)
    away.Scalars, away.ThresholdMethod = ["POINTS", "fluid"], "Above Upper Threshold"
    away.UpperThreshold = 0.99
    shown = pv.Show(away, view)
    by_speed(shown)
    shown.Ambient, shown.Diffuse = 0.25, 0.75
    return time, value


def draw_plane(case, view):
    image, _ = last_image(case, "plane")
    shown = pv.Show(pv.CellDatatoPointData(Input=in_fluid(image)), view)
    table = by_speed(shown)
    shown.Ambient, shown.Diffuse = 1, 0
    bar = pv.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = "speed [m/s]", ""
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.TitleFontSize = bar.LabelFontSize = 20
    bar.RangeLabelFormat = "%.0f"
    bar.Orientation, bar.ScalarBarLength = "Horizontal", 0.3
    bar.WindowLocation = "Lower Center"
    bar.Visibility = 1


def draw_body(case, view):
    """The surface itself; ParaView reads no compressed one, so Allpicture unpacks it."""
    shown = pv.Show(pv.WavefrontOBJReader(FileName=str(case / "motorBike.obj")), view)
    shown.DiffuseColor = shown.AmbientColor = [0.35, 0.36, 0.4]
    shown.Specular, shown.SpecularPower = 0.4, 30


def new_view():
    pv._DisableFirstRenderCameraReset()         # which would undo what follows
    view = pv.CreateRenderView()
    view.ViewSize = [1600, 800]
    view.Background = [1, 1, 1]
    view.UseColorPaletteForBackground = 0
    view.OrientationAxesVisibility = 0
    view.CameraFocalPoint = [1.45, 0, 0.62]
    view.CameraPosition = [3.1, -4.6, 1.9]
    view.CameraViewUp = [0, 0, 1]
    view.CameraViewAngle = 26
    return view


def main():
    case, output = pathlib.Path(sys.argv[1]), sys.argv[2]
    value = float(sys.argv[3]) if len(sys.argv) > 3 else None
    view = new_view()
    draw_body(case, view)
    draw_plane(case, view)
    time, value = draw_eddies(case, view, value)
    print(f"time {time} s, Q {value:.0f} 1/s2")
    pv.Render(view)
    pv.SaveScreenshot(output, view, ImageResolution=view.ViewSize)


main()
