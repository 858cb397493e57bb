# Each storage of the default set on several ranks: fields, forces and checkpoint of a flow past a body between openings, byte for byte those
# of one process. Without contraction of products and sums (preset exact) that is to hold for every storage; else it does for those of CPUs in these
# cases, as it turned out. usage: storages.sh BUILD TUTORIALS WORK OURS LIST WHICH RANKS...; LIST: kernels.list, WHICH: a pattern of rows
# such as "D3Q19 cpu float .*" (lattice, device, precision, storage). Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
list=$5 which=$6
shift 6

# What stands behind a mark is not of the default set. One collision is enough, for parts exchange by storage: the first but bgk, which
# is not for openings.
rows()
{
    sed -nE 's/[+*][^ ]*//g; /^D[23]Q/p' "$list" | awk '{
        n = split($5, storages, ","); split($6, collisions, ",")
        collision = collisions[1] == "bgk" ? collisions[2] : collisions[1]
        for (i = 1; i <= n; ++i) if (storages[i] != "" && collision != "" && !seen[$1, $2, $3, storages[i]]++)
            print $1, $2, $3, storages[i], collision
    }'
}

# sphere CASE: our tutorial, coarse and short: non-reflecting openings, planes of symmetry, curved cells, several nodes a cell
sphere()
{
    cloneCase "$ours/sphereDrag" "$1"
    sed -i 's/(16 16 24)/(6 6 10)/; s/(32 16 24)/(12 6 10)/; s/(16 32 24)/(6 12 10)/' "$1/system/blockMeshDict"
    binary "$1"
    setEntry "$1/system/controlDict" startFrom latestTime
    setEntry "$1/system/controlDict" endTime 1
    setEntry "$1/system/controlDict" writeInterval 0.5
    setEntry "$1/system/lbmDict" cellSize 0.125
    runIn "$1" blockMesh
}

cylinder plane
foamDictionary -entry functions/average -remove plane/system/controlDict > /dev/null
foamDictionary -entry functions/curl -remove plane/system/controlDict > /dev/null
setEntry plane/system/lbmDict cellSize 0.01
sphere space
for case in plane space; do
    setEntry $case/system/lbmDict blocks no
    setEntry $case/system/lbmDict checkpoint all
done

devices=$(nvidia-smi -L 2> /dev/null | grep -c '^GPU' || true)
grep -q '^LBM_CUDA:BOOL=ON' "$build/CMakeCache.txt" || devices=0

# on RANKS: the row at hand, beside whole
on()
{
    rm -rf shared
    cp -r fresh shared
    case $1 in 2) division="2 1 1" ;; 3) division="3 1 1" ;; 4) division="2 2 1" ;; *) fail "$1 ranks" ;; esac
    shared shared "$1" "$division"
    expect "shared.log.$1" "ranks +$1"
    same whole shared
}

n=0
rows > rows
while read -r lattice device precision storage collision; do
    row="$lattice $device $precision $storage"
    echo "$row" | grep -Eqx "$which" || continue
    if [ "$device" != cpu ] && [ "$devices" -lt 1 ]; then
        echo "$row: not run, no such device"
        continue
    fi
    rm -rf whole fresh
    case $lattice in D2*) cp -r plane fresh ;; *) cp -r space fresh ;; esac
    for entry in "lattice $lattice" "device $device" "precision $precision" "storage $storage" "collision $collision"; do
        setEntry fresh/system/lbmDict "${entry%% *}" "${entry#* }"
    done
    cp -r fresh whole
    runIn whole "$lbmFoam"
    expect whole/log.lbmFoam "kernel +$lattice $collision .*$storage $precision" 'End'
    last=$(timesOf whole | tr ' ' '\n' | grep . | tail -n 1)
    for file in U p uniform/lbmCheckpoint.h5; do [ -s "whole/$last/$file" ] || fail "$row: no $file"; done
    [ -s whole/postProcessing/coefficients/0/coefficient.dat ] || fail "$row: no forces"
    ran=
    for ranks in "$@"; do
        [ "$device" = cpu ] || [ "$ranks" -le "$devices" ] || { echo "$row: not run on $ranks ranks, of $devices devices"; continue; }
        on "$ranks" < /dev/null
        ran="$ran $ranks"
    done
    [ -z "$ran" ] || echo "$row $collision: on$ran ranks byte for byte as in one process"
    n=$((n + 1))
done < rows
[ $n -gt 0 ] || fail "no row is $which"
echo "$n storages"
