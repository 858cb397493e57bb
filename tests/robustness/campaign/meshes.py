"""Meshes that are broken, or wrong but readable, for lbmFoam.

A run with status 0 is right where U and p are those of the whole mesh. Where they differ, the mesh must be one that
OpenFOAM's own checkMesh takes, in which a point has moved, and U as near as that allows.
Part of lbmFoam, GPL-3.0-or-later."""
import gzip
import os
import re
import struct

import numpy

import cases
from foam import Unreadable, difference, read, results, times, write
from polymesh import PolyMesh
from trial import HARMED, RIGHT, WRONG, Bad, snapshot, unharmed

same = 1e-7             # relative L2 of fields on a mesh with the same meaning
movedOff = 0.05         # of U where a point has moved and the mesh is a mesh

FILES = ('points', 'faces', 'owner', 'neighbour', 'boundary')
HUGE = (-1, -7, 2**31 - 1, -2**31, 2**31 - 2, 10**9, 99999)
BASES = {'cavity': cases.cavity, 'box': cases.box}


def prepare(lab):
    for base in BASES.values():
        base(lab)


# -- damage of meaning: each takes (rng, mesh, trial) and changes the mesh

def pointMoved(rng, mesh, trial):
    i = rng.randrange(len(mesh.points))
    size = numpy.ptp(mesh.points, axis=0)
    shift = numpy.array([rng.choice([0, 1, -1])*s*10**rng.uniform(-4, 0.5) for s in size])
    mesh.points[i] += shift
    trial.moved = True
    trial.did(f'point {i} moved by {shift}')


def pointSet(rng, mesh, trial):
    i, value = rng.randrange(len(mesh.points)), rng.choice([0, numpy.nan, numpy.inf, 1e10, 1e20, 1e300, -1e300, 1e-300])
    where = rng.choice([slice(0, 3), 0, 1, 2])
    mesh.points[i, where] = value
    trial.moved = True
    trial.did(f'point {i} is {mesh.points[i]}')


def pointsSwapped(rng, mesh, trial):
    i, j = rng.sample(range(len(mesh.points)), 2)
    mesh.points[[i, j]] = mesh.points[[j, i]]
    trial.did(f'points {i} and {j} swapped')


def pointsZeroed(rng, mesh, trial):
    i = rng.randrange(len(mesh.points))
    n = rng.choice([2, 10, 100, len(mesh.points)])
    mesh.points[i:i + n] = 0
    trial.did(f'points {i} to {i + n} are zero')


def allScaled(rng, mesh, trial):
    """One direction squashed, mirrored or blown up."""
    a, factor = rng.randrange(3), rng.choice([0, -1, 1e-12, 1e12])
    mesh.points[:, a] *= factor
    trial.scaled = abs(factor) == 1e12
    trial.did(f'coordinates {a} times {factor}')


def facePoint(rng, mesh, trial):
    i = rng.randrange(len(mesh.faces))
    j = rng.randrange(len(mesh.faces[i]))
    new = rng.choice([rng.randrange(len(mesh.points))]*3 + list(HUGE) + [len(mesh.points), mesh.faces[i][j - 1]])
    trial.did(f'face {i} has point {new} for {mesh.faces[i][j]}')
    mesh.faces[i][j] = new


def faceTurned(rng, mesh, trial):
    i = rng.randrange(len(mesh.faces))
    mesh.faces[i] = mesh.faces[i][::-1]
    trial.did(f'face {i} turned over')


def faceRolled(rng, mesh, trial):
    """The same face from another of its points: nothing changes."""
    i = rng.randrange(len(mesh.faces))
    mesh.faces[i] = mesh.faces[i][1:] + mesh.faces[i][:1]
    trial.did(f'face {i} begins with its second point')


def faceCrossed(rng, mesh, trial):
    i = rng.randrange(len(mesh.faces))
    f = mesh.faces[i]
    f[0], f[1] = f[1], f[0]
    trial.did(f'face {i} crosses itself')


def faceLost(rng, mesh, trial):
    i = rng.randrange(len(mesh.faces))
    mesh.faces[i] = mesh.faces[i][:rng.choice([0, 1, 2, 3])]
    trial.did(f'face {i} has {len(mesh.faces[i])} points')


def facesSwapped(rng, mesh, trial):
    i, j = rng.sample(range(len(mesh.faces)), 2)
    mesh.faces[i], mesh.faces[j] = mesh.faces[j], mesh.faces[i]
    trial.did(f'faces {i} and {j} swapped')


def facesReordered(rng, mesh, trial):
    """Two inner faces with their cells: the same mesh, not in OpenFOAM's order."""
    i, j = rng.sample(range(len(mesh.neighbour)), 2)
    mesh.faces[i], mesh.faces[j] = mesh.faces[j], mesh.faces[i]
    for labels in (mesh.owner, mesh.neighbour):
        labels[[i, j]] = labels[[j, i]]
    trial.did(f'inner faces {i} and {j} swapped with their cells')


def cellOf(rng, mesh, trial):
    name = rng.choice(['owner', 'neighbour'])
    labels = getattr(mesh, name)
    i = rng.randrange(len(labels))
    new = rng.choice([rng.randrange(int(mesh.owner.max()) + 1)]*4 + list(HUGE) + [int(mesh.owner.max()) + 1])
    trial.did(f'{name} of face {i} is {new} for {labels[i]}')
    labels[i] = new


def cellsZeroed(rng, mesh, trial):
    name = rng.choice(['owner', 'neighbour'])
    labels = getattr(mesh, name)
    i = rng.randrange(len(labels))
    n = rng.choice([1, 5, 100, len(labels)])
    labels[i:i + n] = 0
    trial.did(f'{name} of faces {i} to {i + n} is 0')


def sizes(rng, mesh, trial):
    """A list that is shorter or longer than the others say."""
    name = rng.choice(['owner', 'neighbour', 'faces', 'points'])
    values = getattr(mesh, name)
    n = rng.choice([1, 2, len(values)])
    longer = rng.random() < 0.5
    if name == 'faces':
        mesh.faces = values + values[:n] if longer else values[:-n]
    else:
        setattr(mesh, name, numpy.concatenate([values, values[:n]]) if longer else values[:-n])
    trial.did(f'{name} has {n} {"more" if longer else "fewer"}')


def patch(rng, mesh, trial):
    i = rng.randrange(len(mesh.patches))
    name, entries = mesh.patches[i]
    key = rng.choice(['nFaces', 'startFace', 'type', 'name'])
    if key == 'name':
        mesh.patches[i] = (rng.choice(['other', 'lid', '.*', 'movingWall']), entries)
        trial.did(f'patch {name} is called {mesh.patches[i][0]}')
        return
    old = entries[key]
    if key == 'type':
        entries[key] = rng.choice(['wal', 'patch', 'cyclic', 'empty', 'wedge', 'symmetryPlane', 'processor', '3', '{}'])
    else:
        entries[key] = str(rng.choice([int(old) + 1, int(old) - 1, 0, *HUGE, 2**31, 10**20]))
    trial.did(f'{key} of patch {name} is {entries[key]} for {old}')


def patchesSwapped(rng, mesh, trial):
    i, j = rng.sample(range(len(mesh.patches)), 2)
    mesh.patches[i], mesh.patches[j] = mesh.patches[j], mesh.patches[i]
    trial.did(f'patches {i} and {j} swapped')


def nothing(rng, mesh, trial):
    trial.did('nothing but written anew')


MEANING = [pointMoved]*2 + [pointSet]*2 + [pointsSwapped, pointsZeroed, allScaled] + [facePoint]*4 + [
    faceTurned, faceRolled, faceCrossed, faceLost, facesSwapped, facesReordered] + [cellOf]*4 + [cellsZeroed, sizes] + [
    patch]*3 + [patchesSwapped, nothing]


# -- damage of files: each takes (rng, bytes, trial) and gives others

def bits(rng, data, trial):
    n = rng.choice([1, 1, 3, 20])
    data = bytearray(data)
    for _ in range(n):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    trial.did(f'{n} bits flipped')
    return bytes(data)


def cut(rng, data, trial):
    n = rng.choice([0, 1, len(data)//2, len(data) - 2, rng.randrange(len(data))])
    trial.did(f'cut to {n} of {len(data)} bytes')
    return data[:n]


def splice(rng, data, trial):
    a = rng.randrange(len(data))
    b = min(len(data), a + rng.choice([1, 4, 8, 24, 400]))
    kind = rng.choice(['removed', 'repeated', 'zeroed', 'noise'])
    trial.did(f'bytes {a} to {b} {kind}')
    return data[:a] + {'removed': b'', 'repeated': data[a:b]*2, 'zeroed': b'\0'*(b - a),
                       'noise': bytes(rng.randrange(256) for _ in range(b - a))}[kind] + data[b:]


def listSize(rng, data, trial):
    m = re.search(rb'\n\s*(\d+)\s*\(', data)
    n = int(m.group(1))
    new = rng.choice([0, n + 1, n - 1, *HUGE, 2**31, 10**20])
    trial.did(f'{new} values announced for {n}')
    return data[:m.start(1)] + str(new).encode() + data[m.end(1):]


def headerWord(rng, data, trial):
    old = re.search(rb'(?:format|class|object)\s+\w+', data).group() if rng.random() < 0.4 else \
        rng.choice(re.findall(rb'(?:format|class|object)\s+\w+', data[:300]))
    key = old.split()[0]
    new = key + b' ' + rng.choice([b'ascii', b'binary', b'labelList', b'vectorField', b'faceList', b'faceCompactList', b'x', b''])
    trial.did(f'{old.decode()} becomes {new.decode()}')
    return data.replace(old, new, 1)


def token(rng, data, trial):
    """A number of a text file becomes another."""
    found = list(re.finditer(rb'(?<=[\s(])-?\d[\d.e+-]*(?=[\s);])', data))
    m = rng.choice(found) if found else None
    if not m:
        return bits(rng, data, trial)
    new = rng.choice([b'nan', b'1e400', b'-1', b'2147483647', b'99999999999', b'x', b'', b'1.5', b'0', b'(1 2)', b'}'])
    trial.did(f'{m.group().decode("latin-1")} at byte {m.start()} becomes {new.decode()}')
    return data[:m.start()] + new + data[m.end():]


def bigLabel(rng, data, trial):
    """Four bytes of a binary list become a label."""
    at = data.find(b'(', data.find(b'}')) + 1
    at += 4*rng.randrange(max(1, (len(data) - at)//4 - 1))
    new = rng.choice([2**31 - 1, -2**31, -1, 0, 12345678])
    trial.did(f'label {new} at byte {at}')
    return data[:at] + struct.pack('<i', new) + data[at + 4:]


BYTES = [bits]*2 + [cut, splice, splice, listSize, listSize, headerWord, token, token, bigLabel]


def attempt(trial):
    rng = trial.rng
    base = rng.choice(list(BASES))
    case = trial.case(base)
    folder = f'{case}/constant/polyMesh'
    binary = rng.random() < 0.5
    trial.moved = trial.scaled = False
    trial.did(f'{base}, {"binary" if binary else "text"}')
    mesh = PolyMesh(folder)
    if rng.random() < 0.6:
        rng.choice(MEANING)(rng, mesh, trial)
        mesh.write(binary)
        damaged = list(FILES)
    else:
        mesh.write(binary)
        name = rng.choice(FILES)
        damaged = [name]
        trial.did(name)
        path = f'{folder}/{name}'
        if rng.random() < 0.05:
            os.remove(path)
            trial.did('is gone')
        else:
            # A coordinate that is another is a point that has moved
            trial.moved = name == 'points'
            write(path, rng.choice(BYTES)(rng, read(path), trial))
    if rng.random() < 0.15:
        for name in rng.sample(FILES, rng.randrange(1, 6)):
            if os.path.exists(f'{folder}/{name}'):
                write(f'{folder}/{name}.gz', gzip.compress(read(f'{folder}/{name}'), mtime=0))
                os.remove(f'{folder}/{name}')
        trial.did('packed')

    cases.addNotes(trial, case)
    before = snapshot(case)
    run = trial.lab.run(['lbmFoam'], case, trial.log('lbmFoam'))
    after = snapshot(case)
    run.ended()
    unharmed(before, after)
    if any('unfinished' in n for n in after if n not in before):
        raise Bad(HARMED, 'an unfinished time is left')
    if run.status == 1:
        return run.refused(r'polyMesh"?(/|$|\s)|"polyMesh"|' + PATCHES + ('|system/lbmDict' if trial.scaled else ''), PLACE)
    return RIGHT, judge(trial, case, BASES[base](trial.lab), damaged)


# Conditions of a patch that is none of the mesh's are the fields' fault
PATCHES = r'0/[Up]'
PLACE = r'(?i)face|cell|point|patch|owner|neighbour|entry|line \d+|header|class|size|no such|not found|cannot find|empty|bytes'


def judge(trial, case, whole, damaged):
    """Words on a right result."""
    try:
        found = results(case)
    except Unreadable as why:
        raise Bad(WRONG, str(why)) from None
    if times(case) != list(whole):
        raise Bad(WRONG, f'times {times(case)} for {list(whole)}')
    worst = max(difference(found[t][f], whole[t][f]) for t in whole for f in ('U', 'p'))
    if worst <= same:
        return 'as the whole mesh'
    if any(not numpy.isfinite(found[t][f]).all() for t in found for f in found[t]):
        raise Bad(WRONG, 'a field holds what is not finite')
    off = max(difference(found[t]['U'], whole[t]['U']) for t in whole)
    checked = trial.lab.run(['checkMesh'], case, trial.log('checkMesh'))
    complaint = re.findall(r'\*\*\*(.*)', checked.log)
    if 'Mesh OK' not in checked.log:
        raise Bad(WRONG, f'U is {100*off:.3g} % off on a mesh of which checkMesh says: '
                  + (complaint[0] if complaint else checked.last()))
    if not trial.moved:
        raise Bad(WRONG, f'U is {100*off:.3g} % off, though no point has moved; checkMesh takes it')
    if off > movedOff:
        raise Bad(WRONG, f'U is {100*off:.3g} % off where a point has moved; checkMesh takes it')
    return f'U {100*off:.2g} % off on a mesh with a point that has moved'
