#!/usr/bin/env python3
"""Turbulent flows beside what is published: Taylor-Green vortex, plane channels, bodies in a stream. Ordinary OpenFOAM cases.

Each case of the table below is made, run by lbmFoam and judged; a line for each. Without `device` or `precision` among
--entries, a case has no system/lbmDict but for what the table names, which is the node spacing where the mesh is coarser.

    turbulence.py --build BUILD --work FOLDER [--only NAME ...] [--full | --shipped] [--entries TEXT] [--limit S] [--markdown FILE]

--only takes patterns of names: 'channel*'. --full: those for a GPU, with --entries 'device cuda; precision float;'.
--shipped: OpenFOAM's own tutorials of LES, beside its own solvers. Needs numpy.
Ends with a non-zero status where a case does not keep its limits. Part of lbmFoam, GPL-3.0-or-later.
"""
import argparse
import fnmatch
import math
import os
import shutil
import sys
import time
from pathlib import Path

import bodies
import channel
import decay
import step
import stream
import vortex
from foamCase import Failed

# For two cores, a minute or less each: name, function, its arguments
QUICK = [
    *((f'stream-{model}', stream.even, dict(model=model)) for model in ('laminar', 'Smagorinsky', 'WALE', 'Vreman', 'QR')),
    *((f'stream2D-{model}', stream.even, dict(model=model, cells=(128, 32, 1))) for model in ('laminar', 'WALE')),
    *((f'vortex32NoViscosity-{name}', vortex.stable, dict(nodes=32, re=re, end=20, entries=entries))
      for name, re, entries in (('default', 1e9, ''), ('hybridRegularized', 5e4, 'storage moments; collision hybridRegularized;'),
                                ('cumulantOnes', 5e4, 'lattice D3Q27; storage moments; collision cumulantOnes;'))),
    *((f'vortex64-{name}', vortex.stable, dict(nodes=64, model=model, entries=entries))
      for name, model, entries in (('Smagorinsky', 'Smagorinsky', ''), ('WALE', 'WALE', ''), ('Vreman', 'Vreman', ''), ('QR', 'QR', ''),
                                   ('hybridRegularized', 'laminar', 'storage moments; collision hybridRegularized;'),
                                   ('cumulant', 'laminar', 'lattice D3Q27; storage aa; collision cumulant;'),
                                   ('cumulantOnes', 'laminar', 'lattice D3Q27; storage moments; collision cumulantOnes;'))),
    *((f'channel{re}-10', channel.modelled, dict(size=(4, 2), n=10, reTau=re, times=(4, 8))) for re in (1000, 5200, 20000)),
    ('duct5200-8', channel.turned, dict(n=8, reTau=5200, times=(4, 8))),
    ('duct5200-8-links', channel.turned, dict(n=8, reTau=5200, times=(4, 8), entries='turbulenceOn lattice;')),
    # Of few nodes, to be compared with each other: the fluid sticks, and a law link by link
    *((f'{name}-{how}', body, dict(arguments, wallLaw=how == 'law')) for how in ('sticks', 'law') for name, body, arguments in
      (('ahmed25-8', bodies.ahmedBody, dict(n=8, passages=(3, 6))),
       ('sphere10000-10', bodies.sphere, dict(n=10, size=(2.5, 5, 2.5), times=(8, 16))))),
    ('cylinder3900-10', bodies.circular, dict(n=10, size=(4, 8, 4, 1.6), times=(25, 70))),
    # Fewer still, for everyday tests: the layers of so few nodes are too thick, so that limits are about what was found (2026-11-28:
    # drag 0.829; drag 1.643, St 0.229, -Cpb 1.49)
    ('sphere10000-8', bodies.sphere, dict(n=8, size=(2, 4, 2), times=(6, 14), within=(0.75, 0.9))),
    ('cylinder3900-8', bodies.circular, dict(n=8, size=(3, 6, 3, 1), times=(15, 45), within=((1.5, 1.8), (0.2, 0.25), (1.3, 1.65)))),
    ('square21400-9', bodies.square, dict(n=9, size=(4, 8, 4, 1), times=(20, 50), within=((2, 2.8), (0.12, 0.15)))),
    # OpenFOAM's own, with half of its cells a side
    ('decayIsoTurb-32', decay.isotropic, dict(n=32, times=('0.1',), waves=((16, 6), (6, 4)), limits=(0.05, 0.2))),
]

# OpenFOAM's tutorials as it ships them, by its own solvers, too: a quarter of an hour each and more of two cores
SHIPPED = [
    ('decayIsoTurb', decay.isotropic, dict(n=64, times=('0.28', '0.66', '1'), waves=((32, 6), (6, 4)), limits=(0.1, 0.3))),
    ('pitzDaily', step.pitzDaily, dict(times=('0.03', '0.065', '0.1'), within=0.25)),
]

# K17 in its 17 moments, without a model, whatever the grid Reynolds number: what it makes by itself of eddies that nodes do not
# resolve
THIRD = 'lattice D3Q27; collision cumulant; storage moments; maxGridReynolds 1e5;'

# For a GPU
FULL = [
    ('vortex256', vortex.dissipation, dict(nodes=256, cells=128, entries='')),
    ('vortex256-cumulant', vortex.dissipation, dict(nodes=256, cells=128, entries='lattice D3Q27; collision cumulant;')),
    ('channel180', channel.resolved, dict(size=(4, 2), n=64, cells=(64, 128, 64), times=(4, 18), step=0.05, entries='referenceSpeed 20;')),
    # Coarser, for what a given error takes; of K17, and of D3Q19 in moments
    *((f'channel180-{n}{name}', channel.resolved, dict(size=(4, 2), n=n, cells=(4*n, 2*n, 2*n), times=(5, 12), step=0.05,
                                                       entries='referenceSpeed 20;' + entries))
      for n in (16, 24, 32) for name, entries in (('-cumulant', ' lattice D3Q27; collision cumulant; maxGridReynolds 400;'),
                                          ('-hybridRegularized', ' lattice D3Q19; collision hybridRegularized; maxGridReynolds 400;'))),
    # Moser, Kim & Mansour 1999: bulk velocity over friction velocity
    ('channel395', channel.sustained, dict(size=(4, 2), n=24, reTau=395, wanted=17.54)),
    *((f'channel{re}-{n}', channel.modelled, dict(size=(4, 2), n=n, reTau=re, times=(10, 30), step=0.02))
      for re in (1000, 5200, 20000) for n in (10, 20)),
    ('sphere10000', bodies.sphere, dict(n=40, times=(25, 70))),
    ('sphere10000-law', bodies.sphere, dict(n=40, times=(25, 70), wallLaw=True)),
    ('cylinder3900', bodies.circular, dict(n=32, times=(40, 120))),
    # 5 and 3 % of the stream blocked, for the Strouhal number. The wake is that of the start until t = 70 or so
    ('cylinder3900-wide', bodies.circular, dict(n=32, size=(6, 12, 10, math.pi), times=(70, 240))),
    ('cylinder3900-24-cumulant', bodies.circular, dict(n=24, size=(6, 12, 15, math.pi), times=(30, 100), model='laminar', entries=THIRD)),
    *((f'square21400-{n}', bodies.square, dict(n=n)) for n in (20, 32)),
    ('ahmed25', bodies.ahmedBody, dict(n=32, wallLaw=True)),
    ('ahmed25-sticks', bodies.ahmedBody, dict(n=32)),
    *((f'ahmed25-{n}', bodies.ahmedBody, dict(n=n, wallLaw=True, passages=passages))
      for n, passages in ((48, (4, 8)), (64, (4, 8)), (80, (4, 8)), (96, (3, 6)))),
    # At Mach 0.1 the relaxation time would be 1/2 but for rounding; coarser, the fluid is thicker for that
    *((f'ahmed25-{n}-cumulant', bodies.ahmedBody, dict(n=n, nu=nu, model='laminar', passages=(4, 8), entries=f'{THIRD} maxMach 0.15;'))
      for n, nu in ((48, 1.46e-5), (32, 2.2e-5))),
    # WALE has no eddies in shear alone, Smagorinsky has
    *((f'duct5200-16-links{name}', channel.turned, dict(n=16, reTau=5200, times=(8, 16), model=model, entries='turbulenceOn lattice;'))
      for name, model in (('', 'WALE'), ('-smagorinsky', 'Smagorinsky'))),
]


def attempt(args, name, function, arguments):
    case = args.work/name
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    arguments = dict(arguments, entries=' '.join([arguments.get('entries', ''), args.entries]).strip(), limit=args.limit)
    begin = time.time()
    try:
        good, line = function(args.build, case, **arguments)
    except (Failed, ValueError) as fault:
        good, line = False, f'failed: {fault}'
    return name, 'kept' if good else 'not kept', line.replace('|', '/'), f'{time.time() - begin:.0f}'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=Path, required=True)
    parser.add_argument('--work', type=Path, required=True)
    parser.add_argument('--only', nargs='*', default=['*'])
    parser.add_argument('--full', action='store_true', help='cases for a GPU')
    parser.add_argument('--shipped', action='store_true', help="OpenFOAM's own tutorials, beside its own solvers")
    parser.add_argument('--entries', default='', help='of system/lbmDict')
    parser.add_argument('--limit', type=float, help='seconds for a run')
    parser.add_argument('--markdown', type=Path, help='table to write')
    args = parser.parse_args()
    args.build, args.work = args.build.resolve(), args.work.resolve()
    os.environ['OMP_WAIT_POLICY'] = 'passive'
    chosen = [c for c in (FULL if args.full else SHIPPED if args.shipped else QUICK) if any(fnmatch.fnmatch(c[0], pattern) for pattern in args.only)]
    if not chosen:
        sys.exit('no case is of that name')
    table = []
    for name, function, arguments in chosen:
        table.append(attempt(args, name, function, arguments))
        print('| ' + ' | '.join(table[-1]) + ' |', flush=True)
    if args.markdown:
        lines = [('case', 'limits', 'found (wanted)', 's'), ['---']*4, *table]
        args.markdown.write_text(''.join('| ' + ' | '.join(line) + ' |\n' for line in lines))
    wrong = [row for row in table if row[1] != 'kept']
    print(f'{len(table) - len(wrong)} of {len(table)} keep their limits')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
