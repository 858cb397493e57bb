"""Runs that are killed with SIGKILL at any moment, and what they leave.

Even tries keep two times (purgeWrite 2) with all checkpoints, odd ones run again, with other conditions and another format,
over the times of a run before. After the kill every time folder must be wholly what one of the runs writes; then the run is
started again, undisturbed, and must end with what it always ends with, and leave nothing that a whole run does not.
Half of the kills come just before a call that changes the disk (killAt.cpp), half by the clock.
Part of lbmFoam, GPL-3.0-or-later."""
import os
import shutil
import signal
import time

import cases
from foam import Unreadable, difference, fieldFile, read, readField, setEntry, times
from trial import HARMED, RIGHT, WRONG, Bad, digest, snapshot, unharmed

written = ('U', 'U.gz', 'p', 'p.gz', 'uniform/time', 'uniform/lbmCheckpoint.h5')
foreign = 'T'           # a field of another solver in a time of the run before


def prepare(lab):
    cases.cavity(lab)
    lab.once('purged', lambda folder: purged(lab, folder))
    for name in SECOND:
        lab.once(f'rerun.{name}', lambda folder, name=name: rerun(lab, folder, name))


def control(case, **entries):
    for key, value in entries.items():
        setEntry(f'{case}/system/controlDict', key, value)


def lbmDict(case, **entries):
    for key, value in entries.items():
        setEntry(f'{case}/system/lbmDict', key, value)


def whole(lab, case):
    """Runs the case; digests of what it wrote by time and file, names at the top, seconds, calls that change the disk."""
    begin = time.monotonic()
    run = lab.run(['lbmFoam'], case)
    if run.status:
        raise RuntimeError(f'{case}\n{run.log[-2000:]}')
    return fingerprints(case), set(os.listdir(case)), time.monotonic() - begin


def fingerprints(case):
    return {t: {f: digest(f'{case}/{t}/{f}') for f in written if os.path.isfile(f'{case}/{t}/{f}')} for t in times(case)}


def callsOf(lab, case):
    """What each call of the program that changes the disk is (see killAt.cpp); nothing without that library."""
    library = lab.preload('killAt')
    if not library:
        return []
    copy, calls = f'{case}.counted', f'{case}.calls'
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(case, copy, symlinks=True)
    lab.run(['lbmFoam'], copy, environment={'LD_PRELOAD': library, 'LBM_KILL_LOG': calls})
    return [line.split()[1] for line in read(calls).decode().splitlines()]


def purged(lab, folder):
    """The case that keeps two times, and what the run that keeps all wrote."""
    shutil.copytree(lab.path('cavity'), folder)
    for name in cases.bystanders:
        shutil.rmtree(f'{folder}/{name.split("/")[0]}', ignore_errors=True)
    control(folder, startFrom='latestTime', endTime=0.06, writeInterval=1)
    shutil.copytree(folder, f'{folder}.all')
    control(folder, purgeWrite=2)
    all_, _, _ = whole(lab, f'{folder}.all')
    shutil.copytree(folder, f'{folder}.whole')
    last, names, seconds = whole(lab, f'{folder}.whole')
    return all_, last, names, seconds, callsOf(lab, folder)


# How a second run differs besides its lid
SECOND = {
    'same': ({}, {}),
    'packed': ({'writeCompression': 'on'}, {}),
    'binary': ({'writeFormat': 'binary'}, {}),
    'none': ({}, {'checkpoint': 'none'}),
    'latest': ({'writeFormat': 'binary', 'writeCompression': 'on'}, {'checkpoint': 'latest'}),
}


def rerun(lab, folder, name):
    """The case with the times of a first run in it, and what first and second run write."""
    shutil.copytree(lab.path('cavity'), folder)
    for old in cases.bystanders:
        shutil.rmtree(f'{folder}/{old.split("/")[0]}', ignore_errors=True)
    control(folder, endTime=0.06, writeInterval=2)
    second = f'{folder}.whole'
    shutil.copytree(folder, second)
    first, _, _ = whole(lab, folder)
    for case in (folder, second):
        path = f'{case}/0/U'
        text = read(path).replace(b'uniform (1 0 0)', b'uniform (0.5 0 0)')
        with open(path, 'wb') as file:
            file.write(text)
        control(case, **SECOND[name][0])
        lbmDict(case, **SECOND[name][1])
    again, names, seconds = whole(lab, second)
    for t in times(folder):
        with open(f'{folder}/{t}/{foreign}', 'w') as file:
            file.write('a field of another solver')
    longer = f'{folder}.longer'
    shutil.copytree(second, longer)
    resumed(lab, longer)
    return first, again, names | {'log.lbmFoam'}, seconds, callsOf(lab, folder), readField(fieldFile(f'{longer}/0.08', 'U'))


def resumed(lab, case):
    """The run after: from the latest time on."""
    control(case, startFrom='latestTime', endTime=0.08)
    return lab.run(['lbmFoam'], case)


# -- the moment

def kill(trial, case, seconds, calls):
    """Starts the program and kills it; False where it had ended before."""
    rng, lab, log = trial.rng, trial.lab, trial.log('killed')
    if calls and rng.random() < 0.5:
        # Rare ones as often as writes, of which there are many
        kind = rng.choice(sorted(set(calls)))
        at = rng.choice([i for i, c in enumerate(calls) if c == kind]) + 1
        trial.did(f'killed before call {at} of {len(calls)} that change the disk: {kind}')
        process = lab.start(['lbmFoam'], case, log, {'LD_PRELOAD': lab.preload('killAt'), 'LBM_KILL_AT': str(at)})
        run = lab.finish(process, log)
    else:
        # Writing begins about half-way
        delay = seconds*rng.uniform(0.2, 1.1)
        trial.did(f'killed after {delay:.3f} s')
        process = lab.start(['lbmFoam'], case, log)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        run = lab.finish(process, log)
    if run.status not in (0, -signal.SIGKILL) or run.timedOut:
        run.ended()
        raise Bad(WRONG, f'it ended with {run.status} before it was killed; {run.last()}')
    return run.status != 0


def belongs(case, t, choices, optional=()):
    """Raises unless all files of a time are those of one of the runs."""
    found = {f: digest(f'{case}/{t}/{f}') for f in written if os.path.isfile(f'{case}/{t}/{f}')}
    for choice in choices:
        if t in choice and {f: d for f, d in found.items() if f not in optional} == \
                {f: d for f, d in choice[t].items() if f not in optional}:
            return
    whose = {f: [i for i, c in enumerate(choices) if c.get(t, {}).get(f) == d] for f, d in found.items()}
    raise Bad(HARMED, f'time {t} holds files of runs {whose}')


def nothingElse(case, names, allowed):
    extra = [n for n in os.listdir(case) if n not in names and n not in allowed and not n.startswith('log.')]
    if extra:
        raise Bad(HARMED, f'left over after the next run: {extra}')


def again(trial, case):
    run = trial.lab.run(['lbmFoam'], case, trial.log('again'))
    run.ended()
    if run.status:
        raise Bad(HARMED, f'the run after the kill is refused: {run.fatal[:300]}')
    return run


def attemptPurged(trial):
    all_, last, names, seconds, calls = trial.lab.kept['purged']
    case = trial.case('purged')
    cases.addNotes(trial, case)
    before = snapshot(case)
    kills = trial.rng.choice([1, 1, 2, 3])
    for _ in range(kills):
        kill(trial, case, seconds, calls)
        for t in times(case):
            belongs(case, t, [all_])
    run = again(trial, case)
    for t in times(case):
        belongs(case, t, [all_])
    for t in last:
        if t not in times(case):
            raise Bad(WRONG, f'time {t} is missing')
    # OpenFOAM's purgeWrite, and so lbmFoam's, is about the times that the present process has written (Time::writeObject,
    # previousWriteTimes_): those of a process that was killed stay, two and the one that was being purged for
    if len(times(case)) > 3*kills + 2:
        raise Bad(HARMED, f'times {times(case)} are kept')
    unharmed(before, snapshot(case))
    nothingElse(case, names, [*times(case), cases.notes])
    return RIGHT, 'resumed' if 'Start: checkpoint' in run.log else 'begun again'


def attemptRerun(trial):
    name = trial.rng.choice(sorted(SECOND))
    trial.did(f'over times of a run before, {name}')
    first, second, names, seconds, calls, longer = trial.lab.kept[f'rerun.{name}']
    case = trial.case(f'rerun.{name}')
    latest = SECOND[name][1].get('checkpoint') == 'latest'
    # The second run's own checkpoints go as it moves on
    optional = ('uniform/lbmCheckpoint.h5',) if latest else ()
    for _ in range(trial.rng.choice([1, 1, 2])):
        kill(trial, case, seconds, calls)
        for t in times(case):
            belongs(case, t, [first, second], optional)
    again(trial, case)
    for t in second:
        belongs(case, t, [second])
        if not os.path.isfile(f'{case}/{t}/{foreign}'):
            raise Bad(HARMED, f'{t}/{foreign}, of another solver, is gone')
    nothingElse(case, names, times(case))
    run = resumed(trial.lab, case)
    run.ended()
    try:
        off = difference(readField(fieldFile(f'{case}/0.08', 'U')), longer)
    except Unreadable as why:
        raise Bad(WRONG, f'the run after does not reach its end: {why}; {run.fatal[:200]}') from None
    if not off < 1e-7:
        raise Bad(WRONG, f'the run after goes on from other fields: U is {100*off:.3g} % off')
    return RIGHT, 'whole'


def attempt(trial):
    return attemptRerun(trial) if trial.number % 2 else attemptPurged(trial)
