"""Backward facing step: pisoFoam/LES/pitzDaily as OpenFOAM ships it, by lbmFoam and by pisoFoam.

Means are those of the tutorial's own fieldAverage, which begin with the run; from two of them follows the mean of the time between. Lines are
sampled by OpenFOAM's own `sets` in both. Part of lbmFoam, GPL-3.0-or-later."""
import shutil
from pathlib import Path

import numpy as np

from foamCase import lattice, mesh, put, solve, told, tutorial

HEIGHT = 0.0254     # of the step; of the channel before it, too
TUTORIAL = 'incompressible/pisoFoam/LES/pitzDaily'
STATIONS = (1, 2, 3, 4, 5, 6, 7, 8)     # step heights behind the step
POINTS = 101


def lines():
    """Name, ends, points: before the step, across the channel, along its middle, and along the floor in the cells at it."""
    h = HEIGHT
    yield 'before', (-0.5*h, 0.01*h), (-0.5*h, 0.99*h), POINTS
    yield from ((f'x{x}', (x*h, -0.99*h), (x*h, 0.99*h), POINTS) for x in STATIONS)
    yield 'middle', (0.01*h, 0), (8.1*h, 0), 4*POINTS
    yield 'floor', (0.01*h, -0.99*h), (8.1*h, -0.99*h), 4*POINTS


def sample(build, case, times):
    """By name of line and time: places along it [m], UMean's x and y there, and their mean squares' deviations."""
    sets = '\n'.join(f'{name} {{ type uniform; axis xyz; start ({a[0]:.8g} {a[1]:.8g} 0); end ({b[0]:.8g} {b[1]:.8g} 0); nPoints {n}; }}'
                     for name, a, b, n in lines())
    put(case, 'system/lesLines', f'''type sets; libs (sampling); interpolationScheme cellPoint; setFormat raw;
fields (UMean UPrime2Mean);
sets
(
{sets}
);
''')
    solve(build, case, program='postProcess', arguments=('-func', 'lesLines', '-time', ','.join(times)))
    found = {}
    for time in times:
        for name, *_ in lines():
            folder = Path(case)/'postProcessing/lesLines'/time
            u, squares = (np.loadtxt(folder/f'{name}_{field}.xy') for field in ('UMean', 'UPrime2Mean'))
            found[name, time] = np.column_stack((u[:, :2], u[:, 3:5], squares[:, (3, 6)]))
    return found


def between(found, name, begin, end):
    """Places, means of u and v, and their rms, of the time between two; begin None: from the start of the averages."""
    last = found[name, end]
    if begin is None:
        return np.column_stack((last[:, :4], np.sqrt(last[:, 4:])))
    first, a, b = found[name, begin], float(begin), float(end)
    mean = (b*last[:, 2:4] - a*first[:, 2:4])/(b - a)
    square = (b*(last[:, 4:] + last[:, 2:4]**2) - a*(first[:, 4:] + first[:, 2:4]**2))/(b - a)
    return np.column_stack((last[:, :2], mean, np.sqrt(np.maximum(square - mean**2, 0))))


def distance(one, other, columns=(2, 3)):
    """Root mean square difference along a line over the root mean square of the second."""
    columns = list(columns)
    return float(np.sqrt(((one[:, columns] - other[:, columns])**2).sum()/(other[:, columns]**2).sum()))


def reattachment(floor):
    """In step heights: the last place at which the mean flow along the floor turns from backwards to forwards; None: nowhere."""
    u = floor[:, 2]
    turns = np.nonzero((u[:-1] < 0) & (u[1:] >= 0))[0]
    if not len(turns):
        return None
    i = turns[-1]
    return float((floor[i, 0] + (floor[i + 1, 0] - floor[i, 0])*u[i]/(u[i] - u[i + 1]))/HEIGHT)


def pitzDaily(build, case, times, within, limit=None, entries=''):
    """By both; means of the time between the first and the last of times (as folders are called; the second one halves it), whose L2 at all
    stations together may be off by so much."""
    own, other = case/'lbmFoam', case/'pisoFoam'
    for folder in (own, other):
        shutil.copytree(tutorial(TUTORIAL), folder)
        mesh(build, folder)
    lattice(own, entries)
    log = solve(build, own, limit)
    solve(build, other, limit, 'pisoFoam')
    return judge(build, own, other, times, within, log)


def judge(build, own, other, times, within, log):
    found = [sample(build, folder, times) for folder in (own, other)]
    begin, middle, end = times
    names = [name for name, *_ in lines()]
    whole, early, late = ([{name: between(f, name, a, b) for name in names} for f in found]
                          for a, b in ((begin, end), (begin, middle), (middle, end)))
    stations = [f'x{x}' for x in STATIONS]

    def together(means):
        return np.vstack([means[name] for name in stations])
    off = distance(*map(together, whole))
    # What means over so short a time are worth: one half of it off the other
    chance = [distance(together(a), together(b)) for a, b in zip(early, late)]
    by = ', '.join(f'{name} {distance(whole[0][name], whole[1][name]):.2f}' for name in names)
    turns = ['nowhere' if turn is None else f'{turn:.2f}' for turn in (reattachment(means['floor']) for means in whole)]
    return off <= within, (f'L2 of mean U {off:.3f} ({by}); halves of the time {chance[0]:.2f} off each other, pisoFoam\'s {chance[1]:.2f}; '
                           f'reattaches at {turns[0]}, {turns[1]}; {told(log)}')
