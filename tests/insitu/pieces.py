"""pieces.py PLUGIN SERIES: in each of several processes, a piece of the series; together they are the whole.

Part of lbmFoam, GPL-3.0-or-later."""
import sys

from paraview.simple import *
from vtkmodules.vtkParallelCore import vtkMultiProcessController

plugin, series = sys.argv[1:]
LoadPlugin(plugin, remote=False, ns=globals())
lattice = OpenDataFile(series)
lattice.UpdatePipeline(0.1)
total = IntegrateVariables(Input=lattice)
total.UpdatePipeline(0.1)
processes = vtkMultiProcessController.GetGlobalController().GetNumberOfProcesses()
cells = [lattice.SMProxy.GetRankDataInformation(0, rank).GetNumberOfCells() for rank in range(processes)]
data = servermanager.Fetch(total).GetCellData()
volume, nodes = data.GetArray('Volume').GetValue(0), data.GetArray('nodeKind').GetValue(0)/(0.1/20)**2/0.01
print(f'cells {cells}, volume {volume:.6g}, links {nodes:.6g}')
