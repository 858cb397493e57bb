# script-version: 2.0
# Part of lbmFoam, GPL-3.0-or-later.
from paraview import catalyst
from paraview.simple import *

cells = PVTrivialProducer(registrationName='any name')
options = catalyst.Options()


def catalyst_execute(info):
    cells.UpdatePipeline(info.time)
    data = cells.GetClientSideObject().GetOutputDataObject(0)
    names = sorted(data.GetCellData().GetArrayName(i) for i in range(data.GetCellData().GetNumberOfArrays()))
    print(f'cells: {data.GetNumberOfCells()}, arrays:', *names, flush=True)
