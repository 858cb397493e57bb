"""Checkpoints that are damaged, of another time or case, or beside fields and settings that were changed.

A damaged or foreign one must be refused by name, or the run be the whole one's. Where settings were changed, "bit for bit"
must not be claimed, and U must stay near. Where U or p were changed beside it, something must be said.
Part of lbmFoam, GPL-3.0-or-later."""
import os
import re
import shutil

import numpy

import cases
from foam import Unreadable, bystander, difference, read, results, setEntry, times, write
from trial import HARMED, MESSAGE, RIGHT, WRONG, Bad, snapshot, unharmed

name = 'lbmCheckpoint.h5'
resumeAt, earlier = '0.05', '0.025'
exactly, inexactlyOff, littleOff = 1e-7, 0.01, 0.1


def prepare(lab):
    cases.cavity(lab)
    # Rare ones are not in every build
    rows = lab.tool(['lbmFoam', '-listKernels'], lab.base)
    if 'quasiCompressible' not in rows:
        LITTLE[:] = [entry for entry in LITTLE if entry[1] != 'quasiCompressible']
    if not re.search(r'D2Q9 trt .* float ', rows):
        LITTLE[:] = [entry for entry in LITTLE if entry[1] != 'float']
        OTHERS.pop('single', None)

    def make(folder):
        """Two times of the cavity's run; the fields of all. Beside it a case with other things in its checkpoints."""
        shutil.copytree(lab.path('cavity.whole'), folder)
        shutil.rmtree(f'{folder}/{bystander}')
        setEntry(f'{folder}/system/controlDict', 'startFrom', 'latestTime')
        for t in times(folder):
            if float(t) > float(resumeAt):
                shutil.rmtree(f'{folder}/{t}')
        for other, change in OTHERS.items():
            case = f'{folder}.{other}'
            shutil.rmtree(case, ignore_errors=True)
            shutil.copytree(lab.path('cavity'), case)
            change(case)
            lab.tool(['lbmFoam'], case)
        return results(lab.path('cavity.whole'))
    lab.once('half', make)


def lbmDict(case, key, value):
    setEntry(f'{case}/system/lbmDict', key, value)


def lid(case, speed):
    """In the latest time, too."""
    for t in ('0', resumeAt):
        path = f'{case}/{t}/U'
        if os.path.isfile(path):
            write(path, read(path).replace(b'uniform (1 0 0)', f'uniform ({speed} 0 0)'.encode()))


OTHERS = {
    'finer': lambda case: lbmDict(case, 'cells', 40),
    'thicker': lambda case: setEntry(f'{case}/constant/transportProperties', 'nu', 0.02),
    'slower': lambda case: lid(case, 0.5),
    'single': lambda case: lbmDict(case, 'precision', 'float'),
    'mrt': lambda case: lbmDict(case, 'collision', 'mrt'),
}

# Settings that change no bit, settings of the lattice, and of the flow
NEUTRAL = [('storage', 'ab'), ('storage', 't2c'), ('threads', 2), ('checkEvery', 3), ('checkpoint', 'latest'),
           ('checkpoint', 'none')]
LITTLE = [('precision', 'float'), ('collision', 'mrt'), ('collision', 'bgk'), ('collision', 'regularized'),
          ('wall', 'interpolated'), ('magic', 0.1), ('maxMach', 0.05), ('referenceSpeed', 1.5), ('cells', 40),
          ('equilibrium', 'quasiCompressible')]


# -- damage of the file: each takes (rng, bytes, trial) and gives others

def bits(rng, data, trial):
    n = rng.choice([1, 1, 1, 10])
    data = bytearray(data)
    for _ in range(n):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    trial.did(f'{n} bits flipped')
    return bytes(data)


def cut(rng, data, trial):
    n = rng.choice([0, 1, 511, 512, 4096, len(data) - 1, rng.randrange(len(data))])
    trial.did(f'cut to {n} of {len(data)} bytes')
    return data[:n]


def longer(rng, data, trial):
    n = rng.choice([1, 512, len(data)])
    trial.did(f'{n} bytes more')
    return data + bytes(n)


def zeroed(rng, data, trial):
    a = rng.randrange(len(data))
    n = rng.choice([1, 100, 4096])
    trial.did(f'{n} bytes from {a} zeroed')
    return data[:a] + bytes(min(n, len(data) - a)) + data[a + n:]


def firstLine(rng, data, trial):
    """The line that names the format and the digest."""
    end = data.index(b'\n')
    line = data[:end]
    new = rng.choice([line.replace(b' 1,', b' 2,'), line.replace(b'lbmFoam', b'lbmfoam'), b'x'*len(line), b'',
                      re.sub(rb'[0-9a-f]{8}', b'deadbeef', line, count=1), line.replace(b'CRC-32', b'CRC-16')])
    trial.did(f'first line {new[:60]!r}')
    return new + data[end:]


def junk(rng, data, trial):
    trial.did('noise')
    return bytes(rng.randrange(256) for _ in range(2000))


DAMAGE = [bits, bits, bits, cut, cut, longer, zeroed, firstLine, junk]


def notAFile(rng, path, trial):
    os.remove(path)
    kind = rng.choice(['folder', 'link to nowhere', 'link to /dev/null', 'link to /dev/zero', 'pipe'])
    trial.did(f'a {kind} for the file')
    if kind == 'folder':
        os.mkdir(path)
    elif kind == 'pipe':
        os.mkfifo(path)
    else:
        os.symlink({'to nowhere': '/nowhere', '/dev/null': '/dev/null', '/dev/zero': '/dev/zero'}[kind[-10:].strip()
                   if kind.endswith('nowhere') else kind.split()[-1]], path)


# -- tries

def attempt(trial):
    rng = trial.rng
    whole = trial.lab.kept['half']
    case = trial.case('half')
    file = f'{case}/{resumeAt}/uniform/{name}'
    kind = rng.choice(['damage']*4 + ['otherTime', 'otherCase', 'renamed', 'notAFile', 'neutral', 'little', 'little',
                                      'flow', 'fields', 'fields'])
    what = globals()['try' + kind[0].upper() + kind[1:]](rng, case, file, trial)

    before = snapshot(case)
    run = trial.lab.run(['lbmFoam'], case, trial.log('lbmFoam'))
    run.ended()
    after = snapshot(case)
    # With "latest" and "none" the checkpoint that the run started from may go once a newer one is there
    unharmed({n: d for n, d in before.items() if not (run.status == 0 and n.endswith(name))}, after)
    if any('unfinished' in n for n in after):
        raise Bad(HARMED, 'an unfinished time is left')
    if run.status == 1:
        if what == 'exact':
            raise Bad(MESSAGE, f'refused though nothing stands against it: {run.fatal[:300]}')
        return run.refused(*((r'0/U|0\.\d+/U|lbmCheckpoint|lbmDict',) if what == 'fields' else (name,)))
    try:
        found = results(case)
    except Unreadable as why:
        raise Bad(WRONG, str(why)) from None
    if '0.1' not in found:
        raise Bad(WRONG, f'ends with times {list(found)}')
    return RIGHT, judge(run, found, whole, what)


def judge(run, found, whole, what):
    off = max(difference(found[t]['U'], whole[t]['U']) for t in ('0.075', '0.1') if t in found)
    claims = 'bit for bit' in run.log and 'not bit for bit' not in run.log
    said = run.log[run.log.find('Start:'):run.log.find('Lattice\n')]
    if any(not numpy.isfinite(f).all() for fields in found.values() for f in fields.values()):
        raise Bad(WRONG, 'a field holds what is not finite')
    if what == 'exact':
        if off > exactly:
            raise Bad(WRONG, f'U is {100*off:.3g} % off the run that was not interrupted')
        return 'goes on as the whole run'
    if what == 'foreign':
        if re.search('restart is not exact|not its checkpoint', said) and off < inexactlyOff:
            return 'goes on from U and p, and says so'
        if off > exactly:
            raise Bad(WRONG, f'goes on from what is not its own, U {100*off:.3g} % off'
                      + (', "bit for bit"' if claims else ''))
        return 'goes on as the whole run'
    if what == 'otherTime':
        raise Bad(WRONG, f'a checkpoint of time {earlier} in the folder of {resumeAt} is taken, U {100*off:.3g} % off')
    if what == 'little':
        if claims and off > exactly:
            raise Bad(WRONG, f'"bit for bit" is claimed, U is {100*off:.3g} % off')
        if off > littleOff:
            raise Bad(WRONG, f'U is {100*off:.3g} % off')
        return f'U {100*off:.2g} % off'
    if what == 'flow':
        if claims:
            raise Bad(WRONG, '"bit for bit" is claimed though nu or the lid was changed')
        return 'another flow, and it is said'
    if not re.search(r'(?i)(internal|field|\bU\b|\bp\b)[^\n]*(chang|differ|newer|other|count)', said):
        raise Bad(WRONG, 'fields that were changed beside the checkpoint are ignored without a word')
    return 'changed fields are mentioned'


def tryDamage(rng, case, file, trial):
    data = read(file)
    new = rng.choice(DAMAGE)(rng, data, trial)
    write(file, new)
    return 'foreign'


def tryNotAFile(rng, case, file, trial):
    notAFile(rng, file, trial)
    return 'foreign'


def tryOtherTime(rng, case, file, trial):
    trial.did(f'the checkpoint of time {earlier} in the folder of {resumeAt}')
    shutil.copy(f'{case}/{earlier}/uniform/{name}', file)
    return 'otherTime'


def tryRenamed(rng, case, file, trial):
    trial.did(f'the folder of {earlier} under the name {resumeAt}')
    shutil.rmtree(f'{case}/{resumeAt}')
    os.rename(f'{case}/{earlier}', f'{case}/{resumeAt}')
    return 'otherTime'


def tryOtherCase(rng, case, file, trial):
    other = rng.choice(sorted(OTHERS))
    trial.did(f'the checkpoint of a case that is {other}')
    shutil.copy(f'{trial.lab.path("half")}.{other}/{resumeAt}/uniform/{name}', file)
    # Of the same flow in another form it is taken; of another flow the fields beside it differ
    return {'finer': 'foreign', 'single': 'little', 'mrt': 'little'}.get(other, 'fields')


def tryNeutral(rng, case, file, trial):
    key, value = rng.choice(NEUTRAL)
    trial.did(f'{key} {value}')
    lbmDict(case, key, value)
    return 'exact'


def tryLittle(rng, case, file, trial):
    key, value = rng.choice(LITTLE)
    trial.did(f'{key} {value}')
    lbmDict(case, key, value)
    return 'little'


def tryFlow(rng, case, file, trial):
    if rng.random() < 0.5:
        trial.did('nu 0.02')
        setEntry(f'{case}/constant/transportProperties', 'nu', 0.02)
    else:
        trial.did('the lid at half its speed')
        lid(case, 0.5)
    return 'flow'


def tryFields(rng, case, file, trial):
    """As setFields and mapFields do: other values in cells."""
    field = rng.choice(['U', 'U', 'p'])
    path = f'{case}/{resumeAt}/{field}'
    lines = read(path).split(b'\n')
    at = [i for i, line in enumerate(lines) if re.fullmatch(rb'\(\S+ \S+ \S+\)|[-+.\de]+', line)][1:]
    n = rng.choice([1, 20, len(at)])
    for i in rng.sample(at, min(n, len(at))):
        lines[i] = b'(0.3 0 0)' if field == 'U' else b'0.3'
    trial.did(f'{n} values of {field} changed beside the checkpoint')
    write(path, b'\n'.join(lines))
    return 'fields'
