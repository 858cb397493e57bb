# Steps in blocks (storages moments and aa on a CPU): the same flow to rounding, who goes on from a checkpoint goes on as the run began, and the
# plan says what was chosen, or what stands against it.
# usage: blocks.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# A block in a channel with an inlet whose flow changes, 40 x 20 x 20
entries='collision regularized; storage moments; checkpoint all; wall halfway;'
freshCavity begin
bodyInChannel begin 0.05 'type uniformFixedValue; uniformValue table ((0 (0 0 0)) (0.2 (1 0 0)));'
{
    printf 'o body\ng body\n'
    for z in 0.31 0.69; do printf 'v 0.71 0.31 %s\nv 0.99 0.31 %s\nv 0.99 0.69 %s\nv 0.71 0.69 %s\n' $z $z $z $z; done
    for face in '1 4 3 2' '5 6 7 8' '1 2 6 5' '2 3 7 6' '3 4 8 7' '4 1 5 8'; do
        set -- $face
        echo "f $1 $2 $3"; echo "f $1 $3 $4"
    done
} > begin/constant/triSurface/body.obj
setEntry begin/system/controlDict startFrom latestTime
setEntry begin/system/controlDict deltaT 0.02
setEntry begin/system/controlDict endTime 0.4
setEntry begin/system/controlDict writeInterval 5
setEntry begin/system/controlDict writePrecision 17

# run CASE ENTRIES: from its latest time on
run()
{
    lbmDict "$1" "$entries $2"
    "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1" >&2; fail "$1"; }
}

# resume CASE FROM ENTRIES: from the second time of another one
resume()
{
    cp -r "$2" "$1"
    for time in $(timesOf "$1"); do
        [ "$(echo "$time $middle" | awk '{ print ($1 > $2) }')" = 0 ] || rm -r "$1/$time"
    done
    run "$1" "$3"
    expect "log.$1" 'Start: checkpoint'
}

# sameBits A B, at the last time
sameBits()
{
    for field in U p; do cmp "$1/$last/$field" "$2/$last/$field" || fail "$field of $1 and $2 differ"; done
}

for case in plain blocks; do cp -r begin $case; done
run plain 'blocks no;'
set -- $(timesOf plain)
middle=$3
for last; do :; done
! grep -Eq '^ +(executor|steps) ' log.plain || fail "steps one by one that nobody asked about are told"

run blocks 'blocks yes;'
expect log.blocks '^ +executor +[2-4] steps a pass' '^ +steps +in blocks, as system/lbmDict asks for'
for field in U p; do
    "$python" "$here/relativeL2.py" "blocks/$last/$field" "plain/$last/$field" 1e-11 || fail "blocks change $field"
done

echo "populations"
ofAa='storage aa; collision trt; wall linear;'
for case in aaPlain aaBlocks; do cp -r begin $case; done
run aaPlain "$ofAa blocks no;"
run aaBlocks "$ofAa blocks yes;"
expect log.aaBlocks '^ +executor +[2-8] steps a pass' '^ +steps +in blocks, as system/lbmDict asks for'
for field in U p; do
    "$python" "$here/relativeL2.py" "aaBlocks/$last/$field" "aaPlain/$last/$field" 1e-11 || fail "blocks of populations change $field"
done
resume aaOn aaBlocks "$ofAa"
expect log.aaOn '^ +executor +[2-8] steps a pass' '^ +steps +in blocks, as the run began'
sameBits aaOn aaBlocks

echo "who goes on goes on as the run began"
resume blocksOn blocks ''
expect log.blocksOn '^ +executor +[2-4] steps a pass' '^ +steps +in blocks, as the run began'
sameBits blocksOn blocks
resume plainOn plain ''
! grep -q '^ +executor' log.plainOn || fail "a run goes on in blocks that began without"
sameBits plainOn plain
resume autoOn blocks 'storage auto;'
expect log.autoOn 'kernel .* moments ' '^ +steps +in blocks, as the run began'
sameBits autoOn blocks
echo "but for who says otherwise"
resume changed blocks 'blocks no;'
! grep -q '^ +executor' log.changed || fail "blocks no is blocks"

# plan NAME ENTRIES PATTERN...: of the same case
plan()
{
    name=$1
    cp -r begin "$name"
    lbmDict "$name" "$entries $2"
    shift 2
    "$lbmFoam" -case "$name" -dry-run > "log.$name" 2>&1 || { tail -n 30 "log.$name" >&2; fail "$name"; }
    expect "log.$name" "$@"
}

echo "why not"
plan small '' '^ +steps +step by step: 1 MB of moments are less than 101 MB'
plan quadratic 'blocks yes; wall quadratic;' '^ +steps +step by step: patch .* is a quadratic wall'
plan another 'blocks yes; collision trt; storage aa; wall quadratic;' '^ +steps +step by step: patch .* is a quadratic wall'
plan third 'blocks yes; collision trt; storage ab;' '^ +steps +step by step: blocks are for a CPU: of storage aa where'
plan fourth 'blocks yes; collision trt; storage aa;' '^ +executor +[2-8] steps a pass'
plan free 'blocks yes; storage auto;' 'kernel .* aa ' '^ +executor +[2-8] steps a pass'
echo "two dimensions"
flat()
{
    freshCavity "$1"
    sed -i "s/(20 20 1)/($2 $2 1)/" "$1/system/blockMeshDict"
    runIn "$1" blockMesh
    setEntry "$1/system/controlDict" deltaT 0.002
    setEntry "$1/system/controlDict" endTime 0.04
    setEntry "$1/system/controlDict" writePrecision 17
    run "$1" "blocks $3;"
}
flat tiny 20 yes
expect log.tiny '^ +steps +step by step: 20 nodes along x are fewer than 25'
flat tinyFree 20 auto
expect log.tinyFree '^ +steps +step by step: 19 kB of moments are less than 101 MB'
flat flatPlain 48 no
flat flatBlocks 48 yes
expect log.flatBlocks 'kernel +D2Q9 .* moments ' '^ +executor +[2-4] steps a pass' '^ +steps +in blocks, as system/lbmDict asks for'
! grep -Eq '^ +executor' log.flatPlain || fail "blocks no is blocks"
for last in $(timesOf flatPlain); do :; done
for field in U p; do
    "$python" "$here/relativeL2.py" "flatBlocks/$last/$field" "flatPlain/$last/$field" 1e-11 || fail "blocks change $field"
done
