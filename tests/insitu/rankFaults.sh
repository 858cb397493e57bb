# Scripts that fail on ranks, in all of them or in one alone: the message, the exit status, and nobody waits for anybody; or the run goes
# on without them. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
command -v mpirun > /dev/null || { echo "skipped: no mpirun"; exit 77; }
unset DISPLAY
withoutEgl

# attempt NAME ENTRIES EXECUTE: a script with that line in its function; the status is that of two ranks
attempt()
{
    {
        echo "# script-version: 2.0"
        echo "from paraview import catalyst"
        echo "from paraview.simple import *"
        echo "from vtkmodules.vtkParallelCore import vtkMultiProcessController"
        echo "rank = vtkMultiProcessController.GetGlobalController().GetLocalProcessId()"
        echo "table = CreateExtractor('CSV', Slice(Input=PVTrivialProducer(registrationName='input')))"
        echo "options = catalyst.Options()"
        echo "def catalyst_execute(info):"
        echo "    $3"
    } > "$1.py"
    insituCase "$1" "scripts (\"$work/$1.py\"); $2" > /dev/null
    parts "$1" 2
    status=0
    inRanks "log.$1" 2 "$lbmFoam" -parallel -case "$1" || status=$?
}
always='raise ValueError("at step %d" % info.timestep)'

echo "on both ranks"
attempt all '' "$always"
[ "$status" -eq 1 ] || fail "all: exit status $status"
expect log.all 'executing at time 0.05' 'all.py: ValueError: at step 10'

echo "on both ranks, and the run goes on without the script"
attempt warn 'onError warn;' "$always"
[ "$status" -eq 0 ] || fail "warn: exit status $status"
expect log.warn 'FOAM Warning' 'warn.py: ValueError: at step 10' 'goes on without it' 'End'
[ "$(grep -c '^ValueError: at step 10' log.warn)" -eq 2 ] || fail "warn: called how often?"
! grep -q 'at step 20' log.warn || fail "warn: called again"

echo "on one rank, while the other one waits for it"
attempt one '' "if rank == 1: $always"
[ "$status" -ne 0 ] || fail "one: exit status $status"
expect log.one '\[1\] in situ: .*one.py: ValueError: at step 10' 'failed alone'
echo passed
