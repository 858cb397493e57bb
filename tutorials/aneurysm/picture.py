"""Wall and middle slice of two cases, coloured by the speed: pvbatch picture.py CASE_A CASE_B OUTPUT.png

Part of lbmFoam, GPL-3.0-or-later.
"""
import pathlib
import sys

from paraview import simple as pv

SIZE = 760, 350         # pixels of a case
SPEED_MAX = 0.33        # m/s: twice the mean speed in the vessel
TITLES = {"lbmFoam": "lattice Boltzmann (lbmFoam)", "sameCells": "finite volume (simpleFoam), same cells"}


def load(case):
    stub = pathlib.Path(case) / "case.foam"
    stub.touch()
    reader = pv.OpenFOAMReader(FileName=str(stub))
    reader.MeshRegions = ["internalMesh", "patch/wall"]
    reader.CellArrays = ["U"]
    reader.UpdatePipeline(max(reader.TimestepValues))
    return reader


def block(source, selector):
    part = pv.ExtractBlock(Input=source)
    part.Selectors = [selector]
    return pv.MergeBlocks(Input=part)


def draw(case, view):
    reader = load(case)
    points = pv.CellDatatoPointData(Input=block(reader, "/Root/internalMesh"))
    plane = pv.Slice(Input=points)
    plane.SliceType.Origin = [0.015, 0.003, 0.0001]
    plane.SliceType.Normal = [0, 0, 1]
    shown = pv.Show(plane, view)
    colours = pv.GetColorTransferFunction("U")
    pv.ColorBy(shown, ("POINTS", "U", "Magnitude"))
    shown.SetScalarBarVisibility(view, False)
    shown.Ambient, shown.Diffuse = 1, 0     # colours as in the bar, whatever the light
    colours.ApplyPreset("Viridis (matplotlib)", True)
    colours.RescaleTransferFunction(0, SPEED_MAX)

    # The half of the wall behind the slice
    half = pv.Clip(Input=block(reader, "/Root/boundary/wall"))
    half.ClipType.Origin = plane.SliceType.Origin
    half.ClipType.Normal = [0, 0, 1]
    half.Invert = 1
    wall = pv.Show(half, view)
    wall.ColorArrayName = ["POINTS", ""]
    wall.DiffuseColor = wall.AmbientColor = [0.8, 0.55, 0.5]

    title = pv.Text(Text=TITLES.get(case, case))
    label = pv.Show(title, view)
    label.WindowLocation = "Upper Center"
    label.FontSize = 16
    label.Color = [0, 0, 0]
    return colours


def camera(view):
    view.CameraParallelProjection = 1
    # The vessel from side to side, its title above, the bar of colours below
    view.CameraFocalPoint = [0.015, 0.0021, 0]
    view.CameraPosition = [0.015, 0.0441, 0.1]
    view.CameraViewUp = [0, 1, 0]
    view.CameraParallelScale = 0.5*SIZE[1]*0.031/SIZE[0]


def scale(view, colours):
    bar = pv.GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = "speed [m/s]", ""
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.TitleFontSize = bar.LabelFontSize = 16
    bar.RangeLabelFormat = "%.3g"
    bar.Orientation, bar.ScalarBarLength = "Horizontal", 0.45
    bar.WindowLocation, bar.Position = "Any Location", [0.275, 0.03]
    bar.Visibility = 1


def main(case_a, case_b, output):
    layout = pv.CreateLayout("both")
    views = []
    for case in (case_a, case_b):
        view = pv.CreateRenderView()
        view.Background = [1, 1, 1]
        view.UseColorPaletteForBackground = 0
        view.OrientationAxesVisibility = 0
        scale(view, draw(case, view))
        camera(view)
        views.append(view)
    layout.SplitHorizontal(0, 0.5)
    layout.AssignView(1, views[0])
    layout.AssignView(2, views[1])
    both = [2*SIZE[0], SIZE[1]]
    layout.SetSize(both)
    pv.SaveScreenshot(output, layout, ImageResolution=both, CompressionLevel="9")
    if not pathlib.Path(output).exists():
        sys.exit("picture.py: nothing was drawn")


main(*sys.argv[1:])
