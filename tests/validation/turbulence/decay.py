"""Isotropic turbulence that decays: pimpleFoam/LES/decayIsoTurb as OpenFOAM ships it, by lbmFoam and by pimpleFoam from one field.

Energy by wave number, of cells' values in shells as wide as the smallest wave number of the box. Part of lbmFoam, GPL-3.0-or-later."""
import re
import shutil

import numpy as np

from foamCase import Failed, lattice, readField, solve, told, tutorial

LENGTH = 0.56548667765
TUTORIAL = 'incompressible/pimpleFoam/LES/decayIsoTurb'


def spectrum(path):
    """Wave numbers [1/m] and E [m3/s2], from the smallest one of the box to the largest one of its mesh; of a velocity in cubes of a
    cube in the order of blockMesh."""
    u = readField(path)
    n = round(len(u)**(1/3))
    if n**3 != len(u):
        raise ValueError(f'{path} has {len(u)} cells, which make no cube')
    parts = np.fft.fftn(u.reshape(n, n, n, 3), axes=(0, 1, 2))/n**3
    index = np.fft.fftfreq(n, 1/n)
    distance = np.sqrt(index[:, None, None]**2 + index[:, None]**2 + index**2)
    shells = np.bincount(np.rint(distance).astype(int).ravel(), weights=0.5*(np.abs(parts)**2).sum(axis=-1).ravel())
    smallest = 2*np.pi/LENGTH
    return smallest*np.arange(1, n//2 + 1), shells[1:n//2 + 1]/smallest


def energy(path):
    """Kinetic energy a mass [m2/s2]."""
    u = readField(path)
    return 0.5*((u - u.mean(axis=0))**2).sum(axis=1).mean()


def make(build, case, n, end):
    """A copy of the tutorial with n cells along each side, and its random field; the field of times is written in binary as it is there."""
    shutil.copytree(tutorial(TUTORIAL), case)
    shutil.copytree(case/'0.orig', case/'0')
    for name, pattern, by in (('constant/createBoxTurbDict', r'^N\s.*', f'N ({n} {n} {n});'), ('system/controlDict', r'^endTime\s.*', f'endTime {end:g};')):
        text, found = re.subn(pattern, by, (case/name).read_text(), count=1, flags=re.M)
        if not found:
            raise ValueError(f'{case/name} has no {pattern}')
        (case/name).write_text(text)
    for arguments in (('-createBlockMesh',), ()):
        solve(build, case, program='createBoxTurb', arguments=arguments)


def compare(first, second, time, waves):
    """Ratios of E of two cases at a time, averages over ranges of waves' lengths in cells (longest, shortest), and of all energy."""
    k, one = spectrum(first/time/'U')
    other = spectrum(second/time/'U')[1]
    cells = 2*np.pi/k/(LENGTH/(2*len(k)))
    ratios = []
    for longest, shortest in waves:
        inside = (cells <= longest) & (cells >= shortest - 1e-9)
        ratios.append(one[inside].sum()/other[inside].sum())
    return ratios, energy(first/time/'U')/energy(second/time/'U')


def isotropic(build, case, n, times, waves, limits, limit=None, entries=''):
    """By both, compared at each of the times (as folders are called); waves: ranges of lengths in cells; limits: how far ratios of
    the energy there may be from 1."""
    own, other = case/'lbmFoam', case/'pimpleFoam'
    make(build, own, n, float(times[-1]))
    shutil.copytree(own, other)
    if entries:
        lattice(own, entries)
    log = solve(build, own, limit)
    solve(build, other, limit, 'pimpleFoam')
    return judge(own, other, times, waves, limits, log)


def told_by_openfoam(case, time):
    """Its energySpectrum, which weighs its shells otherwise, has in both what is found here, but for a tenth."""
    path = case/'postProcessing/energySpectrum1'/time/'energySpectrum1.dat'
    if not path.exists():
        raise Failed(f'energySpectrum wrote no {path}')
    own = spectrum(case/time/'U')[1]
    off = np.abs(np.loadtxt(path)[1:len(own) + 1, 1]/own - 1).max()
    if not off < 0.1:
        raise Failed(f'{path} is {off:.2f} off the spectrum of U')


def judge(own, other, times, waves, limits, log):
    start = energy(own/'0'/'U')
    good, lines = True, []
    for time in times:
        for folder in (own, other):
            told_by_openfoam(folder, time)
        ratios, of_all = compare(own, other, time, waves)
        kept = [abs(ratio - 1) <= within for ratio, within in zip(ratios, limits)]
        good = good and all(kept)
        lines.append(f't {time}: ' + ', '.join(f'{ratio:.3f} of waves of {a} to {b} cells' for ratio, (a, b) in zip(ratios, waves))
                     + f', {of_all:.3f} of all; left {energy(own/time/"U")/start:.3f}, {energy(other/time/"U")/start:.3f}')
    return good, f'energy over pimpleFoam\'s at {"; ".join(lines)}; {told(log)}'
