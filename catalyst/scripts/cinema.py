# script-version: 2.0
# Pictures of the walls from all around at each time, with the table that Cinema's viewers read (data.csv).
# Arguments: --channel=walls, --phi=6, --theta=3 (numbers of angles), --maximum=[m2/s2].
# Part of lbmFoam, GPL-3.0-or-later.
import csv
import os
import re
import sys

from paraview import catalyst
from paraview.simple import *

sys.path.insert(0, os.path.dirname(catalyst.get_script_filename()))
import shared

settings = shared.arguments(channel='walls', phi=6, theta=3, maximum=None)
walls, bounds = shared.channel(settings.channel)

figure = shared.Figure('cinema', bounds, '', 400, 300, around=True)
rescale = figure.show(walls, 'CELLS', 'wallShearStress', 'wall shear stress [m2/s2]', settings.maximum, kind='VTU')
pictures = figure.picture()
if pictures:
    pictures.Writer.CameraMode = 'Phi-Theta'
    pictures.Writer.PhiResolution = settings.phi
    pictures.Writer.ThetaResolution = settings.theta
options = shared.options()
times = {}


def catalyst_execute(info):
    times[info.timestep] = info.time
    rescale(info.time)


# ParaView's own writer of this table needs pandas
def catalyst_finalize():
    folder = options.ExtractsOutputDirectory
    with open(os.path.join(folder, 'data.csv'), 'w', newline='') as file:
        rows = csv.writer(file)
        rows.writerow(['time', 'phi', 'theta', 'FILE'])
        for name in sorted(os.listdir(folder)):
            found = re.fullmatch(r'cinema_(\d+)p=([\d.]+)t=([\d.]+)\.png', name)
            if found and int(found[1]) in times:
                rows.writerow([times[int(found[1])], found[2], found[3], name])
