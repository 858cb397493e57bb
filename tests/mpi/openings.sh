# A flow past a cylinder between openings on 1 to 4 ranks: fields, forces, probes, averages and checkpoint bit for bit.
# usage: openings.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
cylinder whole
for case in two three four purged; do cp -r whole $case; done
runIn whole "$lbmFoam"
for file in U p UMean pMean UPrime2Mean vorticity wallShearStress uniform/lbmCheckpoint.h5; do
    [ -f "whole/0.2/$file" ] || fail "no $file in one process"
done
shared two 2 "2 1 1"
same whole two
shared three 3 "3 1 1"
same whole three
shared four 4 "2 2 1"
same whole four

# Only the latest times and the latest checkpoint stay
setEntry purged/system/controlDict purgeWrite 1
shared purged 2 "2 1 1"
for processor in 0 1; do
    [ "$(timesOf "purged/processor$processor")" = "0 0.2 " ] || fail "purgeWrite: $(timesOf "purged/processor$processor")"
done
[ ! -e two/processor0/0.1/uniform/lbmCheckpoint.h5 ] || fail "an older checkpoint stays"
echo "forces, probes, averages and fields are those of one process"
