"""Two lbmFoam in one case, started one after the other within a short time, or after one that was killed or stopped.

Between the starts the lid's speed is halved, so that each would write other fields. One may go on, and its times must be
those that it writes alone; the other must be refused with words that tell of it. One that was killed must not stand in the
way of the next. Part of lbmFoam, GPL-3.0-or-later."""
import os
import re
import shutil
import signal
import time

import cases
from foam import bystander, read, setEntry, times, write
from kills import belongs, fingerprints
from trial import HARMED, MESSAGE, REFUSED, RIGHT, WRONG, Bad


def prepare(lab):
    cases.cavity(lab)

    def make(folder):
        """A case that takes about a second; what it writes with either lid."""
        shutil.copytree(lab.path('cavity'), folder)
        shutil.rmtree(f'{folder}/{bystander}')
        for key, value in (('endTime', 2), ('writeInterval', 20)):
            setEntry(f'{folder}/system/controlDict', key, value)
        return [alone(lab, folder, speed) for speed in (1, 0.5)]
    lab.once('pair', make)


def lid(case, speed):
    path = f'{case}/0/U'
    write(path, re.sub(rb'uniform \(\S+ 0 0\)(?=;\s*})', f'uniform ({speed} 0 0)'.encode(), read(path)))


def alone(lab, folder, speed):
    case = f'{folder}.{speed}'
    shutil.rmtree(case, ignore_errors=True)
    shutil.copytree(folder, case)
    lid(case, speed)
    begin = time.monotonic()
    lab.tool(['lbmFoam'], case)
    return fingerprints(case), set(os.listdir(case)), time.monotonic() - begin


def started(process, log):
    """Waits until the time loop runs."""
    while process.poll() is None and 'Starting time loop' not in read(log).decode('utf-8', 'replace'):
        time.sleep(0.005)


def holder(case, runs):
    """Of two runs the one that has the case, stopped until the other is judged; None: one has ended before it was seen."""
    while all(run.poll() is None for run in runs):
        try:
            found = re.search(rb'process (\d+)', read(f'{case}/lbmFoam.lock'))
        except OSError:
            found = None
        for run in runs:
            if found and int(found.group(1)) == run.pid:
                run.send_signal(signal.SIGSTOP)
                return run
        time.sleep(0.002)
    return None


def attempt(trial):
    rng, lab = trial.rng, trial.lab
    (first, names, seconds), (second, _, _) = lab.kept['pair']
    case = trial.case('pair')
    lid(case, 1)
    kind = rng.choice(['together', 'soon', 'later', 'killed', 'stopped'])
    through = rng.random() < 0.3
    other = case
    if through:
        other = f'{trial.folder}/link'
        os.symlink('case', other)
    logs = [trial.log('first'), trial.log('second')]
    a = lab.start(['lbmFoam', '-case', case], trial.folder, logs[0])
    if kind != 'together':
        started(a, logs[0])
    if kind == 'later':
        time.sleep(seconds*rng.uniform(0, 1.2))
    if kind == 'killed':
        time.sleep(seconds*rng.uniform(0, 0.5))
        a.kill()
        a.wait()
    if kind == 'stopped':
        a.send_signal(signal.SIGSTOP)
    lid(case, 0.5) if kind != 'together' else None
    trial.did(f'{kind}{", through a link" if through else ""}')
    b = lab.start(['lbmFoam', '-case', other], trial.folder, logs[1])
    # The first might be over before the second has begun where the machine is busy
    held = a if kind == 'stopped' else holder(case, [a, b]) if kind in ('together', 'soon') else None
    order = [0, 1] if held is b else [1, 0]
    runs = [None, None]
    for i in order:
        runs[i] = lab.finish([a, b][i], logs[i])
        if held and i == order[0]:
            held.send_signal(signal.SIGCONT)

    over = a.returncode == 0 and runs[1].status == 0
    if kind == 'killed':
        runs = runs[1:]
    for run in runs:
        run.ended()
    refused = [run for run in runs if run.status == 1]
    if kind == 'killed' and refused:
        raise Bad(WRONG, f'refused after one that was killed: {refused[0].fatal[:300]}')
    if len(refused) == 2:
        raise Bad(WRONG, f'both were refused: {refused[0].fatal[:200]}; {refused[1].fatal[:200]}')
    choices = {0: [first], 1: [second]}
    finished = [i for i, run in enumerate([*runs]) if run.status == 0] if kind != 'killed' else [1]
    # Both may end well only where the second began after the first had ended
    if over and held:
        raise Bad(HARMED, 'both ran at once with status 0; ' + harm(case, first, second))
    for t in times(case):
        belongs(case, t, [c for i in finished for c in choices[i]] if kind != 'together' else [first])
    if set(times(case)) != set(first):
        raise Bad(HARMED, f'times {times(case)}')
    extra = [n for n in os.listdir(case) if n not in names and not n.startswith('log.')]
    if extra:
        raise Bad(HARMED, f'left over: {extra}')
    if refused:
        words = refused[0].refused(r'(?i)process|pid|running|lock', r'\d+')
        return REFUSED, words[1]
    if len(runs) == 2 and not over:
        raise Bad(MESSAGE, 'neither ended well')
    return RIGHT, 'one after the other'


def harm(case, first, second):
    """What became of the case, for a message."""
    try:
        for t in times(case):
            belongs(case, t, [first, second])
    except Bad as bad:
        return bad.detail
    whose = ['first' if all(fingerprints(case)[t].get(f) == d for f, d in first[t].items()) else 'second'
             for t in times(case)]
    return f'times are of {whose}'
