"""Broken dictionaries and fields for lbmFoam and lbmVoxelize.

What a broken file still means is asked of OpenFOAM's own foamDictionary. Entries that then differ from the whole case's say
what may differ in the results: nothing (entries without a meaning, names of functions, layouts), little (settings of the
lattice), times alone, or the flow (viscosity, conditions): that is computed anew by icoFoam.
Part of lbmFoam, GPL-3.0-or-later."""
import os
import re
import signal
import time

import numpy

import cases
from foam import difference, read, results, times, write
from trial import HANG, HARMED, MESSAGE, RIGHT, WRONG, Bad, readLog, snapshot, unharmed

exactly = 1e-7          # relative L2, of what nothing may change
littleOff = 0.1         # what other settings of the lattice may make of U
magicOff = 0.2          # what a magic number next to zero does on 20 cells (0.19)
flowOff = 0.25          # from icoFoam on the case's own coarse mesh (the whole cavity: 0.08)
fewNodes = 10           # across: below, a lattice is the user's own risk
patience = 8            # seconds for a run that says that it will take longer than the limit
manyNodes = 1e8         # of lbmVoxelize's lattice: a machine that has other work as well takes longer than the limit

BASES = {'cavity': cases.cavity, 'channel': cases.channel}

FILES = {
    'cavity': ['system/lbmDict']*4 + ['system/controlDict']*3 + ['constant/transportProperties', '0/U', '0/U', '0/p',
                                                                  'system/fvSchemes'],
    'channel': ['system/lbmDict']*4 + ['system/controlDict', 'constant/transportProperties', '0/U', '0/p'],
    'body': ['system/lbmVoxelizeDict'],
}


def prepare(lab):
    for base in BASES.values():
        base(lab)

    def makeBody(folder):
        cases.makeSurfaceCase(lab, folder, cases.boxEntries)
        lab.tool(['lbmVoxelize'], folder)
    lab.once('body', makeBody)


# -- what entries mean. Of each entry by a pattern of file and path: what it may change, and whether a value is valid

def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def isPositive(text):
    x = number(text)
    return x is not None and 0 < x < 1e15


def isCount(text):
    return re.fullmatch(r'[-+]?\d+', text) is not None and 0 < int(text) < 2**31


def isFinite(text):
    x = number(text)
    return x is not None and abs(x) < 1e15


def oneOf(*words):
    return lambda text: text in words


def vector(text):
    parts = re.fullmatch(r'\(\s*(\S+)\s+(\S+)\s+(\S+)\s*\)', text)
    return parts is not None and all(isFinite(x) for x in parts.groups())


def unnamed(text):
    """The value of a quantity: less its name, which may be any word, and its dimensions."""
    first = text.split(' ')[0]
    named = first != text and number(first) is None and not first.startswith('[')
    return re.sub(r'^\[[^]]*\] ', '', text[len(first) + 1:] if named else text)


def anything(text):
    return True


NOTHING, LITTLE, TIMES, FLOW = 'nothing', 'little', 'times', 'the flow'
WEIGHT = [NOTHING, TIMES, LITTLE, FLOW]

MEANING = [
    (r'FoamFile/.*', NOTHING, anything),
    (r'system/lbmDict:(cells|cellSize)', LITTLE, isPositive),
    (r'system/lbmDict:maxMach', LITTLE, lambda t: isPositive(t) and float(t) <= 0.3),
    (r'system/lbmDict:lattice', LITTLE, oneOf('D2Q9')),
    (r'system/lbmDict:collision', LITTLE, oneOf('bgk', 'trt', 'mrt', 'regularized', 'recursiveRegularized', 'hybridRegularized',
                                                     'cumulant', 'cumulantOnes')),
    (r'system/lbmDict:sigma', LITTLE, lambda t: isPositive(t) and float(t) <= 1),
    (r'system/lbmDict:equilibrium', LITTLE, oneOf('incompressible', 'quasiCompressible')),
    (r'system/lbmDict:storage', LITTLE, oneOf('aa', 'ab', 't2c', 'moments', 'auto')),
    (r'system/lbmDict:precision', LITTLE, oneOf('double', 'float')),
    (r'system/lbmDict:device', NOTHING, oneOf('cpu')),
    (r'system/lbmDict:arithmetic', NOTHING, oneOf('simd', 'scalar')),
    (r'system/lbmDict:threads', NOTHING, lambda t: re.fullmatch(r'\+?\d+', t) is not None and int(t) < 2**31),
    (r'system/lbmDict:maxGridReynolds', LITTLE, isPositive),
    (r'system/lbmDict:magic', LITTLE, lambda t: isPositive(t) and float(t) <= 1),
    (r'system/lbmDict:maxTau', LITTLE, lambda t: isPositive(t) and float(t) > 0.5),
    (r'system/lbmDict:(referenceSpeed|deltaT|steadyTolerance)', LITTLE, isPositive),
    (r'system/lbmDict:force', FLOW, vector),
    (r'system/lbmDict:startFlow', LITTLE, oneOf('automatic', 'given', 'divergenceFree')),
    (r'system/lbmDict:wall(/walls)?', LITTLE,
     oneOf('automatic', 'halfway', 'interpolated', 'quadratic', 'linear', 'local', '{')),
    (r'system/lbmDict:openings/\w+/type', LITTLE, oneOf('reflecting', 'nonReflecting', 'velocityGradient')),
    (r'system/lbmDict:openings/\w+/lInf', LITTLE, isPositive),
    (r'system/lbmDict:openings(/\w+)?', LITTLE, oneOf('{')),
    (r'system/lbmDict:checkEvery', NOTHING, isCount),
    (r'system/lbmDict:checkpoint', NOTHING, oneOf('latest', 'all', 'none')),
    (r'system/controlDict:(startFrom|startTime)', FLOW, anything),
    (r'system/controlDict:(stopAt|endTime|writeControl|writeInterval|purgeWrite|timeFormat|timePrecision)', TIMES, anything),
    (r'system/controlDict:deltaT', LITTLE, isPositive),
    (r'system/controlDict:(writeFormat|writeCompression|writePrecision)', TIMES, anything),
    (r'system/controlDict:.*', NOTHING, anything),
    (r'constant/transportProperties:nu', FLOW, lambda t: isPositive(unnamed(t))),
    (r'constant/transportProperties:transportModel', NOTHING, oneOf('Newtonian')),
    (r'0/[Up]:.*', FLOW, anything),
]

OWN = ('system/lbmDict', 'system/lbmVoxelizeDict')
# What lbmFoam reads of others' dictionaries, so that a near miss of it deserves a note
READ = {'system/controlDict': 'startFrom startTime stopAt endTime deltaT writeControl writeInterval purgeWrite writeFormat'
                              ' writePrecision writeCompression timeFormat timePrecision functions'.split(),
        'constant/transportProperties': ['nu', 'transportModel'],
        'system/fvSchemes': ['ddtSchemes', 'ddtSchemes/default']}


def meaning(file, path):
    for pattern, effect, valid in MEANING:
        if re.fullmatch(pattern, f'{file}:{path}') or re.fullmatch(pattern, path):
            return effect, valid
    return (None, None) if file in OWN else (NOTHING, anything)


def flatten(text):
    """foamDictionary's print of a dictionary: values by path. Of keywords that recur the last one holds."""
    # Less what is said before the banner, the banner, and lines of comment
    text = re.sub(r'(?m)^//.*$', '', re.sub(r'(?s)^.*?\*/', '', text, count=1))
    tokens = re.findall(r'"(?:\\.|[^"\\])*"|[{};]|[()\[\]]|[^\s{};()\[\]"]+', text)
    found, path, words = {}, [], []
    depth = 0
    for token in tokens:
        if token in '([':
            depth += 1
        elif token in ')]':
            depth -= 1
        if token == '{' and depth == 0:
            path.append(' '.join(words))
            found['/'.join(path)] = '{'
            words = []
        elif token == '}' and depth == 0:
            if path:
                path.pop()
            words = []
        elif token == ';' and depth == 0:
            if words:
                found['/'.join(path + words[:1])] = ' '.join(words[1:])
            words = []
        else:
            words.append(token)
    tidy = {}
    for key, value in found.items():
        tidy[key] = re.sub(r'([(\[]) | ([)\]])', r'\1\2', value)
    return tidy


def entriesOf(lab, case, file, log):
    """Values by path, or None where OpenFOAM cannot read the file."""
    run = lab.run(['foamDictionary', '-expand', file], case, log)
    return flatten(run.log) if run.status == 0 and not run.timedOut and 'FOAM FATAL' not in run.log else None


def changes(old, new):
    return {k: (old.get(k), new.get(k)) for k in sorted(set(old) | set(new)) if old.get(k) != new.get(k)}


# -- damage: each takes (rng, text, trial) and gives another text

NUMBERS = ['-1', '0', '-0', '1e-300', '1e300', '1e400', '1e15', '2147483647', '2147483648', '-2147483648', '99999999999999999999',
           'nan', '-nan', 'inf', '-inf', '0x10', '1e', '--1', '1.2.3', '1,5']
PLAIN = ['0.5', '3', '100', '1e-5', '1000', '100000', '1e6', '1e9', '1e12', '50', '0.001', '5', '1e-12', '0.02', '7', '2', '0.25']
WORDS = ['none', 'yes', 'off', 'word', '"a string"', '""', '$nowhere', '$..', '#calc', '(1 2 3)', '(1 2', '()', '{ }',
         '{ a 1; }', '[0 1 -1 0 0 0 0]', 'uniform', 'uniform 1', 'table ((0 0) (1 1))', '#include "nowhere"', 'ünï',
         '../../x', '%s%n', 'a'*5000, '1 2', 'List<scalar> 3(1 2']
CHOICES = ['bgk', 'trt', 'mrt', 'regularized', 'recursiveRegularized', 'cumulant', 'latest', 'all', 'none', 'aa', 'ab', 't2c', 'moments',
           'auto', 'float', 'double', 'D2Q9', 'D3Q19', 'D3Q27', 'cuda', 'cpu', 'halfway', 'interpolated', 'quadratic', 'local',
           'given', 'divergenceFree', 'automatic', 'quasiCompressible', 'latestTime', 'firstTime', 'runTime',
           'adjustableRunTime', 'clockTime', 'cpuTime', 'writeNow', 'nextWrite', 'binary', 'on', 'scientific', 'fixed',
           'zeroGradient', 'fixedValue', 'noSlip', 'slip', 'empty', 'symmetryPlane', 'cyclic', 'totalPressure',
           'reflecting', 'nonReflecting', 'velocityGradient', 'exact', 'windingNumber', 'wall', 'patch', 'Newtonian']


def lineOf(rng, lines, pattern=rb'\s*[\w"(.*|)]+\s+\S.*;'):
    """The number of a line with an entry."""
    return rng.choice([i for i, line in enumerate(lines) if re.fullmatch(pattern, line.rstrip())])


def valueFlip(rng, text, trial):
    lines = text.split(b'\n')
    i = lineOf(rng, lines)
    key, value = lines[i].strip().rstrip(b';').split(None, 1)
    isNumber = re.fullmatch(rb'[-+.\deE]+', value) is not None
    chance = rng.random()
    new = rng.choice(NUMBERS if chance < 0.35 else PLAIN if chance < 0.75 else WORDS) if isNumber else \
        rng.choice(NUMBERS + PLAIN if chance < 0.3 else WORDS if chance < 0.6 else CHOICES)
    trial.did(f'{key.decode()} is {new[:40]}')
    lines[i] = b'    ' + key + b' ' + new.encode() + b';'
    return b'\n'.join(lines)


def tokenFlip(rng, text, trial):
    """One word anywhere."""
    found = list(re.finditer(rb'[^\s{}();]+', text))
    m = rng.choice(found)
    new = rng.choice(NUMBERS + PLAIN + WORDS + CHOICES).encode()
    trial.did(f'{m.group().decode()[:30]} becomes {new.decode()[:40]}')
    return text[:m.start()] + new + text[m.end():]


def scaled(rng, text, trial):
    """A number becomes another that is no less valid."""
    found = list(re.finditer(rb'(?<=[\s(])\d*[1-9]\d*(\.\d+)?([eE][-+]?\d+)?(?=[\s;)])|(?<=[\s(])0\.\d+(?=[\s;)])',
                             text[text.index(b'}'):]))
    if not found:
        return tokenFlip(rng, text, trial)
    m = rng.choice(found)
    at = text.index(b'}')
    new = '%.6g' % (float(m.group())*10**rng.uniform(-1, 1))
    if m.group().isdigit() and rng.random() < 0.8:
        new = str(max(1, round(float(new))))
    trial.did(f'{m.group().decode()} becomes {new} at byte {at + m.start()}')
    return text[:at + m.start()] + new.encode() + text[at + m.end():]


def misspell(rng, text, trial):
    lines = text.split(b'\n')
    i = lineOf(rng, lines)
    m = re.match(rb'\s*("?[\w.*]+"?)', lines[i])
    key = m.group(1)
    at = rng.randrange(len(key))
    new = {'gone': key[:at] + key[at + 1:], 'twice': key[:at] + key[at:at + 1]*2 + key[at + 1:],
           'swapped': key[:at] + key[at + 1:at + 2] + key[at:at + 1] + key[at + 2:],
           'case': key.swapcase(), 'plural': key + b's'}[rng.choice(['gone', 'twice', 'swapped', 'case', 'plural'])]
    trial.did(f'{key.decode()} is spelt {new.decode()}')
    lines[i] = lines[i].replace(key, new, 1)
    return b'\n'.join(lines)


def lineGone(rng, text, trial):
    lines = text.split(b'\n')
    i = rng.choice([i for i, line in enumerate(lines) if line.strip()])
    trial.did(f'line {i + 1} is gone: {lines[i].strip().decode()[:60]}')
    return b'\n'.join(lines[:i] + lines[i + 1:])


def lineTwice(rng, text, trial):
    lines = text.split(b'\n')
    i = rng.choice([i for i, line in enumerate(lines) if line.strip()])
    trial.did(f'line {i + 1} stands twice: {lines[i].strip().decode()[:60]}')
    return b'\n'.join(lines[:i + 1] + lines[i:])


def linesSwapped(rng, text, trial):
    lines = text.split(b'\n')
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    trial.did(f'lines {i + 1} and {j + 1} are swapped')
    return b'\n'.join(lines)


def marks(rng, text, trial):
    """A bracket, semicolon or quote more or less."""
    mark = rng.choice([b'{', b'}', b';', b'(', b')', b'"', b'/*', b'*/', b'//', b'#', b'$', b'\\', b'\0', b'\xff', b'\r'])
    places = [m.start() for m in re.finditer(re.escape(mark), text)]
    if places and rng.random() < 0.6:
        at = rng.choice(places)
        trial.did(f'{mark!r} at byte {at} is gone')
        return text[:at] + text[at + len(mark):]
    at = rng.randrange(len(text))
    trial.did(f'{mark!r} at byte {at}')
    return text[:at] + mark + text[at:]


def cutOff(rng, text, trial):
    n = rng.choice([0, rng.randrange(len(text)), len(text)//2, len(text) - 2])
    trial.did(f'cut to {n} of {len(text)} bytes')
    return text[:n]


def noise(rng, text, trial):
    n = rng.choice([1, 3, 20])
    text = bytearray(text)
    for _ in range(n):
        text[rng.randrange(len(text))] = rng.randrange(256)
    trial.did(f'{n} bytes of noise')
    return bytes(text)


DAMAGE = [valueFlip]*6 + [tokenFlip]*3 + [scaled]*3 + [misspell]*4 + [lineGone]*2 + [lineTwice, linesSwapped] + [marks]*3 + \
    [cutOff, noise]


# -- judging

def toldLong(log, limit):
    """Does it say that it will take longer, and get on?"""
    expected = re.search(r'expected time +(\S+) s', log)
    if expected:
        return float(expected.group(1)) > limit and len(set(re.findall(r'\nTime = (\S+)', log))) != 1
    lattice = re.search(r'Lattice +(\d+) x (\d+) x (\d+) nodes', log)
    return lattice is not None and numpy.prod([float(n) for n in lattice.groups()]) > manyNodes


def waited(lab, process, log):
    """The run's end. One that tells that it will take longer than the limit is sent SIGTERM: it has to end soon, and
    lbmFoam to have written its state."""
    limit = 60
    begin = time.monotonic()
    while process.poll() is None and time.monotonic() - begin < limit:
        time.sleep(0.02 if time.monotonic() - begin < 2 else 0.2)
        if time.monotonic() - begin > patience:
            if toldLong(readLog(log), limit):
                process.send_signal(signal.SIGTERM)
                sent = time.monotonic()
                run = lab.finish(process, log, 10)
                if run.timedOut:
                    raise Bad(HANG, f'SIGTERM is not served within 10 s; {run.last()}')
                run.long = time.monotonic() - sent
                return run
    return lab.finish(process, log, 0.1 if process.poll() is None else 1)


def close(found, whole, limit, what, last=False):
    """Raises where a field is further off, at any time that both have, or at the last."""
    for t in list(found)[-1:] if last else found:
        same = [w for w in whole if abs(float(w) - float(t)) < 1e-9]
        if same:
            off = difference(found[t]['U'], whole[same[0]]['U'])
            if not off <= limit:
                raise Bad(WRONG, f'U of time {t} is {100*off:.3g} % off, {what}')


def sane(found):
    for t, fields in found.items():
        for name, values in fields.items():
            if not numpy.isfinite(values).all():
                raise Bad(WRONG, f'{name} of time {t} holds what is not finite')


def icoFoam(trial, case):
    """Fields of OpenFOAM's own solver for the changed case, or None where it has none to offer."""
    other = f'{trial.folder}/icoFoam'
    os.makedirs(other)
    for part in ('0', 'constant', 'system'):
        os.symlink(os.path.join(case, part), os.path.join(other, part))
    run = trial.lab.run(['icoFoam'], other, trial.log('icoFoam'), limit=30)
    courant = [float(x) for x in re.findall(r'Courant Number mean: \S+ max: (\S+)', run.log)]
    if run.status != 0 or run.timedOut or not courant or not max(courant) < 1:
        return None
    return results(other)


def judgeFlow(trial, case, found, changed):
    """The flow is another one: near that of icoFoam, where that can be had."""
    if trial.base != 'cavity' or any('force' in path or 'start' in path for path in changed):
        return 'another flow, finite'
    other = icoFoam(trial, case)
    if not other:
        return 'another flow, finite; icoFoam has none to compare'
    close(other, found, flowOff, 'from icoFoam')
    return 'another flow, near that of icoFoam'


def judge(trial, case, file, old, new, run):
    """The verdict on status 0."""
    if new is None:
        raise Bad(WRONG, 'accepted, though foamDictionary cannot read it')
    changed = changes(old, new)
    effects = [NOTHING]
    for path, (_, value) in changed.items():
        effect, valid = meaning(file, path)
        if effect is None:
            if value is not None:
                raise Bad(WRONG, f'unknown entry {path} of {file} was accepted')
            effect, valid = LITTLE, anything
        if value is not None and not valid(value):
            raise Bad(WRONG, f'{path} {value[:60]} of {file} was accepted')
        effects.append(effect if not path.startswith('FoamFile') else NOTHING)
    found = results(case)
    sane(found)
    effect = max(effects, key=WEIGHT.index)
    whole = BASES[trial.base](trial.lab)
    near(trial, file, changed, run)
    if effect == NOTHING:
        if times(case) != list(whole):
            raise Bad(WRONG, f'times {times(case)}, though nothing was changed that has a meaning')
        close(found, whole, exactly, f'though nothing was changed that has a meaning: {list(changed)}')
        return RIGHT, 'as if undisturbed'
    if effect == TIMES:
        digits = int(changed.get('writePrecision', ('', '12'))[1] or 6)
        close(found, whole, max(1e-3, 5*10.0**-digits), f'though only times were changed: {list(changed)}')
        return RIGHT, 'other times'
    across = re.search(r'box +(\d+) x (\d+)', run.log)
    if effect == LITTLE:
        if across and min(int(x) for x in across.groups()) < fewNodes:
            return RIGHT, 'a lattice that is coarse, as asked'
        if 'the flow is faster than the reference speed' in run.log:
            return RIGHT, 'too large a Mach number, and it is said'
        limit = magicOff if 'magic' in changed else littleOff
        close(found, whole, limit, f'by {changed}', last=True)
        return RIGHT, 'near'
    return RIGHT, judgeFlow(trial, case, found, changed)


def near(trial, file, changed, run):
    """A keyword of others' dictionaries that lbmFoam reads, misspelt and ignored, is to be mentioned."""
    lost = [k for k, (old, new) in changed.items() if new is None and k in READ.get(file, [])]
    came = [k for k, (old, new) in changed.items() if old is None]
    if file in OWN or not lost or len(came) != 1 or not trial.misspelt:
        return
    word = came[0].split('/')[-1]
    if word not in run.log:
        raise Bad(MESSAGE, f'{word} of {file}, a near miss of {lost[0]}, is ignored without a word')


def attempt(trial):
    rng = trial.rng
    base = trial.base = rng.choice(['cavity']*5 + ['channel']*3 + ['body'])
    file = rng.choice(FILES[base])
    change = rng.choice(DAMAGE)
    trial.misspelt = change is misspell
    trial.did(f'{base}: {file}')
    case = trial.case(base)
    cases.addNotes(trial, case)
    path = os.path.join(case, file)
    old = entriesOf(trial.lab, case, file, trial.log('old'))
    write(path, change(rng, read(path), trial))
    new = entriesOf(trial.lab, case, file, trial.log('new'))

    before = snapshot(case)
    program = 'lbmVoxelize' if base == 'body' else 'lbmFoam'
    log = trial.log(program)
    run = waited(trial.lab, trial.lab.start([program], case, log), log)
    after = snapshot(case)
    stopped = program == 'lbmVoxelize' and hasattr(run, 'long') and run.status == -signal.SIGTERM
    if not stopped:
        run.ended()
    rebuilt = base == 'body' and run.status == 0
    unharmed({n: d for n, d in before.items() if not (rebuilt and n.startswith('constant/polyMesh'))}, after)
    left = [n for n in after if n not in before and ('unfinished' in n or n.endswith('.part'))]
    if left:
        raise Bad(HARMED, f'{left[0]} is left')
    if stopped:
        return RIGHT, f'told its many nodes, ended by SIGTERM in {run.long:.1f} s'
    if run.status == 0:
        if base == 'body':
            return judgeVoxels(trial, case, old, new)
        if hasattr(run, 'long'):
            if not times(case):
                raise Bad(WRONG, 'SIGTERM: no state was written')
            return RIGHT, f'told that it would take long, ended by SIGTERM in {run.long:.1f} s'
        return judge(trial, case, file, old, new, run)
    return run.refused(re.escape(file), *entryNames(old, new))


def entryNames(old, new):
    """What a refusal has to name besides the file: an entry that differs, or the line."""
    if new is None:
        return [r'line \d+|entry|keyword|header|empty']
    changed = changes(old, new)
    words = {part for path in changed for part in path.split('/') if len(part) > 1}
    return ['|'.join([re.escape(w) for w in sorted(words)] + [r'line \d+', 'header'])] if changed else []


def judgeVoxels(trial, case, old, new):
    if new is None:
        raise Bad(WRONG, 'accepted, though foamDictionary cannot read it')
    changed = {k: v for k, v in changes(old, new).items() if not k.startswith('FoamFile')}
    known = ('surfaces scale cells cellSize origin box insidePoint inside patches box/min box/max box/patches').split()
    for path, (_, value) in changed.items():
        if value is not None and path not in known and not path.startswith('patches/'):
            raise Bad(WRONG, f'unknown entry {path} was accepted')
    checked = trial.lab.run(['checkMesh'], case, trial.log('checkMesh'))
    if 'Mesh OK' not in checked.log:
        raise Bad(WRONG, 'checkMesh does not take the mesh: ' + checked.last())
    if not changed:
        base = trial.lab.path('body')
        for name in ('points', 'faces', 'owner', 'neighbour'):
            if read(f'{case}/constant/polyMesh/{name}') != read(f'{base}/constant/polyMesh/{name}'):
                raise Bad(WRONG, f'polyMesh/{name} differs, though nothing was changed that has a meaning')
    return RIGHT, 'a mesh'
