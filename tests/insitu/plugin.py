"""plugin.py PLUGIN SERIES CASE RELL2: the series' times and fields, and its difference from the case as lbmCompare has it.

Part of lbmFoam, GPL-3.0-or-later."""
import sys

import numpy
from paraview.simple import *
from vtkmodules.util.numpy_support import vtk_to_numpy

plugin, series, case, expected = sys.argv[1:3] + sys.argv[3:]
LoadPlugin(plugin, remote=False, ns=globals())

lattice = OpenDataFile(series)
times = list(lattice.TimestepValues)
assert numpy.allclose(times, [0.05, 0.1]), times
lattice.UpdatePipeline(0.05)
early = vtk_to_numpy(servermanager.Fetch(lattice).GetCellData().GetArray('U')).copy()
lattice.UpdatePipeline(0.1)
data = servermanager.Fetch(lattice)
late = vtk_to_numpy(data.GetCellData().GetArray('U'))
assert data.GetNumberOfCells() == 400 and abs(late - early).max() > 1e-6
assert vtk_to_numpy(data.GetCellData().GetArray('nodeKind')).sum() == 236

reader = OpenFOAMReader(FileName=case)
reader.MeshRegions = ['internalMesh']
reader.CellArrays = ['U']
mesh = MergeBlocks(Input=reader)
difference = ResultDifference(Input=lattice, Mesh=mesh)
difference.UpdatePipeline(0.1)
result = servermanager.Fetch(difference)
found = result.GetFieldData().GetArray('U_relL2').GetValue(0)
print(f'relL2 {found}, lbmCompare {expected}')
assert vtk_to_numpy(result.GetCellData().GetArray('outside')).sum() == 0
assert abs(found - float(expected)) < 1e-5*found
print('relL2 as lbmCompare')
