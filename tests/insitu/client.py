#!/usr/bin/env pvpython
"""client.py PORT LOG: what ParaView's window does: connects to the run, looks at its data, pauses it, lets it go on.
The run writes LOG.

Part of lbmFoam, GPL-3.0-or-later."""
import sys
import time

from paraview import live
from paraview.simple import *

port, log = int(sys.argv[1]), sys.argv[2]
deadline = time.time() + 200


def until(what, condition):
    while not condition():
        if time.time() > deadline:
            sys.exit(f'waited in vain: {what}')
        live.ProcessServerNotifications()
        time.sleep(0.01)


def step():
    return link.GetTimeStep()


def let_pass(seconds):
    end = time.time() + seconds
    while time.time() < end:
        live.ProcessServerNotifications()
        time.sleep(0.01)


def last_time():
    return [line for line in open(log) if line.startswith('Time =')][-1]


def stands():
    before = last_time()
    let_pass(2)
    return last_time() == before


link = live.ConnectToCatalyst('localhost', port)
until('data', lambda: link.GetInsituProxyManager() and link.GetInsituProxyManager().GetProxy('sources', 'input'))
cells = live.ExtractCatalystData(link, 'input')
first = step()
until('a new step', lambda: step() > first)
until('cells', lambda: (cells.UpdatePipeline(), cells.GetDataInformation().GetNumberOfCells())[1] > 0)
information = cells.GetDataInformation()
names = [array.Name for array in cells.CellData]
print(f'cells {information.GetNumberOfCells()}, fields', *names, flush=True)

# A busy run hears of it late
live.PauseCatalyst(link)
until('the run is held', stands)
held = last_time()
print('held at', held.strip(), flush=True)
live.PauseCatalyst(link, False)
until('the run goes on', lambda: last_time() != held)
print('went on to', last_time().strip(), flush=True)
