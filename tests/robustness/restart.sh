# A run that is killed ten times at any moment, and resumed each time, equals the one that was not, bit for bit; every
# time directory that it leaves is whole.
# usage: restart.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
kills=10

# A pulsating inlet whose flow reverses, a condition that looks at the flux and openings that remember; numbers that files
# of six digits cut
channelMesh whole
lbmDict whole 'cells 80; referenceSpeed 3; maxMach 0.04; threads 1; checkpoint all; wall interpolated;
    openings { ".*let" { type nonReflecting; lInf 1; } }'
channelField whole U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type uniformFixedValue; uniformValue sine; uniformValueCoeffs { amplitude 1.23456789; frequency 0.7; scale (1 0 0); level (0.123456789 0 0); }' \
    'type inletOutlet; inletValue uniform (0.0123456789 0 0); value uniform (0 0 0);' 'type noSlip;'
channelField whole p volScalarField '[0 2 -2 0 0 0 0]' 0 \
    'type zeroGradient;' 'type fixedValue; value uniform 0.0123456789;' 'type zeroGradient;'
setEntry whole/system/controlDict startFrom latestTime
setEntry whole/system/controlDict writeInterval 4
cp -r whole killed

start=$(date +%s%N)
"$lbmFoam" -case whole > log.whole 2>&1 || { tail -n 30 log.whole >&2; fail "the run that is not killed"; }
took=$((($(date +%s%N) - start)/1000000))

# checkTimes CASE: what stands under a time's name equals what the whole run wrote
checkTimes()
{
    for time in $(timesOf "$1" | tr " " "\n" | grep -v unfinished); do
        [ "$time" != 0 ] || continue
        for file in U p uniform/time uniform/lbmCheckpoint.h5; do
            cmp "whole/$time/$file" "$1/$time/$file" >&2 || fail "time $time after kill $n"
        done
    done
}

seed=$$
echo "seed of the moments: $seed"
n=0 resumed=0
# More, and later, where the machine became so busy that nothing is written in that time
while [ $n -lt $kills ] || { ! ls killed/*/uniform/lbmCheckpoint.h5 > /dev/null 2>&1 && [ $n -lt $((2*kills)) ]; }; do
    n=$((n + 1))
    # Anywhere within an interval of half a run
    delay=$(awk -v seed=$((seed + n)) -v ms="$took" -v later=$((n > kills ? n - kills : 0)) \
        'BEGIN { srand(seed); printf "%.3f", (0.3 + 0.5*rand() + later)*ms/1000 }')
    "$lbmFoam" -case killed > log.killed 2>&1 &
    pid=$!
    sleep "$delay"
    kill -9 $pid 2> /dev/null || true
    wait $pid 2> /dev/null || true
    ! grep -q 'FOAM FATAL' log.killed || { tail -n 30 log.killed >&2; fail "resumed after kill $((n - 1))"; }
    ! grep -q 'Start: checkpoint' log.killed || resumed=$((resumed + 1))
    checkTimes killed
done
"$lbmFoam" -case killed > log.killed 2>&1 || { tail -n 30 log.killed >&2; fail "the last run"; }
expect log.killed 'Start: checkpoint' 'End'
[ "$(timesOf killed)" = "$(timesOf whole)" ] || fail "times $(timesOf killed)"
checkTimes killed
! ls -d killed/*.unfinished > /dev/null 2>&1 || fail "unfinished times are left"
echo "killed $n times, resumed from a checkpoint $((resumed + 1)) times, equal bit for bit"
