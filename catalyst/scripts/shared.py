# What the scripts here share: arguments, the channel, pictures. Scripts saved by ParaView need none of it.
# Part of lbmFoam, GPL-3.0-or-later.
import argparse

from paraview import catalyst
from paraview.simple import *
from vtkmodules.vtkCommonCore import vtkDoubleArray
from vtkmodules.vtkParallelCore import vtkCommunicator, vtkMultiProcessController


def arguments(**defaults):
    """Arguments of the case's function object, with these names and defaults. None: a number that may be left out.
    Several scripts may share them: each takes those that it knows."""
    parser = argparse.ArgumentParser()
    for name, value in defaults.items():
        parser.add_argument('--' + name, default=value, type=float if value is None else type(value))
    return parser.parse_known_args(catalyst.get_args())[0]


def over_processes(low, high):
    """The smallest of the low values and the largest of the high ones: ParaView's information is that of one process."""
    controller = vtkMultiProcessController.GetGlobalController()
    if not controller or controller.GetNumberOfProcesses() == 1:
        return list(low), list(high)
    ours, all_of = vtkDoubleArray(), vtkDoubleArray()
    for value in [*low, *(-x for x in high)]:
        ours.InsertNextValue(value)
    all_of.DeepCopy(ours)
    controller.AllReduce(ours, all_of, vtkCommunicator.MIN_OP)
    found = [all_of.GetValue(i) for i in range(all_of.GetNumberOfValues())]
    return found[:len(low)], [-x for x in found[len(low):]]


def channel(name):
    """Cells that the solver publishes, and their bounds [xmin, xmax, ymin, ...]."""
    cells = PVTrivialProducer(registrationName=name)
    cells.UpdatePipeline()
    bounds = cells.GetDataInformation().GetBounds()
    low, high = over_processes(bounds[::2], bounds[1::2])
    return cells, [x for pair in zip(low, high) for x in pair]


def data_range(source, where, field, component=-1):
    """Of a field over all processes, (0, 1) where nothing has it. Component -1: of the magnitude."""
    source.UpdatePipeline()
    array = (source.CellData if where == 'CELLS' else source.PointData)[field]
    low, high = array.GetRange(component) if array else (float('inf'), -float('inf'))
    (low,), (high,) = over_processes([low], [high])
    return (low, high) if low < high else (0, 1)


def middle(bounds):
    return [0.5*(bounds[2*a] + bounds[2*a + 1]) for a in range(3)]


def view(bounds, along, size=(800, 600)):
    """A view of a box, along an axis or (None) from a corner."""
    result = CreateView('RenderView')
    result.ViewSize = list(size)
    result.Background = [1, 1, 1]
    result.UseColorPaletteForBackground = 0
    result.OrientationAxesVisibility = 0
    result.UseFXAA = 0                      # smooths edges for a third of a picture's cost without a graphics card
    result.CameraParallelProjection = 1
    extents = [bounds[2*a + 1] - bounds[2*a] for a in range(3)]
    direction = [float(axis == along) for axis in 'xyz'] if along else [-0.4, -0.7, 0.6]
    centre = middle(bounds)
    distance = 2*sum(extent**2 for extent in extents)**0.5
    result.CameraFocalPoint = centre
    result.CameraPosition = [centre[a] + distance*direction[a] for a in range(3)]
    result.CameraViewUp = [0, 1, 0] if along == 'z' else [0, 0, 1]
    if along:
        # Axes that lie across and upright in the picture
        across, upright = {'x': (1, 2), 'y': (0, 2), 'z': (0, 1)}[along]
        needed = max(extents[upright], extents[across]*size[1]/size[0])
    else:
        needed = 0.5*distance
    result.CameraParallelScale = 0.66*needed        # leaves room for the bar
    return result


def colour(shown, where, field, title, maximum=None, component='Magnitude'):
    """Colours by a field, from 0 to the maximum; without one by the range of the data. Returns what to call when the
    data have changed."""
    ColorBy(shown, (where, field, component) if component else (where, field))
    table = GetColorTransferFunction(field)
    if component:
        table.VectorMode = component
    table.ApplyPreset('Viridis (matplotlib)', True)
    bar = GetScalarBar(table, GetActiveView())
    bar.Title, bar.ComponentTitle = title, ''
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.RangeLabelFormat = '%.3g'
    bar.Orientation, bar.ScalarBarLength = 'Horizontal', 0.4
    bar.WindowLocation = 'Lower Center'
    bar.Visibility = 1
    shown.Ambient, shown.Diffuse = 1, 0             # colours as in the bar, whatever the light
    if maximum:
        table.RescaleTransferFunction(0, maximum)
        return lambda: None
    return lambda: table.RescaleTransferFunction(*data_range(shown.Input, where, field))


def picture(shown_in, name):
    result = CreateExtractor('PNG', shown_in, registrationName=name)
    result.Trigger = 'TimeStep'
    result.Writer.FileName = name + '_{timestep:06d}{camera}.png'
    result.Writer.ImageResolution = list(shown_in.ViewSize)
    return result


def table(source, name, of='Cell Data'):
    result = CreateExtractor('CSV', source, registrationName=name)
    result.Trigger = 'TimeStep'
    result.Writer.FileName = name + '_{timestep:06d}.csv'
    result.Writer.Precision = 12
    result.Writer.FieldAssociation = of
    return result


def on_points(cells):
    """Fields of cells, smooth"""
    return CellDatatoPointData(Input=cells)


def options():
    result = catalyst.Options()
    result.GlobalTrigger = 'TimeStep'
    return result
