"""What the families of turbulence.py share: files of a case, fields in binary, results of function objects.

Part of lbmFoam, GPL-3.0-or-later."""
import os
import re
import subprocess
from pathlib import Path

import numpy as np

TENSORS = {'scalar': 1, 'vector': 3, 'symmTensor': 6}

SCHEMES = '''ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes { default Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
wallDist { method meshWave; }
'''


def header(cls, name, form='ascii'):
    arch = ' arch "LSB;label=32;scalar=64";' if form == 'binary' else ''
    return f'FoamFile {{ version 2.0; format {form};{arch} class {cls}; object {name}; }}\n'


def put(case, name, text, cls='dictionary'):
    path = Path(case)/name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(header(cls, path.name) + text)


def field(case, name, dimensions, inside, conditions):
    """inside: a text, or an array of cells by components, which is written in binary."""
    kind = 'vector' if name == 'U' else 'scalar'
    start = header(f'vol{kind.capitalize()}Field', name, 'ascii' if isinstance(inside, str) else 'binary')
    start += f'dimensions {dimensions};\ninternalField '
    end = 'boundaryField\n{\n' + ''.join(f'"{patch}" {{ {condition} }}\n' for patch, condition in conditions.items()) + '}\n'
    path = Path(case)/'0'/name
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, 'wb') as out:
        if isinstance(inside, str):
            out.write(f'{start}uniform {inside};\n{end}'.encode())
            return
        out.write(f'{start}nonuniform List<{kind}> {len(inside)}\n('.encode())
        out.write(np.ascontiguousarray(inside, dtype='<f8').tobytes())
        out.write(f');\n{end}'.encode())


def readField(path):
    """Cells by components of a field that lbmFoam has written in binary."""
    data = Path(path).read_bytes()
    found = re.search(rb'internalField\s+nonuniform\s+List<(\w+)>\s*(\d+)\s*\(', data)
    if not found:
        raise ValueError(f'{path} has no list of cells')
    width = TENSORS[found.group(1).decode()]
    values = np.frombuffer(data, '<f8', int(found.group(2))*width, found.end())
    return values.reshape(-1, width)


def readTable(case, pattern):
    """Rows of numbers of the files of a function object, in the order of their times; brackets are left out."""
    rows = {}
    for file in sorted(Path(case).glob(f'postProcessing/{pattern}'), key=lambda f: float(f.parent.name)):
        for line in file.read_text().splitlines():
            if line.strip() and not line.startswith('#'):
                values = [float(word) for word in re.sub('[()]', ' ', line).split()]
                rows[values[0]] = values
    if not rows:
        raise ValueError(f'{case} has no {pattern}')
    return np.array([rows[time] for time in sorted(rows)])


def run(build, program, case, limit=None, arguments=()):
    """Its status, and its output, which stays in log.PROGRAM."""
    os.environ.setdefault('WM_PROJECT_DIR', '/usr/share/openfoam')
    own = build/'bin'/program
    log = Path(case)/f'log.{program}'
    with open(log, 'w') as out:
        command = [own if own.exists() else program, *arguments, '-case', case]
        try:
            status = subprocess.run(command, stdout=out, stderr=out, timeout=limit).returncode
        except subprocess.TimeoutExpired:
            status = 124
    return status, log.read_text(errors='replace')


def tutorial(name):
    """Folder of one of OpenFOAM's own."""
    folder = os.environ.get('FOAM_TUTORIALS')
    if not folder or not (Path(folder)/name).is_dir():
        raise Failed(f'FOAM_TUTORIALS, {folder}, has no {name}')
    return Path(folder)/name


def boxMesh(case, low, high, cells, patches, angle=0):
    """A box of cells, turned about the x axis. patches: (type, entries, sides), a side as '-x'."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    c, s = np.cos(angle), np.sin(angle)
    faces = {'-x': '(0 4 7 3)', '+x': '(1 2 6 5)', '-y': '(0 1 5 4)', '+y': '(3 7 6 2)', '-z': '(0 3 2 1)', '+z': '(4 5 6 7)'}
    text = 'vertices\n(\n' + ''.join(f'({x} {c*y - s*z:.12g} {s*y + c*z:.12g})\n' for z in (z0, z1) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    text += f');\nblocks (hex (0 1 2 3 4 5 6 7) ({" ".join(map(str, cells))}) simpleGrading (1 1 1));\nboundary\n(\n'
    for name, (kind, entries, sides) in patches.items():
        text += f'{name} {{ type {kind}; {entries} faces ({" ".join(faces[side] for side in sides)}); }}\n'
    put(case, 'system/blockMeshDict', text + ');\n')


def cyclic(axis):
    """Two patches across an axis, for boxMesh."""
    a, b = f'{axis}0', f'{axis}1'
    return {a: ('cyclic', f'neighbourPatch {b};', [f'-{axis}']), b: ('cyclic', f'neighbourPatch {a};', [f'+{axis}'])}


def numbers(case, nu, model, delta=1):
    """Of the fluid and its turbulence; model: laminar or an LESModel."""
    put(case, 'constant/transportProperties', f'transportModel Newtonian;\nnu {nu:.10g};\n')
    put(case, 'constant/turbulenceProperties', 'simulationType laminar;\n' if model == 'laminar' else f'''simulationType LES;
LES
{{
    LESModel {model};
    turbulence on;
    printCoeffs off;
    delta cubeRootVol;
    cubeRootVolCoeffs {{ deltaCoeff {delta:g}; }}
}}
''')
    put(case, 'system/fvSchemes', SCHEMES)
    put(case, 'system/fvSolution', 'solvers { ".*" { solver PBiCGStab; preconditioner DILU; tolerance 1e-8; relTol 0.01; } }\n')


def control(case, end, step, functions, write=None):
    steps = max(1, round(end/step))
    put(case, 'system/controlDict', f'''application lbmFoam;
startFrom startTime; startTime 0; stopAt endTime; endTime {steps*step:.10g}; deltaT {step:.10g};
writeControl timeStep; writeInterval {write or steps}; purgeWrite 1; writeFormat binary; writePrecision 12; timePrecision 10;
functions
{{
{functions}
}}
''')
    return steps*step


def lattice(case, entries):
    if entries:
        put(case, 'system/lbmDict', entries + '\n')


def lastOf(pattern, text, otherwise=''):
    found = re.findall(pattern, text, re.M)
    return found[-1] if found else otherwise


def guarded(log):
    told = lastOf(r'^guard: in (\S+) % of the volume', log)
    return f'guarded {float(told):.3g} %' if told else 'not guarded'


def told(log):
    """What lbmFoam chose, and how long it took."""
    kernel = [w for w in lastOf(r'^    kernel +(.*)', log).split() if w != 'incompressible']
    return f'{" ".join(kernel[:6])}; {lastOf("^    fluid nodes +([0-9]+)", log)} nodes; {guarded(log)}'


class Failed(Exception):
    """The run did not end, or what it should have written is not there."""


def solve(build, case, limit=None, program='lbmFoam', arguments=()):
    status, log = run(build, program, case, limit, arguments)
    if status != 0:
        raise Failed(f'{program} ended with {status}: ' + ' '.join(log[-300:].split()))
    return log


def mesh(build, case):
    solve(build, case, program='blockMesh')


def newest(case, name):
    times = [f for f in Path(case).iterdir() if re.fullmatch(r'[\d.]+', f.name) and (f/name).exists() and float(f.name) > 0]
    if not times:
        raise Failed(f'no {name} was written')
    return max(times, key=lambda f: float(f.name))/name
