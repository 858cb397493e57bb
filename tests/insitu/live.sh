# Live: data arrive at a ParaView client, its pause holds the run, and without a client nothing is different.
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
# A port that is free now
port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("localhost", 0)); print(s.getsockname()[1])')
insituCase case "scripts (\"$work/live.py\"); inputs { input { fields (U p); } } live \"localhost:$port\";"
setEntry case/system/controlDict functions/insitu/executeInterval 1

"$lbmFoam" -case case > log.alone 2>&1 || { tail -n 30 log.alone; fail "without a client"; }
expect log.alone 'vtkClientSocket .*Socket error' '20 times, .* s in all' 'End'

# With a client: long enough for it to come, look, pause and go on
setEntry case/system/controlDict endTime 500
/usr/bin/pvpython "$here/client.py" "$port" log.case > log.client 2>&1 &
client=$!
"$lbmFoam" -case case > log.case 2>&1 &
run=$!
status=0
wait $client || status=$?
# The run goes on without its client
left=$(grep '^Time =' log.case | tail -n 1)
for _ in $(seq 600); do
    kill -0 $run 2> /dev/null || break
    [ "$(grep '^Time =' log.case | tail -n 1)" = "$left" ] || break
    sleep 0.1
done
[ "$(grep '^Time =' log.case | tail -n 1)" != "$left" ] || fail "the run stands at $left since the client left"
kill -TERM $run 2> /dev/null || fail "the run ended before the client: $(tail -n 20 log.case)"
wait $run || { tail -n 30 log.case; fail "the run, after the client left"; }
cat log.client
[ "$status" -eq 0 ] || fail "client: status $status"
expect log.client 'cells 400, fields p U' 'held at' 'went on to'
expect log.case 'SIGTERM: stopping' 'End'
