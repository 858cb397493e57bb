#!/usr/bin/env python3
"""Writes plugin/tutorials.md, the list of OpenFOAM's tutorials that lbmFoam -help-compat tells, or checks it.

    compat.py --build BUILD --tutorials .../tutorials [--check]

Every case of the solvers that lbmFoam stands for (below incompressible, and heatTransfer/buoyantBoussinesq*) has a row, and
every row a folder of cases. --check writes nothing, and ends with a non-zero status where the file is not what it would write.

Part of lbmFoam, GPL-3.0-or-later.
"""
import argparse
import fnmatch
import re
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).resolve().parent.parent.parent / 'plugin' / 'tutorials.md'
# The tutorial's script makes the case, of another one
MADE = {'lumpedPointMotion/building/transient'}


def promised(build):
    """Rows of lbmFoam -help-compat: pattern of names, verdict, note."""
    told = subprocess.run([build / 'bin' / 'lbmFoam', '-help-compat'], capture_output=True, text=True, check=True)
    tutorials = told.stdout.split('\nTutorials', 1)[1]
    return re.findall(r'^    (\S+/\S+) +(runs|starts|untried|refused)\b *(.*)$', tutorials, re.M)


def cases(tutorials):
    """Names of the tutorials: folders with a controlDict, without those that only serve others."""
    names = set()
    for part, solvers in (('incompressible', '*'), ('heatTransfer', 'buoyantBoussinesq*')):
        for control in (tutorials / part).glob(f'{solvers}/**/system/controlDict*'):
            names.add(str(control.parent.parent.relative_to(tutorials / part)))
    return sorted(names)


def table(rows):
    lines = [
        "# OpenFOAM's tutorials",
        '',
        "OpenFOAM 1912's incompressible and Boussinesq tutorials, as they come, with lbmFoam in place of their solvers: `lbmFoam -help-compat`,",
        'from which `tests/census/compat.py` writes this. How far results are from',
        "OpenFOAM's, and in what time: [census](../tests/census/results.md).",
        '',
        'runs: to its end; starts: not yet run to it; untried; refused: with a message, before the first step.',
        '',
        '| tutorial | lbmFoam | note |',
        '|---|---|---|',
    ]
    lines += [f'| {name} | {verdict} | {note.strip()} |' for name, verdict, note in rows]
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, required=True)
    parser.add_argument('--tutorials', type=Path, required=True)
    parser.add_argument('--check', action='store_true')
    args = parser.parse_args()
    rows = promised(args.build)
    names = cases(args.tutorials)
    if len(rows) < 40 or len(names) < 40:
        sys.exit(f'only {len(rows)} rows and {len(names)} tutorials were found')
    faults = [f'{name}: lbmFoam -help-compat has no row of it' for name in names
              if not any(fnmatch.fnmatchcase(name, row[0]) or fnmatch.fnmatchcase(name, row[0] + '/*') for row in rows)]
    faults += [f'{row[0]}: there is no such tutorial' for row in rows if row[0] not in MADE
               and not any(fnmatch.fnmatchcase(name, row[0]) or fnmatch.fnmatchcase(name, row[0] + '/*') for name in names)]
    text = table(rows)
    if not args.check:
        LIST.write_text(text)
    elif not LIST.exists() or LIST.read_text() != text:
        faults.append(f'{LIST} is not what lbmFoam -help-compat tells: run compat.py without --check')
    if faults:
        sys.exit('\n'.join(faults))
    print(f'{len(rows)} rows, {len(names)} tutorials')


if __name__ == '__main__':
    main()
