# script-version: 2.0
# The data themselves: cells with U and p as VTU (opened by a PVTU file), cells and walls together as VTPC. Needs no X server.
# Part of lbmFoam, GPL-3.0-or-later.
import os
import sys

from paraview import catalyst
from paraview.simple import *

sys.path.insert(0, os.path.dirname(catalyst.get_script_filename()))
import shared

cells, bounds = shared.channel('input')
walls, _ = shared.channel('walls')
assert {'U', 'p'} <= {array.Name for array in cells.CellData}

both = GroupDatasets(registrationName='both', Input=[cells, walls])
both.OutputType = 'vtkPartitionedDataSetCollection'
both.BlockNames = ['cells', 'walls']
for source, kind in (cells, 'VTU'), (both, 'VTPC'):
    extract = CreateExtractor(kind, source, registrationName=kind)
    extract.Trigger = 'TimeStep'
    extract.Writer.FileName = 'extract_{timestep:06d}' + shared.ending(kind)
options = shared.options()
