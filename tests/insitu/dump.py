#!/usr/bin/env python3
"""dump.py FILE TIME: a node that the Catalyst API's stub has dumped, against the fields of OpenFOAM's time folder.

Part of lbmFoam, GPL-3.0-or-later."""
import json
import re
import sys

import numpy

kinds = {'float64': 'f8', 'float32': 'f4', 'int32': 'i4', 'int64': 'i8', 'uint8': 'u1', 'char8_str': 'S1'}


def value(schema, data):
    kind = numpy.dtype(kinds[schema['dtype']])
    count, offset = schema['number_of_elements'], schema['offset']
    stride = schema.get('stride', kind.itemsize)
    return numpy.ndarray(count, kind, data, offset, (stride,)).copy()


def leaf(node, path, data):
    for part in path.split('/'):
        node = node[part]
    return value(node, data)


def field(path):
    text = open(path).read()
    values = re.search(r'internalField\s+nonuniform List<(\w+)>\s*\d+\s*\((.*?)\n\)', text, re.S)
    rows = values.group(2).replace('(', ' ').replace(')', ' ').split()
    return numpy.array(rows, float).reshape(-1, {'scalar': 1, 'vector': 3}[values.group(1)])


path, time = sys.argv[1:]
data = open(path, 'rb').read()
schema = json.load(open(path + '_json'))
assert leaf(schema, 'catalyst/state/timestep', data)[0] == 20
assert abs(leaf(schema, 'catalyst/state/time', data)[0] - 0.1) < 1e-12
cells = 'catalyst/channels/cells/data/'
U = numpy.stack([leaf(schema, cells + 'fields/U/values/' + axis, data) for axis in 'xyz'], axis=1)
p = leaf(schema, cells + 'fields/p/values', data)
for name, found in ('U', U), ('p', p[:, None]):
    expected = field(f'{time}/{name}')
    off = abs(found - expected).max()/abs(expected).max()
    print(f'{path}: {name} differs by {off:.1e} of its largest value')
    assert off < 1e-6
# Corners in the Blueprint's order: four around one side, the fourth after them above the first
points = numpy.stack([leaf(schema, cells + 'coordsets/coords/values/' + axis, data) for axis in 'xyz'], axis=1)
corners = points[leaf(schema, cells + 'topologies/mesh/elements/connectivity', data)].reshape(-1, 8, 3)
assert len(corners) == 400
first = corners[:, 0]
spans = numpy.stack([corners[:, i] - first for i in (1, 3, 4)], axis=1)
assert numpy.allclose(numpy.linalg.det(spans), 0.005**2*0.01, rtol=1e-4)
assert numpy.allclose(corners[:, 6] - first, spans.sum(axis=1), atol=1e-7)
assert (leaf(schema, 'catalyst/channels/walls/data/topologies/mesh/elements/sizes', data) == 4).all()
print(f'{path}: cells and walls as they should be')
