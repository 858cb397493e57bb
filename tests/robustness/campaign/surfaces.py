"""Damaged surfaces for lbmVoxelize.

Where the mesh lies is held against the triangles that the file holds, with numpy: cells whose centre is outside by
generalised winding number and by crossings must not be there, and their neighbours that are inside by both must.
Part of lbmFoam, GPL-3.0-or-later."""
import gzip
import json
import os
import re
import shutil
import struct

import numpy

import cases
from foam import read, write
from polymesh import PolyMesh
from trial import HARMED, MESSAGE, RIGHT, WRONG, Bad, snapshot, unharmed

insideEntries = 'surfaces        ( "%s" );\ncellSize        0.05;\ninside          automatic;\n'
clearly = 0.1           # of a winding number: from 0 or 1
manyNodes = 20000       # of a lattice, beyond which a sample is judged
wholeNumber = r'[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$'


def prepare(lab):
    def make(folder):
        cases.makeSurfaceCase(lab, folder, insideEntries % 'body.stl')
        lab.tool(['lbmVoxelize'], folder)
    lab.once('ball', make)

    def makeBody(folder):
        cases.makeSurfaceCase(lab, folder, cases.boxEntries)
        lab.tool(['lbmVoxelize'], folder)
    lab.once('body', makeBody)


# -- what a file holds, by its own grammar

class NoSurface(Exception):
    pass


def parse(name, data):
    """Corners of triangles [n x 3 x 3]; NoSurface where the file is none."""
    if name.endswith('.gz'):
        try:
            data = gzip.decompress(data)
        except Exception as fault:
            raise NoSurface(f'not a gzip file: {fault}') from None
        name = name[:-3]
    if name.endswith('.obj'):
        return parseObj(data)
    return parseAscii(data) if data.lstrip()[:5].lower() == b'solid' else parseBinary(data)


def parseBinary(data):
    if len(data) < 84:
        raise NoSurface('shorter than a header')
    n = struct.unpack_from('<I', data, 80)[0]
    if len(data) != 84 + 50*n:
        raise NoSurface('another length than its count says')
    record = numpy.dtype([('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('attribute', '<u2')])
    return numpy.frombuffer(data, record, n, 84)['corners'].astype(float)


def parseAscii(data):
    grammar = 'facet normal # # # outer loop vertex # # # vertex # # # vertex # # # endloop endfacet'.split()
    place, within, corners = 0, False, []
    for line in data.decode('latin-1').split('\n'):
        for word in line.split():
            if place == 0 and word.lower() == ('endsolid' if within else 'solid'):
                within = not within
                break
            expected = grammar[place] if within else 'solid'
            if expected == '#':
                if not re.match(wholeNumber, word):
                    raise NoSurface(f'{word} for a number')
                corners.append(float(word))
            elif word.lower() != expected:
                raise NoSurface(f'{word} for {expected}')
            place = (place + 1) % len(grammar)
    if within or place:
        raise NoSurface('ends early')
    return numpy.array(corners).reshape(-1, 12)[:, 3:].reshape(-1, 3, 3)


def parseObj(data):
    points, triangles = [], []
    for line in data.decode('latin-1').split('\n'):
        words = line.split()
        if words[:1] == ['v']:
            if len(words) < 4 or not all(re.match(wholeNumber, w) for w in words[1:4]):
                raise NoSurface(line)
            points.append([float(w) for w in words[1:4]])
        elif words[:1] == ['f']:
            try:
                at = [int(w.split('/')[0]) for w in words[1:]]
            except ValueError:
                raise NoSurface(line) from None
            if len(at) < 3 or min(at) < 1 or max(at) > len(points):
                raise NoSurface(line)
            triangles += [[points[at[0] - 1], points[at[i] - 1], points[at[i + 1] - 1]] for i in range(1, len(at) - 1)]
    return numpy.array(triangles, float).reshape(-1, 3, 3)


# -- where the fluid is

def winding(nodes, triangles):
    """Generalised winding numbers: solid angles of all triangles over 4 pi (Jacobson, Kavan & Sorkine 2013)."""
    total = numpy.zeros(len(nodes))
    with numpy.errstate(all='ignore'):
        for t in triangles:
            a, b, c = (t[i] - nodes for i in range(3))
            la, lb, lc = (numpy.linalg.norm(v, axis=1) for v in (a, b, c))
            det = numpy.einsum('ij,ij->i', a, numpy.cross(b, c))
            dots = [numpy.einsum('ij,ij->i', x, y) for x, y in ((a, b), (b, c), (c, a))]
            total += numpy.arctan2(det, la*lb*lc + dots[0]*lc + dots[1]*la + dots[2]*lb)
    # A surface that is inside out as a whole has the same inside
    return abs(total)/(2*numpy.pi)


def crossings(nodes, triangles, along=(0.3, 0.5, 0.8)):
    """Triangles on a ray from each node (Moeller & Trumbore 1997)."""
    along = numpy.array(along)
    n = numpy.zeros(len(nodes), int)
    with numpy.errstate(all='ignore'):
        for t in triangles:
            e1, e2, s = t[1] - t[0], t[2] - t[0], nodes - t[0]
            h = numpy.cross(along, e2)
            q = numpy.cross(s, e1)
            f = 1/(e1 @ h)
            u, v, d = f*(s @ h), f*(q @ along), f*(q @ e2)
            n += (u >= 0) & (v >= 0) & (u + v <= 1) & (d > 0)
    return n


def share(nodes, triangles):
    """1 for nodes that are inside by winding number and by crossings, 0 for those outside by both, else between."""
    w, odd = winding(nodes, triangles), crossings(nodes, triangles) % 2 == 1
    return numpy.where((abs(w - 1) < clearly) & odd, 1, numpy.where((w < clearly) & ~odd, 0, 0.5))


def crossed(a, b, triangles):
    """Whether a triangle lies between two points, or comes near (Moeller & Trumbore 1997)."""
    with numpy.errstate(all='ignore'):
        p, along = triangles[:, 0], b - a
        e1, e2 = triangles[:, 1] - p, triangles[:, 2] - p
        h = numpy.cross(along, e2)
        f = 1/numpy.einsum('ij,ij->i', e1, h)
        u = f*((a - p)*h).sum(1)
        q = numpy.cross(a - p, e1)
        v, t = f*(q @ along), f*(e2*q).sum(1)
        near = 1e-3
        return bool(((u > -near) & (v > -near) & (u + v < 1 + near) & (t > -near) & (t < 1 + near)).any())


def cellCentres(mesh):
    """Of cubes: the middle of their corners' bounds; and the side of the first."""
    n = int(mesh.owner.max()) + 1
    low, high = numpy.full((n, 3), numpy.inf), numpy.full((n, 3), -numpy.inf)
    for i, f in enumerate(mesh.faces):
        corners = mesh.points[f]
        lo, hi = corners.min(0), corners.max(0)
        for cell in (mesh.owner[i], mesh.neighbour[i] if i < len(mesh.neighbour) else mesh.owner[i]):
            low[cell], high[cell] = numpy.minimum(low[cell], lo), numpy.maximum(high[cell], hi)
    return (low + high)/2, float((high[0] - low[0]).max())


def judge(case, triangles, boxed, rng):
    """Raises where the mesh does not lie inside of these triangles (boxed: between them and the unit cube)."""
    mesh = PolyMesh(os.path.join(case, 'constant', 'polyMesh'))
    if len(mesh.owner) == 0 or not numpy.isfinite(mesh.points).all():
        raise Bad(WRONG, 'a mesh without cells or with points that are not finite')
    centres, spacing = cellCentres(mesh)
    at = numpy.rint((centres - centres[0])/spacing).astype(int)
    place = {tuple(x) for x in at.tolist()}
    if len(place) != len(at):
        raise Bad(WRONG, 'two cells at one place')
    pick = rng.sample(range(len(at)), min(len(at), manyNodes//4))

    def inside(nodes):
        if not boxed:
            return share(nodes, triangles)
        within = ((nodes > 0) & (nodes < 1)).all(1)
        return numpy.where(within, 1 - share(nodes, triangles), 0)

    of = inside(centres[pick])
    wrong = numpy.flatnonzero(of == 0)
    if len(wrong):
        raise Bad(WRONG, f'{len(wrong)} of {len(pick)} cells lie outside, e.g. {centres[pick[wrong[0]]]}')
    sure = {tuple(at[pick[i]]): centres[pick[i]] for i in numpy.flatnonzero(of == 1)}
    steps = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    rim = [(x, s) for x in sure for s in steps if tuple(numpy.add(x, s)) not in place]
    if not rim:
        return
    from_ = numpy.array([sure[x] for x, _ in rim])
    to = from_ + spacing*numpy.array([s for _, s in rim])
    missing = numpy.flatnonzero(inside(to) == 1)
    # A thin wall may lie between two nodes that are inside
    missing = [i for i in missing if not crossed(from_[i], to[i], triangles)]
    if missing:
        raise Bad(WRONG, f'{len(missing)} nodes inside have no cell, e.g. {to[missing[0]]}')


# -- damage. Each takes (rng, points, triangles) and gives triangles' corners, or None and bytes are damaged instead

def moveVertex(rng, points, triangles, trial):
    i, axis = rng.randrange(len(points)), rng.randrange(3)
    points = points.copy()
    old = points[i, axis]
    kind = rng.choice(['little', 'far', 'negated', 'zero', 'exponent'])
    points[i, axis] = {
        'little': old + rng.uniform(-0.1, 0.1), 'far': old*10**rng.uniform(0.5, 4), 'negated': -old, 'zero': 0,
        'exponent': old*2.0**rng.choice([1, 2, 4, 8, 16, 32, 64, 100, -8, -64])}[kind]
    trial.did(f'{kind}: point {i} from {old:g} to {points[i, axis]:g}')
    return points, triangles


def holes(rng, points, triangles, trial):
    n = rng.choice([1, 2, 5, 20])
    gone = set(rng.sample(range(len(triangles)), n))
    trial.did(f'{n} triangles removed')
    return points, numpy.array([t for i, t in enumerate(triangles) if i not in gone])


def flips(rng, points, triangles, trial):
    n = rng.choice([1, 3, 10, 100, len(triangles)])
    triangles = triangles.copy()
    for i in rng.sample(range(len(triangles)), n):
        triangles[i] = triangles[i][::-1]
    trial.did(f'{n} triangles turned over')
    return points, triangles


def doubles(rng, points, triangles, trial):
    n = rng.choice([1, 5])
    trial.did(f'{n} triangles twice')
    return points, numpy.concatenate([triangles, triangles[rng.sample(range(len(triangles)), n)]])


def degenerate(rng, points, triangles, trial):
    n = rng.choice([1, 5, 30])
    triangles = triangles.copy()
    for i in rng.sample(range(len(triangles)), n):
        triangles[i][rng.randrange(3)] = triangles[i][rng.randrange(3)]
    trial.did(f'corners of {n} triangles fall together')
    return points, triangles


def strangers(rng, points, triangles, trial):
    n = rng.choice([1, 3, 10])
    new = numpy.array([[rng.uniform(0.2, 0.8) for _ in range(3)] for _ in range(3*n)], numpy.float32).astype(float)
    trial.did(f'{n} triangles added anywhere')
    return numpy.concatenate([points, new]), numpy.concatenate([triangles, len(points) + numpy.arange(3*n).reshape(-1, 3)])


def otherOrder(rng, points, triangles, trial):
    order = list(range(len(triangles)))
    rng.shuffle(order)
    trial.did('nothing but the order of triangles and corners')
    return points, numpy.array([numpy.roll(triangles[i], rng.randrange(3)) for i in order])


STRUCTURED = [moveVertex, moveVertex, moveVertex, holes, flips, doubles, degenerate, strangers, otherOrder]
HARMLESS = (otherOrder,)
BEYOND = 1e5        # times the ball: a coordinate that a message must place


def hostileNumber(rng, name, data, trial):
    """A coordinate becomes what no surface has."""
    if name.endswith('.obj') or data.lstrip()[:5].lower() == b'solid':
        word = rng.choice([b'nan', b'inf', b'-inf', b'1e20', b'-3e25', b'1e39', b'1e308', b'1e400', b'0x1p3', b'1,5', b'--1',
                           b'1e', b'', b'one', b'1e-400'])
        lines = data.split(b'\n')
        at = rng.choice([i for i, line in enumerate(lines) if re.match(rb'\s*(vertex|v) ', line)])
        words = lines[at].split()
        words[rng.randrange(1, 4)] = word
        lines[at] = b' '.join(words)
        trial.did(f'line {at + 1} is {lines[at].decode()}')
        return b'\n'.join(lines)
    n = (len(data) - 84)//50
    at = 84 + 50*rng.randrange(n) + 12 + 4*rng.randrange(9)
    value = rng.choice([numpy.nan, numpy.inf, -numpy.inf, 1e20, -3e25, 3e38, 1e-45])
    trial.did(f'{value:g} at byte {at}')
    return data[:at] + struct.pack('<f', value) + data[at + 4:]


def flipBits(rng, name, data, trial):
    n = rng.choice([1, 1, 2, 5, 50])
    data = bytearray(data)
    for _ in range(n):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    trial.did(f'{n} bits flipped')
    return bytes(data)


def flipCoordinate(rng, name, data, trial):
    """One bit of a coordinate in a binary file, a digit or sign in text."""
    if name.endswith('.obj') or data.lstrip()[:5].lower() == b'solid':
        at = rng.choice([m.start() for m in re.finditer(rb'(?<=\d)\d(?=\d*\s)', data)])
        new = rng.choice([b'0', b'7', b'e', b'e1', b'e-', b'.', b'-', b'e5', b'e19'])
        trial.did(f'{data[at:at + 1]} becomes {new} at byte {at}')
        return data[:at] + new + data[at + 1:]
    at = 84 + 50*rng.randrange((len(data) - 84)//50) + 12 + rng.randrange(36)
    bit = rng.randrange(8)
    trial.did(f'bit {bit} of byte {at}')
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]


def cut(rng, name, data, trial):
    n = rng.choice([0, 1, 50, 83, 84, 100, len(data)//2, len(data) - 1, len(data) - 30, rng.randrange(len(data))])
    trial.did(f'cut to {n} of {len(data)} bytes')
    return data[:n]


def splice(rng, name, data, trial):
    """A piece is removed, repeated, zeroed or replaced by noise."""
    a = rng.randrange(len(data))
    b = min(len(data), a + rng.choice([1, 10, 50, 500]))
    kind = rng.choice(['removed', 'repeated', 'zeroed', 'noise'])
    piece = {'removed': b'', 'repeated': data[a:b]*2, 'zeroed': b'\0'*(b - a),
             'noise': bytes(rng.randrange(256) for _ in range(b - a))}[kind]
    trial.did(f'bytes {a} to {b} {kind}')
    return data[:a] + piece + data[b:]


def count(rng, name, data, trial):
    """The number of triangles of a binary file; elsewhere another first line."""
    if name.endswith('.obj') or data.lstrip()[:5].lower() == b'solid':
        first = rng.choice([b'', b'\xef\xbb\xbfsolid ball', b'SOLID BALL', b'solid', b'solid a {b} $c #d', b'\0\0\0'])
        trial.did(f'first line {first!r}')
        return first + data[data.index(b'\n'):]
    n = rng.choice([0, 1, 2**31 - 1, 2**31, 2**32 - 1, (len(data) - 84)//50 + 1, (len(data) - 84)//50 - 1])
    trial.did(f'count {n}')
    return data[:80] + struct.pack('<I', n) + data[84:]


BYTES = [hostileNumber, hostileNumber, flipBits, flipCoordinate, flipCoordinate, cut, splice, count]


def form(rng, points, triangles):
    """A file's name and content."""
    kind = rng.choice(['stl', 'binary', 'obj'])
    if kind == 'binary':
        with numpy.errstate(over='ignore', invalid='ignore', divide='ignore'):
            return 'body.stl', cases.binaryStl(points, triangles)
    return ('body.stl', cases.asciiStl(points, triangles)) if kind == 'stl' else ('body.obj', cases.obj(points, triangles))


def attempt(trial):
    rng = trial.rng
    boxed = rng.random() < 0.4
    case = trial.case('body' if boxed else 'ball')
    harmless = False
    points, triangles = cases.ball()
    if rng.random() < 0.5:
        change = rng.choice(STRUCTURED)
        harmless = change in HARMLESS
        points, triangles = change(rng, points, triangles, trial)
        name, data = form(rng, points, triangles)
    else:
        name, data = form(rng, points, triangles)
        data = rng.choice(BYTES)(rng, name, data, trial)
    if rng.random() < 0.2:
        data, name = gzip.compress(data, mtime=0), name + '.gz'
        if rng.random() < 0.4:
            harmless = False
            data = rng.choice([flipBits, cut])(rng, name, data, trial)
    trial.did(f'{"around" if boxed else "inside"} {name}')

    os.remove(f'{case}/constant/triSurface/body.stl')
    write(f'{case}/constant/triSurface/{name}', data)
    entries = f'{case}/system/lbmVoxelizeDict'
    write(entries, read(entries).replace(b'body.stl', name.encode()))
    shared = rng.random() < 0.15
    if shared:
        trial.did('constant/polyMesh is a link to a mesh of others')
        shutil.move(f'{case}/constant/polyMesh', f'{trial.folder}/shared')
        os.symlink('../../shared', f'{case}/constant/polyMesh')
    report = rng.random() < 0.2

    before = snapshot(trial.folder, lambda n: n.startswith('log.'))
    run = trial.lab.run(['lbmVoxelize'] + (['-report'] if report else []), case, trial.log('lbmVoxelize'))
    after = snapshot(trial.folder, lambda n: n.startswith('log.'))
    run.ended()

    if os.path.lexists(f'{case}/lbmVoxelize.part'):
        raise Bad(HARMED, 'lbmVoxelize.part is left')
    mayGo = 'case/constant/polyMesh' if run.status == 0 and not report else None
    unharmed({n: d for n, d in before.items() if not (mayGo and n.startswith(mayGo))}, after)
    if run.status == 1:
        if harmless:
            raise Bad(MESSAGE, f'refused though it is sound: {run.fatal[:300]}')
        return run.refused(r'body\.|lbmVoxelizeDict', *places(name, data))
    try:
        corners = parse(name, data)
    except NoSurface as why:
        raise Bad(WRONG, f'accepted though the file is no surface: {why}') from None
    if not numpy.isfinite(corners).all():
        raise Bad(WRONG, 'a coordinate that is not finite was accepted')
    if report:
        return RIGHT, checkReport(case)
    judge(case, corners, boxed, rng)
    checked = trial.lab.run(['checkMesh'], case, trial.log('checkMesh'))
    if 'Mesh OK' not in checked.log:
        raise Bad(WRONG, 'checkMesh does not take the mesh: ' + checked.last())
    return RIGHT, 'inside by winding number'


def places(name, data):
    """What a refusal has to name besides: file and place of a coordinate that is far off."""
    try:
        corners = parse(name, data)
    except NoSurface:
        return [r'body\.']
    with numpy.errstate(invalid='ignore'):
        if not (abs(corners) < BEYOND).all():
            return [r'body\.', r'(?i)vertex|point|triangle|facet|line|corner|coordinate']
    return []


def checkReport(case):
    def refuse(word):
        raise Bad(WRONG, f'{word} in geometry.json')
    found = [os.path.join(at, f) for at, _, files in os.walk(f'{case}/postProcessing/lbmVoxelize')
             for f in files if f == 'geometry.json']
    if not found:
        raise Bad(WRONG, 'no geometry.json')
    with open(found[0]) as file:
        json.load(file, parse_constant=refuse)
    return 'a report'
