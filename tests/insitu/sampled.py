# script-version: 2.0
# Slices and nothing else of the lattice, which is when fields are computed in their cells alone: polygons and values as
# VTK's own filter makes them of all cells.
# Part of lbmFoam, GPL-3.0-or-later.
import numpy
from paraview import catalyst
from paraview.simple import *
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkPlane, vtkSphere, vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkCutter
from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter

fields = ['U', 'p', 'density', 'vorticity', 'Q', 'wallShearStress', 'nodeKind', 'tileID', 'patchID']
lattice = PVTrivialProducer(registrationName='input')
options = catalyst.Options()
options.GlobalTrigger = 'TimeStep'

# On the faces between cells, off them, oblique, through corners; both lie in the cavity
planes = [((0.05, 0.05, 0.005), normal) for normal in
          [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, 0), (1, 1, 0), (1, -1, 0), (1, 2, 3), (-1, 0.3, 0.1)]]
planes.append(((0.0512, 0.05, 0.0051), (1, 0, 0)))
slices = []
for origin, normal in planes:
    for triangles in 0, 1:
        cut = Slice(Input=lattice, Triangulatetheslice=triangles, SliceOffsetValues=[0, 0.0131])
        cut.SliceType.Origin, cut.SliceType.Normal = origin, normal
        slices.append(cut)
# What lbmFoam's slices leave to ParaView's own filter, which then wants all values
ball = Slice(Input=lattice, Triangulatetheslice=0, SliceType='Sphere')
ball.SliceType.Center, ball.SliceType.Radius = [0.05, 0.05, 0.005], 0.03
whole_cells = Slice(Input=lattice, Crinkleslice=1)
whole_cells.SliceType.Origin, whole_cells.SliceType.Normal = [0.0512, 0.05, 0.005], [1, 0, 0]


def stock(data, cut):
    """VTK's filter on cells that are nothing but unstructured"""
    plain = vtkUnstructuredGrid()
    plain.DeepCopy(data)
    if cut is ball:
        surface = vtkSphere()
        surface.SetCenter(*cut.SliceType.Center)
        surface.SetRadius(cut.SliceType.Radius)
    else:
        surface = vtkPlane()
        surface.SetOrigin(*cut.SliceType.Origin)
        surface.SetNormal(*cut.SliceType.Normal)
    cutter = vtkCutter()
    cutter.SetInputData(plain)
    cutter.SetCutFunction(surface)
    cutter.SetGenerateTriangles(cut.Triangulatetheslice)
    for i, value in enumerate(cut.SliceOffsetValues):
        cutter.SetValue(i, value)
    cutter.Update()
    return cutter.GetOutput()


def boxes(data):
    return numpy.array([data.GetCell(i).GetBounds() for i in range(data.GetNumberOfCells())])


def areas(data):
    filter = vtkCellSizeFilter()
    filter.SetInputData(data)
    filter.Update()
    return vtk_to_numpy(filter.GetOutput().GetCellData().GetArray('Area'))


def check(cut, found, expected):
    where = f'{slices.index(cut) if cut in slices else cut}, triangles {cut.Triangulatetheslice}'
    assert found.GetNumberOfCells() > 0, where
    size, other_size = areas(found), areas(expected)
    assert abs(size.sum() - other_size.sum()) < 1e-5*size.sum(), (where, size.sum(), other_size.sum())
    # What rounding leaves where the plane only touches a cell is not compared
    seen, other_seen = size > 1e-6*size.max(), other_size > 1e-6*size.max()
    if not cut.Triangulatetheslice:
        # One polygon a cell, in the order of cells
        assert seen.sum() == other_seen.sum(), (where, seen.sum(), other_seen.sum())
        assert numpy.allclose(boxes(found)[seen], boxes(expected)[other_seen], atol=1e-7), where
    for name in fields:
        ours = vtk_to_numpy(found.GetCellData().GetArray(name)).astype(float)
        theirs = vtk_to_numpy(expected.GetCellData().GetArray(name)).astype(float)
        if not cut.Triangulatetheslice:
            assert (ours[seen] == theirs[other_seen]).all(), (where, name)
        off = abs((ours.T*size).sum() - (theirs.T*other_size).sum())
        assert off <= 1e-5*(abs(theirs).T*other_size).sum(), (where, name)


def catalyst_execute(info):
    results = []
    for cut in slices:
        cut.UpdatePipeline(info.time)
        results.append(cut.GetClientSideObject().GetOutputDataObject(0))
    data = lattice.GetClientSideObject().GetOutputDataObject(0)
    kind = data.GetCellData().GetArray('U').GetClassName()
    for cut, found in zip(slices, results):
        check(cut, found, stock(data, cut))
    for cut in ball, whole_cells:
        cut.UpdatePipeline(info.time)
    check(ball, ball.GetClientSideObject().GetOutputDataObject(0), stock(data, ball))
    column = whole_cells.GetClientSideObject().GetOutputDataObject(0)
    assert column.GetNumberOfCells() == 20
    U = vtk_to_numpy(data.GetCellData().GetArray('U'))
    assert (vtk_to_numpy(column.GetCellData().GetArray('U')) == U[10::20]).all()
    print(f'{len(slices)} slices of {kind} are as they should be', flush=True)
