# The plan of lattices that are too large to be made for it: what a sketch estimates is what the lattice has, as near as the plan says,
# on meshes, curved ones too, and surfaces; what a run refuses by its entries the plan refuses; two billion nodes take little memory.
# usage: dryRun.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
ours=$here/../../tutorials
PATH="$build/bin:$PATH"
python=$(command -v /usr/bin/python3 || command -v python3) || { echo "no python3"; exit 77; }

cat > near.py <<'END'
# near.py EXACT ESTIMATE: two logs
import re, sys

def plan(name):
    text = open(name).read()
    number = lambda word: float(re.search(r"^    %s +([-+0-9.e]+)" % word, text, re.M).group(1))
    unit = lambda word: {"MB": 1e6, "GB": 1e9}[re.search(r"^    %s +\S+ (\wB)" % word, text, re.M).group(1)]
    facts = {word: number(word) for word in ("fluid nodes", "tiles")}
    for word in ("populations", "geometry"): facts[word] = number(word)*unit(word)
    patches = {}
    for line in text[text.index("\nPatches\n"):text.index("\nTime\n")].splitlines()[3:]:
        found = re.match(r"    (\S+) +(\S.*?) +(\d+)  \S", line)
        if found: patches[found.group(1)] = (found.group(2), int(found.group(3)))
    return text, facts, patches

text, exact, patches = plan(sys.argv[1])
assert "Estimate" not in text, "the exact plan is an estimate"
text, estimate, estimated = plan(sys.argv[2])
nodes, tiles, links = (float(x)/100 for x in re.search(
    r"Off by at most: nodes (\S+) %, tiles and populations (\S+) %, links of a patch (\S+) % of all", text).groups())
bad = []
def near(what, value, should, off):
    print("%-24s %14.0f for %14.0f: off by %6.2f %% of %.2f %%" % (what, value, should, 100*abs(value/should - 1), 100*off))
    if abs(value - should) > off*should*(1 + 1e-4) + 1: bad.append(what)
near("fluid nodes", estimate["fluid nodes"], exact["fluid nodes"], nodes)
near("tiles", estimate["tiles"], exact["tiles"], tiles)
near("populations", estimate["populations"], exact["populations"], tiles)
if estimate["geometry"] < exact["geometry"]*(1 - tiles): bad.append("geometry is more than the most")
if not patches or list(patches) != list(estimated): bad.append("patches")
for name, (kind, n) in patches.items():
    if estimated[name][0] != kind: bad.append("%s: %s, estimated %s" % (name, kind, estimated[name][0]))
    every = sum(count for _, count in patches.values())
    off = abs(estimated[name][1] - n)
    print("%-24s %14.0f for %14.0f: off by %6.2f %% of all links, of %.2f %%" % (name, estimated[name][1], n, 100*off/every, 100*links))
    if off > links*every*(1 + 1e-4) + 1: bad.append(name)
if nodes > 0.1 or tiles > 0.2 or links > 0.25: bad.append("an estimate as rough as this is of no use")
if bad: sys.exit("FAILED: " + ", ".join(bad))
END

# estimates CASE NODES: the estimate from a sketch with so many is near the plan of the lattice that is made
estimates()
{
    "$lbmFoam" -case "$1" -dry-run -sketch 0 > "log.$1.exact" 2>&1 || { tail -n 20 "log.$1.exact"; fail "$1"; }
    "$lbmFoam" -case "$1" -dry-run -sketch "$2" > "log.$1.sketch" 2>&1 || { tail -n 20 "log.$1.sketch"; fail "$1 by a sketch"; }
    echo "$1"
    "$python" near.py "log.$1.exact" "log.$1.sketch" || fail "$1: estimate"
    expect "log.$1.sketch" 'lattice step' 'flow-through' 'expected time +[0-9.e+]+ s' 'finest +cells of' 'End'
}

freshCavity cavity
lbmDict cavity 'cells 600; maxGridReynolds 1e9;'
estimates cavity 30000
cp -r cavity odd
lbmDict odd 'cells 487; maxGridReynolds 1e9;'
estimates odd 30000
cp -r odd several
lbmDict several 'cells 600; maxGridReynolds 1e9; parts 3;'
"$lbmFoam" -case several -dry-run -sketch 30000 > log.several 2>&1 || fail "several parts"
expect log.several 'parts +3, with' 'GB of populations and .* each'

cloneCase "$ours/cylinder2D" cylinder
runIn cylinder blockMesh
estimates cylinder 9000

echo "surfaces alone: neither the lattice nor the mesh is made"
cloneCase "$ours/aneurysm" vessel
mkdir -p vessel/constant/triSurface
"$python" "$ours/aneurysm/makeVessel.py" vessel/constant/triSurface/vessel.stl 0.4
setEntry vessel/system/lbmVoxelizeDict cellSize 0.0001
estimates vessel 150000
expect log.vessel.sketch 'Sketch +for the plan' 'mesh cells +[0-9]+, about: the mesh is a sketch, too'
exactCells=$(sed -n 's/^    mesh cells *\([0-9]*\).*/\1/p' log.vessel.exact)
sed -n 's/^    mesh cells *\([0-9]*\).*/\1/p' log.vessel.sketch | awk -v n="$exactCells" '{ exit !($1 > 0.9*n && $1 < 1.1*n) }' \
    || fail "cells of the mesh are not $exactCells"
[ ! -e vessel/constant/polyMesh ] || fail "a plan has written"

# Cells that memory allows are found without making them: about those that are found by making them
cp -r vessel auto
setEntry auto/system/lbmVoxelizeDict cellSize auto
echo 'deviceMemory 300 MB;' >> auto/system/lbmDict
for nodes in 0 100000; do
    "$lbmFoam" -case auto -dry-run -sketch $nodes > log.auto$nodes 2>&1 || { tail -n 20 log.auto$nodes; fail "cellSize auto, -sketch $nodes"; }
    sed -n 's/^    cell size *\([0-9.e-]*\) m.*/\1/p' log.auto$nodes | tail -n 1
done > sizes
paste -s sizes | awk '{ print "cellSize auto: " $1 " m, by a sketch " $2 " m"; exit !($2 > 0.95*$1 && $2 < 1.05*$1) }' || fail "cellSize auto"
expect log.auto100000 'Sketch +for the plan' '% of 0.3 GB \(entry deviceMemory\)'

echo "what a run refuses"
# refusedPlan ENTRIES PATTERN...: of a lattice that is larger than its sketch
refusedPlan()
{
    lbmDict cavity "cells 600; $1"; shift
    status=0
    "$lbmFoam" -case cavity -dry-run -sketch 30000 > log.refused 2>&1 || status=$?
    [ $status -eq 1 ] || { tail -n 30 log.refused; fail "$1: exit status $status"; }
    expect log.refused "$@"
}
refusedPlan 'maxGridReynolds 1e9; wall { nowhere halfway; }' 'Entry nowhere names none of the walls' 'lbmDict'
refusedPlan 'maxGridReynolds 1e9; openings { nowhere { type nonReflecting; } }' 'openings' 'lbmDict'
refusedPlan 'collision bgk; maxGridReynolds 1e-3;' 'rid Reynolds number'
refusedPlan 'maxGridReynolds 1e9; parts 100000;' 'parts' 'lbmDict'
for option in '-dry-run -sketch -5' '-dry-run -sketch 1' '-sketch 1e6'; do
    ! "$lbmFoam" -case cavity $option > log.option 2>&1 || fail "$option is taken"
    expect log.option 'Option -sketch .* it takes 0 or a number of nodes'
done

echo "more than any machine of ours has, in little memory"
# plan CASE: status and largest resident memory in MB
plan()
{
    "$python" - "$lbmFoam" "$1" > log.plan 2>&1 <<'END'
import resource, subprocess, sys
status = subprocess.run([sys.argv[1], "-dry-run", "-case", sys.argv[2]]).returncode
print("\nstatus", status, "resident", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss*1024/1e6)
END
    awk '$1 == "status" { print $2, $4 }' log.plan
}
freshCavity billions
lbmDict billions 'cells 200000; maxGridReynolds 1e9; collision regularized;'
echo "$(plan billions)"
expect log.plan 'fluid nodes +40000000000,' 'flow-through' 'About 4e\+10 nodes in the lattice need .* GB of memory' 'try [0-9.e-]+ or more'
awk '$1 == "status" { exit !($2 == 1 && $4 < 2000) }' log.plan || fail "forty billion nodes"
echo passed
