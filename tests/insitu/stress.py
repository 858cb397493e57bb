# script-version: 2.0
# Stress on walls of the lattice and of the mesh, smallest and largest. Part of lbmFoam, GPL-3.0-or-later.
from paraview import catalyst
from paraview.simple import *
from paraview.vtk.numpy_interface import dataset_adapter as dsa
import numpy as np

channels = {name: PVTrivialProducer(registrationName=name) for name in ('input', 'walls', 'exact')}
options = catalyst.Options()


def catalyst_execute(info):
    for name, channel in channels.items():
        channel.UpdatePipeline(info.time)
        data = dsa.WrapDataObject(channel.GetClientSideObject().GetOutputDataObject(0))
        size = np.linalg.norm(data.CellData['wallShearStress'], axis=1)
        size = size[size > 0]
        print(f'{name}: {len(size)} values, stress {size.min():.4f} to {size.max():.4f}', flush=True)
