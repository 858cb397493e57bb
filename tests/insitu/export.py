"""export.py DATA.vtu SCRIPT.py: a pipeline on data that have nothing to do with a flow, saved as ParaView's menu does.

Part of lbmFoam, GPL-3.0-or-later."""
import sys

from paraview import catalyst
from paraview.detail.catalyst_export import save_catalyst_state
from paraview.simple import *

data, script = sys.argv[1:]
waves = Calculator(Input=PointDatatoCellData(Input=Wavelet()), AttributeType='Cell Data', ResultArrayName='temperature',
                   Function='RTData')
SaveData(data, AppendDatasets(Input=waves))
Delete(waves)

# Named as ParaView's window does
source = XMLUnstructuredGridReader(registrationName=data, FileName=[data])
slice1 = Slice(registrationName='Slice1', Input=source)
slice1.Triangulatetheslice = 0
slice1.SliceType.Origin = [0.05, 0.05, 0.005001]
slice1.SliceType.Normal = [0, 0, 1]
view = CreateView('RenderView', registrationName='RenderView1')
ColorBy(Show(slice1, view), ('CELLS', 'temperature'))
ResetCamera(view)
picture = CreateExtractor('PNG', view, registrationName='PNG1')
picture.Writer.FileName = 'RenderView1_{timestep:06d}{camera}.png'
table = CreateExtractor('CSV', slice1, registrationName='CSV1')
table.Writer.FileName = 'cells_{timestep:06d}.csv'
table.Writer.FieldAssociation = 'Cell Data'
table.Writer.Precision = 12
save_catalyst_state(script, catalyst.Options().SMProxy)
