# Live: data arrive at a ParaView client, its pause holds the run, and without a client nothing is different; of one process and of two.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
unset DISPLAY

cat > live.py <<'END'
# script-version: 2.0
from paraview import catalyst
from paraview.simple import *
cells = PVTrivialProducer(registrationName='input')
options = catalyst.Options()
options.GlobalTrigger = 'TimeStep'
options.CatalystLiveTrigger = 'TimeStep'
def catalyst_execute(info):
    # What the link's socket reports when its client vanishes: no failure of the script
    from vtkmodules.vtkCommonSystem import vtkClientSocket
    if info.timestep == 3:
        vtkClientSocket().ConnectToServer('localhost', 1)
END

# liveCase CASE: its data go to a port that is free now, none of those that the system gives to programs which ask for any
liveCase()
{
    port=$("$python" - <<'END'
import random, socket
least = int(open('/proc/sys/net/ipv4/ip_local_port_range').read().split()[0])
while True:
    port = random.randrange(1024, max(least, 2048))
    try:
        with socket.socket() as s:
            s.bind(('', port))
    except OSError:
        continue
    print(port)
    break
END
    )
    insituCase "$1" "scripts (\"$work/live.py\"); inputs { input { fields (U p); } } live \"localhost:$port\";"
    setEntry "$1/system/controlDict" functions/insitu/executeInterval 1
}

# watched CASE CELLS COMMAND...: with a client, long enough for it to come, look, pause and go on; CELLS: what it says of them
watched()
{
    case=$1 cells=$2
    shift 2
    setEntry $case/system/controlDict endTime 500
    /usr/bin/pvpython "$here/client.py" "$port" log.$case > log.client.$case 2>&1 &
    client=$!
    "$@" -case $case > log.$case 2>&1 &
    run=$! launched=$!
    status=0
    wait $client || status=$?
    # The run goes on without its client
    left=$(grep '^Time =' log.$case | tail -n 1)
    for _ in $(seq 600); do
        kill -0 $run 2> /dev/null || break
        [ "$(grep '^Time =' log.$case | tail -n 1)" = "$left" ] || break
        sleep 0.1
    done
    [ "$(grep '^Time =' log.$case | tail -n 1)" != "$left" ] || fail "$case: the run stands at $left since the client left"
    # mpirun's own status tells of a signal that it had: one of the processes has it, and tells the other
    [ "$1" != mpirun ] || run=$(pgrep -P $run lbmFoam | head -n 1)
    kill -TERM $run 2> /dev/null || fail "$case: the run ended before the client: $(tail -n 20 log.$case)"
    wait $launched || { tail -n 30 log.$case; fail "$case: the run, after the client left"; }
    cat log.client.$case
    [ "$status" -eq 0 ] || fail "$case: client: status $status"
    expect log.client.$case "$cells, fields.* p .*U" 'held at' 'went on to'
    expect log.$case 'SIGTERM: stopping' 'End'
}

liveCase case
"$lbmFoam" -case case > log.alone 2>&1 || { tail -n 30 log.alone; fail "without a client"; }
expect log.alone 'vtkClientSocket .*Socket error' '20 times, .* s in all' 'End'
watched case 'cells 400' "$lbmFoam"

command -v mpirun > /dev/null || { echo "two processes: not run, no mpirun"; exit 0; }
liveCase shared
parts shared 2
mpirun --oversubscribe -n 2 "$lbmFoam" -parallel -case shared > log.shared.alone 2>&1 ||
    { tail -n 30 log.shared.alone; fail "two processes without a client"; }
expect log.shared.alone '20 times, .* s in all' 'End'
watched shared 'cells 440' mpirun --oversubscribe -n 2 "$lbmFoam" -parallel
