"""A stream between inlet and outlet with some noise at the start and hardly any viscosity: it has to become even.

Where a collision is not stable in a moving fluid noise grows instead, far from any body. Part of lbmFoam, GPL-3.0-or-later."""
import numpy as np

from foamCase import boxMesh, control, cyclic, field, lattice, mesh, newest, numbers, readField, solve, told

def even(build, case, model, cells=(64, 16, 16), entries='', passages=10, noise=0.05, limit=None):
    """Flat with one cell along z."""
    flat = cells[2] == 1
    boxMesh(case, (0, 0, 0), (4, 1, 4/cells[0] if flat else 1), cells,
            {'inlet': ('patch', '', ['-x']), 'outlet': ('patch', '', ['+x']), **cyclic('y'),
             **({'flat': ('empty', '', ['-z', '+z'])} if flat else cyclic('z'))})
    U = np.random.default_rng(2).normal(size=(cells[0]*cells[1]*cells[2], 3))*noise
    U[:, 0] += 1
    if flat:
        U[:, 2] = 0
    sides = {'[yz][01]': 'type cyclic;', 'flat': 'type empty;'}
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
