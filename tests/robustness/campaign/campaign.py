#!/usr/bin/env python3
"""Random tries of what hostile or broken input, kills and full disks do to lbmFoam and lbmVoxelize.

campaign.py --build BUILD --tutorials DIR --work DIR [--seed N] [--only KIND,...] [--tries N] [--try K] [--jobs N]

Prints the outcomes of each kind of try and, for each bad one, what was tried and the command that tries it again; exits
non-zero if there is a bad one. Every try's random numbers follow from seed, kind and number alone (moments of kills and
starts by the clock do not). Needs python3 and numpy. Part of lbmFoam, GPL-3.0-or-later."""
import argparse
import concurrent.futures
import importlib
import os
import shlex
import shutil
import sys
import time
import traceback

sys.dont_write_bytecode = True
import trial
from trial import Bad, Lab, Trial

# Tries of each kind unless --tries says otherwise
KINDS = {'surfaces': 50, 'dictionaries': 200, 'meshes': 100, 'kills': 40, 'checkpoints': 30, 'disks': 16, 'pairs': 10}

lab = None


def attempt(kind, seed, number, keep):
    """One try: its outcome, what it did, details, seconds."""
    one = Trial(lab, kind, seed, number)
    begin = time.monotonic()
    try:
        outcome, detail = importlib.import_module(kind).attempt(one)
    except Bad as bad:
        outcome, detail = bad.outcome, bad.detail
    except Exception:           # of the campaign itself: a try that was not judged is no good one
        outcome, detail = 'not judged', traceback.format_exc()
    if outcome in trial.GOOD and not keep:
        shutil.rmtree(one.folder, ignore_errors=True)
    return kind, number, outcome, one.what, detail, time.monotonic() - begin


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', required=True, help="lbmFoam's build folder")
    parser.add_argument('--tutorials', required=True, help="OpenFOAM's example cases")
    parser.add_argument('--work', required=True, help='folder for cases and logs')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--only', help='kinds, separated by commas: ' + ' '.join(KINDS))
    parser.add_argument('--tries', type=int, help='of each kind; default ' + str(KINDS))
    parser.add_argument('--try', type=int, dest='one', help='this try alone, and keep its folder')
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--keep', action='store_true', help='the folders of good tries too')
    given = parser.parse_args()
    given.kinds = given.only.split(',') if given.only else list(KINDS)
    for kind in given.kinds:
        if kind not in KINDS:
            parser.error(f'{kind} is none of {" ".join(KINDS)}')
    return given


def again(given, kind, number):
    command = [sys.argv[0], '--build', given.build, '--tutorials', given.tutorials, '--work', given.work,
               '--seed', str(given.seed), '--only', kind, '--try', str(number)]
    return ' '.join(shlex.quote(word) for word in command)


def table(rows, kinds):
    """Outcomes by kind, as text."""
    names = list(trial.OUTCOMES) + (['not judged'] if any(r[2] == 'not judged' for r in rows) else [])
    lines = [('kind', 'tries', *names)]
    for kind in kinds:
        own = [r[2] for r in rows if r[0] == kind]
        lines.append((kind, str(len(own)), *(str(own.count(n)) for n in names)))
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return '\n'.join('  '.join(cell.ljust(w) if i == 0 else cell.rjust(w)
                               for i, (cell, w) in enumerate(zip(line, widths))) for line in lines)


def main():
    global lab
    given = arguments()
    lab = Lab(given.build, given.tutorials, given.work)
    todo = []
    for kind in given.kinds:
        module = importlib.import_module(kind)
        reason = module.impossible(lab) if hasattr(module, 'impossible') else ''
        if reason:
            print(f'{kind}: left out, {reason}')
            continue
        module.prepare(lab)
        numbers = [given.one] if given.one is not None else range(given.tries or KINDS[kind])
        todo += [(kind, given.seed, number, given.keep or given.one is not None) for number in numbers]

    rows = []
    with open(os.path.join(given.work, 'tries.tsv'), 'w') as record, \
            concurrent.futures.ProcessPoolExecutor(given.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(attempt, *one) for one in todo]):
            row = kind, number, outcome, what, detail, seconds = future.result()
            rows.append(row)
            record.write('\t'.join(str(x).replace('\t', ' ').replace('\n', ' | ') for x in row) + '\n')
            record.flush()
            if outcome not in trial.GOOD or given.one is not None:
                print(f'{kind} {number}: {outcome.upper()}\n    tried   {what}\n    seen    {detail}\n'
                      f'    again   {again(given, kind, number)}', flush=True)
    print(table(rows, given.kinds))
    return 1 if any(r[2] not in trial.GOOD for r in rows) else 0


if __name__ == '__main__':
    sys.exit(main())
