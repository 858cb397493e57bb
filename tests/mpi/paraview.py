#!/usr/bin/env python3
"""paraview.py WHOLE RANKS TIME FIELD...: what ParaView's reader of OpenFOAM's cases takes from RANKS, put together by reconstructPar and from
its processor directories, is what it takes from WHOLE, which one process has written. Ends with 77 where there is no such reader.

Part of lbmFoam, GPL-3.0-or-later."""
import pathlib
import sys

try:
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkFiltersCore import vtkCellCenters
    from vtkmodules.vtkIOParallel import vtkPOpenFOAMReader
except ImportError as missing:
    print(f'{missing}: no reader of ParaView')
    sys.exit(77)

RECONSTRUCTED, DECOMPOSED = vtkPOpenFOAMReader.RECONSTRUCTED_CASE, vtkPOpenFOAMReader.DECOMPOSED_CASE


def internal(block):
    """Meshes of cells in a tree of blocks, but for those of patches."""
    if block is None:
        return
    if not block.IsA('vtkMultiBlockDataSet'):
        yield block
        return
    for i in range(block.GetNumberOfBlocks()):
        if block.HasMetaData(i) and block.GetMetaData(i).Get(block.NAME()) in ('Patches', 'boundary'):
            continue
        yield from internal(block.GetBlock(i))


def read(case, kind, time, names):
    """Centres of cells and their values, a row a cell, in the order of the centres."""
    file = pathlib.Path(case)/'case.foam'
    file.touch()
    reader = vtkPOpenFOAMReader()
    reader.SetFileName(str(file))
    reader.SetCaseType(kind)
    reader.CreateCellToPointOff()
    reader.DecomposePolyhedraOff()
    reader.UpdateInformation()
    reader.SetTimeValue(float(time))
    reader.EnableAllCellArrays()
    reader.Update()
    rows = []
    for mesh in internal(reader.GetOutput()):
        centres = vtkCellCenters()
        centres.SetInputData(mesh)
        centres.Update()
        columns = [vtk_to_numpy(centres.GetOutput().GetPoints().GetData())]
        for name in names:
            values = vtk_to_numpy(mesh.GetCellData().GetArray(name))
            columns.append(values.reshape(len(values), -1))
        rows.append(numpy.hstack(columns).astype(float))
    table = numpy.vstack(rows)
    return table[numpy.lexsort(numpy.round(table[:, 2::-1], 7).T)]


whole, ranks, at = sys.argv[1:4]
fields = sys.argv[4:]
expected = read(whole, RECONSTRUCTED, at, fields)
if not abs(expected[:, 3:]).max() > 0:
    sys.exit('only zeros are read')
for which, kind in ('reconstructed', RECONSTRUCTED), ('decomposed', DECOMPOSED):
    found = read(ranks, kind, at, fields)
    if found.shape != expected.shape:
        sys.exit(f'{which}: {found.shape[0]} cells and {found.shape[1]} columns, not {expected.shape}')
    # Centres are means of points in single precision, in another order
    if abs(found[:, :3] - expected[:, :3]).max() > 1e-6*abs(expected[:, :3]).max() or (found[:, 3:] != expected[:, 3:]).any():
        sys.exit(f'{which}: differs')
    print(f'{which}: {len(found)} cells, {", ".join(fields)} as one process wrote them')
