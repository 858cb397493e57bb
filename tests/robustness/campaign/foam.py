"""Cases, dictionaries and fields of OpenFOAM, as far as tries need them.

Part of lbmFoam, GPL-3.0-or-later."""
import gzip
import os
import re

import numpy

isTime = re.compile(r'[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$').match

bystander = '0.0137'    # a time of another solver, in cases that tries start from


def header(cls, name, form='ascii'):
    return f'FoamFile {{ version 2.0; format {form}; class {cls}; object {name}; }}\n'


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb' if isinstance(text, bytes) else 'w') as file:
        file.write(text)


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def setEntry(path, key, value):
    """The entry at the beginning of a line gets another value; it must be there."""
    text, n = re.subn(rb'(?m)^(\s*%s)\s[^;]*;' % re.escape(key.encode()),
                      lambda m: m.group(1) + b' ' + str(value).encode() + b';', read(path), count=1)
    if n != 1:
        raise ValueError(f'{path} has no entry {key}')
    write(path, text)


def times(case):
    """Names of time folders but 0 and the bystander's, in their order."""
    names = [n for n in os.listdir(case) if isTime(n) and os.path.isdir(os.path.join(case, n))]
    return sorted((n for n in names if float(n) != 0 and n != bystander), key=float)


class Unreadable(Exception):
    """A field that is no field."""


def fieldFile(folder, name):
    """The file that OpenFOAM takes for a field: the plain one before the packed one."""
    for path in (os.path.join(folder, name), os.path.join(folder, name + '.gz')):
        if os.path.isfile(path):
            return path
    raise Unreadable(f'no {os.path.join(folder, name)}')


def readField(path):
    """The internal field, cells by components."""
    try:
        data = gzip.open(path).read() if path.endswith('.gz') else read(path)
    except (OSError, EOFError) as fault:
        raise Unreadable(f'{path}: {fault}') from None
    width = 3 if b'volVectorField' in data[:2000] else 1
    binary = re.search(rb'format\s+binary', data[:2000])
    uniform = re.search(rb'internalField\s+uniform\s+([^;]*);', data)
    if uniform:
        return numpy.array(uniform.group(1).replace(b'(', b' ').replace(b')', b' ').split(), float).reshape(-1, width)
    listed = re.search(rb'internalField\s+nonuniform\s+List<\w+>\s*(\d+)\s*\(', data)
    if not listed:
        raise Unreadable(f'{path} has no internalField')
    n, begin = int(listed.group(1)), listed.end()
    try:
        if binary:
            values = numpy.frombuffer(data, float, n*width, begin)
        else:
            end = data.index(b'boundaryField', begin)
            body = data[begin:end].translate(bytes.maketrans(b'();', b'   '))
            values = numpy.array(body.split(), float)
        return values.reshape(n, width)
    except ValueError as fault:
        raise Unreadable(f'{path}: {fault}') from None


def results(case):
    """Fields by time and name."""
    return {time: {f: readField(fieldFile(os.path.join(case, time), f)) for f in ('U', 'p')} for time in times(case)}


def difference(a, b):
    """Relative L2 difference of two fields, each value counted alike."""
    if a.shape != b.shape:
        return numpy.inf
    with numpy.errstate(all='ignore'):
        off, size = numpy.sqrt(numpy.sum((a - b)**2)), numpy.sqrt(numpy.sum(b*b))
        return off/size if size > 0 else (0.0 if off == 0 else numpy.inf)
