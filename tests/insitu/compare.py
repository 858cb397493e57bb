#!/usr/bin/env python3
"""compare.py TABLE.csv TIME FIELD...: the cells' values in a table from ParaView are those of OpenFOAM's fields.

Part of lbmFoam, GPL-3.0-or-later."""
import re
import sys

import numpy

tolerance = 1e-6        # of the largest value


def field(path):
    text = open(path).read()
    values = re.search(r'internalField\s+nonuniform List<(\w+)>\s*\d+\s*\((.*?)\n\)', text, re.S)
    rows = values.group(2).replace('(', ' ').replace(')', ' ').split()
    components = {'scalar': 1, 'vector': 3}[values.group(1)]
    return numpy.array(rows, float).reshape(-1, components)


table, time = sys.argv[1:3]
names = [name.strip('"') for name in open(table).readline().strip().split(',')]
values = numpy.genfromtxt(table, delimiter=',', skip_header=1)
for name in sys.argv[3:]:
    columns = [i for i, column in enumerate(names) if column == name or re.fullmatch(name + r':\d', column)]
    expected = field(f'{time}/{name}')
    found = values[:, columns]
    if found.shape != expected.shape:
        sys.exit(f'{table}: {name} has {found.shape} values, {time} has {expected.shape}')
    off = abs(found - expected).max()/abs(expected).max()
    print(f'{table}: {name} differs by {off:.1e} of its largest value')
    if not off < tolerance:
        sys.exit(1)
