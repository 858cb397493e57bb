# script-version: 2.0
# The walls, coloured by the magnitude of the kinematic wall shear stress.
# Arguments: --channel=walls, --along="" (view: an axis, or from a corner), --maximum=[m2/s2].
# Part of lbmFoam, GPL-3.0-or-later.
import os
import sys

from paraview import catalyst
from paraview.simple import *

sys.path.insert(0, os.path.dirname(catalyst.get_script_filename()))
import shared

settings = shared.arguments(channel='walls', along='', maximum=None)
walls, bounds = shared.channel(settings.channel)

figure = shared.Figure('wallShearStress', bounds, settings.along)
rescale = figure.show(walls, 'CELLS', 'wallShearStress', 'wall shear stress [m2/s2]', settings.maximum, kind='VTU')
picture = figure.picture()
options = shared.options()


def catalyst_execute(info):
    rescale(info.time)
