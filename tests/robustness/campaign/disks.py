"""Disks that fill up: a case in a file system of its own whose size is anything between too small and enough.

Needs leave to mount (as root, or in a user namespace); without it the tries are left out. lbmFoam must say "No space left",
name the file, keep every earlier time as the whole run wrote it and leave nothing unfinished; a run over the times of one
before must leave each wholly old or wholly new; lbmVoxelize must keep the mesh that was there.
Part of lbmFoam, GPL-3.0-or-later."""
import os
import re
import shutil
import subprocess

import cases
from foam import times
from kills import belongs, fingerprints
from kills import rerun as makeRerun
from trial import HARMED, MESSAGE, REFUSED, RIGHT, Bad, snapshot, unharmed

page = 4096


def impossible(lab):
    """Why there can be no try, or ''."""
    folder = os.path.join(lab.work, 'probe')
    os.makedirs(folder, exist_ok=True)
    command = unshare() + [f"mount -t tmpfs -o size=100k tmpfs '{folder}'"]
    return '' if subprocess.run(command, capture_output=True).returncode == 0 else 'nothing can be mounted here'


def unshare():
    return ['unshare', '-m' if os.geteuid() == 0 else '-rm', 'sh', '-c']


def prepare(lab):
    cases.cavity(lab)

    def makeBall(folder):
        cases.makeSurfaceCase(lab, folder, cases.boxEntries)
        lab.tool(['lbmVoxelize'], folder)
    lab.once('body', makeBall)
    lab.once('rerun.same', lambda folder: makeRerun(lab, folder, 'same'))


def pages(folder):
    """What the files below a folder take, in pages."""
    return sum((os.lstat(os.path.join(at, n)).st_size + page - 1)//page for at, _, files in os.walk(folder) for n in files)


def attempt(trial):
    rng, lab = trial.rng, trial.lab
    kind = rng.choice(['fresh', 'fresh', 'rerun', 'voxelize'])
    # What a run writes, and what it needs while it replaces what is there
    base, most, program = {
        'fresh': ('cavity', pages(lab.path('cavity.whole')) - pages(lab.path('cavity')), 'lbmFoam'),
        'rerun': ('rerun.same', pages(lab.path('rerun.same') + '/0.06'), 'lbmFoam'),
        'voxelize': ('body', pages(lab.path('body') + '/constant/polyMesh'), 'lbmVoxelize')}[kind]
    case = trial.case(base)
    room = rng.randrange(0, most + 3)
    size = (pages(case) + room)*page
    few = rng.random() < 0.25
    limit = f'size={size}'
    if few:
        names = sum(len(f) + len(d) for _, d, f in os.walk(case)) + 2 + rng.randrange(0, 30)
        limit = f'size={size*4},nr_inodes={names}'
    trial.did(f'{kind}, a file system of {limit}')

    disk, kept, log = f'{trial.folder}/disk', f'{trial.folder}/kept', trial.log(program)
    os.makedirs(disk)
    script = (f"mount -t tmpfs -o {limit} tmpfs '{disk}' && cp -a '{case}/.' '{disk}' || exit 99; "
              f"{program} -case '{disk}' > '{log}' 2>&1; code=$?; cp -a '{disk}' '{kept}'; exit $code")
    run = lab.run(unshare() + [script], trial.folder, trial.log('unshare'))
    if run.status == 99:
        return REFUSED, 'the case itself does not fit'
    run.log = open(log, errors='replace').read()
    run.ended()

    before, after = snapshot(case), snapshot(kept)
    left = [n for n in after if n not in before and ('unfinished' in n or n.endswith('.part'))]
    if left:
        raise Bad(HARMED, f'{left[0]} is left')
    if kind == 'fresh':
        for t in times(kept):
            if f'{t}/T' not in before:
                belongs(kept, t, [fingerprints(lab.path('cavity.whole'))])
        unharmed(before, after)
    elif kind == 'rerun':
        first, second = lab.kept['rerun.same'][:2]
        for t in times(kept):
            belongs(kept, t, [first, second])
            if f'{t}/T' in before and f'{t}/T' not in after:
                raise Bad(HARMED, f'{t}/T is gone')
    elif run.status == 1:
        unharmed(before, after)
    if run.status == 0:
        shutil.rmtree(kept)
        return RIGHT, 'there was room'
    if not re.search('No space left', run.log):
        raise Bad(MESSAGE, f'does not say "No space left": {run.fatal[:400] or run.last()}')
    if program == 'lbmFoam' and 'arlier times are whole' not in run.log:
        raise Bad(MESSAGE, f'does not say that earlier times are whole: {run.fatal[:400]}')
    # The file or folder that could not be written, below the case
    return run.refused(re.escape(disk) + r'"?/\S+')
