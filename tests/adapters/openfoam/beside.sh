# Models on the mesh that are solved while the lattice steps: nodes have them one time step later, whatever threads there are and
# however the run is cut; errors of theirs end it as others do. simpleFoam's pitzDaily with kOmegaSST, on as many nodes as cells.
# usage: beside.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

model='k omega nut'
flow='U p uniform/lbmCheckpoint.h5'

run() { "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }; }
# same A B TIME FILE...
same()
{
    a=$1 b=$2 time=$3; shift 3
    for file in "$@"; do cmp "$a/$time/$file" "$b/$time/$file" || fail "$b: $file of time $time is not that of $a"; done
}

cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" pitz
sed -i 's/kEpsilon/kOmegaSST/' pitz/constant/turbulenceProperties
sed 's/epsilon;/omega;/; s/\[0 2 -3 0 0 0 0\]/[0 0 -1 0 0 0 0]/; s/14.855/440.15/; s/epsilonWallFunction/omegaWallFunction/' pitz/0/epsilon > pitz/0/omega
for entry in 'functions {}' 'startFrom latestTime' 'endTime 24' 'writeInterval 12' 'writeFormat binary'; do
    setEntry pitz/system/controlDict "${entry%% *}" "${entry#* }"
done
runIn pitz blockMesh
"$lbmFoam" -case pitz -dry-run > log.plan 2>&1 || { tail -n 20 log.plan; fail "plan"; }
expect log.plan 'shallow cells +at these walls are 0\.5[0-9]* of what nodes are apart.*cellSize 0\.0004[0-9]* fits them'
lbmDict pitz 'cellSize 0.00109; checkpoint all; coupleEvery 1;'

echo "with one thread, two and three, and one for each processor"
for threads in $(printf "%s\n" 1 2 3 "$(nproc)" | sort -nu); do
    rm -rf "threads$threads"
    cp -r pitz "threads$threads"
    lbmDict "threads$threads" "cellSize 0.00109; checkpoint all; coupleEvery 1; threads $threads;"
    run "threads$threads"
done
same threads1 threads2 24 $flow $model
same threads1 threads3 24 $flow $model
same threads1 "threads$(nproc)" 24 $flow $model
expect log.threads2 'solved while the lattice steps: nodes have them a time step later$' \
    'models on the mesh [0-9.]+ % \(their thread [0-9.]+ %\)' 'Models on the mesh were solved in 24 of 24 time steps'
# One thread is one processor
expect log.threads1 'solved before the lattice steps, by the one thread that there is' 'Models on the mesh were solved in 24 of 24 time steps'
! grep -q 'their thread' log.threads1 || fail "a second thread beside the one that there is"

# restarted FORMAT EVERY: from times 12 and 13, between two solutions or not
restarted()
{
    echo "restarted bit for bit, $1"
    cp -r pitz "$1"
    setEntry "$1/system/controlDict" writeFormat "$1"
    setEntry "$1/system/controlDict" writeInterval 1
    lbmDict "$1" "cellSize 0.00109; checkpoint all; coupleEvery $2;"
    run "$1"
    for time in 12 13; do
        cp -r "$1" "$1$time"
        for later in $(seq $((time + 1)) 24); do rm -rf "$1$time/$later"; done
        run "$1$time"
        expect "log.$1$time" 'Start: checkpoint' 'bit for bit'
        same "$1" "$1$time" 24 $flow $model
    done
}
restarted binary 2
restarted ascii auto
expect log.binary 'nodes have them a time step later, or two: a flow may not settle so \(way out: coupleEvery auto\)$' 'Models on the mesh were solved in 12 of 24 time steps'

# With nodes two iterations behind pitzDaily does not settle: halves where an interval is given, or where time counts
echo "solutions of steady cases are whole"
fluxAlone()
{
    awk '/^Time = / { n += flux && !k; flux = k = 0 } /Solving for fluxPotential/ { flux = 1 } /Solving for k,/ { k = 1 }
        END { print n + 0 }' "$1"
}
cp -r pitz steady
setEntry steady/system/controlDict endTime 60
lbmDict steady 'cellSize 0.00109;'
run steady
expect log.steady 'nodes have them a time step later$' 'solved next after 2 time steps'
[ "$(fluxAlone log.steady)" = 0 ] || fail "the flux is solved for in another iteration than the models' equations"
[ "$(fluxAlone log.binary)" -gt 5 ] || fail "one solution in two given iterations is not made in halves"

# Half a solution in each of two time steps, whoever makes it, and whatever looks at the flow in between: the other run writes nothing
echo "solved in two time steps, with one thread and two"
cp -r pitz halves
setEntry halves/system/controlDict writeInterval 24
lbmDict halves 'cellSize 0.00109; checkpoint all; coupleEvery 2; threads 1;'
run halves
same binary halves 24 U p $model

# With k changed between both halves the equations take the new one, which nodes have two time steps later
echo "the second half takes the present fields of models, and the flow that the first had"
cp -r pitz half
for entry in 'writeFormat ascii' 'writeInterval 1' 'endTime 13'; do setEntry half/system/controlDict $entry; done
lbmDict half 'cellSize 0.00109; checkpoint all; coupleEvery 2;'
run half
setEntry half/system/controlDict endTime 15
cp -r half changedHalf
setEntry changedHalf/13/k internalField 'uniform 1'
run half
run changedHalf
same half changedHalf 14 U p
! cmp -s half/15/U changedHalf/15/U || fail "another k tells nodes nothing, two time steps later"

echo "the plan's share"
cp -r pitz planned
lbmDict planned 'cellSize 0.00109; threads 2;'
"$lbmFoam" -case planned -dry-run > log.planned 2>&1 || { tail -n 30 log.planned; fail "dry run"; }
expect log.planned 'a solution +[0-9.e-]+ s, and [0-9.e-]+ s for fields' \
    'expected share +[0-9.]+ % of the time, solved once in 2 time steps \([0-9.]+ % in each\)' 'expected time +[0-9.e+]+ s with them'
! sed -n '/^Set-up took/,$p' log.planned | grep -q 'Solving for' || fail "the plan tells what it solves for its times"
[ "$(timesOf planned)" = "0 " ] || fail "the plan has written times"

# Faster conditions from a restart on, whose time step is that of the first run, long before models are solved again
echo "a flow that gets too fast between two solutions"
cp -r pitz fast
for entry in 'writeFormat ascii' 'endTime 10'; do setEntry fast/system/controlDict $entry; done
setEntry fast/system/controlDict writeInterval 10
lbmDict fast 'cellSize 0.00109; checkpoint all; coupleEvery 8;'
run fast
setEntry fast/10/U boundaryField/inlet '{ type fixedValue; value uniform (28 0 0); }'
setEntry fast/system/controlDict endTime 16
run fast
time=$(sed -n 's/^Time = //p; /the lattice time step follows the flow/q' log.fast | tail -n 1)
echo "followed in time step $time"
[ "$time" -gt 11 ] && [ "$time" -lt 16 ] || fail "models are solved in 9 and 17, and the time step followed the flow in $time"

# So few lattice steps in a time step that only some tiles are looked at: writing looks at all of them, which is to decide nothing
echo "what is written changes nothing of that"
cp -r pitz seldom
for entry in 'writeFormat ascii' 'endTime 10' 'writeInterval 10'; do setEntry seldom/system/controlDict ${entry% *} ${entry#* }; done
lbmDict seldom 'cellSize 0.00109; checkpoint all; coupleEvery 8; iterationsPerPassage 400;'
run seldom
setEntry seldom/10/U boundaryField/inlet '{ type fixedValue; value uniform (26 0 0); }'
setEntry seldom/system/controlDict endTime 16
setEntry seldom/system/controlDict writeInterval 16
cp -r seldom often
setEntry often/system/controlDict writeInterval 1
run seldom
run often
same seldom often 16 U p
rm -rf often/1[456]
run often
expect log.often 'Start: checkpoint' 'bit for bit'
same seldom often 16 U p

# Another k at time 12 is solved for in time step 13 and told in the one after it
echo "nodes have a model one time step later"
for case in kept changed; do
    cp -r ascii $case
    for later in $(seq 13 24); do rm -rf $case/$later; done
    setEntry $case/system/controlDict endTime 14
    lbmDict $case 'cellSize 0.00109; checkpoint all; coupleEvery 1;'
done
setEntry changed/12/k internalField 'uniform 1'
run kept
run changed
expect log.changed 'k is that of its file'
! grep -q 'is that of its file' log.kept || fail "fields that nobody changed are told as changed"
same kept changed 13 U p
! cmp -s kept/13/k changed/13/k || fail "k is the same after it was changed"
! cmp -s kept/14/U changed/14/U || fail "another k tells nodes nothing, two time steps later"

# Time steps long enough to be cut, while models are solved or after
echo "stopped by signals, and resumed"
cp -r pitz whole
setEntry whole/system/controlDict endTime 5
setEntry whole/system/controlDict writeInterval 1
lbmDict whole 'cellSize 0.00109; checkpoint all; coupleEvery 1; iterationsPerPassage 2;'
cp -r whole cut
run whole
for time in 2 3 4; do cutShort cut $time; done
run cut
same whole cut 5 $flow $model

# k of the inlet is known until time 5; models have a thread of their own from the second time step on
echo "an error in the models"
cp -r pitz broken
setEntry broken/system/controlDict writeInterval 5
python3 - broken/0/k <<'END'
import re, sys
path = sys.argv[1]
text = open(path).read()
table = 'type uniformFixedValue; uniformValue table; uniformValueCoeffs { uniformValue table ((0 0.375) (5 0.375)); outOfBounds error; } value uniform 0.375;'
text, n = re.subn(r'(inlet\s*\{)[^}]*\}', lambda m: m[1] + table + '}', text, count=1)
assert n == 1
open(path, 'w').write(text)
END
refused broken 'Time = 6' 'FOAM FATAL ERROR' '6' 'FOAM exiting'
[ -s broken/5/k ] || fail "no time before the error"
! grep -q 'Time = 7' log.broken || fail "the run went on after the error"

# The solver fails in the fifth time step, in whose first lattice steps models are solved: its error is told once they have ended, and
# what was written before is whole; with an error of theirs in that time step, too, the solver's is the one
echo "a device that fails while models are solved"
perStep=$(sed -n 's/^lattice: \([0-9]*\) steps.*/\1/p' log.threads2 | head -n 1)
sed -i 's/(5 0.375)/(4 0.375)/' broken/0/k
for case in pitz broken; do
    cp -r $case failing
    rm -rf failing/[1-9]*
    setEntry failing/system/controlDict writeInterval 1
    status=0
    LD_PRELOAD=$build/tests/lib/libfailingDevice.so LBM_FAIL_AFTER=$((4*perStep)) "$lbmFoam" -case failing > log.failing 2>&1 || status=$?
    [ "$status" -eq 1 ] || { tail -n 20 log.failing; fail "exit status $status"; }
    expect log.failing 'Time = 5' 'FOAM FATAL ERROR' 'on cuda:0 .*unspecified launch failure' 'times written before are whole'
    ! grep -q 'Time = 6' log.failing || fail "the run went on after the failure"
    [ "$(timesOf failing)" = "0 1 2 3 4 " ] || fail "times $(timesOf failing)"
    rm -rf failing
done

# This collision, without its guard, diverges in some time step; models were solved beside it
echo "back to the beginning of a time step with a solution that was not told"
cloneCase "$tutorials/incompressible/simpleFoam/backwardFacingStep2D" back
for entry in 'functions {}' 'startFrom latestTime' 'endTime 14' 'writeInterval 1' 'writeFormat binary'; do
    setEntry back/system/controlDict "${entry%% *}" "${entry#* }"
done
runIn back blockMesh
for threads in 1 2; do
    cp -r back back$threads
    lbmDict back$threads "collision regularized; maxGridReynolds 300; coupleEvery 1; checkpoint all; threads $threads;"
    run back$threads
done
expect log.back1 'The flow diverged: once more from the beginning of the time step' 'Models on the mesh were solved in 14 of 14 time steps'
time=$(sed -n 's/^Time = //p; /^The flow diverged/q' log.back1 | tail -n 1)
[ "$time" -gt 1 ] && [ "$time" -lt 14 ] || fail "diverged in time step $time"
same back1 back2 14 $flow $model
# From its end on, and from the one before, which goes back again
for from in $time $((time - 1)); do
    cp -r back1 again
    for later in $(seq $((from + 1)) 14); do rm -rf again/$later; done
    run again
    expect log.again 'Start: checkpoint' 'bit for bit'
    same back1 again 14 $flow $model
    rm -rf again
done
# Between two solutions: what was made since is made once more, so that no time is lost
echo "back to what the flow was some time steps before"
cp -r back rare
setEntry rare/system/controlDict writeInterval 14
lbmDict rare "collision regularized; maxGridReynolds 300; coupleEvery 8; iterationsPerPassage 40;"
run rare
expect log.rare 'The flow diverged: once more from what it was [0-9]+ time steps? before'
# All of the time steps that are told, unless the flow is lost in one: it then goes back again
awk '/^The flow diverged/ { if (open && !again) exit 1; open = again = 0; steps = perStep = 0 }
    /^The flow diverged: once more from what it was/ { for (i = 1; i < NF; ++i) if ($i == "was") steps = $(i + 1); open = 1 }
    open && /^deltaT = .* lattice steps of/ { perStep = $4 }
    open && /^ *made again/ { again = $3 }
    open && /^lattice: / { if (!perStep) perStep = $2; if (again != steps*perStep) exit 1; ++whole; open = 0 }
    END { if (open || !whole) exit 1 }' log.rare || fail "time steps that are made again are not all that lie between"
echo passed
