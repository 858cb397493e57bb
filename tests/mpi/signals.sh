# SIGTERM and SIGINT to a run on two ranks: to mpirun, which passes them on to all, to the first rank and to another one. The run ends
# after the lattice steps under way and writes its time; it goes on from there, on other numbers of ranks, too, and what comes of that is
# bit for bit what a run has that nothing stopped. usage: signals.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# Of 10 400 lattice steps in a time step, so that signals come within one
channelMesh whole
binary whole
setEntry whole/system/controlDict startFrom latestTime
setEntry whole/system/controlDict deltaT 2
setEntry whole/system/controlDict endTime 1000
setEntry whole/system/controlDict writeInterval 1
lbmDict whole 'cells 200; referenceSpeed 3; maxMach 0.1; checkpoint all;'
channelField whole U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type uniformFixedValue; uniformValue sine; uniformValueCoeffs { amplitude 1.23456789; frequency 0.7; scale (1 0 0); level (0.123456789 0 0); }' \
    'type inletOutlet; inletValue uniform (0.0123456789 0 0); value uniform (0 0 0);' 'type noSlip;'
channelField whole p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
cp -r whole cut

# started RANKS PATTERN [MPIRUN'S OPTION...]: runs `cut` on ranks until a line of its log says so; $launcher. The first rank writes its log
# itself: while mpirun ends its ranks it reads nothing of what they say, and on a fast machine that is more than a terminal holds
started()
{
    ranks=$1 pattern=$2
    shift 2
    rm -f cut.log cut.log.*
    mpirun --oversubscribe "$@" -n "$ranks" \
        sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] && log=cut.log || log=cut.log.others; exec "$@" > $log 2>&1' sh "$lbmFoam" -parallel -case cut \
        > cut.log.mpirun 2>&1 &
    launcher=$!
    until grep -Eqs "$pattern" cut.log; do
        kill -0 $launcher 2> /dev/null || { tail -n 30 cut.log >&2; fail "ended before it was stopped"; }
        sleep 0.02
    done
}

# rank N: its process; children of mpirun are started in order
rank() { pgrep -P $launcher lbmFoam | sort -n | sed -n "$(($1 + 1))p"; }

# awaited: mpirun's end, within minutes, which ends a test that hangs; $status
awaited()
{
    n=0
    while kill -0 $launcher 2> /dev/null; do
        n=$((n + 1))
        [ $n -lt 2400 ] || { kill -9 $launcher; tail -n 30 cut.log >&2; fail "does not end"; }
        sleep 0.1
    done
    status=0; wait $launcher || status=$?
}

# ended WHOM: mpirun's own status tells of the signal that it had
ended()
{
    awaited
    [ "$1" = mpirun ] || [ $status -eq 0 ] || { tail -n 30 cut.log >&2; fail "signal to rank $1: exit status $status"; }
}

# stopped SIGNAL WHOM [MPIRUN'S OPTION...]: on two ranks, a rank within a time step; $last
stopped()
{
    signal=$1 whom=$2
    shift 2
    rm -rf before
    cp -r cut before
    for attempt in $(seq 20); do
        started 2 '^Time = ' "$@"
        case $whom in
            mpirun) kill "-$signal" $launcher ;;
            # SIGUSR1, with which OpenFOAM writes if asked to, mpirun passes on to all ranks: others than the first take no notice
            1) kill -USR1 "$(rank 1)"; sleep 0.05; kill "-$signal" "$(rank 1)" ;;
            *) kill "-$signal" "$(rank "$whom")" ;;
        esac
        ended "$whom"
        # mpirun passes it on whenever that is. A busy machine may have ended a time step just as the signal came
        [ "$whom" != mpirun ] && ! grep -q 'cut short after' cut.log || break
        rm -rf cut
        cp -r before cut
    done
    # What mpirun passes on is SIGTERM
    [ "$whom" = mpirun ] && named=TERM || named=$signal
    expect cut.log "SIG$named: stopping after time" 'state written' 'End'
    last=$(timesOf cut/processor0 | tr ' ' '\n' | grep . | sort -g | tail -n 1)
    for file in U p uniform/time; do
        for of in 0 1; do [ -s "cut/processor$of/$last/$file" ] || fail "no $file of processor$of at $last"; done
    done
    [ -s "cut/processor0/$last/uniform/lbmCheckpoint.h5" ] || fail "no checkpoint at $last"
    left=$(cd cut && ls -d ./*.unfinished processor*/*.unfinished lbmFoam.* 2> /dev/null || true)
    [ -z "$left" ] || fail "left behind: $left"
    [ "$whom" = mpirun ] || expect cut.log 'cut short after'
    echo "SIG$signal to $whom: at $last"
}

decomposed cut 2 "2 1 1"
# mpirun sends SIGTERM so many seconds later, and SIGKILL after as many more, by when a busy machine has to have written its state; one
# second without the option
stopped TERM mpirun --mca odls_base_sigkill_timeout 5
first=$last
stopped TERM 1
expect cut.log 'Start: checkpoint' 'no setting has changed since: continues bit for bit'
second=$last
stopped INT 0
# What the one before left
expect cut.log "Finishing the time step that began at [0-9.]+: [0-9]+ of [0-9]+ lattice steps are made"

end=$(awk "BEGIN { print 2*int($last/2) + 4 }")
for case in whole cut; do setEntry $case/system/controlDict endTime "$end"; done
runIn whole "$lbmFoam"
# Goes on to the end on these ranks, and in one process
cp -r cut alone
runIn alone reconstructPar
rm -r alone/processor*
runIn alone "$lbmFoam"
onRanks cut 2 || { tail -n 30 cut.log.2 >&2; fail "goes on"; }
runIn cut reconstructPar -newTimes
for case in cut alone; do
    # Times that are none of the case's
    for at in $first $second $last; do [ -d "whole/$at" ] || rm -r "${case:?}/$at"; done
    same whole $case
done

echo "before the time loop"
rm -rf cut/processor*/[1-9]* cut/processor*/0.* cut/[1-9]* cut/0.*
# Set-up waits for a file that nobody writes: mpirun takes a while to pass a signal on
mkfifo cut/system/held
lbmDict cut 'cells 200; referenceSpeed 3; maxMach 0.1; #include "held"'
for whom in 0 mpirun; do
    started 2 '^Exec '
    # It listens to SIGTERM and SIGINT
    n=0 caught=0
    until [ $((0x$caught & 0x4002)) -eq $((0x4002)) ]; do
        n=$((n + 1))
        [ $n -lt 3000 ] || { kill -9 $launcher; fail "does not listen to signals"; }
        sleep 0.02
        caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$(rank 0)/status") || { kill $launcher; fail "ended before it was stopped"; }
    done
    [ $whom = mpirun ] && kill -TERM $launcher || kill -TERM "$(rank $whom)"
    awaited
    [ $status -ne 0 ] || fail "set-up went on after SIGTERM to $whom"
    expect cut.log 'SIGTERM before the time loop: nothing was written'
    [ "$(timesOf cut/processor0)" = "0 " ] || fail "wrote $(timesOf cut/processor0)"
done
echo "two ranks stop, and go on bit for bit"
