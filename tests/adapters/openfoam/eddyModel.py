"""What OpenFOAM's function objects have written beside eddies on the lattice, by other ways: see eddyModel.sh.

eddyModel.py model CASE TIME FILTERWIDTH CK CE NU [WALLDISTANCE]    k, epsilon, R, devReff, nuEff of nut; y+ of the stress
eddyModel.py forces CASE TIME PATCH NAME RHO FACEAREA               the viscous part of forces NAME, from wallShearStress
eddyModel.py means CASE TIME                                        UMean, UPrime2Mean, pMean, kMean of all times written until then
eddyModel.py law CASE TIME NU SPACING                               stress on the duct's floor by Spalding's law, 2.5 spacings off
eddyModel.py filter CASE TIME OTHER                                 nut is less than OTHER's near walls, and the same away from them
eddyModel.py same FILE OTHER                                        numbers of two files

Exit status 1 and a line where they differ. Part of lbmFoam, GPL-3.0-or-later."""
import math
import os
import re
import sys

NEAR = 1e-8


def entries(text, size):
    """Values of an entry behind its keyword: of `size` components each; None: it has none."""
    found = re.match(r'\s*uniform\s*([^;]*);', text)
    if found:
        return [tuple(map(float, found.group(1).strip('() ').split()))]
    found = re.match(r'\s*nonuniform\s+List<\w+>\s*(\d+)\s*\(', text)
    if not found:
        return None
    numbers = text[found.end():text.index(';')].replace('(', ' ').replace(')', ' ').split()
    values = [float(n) for n in numbers]
    rows = [tuple(values[i:i + size]) for i in range(0, len(values), size)]
    if len(rows) != int(found.group(1)):
        sys.exit(f'{len(rows)} values where {found.group(1)} are announced')
    return rows


SIZES = {'volScalarField': 1, 'volVectorField': 3, 'volSymmTensorField': 6}


class Field:
    def __init__(self, case, time, name):
        text = open(os.path.join(case, time, name)).read()
        size = SIZES[re.search(r'class\s+(\w+);', text).group(1)]
        inside, patches = text.split('boundaryField', 1)
        self.cells = entries(inside.split('internalField', 1)[1], size)
        self.patches = {}
        for patch, body in re.findall(r'^    (\w+)\n    \{(.*?)^    \}', patches, re.S | re.M):
            found = re.search(r'\n\s*value\b(.*)', body, re.S)
            self.patches[patch] = entries(found.group(1), size) if found else None


def judge(what, found, wanted, scale=None):
    """Of lists of numbers: the largest difference beside the largest number."""
    if len(found) != len(wanted) or not found:
        sys.exit(f'{what}: {len(found)} and {len(wanted)} values')
    scale = scale or max(map(abs, wanted))
    off = max(abs(a - b) for a, b in zip(found, wanted))
    if not (scale > 0 and off <= NEAR * scale):
        sys.exit(f'{what}: off by {off:g} of {scale:g}')
    print(f'{what}: {len(found)} values, off by {off / scale:.1e}')


def flat(rows):
    return [v for row in rows for v in row]


def scalars(case, time, name):
    return flat(Field(case, time, name).cells)


def model(case, time, delta, ck, ce, nu, distance=None):
    delta, ck, ce, nu = map(float, (delta, ck, ce, nu))
    nut = scalars(case, time, 'nut')
    k = [(v / (ck * delta))**2 for v in nut]
    judge('k', scalars(case, time, 'k'), k)
    ofModel = {name: Field(case, time, 'turbulenceProperties:' + name) for name in ('k', 'epsilon', 'nut', 'nuEff', 'R', 'devReff')}
    judge('k of the model', flat(ofModel['k'].cells), k)
    judge('nut of the model', flat(ofModel['nut'].cells), nut)
    judge('epsilon', flat(ofModel['epsilon'].cells), [ce * v**1.5 / delta for v in k])
    judge('nuEff', flat(ofModel['nuEff'].cells), [nu + v for v in nut])
    r = ofModel['R'].cells
    judge('trace of R', [v[0] + v[3] + v[5] for v in r], [2 * v for v in k])
    isotropic = (1, 0, 0, 1, 0, 1)
    judge('devReff', flat([[nutHere * v for v in row] for row, nutHere in zip(ofModel['devReff'].cells, nut)]),
          flat([[(nu + nutHere) * (v - 2 / 3 * kHere * i) for v, i in zip(row, isotropic)] for row, nutHere, kHere in zip(r, nut, k)]))
    if distance is None:
        return
    stress, layers = Field(case, time, 'wallShearStress'), Field(case, time, 'yPlus')
    for patch in ('sides', 'body'):
        judge(f'y+ of {patch}', flat(layers.patches[patch]),
              [float(distance) * math.sqrt(math.hypot(*v)) / nu for v in stress.patches[patch]])


def row(case, name, time):
    """Numbers of a function object's last file at a time."""
    for line in open(os.path.join(case, 'postProcessing', name)):
        if line.split() and line.split()[0] == time:
            return [float(v) for v in re.findall(r'[-+]?\d[-+.\de]*', line)]
    sys.exit(f'{name}: no time {time}')


def forces(case, time, patch, name, rho, area):
    stress = Field(case, time, 'wallShearStress').patches[patch]
    judge(f'friction on {patch}', row(case, f'{name}/0/force.dat', time)[7:10],
          [-float(rho) * float(area) * sum(v[i] for v in stress) for i in range(3)])
    print('mean stress', sum(v[0] for v in stress) / len(stress))


def friction(u, y, nu, kappa=0.41, e=9.8):
    """Stress over density by Spalding's law: u+ by halves of the range where it lies."""
    low, high = 0, 100
    for _ in range(100):
        plus = (low + high) / 2
        k = kappa * plus
        yPlus = plus + (math.exp(k) - 1 - k - k * k / 2 - k**3 / 6) / e
        low, high = (plus, high) if plus * yPlus < u * y / nu else (low, plus)
    return (u / low)**2


def law(case, time, nu, spacing):
    nu, dx = float(nu), float(spacing)
    centres, stress = Field(case, time, 'C'), Field(case, time, 'wallShearStress').patches['sides']
    u = {tuple(round(x / dx * 2) for x in c): v for c, v in zip(centres.cells, Field(case, time, 'U').cells)}
    ratios = []
    for at, tau in zip(centres.patches['sides'], stress):
        if at[1] > dx / 10 or not (1.2 < at[0] < 1.8 and 0.15 < at[2] < 0.25):
            continue
        v = u[(round(at[0] / dx * 2), 5, round(at[2] / dx * 2))]
        wanted = friction(math.hypot(v[0], v[2]), 2.5 * dx, nu)
        ratios.append(-tau[0] / wanted)
    print(f'stress over that of the law on {len(ratios)} faces: {min(ratios):.3f} to {max(ratios):.3f}')
    # Links that cross a face meet the wall up to half a spacing from its middle, and the stress follows in time
    if len(ratios) < 10 or not 0.97 < sum(ratios) / len(ratios) < 1.03 or not 0.9 < min(ratios) <= max(ratios) < 1.1:
        sys.exit('law')


def filter(case, time, other):
    centres = Field(other, time, 'C').cells
    cells = list(zip(centres, scalars(case, time, 'nut'), scalars(other, time, 'nut')))

    def share(low, high):
        some = [(here, there) for c, here, there in cells
                if c[0] > 1 and low < min(c[1], 1 - c[1], c[2], 0.4 - c[2]) < high]
        return sum(here for here, _ in some) / sum(there for _, there in some)
    near, away = share(0, 0.03), share(0.16, 1)
    print(f'nut over that of {other}: {near:.3f} at walls, {away:.3f} away from them')
    if not (near < 0.5 and abs(away - 1) < 0.2):
        sys.exit('filter width')


def means(case, time):
    times = sorted((t for t in os.listdir(case) if re.match(r'\d', t) and 0 < float(t) <= float(time)), key=float)
    for name in ('U', 'p', 'k'):
        fields = [Field(case, t, name).cells for t in times]
        n = len(fields)
        mean = [[sum(f[i][a] for f in fields) / n for a in range(len(fields[0][0]))] for i in range(len(fields[0]))]
        judge(f'{name}Mean of {n}', flat(Field(case, time, name + 'Mean').cells), flat(mean))
        if name != 'U':
            continue
        pairs = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
        square = [[sum((f[i][a] - m[a]) * (f[i][b] - m[b]) for f in fields) / n for a, b in pairs] for i, m in enumerate(mean)]
        judge('UPrime2Mean', flat(Field(case, time, 'UPrime2Mean').cells), flat(square))


def same(one, other):
    """Numbers, but for what a header has."""
    def numbers(name):
        text = re.sub(r'^#.*', '', open(name).read().split('// * *', 1)[-1], flags=re.M)
        return [float(v) for v in re.findall(r'(?<![\w.])[-+]?\d+\.?\d*(?:e[-+]?\d+)?(?![\w.])', text)]
    judge(one, numbers(one), numbers(other))


globals()[sys.argv[1]](*sys.argv[2:])
