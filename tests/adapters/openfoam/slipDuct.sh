# A bend of a duct 12 cells wide past whose walls the fluid slips, without system/lbmDict: nodes are laid such that its walls lie half-way
# between them, its inlet brings the rate that it is given, the edges with the walls included, as much leaves,
# and the duct's loss is what is known of it. usage: slipDuct.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
rm -rf "$work"; mkdir -p "$work"; cd "$work"
python3 - "$here/../../robustness/coarse" "$build" "$tutorials" <<'END'
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import cases
cases.make(Path('bend'), 'bend', 1e5, 'kEpsilon', 12, 0.4, Path(sys.argv[3]), Path(sys.argv[2]))
END
"$lbmFoam" -case bend > log.bend 2>&1 || { tail -n 30 log.bend; fail "bend"; }
expect log.bend '^    cell size +0.0833333 m' '^    walls +wall law' '^End'
balance=$(sed -n 's/^mass balance: in \([^,]*\), out \([^ ]*\) m3.*/\1 \2/p' log.bend | tail -n 1)
loss=$(awk '!/^#/ { p = $2 } END { print 2*p }' bend/postProcessing/pressure/0/surfaceFieldValue.dat)
echo "in, out (1 m3/s): $balance; loss (0.374 dynamic pressures by Crane's rule): $loss"
echo "$balance" | awk '{ exit !(NF == 2 && ($1 - 1)^2 < 0.002^2 && ($2 - $1)^2 < 0.002^2) }' || fail "what comes in and leaves"
awk -v loss="$loss" 'BEGIN { exit !(loss > 0.36 && loss < 0.44) }' || fail "loss"
echo "OK"
