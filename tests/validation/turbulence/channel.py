"""Plane channel of half height 1 and viscosity 1/Re_tau, whose friction velocity should be 1.

Walls with nutUSpaldingWallFunction and LES, driven by a body force of 1 a mass: the stress on the walls is given, too, once the flow
is developed; what may be wrong is the flow that goes with it. Walls resolved by nodes (Re_tau 180), driven such that the mean speed
is the one known: the force tells the friction, and no flow has to speed up to it. Part of lbmFoam, GPL-3.0-or-later."""
import math
import re

import numpy as np

from foamCase import Failed, boxMesh, control, cyclic, field, lattice, mesh, newest, numbers, put, readField, readTable, solve, told

KAPPA, B = 0.41, 5.2

BULK = '''
    bulk
    {
        type volFieldValue; libs (fieldFunctionObjects); fields (U); operation volAverage; regionType all; writeFields no;
        writeControl timeStep; writeInterval 10; log no;
    }'''

# Moser, Kim & Mansour 1999, Re_tau 180: mean speed; U+ at y+; largest rms of u
RESOLVED_BULK = 15.68
RESOLVED = ((1, 0.997), (5, 4.81), (10, 8.52), (15, 10.86), (20, 12.29), (30, 13.87), (50, 15.31), (100, 17.15), (178, 18.30))
RESOLVED_RMS = 2.66


def logLaw(y):
    return np.log(np.maximum(y, 1e-9))/KAPPA + B


def meanSpeed(reTau):
    """Of the log law from wall to middle."""
    return (math.log(reTau) - 1)/KAPPA + B


def profile(y, reTau):
    """Reichardt's, whose ends are the viscous layer and the log law."""
    y = np.asarray(y)*reTau
    return np.log(1 + KAPPA*y)/KAPPA + (B - math.log(KAPPA)/KAPPA)*(1 - np.exp(-y/11) - y/11*np.exp(-y/3))


def disturbance(x, y, z, length, width, rms, seed=1):
    """Free of divergence, at rest on walls: the curl of waves along the channel and across."""
    chance = np.random.default_rng(seed)
    u = np.zeros((3,) + np.broadcast_shapes(x.shape, y.shape, z.shape))
    for _ in range(60):
        kx, kz = 2*np.pi*chance.integers(0, 5)/length, 2*np.pi*chance.integers(1, 6)/width
        m, phase = chance.integers(1, 5)*np.pi/2, 2*np.pi*chance.random()
        a, b, c = chance.normal(size=3)/math.sqrt(kx*kx + kz*kz + 4*m*m)
        angle = kx*x + kz*z + phase
        shape, slope = np.sin(m*y)**2, m*np.sin(2*m*y)
        cos, sin = np.cos(angle), np.sin(angle)
        # Of the potential (a, b, c)*shape(y)*cos(angle)
        u[0] += c*slope*cos + b*shape*kz*sin
        u[1] += -a*shape*kz*sin + c*shape*kx*sin
        u[2] += -b*shape*kx*sin - a*slope*cos
    return u*rms/math.sqrt((u**2).mean())


def start(cells, length, width, reTau):
    nx, ny, nz = cells
    x = ((np.arange(nx) + 0.5)*length/nx)[None, None, :]
    y = ((np.arange(ny) + 0.5)*2/ny)[None, :, None]
    z = ((np.arange(nz) + 0.5)*width/nz)[:, None, None]
    u = disturbance(x, y, z, length, width, 2.5)
    u[0] += profile(np.minimum(y, 2 - y), reTau)
    return np.moveaxis(u, 0, -1).reshape(-1, 3)


def make(build, case, size, cells, reTau, model, wallLaw, entries, times, step, speed=None):
    """size: length and width; cells: of the mesh along x, y, z; times: when averages begin, and the end; speed: the mean one that
    the force follows; None: the force is 1."""
    boxMesh(case, (0, 0, 0), (size[0], 2, size[1]), cells,
            {**cyclic('x'), **cyclic('z'), 'walls': ('wall', '', ['-y', '+y'])})
    U = start(cells, *size, reTau)
    if speed:
        U *= speed/U[:, 0].mean()
    fields(case, U, {'[xz][01]': 'type cyclic;'}, reTau, model, wallLaw, drive(speed) if speed else force(1))
    lattice(case, entries)
    control(case, times[1], step, f'''
    averages
    {{
        type fieldAverage; libs (fieldFunctionObjects); timeStart {times[0]}; writeControl writeTime; log no;
        fields ( U {{ mean on; prime2Mean on; base time; }} );
    }}''' + BULK)
    mesh(build, case)


def force(by):
    return f'''type vectorSemiImplicitSource; active true;
    vectorSemiImplicitSourceCoeffs {{ selectionMode all; volumeMode specific; injectionRateSuSp {{ U (({by} 0 0) 0); }} }}'''


def drive(speed):
    return f'''type meanVelocityForce; active true;
    meanVelocityForceCoeffs {{ selectionMode all; fields (U); Ubar ({speed} 0 0); }}'''


def fields(case, U, sides, reTau, model, wallLaw, option):
    field(case, 'U', '[0 1 -1 0 0 0 0]', U, {'walls': 'type noSlip;', **sides})
    field(case, 'p', '[0 2 -2 0 0 0 0]', '0', {'walls': 'type zeroGradient;', **sides})
    law = f'nutUSpaldingWallFunction; kappa {KAPPA}; E {math.exp(KAPPA*B):.6g};' if wallLaw else 'calculated;'
    field(case, 'nut', '[0 2 -1 0 0 0 0]', '0', {'walls': f'type {law} value uniform 0;', **sides})
    numbers(case, 1/reTau, model)
    put(case, 'system/fvOptions', f'drive\n{{\n    {option}\n}}\n')


def duct(build, case, n, reTau, angle, length, entries, times, step, model, limit):
    """Square, with sides of 2 and n cells a half, turned about its axis; mean stress on its walls 1. Mean speed, its drift, what
    lbmFoam told."""
    cells = (round(length*n), 2*n, 2*n)
    turn = math.radians(angle)
    boxMesh(case, (0, -1, -1), (length, 1, 1), cells, {**cyclic('x'), 'walls': ('wall', '', ['-y', '+y', '-z', '+z'])}, turn)
    nx, ny, nz = cells
    x = ((np.arange(nx) + 0.5)*length/nx)[None, None, :]
    y = ((np.arange(ny) + 0.5)*2/ny)[None, :, None]
    z = ((np.arange(nz) + 0.5)*2/nz)[:, None, None]
    u = disturbance(x, y, z, length, 2, 2.5)*np.sin(np.pi*z/2)
    u[0] += profile(np.minimum(np.minimum(y, 2 - y), np.minimum(z, 2 - z)), reTau)
    u = np.stack([u[0], math.cos(turn)*u[1] - math.sin(turn)*u[2], math.sin(turn)*u[1] + math.cos(turn)*u[2]], axis=-1)
    fields(case, u.reshape(-1, 3), {'x[01]': 'type cyclic;'}, reTau, model, True, force(2))
    lattice(case, f'{entries} cellSize {1/n:.15g};' if angle else entries)
    control(case, times[1], step, BULK)
    mesh(build, case)
    log = solve(build, case, limit)
    return (*bulk(case, times[0]), told(log))


def turned(build, case, n, reTau, angle=30, length=4, entries='', times=(8, 16), step=None, model='WALE', limit=None):
    """Friction of a duct turned about its axis beside that of one along the lattice's axes."""
    found = {}
    for name, by in (('straight', 0), ('turned', angle)):
        (case/name).mkdir(parents=True, exist_ok=True)
        found[name] = duct(build, case/name, n, reTau, by, length, entries, times, step or 0.2/n, model, limit)
    (a, aDrift, aTold), (b, bDrift, bTold) = found['straight'], found['turned']
    friction = (a/b)**2 - 1
    return abs(friction) < 0.05, (f'friction {100*friction:+.1f} % of that of the straight duct, bulk {b:.2f} (drift {bDrift:+.3f}), straight {a:.2f} '
                                  f'({aDrift:+.3f}); {bTold}; straight: {aTold}')


def means(case, cells):
    """Of both halves: distance from the wall, velocity, rms of its components, shear stress -<uv>.

    About the mean of a plane: streaks live so long that cells' own means in time still differ along it."""
    nx, ny, nz = cells
    cellMeans = readField(newest(case, 'UMean')).reshape(nz, ny, nx, 3)
    U = cellMeans.mean((0, 2))
    off = cellMeans - U[:, None]
    R = readField(newest(case, 'UPrime2Mean')).reshape(nz, ny, nx, 6).mean((0, 2))
    R += np.stack([(off[..., a]*off[..., b]).mean((0, 2)) for a, b in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))], axis=-1)
    half = ny//2
    fold = lambda f, sign=1: (f[:half] + sign*f[::-1][:half])/2
    y = (np.arange(half) + 0.5)*2/ny
    if not np.isfinite(U).all():
        raise Failed('means are not finite')
    rms = np.sqrt(np.maximum(fold(R), 0))
    found = y, fold(U[:, 0]), rms[:, [0, 3, 5]], fold(-R[:, 1], -1)
    np.savetxt(case/'profile', np.column_stack(found), fmt='%.6g', header='y U uRms vRms wRms -uv')
    return found


def atPoints(points, means, width):
    """Values of a profile at points, from means of cells that begin at a wall where it is 0: the slope of a polynomial through
    five of its integrals, which are exact at cells' edges."""
    edges = np.arange(len(means) + 1)*width
    integrals = np.concatenate([[0], np.cumsum(means)*width])
    values = []
    for point in points:
        first = min(max(int(point/width) - 2, 0), len(edges) - 5)
        near = slice(first, first + 5)
        fit = np.polyfit(edges[near] - point, integrals[near], 4)
        values.append(float(fit[-2]))
    return values


def bulk(case, begin):
    """Mean over the averages' time, and its rate of change there."""
    table = readTable(case, 'bulk/*/volFieldValue.dat')
    late = table[table[:, 0] > begin]
    return late[:, 1].mean(), np.polyfit(late[:, 0], late[:, 1], 1)[0]


def modelled(build, case, size, n, reTau, entries='', times=(12, 24), step=None, model='WALE', limits=(0.03, 0.015), limit=None):
    """n: cells a half height."""
    cells = (round(size[0]*n), 2*n, round(size[1]*n))
    make(build, case, size, cells, reTau, model, True, entries, times, step or 0.2/n)
    log = solve(build, case, limit)
    speed, drift = bulk(case, times[0])
    y, U, rms, shear = means(case, cells)
    # Of the law at the flow that there is, over what the force asks of the walls
    friction = (meanSpeed(reTau)/speed)**2 - 1
    outer = (y > 0.2) & (y < 0.8)
    off = (U - logLaw(y*reTau))[outer].mean()
    good = abs(friction) < (limits[0] if n < 15 else limits[1])
    return good, (f'skin friction {100*friction:+.2f} %, bulk {speed:.2f} ({meanSpeed(reTau):.2f}; drift {drift:+.3f}), U+ from the log law '
                  f'{off:+.2f} for y 0.2 to 0.8, {(U - logLaw(y*reTau))[0]:+.2f} next to the wall; u rms {rms[:, 0].max():.2f}, '
                  f'-uv {shear.max():.2f}; {told(log)}')


def sustained(build, case, size, n, reTau, wanted, entries='', times=(6, 14), step=None, model='WALE', limit=None):
    """Large eddies between walls that nodes resolve. wanted: bulk velocity at the force that is given; it goes on rising where
    turbulence dies."""
    cells = (round(size[0]*n), 2*n, round(size[1]*n))
    make(build, case, size, cells, reTau, model, False, f'{entries} cellSize {1/n:.15g};', times, step or 0.5/n)
    log = solve(build, case, limit)
    speed, drift = bulk(case, times[0])
    y, U, rms, shear = means(case, cells)
    return abs(speed/wanted - 1) < 0.05, (f'bulk {speed:.2f} ({wanted}; drift {drift:+.3f}), middle {U[-1]:.2f}, u rms {rms[:, 0].max():.2f} at y+ '
                                          f'{reTau*y[rms[:, 0].argmax()]:.0f}, v {rms[:, 1].max():.2f}, w {rms[:, 2].max():.2f}; {told(log)}')


def asked(log, begin, step):
    """Of the force, by time steps: its mean from begin on, and that of either half of them."""
    found = np.array([float(word) for word in re.findall(r'pressure gradient = (\S+)', log)])
    late = found[round(begin/step):]
    if not len(late):
        raise Failed('no force is told')
    return late.mean(), [half.mean() for half in np.array_split(late, 2)]


def resolved(build, case, size, n, cells, entries='', times=(10, 20), step=0.01, limit=None):
    """n: nodes a half height; cells of the mesh may be wider along x and z."""
    make(build, case, size, cells, 180, 'laminar', False, f'{entries} cellSize {1/n:.15g};', times, step, RESOLVED_BULK)
    return judgeResolved(case, cells, times, step, solve(build, case, limit))


def judgeResolved(case, cells, times, step, log):
    gradient, halves = asked(log, times[0], step)
    friction = math.sqrt(gradient)
    y, U, rms, shear = means(case, cells)
    points = [p for p, _ in RESOLVED]
    at = [(u/friction, known) for u, (_, known) in zip(atPoints([min(p/friction, 180) for p in points], U, 360/cells[1]), RESOLVED)]
    worst = max(abs(a/u - 1) for a, u in at)
    largest = rms[:, 0].max()/friction
    good = worst < 0.02 and abs(largest/RESOLVED_RMS - 1) < 0.05
    return good, (f'friction velocity {friction:.4f} (1; halves of the time {" ".join(f"{math.sqrt(h):.4f}" for h in halves)}), '
                  f'U+ {" ".join(f"{a:.2f} ({u})" for a, u in at)}, at most {100*worst:.1f} % off; u rms {largest:.3f} ({RESOLVED_RMS}) at y+ '
                  f'{180*friction*y[rms[:, 0].argmax()]:.0f}, v {rms[:, 1].max()/friction:.3f}, w {rms[:, 2].max()/friction:.3f}; {told(log)}')
