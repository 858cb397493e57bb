"""maxwell.py PROBES LIMIT: velocity in the middle of a channel of Maxwell's fluid with a solvent after a force sets in,
against the exact one, by relative L2 over time. Exit status 1 beyond the limit.

With y from the middle, u = sum a_n cos(k_n y), k_n = (n + 1/2) pi/h, and stresses sum -b_n k_n sin(k_n y):

    da/dt = f_n - nu k^2 a - k^2 b,   lambda db/dt = nuM a - b,   f_n = 2 f (-1)^n/(k_n h)

for each n (the start of Waters & King, Rheologica Acta 9 (1970) 345). Part of lbmFoam, GPL-3.0-or-later."""
import cmath
import math
import re
import sys

FORCE, HEIGHT, NU, NU_M, LAMBDA = 5, 1, 0.1, 1, 5
MODES = 40


def mode(n, t):
    k = (n + 0.5)*math.pi/HEIGHT
    f = 2*FORCE*(-1)**n/(k*HEIGHT)
    # Steady part, and what is missing of it at the start, by the eigenvalues of [[-nu k^2, -k^2], [nuM/lambda, -1/lambda]]
    a0 = f/(k*k*(NU + NU_M))
    p, q, r, s = -NU*k*k, -k*k, NU_M/LAMBDA, -1/LAMBDA
    half, root = (p + s)/2, cmath.sqrt((p - s)**2/4 + q*r)
    one, other = half + root, half - root
    # a' at the start is f
    c = (f + other*a0)/(one - other)
    return a0 + (c*cmath.exp(one*t) + (-a0 - c)*cmath.exp(other*t)).real


def exact(y, t):
    return sum(mode(n, t)*math.cos((n + 0.5)*math.pi*y/HEIGHT) for n in range(MODES))


number = r'[-+0-9.eE]+'
lines = open(sys.argv[1]).read().split('\n')
at = [float(x) for x in re.search(rf'Probe 0 \(({number}) ({number}) ({number})\)', lines[0]).groups()]
rows = [[float(x) for x in re.findall(number, line)][:2] for line in lines if line and not line.startswith('#')][::10]
truth = [exact(HEIGHT - at[1], t) for t, _ in rows]
off = math.sqrt(sum((u - v)**2 for (_, u), v in zip(rows, truth))/sum(v*v for v in truth))
print(f'{len(rows)} times to {rows[-1][0]} s, largest {max(u for _, u in rows):.4g} (exact {max(truth):.4g}), '
      f'last {rows[-1][1]:.4g} ({truth[-1]:.4g}): off by {off:.3e}, limit {sys.argv[2]}')
sys.exit(not off < float(sys.argv[2]) or len(rows) < 50)
