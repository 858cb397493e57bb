#!/usr/bin/env python3
"""pixels.py PICTURE.png: shows the lid-driven cavity: light surroundings, many colours, most light under the lid.

Part of lbmFoam, GPL-3.0-or-later."""
import sys

import numpy
from matplotlib import image

picture = image.imread(sys.argv[1])[..., :3]
background = (picture > 0.99).all(axis=2)
flow = picture[~background]
colours = len(numpy.unique((255*flow).round().astype(int), axis=0))
rows = numpy.where(~background, picture.sum(axis=2), numpy.nan)[5:-5, 100:-200]
top, bottom = numpy.nanmean(rows[:len(rows)//4]), numpy.nanmean(rows[-len(rows)//4:])
print(f'{sys.argv[1]}: background {background.mean():.2f}, {colours} colours, brightness {top:.2f} above, {bottom:.2f} below')
if not (0.1 < background.mean() < 0.6 and colours > 50 and top > 1.2*bottom):
    sys.exit('not the cavity')
