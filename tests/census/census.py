#!/usr/bin/env python3
"""Runs OpenFOAM's tutorials with lbmFoam in place of their solvers, by their own scripts, and prints one table.

Every tutorial is copied, unmodified; its Allrun runs (or blockMesh and the solver, where it has none) with lbmFoam on
PATH under the solvers' names. A row for each call of a solver:

    ends      the run came to its end, or to the steady state that it was to find
    starts    it was stopped by its budget of seconds, at the time told
    refused   lbmFoam ended with a message before the first step
    failed    it ended otherwise; how is told
    no mesh   the tutorial's own programs did not get as far as the solver
    no set-up one of them failed, and the solver, which would run another case, did not run

    census.py --build BUILD --tutorials .../incompressible --work FOLDER [--budget S] [--reference S] [TUTORIAL ...]

--reference S also runs OpenFOAM's own solver, for at most S seconds, and tells the relative L2 differences of U and p,
where heat moves the flow those of U and p_rgh and that of T in K; with --keep results that such a run has
left in the folder are taken as they are, --alone runs nothing else. --beside runs both at once, --ranks N OpenFOAM's on N processes.
--times FILE writes the table of times to solution: processor seconds of both, each on one thread, with their errors.
--check ends with a non-zero status where a row is not what lbmFoam -help-compat tells of it.
OpenFOAM compiles no code of dictionaries for an administrator: where one runs this, tutorials run in the account nobody if
that may enter the folders, or in that of --user.

Part of lbmFoam, GPL-3.0-or-later.
"""
import argparse
import fnmatch
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
# boundaryFoam solves for a profile in one dimension, potentialFoam for an initial field: they stay OpenFOAM's
SOLVERS = '''icoFoam nonNewtonianIcoFoam pisoFoam pimpleFoam simpleFoam porousSimpleFoam SRFSimpleFoam SRFPimpleFoam
    overSimpleFoam overPimpleDyMFoam shallowWaterFoam buoyantBoussinesqPimpleFoam
    buoyantBoussinesqSimpleFoam'''.split()


def makeTools(work):
    """A folder with lbmFoam under the solvers' names, and what Allrun scripts ask WM_PROJECT_DIR for."""
    tools = work / 'tools'
    if tools.exists():
        return tools
    (tools / 'path').mkdir(parents=True)
    for solver in SOLVERS:
        (tools / 'path' / solver).symlink_to(HERE / 'tools' / 'solver')
    (tools / 'path' / 'foamRunTutorials').symlink_to(HERE / 'tools' / 'foamRunTutorials')
    if not shutil.which('wmake'):
        (tools / 'path' / 'wmake').symlink_to(HERE / 'tools' / 'wmake')
    project = tools / 'openfoam'
    (project / 'bin' / 'tools').mkdir(parents=True)
    for name in ('RunFunctions', 'CleanFunctions'):
        (project / 'bin' / 'tools' / name).symlink_to(HERE / 'tools' / name)
    # The rest is the installed one's
    installed = Path(os.environ.get('WM_PROJECT_DIR') or '/usr/share/openfoam')
    for entry in installed.iterdir():
        if entry.name != 'bin':
            (project / entry.name).symlink_to(entry)
    return tools


def environment(args, tools, record):
    env = dict(os.environ)
    env['LD_LIBRARY_PATH'] = f"{args.build / 'lib'}:{env.get('LD_LIBRARY_PATH', '')}"
    solver = shutil.which('simpleFoam')
    env['PATH'] = f"{tools / 'path'}:{args.build / 'bin'}:{env['PATH']}"
    env['WM_PROJECT_DIR'] = str(tools / 'openfoam')
    env['FOAM_TUTORIALS'] = str(args.tutorials.parent)
    env['OMP_WAIT_POLICY'] = 'passive'
    env['CENSUS_RECORD'] = str(record)
    env['CENSUS_FAILED'] = str(failedOf(record))
    if args.user:
        env['HOME'] = str(args.work)
    env['CENSUS_BUDGET'] = str(args.budget)
    env['CENSUS_REFERENCE'] = str(args.reference or '')
    env['CENSUS_REFERENCES'] = str(args.work / 'references')
    env['CENSUS_KEEP'] = 'yes' if args.keep else 'no'
    env['CENSUS_ALONE'] = 'yes' if args.alone else 'no'
    env['CENSUS_BESIDE'] = 'yes' if args.beside and not args.alone else 'no'
    env['CENSUS_REFERENCE_RANKS'] = str(args.ranks)
    if args.times:
        env['OMP_NUM_THREADS'] = '1'
    env['CENSUS_SOLVERS'] = str(Path(solver).parent if solver else '/usr/bin')
    env.setdefault('WM_OPTIONS', 'linux64GccDPInt32Opt')
    env['CENSUS_SOURCES'] = str(args.sources or '')
    env['CENSUS_RANKS'] = 'parallel' if args.parallel else 'serial'
    return env


def copyTutorial(source, target):
    """Distributions pack files that programs other than OpenFOAM's read, too: m4, mesh converters."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True)
    for packed in list(target.rglob('*.gz')):
        # Links to what was packed: angledDuct's blockMeshDict.m4
        if packed.is_symlink():
            packed.with_suffix('').symlink_to(os.readlink(packed)[:-len('.gz')])
            packed.unlink()
            continue
        if 'triSurface' not in packed.parts:
            subprocess.run(['gunzip', '-f', packed], check=True)


def runTutorial(args, tools, name):
    """Lines of the record: one for each call of a solver."""
    folder = args.work / 'cases' / name
    copyTutorial(args.tutorials / name, folder)
    record = recordOf(args, name)
    record.parent.mkdir(parents=True, exist_ok=True)
    record.write_text('')
    failedOf(record).write_text('')
    (args.work / 'references').mkdir(exist_ok=True)
    if args.user:
        subprocess.run(['chown', args.user, args.work / 'references'], check=True)
        subprocess.run(['chown', '-R', args.user, folder, record, failedOf(record)], check=True)
        # Beside it the copy for OpenFOAM's own run is made
        subprocess.run(['chown', args.user, folder.parent], check=True)
    env = environment(args, tools, record)
    with open(folder / 'census.script', 'w') as log:
        script = subprocess.Popen(
            ['foamRunTutorials'], cwd=folder, env=env, stdout=log, stderr=log, start_new_session=True,
            executable=tools / 'path' / 'foamRunTutorials', user=args.user)
        try:
            script.wait(args.limit)
        except subprocess.TimeoutExpired:
            os.killpg(script.pid, signal.SIGTERM)
            script.wait()
    return recorded(args, name)


def failedOf(record):
    """The tutorial's own programs that failed."""
    return record.with_suffix('.failed')


def mayNotReach(args, user):
    """The first of the folders that the account may not enter."""
    sources = [args.sources / 'OpenFOAM' / 'lnInclude'] if args.sources else []
    for folder in [args.work, args.tutorials, args.build / 'bin'] + sources:
        if subprocess.run(['test', '-x', folder], user=user).returncode:
            return folder
    return None


def ordinaryUser(args, parser):
    """Account to run tutorials in, none for the present one."""
    user = args.user or ('nobody' if os.geteuid() == 0 else None)
    barred = mayNotReach(args, user) if user else None
    if not barred:
        return user
    told = f'account {user} may not enter {barred}'
    if args.user:
        parser.error(told)
    print(f'{told}: tutorials run in the administrator\'s, for which OpenFOAM compiles no code', flush=True)
    return None


def recordOf(args, name):
    return args.work / 'records' / (name.replace('/', '_') + '.record')


def recorded(args, name):
    """What an earlier run in this folder noted."""
    record = recordOf(args, name)
    return [line.split('|') for line in record.read_text().splitlines()] if record.exists() else []


def lastOf(pattern, text):
    found = re.findall(pattern, text, re.M)
    return found[-1] if found else ''


def message(log):
    """The first lines of OpenFOAM's error message, in one."""
    found = re.search(r'-->\s*FOAM FATAL (?:IO )?ERROR:?\s*(.*?)(?:\n\s*\n|\nfile:|\n    From )', log, re.S)
    words = ' '.join(found.group(1).split()) if found else ' '.join(log.split('\n')[-4:])
    return words.replace('|', '/')


def guard(log):
    """At the end of a run that ended; of others what was told last, which says nothing of time steps without it."""
    told = lastOf(r'^Guard: viscosity was raised in (\S+) % of the volume at the end', log) or lastOf(r'^guard: in (\S+) % of the volume', log)
    return f'guard {float(told):.2g} %' if told else ''


def toldOf(reference):
    """Status and processor seconds of OpenFOAM's own run, none where there was none."""
    told = Path(reference + '.told')
    if not told.exists():
        return None, None
    status, _, _, used = told.read_text().strip().split('|')
    return status, float(used)


def errors(logFile):
    """L2 of U (Urel), p (p_rgh) and T at the latest time of both, absolute and relative, compared when the runs had ended."""
    compared = Path(logFile + '.compare')
    told = compared.read_text(errors='replace') if compared.exists() else ''
    found = re.findall(r'^\s*(U|Urel|p|p_rgh|T)((?:\s+\S+){6})', told, re.M)
    # Where OpenFOAM's is zero throughout there is no relative one
    return [(name, float(values.split()[1]), float(values.split()[4])) for name, values in found if 'reference=0' not in values]


def percent(found):
    """Temperatures in K, for their zero is far."""
    return ', '.join(f'L2(T) {value:.2g} K' if name == 'T' else f'L2({name}) {100*relative:.2g} %' for name, value, relative in found)


def differences(reference, logFile):
    status, _ = toldOf(reference)
    if status is None:
        return ''
    if status != '0':
        return "OpenFOAM's run did not end in its time"
    found = errors(logFile)
    if found:
        return percent(found)
    compared = Path(logFile + '.compare')
    return 'not compared: ' + message(compared.read_text(errors='replace') if compared.exists() else 'lbmFoam did not end')[:80]


def caseOf(args, folder):
    return str(Path(folder).relative_to(args.work / 'cases'))


def setUpWords(failures):
    """The first program that failed, and what it said."""
    told, _, log = failures.split('\n')[0].partition(': ')
    said = Path(log).read_text(errors='replace') if Path(log).exists() else ''
    return f'{told}: {message(said)}'


def judge(args, line):
    """A row of the table: case, solver, verdict, note, seconds."""
    folder, solver, status, begin, end, logFile, _, reference = line
    log = Path(logFile).read_text(errors='replace')
    seconds = float(end) - float(begin)
    reached = lastOf(r'^Time = ([^\s,]+)', log)
    notes = []
    if status == '0':
        verdict = 'ends'
        notes = [f'time {reached}', guard(log), differences(reference, logFile) if args.reference and not args.alone else '']
    elif status in ('124', '137'):
        verdict = 'starts'
        left = lastOf(r'time left = (\S+)', log)
        notes = [f'time {reached or "none"}', f'{float(left):.3g} s left' if left else '', guard(log)]
    elif status == 'set-up':
        verdict = 'no set-up'
        notes = [setUpWords(log)]
    else:
        verdict = 'failed' if reached else 'refused'
        notes = [f'time {reached}' if reached else '', message(log)]
    return caseOf(args, folder), solver, verdict, ', '.join(n for n in notes if n), f'{seconds:.0f}'


TIMES = ['| case | nodes | cells | lbmFoam s | OpenFOAM s | ratio | difference |', '|---|---|---|---|---|---|---|']


def timesRow(args, line):
    """A row of the table of times to solution; none where one of the two did not end."""
    folder, solver, status, _, _, logFile, used, reference = line
    other, seconds = toldOf(reference)
    if status != '0' or other != '0':
        return None
    log = Path(logFile).read_text(errors='replace')
    nodes = lastOf(r'^\s*fluid nodes\s+(\d+)', log)
    cells = lastOf(r'^\s*mesh cells\s+(\d+)', log)
    case = caseOf(args, folder)
    return f'| {case} | {nodes} | {cells} | {float(used):.3g} | {seconds:.3g} | {seconds/max(float(used), 0.01):.2g} | {percent(errors(logFile))} |'


def promises(args):
    """Verdicts of lbmFoam -help-compat, by name of a case."""
    told = subprocess.run([args.build / 'bin' / 'lbmFoam', '-help-compat'], capture_output=True, text=True, check=True)
    tutorials = told.stdout.split('\nTutorials', 1)[1]
    return re.findall(r'^    (\S+/\S+) +(runs|starts|untried|refused)\b', tutorials, re.M)


def broken(args, rows):
    """Rows that are not as promised, those among them whose solver never ran: they show nothing."""
    kept = {'runs': {'ends'}, 'starts': {'ends', 'starts'}, 'refused': {'refused'}}
    found = []
    known = promises(args)
    for name in sorted({row[0] for row in rows}):
        verdicts = {row[2] for row in rows if row[0] == name}
        promised = [verdict for pattern, verdict in known if fnmatch.fnmatchcase(name, pattern)]
        if not promised:
            found.append(f'{name}: lbmFoam -help-compat has no word of it')
        elif promised[0] in kept and (verdicts & {'failed', 'no mesh', 'no set-up'} or not verdicts & kept[promised[0]]):
            found.append(f'{name}: promised {promised[0]}, found {" ".join(sorted(verdicts))}')
    return found


def lastWords(folder):
    """Of the last of the tutorial's own programs that ended with a message."""
    for log in sorted(folder.rglob('log.*'), key=lambda path: path.stat().st_mtime, reverse=True):
        text = log.read_text(errors='replace')
        if 'FOAM FATAL' in text or 'not found' in text:
            return f'{log.name}: {message(text)}'
    lines = (folder / 'census.script').read_text(errors='replace').strip().split('\n')
    return lines[-1]


def arguments(words=None):
    """Of the command line, or those in a list, which other scripts hand on; `user` is the account that tutorials run in."""
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=Path, required=True)
    parser.add_argument('--tutorials', type=Path, required=True)
    parser.add_argument('--work', type=Path, required=True)
    parser.add_argument('--budget', type=float, default=60, help='seconds for a run')
    parser.add_argument('--limit', type=float, default=1800, help='seconds for a tutorial')
    parser.add_argument('--reference', type=float, help="seconds for OpenFOAM's own run")
    parser.add_argument('--keep', action='store_true', help="take OpenFOAM's results of an earlier run in this folder")
    parser.add_argument('--alone', action='store_true', help="OpenFOAM's own runs alone, to be kept")
    parser.add_argument('--beside', action='store_true', help="OpenFOAM's own run at the same time as lbmFoam's")
    parser.add_argument('--ranks', type=int, default=1, help="processes of OpenFOAM's own run")
    parser.add_argument('--times', type=Path, help='table of times to solution to write; both run on one thread')
    parser.add_argument('--again', action='store_true', help='run nothing: the table of what ran in this folder')
    parser.add_argument('--parallel', action='store_true', help='on as many ranks as tutorials ask for')
    parser.add_argument('--user', help="account to run tutorials in; nobody where the present one is the administrator's")
    parser.add_argument('--sources', type=Path, help="OpenFOAM's headers, for wmake where there is none")
    parser.add_argument('--list', type=Path, default=HERE / 'tutorials')
    parser.add_argument('--results', type=Path, help='table to write')
    parser.add_argument('--check', action='store_true', help='fail where lbmFoam -help-compat tells otherwise')
    parser.add_argument('names', nargs='*')
    args = parser.parse_args(None if words is None else [str(word) for word in words])
    if args.parallel and args.reference:
        parser.error("--parallel: OpenFOAM's own run is one process's; leave --reference out")
    for path in ('build', 'tutorials', 'work'):
        setattr(args, path, getattr(args, path).resolve())
    if (args.keep or args.alone or args.times) and not args.reference:
        parser.error("--keep, --alone and --times are for OpenFOAM's own runs: --reference SECONDS")
    if args.alone and args.times:
        parser.error('--times takes runs of both: without --alone')
    args.work.mkdir(parents=True, exist_ok=True)
    args.user = ordinaryUser(args, parser)
    return args


def main():
    args = arguments()
    tools = makeTools(args.work)
    names = args.names or [n for n in args.list.read_text().split('\n') if n and not n.startswith('#')]
    rows, times = [], []
    for name in names:
        begin = time.time()
        lines = recorded(args, name) if args.again else runTutorial(args, tools, name)
        new = [judge(args, line) for line in lines]
        if args.again and not (args.work / 'cases' / name).exists():
            continue
        if not new:
            new = [(name, '-', 'no mesh', lastWords(args.work / 'cases' / name), f'{time.time() - begin:.0f}')]
        for row in new:
            print('| ' + ' | '.join(row) + ' |', flush=True)
        rows += new
        times += filter(None, (timesRow(args, line) for line in lines))
    counts = {verdict: sum(row[2] == verdict for row in rows) for verdict in sorted({row[2] for row in rows})}
    print(', '.join(f'{count} {verdict}' for verdict, count in counts.items()))
    if args.results:
        head = ['| case | solver | verdict | note | s |', '|---|---|---|---|---|']
        args.results.write_text('\n'.join(head + ['| ' + ' | '.join(row) + ' |' for row in rows]) + '\n')
    if args.times:
        args.times.write_text('\n'.join(TIMES + times) + '\n')

    wrong = broken(args, rows) if args.check else []
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
