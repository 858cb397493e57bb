# What surrounds the programs: descriptors, memory, threads, names of folders, a log that cannot be written, controlDict
# while a run reads it again. Each ends with a result, or with a sentence and a non-zero status.
# usage: environment.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

# ends STATUS LOG COMMAND...: how it must end, well before a minute
ends()
{
    wanted=$1 log=$2; shift 2
    status=0
    timeout 60 "$@" > "$log" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || { tail -n 20 "$log" >&2; fail "exit status $status, not $wanted: $*"; }
}

freshCavity whole
"$lbmFoam" -case whole > log.whole 2>&1 || fail "the run that nothing disturbs"
last=0.5
freshCavity base
mkdir surface surface/system surface/constant surface/constant/triSurface
gunzip -c "$tutorials/resources/geometry/flange.stl.gz" > surface/constant/triSurface/body.stl
cp base/system/controlDict surface/system/
{
    echo 'FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }'
    echo 'surfaces ( "body.stl" );'
    echo 'cells 20;'
} > surface/system/lbmVoxelizeDict

echo "no open descriptor"
cp -r base closed
status=0
timeout 60 "$lbmFoam" -case closed <&- >&- 2>&- || status=$?
[ "$status" -eq 0 ] || fail "lbmFoam without descriptors: exit status $status"
cmp whole/$last/U closed/$last/U
cp -r surface voxelized
status=0
timeout 60 "$build/bin/lbmVoxelize" -case voxelized <&- >&- 2>&- || status=$?
[ "$status" -eq 0 ] || fail "lbmVoxelize without descriptors: exit status $status"
[ -s voxelized/constant/polyMesh/points ] || fail "lbmVoxelize without descriptors: no mesh"
status=0
timeout 60 "$build/bin/lbmCompare" closed whole -noPicture <&- >&- 2>&- || status=$?
[ "$status" -eq 0 ] || fail "lbmCompare without descriptors: exit status $status"
[ -s closed/postProcessing/lbmCompare/whole/comparison.csv ] || fail "lbmCompare without descriptors: no result"
status=0
timeout 60 "$build/bin/lbmBench" --geometry cavity2D --lattice D2Q9 --size 16 --steps 2 --repeats 1 --json closed.json \
    <&- >&- 2>&- || status=$?
[ "$status" -eq 0 ] || fail "lbmBench without descriptors: exit status $status"
python3 -m json.tool closed.json > /dev/null || fail "lbmBench without descriptors: what it prints is in its results"

echo "threads"
for program in lbmFoam lbmVoxelize; do
    case $program in lbmFoam) folder=base ;; *) folder=surface ;; esac
    ends 1 log.threads env OMP_NUM_THREADS=100000 "$build/bin/$program" -case "$folder"
    expect log.threads 'FATAL ERROR' 'OMP_NUM_THREADS is 100000, and this process may use [0-9]+ processors?: at most [0-9]+ threads'
done
ends 1 log.threads env OMP_NUM_THREADS=100000 "$build/bin/lbmBench" --size 16
expect log.threads 'OMP_NUM_THREADS is 100000'
ends 2 log.threads "$build/bin/lbmBench" --size 16 --threads 100000
expect log.threads '--threads is 100000, and this process may use [0-9]+ processors?: at most'
# Of the processors that this process may use, the first
first=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
one=$(taskset -c "$first" true 2> /dev/null && echo taskset -c "$first") || true
if [ -n "$one" ]; then
    ends 0 log.threads $one env OMP_NUM_THREADS=2 "$lbmFoam" -case base -dry-run
    expect log.threads 'OMP_NUM_THREADS is 2, and this process may use 1 processor: threads that share a processor wait'
    lbmDict base 'threads 2;'
    ends 0 log.threads $one env OMP_NUM_THREADS=1 "$lbmFoam" -case base -dry-run
    expect log.threads 'Entry threads is 2, and this process may use 1 processor'
    lbmDict base ''
fi

echo "little memory"
# From less than the libraries take to more than the run needs
cp -r base little
lbmDict little 'cells 400;'
refused=0
for kB in 100000 200000 220000 240000 260000 280000 320000 400000 500000; do
    status=0
    (ulimit -v $kB && exec timeout 60 "$lbmFoam" -case little -dry-run) > log.memory$kB 2>&1 || status=$?
    case $status in
        0) ;;
        # The loader, and OpenFOAM's libraries while they are loaded, speak for themselves
        127) expect log.memory$kB 'error while loading' ;;
        134) expect log.memory$kB 'new cannot satisfy memory request'
             ! grep -q '^Exec ' log.memory$kB || fail "$kB kB of memory: aborted in the program" ;;
        1) expect log.memory$kB 'ot enough memory|GB of memory|Thread creation failed|annot allocate'
           refused=$((refused + 1)) ;;
        *) tail -n 20 log.memory$kB >&2; fail "$kB kB of memory: exit status $status" ;;
    esac
done
[ $refused -gt 0 ] || fail "no limit met the program itself"

echo "memory that is expected before it is taken: a finer lattice takes what the plan says, its start included"
# taken CELLS: largest resident memory of a start, and the sum of the plan's lines but for what is available, in MB
taken()
{
    rm -rf memory; cp -r base memory
    lbmDict memory "cells $1; maxGridReynolds 1e9; magic 0.1;"
    OMP_NUM_THREADS=1 "$python" - "$lbmFoam" > memory.log <<'END'
import resource, subprocess, sys
status = subprocess.run([sys.argv[1], "-dry-run", "-case", "memory"]).returncode
print("resident", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss*1024/1e6)
sys.exit(status)
END
    awk '$1 == "resident" { resident = $2 } $1 ~ /^(populations|geometry|start)$/ { sum += $2 }
        END { print resident, sum }' memory.log
}
echo "$(taken 300) $(taken 1300)" | awk '{ grown = $3 - $1; planned = $4 - $2; print grown " MB of " planned
    exit !(planned > 100 && grown < 1.15*planned && grown > 0.6*planned) }' || fail "memory of the plan"

echo "folders with a space"
cp -r base 'a b'
for program in lbmFoam lbmVoxelize; do
    ends 1 log.space "$build/bin/$program" -case 'a b'
    expect log.space 'FATAL ERROR' "Argument 'a b' has a space or a quote in it" 'Rename it'
done
ends 1 log.space "$build/bin/lbmCompare" 'a b' whole
expect log.space 'FATAL ERROR' "Argument 'a b' has a space"
status=0
(cd 'a b' && exec timeout 60 "$lbmFoam") > log.space 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "a current folder with a space: exit status $status"
expect log.space "The current folder '.*/a b' has a space"
[ "$(timesOf 'a b')" = '0 ' ] || fail "a folder with a space was written to"
cp surface/constant/triSurface/body.stl 'surface/constant/triSurface/a body.stl'
cp -r surface spaced
sed -i 's/"body.stl"/"a body.stl"/' spaced/system/lbmVoxelizeDict
ends 1 log.space "$build/bin/lbmVoxelize" -case spaced
expect log.space 'a body.stl' 'space' 'system/lbmVoxelizeDict'

echo "folders that cannot be made"
ends 1 log.proc "$build/bin/lbmCompare" whole whole -output /proc/x -noPicture
expect log.proc 'FATAL ERROR' 'Folder "/proc/x" for the results cannot be made: '

echo "output that cannot be written"
for option in --list --help; do
    status=0
    timeout 60 "$build/bin/lbmBench" $option > /dev/full 2> log.full || status=$?
    [ "$status" -eq 1 ] || fail "lbmBench $option > /dev/full: exit status $status"
    expect log.full 'standard output: No space left on device'
done
for arguments in '-listKernels' '-help'; do
    status=0
    timeout 60 "$lbmFoam" $arguments > /dev/full 2> log.full || status=$?
    [ "$status" -eq 1 ] || fail "lbmFoam $arguments > /dev/full: exit status $status"
    expect log.full 'tandard output.*No space left on device'
done

echo "flows of too few nodes"
ends 2 log.few "$build/bin/lbmBench" --accuracy --size 1 --lattice D2Q9
expect log.few '--accuracy: --size 1 is too few nodes'
ends 0 log.few "$build/bin/lbmBench" --accuracy --size 4 --lattice D2Q9,D3Q19 --collision trt
! grep -Eiq 'nan|inf |diverged' log.few || fail "--accuracy --size 4 prints no numbers"

echo "deltaT below zero in a run"
cp -r base live
setEntry live/system/controlDict endTime 5000
setEntry live/system/controlDict runTimeModifiable true
"$lbmFoam" -case live > log.live 2>&1 &
pid=$!
until grep -q '^Time = ' log.live; do
    kill -0 $pid 2> /dev/null || fail "ended before its controlDict changed"
done
# The change shows by the file's time, to the second, with some to spare
sleep 1
sed 's/^deltaT .*/deltaT -1;/' live/system/controlDict > changed
touch -d '+1 minute' changed
mv changed live/system/controlDict
status=0
( sleep 60; kill -KILL $pid ) > /dev/null 2>&1 &
watcher=$!
wait $pid || status=$?
kill $watcher 2> /dev/null || true
[ "$status" -eq 1 ] || { tail -n 20 log.live >&2; fail "deltaT -1 in a run: exit status $status"; }
expect log.live 'FATAL IO ERROR' 'Entry deltaT is -1; it must be positive' 'system/controlDict'

echo "keywords that are nearly right"
cp -r base near
sed -i 's/^writeFormat /writeFormatt /; s/^runTimeModifiable /runtimeModifiable /' near/system/controlDict
echo 'mine 3; PURGEwRITE 0;' >> near/system/controlDict
sed -i 's/^gradSchemes/gradScheme {} gradSchemes/; s/default *Euler;/dfeault Euler;/' near/system/fvSchemes
ends 0 log.near "$lbmFoam" -case near -dry-run
expect log.near 'system/controlDict: nothing reads the entry writeFormatt; is writeFormat meant' \
    'nothing reads the entry runtimeModifiable; is runTimeModifiable meant' \
    'nothing reads the entry PURGEwRITE; is purgeWrite meant' \
    'system/fvSchemes: nothing reads the entry gradScheme; is gradSchemes meant' \
    'nothing reads the entry dfeault; is default meant'
! grep -q 'entry mine' log.near || fail "a user's own entry is named"
sed -i 's/^endTime /endtime /' near/system/controlDict
ends 1 log.near "$lbmFoam" -case near -dry-run
expect log.near 'nothing reads the entry endtime; is endTime meant'
sed -i 's/default *Euler;/default CrankNicolson 0.9;/' base/system/fvSchemes
ends 0 log.near "$lbmFoam" -case base -dry-run

echo passed
