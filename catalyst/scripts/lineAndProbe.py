# script-version: 2.0
# Tables of U and p along a line through the middle, and at a point. Needs no X server.
# Arguments: --channel=input, --along=x (direction of the line), --samples=200, --point=x,y,z (else the middle).
# Part of lbmFoam, GPL-3.0-or-later.
import os
import sys

from paraview import catalyst
from paraview.simple import *

sys.path.insert(0, os.path.dirname(catalyst.get_script_filename()))
import shared

settings = shared.arguments(channel='input', along='x', samples=200, point='')
cells, bounds = shared.channel(settings.channel)
points = shared.on_points(cells)
assert {'U', 'p'} <= {array.Name for array in points.PointData}

axis = 'xyz'.index(settings.along)
start, end = shared.middle(bounds), shared.middle(bounds)
start[axis], end[axis] = bounds[2*axis:2*axis + 2]
line = PlotOverLine(registrationName='line', Input=points)
line.Point1, line.Point2 = start, end
line.SamplingPattern = 'Sample Uniformly'
line.Resolution = settings.samples

probe = ProbeLocation(registrationName='probe', Input=points, ProbeType='Fixed Radius Point Source')
probe.ProbeType.Center = [float(x) for x in settings.point.split(',')] if settings.point else shared.middle(bounds)
probe.ProbeType.NumberOfPoints = 1
probe.ProbeType.Radius = 0

line_values = shared.table(line, 'line', 'Point Data')
probe_values = shared.table(probe, 'probe', 'Point Data')
options = shared.options()
