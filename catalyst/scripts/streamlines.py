# script-version: 2.0
# Streamlines from seeds around the middle of the domain, coloured by speed.
# Arguments: --channel=input, --along=z (view; "" from a corner), --seeds=200, --radius=0.3 (of the smallest extent),
# --maxSpeed=[m/s].
# Part of lbmFoam, GPL-3.0-or-later.
import os
import sys

from paraview import catalyst
from paraview.simple import *

sys.path.insert(0, os.path.dirname(catalyst.get_script_filename()))
import shared

settings = shared.arguments(channel='input', along='z', seeds=200, radius=0.3, maxSpeed=None)
cells, bounds = shared.channel(settings.channel)
extents = [bounds[2*a + 1] - bounds[2*a] for a in range(3)]

lines = StreamTracer(registrationName='streamlines', Input=shared.on_points(cells), SeedType='Point Cloud')
lines.Vectors = ['POINTS', 'U']
lines.SeedType.Center = shared.middle(bounds)
lines.SeedType.NumberOfPoints = settings.seeds
lines.SeedType.Radius = settings.radius*max(extents)
lines.MaximumStreamlineLength = 4*max(extents)

figure = shared.Figure('streamlines', bounds, settings.along)
figure.outline(cells)
rescale = figure.show(lines, 'POINTS', 'U', 'speed [m/s]', settings.maxSpeed)
picture = figure.picture()
options = shared.options()


def catalyst_execute(info):
    rescale(info.time)
