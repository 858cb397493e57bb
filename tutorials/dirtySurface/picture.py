"""Both surfaces, their voxels and the flow around these: pvbatch picture.py OUTPUT.png

Part of lbmFoam, GPL-3.0-or-later.
"""
import pathlib
import sys

from paraview import simple as pv

BODIES = ("motorBike", "propellerTip")
SPEED_MAX = 1.3         # m/s; 1 enters
NARROW = 8              # cells; gaps are coloured up to here
FAR_SIDES = ("patch/inlet", "patch/outlet", "patch/sides")


def new_view():
    view = pv.CreateRenderView()
    view.Background = [1, 1, 1]
    view.UseColorPaletteForBackground = 0
    view.OrientationAxesVisibility = 0
    return view


def title(view, text):
    label = pv.Show(pv.Text(Text=text), view)
    label.WindowLocation = "Upper Center"
    label.FontSize = 11
    label.Color = [0, 0, 0]


def bar(view, name, text):
    colours = pv.GetColorTransferFunction(name)
    scale = pv.GetScalarBar(colours, view)
    scale.Title, scale.ComponentTitle = text, ""
    scale.TitleColor = scale.LabelColor = [0, 0, 0]
    scale.Orientation, scale.ScalarBarLength = "Horizontal", 0.4
    scale.WindowLocation = "Lower Center"
    scale.Visibility = 1
    return colours


def camera(view, bounds):
    middle = [(bounds[2*a] + bounds[2*a + 1])/2 for a in range(3)]
    size = max(bounds[2*a + 1] - bounds[2*a] for a in range(3))
    view.CameraParallelProjection = 1
    view.CameraFocalPoint = middle
    view.CameraPosition = [middle[0] - size, middle[1] - 1.4*size, middle[2] + 0.9*size]
    view.CameraViewUp = [0, 0, 1]
    view.CameraParallelScale = 0.45*size


def draw_surface(case, view):
    reader = pv.XMLPolyDataReader(FileName=[str(case / "postProcessing/lbmVoxelize/geometry.vtp")])
    reader.UpdatePipeline()
    # without the box, whose triangles belong to no shell
    surface = pv.Threshold(Input=reader)
    surface.Scalars, surface.ThresholdMethod = ["CELLS", "shell"], "Above Upper Threshold"
    surface.UpperThreshold = 0
    surface.UpdatePipeline()
    shown = pv.Show(surface, view)
    pv.ColorBy(shown, ("CELLS", "gap"))
    colours = bar(view, "gap", "gap in front [cells], grey: none")
    colours.ApplyPreset("Viridis (matplotlib)", True)
    colours.RescaleTransferFunction(0, NARROW)
    colours.UseBelowRangeColor = 1
    colours.BelowRangeColor = [0.8, 0.8, 0.8]
    return surface.GetDataInformation().GetBounds()


def mesh(case, regions=(), fields=()):
    """The body's walls, and what is named."""
    stub = case / "case.foam"
    stub.touch()
    reader = pv.OpenFOAMReader(FileName=str(stub))
    reader.UpdatePipelineInformation()
    walls = [region for region in reader.MeshRegions.Available
             if region.startswith("patch/") and region not in FAR_SIDES]
    reader.MeshRegions = list(regions) + walls
    reader.CellArrays = list(fields)
    reader.UpdatePipeline(max(reader.TimestepValues))
    return reader


def part(reader, selector):
    block = pv.ExtractBlock(Input=reader)
    block.Selectors = [selector]
    return pv.MergeBlocks(Input=block)


def draw_body(reader, view):
    body = pv.Show(part(reader, "/Root/boundary"), view)
    body.ColorArrayName = ["POINTS", ""]
    body.DiffuseColor = body.AmbientColor = [0.85, 0.6, 0.45]
    body.Representation = "Surface With Edges"
    body.EdgeColor = [0.5, 0.35, 0.25]


def draw_voxels(case, view, bounds):
    reader = mesh(case, ["internalMesh"], ["U"])
    draw_body(reader, view)
    plane = pv.Slice(Input=pv.CellDatatoPointData(Input=part(reader, "/Root/internalMesh")))
    plane.SliceType.Origin = [0, (bounds[2] + bounds[3])/2 + 0.001, 0]
    plane.SliceType.Normal = [0, 1, 0]
    shown = pv.Show(plane, view)
    pv.ColorBy(shown, ("POINTS", "U", "Magnitude"))
    shown.Ambient, shown.Diffuse = 1, 0     # colours as in the bar, whatever the light
    colours = bar(view, "U", "speed [m/s]")
    colours.ApplyPreset("Viridis (matplotlib)", True)
    colours.RescaleTransferFunction(0, SPEED_MAX)


def main(output):
    layout = pv.CreateLayout("all")
    layout.SplitVertical(0, 0.5)
    for row, body in enumerate(BODIES):
        case = pathlib.Path(body) / "lbmFoam"
        surface, voxels = new_view(), new_view()
        bounds = draw_surface(case, surface)
        title(surface, f"{body}.obj: surface")
        draw_voxels(case, voxels, bounds)
        title(voxels, f"{body}.obj: voxels and flow")
        for view in (surface, voxels):
            camera(view, bounds)
        cell = layout.SplitHorizontal(1 + row, 0.5)
        layout.AssignView(cell, surface)
        layout.AssignView(cell + 1, voxels)
    layout.SetSize(1600, 1200)
    pv.SaveScreenshot(output, layout, ImageResolution=[1600, 1200], CompressionLevel="9")
    if not pathlib.Path(output).exists():
        sys.exit("picture.py: nothing was drawn")


if __name__ == "__main__":
    main(*sys.argv[1:])
