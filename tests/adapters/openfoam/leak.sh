# Walls past which the fluid slips let none of it through: OpenFOAM's own turbulent cavity, turned against the lattice, keeps its mass,
# and goes on bit for bit from a checkpoint. usage: leak.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
rm -rf "$work"; mkdir -p "$work"; cd "$work"

cloneCase "$tutorials/incompressible/pisoFoam/RAS/cavity" turned
runIn turned blockMesh
runIn turned transformPoints -rollPitchYaw '(0 0 25)'
sed -i 's/uniform (1 0 0)/uniform (0.906308 0.422618 0)/' turned/0/U
setEntry turned/system/controlDict endTime 10
setEntry turned/system/controlDict startFrom latestTime
setEntry turned/system/controlDict writeControl runTime
setEntry turned/system/controlDict writeInterval 5
setEntry turned/system/controlDict writeFormat binary
lbmDict turned 'checkpoint all; threads 1;'
"$lbmFoam" -case turned > log.turned 2>&1 || { tail -n 30 log.turned; fail "turned"; }
expect log.turned 'fixedWalls +wall law' '^End'
drifts=$(sed -n 's/^mass drift: \([^ ]*\) .*/\1/p' log.turned | tr '\n' ' ')
echo "mass at each time written: $drifts"
echo "$drifts" | awk '{ a = $(NF - 1); b = $NF; exit !(a^2 < 0.005^2 && (b - a)^2 < 0.001^2) }' || fail "the cavity's mass drifts"

cp -r turned on
rm -rf on/10
"$lbmFoam" -case on > log.on 2>&1 || { tail -n 30 log.on; fail "restart"; }
expect log.on 'bit for bit'
for file in U p k epsilon nut; do cmp turned/10/$file on/10/$file || fail "$file after the restart"; done
echo "OK"
