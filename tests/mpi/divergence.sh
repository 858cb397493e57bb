# A flow that diverges on two ranks ends with the diagnosis that one process gives: the same time, place and advice, whether the lattice's
# own checks (checkEvery) find it or what looks at it first. usage: divergence.sh BUILD TUTORIALS WORK OURS
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# A channel twenty times faster than the lattice is told
channelMesh whole
setEntry whole/constant/transportProperties nu 0.001
setEntry whole/system/controlDict writeInterval 5
channelField whole U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
channelField whole p volScalarField '[0 2 -2 0 0 0 0]' 0 \
    'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
cp -r whole two
decomposed two 2 "2 1 1"

# diagnosis LOG CASE: without the rank in front of lines
diagnosis() { sed "s/^\[[0-9]*\] *//; s/^ *//; s/ *$//; s:$PWD/$2:CASE:" "$1" | sed -n '/The flow diverged/,/From function/p'; }

# diagnosed NAME ENTRIES PATTERN...
diagnosed()
{
    name=$1 entries=$2
    shift 2
    for case in whole two; do lbmDict $case "referenceSpeed 0.05; collision bgk; maxGridReynolds 1e6; startFlow given; $entries"; done
    status=0
    "$lbmFoam" -case whole > "$name.whole" 2>&1 || status=$?
    [ "$status" -eq 1 ] || { tail -n 30 "$name.whole" >&2; fail "$name in one process: exit status $status"; }
    status=0
    onRanks two 2 || status=$?
    [ "$status" -ne 0 ] || { tail -n 30 two.log.2 >&2; fail "$name on two ranks does not end with an error"; }
    for log in "$name.whole" two.log.2; do
        expect "$log" 'The flow diverged' 'time .*, all was well at' 'position .*, node \(.*\)' 'Advice for system/lbmDict' "$@"
    done
    diagnosis "$name.whole" whole > "$name.whole.diagnosis"
    diagnosis two.log.2 two > two.log.2.diagnosis
    diff "$name.whole.diagnosis" two.log.2.diagnosis >&2 || fail "$name: one process and two ranks say something else"
    [ "$(timesOf whole)" = "$(timesOf two/processor1)" ] || fail "$name: times $(timesOf whole), $(timesOf two/processor1)"
    rm -rf whole/[1-9]* whole/0.* two/processor*/[1-9]* two/processor*/0.*
    cat two.log.2.diagnosis
}
diagnosed often 'checkEvery 1;' 'the last good state on disk is time 0 in'
diagnosed seldom 'checkEvery 7;' 'the last good state on disk is time 0 in'

echo "after times that were written"
sed -i 's/uniform (1 0 0)/uniformFixedValue; uniformValue table ((0 (0.05 0 0)) (1.01 (0.05 0 0)) (1.02 (1 0 0)))/
    s/type fixedValue; value uniformFixedValue/type uniformFixedValue/' whole/0/U
cp whole/0/U two/0/U
decomposed two 2 "2 1 1"
diagnosed later 'checkEvery 3;' 'the last good state on disk is time 1 in'
echo "the same diagnosis on two ranks"
