# script-version: 2.0
# Tells how many cells the channel has. Part of lbmFoam, GPL-3.0-or-later.
from paraview import catalyst
from paraview.simple import *

cells = PVTrivialProducer(registrationName='input')
options = catalyst.Options()
options.GlobalTrigger = 'TimeStep'


def catalyst_execute(info):
    cells.UpdatePipeline()
    assert cells.CellData['U'].GetNumberOfComponents() == 3
    print('cells:', cells.GetDataInformation().GetNumberOfCells(), flush=True)
