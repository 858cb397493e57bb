# A run that is killed on two ranks, any of them at any moment, and goes on, then on three, then in one process: as if nothing had
# happened. usage: restart.sh BUILD TUTORIALS WORK OURS CASE; CASE: our cylinder, or OpenFOAM's pitzDaily with k-epsilon on the mesh
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
kills=10

# Its time step is to be the same wherever it starts
pitzDaily()
{
    cloneCase "$tutorials/incompressible/pimpleFoam/RAS/pitzDaily" "$1"
    binary "$1"
    setEntry "$1/system/controlDict" adjustTimeStep no
    setEntry "$1/system/controlDict" writeControl runTime
    lbmDict "$1" ''
    runIn "$1" blockMesh
}

case $5 in
    cylinder)
        interval=0.05 others=
        cylinder killed
        foamDictionary -entry functions -remove killed/system/controlDict > /dev/null ;;
    pitzDaily)
        # reconstructPar knows no wall functions, and writes their entries in an order of its own
        interval=0.0003 others=epsilon
        pitzDaily killed ;;
    *) fail "no case $5" ;;
esac
setEntry killed/system/controlDict endTime 1000
setEntry killed/system/controlDict writeInterval $interval
setEntry killed/system/lbmDict checkpoint all
cp -r killed whole
decomposed killed 2 "2 1 1"
cp killed/processor0/0/U startOfFirst

# latest CASE: its latest time
latest() { timesOf "$1" | tr ' ' '\n' | grep -v unfinished | grep . | sort -g | tail -n 1; }

echo "seed of the moments: $$"
n=0
# More, and later, where a busy machine writes nothing in that time
while [ $n -lt $kills ] || { [ "$(latest killed/processor0)" = 0 ] && [ $n -lt 20 ]; }; do
    n=$((n + 1))
    mpirun --oversubscribe -n 2 "$lbmFoam" -parallel -case killed > killed.log 2>&1 &
    launcher=$!
    until [ "$(pgrep -P $launcher lbmFoam | wc -l)" -ge 2 ]; do
        kill -0 $launcher 2> /dev/null || { tail -n 30 killed.log >&2; fail "ended before kill $n"; }
        sleep 0.05
    done
    sleep "$(awk -v seed=$(($$ + n)) -v later=$((n > kills ? n - kills : 0)) 'BEGIN { srand(seed); printf "%.2f", 1 + later + rand() }')"
    both=$(pgrep -P $launcher lbmFoam || true)
    victim=$(echo "$both" | sed -n "$((1 + n % 2))p")
    [ -n "$victim" ] || { tail -n 30 killed.log >&2; fail "no rank to kill"; }
    kill -9 "$victim"
    wait $launcher && fail "kill $n did not end the run"
    # The other one is told to end, and may still be about it; the test's time limit ends what hangs
    for rank in $both; do while alive "$rank"; do sleep 0.05; done; done
    expect killed.log 'exited on signal 9'
    ! grep -q 'FOAM FATAL' killed.log || { tail -n 30 killed.log >&2; fail "before kill $n"; }
    for at in $(timesOf killed/processor0 | tr ' ' '\n' | grep -v unfinished); do
        [ -f "killed/processor1/$at/U" ] || fail "time $at of the first processor is not in the second"
    done
done
at=$(latest killed/processor0)
[ "$at" != 0 ] || fail "no time was written"
echo "killed $n times, at $at"
cmp startOfFirst killed/processor0/0/U || fail "the fields of the start are written over"

# endAfter WRITES CASE...
endAfter()
{
    end=$(awk -v t="$at" -v more="$1" -v interval=$interval 'BEGIN { printf "%.12g", t + more*interval }')
    shift
    for case in "$@"; do setEntry "$case/system/controlDict" endTime "$end"; done
}
endAfter 2 killed
onRanks killed 2 || { tail -n 30 killed.log.2 >&2; fail "goes on after the kills"; }
expect killed.log.2 'Start: checkpoint' 'continues bit for bit' 'End'
[ -z "$(ls -d killed/processor*/*.unfinished killed/lbmFoam.* 2> /dev/null)" ] || fail "unfinished times are left"

# On three ranks, then in one process, from what reconstructPar makes; beside it in one process at once
reconstructed()
{
    reconstructPar -case killed ${1:-} > killed.reconstructed 2>&1 || fail "reconstructPar"
    rm -rf killed/processor*
}
reconstructed
cp -r killed alone
decomposed killed 3 "3 1 1" -latestTime
endAfter 4 killed
onRanks killed 3 || { tail -n 30 killed.log.3 >&2; fail "on three ranks"; }
expect killed.log.3 'Start: checkpoint' 'continues bit for bit' 'End'
reconstructed -newTimes
endAfter 6 killed alone whole
for case in killed alone whole; do runIn $case "$lbmFoam"; done
for case in killed alone; do
    expect $case/log.lbmFoam 'Start: checkpoint' 'continues bit for bit'
    but=$others same whole $case
    same whole $case "$(awk -v t="$at" -v interval=$interval 'BEGIN { print t + 4.5*interval }')"
done
echo "2 ranks, 3 ranks, 1 process: bit for bit"
