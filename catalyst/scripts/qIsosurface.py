# script-version: 2.0
# Where the flow turns: the surface Q = value, coloured by speed. Finite-volume solvers need the function object Q.
# Arguments: --channel=input, --along="" (view: an axis, or from a corner), --value=[1/s2] (else a tenth of the largest),
# --maxSpeed=[m/s] (end of the colours; else that of the surface's data), --body="" (a surface's file, OBJ, STL or PLY, to be shown in
# grey), --plane="" (an axis: the speed in the middle across it, too).
# Part of lbmFoam, GPL-3.0-or-later.
import os
import sys

from paraview import catalyst
from paraview.simple import *

sys.path.insert(0, os.path.dirname(catalyst.get_script_filename()))
import shared

settings = shared.arguments(channel='input', along='', value=None, maxSpeed=None, body='', plane='')
cells, bounds = shared.channel(settings.channel)
points = shared.on_points(cells)
if shared.flat_image(cells):
    points = ExtractSurface(Input=points)   # lines of equal Q of an image of one layer would have no other field

of_fluid = shared.in_fluid if shared.tells_fluid(cells) else lambda source: source
surface = Contour(registrationName='Q', Input=points)
surface.ContourBy = ['POINTS', 'Q']
surface.Isosurfaces = [settings.value or 1]

figure = shared.Figure('qIsosurface', bounds, settings.along)
figure.outline(cells)
if settings.body:
    figure.body(settings.body)
if settings.plane:
    axis = 'xyz'.index(settings.plane)
    middle = Slice(registrationName='plane', Input=points)
    middle.SliceType.Origin = shared.middle(bounds)
    middle.SliceType.Origin[axis] += 1e-6*(bounds[2*axis + 1] - bounds[2*axis])     # off the faces between cells
    middle.SliceType.Normal = [float(i == axis) for i in range(3)]
    figure.show(of_fluid(middle), 'POINTS', 'U', 'speed [m/s]', settings.maxSpeed, part='Plane')
# Colours are those of the surface's speeds, and serve the plane, too
rescale = figure.show(of_fluid(surface), 'POINTS', 'U', 'speed [m/s]', settings.maxSpeed, lit=True)
picture = figure.picture()
options = shared.options()


def catalyst_execute(info):
    if not settings.value:
        points.UpdatePipeline(info.time)
        surface.Isosurfaces = [0.1*shared.data_range(points, 'POINTS', 'Q', info.time, 0)[1]]
    rescale(info.time)
