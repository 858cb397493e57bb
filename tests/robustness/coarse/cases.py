"""The cases of coarse.py: bodies whose case lbmFoam -init writes, and ducts that blockMesh makes.

Speed and length that Reynolds numbers are made of are 1 (motorBike: 20 m/s and its own length); nu follows. No case has
a system/lbmDict.

Part of lbmFoam, GPL-3.0-or-later."""
import gzip
import math
import os
import re
import subprocess

motorBikeLength = 2.05
BODIES = {'sphere': (1, 1), 'cube': (1, 1), 'buildings': (1, 1), 'motorBike': (20, motorBikeLength)}  # m/s, m
DUCTS = ('step', 'bend', 'tJunction')

# So many times the flow passes
passages = 2
ductTime = {'step': 60, 'bend': 30, 'tJunction': 30}


def header(cls, name):
    return f'FoamFile {{ version 2.0; format ascii; class {cls}; object {name}; }}\n'


def put(case, name, text, cls='dictionary'):
    path = case / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(header(cls, path.name) + text)


def change(path, pattern, by):
    text, n = re.subn(pattern, by, path.read_text(), count=1, flags=re.M)
    if n != 1:
        raise ValueError(f'{path} has no {pattern}')
    path.write_text(text)


# -- surfaces

def stl(triangles):
    lines = ['solid body']
    for triangle in triangles:
        lines.append(' facet normal 0 0 0\n  outer loop')
        lines += ['   vertex %.9g %.9g %.9g' % tuple(p) for p in triangle]
        lines.append('  endloop\n endfacet')
    return '\n'.join(lines + ['endsolid body', ''])


def box(low, high):
    """Twelve triangles."""
    corner = [[(low, high)[(i >> a) & 1][a] for a in range(3)] for i in range(8)]
    sides = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    for a, b, c, d in sides:
        yield corner[a], corner[b], corner[c]
        yield corner[a], corner[c], corner[d]


def sphere(n=24):
    """Of diameter 1, by latitude and longitude."""
    def at(i, j):
        polar, around = math.pi*i/n, math.pi*(j % (2*n))/n
        return [0.5*math.sin(polar)*math.cos(around), 0.5*math.sin(polar)*math.sin(around), 0.5*math.cos(polar)]
    for i in range(n):
        for j in range(2*n):
            if i > 0:
                yield at(i, j), at(i + 1, j), at(i, j + 1)
            if i < n - 1:
                yield at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)


def buildings():
    """Three blocks, of which the tallest is 1 high."""
    yield from box((0, 0, 0), (0.4, 0.4, 1))
    yield from box((0.6, 0.1, 0), (1, 0.5, 0.6))
    yield from box((0.1, 0.7, 0), (0.7, 1, 0.8))


def surface(shape, folder, tutorials):
    file = folder/f'{shape}.{"obj" if shape == "motorBike" else "stl"}'
    if shape == 'motorBike':
        packed = tutorials/'resources/geometry/motorBike.obj.gz'
        file.write_bytes(gzip.open(packed).read())
        return file, motorBikeLength
    triangles = list({'sphere': sphere, 'cube': lambda: box((0, 0, 0), (1, 1, 1)), 'buildings': buildings}[shape]())
    file.write_text(stl(triangles))
    points = [p for t in triangles for p in t]
    return file, max(max(p[a] for p in points) - min(p[a] for p in points) for a in range(3))


def makeBody(case, shape, re, model, across, share, tutorials, run):
    """By lbmFoam -init; what it writes stays, but for times, the model if another is asked for, and lbmDict."""
    speed, length = BODIES[shape]
    file, extent = surface(shape, case.parent, tutorials)
    run('lbmFoam', '-init', file, '-case', case, '-U', f'({speed} 0 0)', '-nu', f'{speed*length/re:g}',
        '-cellSize', f'{extent/across:.4g}', log=case.parent/f'{case.name}.init')
    (case/'system/lbmDict').unlink()
    step, steps = float(f'{passages*6.5*extent/speed/400:.4g}'), 2*round(200*share)
    for key, value in (('deltaT', step), ('endTime', steps*step), ('writeInterval', steps*step/2)):
        change(case/'system/controlDict', rf'^{key}\s.*', f'{key} {value:.8g};')
    if model == 'laminar':
        change(case/'constant/turbulenceProperties', r'^simulationType\s.*', 'simulationType laminar;')


# -- ducts

def ductMesh(shape, n):
    """Vertices in a plane, blocks of four of them with cells along and across (n a width), arcs, patches by pairs of vertices."""
    if shape == 'step':
        points = [(-4, 1), (0, 1), (0, 2), (-4, 2), (16, 1), (16, 2), (0, 0), (16, 0)]
        blocks = [((0, 1, 2, 3), 4*n, n), ((1, 4, 5, 2), 16*n, n), ((6, 7, 4, 1), 16*n, n)]
        return points, blocks, [], {'inlet': [(0, 3)], 'outlet': [(4, 5), (7, 4)]}
    if shape == 'bend':
        points = [(-3, 0), (0, 0), (-3, 1), (0, 1), (1, -1), (2, -1), (1, -5), (2, -5)]
        blocks = [((0, 1, 3, 2), 3*n, n), ((1, 4, 5, 3), round(2.4*n), n), ((4, 6, 7, 5), 4*n, n)]
        h = math.sqrt(0.5)
        return points, blocks, [(1, 4, h, h - 1), (3, 5, 2*h, 2*h - 1)], {'inlet': [(0, 2)], 'outlet': [(6, 7)]}
    points = [(-4, 0), (0, 0), (0, 1), (-4, 1), (1, 0), (1, 1), (0, 5), (1, 5), (0, -4), (1, -4)]
    blocks = [((0, 1, 2, 3), 4*n, n), ((1, 4, 5, 2), n, n), ((2, 5, 7, 6), n, 4*n), ((8, 9, 4, 1), n, 4*n)]
    return points, blocks, [], {'inlet': [(0, 3)], 'upper': [(6, 7)], 'lower': [(8, 9)]}


def blockMeshDict(shape, cells):
    points, blocks, arcs, openings = ductMesh(shape, cells)
    n, flat = len(points), shape == 'step'
    depth, layers = (1/cells, 1) if flat else (1, cells)
    text = 'vertices\n(\n' + ''.join(f'({x} {y} {z})\n' for z in (0, depth) for x, y in points) + ');\nblocks\n(\n'
    for corners, along, across in blocks:
        both = list(corners) + [c + n for c in corners]
        text += f'hex ({" ".join(map(str, both))}) ({along} {across} {layers}) simpleGrading (1 1 1)\n'
    text += ');\nedges\n(\n'
    for a, b, x, y in arcs:
        text += f'arc {a} {b} ({x} {y} 0)\narc {a + n} {b + n} ({x} {y} {depth})\n'
    text += ');\ndefaultPatch { name walls; type wall; }\nboundary\n(\n'
    for name, pairs in openings.items():
        faces = ' '.join(f'({a} {b} {b + n} {a + n})' for a, b in pairs)
        text += f'{name} {{ type patch; faces ({faces}); }}\n'
    if flat:
        faces = ' '.join(f'({" ".join(str(c + z) for c in corners)})' for corners, _, _ in blocks for z in (0, n))
        text += f'sides {{ type empty; faces ({faces}); }}\n'
    return text + ');\n', [name for name in openings if name != 'inlet'], flat


def field(case, name, dimensions, inside, conditions, flat):
    cls = 'volVectorField' if name == 'U' else 'volScalarField'
    if flat:
        conditions = dict(conditions, sides='type empty;')
    text = f'dimensions {dimensions};\ninternalField uniform {inside};\nboundaryField\n{{\n'
    text += ''.join(f'"{patch}" {{ {condition} }}\n' for patch, condition in conditions.items())
    put(case, f'0/{name}', text + '}\n', cls)


def turbulenceFields(case, outlets, flat):
    """Of 5 % turbulence in a duct of width 1."""
    k = 1.5*0.05**2
    epsilon = 0.09**0.75*k**1.5/0.07
    for name, dimensions, value, wall in (('k', '[0 2 -2 0 0 0 0]', k, 'kqRWallFunction'),
                                          ('epsilon', '[0 2 -3 0 0 0 0]', epsilon, 'epsilonWallFunction')):
        field(case, name, dimensions, value,
              {'inlet': f'type fixedValue; value uniform {value};',
               outlets: f'type inletOutlet; inletValue uniform {value}; value uniform {value};',
               'walls': f'type {wall}; value uniform {value};'}, flat)
    calculated = 'type calculated; value uniform 0;'
    field(case, 'nut', '[0 2 -1 0 0 0 0]', 0,
          {'inlet': calculated, outlets: calculated, 'walls': 'type nutkWallFunction; value uniform 0;'}, flat)


SCHEMES = '''ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes { default none; div(phi,k) Gauss upwind; div(phi,epsilon) Gauss upwind; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
wallDist { method meshWave; }
'''
SOLUTION = '''solvers { "(k|epsilon).*" { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-6; relTol 0; } }
'''


def makeDuct(case, shape, re, model, across, share, run):
    mesh, outs, flat = blockMeshDict(shape, across)
    outlets = '(' + '|'.join(outs) + ')'
    end = 2*round(ductTime[shape]*share/2)
    put(case, 'system/blockMeshDict', mesh)
    put(case, 'system/fvSchemes', SCHEMES)
    put(case, 'system/fvSolution', SOLUTION)
    put(case, 'system/controlDict', f'''application pimpleFoam;
startFrom startTime; startTime 0; stopAt endTime; endTime {end}; deltaT 0.1;
writeControl runTime; writeInterval {end//2}; writeFormat binary; timePrecision 8;
functions
{{
    pressure
    {{
        type surfaceFieldValue; libs (fieldFunctionObjects); fields (p); operation areaAverage;
        regionType patch; name inlet; writeFields no; log no; writeControl timeStep; writeInterval 5;
    }}
}}
''')
    put(case, 'constant/transportProperties', f'transportModel Newtonian;\nnu {1/re:g};\n')
    put(case, 'constant/turbulenceProperties',
        'simulationType laminar;\n' if model == 'laminar' else
        'simulationType RAS;\nRAS { RASModel kEpsilon; turbulence on; printCoeffs off; }\n')
    field(case, 'U', '[0 1 -1 0 0 0 0]', '(0 0 0)',
          {'inlet': 'type fixedValue; value uniform (1 0 0);',
           outlets: 'type inletOutlet; inletValue uniform (0 0 0); value uniform (0 0 0);', 'walls': 'type noSlip;'}, flat)
    field(case, 'p', '[0 2 -2 0 0 0 0]', '0',
          {'inlet': 'type zeroGradient;', outlets: 'type fixedValue; value uniform 0;', 'walls': 'type zeroGradient;'}, flat)
    if model != 'laminar':
        turbulenceFields(case, outlets, flat)
    run('blockMesh', '-case', case, log=case/'log.blockMesh')


def make(case, shape, re, model, across, share, tutorials, build):
    """across: nodes; share: of the usual time."""
    def run(program, *arguments, log):
        known = build/'bin'/program
        # As build/env.sh has it
        os.environ.setdefault('WM_PROJECT_DIR', '/usr/share/openfoam')
        with open(log, 'w') as out:
            subprocess.run([known if known.exists() else program, *arguments], stdout=out, stderr=out, check=True)
    if shape in BODIES:
        makeBody(case, shape, re, model, across, share, tutorials, run)
    else:
        makeDuct(case, shape, re, model, across, share, run)
