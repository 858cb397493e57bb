"""What census.py tells of the guard: its share at the end of a run that ended, though the log's last line of a time step is older, for
time steps without the guard have none; of a run that was stopped what was told last. Part of lbmFoam, GPL-3.0-or-later."""
import census

stopped = 'Time = 10\nguard: in 1.5 % of the volume viscosity is raised\nTime = 11\nguard: in 0.33 % of the volume viscosity is raised\nTime = 12\n'
ended = stopped + 'Guard: viscosity was raised in 0 % of the volume at the end, at most in 21.9 %, up to 5.4 times.\n'
for log, wanted in [('Time = 1\n', ''), (stopped, 'guard 0.33 %'), (ended, 'guard 0 %')]:
    told = census.guard(log)
    assert told == wanted, f'{told!r} in place of {wanted!r}'
