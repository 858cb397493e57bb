# SIGINT and SIGTERM: served between lattice steps, however long a time step of the case is; what they leave is whole, and
# a run that goes on from it equals, bit for bit, one that nothing stopped. More signals change nothing.
# usage: signals.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

# ended CASE STATUS: within minutes, which is no measure of speed but ends a test that hangs
ended()
{
    (sleep 240; kill -9 $pid) > /dev/null 2>&1 &
    guard=$!
    status=0; wait $pid || status=$?
    kill $guard 2> /dev/null || true
    [ "$status" -eq "$2" ] || { tail -n 30 "log.$1" >&2; fail "$1: exit status $status instead of $2"; }
}

# wholeTime CASE TIME
wholeTime()
{
    for file in U p uniform/time uniform/lbmCheckpoint.h5; do [ -s "$1/$2/$file" ] || fail "$1: no $2/$file"; done
    ! ls -d "$1"/*.unfinished > /dev/null 2>&1 || fail "$1: an unfinished time is left"
}

lastOf() { timesOf "$1" | tr ' ' '\n' | grep . | tail -n 1; }

echo "a time step that takes hours, and signals one after the other"
freshCavity hours
setEntry hours/system/controlDict startFrom latestTime
setEntry hours/system/controlDict deltaT 1e5
setEntry hours/system/controlDict endTime 1e6
begun hours 'Time = 1(e\+05|00000)$'
kill -TERM $pid
for second in INT TERM INT; do kill -$second $pid 2> /dev/null || true; done
ended hours 0
expect log.hours 'SIG(TERM|INT): stopping after time' 'state written' 'End'
last=$(lastOf hours)
[ "$last" != 0 ] || fail "hours: nothing was written"
wholeTime hours "$last"
expect log.hours "Time = $last, cut short after [0-9]+ of [0-9]+ lattice steps"

# listens: to SIGTERM and SIGINT, which before it does end it without a word, or are lost
listens()
{
    until [ $((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' /proc/$pid/status) & 0x4002)) -eq $((0x4002)) ]; do
        kill -0 $pid 2> /dev/null || fail "ended before it heard signals"
        sleep 0.02
    done
}

echo "before the time loop"
freshCavity setUp
# It waits for a file that nobody writes
mkfifo setUp/system/held
lbmDict setUp '#include "held"'
for signal in TERM INT; do
    begun setUp '^Exec '
    listens
    kill -$signal $pid
    ended setUp $([ $signal = TERM ] && echo 143 || echo 130)
    expect log.setUp "SIG$signal before the time loop: nothing was written"
    ! grep -q 'Starting time loop' log.setUp || fail "setUp: SIG$signal came too late"
    [ "$(timesOf setUp)" = "0 " ] || fail "setUp: wrote $(timesOf setUp)"
done

echo "resumed from within time steps"
channel()
{
    channelMesh "$1"
    setEntry "$1/system/controlDict" startFrom latestTime
    setEntry "$1/system/controlDict" deltaT 1
    setEntry "$1/system/controlDict" endTime 3
    setEntry "$1/system/controlDict" writeInterval 1
    lbmDict "$1" "cells 80; referenceSpeed 3; maxMach 0.01; threads 1; checkpoint all; $2"
    channelField "$1" U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
        'type uniformFixedValue; uniformValue sine; uniformValueCoeffs { amplitude 1.23456789; frequency 0.7; scale (1 0 0); level (0.123456789 0 0); }' \
        "$3" 'type noSlip;'
    channelField "$1" p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' "$4" 'type zeroGradient;'
}
# cutAndResumed CASE: stopped in each time step, in the first twice
cutAndResumed()
{
    cp -r "$1" "$1.cut"
    "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1" >&2; fail "$1"; }
    for time in 1 1 2 3; do
        cutShort "$1.cut" $time
        wholeTime "$1.cut" "$(lastOf "$1.cut")"
        cp "log.$1.cut" "log.$1.cut$time"
    done
    "$lbmFoam" -case "$1.cut" > "log.$1.cut" 2>&1 || { tail -n 30 "log.$1.cut" >&2; fail "$1.cut"; }
    expect "log.$1.cut" 'Start: checkpoint' 'Finishing the time step that began at 2: [0-9]+ of [0-9]+ lattice steps are made'
    for time in 1 2 3; do
        for file in U p uniform/time uniform/lbmCheckpoint.h5; do
            cmp "$1/$time/$file" "$1.cut/$time/$file" >&2 || fail "$1: $time/$file"
        done
    done
}
channel nonReflecting 'wall interpolated; openings { ".*let" { type nonReflecting; lInf 1; } }' \
    'type inletOutlet; inletValue uniform (0.0123456789 0 0); value uniform (0 0 0);' \
    'type fixedValue; value uniform 0.0123456789;'
cat >> nonReflecting/system/controlDict <<'END'
functions
{
    mean { type fieldAverage; libs (fieldFunctionObjects); writeControl writeTime; fields (U { mean on; prime2Mean off; base time; }); }
}
END
cutAndResumed nonReflecting
# averaged CASE: the time that its means have been taken over
averaged() { getEntry "$1/3/uniform/functionObjects/functionObjectProperties" mean/U/totalTime; }
echo "means over $(averaged nonReflecting) s, with cut time steps over $(averaged nonReflecting.cut) s"
[ "$(averaged nonReflecting)" = "$(averaged nonReflecting.cut)" ] || fail "parts of time steps count as whole ones"
channel advective '' 'type advective;' 'type waveTransmissive; gamma 1; fieldInf 0; lInf 1; value uniform 0;'
cutAndResumed advective

echo "another deltaT: the time step that was cut is not finished"
rm -rf nonReflecting.cut/[1-9]*
cutShort nonReflecting.cut 1
setEntry nonReflecting.cut/system/controlDict deltaT 0.1
setEntry nonReflecting.cut/system/controlDict endTime 0.5
last=$(lastOf nonReflecting.cut)
"$lbmFoam" -case nonReflecting.cut > log.other 2>&1 || { tail -n 30 log.other >&2; fail "another deltaT"; }
expect log.other "The time step that began at 0 is not finished: deltaT, .*; a new one begins at $last" 'End'
echo passed
