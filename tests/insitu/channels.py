# script-version: 2.0
# Holds what lbmFoam publishes for the cavity against what is known of it.
# Part of lbmFoam, GPL-3.0-or-later.
import argparse

import numpy
from paraview import catalyst
from paraview.simple import *
from vtkmodules.util.numpy_support import vtk_to_numpy

parser = argparse.ArgumentParser()
parser.add_argument('--real')
real = {'double': numpy.float64, 'float': numpy.float32}[parser.parse_args(catalyst.get_args()).real]

lattice = PVTrivialProducer(registrationName='input')
mesh = PVTrivialProducer(registrationName='mesh')
walls = PVTrivialProducer(registrationName='walls')
group = GroupDatasets(Input=[lattice, walls])
group.OutputType = 'vtkPartitionedDataSetCollection'
for source, name, kind in (lattice, 'lattice', 'VTU'), (group, 'both', 'VTPC'):
    extract = CreateExtractor(kind, source, registrationName=name)
    extract.Trigger = 'TimeStep'
    extract.Trigger.Frequency = 10
    extract.Writer.FileName = name + '_{timestep:06d}.' + kind.lower()
options = catalyst.Options()
options.GlobalTrigger = 'TimeStep'
options.GlobalTrigger.Frequency = 10

side, nodes, nu = 0.1, 20, 0.01
dx = side/nodes
lattice_fields = ['U', 'p', 'density', 'vorticity', 'Q', 'wallShearStress', 'nodeKind', 'tileID', 'patchID']


def grid(source):
    source.UpdatePipeline()
    return source.GetClientSideObject().GetOutputDataObject(0)


def cell_field(data, name):
    return vtk_to_numpy(data.GetCellData().GetArray(name))


def close(what, found, expected, tolerance):
    off = abs(found - expected).max()/abs(expected).max()
    assert off < tolerance, f'{what} is off by {off}'


def check_lattice(data):
    assert data.GetNumberOfCells() == nodes**2 and data.GetNumberOfPoints() == 2*(nodes + 1)**2
    assert numpy.allclose(data.GetBounds(), [0, side, 0, side, 0, side/10], atol=1e-7)
    for name in lattice_fields[:6]:
        assert cell_field(data, name).dtype == real, name
    U = cell_field(data, 'U')[:, :2].reshape(nodes, nodes, 2)       # [y][x]
    dU_dy, dU_dx = numpy.gradient(U, dx, axis=(0, 1))
    vorticity = dU_dx[..., 1] - dU_dy[..., 0]
    tolerance = 1e-10 if real is numpy.float64 else 1e-4
    close('vorticity', cell_field(data, 'vorticity')[:, 2].reshape(nodes, nodes), vorticity, tolerance)
    gradient = numpy.stack([dU_dx, dU_dy])                              # [derivative along][y][x][component]
    trace = numpy.einsum('ayxa->yx', gradient)
    Q = 0.5*(trace**2 - numpy.einsum('ayxb,byxa->yx', gradient, gradient))
    close('Q', cell_field(data, 'Q').reshape(nodes, nodes), Q, tolerance)

    kind = cell_field(data, 'nodeKind').reshape(nodes, nodes)
    assert (kind[1:-1, 1:-1] == 0).all() and kind.sum() == 58 + 178         # links of the two patches
    patch = cell_field(data, 'patchID').reshape(nodes, nodes)
    assert (patch[1:-1, 1:-1] == -1).all() and (patch[-1, 1:-1] == 0).all() and (patch[0] == 1).all()
    assert len(set(cell_field(data, 'tileID'))) == 4

    # The lid drags the fluid along: its stress, half a spacing below, as the difference of velocities has it
    stress = cell_field(data, 'wallShearStress').reshape(nodes, nodes, 3)
    middle = slice(nodes//4, 3*nodes//4)
    close('stress', stress[-1, middle, 0], nu*(1 - U[-1, middle, 0])/(dx/2), 0.2)
    assert (stress[1:-1, 1:-1] == 0).all()


def check_walls(data):
    assert data.GetNumberOfCells() == 4*nodes
    names = data.GetFieldData().GetAbstractArray('patchNames')
    assert [names.GetValue(i) for i in range(2)] == ['movingWall', 'fixedWalls']
    lid = cell_field(data, 'patchID') == 0
    assert lid.sum() == nodes and (cell_field(data, 'U')[lid] == [1, 0, 0]).all()
    stress = cell_field(data, 'wallShearStress')
    U = cell_field(grid(mesh), 'U').reshape(nodes, nodes, 3)
    close('stress on faces', stress[lid][:, 0], nu*(1 - U[-1, :, 0])/(dx/2), 1e-10)


def catalyst_execute(info):
    assert catalyst.get_execute_params() == ['Re=10', 'title=two words'], catalyst.get_execute_params()
    check_lattice(grid(lattice))
    check_walls(grid(walls))
    # Nodes lie in the middle of the cells here
    for name in 'U', 'p':
        close(name, cell_field(grid(lattice), name), cell_field(grid(mesh), name), 1e-9 if real is numpy.float64 else 1e-5)
    print('channels are as they should be', flush=True)
