"""The twenty rows of coarse.py, and what is known of their drags and losses.

Part of lbmFoam, GPL-3.0-or-later."""
import math
import re

# Shape, Reynolds number, model, nodes across: laminar as a case may say it at any number, LES as lbmFoam -init writes it,
# kEpsilon with wall functions
ROWS = (
    ('sphere', '1e3', 'laminar', 14),
    ('sphere', '1e4', 'LES', 10),
    ('sphere', '1e5', 'LES', 12),
    ('sphere', '1e6', 'laminar', 10),
    ('sphere', '1e7', 'LES', 10),
    ('cube', '1e3', 'laminar', 10),
    ('cube', '1e5', 'LES', 10),
    ('cube', '1e7', 'LES', 10),
    ('buildings', '1e4', 'LES', 12),
    ('buildings', '1e6', 'LES', 12),
    ('motorBike', '1e5', 'LES', 14),
    ('motorBike', '2.7e6', 'LES', 14),
    ('step', '1e3', 'laminar', 30),
    ('step', '1e4', 'kEpsilon', 20),
    ('step', '1e5', 'laminar', 30),
    ('step', '1e7', 'kEpsilon', 30),
    ('bend', '1e5', 'kEpsilon', 12),
    ('bend', '1e7', 'laminar', 12),
    ('tJunction', '1e4', 'kEpsilon', 12),
    ('tJunction', '1e6', 'kEpsilon', 12),
)


def friction(number):
    """Darcy's factor of smooth ducts at a turbulent Reynolds number (Haaland 1983)."""
    return (-1.8*math.log10(6.9/number))**-2


def sphere(number):
    """Standard drag (Clift, Grace & Weber 1978, table 5.2); beyond the fit's range where boundary layers become turbulent."""
    w = math.log10(number)
    if number <= 1.5e3:
        return 10**(1.6435 - 1.1242*w + 0.1558*w*w)
    if number <= 1.2e4:
        return 10**(-2.4571 + 2.5558*w - 0.9295*w*w + 0.1049*w**3)
    if number <= 4.4e4:
        return 10**(-1.9181 + 0.6370*w - 0.0636*w*w)
    if number <= 3.38e5:
        return 10**(-4.3390 + 1.5809*w - 0.1546*w*w)
    return None if number < 4e5 else 0.1*w - 0.49 if number <= 1e6 else 0.19 - 8e4/number


def cube(number):
    """Face on (Hoerner 1965)."""
    return 1.05 if number >= 1e4 else None


def step(number):
    """Borda and Carnot's recovery from a width of 1 to one of 2, less the friction of 4 and 16 of length."""
    if number < 1e4:
        return None
    f = friction(2*number)  # hydraulic diameters are twice the widths, of which Reynolds numbers are the same
    return -0.5 + f*4/2 + f/4*16/4


def bend(number):
    """Of radius 1.5 widths: as 14 widths of straight duct (Crane, Technical Paper 410), behind 3 and before 4 of them."""
    return friction(number)*21 if number >= 1e4 else None


def tJunction(number):
    """Two equal branches: loss 1 + 0.3 (half the speed)^2 (Idelchik, dividing tees), a dynamic pressure less of 3/4, friction."""
    return 1.075 - 0.75 + friction(number)*4 + friction(0.5*number)/4*4 if number >= 1e4 else None


def motorBike(number, area):
    """simpleFoam with kOmegaSST on OpenFOAM's own mesh (tutorials/motorBikeLES): 0.417 of 0.75 m2, at 2.7e6."""
    return 0.417*0.75/area if 2e6 < number < 4e6 else None


def known(case, shape, number):
    """What is known of the row's coefficient; None: nothing."""
    if shape == 'motorBike':
        entries = (case/'system/controlDict').read_text()
        return motorBike(number, float(re.search(r'Aref\s+(\S+);', entries).group(1)))
    by = {'sphere': sphere, 'cube': cube, 'step': step, 'bend': bend, 'tJunction': tJunction}.get(shape)
    return by(number) if by else None
