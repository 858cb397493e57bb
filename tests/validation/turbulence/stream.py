"""A stream between inlet and outlet with some noise at the start and hardly any viscosity: it has to become even.

Where a collision is not stable in a moving fluid noise grows instead, far from any body. Part of lbmFoam, GPL-3.0-or-later."""
import numpy as np

from foamCase import boxMesh, control, cyclic, field, lattice, mesh, newest, numbers, readField, solve, told

CELLS = (64, 16, 16)


def even(build, case, model, entries='', passages=10, noise=0.05, limit=None):
    boxMesh(case, (0, 0, 0), (4, 1, 1), CELLS,
            {'inlet': ('patch', '', ['-x']), 'outlet': ('patch', '', ['+x']), **cyclic('y'), **cyclic('z')})
    U = np.random.default_rng(2).normal(size=(CELLS[0]*CELLS[1]*CELLS[2], 3))*noise
    U[:, 0] += 1
    sides = {'[yz][01]': 'type cyclic;'}
    field(case, 'U', '[0 1 -1 0 0 0 0]', U,
          {'inlet': 'type fixedValue; value uniform (1 0 0);', 'outlet': 'type inletOutlet; inletValue uniform (0 0 0); value uniform (1 0 0);', **sides})
    field(case, 'p', '[0 2 -2 0 0 0 0]', '0', {'inlet': 'type zeroGradient;', 'outlet': 'type fixedValue; value uniform 0;', **sides})
    field(case, 'nut', '[0 2 -1 0 0 0 0]', '0', {'(inlet|outlet)': 'type calculated; value uniform 0;', **sides})
    numbers(case, 1e-6, model)
    lattice(case, entries)
    control(case, 4*passages, 0.1, '')
    mesh(build, case)
    log = solve(build, case, limit)
    off = np.abs(readField(newest(case, 'U')) - [1, 0, 0]).max()
    return off < 0.1*noise, f'velocity at most {off:.2g} off after {passages} passages (at the start {np.abs(U - [1, 0, 0]).max():.2g}); {told(log)}'
