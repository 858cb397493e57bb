"""alike.py ONE MANY: folders of extracts of one process and of several say the same: pictures but for a few pixels, tables and data by
their values, whatever their order. Cells that are another process's (ghosts) do not count.

Part of lbmFoam, GPL-3.0-or-later."""
import os
import sys

import numpy
from matplotlib import image
from paraview.simple import OpenDataFile
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersCore import vtkCellCenters

one, many = sys.argv[1:]
rounding = 1e-4             # of the largest value: float32, and the order of sums
otherPixels = 0.002         # of a picture: edges of what is cut at borders
otherwise = {'tileID',      # tiles are counted by each process
             'vtkGhostType'}


def close(what, ours, theirs):
    if ours.shape != theirs.shape:
        sys.exit(f'{what}: {ours.shape} in one process, {theirs.shape} in several')
    if not ours.size:
        return
    off = numpy.abs(ours - theirs).max()/max(numpy.abs(ours).max(), 1e-300)
    print(f'{what}: {ours.shape}, off by {off:.1e} of the largest value')
    if not off < rounding:
        sys.exit(f'{what}: values differ')


def ordered(places, values):
    """Values in the order of their places, which rounding does not change"""
    keys = numpy.round(places/max(numpy.abs(places).max(), 1e-300), 5)
    return values[numpy.lexsort(keys.T)]


def picture(name):
    ours, theirs = [image.imread(os.path.join(folder, name))[..., :3] for folder in (one, many)]
    if ours.shape != theirs.shape:
        sys.exit(f'{name}: {ours.shape} and {theirs.shape} pixels')
    off = numpy.abs(ours - theirs).max(axis=2)
    print(f'{name}: {(off > 0.02).mean():.2%} of the pixels differ, by {off.max():.2f} at most, {off.mean():.1e} in the mean')
    if (off > 0.02).mean() > otherPixels:
        sys.exit(f'{name}: another picture')


def table(name):
    ours, theirs = [numpy.genfromtxt(os.path.join(folder, name), delimiter=',', skip_header=1, ndmin=2) for folder in (one, many)]
    titles = [[title.strip('"') for title in open(os.path.join(folder, name)).readline().strip().split(',')] for folder in (one, many)]
    if set(titles[0]) - otherwise != set(titles[1]) - otherwise:
        sys.exit(f'{name}: columns {titles}')
    columns = sorted(set(titles[0]) - otherwise)
    ours, theirs = [numpy.nan_to_num(rows[:, [t.index(c) for c in columns]]) for rows, t in zip((ours, theirs), titles)]
    if len(ours) != len(theirs):
        sys.exit(f'{name}: {len(ours)} and {len(theirs)} rows')
    # Rows have no places, and come in the order of processes
    for column, title in enumerate(columns):
        close(f'{name} {title}', numpy.sort(ours[:, column]), numpy.sort(theirs[:, column]))


def leaves(data):
    if not data.IsA('vtkCompositeDataSet'):
        return [data]
    iterator = data.NewIterator()
    found = []
    while not iterator.IsDoneWithTraversal():
        found.append(iterator.GetCurrentDataObject())
        iterator.GoToNextItem()
    return found


def cells(file):
    """{field: (places, values)} of cells that are not another process's"""
    found = {}
    reader = OpenDataFile(file)
    reader.UpdatePipeline()
    for piece in leaves(reader.GetClientSideObject().GetOutputDataObject(0)):
        if not piece.GetNumberOfCells():
            continue
        middles = vtkCellCenters()
        middles.SetInputData(piece)
        middles.Update()
        arrays = piece.GetCellData()
        values = {arrays.GetArrayName(i): vtk_to_numpy(arrays.GetArray(i)) for i in range(arrays.GetNumberOfArrays())}
        values['places'] = places = vtk_to_numpy(middles.GetOutput().GetPoints().GetData())
        own = values['vtkGhostType'] == 0 if 'vtkGhostType' in values else numpy.ones(len(places), bool)
        for name in set(values) - otherwise:
            found.setdefault(name, []).append((places[own], values[name][own]))
    return {name: [numpy.concatenate(parts) for parts in zip(*pieces)] for name, pieces in found.items()}


def extract(name):
    ours, theirs = [cells(os.path.join(folder, name)) for folder in (one, many)]
    if set(ours) != set(theirs):
        sys.exit(f'{name}: fields {sorted(ours)} and {sorted(theirs)}')
    if not ours:
        sys.exit(f'{name}: no cells')
    for field in sorted(ours):
        close(f'{name} {field}', ordered(*ours[field]), ordered(*theirs[field]))


kinds = {'.png': picture, '.csv': table, '.pvtu': extract, '.pvtp': extract, '.vtpc': extract}
names = [[name for name in sorted(os.listdir(folder)) if os.path.splitext(name)[1] in kinds] for folder in (one, many)]
if names[0] != names[1] or not names[0]:
    sys.exit(f'files {names[0]} and {names[1]}')
for name in names[0]:
    kinds[os.path.splitext(name)[1]](name)
