"""A surface and its voxels: pvbatch voxels.py OUTPUT.png CASE

CASE has been through lbmVoxelize, with -report and without. Part of lbmFoam, GPL-3.0-or-later.
"""
import pathlib
import sys

import picture
from paraview import simple as pv


def main(output, case):
    case = pathlib.Path(case)
    views = [picture.new_view(), picture.new_view()]
    bounds = picture.draw_surface(case, views[0])
    picture.draw_body(picture.mesh(case), views[1])
    for view, what in zip(views, ("surface", "voxels")):
        picture.title(view, f"{case.name}: {what}")
        picture.camera(view, bounds)
        view.CameraParallelScale *= 1.4         # whichever side is the longest
    layout = pv.CreateLayout("both")
    layout.SplitHorizontal(0, 0.5)
    layout.AssignView(1, views[0])
    layout.AssignView(2, views[1])
    layout.SetSize(1600, 700)
    pv.SaveScreenshot(output, layout, ImageResolution=[1600, 700], CompressionLevel="9")
    if not pathlib.Path(output).exists():
        sys.exit("voxels.py: nothing was drawn")


main(*sys.argv[1:])
