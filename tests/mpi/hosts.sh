# Two ranks on two hosts: network namespaces with names of their own, which a pair of virtual interfaces joins, so that all that
# goes between them goes by TCP. Bit for bit as one process; a signal to the rank on the other host ends the run with its state written; one
# that fails or dies there ends this one's, and is named with its host. Needs no rights but to make namespaces. usage: hosts.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
if [ "${LBM_ON_HOSTS:-}" != yes ]; then
    for tool in ip nsenter unshare; do command -v $tool > /dev/null || { echo "skipped: no $tool"; exit 77; }; done
    apart="unshare --user --map-root-user --net --uts"
    # Some kernels and containers forbid them
    $apart ip link add joins type veth peer name joined 2> /dev/null || { echo "skipped: no namespaces here"; exit 77; }
    exec env LBM_ON_HOSTS=yes OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 $apart sh "$0" "$@"
fi
. "$(dirname "$0")/common.sh"
cylinder whole
foamDictionary -entry functions -remove whole/system/controlDict > /dev/null
cp -r whole two
decomposed two 2 "2 1 1"

# The second host is a process that waits
unshare --net --uts -- sleep 600 &
other=$!
trap 'kill $other' EXIT
until [ "$(readlink /proc/$other/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do sleep 0.05; done
inOther() { nsenter --target $other --net --uts -- "$@"; }
hostname first
ip link set lo up
ip link add toOther type veth peer name toFirst netns $other
ip addr add 10.77.0.1/24 dev toOther
ip link set toOther up
inOther hostname other
inOther ip link set lo up
inOther ip addr add 10.77.0.2/24 dev toFirst
inOther ip link set toFirst up

# What mpirun starts its helper there with, in place of ssh: HOST COMMAND...
printf '#!/bin/sh\nshift\nexec nsenter --target %s --net --uts -- sh -c "$*"\n' $other > agent
chmod +x agent
onHosts()
{
    of=$1
    shift
    mpirun --mca plm_rsh_agent "$PWD/agent" --host 10.77.0.1:1,10.77.0.2:1 "$@" -n 2 "$lbmFoam" -parallel -case "$of"
}
sent() { awk '$1 == "toOther:" { print $10 }' /proc/net/dev; }
ranksOf() { pgrep --ns "$1" --nslist net -x lbmFoam; }

runIn whole "$lbmFoam"
before=$(sent)
onHosts two > two.log 2>&1 || { tail -n 40 two.log >&2; fail "two ranks on two hosts"; }
echo "sent from host to host: $(($(sent) - before)) bytes"
expect two.log 'nProcs : 2' '\(first 1\)' '\(other 1\)' 'ranks +2' 'End'
reconstructPar -case two > two/log.reconstructPar 2>&1 || fail "reconstructPar"
same whole two

# One on the other host fails
status=0
LBM_FAIL_RANK=1 LBM_FAIL_WHEN= LD_PRELOAD=$build/tests/lib/libfailingRank.so \
    onHosts two -x LBM_FAIL_RANK -x LBM_FAIL_WHEN -x LD_PRELOAD > failed.log 2>&1 || status=$?
[ $status != 0 ] || fail "a rank that fails on the other host does not end the run"
expect failed.log 'rank 1 on host other: kernel D2Q9 on cuda:0'

# started LOG: a run without an end, until its time loop; $launcher
setEntry two/system/controlDict endTime 1000
started()
{
    onHosts two > "$1" 2>&1 &
    launcher=$!
    n=0
    until grep -qs '^Time = ' "$1"; do
        n=$((n + 1))
        [ $n -lt 600 ] && kill -0 $launcher || { tail -n 40 "$1" >&2; fail "does not start"; }
        sleep 0.1
    done
}

# It is told to stop
started stopped.log
kill -TERM "$(ranksOf $other)"
wait $launcher || { tail -n 40 stopped.log >&2; fail "a signal to the other host"; }
expect stopped.log 'SIGTERM: stopping after time .*, state written' 'End'

# It dies
started killed.log
kill -9 "$(ranksOf $other)"
status=0
wait $launcher || status=$?
[ $status != 0 ] || fail "a rank that died on the other host did not end the run"
# The one here is told to end, and may still be about it; the test's time limit ends what hangs
for host in $$ $other; do for rank in $(ranksOf $host); do while alive "$rank"; do sleep 0.05; done; done; done
expect killed.log 'on node (other|10.77.0.2) exited on signal 9'
echo "two hosts: bit for bit as one process; a rank that dies there ends the one here"
