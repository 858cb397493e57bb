# script-version: 2.0
# Parts of the lattice beside all of it. Part of lbmFoam, GPL-3.0-or-later.
import numpy
from paraview import catalyst
from paraview.simple import *
from vtkmodules.util.numpy_support import vtk_to_numpy

whole, part, coarse, pixels = [PVTrivialProducer(registrationName=name) for name in ('all', 'part', 'coarse', 'pixels')]
# The plane that the slice of a part meets, and nothing else of it
cut = Slice(Input=part, Triangulatetheslice=0)
cut.SliceType.Origin, cut.SliceType.Normal = [0.0412, 0.05, 0.005], [1, 0, 0]
options = catalyst.Options()
options.GlobalTrigger = 'TimeStep'
side, nodes = 0.1, 20


def grid(source):
    source.UpdatePipeline()
    return source.GetClientSideObject().GetOutputDataObject(0)


def centres(data):
    boxes = numpy.array([data.GetCell(i).GetBounds() for i in range(data.GetNumberOfCells())])
    return 0.5*(boxes[:, ::2] + boxes[:, 1::2]), boxes[:, 1::2] - boxes[:, ::2]


def number(places):
    """Of the nodes of the whole at these places"""
    x, y = [numpy.round(places[:, a]/side*nodes - 0.5).astype(int) for a in (0, 1)]
    return x + nodes*y


def field(data, name):
    return vtk_to_numpy(data.GetCellData().GetArray(name))


def close(what, found, expected, tolerance):
    off = abs(found - expected).max()/abs(expected).max()
    assert off < tolerance, f'{what} is off by {off}'


def catalyst_execute(info):
    everything, box, blocks, line = [grid(source) for source in (whole, part, coarse, cut)]
    places, sizes = centres(box)
    assert box.GetNumberOfCells() == 10*6 and numpy.allclose(sizes[:, :2], side/nodes, rtol=1e-4), sizes
    assert numpy.allclose(box.GetBounds(), [0.02, 0.07, 0.035, 0.065, 0, 0.01], atol=1e-6), box.GetBounds()
    for name in 'U', 'p', 'density', 'vorticity', 'Q':
        close(name, field(box, name), field(everything, name)[number(places)], 2e-5)
    assert line.GetNumberOfCells() == 6
    close('slice', field(line, 'Q'), field(everything, 'Q')[number(centres(line)[0])], 2e-5)

    assert numpy.allclose(blocks.GetBounds(), [0, 0.1, 0, 0.1, 0, 0.01], atol=1e-6)
    for name in 'U', 'p':
        values = field(everything, name).reshape(5, 4, 5, 4, -1).mean(axis=(1, 3)).reshape(25, -1)
        close('coarse ' + name, field(blocks, name).reshape(25, -1), values, 2e-5)
    image = grid(pixels)
    assert image.GetDimensions() == (10, 6, 1) and numpy.allclose(image.GetSpacing(), [0.005, 0.005, 0.01])
    assert numpy.allclose(image.GetOrigin(), [0.0225, 0.0375, 0.005]), image.GetOrigin()
    for name in 'U', 'Q':
        assert (vtk_to_numpy(image.GetPointData().GetArray(name)) == field(box, name)).all(), name
    assert (vtk_to_numpy(image.GetPointData().GetArray('fluid')) == 1).all()
    print('parts are as they should be', flush=True)
