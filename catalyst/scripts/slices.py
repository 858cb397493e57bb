# script-version: 2.0
# Slices through the middle of the domain, coloured by speed: one picture and one table of values a time.
# Arguments: --channel=NAME (input), --normal=x|y|z (z), --maxSpeed=NUMBER (range of colours; else of the data).
# Part of lbmFoam, GPL-3.0-or-later.
import argparse

from paraview import catalyst
from paraview.simple import *

parser = argparse.ArgumentParser()
parser.add_argument('--channel', default='input')
parser.add_argument('--normal', default='z', choices='xyz')
parser.add_argument('--maxSpeed', type=float)
settings = parser.parse_args(catalyst.get_args())

cells = PVTrivialProducer(registrationName=settings.channel)
cells.UpdatePipeline()
bounds = cells.GetDataInformation().GetBounds()
middle = [0.5*(bounds[2*a] + bounds[2*a + 1]) for a in range(3)]
normal = [float(axis == settings.normal) for axis in 'xyz']
# Not on faces of the cells, where two of them would claim the slice
middle['xyz'.index(settings.normal)] *= 1 + 1e-6

slice1 = Slice(registrationName='slice', Input=cells)
slice1.Triangulatetheslice = 0
slice1.SliceType = 'Plane'
slice1.SliceType.Origin = middle
slice1.SliceType.Normal = normal

view = CreateView('RenderView')
view.ViewSize = [640, 640]
view.Background = [1, 1, 1]
view.UseColorPaletteForBackground = 0
view.OrientationAxesVisibility = 0
view.CameraParallelProjection = 1
diagonal = sum((bounds[2*a + 1] - bounds[2*a])**2 for a in range(3))**0.5
view.CameraFocalPoint = middle
view.CameraPosition = [middle[a] + diagonal*normal[a] for a in range(3)]
view.CameraViewUp = [0, 0, 1] if settings.normal != 'z' else [0, 1, 0]
view.CameraParallelScale = 0.4*diagonal

shown = Show(slice1, view)
ColorBy(shown, ('CELLS', 'U', 'Magnitude'))
colours = GetColorTransferFunction('U')
colours.VectorMode = 'Magnitude'
colours.ApplyPreset('Viridis (matplotlib)', True)
if settings.maxSpeed:
    colours.RescaleTransferFunction(0, settings.maxSpeed)
    shown.SetScalarBarVisibility(view, True)

picture = CreateExtractor('PNG', view, registrationName='slices')
picture.Trigger = 'TimeStep'
picture.Writer.FileName = 'slices_{timestep:06d}{camera}.png'
picture.Writer.ImageResolution = [640, 640]

table = CreateExtractor('CSV', slice1, registrationName='sliceTable')
table.Trigger = 'TimeStep'
table.Writer.FileName = 'slices_{timestep:06d}.csv'
table.Writer.Precision = 12
table.Writer.FieldAssociation = 'Cell Data'

options = catalyst.Options()
options.GlobalTrigger = 'TimeStep'


def catalyst_execute(info):
    if not settings.maxSpeed:
        shown.RescaleTransferFunctionToDataRange(False, True)
