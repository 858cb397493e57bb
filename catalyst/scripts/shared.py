# What the scripts here share: arguments, the channel, pictures. Scripts saved by ParaView need none of it.
# Part of lbmFoam, GPL-3.0-or-later.
import argparse
import os

from paraview import catalyst, simple
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


def data_range(source, where, field, time, component=-1):
    """Of a field over all processes, (0, 1) where nothing has it. Component -1: of the magnitude. Without the time the channel is asked
    for that of the last picture, and warns of it."""
    source.UpdatePipeline(time)
    array = (source.CellData if where == 'CELLS' else source.PointData)[field]
    low, high = array.GetRange(component) if array else (float('inf'), -float('inf'))
    (low,), (high,) = over_processes([low], [high])
    return (low, high) if low < high else (0, 1)


def middle(bounds):
    return [0.5*(bounds[2*a] + bounds[2*a + 1]) for a in range(3)]


MARGIN, BAR = 20, 92        # pixels around what is shown, and below it for the bar of colours


def _dot(a, b):
    return sum(x*y for x, y in zip(a, b))


def _cross(a, b):
    return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]


def _unit(a):
    return [x/_dot(a, a)**0.5 for x in a]


class Figure:
    """A picture of sources in a box, along an axis or ('') from a corner, with a bar of colours below. It is as wide and high as
    the box is in that view, up to so many pixels. Where nothing draws, neither an X server nor EGL, the data of what it
    shows are written in its place, and the log says so.

    around: the camera goes around the box, which fits whatever the angle."""

    def __init__(self, name, bounds, along, width=860, height=700, around=False):
        self.name = name
        self.why_not = getattr(simple, 'lbm_no_pictures', '')
        self.view = None
        if not self.why_not:
            self._make_view(bounds, along, width, height, around)

    def _make_view(self, bounds, along, width, height, around):
        # Across y from below, so that x runs to the right
        sides = {'x': [1, 0, 0], 'y': [0, -1, 0], 'z': [0, 0, 1]}
        towards = _unit(sides.get(along, [-0.4, -0.7, 0.6]))
        up = [0, 1, 0] if along == 'z' else [0, 0, 1]
        right = _unit(_cross(up, towards))
        up = _cross(towards, right)
        extents = [bounds[2*a + 1] - bounds[2*a] for a in range(3)]
        diagonal = _dot(extents, extents)**0.5
        # Of a box the extent along a direction is the sum of its sides'
        across, upright = [diagonal if around else sum(abs(d)*e for d, e in zip(direction, extents)) for direction in (right, up)]
        metres = max(across/width, upright/height)      # a pixel
        below = 0.5*BAR*metres
        centre = [c - below*u for c, u in zip(middle(bounds), up)]
        if around:
            centre = middle(bounds)
        # The bar needs some width; films want even numbers
        size = [max(int(across/metres) + 2*MARGIN, 400), int(upright/metres) + 2*MARGIN + (2 if around else 1)*BAR]
        size = [n + n % 2 for n in size]

        self.view = CreateView('RenderView')
        self.view.ViewSize = size
        self.view.Background = [1, 1, 1]
        self.view.UseColorPaletteForBackground = 0
        self.view.OrientationAxesVisibility = 0
        self.view.UseFXAA = 0               # smooths edges for a third of a picture's cost without a graphics card
        self.view.CameraParallelProjection = 1
        self.view.CameraFocalPoint = centre
        self.view.CameraPosition = [c + 2*diagonal*t for c, t in zip(centre, towards)]
        self.view.CameraViewUp = up
        self.view.CameraParallelScale = 0.5*size[1]*metres

    def outline(self, cells):
        """The box itself, in grey"""
        if self.view:
            box = Show(Outline(Input=cells), self.view)
            box.AmbientColor = box.DiffuseColor = [0.5, 0.5, 0.5]

    def body(self, file, scale=1):
        """A body by its surface's file, in grey. ParaView finds the reader by the file's ending. scale: of its coordinates. A
        name that is no file here is taken from the folder of the script."""
        if self.view:
            if not os.path.exists(file):
                file = os.path.join(os.path.dirname(catalyst.get_script_filename()), file)
            body = OpenDataFile(file)
            if scale != 1:
                body = Transform(Input=body)
                body.Transform.Scale = [scale]*3
            shown = Show(body, self.view)
            shown.SetRepresentationType('Surface')
            ColorBy(shown, ('POINTS', None))
            shown.AmbientColor = shown.DiffuseColor = [0.35, 0.35, 0.38]
            shown.Ambient, shown.Diffuse = 0.3, 0.7

    def show(self, source, where, field, title, maximum=None, component='Magnitude', kind='VTP', lit=False, part=''):
        """A source coloured by a field, from 0 to the maximum; without one by the range of the data. Returns what to call, with
        the time, when the data have changed. kind: of file for its data. lit: light and shadow, which surfaces in space need. part: what of a
        figure it is that shows several."""
        if not self.view:
            return self._write(source, kind, self.name + part)
        shown = Show(source, self.view)
        # An image of one layer is a texture, which costs a tenth of its squares
        shown.SetRepresentationType('Slice' if flat_image(source) else 'Surface')
        ColorBy(shown, (where, field, component) if component else (where, field))
        table = GetColorTransferFunction(field)
        if component:
            table.VectorMode = component
        table.ApplyPreset('Viridis (matplotlib)', True)
        bar = GetScalarBar(table, self.view)
        bar.Title, bar.ComponentTitle = title, ''
        bar.TitleColor = bar.LabelColor = [0, 0, 0]
        bar.TitleFontSize = bar.LabelFontSize = 16
        bar.RangeLabelFormat = '%.3g'
        bar.Orientation, bar.ScalarBarLength = 'Horizontal', 0.4
        bar.WindowLocation, bar.Position = 'Any Location', [0.3, 10/self.view.ViewSize[1]]
        bar.Visibility = 1
        # Else colours as in the bar, whatever the light
        shown.Ambient, shown.Diffuse = (0.3, 0.7) if lit else (1, 0)
        if maximum:
            table.RescaleTransferFunction(0, maximum)
            return lambda time: None
        return lambda time: table.RescaleTransferFunction(*data_range(source, where, field, time))

    def _write(self, source, kind, name):
        data = CreateExtractor(kind, source, registrationName=name)
        data.Trigger = 'TimeStep'
        data.Writer.FileName = name + '_{timestep:06d}' + ending(kind)
        controller = vtkMultiProcessController.GetGlobalController()
        if not controller or controller.GetLocalProcessId() == 0:
            print(f'{self.name}: no pictures, for {self.why_not}: the data that they would show are written as'
                  f' {name}_*{ending(kind)}', flush=True)
        return lambda time: None

    def picture(self):
        """A picture each time. None where there are none."""
        if not self.view:
            return None
        result = CreateExtractor('PNG', self.view, registrationName=self.name)
        result.Trigger = 'TimeStep'
        result.Writer.FileName = self.name + '_{timestep:06d}{camera}.png'
        result.Writer.ImageResolution = list(self.view.ViewSize)
        return result


def ending(kind):
    """Of the file that opens what processes have written, one each"""
    return {'VTP': '.pvtp', 'VTU': '.pvtu', 'VTI': '.pvti', 'VTPC': '.vtpc'}[kind]


def table(source, name, of='Cell Data'):
    result = CreateExtractor('CSV', source, registrationName=name)
    result.Trigger = 'TimeStep'
    result.Writer.FileName = name + '_{timestep:06d}.csv'
    result.Writer.Precision = 12
    result.Writer.FieldAssociation = of
    return result


def _anywhere(here):
    """Whether one of the processes says so: each is to have the same filters, and some may have none of the data."""
    (nobody,), _ = over_processes([0 if here else 1], [0])
    return not nobody


def place(source):
    """Where its fields are: on the points of an image, else on cells"""
    return 'POINTS' if _anywhere(len(source.PointData) and not len(source.CellData)) else 'CELLS'


def flat_image(source):
    """Whether it is an image of one layer"""
    information = source.GetDataInformation()
    extent = information.GetExtent()
    return _anywhere(information.GetDataSetTypeAsString() == 'vtkImageData' and any(extent[2*a] == extent[2*a + 1] for a in range(3)))


def on_points(source):
    """Its fields on points, of cells smoothed"""
    return source if place(source) == 'POINTS' else CellDatatoPointData(Input=source)


def tells_fluid(cells):
    """Whether points of the channel say where fluid is, as parts of a lattice do, which have zeros within bodies"""
    return _anywhere(cells.PointData['fluid'])


def in_fluid(surface):
    """What of a surface or cut through a part of a lattice lies in the fluid alone. (Of the part itself it would be as right, but its
    points would become cells of a grid without order, which takes longer than all else.)"""
    inside = Threshold(Input=surface)
    inside.Scalars, inside.ThresholdMethod = ['POINTS', 'fluid'], 'Above Upper Threshold'
    inside.UpperThreshold = 0.99
    return ExtractSurface(Input=inside)


def options():
    result = catalyst.Options()
    result.GlobalTrigger = 'TimeStep'
    return result
