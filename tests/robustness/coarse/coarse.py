#!/usr/bin/env python3
"""Flows on lattices far too coarse for their Reynolds numbers, without any system/lbmDict: none may diverge.

Twenty of seven shapes (rows.py, cases.py), 10 to 30 nodes across, at Reynolds numbers of 10^3 to 10^7: what lbmFoam chose, what
its guard did, and drags or losses beside what is known of them. A row for each run:

    ends      the run came to its end, all values finite, no speed absurd
    refused   lbmFoam ended with a message before the first step
    diverged  it ended with its diagnosis; how is told
    silent    the guard of the viscosity acted, and no sentence tells that the flow is under-resolved
    untold    in a run of the usual time, drag is off by more than half of what is known, or loss by 0.3 dynamic pressures, and
              the log warns of nothing
    absurd    speeds of more than four times the given one in the second half of the run

    coarse.py --build BUILD --tutorials FOLDER --work FOLDER [--only NAME ...] [--markdown FILE] [--limit S]
              [--share F] [--entries TEXT]

--only takes patterns of names: 'sphere-*'. Ends with a non-zero status where a row does not end. Part of lbmFoam,
GPL-3.0-or-later.
"""
import argparse
import fnmatch
import math
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import cases
import rows

fastest = 4     # times the given speed
# Of a known drag; of the dynamic pressure, for what ducts lose is a difference of pressures of that size, which may be next to none
farthestBody, farthestDuct = 0.5, 0.3
HEAD = ('case', 'across', 'verdict', 'lattice, collision, closure, storage', 'outlets', 'nodes', 'Ma', 'tau', 'lattice steps',
        'speed', 'guarded', 'viscosity up to', 'begun again', 'coefficient', 'known', 'off', 's')


def lastOf(pattern, text, otherwise=''):
    found = re.findall(pattern, text, re.M)
    return found[-1] if found else otherwise


def guarded(log):
    """Share of the volume [%] and factor of viscosity that the log told last; None: the guard never acted."""
    told = re.findall(r'^guard: in (\S+) % of the volume viscosity is raised, up to (\S+) times', log, re.M)
    return (float(told[-1][0]), float(told[-1][1])) if told else None


def coefficient(case, shape):
    """Mean over the second half of the run: drag, or pressure at the inlet over that of the given speed."""
    body = shape in cases.BODIES
    files = sorted((case/'postProcessing').rglob('coefficient.dat' if body else 'surfaceFieldValue.dat'))
    if not files:
        return math.nan
    lines = [line.split() for line in files[-1].read_text().splitlines() if not line.startswith('#')]
    if not lines:
        return math.nan
    half = [line for line in lines if float(line[0]) > 0.5*float(lines[-1][0])]
    values = [float(line[1]) for line in half]
    return sum(values)/len(values)*(1 if body else 2)


def outlets(log):
    """How lbmFoam treats those patches, and whether it damps what comes near."""
    kinds = {kind for kind in re.findall(r'^    (?:outlet|upper|lower) +(\S.*?)  +\d+  ', log, re.M)}
    if re.search(r'^    sponge ', log, re.M):
        kinds.add('sponge')
    return ', '.join(sorted(kinds))


def warned(log):
    return 'under-resolved' in log or re.search(r'^    layers ', log, re.M) or 'Warning' in log


def message(log):
    found = re.search(r'-->\s*FOAM FATAL (?:IO )?ERROR:?\s*(.*?)(?:\n\s*\n|\nfile:|\n    From )', log, re.S)
    return ' '.join((found.group(1) if found else log[-300:]).split())[:160].replace('|', '/')


def judge(case, shape, number, across, share, status, log, seconds):
    reference = cases.BODIES.get(shape, (1, 1))[0]
    speeds = [float(s)/reference for s in re.findall(r'max\|U\| = (\S+) m/s', log)]
    late = max(speeds[len(speeds)//2:], default=math.nan)
    value = coefficient(case, shape)
    guard = guarded(log)
    known = rows.known(case, shape, number)
    body = shape in cases.BODIES
    off = 0 if known is None else (value - known)/(abs(known) if body else 1)
    if status != 0:
        verdict = 'refused' if not speeds else 'diverged' if 'diverged' in log else 'failed'
        verdict += f' ({status}): {message(log)}'
    elif not (math.isfinite(value) and math.isfinite(late)):
        verdict = 'not finite'
    elif late > fastest:
        verdict = 'absurd'
    elif guard and 'under-resolved' not in log:
        verdict = 'silent'
    elif share >= 1 and abs(off) > (farthestBody if body else farthestDuct) and not warned(log):
        verdict = 'untold'
    else:
        verdict = 'ends'
    kernel = lastOf(r'^    kernel +(.*)', log, '- - - - -').split()
    kernel = [k for k in kernel if k not in ('incompressible', 'quasiCompressible')]
    return (case.name, str(across), verdict,
            ' '.join(kernel[:kernel.index('double')] if 'double' in kernel else kernel), outlets(log),
            lastOf(r'^    fluid nodes +(\d+)', log, '-'), rounded(lastOf(r'^    Ma +(\S+)', log)),
            lastOf(r'^    tau +(\S+)', log, '-'), str(sum(map(int, re.findall(r'^lattice: (\d+) steps', log, re.M)))),
            f'{late:.2f}', f'{guard[0]:.3g} %' if guard else '-', f'{guard[1]:.3g} times' if guard else '-',
            str(log.count('The flow diverged: once more')), f'{value:.3g}', '-' if known is None else f'{known:.3g}',
            '-' if known is None else f'{100*off:+.0f} %', f'{seconds:.0f}')


def rounded(text):
    return f'{float(text):.3g}' if text else '-'


def attempt(args, shape, number, model, across):
    case = args.work/f'{shape}-{number}-{model}'
    shutil.rmtree(case, ignore_errors=True)
    cases.make(case, shape, float(number), model, across, args.share, args.tutorials, args.build)
    if args.entries:
        cases.put(case, 'system/lbmDict', args.entries)
    begin = time.time()
    with open(case/'log.lbmFoam', 'w') as out:
        status = subprocess.run(['timeout', str(args.limit), args.build/'bin/lbmFoam', '-case', case],
                                stdout=out, stderr=out).returncode
    log = (case/'log.lbmFoam').read_text(errors='replace')
    row = judge(case, shape, float(number), across, args.share, status, log, time.time() - begin)
    if row[2] == 'ends' and not args.keep:
        for name in ('constant/polyMesh', 'constant/triSurface'):
            shutil.rmtree(case/name, ignore_errors=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=Path, required=True)
    parser.add_argument('--tutorials', type=Path, required=True)
    parser.add_argument('--work', type=Path, required=True)
    parser.add_argument('--only', nargs='*', default=['*'])
    parser.add_argument('--markdown', type=Path, help='table to write')
    parser.add_argument('--limit', type=float, default=600, help='seconds for a run')
    parser.add_argument('--share', type=float, default=1, help='of the usual time of the flow')
    parser.add_argument('--entries', help='of a system/lbmDict all the same, to see what its absence spares')
    parser.add_argument('--keep', action='store_true', help='meshes and surfaces, too')
    args = parser.parse_args()
    for path in ('build', 'tutorials', 'work'):
        setattr(args, path, getattr(args, path).resolve())
    args.work.mkdir(parents=True, exist_ok=True)
    os.environ['OMP_WAIT_POLICY'] = 'passive'
    chosen = [r for r in rows.ROWS if any(fnmatch.fnmatch('-'.join(r[:3]), pattern) for pattern in args.only)]
    if not chosen:
        sys.exit('no row is of that name')
    table = []
    for row in chosen:
        table.append(attempt(args, *row))
        print('| ' + ' | '.join(table[-1]) + ' |', flush=True)
    if args.markdown:
        lines = [HEAD, ['---']*len(HEAD), *table]
        args.markdown.write_text(''.join('| ' + ' | '.join(line) + ' |\n' for line in lines))
    wrong = [row for row in table if row[2] != 'ends']
    print(f'{len(table) - len(wrong)} of {len(table)} end')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
