# script-version: 2.0
# A slice, coloured by speed: a picture each time.
# Arguments: --channel=input, --normal=z, --at=[m] (its place along the normal; else the middle), --maxSpeed=[m/s] (end of the colours;
# else that of the data), --body=[surface file] (in grey), --bodyScale=1 (of its coordinates), --table=0 (1: a table of the cells'
# values each time, too).
# Part of lbmFoam, GPL-3.0-or-later.
import os
import sys

from paraview import catalyst
from paraview.simple import *

sys.path.insert(0, os.path.dirname(catalyst.get_script_filename()))
import shared

settings = shared.arguments(channel='input', normal='z', at=None, maxSpeed=None, body='', bodyScale=1.0, table=0)
cells, bounds = shared.channel(settings.channel)

# Off the faces between cells, where two of them would claim the slice
place = shared.middle(bounds)
axis = 'xyz'.index(settings.normal)
if settings.at is not None:
    place[axis] = settings.at
place[axis] += 1e-6*(bounds[2*axis + 1] - bounds[2*axis])

# An image of one layer is its own slice
flat = shared.flat_image(cells) and bounds[2*axis] == bounds[2*axis + 1]
if flat:
    slice1 = cells
else:
    slice1 = Slice(registrationName='slice', Input=cells)
    slice1.Triangulatetheslice = 0
    slice1.SliceType = 'Plane'
    slice1.SliceType.Origin = place
    slice1.SliceType.Normal = [float(i == axis) for i in range(3)]
    # Without the bodies, where an image of a lattice has zeros
    if shared.tells_fluid(cells):
        slice1 = shared.in_fluid(slice1)

figure = shared.Figure('slices', bounds, settings.normal)
if settings.body:
    figure.body(settings.body, settings.bodyScale)
where = shared.place(cells)
rescale = figure.show(slice1, where, 'U', 'speed [m/s]', settings.maxSpeed, kind='VTI' if flat else 'VTP')
picture = figure.picture()
if settings.table:
    values = shared.table(slice1, 'slices', 'Cell Data' if where == 'CELLS' else 'Point Data')
options = shared.options()


def catalyst_execute(info):
    rescale(info.time)
