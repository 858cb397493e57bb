"""constant/polyMesh as arrays: read from and written to OpenFOAM's files, text or binary.

Part of lbmFoam, GPL-3.0-or-later."""
import os
import re

import numpy

from foam import header, read, write

listAt = re.compile(rb'\n\s*(\d+)\s*\(')


class PolyMesh:
    """points [n x 3], faces [lists of labels], owner, neighbour [labels], patches [(name, entries)]."""

    def __init__(self, folder):
        self.folder = folder
        self.points = self.numbers('points', float).reshape(-1, 3)
        self.owner = self.numbers('owner', int)
        self.neighbour = self.numbers('neighbour', int)
        body = self.body('faces')
        self.faces = [[int(p) for p in m.split()] for m in re.findall(rb'\d+\(([\d ]+)\)', body)]
        text = self.body('boundary').decode()
        self.patches = [(name, dict(re.findall(r'(\w+)\s+([^;]*);', entries)))
                        for name, entries in re.findall(r'(\w+)\s*{([^}]*)}', text)]

    def body(self, name):
        """A text file's list, without its size."""
        data = read(os.path.join(self.folder, name))
        return data[listAt.search(data).end():]

    def numbers(self, name, kind):
        text = self.body(name).translate(bytes.maketrans(b'()', b'  ')).split(b'//')[0]
        return numpy.array(text.split(), kind)

    def write(self, binary=False):
        """All files; a faces file in binary is two lists, as OpenFOAM's compact form is."""
        form = 'binary' if binary else 'ascii'
        self.put('points', 'vectorField', form, block(self.points, binary, float))
        for name in ('owner', 'neighbour'):
            self.put(name, 'labelList', form, block(getattr(self, name), binary, numpy.int32))
        if binary:
            offsets = numpy.cumsum([0] + [len(f) for f in self.faces])
            labels = [p for f in self.faces for p in f]
            self.put('faces', 'faceCompactList', form, block(offsets, True, numpy.int32) + block(labels, True, numpy.int32))
        else:
            lines = '\n'.join(f'{len(f)}({" ".join(map(str, f))})' for f in self.faces)
            self.put('faces', 'faceList', form, f'\n{len(self.faces)}\n(\n{lines}\n)\n'.encode())
        patches = '\n'.join(f'    {name}\n    {{\n' + ''.join(f'        {k:<15} {v};\n' for k, v in e.items()) + '    }'
                            for name, e in self.patches)
        self.put('boundary', 'polyBoundaryMesh', 'ascii', f'\n{len(self.patches)}\n(\n{patches}\n)\n'.encode())

    def put(self, name, cls, form, content):
        arch = ' arch "LSB;label=32;scalar=64";' if form == 'binary' else ''
        text = header(cls, name, form).replace(' class', arch + ' class')
        write(os.path.join(self.folder, name), text.encode() + content)


def block(values, binary, kind):
    values = numpy.asarray(values, kind)
    if binary:
        return f'\n{len(values)}\n('.encode() + values.tobytes() + b')\n'
    if values.ndim == 2:
        lines = ['(%.17g %.17g %.17g)' % tuple(row) for row in values]
    else:
        lines = [str(v) for v in values]
    return ('\n%d\n(\n' % len(values) + '\n'.join(lines) + '\n)\n').encode()
