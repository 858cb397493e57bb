# Times at equal errors: icoFoam's cavity beside its own quarter as wide cells. Errors are lbmCompare's, and ratios follow from them.
# usage: equalError.sh BUILD TUTORIALS WORK PYTHON
# Part of lbmFoam, GPL-3.0-or-later.
here=$(cd "$(dirname "$0")" && pwd)
fail() { echo "FAILED: $*"; exit 1; }
rm -rf "$3"; mkdir -p "$3"; cd "$3" || exit 1
equal() { "$4" "$here/equalError.py" --build "$1" --tutorials "$2/incompressible" --work work --levels 2 --repeat 1 --files "$5" cavity; }
equal "$@" --limit=200 > log.equal 2>&1 || fail "$(tail -n 5 log.equal)"

echo "one row, in which all runs ended"
row=$(grep '^| cavity |' work/results.md)
echo "$row" | grep -Eq '^\| cavity \| 1/4 \|( [0-9.]+, [0-9.]+; [0-9.]+ \|){2}  \|( [0-9.]+, [0-9.]+; [0-9.]+ \|){3}' || fail "the row: $row"

echo "errors as lbmCompare has them, for p less its mean"
runs=work/runs/cavity
for run in shipped lbmWide lbm half
do
    "$1/bin/lbmCompare" "$runs/$run" "$runs/reference" -means -noPicture > "log.$run" 2>&1 || fail "lbmCompare of $run"
done
"$4" - work/results.json "$here" <<'END' || fail "see above"
import json, re, sys
sys.path.insert(0, sys.argv[2])
import equalError
runs = json.load(open(sys.argv[1]))[0]['runs']
def compared(run, field):
    return float(re.findall(rf'^{field}((?:\s+\S+){{6}})', open(f'log.{run}').read(), re.M)[0].split()[4])
def expect(what, value, wanted, tolerance):
    if abs(value - wanted) > tolerance*abs(wanted):
        sys.exit(f'{what} is {value}, not {wanted}')
for run in ('shipped', 'lbmWide', 'lbm'):
    for field in 'Up':
        expect(f'{field} of {run}', runs[run][field], compared(run, field), 1e-4)
if not runs['half']['U'] < 0.4*runs['shipped']['U'] < 0.04:
    sys.exit(f"U of OpenFOAM: {runs['shipped']['U']}, {runs['half']['U']}")
if not runs['lbmHalf']['U'] < runs['lbm']['U'] < 0.02:
    sys.exit(f"U of lbmFoam: {runs['lbm']['U']}, {runs['lbmHalf']['U']}")
# Errors that fall with the square root of time; between the meshes, beyond them, and where a finer one is no nearer
meshes = [(0.08, 1.0), (0.02, 16.0), (0.01, 64.0)]
for error, wanted in ((0.04, (4, 1, 16)), (0.02, (16, 1, 16)), (0.015, (16*(4/3)**2, 16, 64)), (0.16, (0.25, None, 1)), (0.005, (256, 64, None))):
    found = equalError.secondsFor(error, meshes)
    expect(f'seconds for {error}', found[0], wanted[0], 1e-9)
    if found[1:] != wanted[1:]:
        sys.exit(f'bounds for {error}: {found[1:]}')
if equalError.secondsFor(0.04, [(0.08, 1.0), (0.09, 16.0)]) is not None:
    sys.exit('an order from errors that grow')
for error, text in ((0.04, '**2**'), (0.16, '< 0.5 (0.12)'), (0.005, '>= 32 (1.3e+02)')):
    if equalError.ratioText(error, 2.0, meshes) != text:
        sys.exit(f'{error}: {equalError.ratioText(error, 2.0, meshes)}, not {text}')
END

echo "a run that does not end is told"
equal "$@" --limit=0.02 > log.cut 2>&1
grep '^| cavity |' work/results.md | grep -q 'cut short' || fail "$(cat work/results.md)"
echo "$row"
