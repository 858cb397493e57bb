"""Taylor-Green vortex in a periodic box of 2 pi, speed and length 1: energy, and the rate at which it is lost.

Part of lbmFoam, GPL-3.0-or-later."""
import numpy as np

from foamCase import Failed, boxMesh, control, cyclic, field, lattice, mesh, numbers, readTable, solve, told

REYNOLDS = 1600
PEAK, PEAK_TIME = 0.01306, 8.94     # Brachet et al. 1983; van Rees et al. 2011, 512^3: 0.0128 at 9.0


def start(n):
    x = (np.arange(n) + 0.5)*2*np.pi/n
    z, y, x = np.meshgrid(x, x, x, indexing='ij')
    U = np.stack([np.sin(x)*np.cos(y)*np.cos(z), -np.cos(x)*np.sin(y)*np.cos(z), 0*x], axis=-1)
    p = (np.cos(2*x) + np.cos(2*y))*(np.cos(2*z) + 2)/16
    return U.reshape(-1, 3), p.reshape(-1, 1)


def make(build, case, nodes, cells, re, model, entries, end, step=0.1):
    length = 2*np.pi
    boxMesh(case, (0, 0, 0), (length, length, length), (cells, cells, cells), {**cyclic('x'), **cyclic('y'), **cyclic('z')})
    U, p = start(cells)
    field(case, 'U', '[0 1 -1 0 0 0 0]', U, {'.*': 'type cyclic;'})
    field(case, 'p', '[0 2 -2 0 0 0 0]', p, {'.*': 'type cyclic;'})
    numbers(case, 1/re, model)
    if cells != nodes:
        entries += f' cellSize {length/nodes:.15g};'
    lattice(case, entries)
    control(case, end, step, '''
    square { type magSqr; libs (fieldFunctionObjects); field U; result UU; executeControl timeStep; writeControl none; log no; }
    energy
    {
        type volFieldValue; libs (fieldFunctionObjects); fields (UU); operation volAverage; regionType all; writeFields no;
        writeControl timeStep; writeInterval 1; log no;
    }''')
    mesh(build, case)


def curve(case):
    table = readTable(case, 'energy/*/volFieldValue.dat')
    if not np.isfinite(table).all():
        raise Failed('energy is not finite')
    return table[:, 0], table[:, 1]/2


def peak(time, energy, nodes, cells, re):
    """Of the loss of energy, by a parabola through its three largest differences.

    What differs within cells that are wider than nodes are apart is not in the energy of their means: (h^2 - dx^2)/24 of the square
    of the velocity's gradient, which is the loss by the viscosity. So the energy of means is ahead by that over the viscosity."""
    loss = -np.diff(energy)/np.diff(time)
    ahead = (2*np.pi)**2*(1/cells**2 - 1/nodes**2)/24*re
    middle = (time[1:] + time[:-1])/2 + ahead
    i = min(max(int(np.argmax(loss)), 1), len(loss) - 2)
    a, b, c = np.polyfit(middle[i - 1:i + 2] - middle[i], loss[i - 1:i + 2], 2)
    return c - b*b/(4*a), middle[i] - b/(2*a)


def dissipation(build, case, nodes, cells, entries, model='laminar', limit=None, end=10.6, step=0.2):
    """(within the limits, line)"""
    make(build, case, nodes, cells, REYNOLDS, model, entries, end, step)
    log = solve(build, case, limit)
    value, time = peak(*curve(case), nodes, cells, REYNOLDS)
    # Between the two references, and 2 % to both sides; time within 0.1
    good = 0.98*0.0128 < value < 1.02*PEAK and PEAK_TIME - 0.1 < time < 9.1
    return good, f'peak dissipation {value:.5f} at {time:.2f} ({PEAK} at {PEAK_TIME}; {0.0128} at 9.0); {told(log)}'


def stable(build, case, nodes, entries, model='laminar', re=REYNOLDS, end=10, limit=None):
    """Runs to its end, and energy falls."""
    make(build, case, nodes, nodes, re, model, entries, end)
    log = solve(build, case, limit)
    time, energy = curve(case)
    good = len(time) >= end/0.1 - 1 and energy.max() <= energy[0]*1.001
    return good, f'energy left {energy[-1]/energy[0]:.4f} at {time[-1]:g}, largest {energy.max()/energy[0]:.4f}; {told(log)}'
