#!/usr/bin/env python3
"""Time to solution at equal error: lbmFoam and OpenFOAM's own solvers, each beside OpenFOAM's on much finer cells.

    equalError.py --build BUILD --tutorials .../incompressible --work FOLDER [--jobs N] [CASE ...]

For each case (all of CASES without names) the tutorial's own scripts make it up to the call of its solver, as in census.py.
Then these run, each in a copy, each on one thread:

    reference   OpenFOAM's solver on cells a quarter as wide (refineMesh twice; an eighth or half where CASES says so), time
                steps as many times smaller, to the same end; steady ones begin with what cells twice as wide came to, and
                residualControl ends them at a tenth of what it is
    shipped     OpenFOAM's solver on the case as it is
    half        the same on cells and time steps half as large; quarter likewise, where the reference has an eighth
    lbm         lbmFoam on the case as it is
    lbmHalf     the same with nodes half as far apart (cellSize), on the case's mesh; lbmWide: 1.5 times as far

Errors are relative L2 norms of U (Urel) and p over the shipped cells, from means of the reference over each of them; where no
patch holds p its mean is taken off. Times are processor seconds (user and system) of the solver alone, from its start to its
end, the median of five where one takes less than a second. From OpenFOAM's errors and times on its meshes follows, by straight
lines between their logarithms, what it would need for lbmFoam's error; ratio: that over lbmFoam's seconds. Where that error
is outside those of the meshes only the bound that is told first was measured; what the line says beyond them is in parentheses.
The reference has errors of OpenFOAM's own kind, which makes OpenFOAM's finer cells look nearer than they are.

--prepare ends when cases are made (a folder `made` in --work, which can go to a machine without m4 and the meshers);
--ranks N runs references with N processes of mpirun; --limit ends a run, --until all; what did not end is told.
Results: results.json and results.md in --work, written anew after each case. --again makes them from what ran before.

Part of lbmFoam, GPL-3.0-or-later.
"""
import argparse
import heapq
import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import census


class Case:
    """A run of a tutorial: the number of the solver's call in its script, and what differs from the rule."""

    def __init__(self, name, tutorial, call=0, end=None, chained=False, levels=2, steps=2, blocks=False, cost=1.0, note=''):
        self.name = name
        self.tutorial = tutorial
        self.call = call
        self.end = end              # of the run in place of the case's own
        self.chained = chained      # earlier calls have to end: this one starts with their result
        self.levels = levels        # how many times the reference's cells are halved
        self.steps = steps          # how many times smaller the time step becomes with each
        self.blocks = blocks        # cells are halved by blockMeshDict
        self.cost = cost            # OpenFOAM's seconds as shipped: cheap cases come first, of one the longest runs
        self.note = note


CASES = [
    Case('cavity', 'icoFoam/cavity', 0, chained=True, levels=3, cost=0.1),
    Case('cavityGrade', 'icoFoam/cavity', 2, chained=True, cost=0.1),
    Case('cavityHighRe', 'icoFoam/cavity', 3, chained=True, levels=3, cost=0.2),
    Case('cavityClipped', 'icoFoam/cavity', 4, chained=True, cost=0.1),
    Case('elbow', 'icoFoam/elbow', levels=3, cost=0.4),
    Case('offsetCylinder', 'nonNewtonianIcoFoam/offsetCylinder', levels=1, steps=16, cost=3, note='diverges on finer cells with any step tried'),
    Case('RAS/cavity', 'pisoFoam/RAS/cavity', levels=3, cost=1.5),
    Case('porousBlockage', 'pisoFoam/laminar/porousBlockage', end=50, cost=3, note='to 50 of 100: later vortices are out of step'),
    Case('TJunction', 'pimpleFoam/RAS/TJunction', end=0.4, cost=5, note='to 0.4 of 1.5'),
    Case('pimpleFoam/pitzDaily', 'pimpleFoam/RAS/pitzDaily', end=0.06, cost=16, note='to 0.06 of 0.3'),
    Case('planarPoiseuille (Maxwell)', 'pimpleFoam/laminar/planarPoiseuille', 0, end=5, cost=15, note='to 5 of 25'),
    Case('planarPoiseuille (Stokes)', 'pimpleFoam/laminar/planarPoiseuille', 1, end=5, cost=12, note='to 5 of 25'),
    Case('planarContraction', 'pimpleFoam/laminar/planarContraction', end=0.05, cost=12, note='to 0.05 of 0.25'),
    Case('rotor2D', 'SRFPimpleFoam/rotor2D', end=0.4, cost=11, note='to 0.4 of 2'),
    Case('simpleFoam/pitzDaily', 'simpleFoam/pitzDaily', cost=5),
    Case('pitzDailyExptInlet', 'simpleFoam/pitzDailyExptInlet', cost=9),
    Case('simpleCar', 'simpleFoam/simpleCar', end=1500, cost=4, note='at most 1500 iterations, 3000 on half as wide cells'),
    Case('mixerVessel2D', 'simpleFoam/mixerVessel2D', blocks=True, cost=2),
    Case('airFoil2D', 'simpleFoam/airFoil2D', cost=3),
    Case('bump2D', 'simpleFoam/bump2D', cost=42),
    Case('squareBend', 'simpleFoam/squareBend', levels=1, cost=200),
    Case('angledDuct', 'porousSimpleFoam/angledDuct', cost=6, note='explicit'),
]
# Types of p's patches that leave its level free
FREE = re.compile(r'zeroGradient|empty|wedge|cyclic.*|symmetry.*|slip|fixedFluxPressure|calculated|processor.*')
LEVELS = ['shipped', 'half', 'quarter']
LATTICES = {'lbmWide': 1.5, 'lbm': 1.0, 'lbmHalf': 0.5}
SHORT = 1.0                 # runs shorter than this many seconds are made several times
SET_UP = 1e9                # cost of programs that all other runs of a case wait for


# OpenFOAM's files

def entry(folder, name, file='system/controlDict'):
    """The last one of this name counts, as in OpenFOAM."""
    return re.findall(rf'^\s*{name}\s+([^;]+);', (folder / file).read_text(), re.M)[-1].strip()


def setEntries(folder, **entries):
    with open(folder / 'system/controlDict', 'a') as control:
        control.write('\n' + ''.join(f'{name} {value};\n' for name, value in entries.items()))


def timesOf(folder):
    """Directories of times, the earliest first."""
    names = [path.name for path in folder.iterdir() if path.is_dir() and re.fullmatch(r'\d+(\.\d+)?([eE][-+]?\d+)?', path.name)]
    return sorted(names, key=float)


def startOf(folder):
    if entry(folder, 'startFrom') == 'startTime':
        start = float(entry(folder, 'startTime'))
        return next(name for name in timesOf(folder) if float(name) == start)
    return timesOf(folder)[-1]


def isSteady(folder):
    """squareBend marches by local time steps."""
    return 'steadyState' in (folder / 'system/fvSchemes').read_text() or entry(folder, 'application') == 'simpleFoam'


def readValues(path):
    """Of a field's cells, or of a list of labels: a flat list of floats; one value where all are the same."""
    text = path.read_text()
    uniform = re.search(r'^internalField\s+uniform\s+([^;]+);', text, re.M)
    if uniform:
        return [float(word) for word in uniform.group(1).strip('() ').split()]
    listed = re.search(r'^internalField\s+nonuniform\s+List<\w+>\s*\d+\s*\(|^\d+\s*\(', text, re.M)
    end = re.search(r'\n\)|\)\s*;', text[listed.end():])
    return [float(word) for word in re.sub(r'[()]', ' ', text[listed.end():listed.end() + end.start()]).split()]


def readField(path, cells, size):
    values = readValues(path)
    return values*cells if len(values) == size and cells > 1 else values


def levelIsFree(path):
    """Whether no patch of this p holds it."""
    boundary = path.read_text().split('boundaryField', 1)[1]
    return all(FREE.fullmatch(word) for word in re.findall(r'\btype\s+(\w+);', boundary))


# Programs

class Machine:
    """So many processors. Cases that cost least come first, for a row takes all runs of its case; of a case the runs that cost most,
    on one or two processors last. A run takes as many as it has processes."""

    def __init__(self, jobs, until, order):
        self.free = self.jobs = jobs
        self.order = order      # numbers of cases, by the names of their folders
        self.end = time.time() + until
        self.waiting = []
        self.count = 0
        self.changed = threading.Condition()

    def left(self):
        return self.end - time.time()

    def take(self, folder, cost, size):
        """folder: of the run, in that of its case; cost: SET_UP where other runs of the case wait for it."""
        size = min(size, self.jobs)
        with self.changed:
            self.count += 1
            mine = (self.order[folder.parent.name], -cost if self.jobs > 2 or cost == SET_UP else cost, self.count)
            heapq.heappush(self.waiting, mine)
            self.changed.wait_for(lambda: self.waiting[0] == mine and self.free >= size)
            heapq.heappop(self.waiting)
            self.free -= size
            self.changed.notify_all()

    def give(self, size):
        with self.changed:
            self.free += min(size, self.jobs)
            self.changed.notify_all()


def environment(args):
    env = dict(os.environ)
    env['LD_LIBRARY_PATH'] = f"{args.build / 'lib'}:{env.get('LD_LIBRARY_PATH', '')}"
    env['PATH'] = f"{args.build / 'bin'}:{env['PATH']}"
    env.setdefault('WM_PROJECT_DIR', '/usr/share/openfoam')
    env.update(OMP_NUM_THREADS='1', OMP_WAIT_POLICY='passive')
    return env


def execute(args, command, folder, log, limit):
    """Status and processor seconds of a program and what it starts; 124 where it had to be ended."""
    with open(folder / log, 'w') as out:
        process = subprocess.Popen(command, cwd=folder, env=environment(args), stdout=out, stderr=out,
                                   stdin=subprocess.DEVNULL, start_new_session=True)
    late = threading.Event()

    def end(by):
        late.set()
        os.killpg(process.pid, by)
    # mpirun ends its processes itself where it can
    timers = [threading.Timer(max(limit, 0.1) + after, end, [by]) for after, by in ((0, signal.SIGTERM), (10, signal.SIGKILL))]
    for timer in timers:
        timer.start()
    _, status, used = os.wait4(process.pid, 0)
    for timer in timers:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return 124 if late.is_set() else process.returncode, used.ru_utime + used.ru_stime


def tool(args, folder, *command):
    """A program of the set-up, which has to end well; before the case's runs, for they wait for it."""
    log = f'log.{command[0]}'
    args.machine.take(folder, SET_UP, 1)
    try:
        status, _ = execute(args, command, folder, log, 600)
    finally:
        args.machine.give(1)
    if status:
        raise RuntimeError(f"{command[0]} ended with {status}: {census.message((folder / log).read_text(errors='replace'))}")


# Cases

def makeCases(args, cases):
    """The cases as their solvers are given them, in the folder `made`; a tutorial is run once for all of its calls."""
    made = args.work / 'made'
    missing = {case.tutorial: case for case in cases if not madeOf(args, case).exists()}
    if not missing:
        return
    made.mkdir(exist_ok=True)
    asked = census.arguments(['--build', args.build, '--tutorials', args.tutorials, '--work', args.work, '--alone', '--reference', '1',
                              *(['--user', args.user] if args.user else []), *(['--sources', args.sources] if args.sources else [])])
    if asked.user:
        shutil.chown(made, asked.user)
    os.environ['CENSUS_CASES'] = str(made)
    tools = census.makeTools(args.work)
    for tutorial, case in missing.items():
        for old in made.glob(tutorial.replace('/', '_') + '.*'):
            shutil.rmtree(old)
        # Its result is not wanted but where later calls start with it
        asked.reference = 60 if case.chained else 1
        census.runTutorial(asked, tools, tutorial)
    shutil.rmtree(args.work / 'references', ignore_errors=True)
    shutil.rmtree(args.work / 'cases', ignore_errors=True)


def runsOf(args, case):
    return args.work / 'runs' / re.sub(r'\W+', '_', case.name)


def madeOf(args, case):
    return args.work / 'made' / f"{case.tutorial.replace('/', '_')}.{case.call}"


def solverOf(folder):
    return entry(folder, 'application')


def copyCase(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True)
    return target


def prepare(args, case, name):
    """A copy of the case for a run of this name."""
    folder = copyCase(madeOf(args, case), runsOf(args, case) / name)
    # Later entries replace earlier ones; OpenFOAM reads both forms, this script ASCII alone
    setEntries(folder, writeFormat='ascii', writeCompression='off', **({'endTime': case.end} if case.end else {}))
    return folder


def volumes(args, folder):
    start = startOf(folder)
    tool(args, folder, 'postProcess', '-func', 'writeCellVolumes', '-time', start)
    values = readValues(folder / start / 'V')
    (folder / start / 'V').unlink()
    return values


def refine(args, folder):
    """All cells halved in all directions of the case; the coarse cell of each. Fluxes of faces do not halve with them."""
    start = startOf(folder)
    for path in [folder / start / 'phi', folder / start / 'uniform']:
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
    tool(args, folder, 'refineMesh', '-all', '-overwrite')
    parents = [int(value) for value in readValues(folder / start / 'polyMesh' / 'cellMap')]
    shutil.rmtree(folder / start / 'polyMesh')
    return parents


def refineTimes(args, folder, times):
    """refine() so often, with fields and points of more digits, for cells get small; none for no time."""
    parents = None
    if times:
        setEntries(folder, writePrecision=10)
    for _ in range(times):
        new = refine(args, folder)
        parents = new if parents is None else [parents[cell] for cell in new]
    return parents


BLOCK = re.compile(r'(\bhex\s*\([^)]*\)\s*(?:[A-Za-z]\w*\s*)?)\((\d+)\s+(\d+)\s+(\d+)\)')


def refineBlocks(args, folder, times):
    """The same by blockMeshDict, where blocks lie in all directions and refineMesh finds none to halve."""
    if not times:
        return None
    path = folder / 'system/blockMeshDict'
    text = path.read_text()
    # A single cell is the depth of a case in two dimensions
    before = [[int(number) for number in found[1:]] for found in BLOCK.findall(text)]
    after = [[number if number == 1 else number*2**times for number in block] for block in before]
    blocks = iter(after)
    path.write_text(BLOCK.sub(lambda found: found.group(1) + '({} {} {})'.format(*next(blocks)), text))
    setEntries(folder, writePrecision=10)
    tool(args, folder, 'blockMesh')
    return blockParents(before, after)


def blockParents(before, after):
    """Cells are in the order of blocks, in each of them x first."""
    parents, first = [], 0
    for (nx, ny, nz), (mx, my, mz) in zip(before, after):
        parents += [first + x*nx//mx + nx*(y*ny//my + ny*(z*nz//mz)) for z in range(mz) for y in range(my) for x in range(mx)]
        first += nx*ny*nz
    return parents


def divide(args, case, folder, times):
    """The coarse cell of each cell, whose fields it begins with; all are divided into as many."""
    parents = (refineBlocks if case.blocks else refineTimes)(args, folder, times)
    if parents:
        counts = [0]*(max(parents) + 1)
        for cell in parents:
            counts[cell] += 1
        if min(counts) != max(counts):
            raise RuntimeError(f'cells were divided into {min(counts)} to {max(counts)}')
        for path in (folder / startOf(folder)).iterdir():
            if path.is_file():
                path.write_text(childrenOf(path.read_text(), parents))
    return parents


LISTED = r'nonuniform\s+List<(\w+)>\s*(\d+)\s*\(([^;]*)\)\s*;'


def childrenOf(text, parents):
    """Each cell has its parent's value; values of faces are what patches make of them."""
    if re.search(r'type\s+fixedValue;\s*value\s+nonuniform', text):
        raise RuntimeError('values by face, which are not divided')

    def values(found):
        old = re.findall(r'\([^()]*\)|[^\s()]+', found.group(3))
        return f'nonuniform List<{found.group(1)}> {len(parents)}\n(\n' + '\n'.join(old[cell] for cell in parents) + '\n)\n;'
    inside, boundary, patches = text.partition('boundaryField')
    zero = {'scalar': '0', 'vector': '(0 0 0)'}
    return re.sub(LISTED, values, inside) + boundary + re.sub(LISTED, lambda found: f'uniform {zero[found.group(1)]};', patches)


def scaleTime(case, folder, level):
    """Time steps of transient cases, and the most iterations of steady ones, which residualControl may end before; a reference
    has time to come to rest."""
    factor = case.steps**level
    if isSteady(folder):
        setEntries(folder, endTime=float(entry(folder, 'endTime'))*(4 if level == case.levels else 2)**level)
    else:
        setEntries(folder, deltaT=repr(float(entry(folder, 'deltaT'))/factor))
    if entry(folder, 'writeControl') == 'timeStep':
        setEntries(folder, writeInterval=int(entry(folder, 'writeInterval'))*(2**level if isSteady(folder) else factor))


def tightenResiduals(folder):
    path = folder / 'system/fvSolution'

    def tenth(found):
        return re.sub(r'([\d.]+(?:[eE][-+]?\d+)?)(\s*;)', lambda value: f'{float(value.group(1))/10:g}{value.group(2)}', found.group(0))
    path.write_text(re.sub(r'residualControl\s*\{[^}]*\}', tenth, path.read_text()))


def nodeSpacing(args, folder):
    tool(args, folder, 'lbmFoam', '-dry-run')
    return float(re.search(r'^\s*cell size\s+(\S+) m', (folder / 'log.lbmFoam').read_text(), re.M).group(1))


def writeCellSize(folder, spacing):
    (folder / 'system/lbmDict').write_text(
        f'FoamFile {{ version 2.0; format ascii; class dictionary; object lbmDict; }}\ncellSize {spacing:.8g};\n')


# Runs

def measure(args, folder, program, cost):
    """Runs it in the folder, short ones several times; what came of it."""
    fresh = copyCase(folder, folder.with_name(folder.name + '.fresh'))
    args.machine.take(folder, cost, 1)
    try:
        status, used = execute(args, [program], folder, 'log.' + program, min(args.limit, args.machine.left()))
        again = [used]
        while status == 0 and used < SHORT and len(again) < args.repeat:
            other = copyCase(fresh, folder.with_name(folder.name + '.again'))
            again.append(execute(args, [program], other, 'log.' + program, args.limit)[1])
            shutil.rmtree(other)
    finally:
        args.machine.give(1)
        shutil.rmtree(fresh)
    return told(folder, program, status, statistics.median(again))


def told(folder, program, status, used):
    log = (folder / f'log.{program}').read_text(errors='replace')
    result = {'status': status, 'seconds': round(used, 4), 'end': timesOf(folder)[-1],
              'reached': census.lastOf(r'^Time = ([^\s,]+)', log)}
    if status and status != 124:
        result['message'] = census.message(log)
    nodes = census.lastOf(r'^\s*fluid nodes\s+(\d+)', log)
    if nodes:
        result.update(nodes=int(nodes), guard=census.guard(log))
    print(f"    {folder.parent.name} {folder.name}: status {status}, {used:.3g} s, at {result['reached']}", flush=True)
    return result


def runReference(args, folder, solver, cells, cost):
    """OpenFOAM's solver, on several processes where they may be and it takes long: its time is not compared."""
    ranks = max(1, min(args.ranks, int(cost/100), cells//3000))
    if ranks > 1:
        (folder / 'system/decomposeParDict').write_text(
            'FoamFile { version 2.0; format ascii; class dictionary; object decomposeParDict; }\n'
            f'numberOfSubdomains {ranks};\nmethod simple;\nsimpleCoeffs {{ n ({ranks} 1 1); delta 0.001; }}\n')
        tool(args, folder, 'decomposePar')
    command = [solver] if ranks == 1 else ['mpirun', '--oversubscribe', '--allow-run-as-root', '-n', str(ranks), solver, '-parallel']
    args.machine.take(folder, cost, ranks)
    try:
        status, used = execute(args, command, folder, 'log.' + solver, min(args.limit, args.machine.left()))
    finally:
        args.machine.give(ranks)
    if ranks > 1:
        tool(args, folder, 'reconstructPar', '-latestTime')
    return told(folder, solver, status, used)


def runCase(args, case):
    """All runs of a case, beside each other where there are processors."""
    base = runsOf(args, case)
    found, meshes, failures = {}, {}, []
    steady = isSteady(madeOf(args, case))

    def guarded(function, *arguments):
        try:
            function(*arguments)
        except Exception as error:      # told in the table: other runs go on
            failures.append(str(error))

    def beside(calls):
        joined([threading.Thread(target=guarded, args=call) for call in calls])

    def openFoam(level):
        """The solver on cells halved so often, and, where it is steady, the reference behind the last of them."""
        name = LEVELS[level] if level < case.levels else 'reference'
        folder = prepare(args, case, name)
        if steady and level == case.levels:
            parents = begunWith(args, case, folder, base / LEVELS[level - 1], level - 1, meshes[LEVELS[level - 1]][0])
        else:
            parents = divide(args, case, folder, level)
        scaleTime(case, folder, level)
        volume = volumes(args, folder)
        meshes[name] = parents, volume
        cost = case.cost*(len(volume)/cells)*2**level
        if level == case.levels:
            if steady:
                tightenResiduals(folder)
            found[name] = runReference(args, folder, solverOf(folder), len(volume), 3*cost if steady else cost)
        else:
            found[name] = measure(args, folder, solverOf(folder), cost)
        found[name]['cells'] = len(volume)
        if steady and level == case.levels - 1:
            openFoam(case.levels)

    def lattice():
        spacing = nodeSpacing(args, base / 'lbm')
        for name, factor in LATTICES.items():
            if name != 'lbm':
                writeCellSize(prepare(args, case, name), spacing*factor)
        beside([(run, base / name, case.cost/factor**2) for name, factor in LATTICES.items()])

    def run(folder, cost):
        found[folder.name] = measure(args, folder, 'lbmFoam', cost)
    volume = volumes(args, prepare(args, case, 'lbm'))
    cells = len(volume)
    beside([(lattice,)] + [(openFoam, level) for level in range(case.levels + (0 if steady else 1))])
    return compare(case, base, found, failures, meshes, volume)


def joined(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def begunWith(args, case, folder, earlier, level, above):
    """Fields of what cells twice as wide came to, which each cell's children take."""
    divide(args, case, folder, level)
    start, last = startOf(folder), timesOf(earlier)[-1]
    if last == startOf(earlier):
        raise RuntimeError('no reference: cells twice as wide came to nothing')
    for path in (folder / start).iterdir():
        if (earlier / last / path.name).is_file():
            shutil.copy(earlier / last / path.name, path)
    parents = divide(args, case, folder, 1)
    return parents if above is None else [above[cell] for cell in parents]


# Errors

def means(values, size, parents, volume, cells):
    """Of the fine cells in each coarse one."""
    sums, weights = [0.0]*(cells*size), [0.0]*cells
    for cell, (parent, share) in enumerate(zip(parents, volume)):
        weights[parent] += share
        for part in range(size):
            sums[parent*size + part] += share*values[cell*size + part]
    return [value/weights[place//size] for place, value in enumerate(sums)]


def relativeError(values, reference, volume, size, free=False):
    """L2, volumes as weights; free: only differences in space count. None where the reference is nothing."""
    if free:
        values, reference = [[value - mean for value in field] for field in (values, reference)
                             for mean in [sum(v*w for v, w in zip(field, volume))/sum(volume)]]
    square = sum(volume[place//size]*(a - b)**2 for place, (a, b) in enumerate(zip(values, reference)))
    scale = sum(volume[place//size]*b*b for place, b in enumerate(reference))
    return math.sqrt(square/scale) if scale > 0 else None


def meansOf(folder, last, mesh, volume):
    """U and p on the shipped cells."""
    parents, fine = mesh
    name = 'U' if (folder / last / 'U').exists() else 'Urel'
    fields = {'U': (readField(folder / last / name, len(fine), 3), 3), 'p': (readField(folder / last / 'p', len(fine), 1), 1)}
    return {field: values if parents is None else means(values, size, parents, fine, len(volume))
            for field, (values, size) in fields.items()}


def compare(case, base, found, failures, meshes, volume):
    """The errors of each run that ended."""
    steady, start = isSteady(base / 'lbm'), startOf(base / 'lbm')
    result = {'name': case.name, 'note': case.note, 'steady': steady, 'cells': len(volume), 'runs': found, 'failures': failures}
    free = levelIsFree(base / 'lbm' / start / 'p')
    finest = [LEVELS[level] if level < case.levels else 'reference' for level in range(case.levels, 0, -1)]
    for name, below in zip(finest, finest[1:] + ['shipped']):
        if not usable(found.get(name), steady, base / name):
            continue
        truth = meansOf(base / name, found[name]['end'], meshes[name], volume)
        for run in found:
            for field in ('U', 'p'):
                found[run].pop(field, None)
        for run in set(found) - {name, 'reference'}:
            if found[run]['status'] == 0:
                addErrors(found[run], meansOf(base / run, found[run]['end'], meshes.get(run, (None, volume)), volume), truth, volume, free)
        result['reference'] = {'run': name, 'times': 2**(case.levels if name == 'reference' else LEVELS.index(name)),
                               'end': found[name]['end'], 'whole': found[name]['status'] == 0}
        nearest, farthest = found.get(below, {}).get('U'), found.get('shipped', {}).get('U')
        if below == 'shipped' or nearest is None or farthest is None or nearest < farthest:
            return result
        # cavityClipped on an eighth: Courant numbers pass 1, and all others are alike far from what that makes
        failures.append(f'{name} is no reference: {below} is not nearer to it than shipped')
    if 'reference' not in result:
        failures.append('no reference')
    return result


def addErrors(run, fields, truth, volume, free):
    for field, size in (('U', 3), ('p', 1)):
        error = relativeError(fields[field], truth[field], volume, size, free and field == 'p')
        # A p that is nothing, as in planarPoiseuille, has no relative error
        if error is not None and error < 10:
            run[field] = error


def usable(run, steady, folder):
    """A steady flow that was cut short is told with where it was; a transient one has to have come to its end."""
    return bool(run) and (run['status'] == 0 or steady and run['status'] == 124 and run['end'] != startOf(folder))


# Times at equal errors

def secondsFor(error, meshes):
    """What OpenFOAM needs for this error, from [(error, seconds)] of its meshes, the coarsest first: (seconds, lower bound,
    upper bound); only between two of them are bounds both there. None where a finer one is not nearer."""
    if any(not 0 < fine[0] < coarse[0] or fine[1] <= coarse[1] for coarse, fine in zip(meshes, meshes[1:])):
        return None
    number = next((number for number in range(1, len(meshes)) if meshes[number][0] <= error), len(meshes) - 1)
    (coarse, few), (fine, many) = meshes[number - 1:number + 1]
    seconds = few*(many/few)**(math.log(error/coarse)/math.log(fine/coarse))
    if error > coarse:
        return seconds, None, few
    if error < fine:
        return seconds, many, None
    return seconds, few, many


def ratios(result, run):
    """{field: text} of OpenFOAM's time for this run's error over its own."""
    runs, told = result['runs'], {}
    mine = runs.get(run, {})
    for field in ('U', 'p'):
        meshes = [(runs[name][field], runs[name]['seconds']) for name in LEVELS if field in runs.get(name, {})]
        if field in mine:
            told[field] = ratioText(mine[field], mine['seconds'], meshes)
    return told


def ratioText(error, seconds, meshes):
    """Bold: between two meshes. Else the bound that was measured, and in parentheses what the line says beyond it."""
    if len(meshes) < 2:
        if not meshes:
            return ''
        return f'{">=" if error <= meshes[0][0] else "<"} {meshes[0][1]/seconds:.2g}'
    needed = secondsFor(error, meshes)
    if not needed:
        return 'no order'
    value, least, most = needed
    if least and most:
        return f'**{value/seconds:.2g}**'
    return f'>= {least/seconds:.2g} ({value/seconds:.2g})' if least else f'< {most/seconds:.2g} ({value/seconds:.2g})'


HEAD = ['| case | reference | OpenFOAM shipped: U, p %; s | half cells | quarter | lbmFoam, spacing 1.5: U, p %; s | as shipped | half '
        '| ratio at equal U: 1.5; shipped; half | at equal p |', '|' + '---|'*10]


def runText(run):
    if not run:
        return ''
    if run['status'] == 124:
        return f"cut short at {run['reached'] or 'its start'}"
    if run['status']:
        return f"failed: {run.get('message', '')[:60]}"
    share = ', '.join(f'{100*run[field]:.2g}' for field in ('U', 'p') if field in run)
    return f"{share or 'reference'}; {run['seconds']:.3g}"


def referenceText(result):
    reference = result.get('reference')
    if not reference:
        return 'none: ' + '; '.join(result['failures'])[:80]
    cut = '' if reference['whole'] else f", cut short at {reference['end']}"
    return f"1/{reference['times']}{cut}"


def row(result):
    runs = result['runs']
    told = [ratios(result, run) for run in LATTICES]
    name = result['name'] + (f" ({result['note']})" if result['note'] else '')
    columns = [name, referenceText(result)] + [runText(runs.get(run)) for run in [*LEVELS, *LATTICES]]
    columns += ['; '.join(one.get(field, '') for one in told) for field in ('U', 'p')]
    return '| ' + ' | '.join(columns) + ' |'


def writeResults(args, results):
    order = {case.name: number for number, case in enumerate(CASES)}
    results = sorted(results, key=lambda result: order[result['name']])
    (args.work / 'results.json').write_text(json.dumps(results, indent=1) + '\n')
    (args.work / 'results.md').write_text('\n'.join(HEAD + [row(result) for result in results]) + '\n')


def runCases(args, cases):
    # A case after the other where runs are few at a time
    waiting = sorted(cases, key=lambda case: case.cost)
    args.machine = Machine(args.jobs, args.until, {runsOf(args, case).name: number for number, case in enumerate(waiting)})
    path = args.work / 'results.json'
    results = [result for result in (json.loads(path.read_text()) if path.exists() else [])
               if result['name'] not in {case.name for case in cases}]
    lock = threading.Lock()

    def one(case):
        begin = time.time()
        try:
            result = runCase(args, case)
        except Exception as error:      # told in the table: other cases go on
            result = {'name': case.name, 'note': case.note, 'runs': {}, 'failures': [str(error)]}
        with lock:
            results.append(result)
            writeResults(args, results)
            print(row(result), f'{time.time() - begin:.0f} s', *result['failures'], flush=True)
        if not args.files:
            shutil.rmtree(runsOf(args, case), ignore_errors=True)
    queue = iter(waiting)

    def worker():
        while True:
            with lock:
                case = next(queue, None)
            if case is None:
                return
            one(case)
    joined([threading.Thread(target=worker) for _ in range(1 if args.jobs <= 2 else len(cases))])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=Path, required=True)
    parser.add_argument('--tutorials', type=Path, default=Path('/usr/share/doc/openfoam-examples/examples/incompressible'))
    parser.add_argument('--work', type=Path, required=True)
    parser.add_argument('--jobs', type=int, default=1, help='runs at a time')
    parser.add_argument('--ranks', type=int, default=1, help='processes of a reference')
    parser.add_argument('--levels', type=int, choices=(1, 2, 3), help="how many times a reference's cells are halved, in place of CASES'")
    parser.add_argument('--repeat', type=int, default=5, help='how many times short runs are made')
    parser.add_argument('--limit', type=float, default=1500, help='seconds for a run')
    parser.add_argument('--until', type=float, default=1e9, help='seconds for all')
    parser.add_argument('--prepare', action='store_true', help='make the cases alone')
    parser.add_argument('--again', action='store_true', help='run nothing: the table of results.json')
    parser.add_argument('--files', action='store_true', help='leave the folders of runs')
    parser.add_argument('--user', help="account to run tutorials' scripts in; nobody where the present one is the administrator's")
    parser.add_argument('--sources', type=Path, help="OpenFOAM's headers, for code in dictionaries")
    parser.add_argument('names', nargs='*', metavar='CASE')
    args = parser.parse_args()
    unknown = set(args.names) - {case.name for case in CASES}
    if unknown:
        parser.error(f"no case {', '.join(sorted(unknown))}: {', '.join(case.name for case in CASES)}")
    for path in ('build', 'tutorials', 'work'):
        setattr(args, path, getattr(args, path).resolve())
    args.work.mkdir(parents=True, exist_ok=True)
    cases = [case for case in CASES if not args.names or case.name in args.names]
    for case in cases:
        case.levels = args.levels or case.levels
    if args.again:
        writeResults(args, json.loads((args.work / 'results.json').read_text()))
        print((args.work / 'results.md').read_text(), end='')
        return 0
    makeCases(args, cases)
    missing = [case.name for case in cases if not madeOf(args, case).exists()]
    if missing:
        print('not made: ' + ', '.join(missing))
    if not args.prepare:
        runCases(args, [case for case in cases if case.name not in missing])
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main())
