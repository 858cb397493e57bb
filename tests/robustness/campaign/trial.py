"""What tries of all kinds share: programs that are run with limits, what their end means, and verdicts.

A try changes a case at random, runs a program on it, and is judged by what must hold whatever was changed. Nothing here
knows what lbmFoam computes; whether a field is wrong is decided by each kind against a run that nothing disturbs.
Part of lbmFoam, GPL-3.0-or-later."""
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import time

REFUSED, RIGHT = 'refused well', 'ran and right'
SIGNAL, HANG, WRONG = 'signal', 'hang', 'status 0 but wrong'
MESSAGE, HARMED = 'message', 'earlier time harmed'
OUTCOMES = {
    REFUSED: 'status 1, a message that names file and entry, nothing else changed',
    RIGHT: 'status 0, and what the run that nothing disturbs wrote',
    SIGNAL: 'the program died of a signal',
    HANG: 'no end within the limit',
    WRONG: 'status 0, but a wrong field, or what must be refused was not',
    MESSAGE: 'refused without file or entry, or with another status than 1',
    HARMED: 'files from before were changed or lost, or unfinished ones left',
}
GOOD = (REFUSED, RIGHT)

hangSeconds = 60
memoryBytes = 6 << 30       # of addresses, so that a damaged number does not take the machine's memory
logBytes = 1 << 20          # of a log that are looked at, from either end


class Bad(Exception):
    """A verdict that ends a try."""

    def __init__(self, outcome, detail):
        super().__init__(f'{outcome}: {detail}')
        self.outcome, self.detail = outcome, detail


class Run:
    """How a program ended. status as subprocess has it: negative for a signal."""

    def __init__(self, status, timedOut, seconds, log):
        self.status, self.timedOut, self.seconds, self.log = status, timedOut, seconds, log

    @property
    def fatal(self):
        """What it said of a fatal error, on one line."""
        at = self.log.find('FOAM FATAL')
        return ' '.join(self.log[at:at + 4000].split()) if at >= 0 else ''

    def ended(self):
        """Raises where it hung or died; a signal that came out of a shell as 128 + n is one too."""
        if self.timedOut:
            raise Bad(HANG, f'no end after {self.seconds:.0f} s; ' + self.last())
        if self.status < 0 or self.status > 128:
            number = -self.status if self.status < 0 else self.status - 128
            name = signal.Signals(number).name if number in list(signal.Signals) else str(number)
            raise Bad(SIGNAL, f'{name}; {self.stack()}')
        if self.status not in (0, 1):
            raise Bad(MESSAGE, f'exit status {self.status}; ' + self.last())

    def stack(self):
        """What a program that died said of it: words of the C++ library, names of the functions it was in."""
        said = re.findall(r'terminate called[^\n]*|what\(\):[^\n]*', self.log)
        frames = [f for f in re.findall(r'\n#\d+ +(.*?) (?:in|at) ', self.log) if f not in ('?', 'Foam::sigSegv::sigHandler(int)')
                  and 'printStack' not in f and 'Handler' not in f]
        return ' | '.join(said + frames[:3])[:400] or self.last()

    def last(self):
        lines = [line.strip() for line in self.log.splitlines() if line.strip()]
        return 'last words: ' + ' | '.join(lines[-3:])[-300:]

    def refused(self, *patterns):
        """The verdict on a refusal that has to match these."""
        if 'FOAM FATAL' not in self.log:
            raise Bad(MESSAGE, 'status 1 without FATAL ERROR; ' + self.last())
        for pattern in patterns:
            if not re.search(pattern, self.fatal):
                raise Bad(MESSAGE, f'does not name {pattern}: {self.fatal[:400]}')
        return REFUSED, self.fatal[:200]


class Lab:
    """Where programs are, and the cases that tries start from: made once, under WORK/base."""

    def __init__(self, build, tutorials, work):
        self.build, self.tutorials, self.work = (os.path.abspath(p) for p in (build, tutorials, work))
        self.base = os.path.join(self.work, 'base')
        shutil.rmtree(self.base, ignore_errors=True)
        os.makedirs(self.base)
        with open(os.path.join(self.build, 'share', 'lbmFoam', 'RunFunctions')) as file:
            project = re.search(r'WM_PROJECT_DIR:-([^}]*)}', file.read()).group(1)
        self.environment = dict(os.environ, OMP_NUM_THREADS='1')
        self.environment.setdefault('WM_PROJECT_DIR', project)
        self.environment['PATH'] = os.path.join(self.build, 'bin') + os.pathsep + os.environ['PATH']
        self.kept = {}

    def preload(self, name):
        """A library of the tests, or '' where it is not built."""
        path = os.path.join(self.build, 'tests', 'lib', f'lib{name}.so')
        return path if os.path.isfile(path) else ''

    def path(self, name):
        return os.path.join(self.base, name)

    def start(self, command, case, log, environment=None):
        """The program on a case, as the leader of a group of its own; its output goes to a file."""
        def limits():
            resource.setrlimit(resource.RLIMIT_AS, (memoryBytes, memoryBytes))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        with open(log, 'wb') as out:
            return subprocess.Popen(command, cwd=case, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                    env=dict(self.environment, PWD=case, **(environment or {})), preexec_fn=limits,
                                    start_new_session=True)

    def finish(self, process, log, limit=hangSeconds):
        begin = time.monotonic()
        timedOut = False
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            timedOut = True
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return Run(process.returncode, timedOut, time.monotonic() - begin, readLog(log))

    def run(self, command, case, log=None, limit=hangSeconds, environment=None):
        log = log or f'{case}/log.{os.path.basename(command[0])}'
        return self.finish(self.start(command, case, log, environment), log, limit)

    def tool(self, command, case):
        """A program of OpenFOAM's that has to succeed; its output."""
        run = self.run(command, case, log=f'{case}/log.{command[0]}')
        if run.status != 0:
            raise RuntimeError(f'{" ".join(command)} in {case} failed:\n{run.log[-2000:]}')
        return run.log

    def once(self, name, make):
        """make(folder) once; what it returned is kept."""
        if name not in self.kept:
            self.kept[name] = make(self.path(name))
        return self.kept[name]


class Trial:
    """One try: its number, its random numbers, its folder."""

    def __init__(self, lab, kind, seed, number):
        self.lab, self.kind, self.number = lab, kind, number
        self.rng = random.Random(f'{seed}/{kind}/{number}')
        self.folder = os.path.join(lab.work, kind, f'{number:04d}')
        self.what = ''
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)

    def case(self, base, name='case'):
        """A copy of a base case."""
        folder = os.path.join(self.folder, name)
        shutil.copytree(self.lab.path(base), folder, symlinks=True)
        return folder

    def log(self, name):
        return os.path.join(self.folder, f'log.{name}')

    def did(self, text):
        self.what = f'{self.what}; {text}' if self.what else text


def readLog(path):
    with open(path, 'rb') as file:
        data = file.read(logBytes)
        file.seek(0, os.SEEK_END)
        end = file.tell()
        if end > logBytes:
            file.seek(max(logBytes, end - logBytes))
            data += b'\n...\n' + file.read()
    return data.decode('utf-8', 'replace')


def digest(path):
    with open(path, 'rb') as file:
        return hashlib.sha1(file.read()).hexdigest()


def snapshot(folder, leave=lambda name: False):
    """What lies in a folder: names and digests of files, targets of links, folders."""
    found = {}
    for at, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(at, name)
            relative = os.path.relpath(path, folder)
            if leave(relative):
                continue
            if os.path.islink(path):
                found[relative] = 'link to ' + os.readlink(path)
            elif os.path.isdir(path):
                found[relative] = 'folder'
            elif os.path.isfile(path):
                found[relative] = digest(path)
            else:
                found[relative] = 'special'
    return found


def unharmed(before, after):
    """Raises where something of a snapshot is gone or other."""
    for name, content in before.items():
        if name not in after:
            raise Bad(HARMED, f'{name} is gone')
        if after[name] != content:
            raise Bad(HARMED, f'{name} was changed')
