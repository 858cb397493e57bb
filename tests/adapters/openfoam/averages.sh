# Averages by lbmFieldAverage: those of OpenFOAM's fieldAverage, on one thread and on two, in one run and in two.
# usage: averages.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

zero='type zeroGradient;'

channelMesh base
setEntry base/system/controlDict endTime 0.5
setEntry base/system/controlDict writeInterval 5
setEntry base/system/controlDict writePrecision 12
lbmDict base 'cells 40; referenceSpeed 1.5;'
channelField base U volVectorField '[0 1 -1 0 0 0 0]' '(0.5 0 0)' 'type fixedValue; value uniform (1 0 0);' "$zero" 'type noSlip;'
channelField base p volScalarField '[0 2 -2 0 0 0 0]' 0 "$zero" 'type fixedValue; value uniform 0;' "$zero"
sed -i '/^functions/,$d' base/system/controlDict

# averaged NAME TYPE LIBRARY ENTRIES [TIME]: the channel with averages in each time step
averaged()
{
    rm -rf "$1"; cp -r base "$1"
    echo "functions { average { type $2; libs ($3); writeControl writeTime; $4 } }" >> "$1/system/controlDict"
    [ $# -lt 5 ] || setEntry "$1/system/controlDict" endTime "$5"
    timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }
}
both='fields ( U { mean on; prime2Mean on; base time; } p { mean on; prime2Mean on; base iteration; } );'

averaged openfoam fieldAverage fieldFunctionObjects "$both"
averaged ours lbmFieldAverage lbmFunctionObjects "$both"
expect log.ours '^    averages +of average begin at 0 s'
times=$(timesOf ours)
[ "$times" = "$(timesOf openfoam)" ] || fail "times $times"
[ "$(echo $times | wc -w)" -ge 3 ] || fail "times $times"
for time in $times; do
    [ "$time" != 0 ] || continue
    for field in UMean pMean UPrime2Mean pPrime2Mean; do
        "$python" "$here/relativeL2.py" "ours/$time/$field" "openfoam/$time/$field" 1e-8 || fail "$field of $time"
        [ "$(foamDictionary -entry dimensions -value "ours/$time/$field")" = \
            "$(foamDictionary -entry dimensions -value "openfoam/$time/$field")" ] || fail "dimensions of $field"
    done
done
# Not because nothing moves, nor because all that moves is what there is now
last=$(echo $times | awk '{ print $NF }')
! "$python" "$here/relativeL2.py" "ours/$last/UMean" "ours/$last/U" 1e-3 || fail "U is its mean"
foamDictionary -entry boundaryField/outlet -value "ours/$last/UMean" > ours.patch
foamDictionary -entry boundaryField/outlet -value "openfoam/$last/UMean" > openfoam.patch
grep -q nonuniform ours.patch || fail "outlet: $(cat ours.patch)"
for each in ours openfoam; do tr -cs '0-9.e+-' '\n' < $each.patch > $each.numbers; done
paste ours.numbers openfoam.numbers | awk '{ if (($1 - $2)^2 > 1e-16) bad = 1; n += $1 > 0 } END { exit bad || n < 10 }' ||
    fail "outlet: $(cat ours.patch) and $(cat openfoam.patch)"

echo "one thread"
export OMP_NUM_THREADS=1
averaged single lbmFieldAverage lbmFunctionObjects "$both"
export OMP_NUM_THREADS=2
for field in UMean UPrime2Mean pMean; do cmp "single/$last/$field" "ours/$last/$field" || fail "threads: $field"; done

echo "begun anew behind each time that is written"
averaged anew lbmFieldAverage lbmFunctionObjects "restartOnOutput yes; $both"
averaged anewThere fieldAverage fieldFunctionObjects "restartOnOutput yes; $both"
for field in UMean UPrime2Mean pMean; do
    "$python" "$here/relativeL2.py" "anew/$last/$field" "anewThere/$last/$field" 1e-8 || fail "begun anew: $field"
    ! "$python" "$here/relativeL2.py" "anew/$last/$field" "ours/$last/$field" 1e-4 || fail "not begun anew: $field"
done

echo "by periods and from a time on, whose ends are times to the last bit"
setEntry base/system/controlDict deltaT 0.03125
setEntry base/system/controlDict writeInterval 4
for each in "periodicRestart yes; restartPeriod 0.125;" "restartTime 0.25;"; do
    averaged period lbmFieldAverage lbmFunctionObjects "$each $both"
    averaged periodThere fieldAverage fieldFunctionObjects "$each $both"
    for field in UMean UPrime2Mean pMean; do
        "$python" "$here/relativeL2.py" "period/0.5/$field" "periodThere/0.5/$field" 1e-8 || fail "$each $field"
    done
    averaged period lbmFieldAverage lbmFunctionObjects "$both"
    ! "$python" "$here/relativeL2.py" "period/0.5/UMean" "periodThere/0.5/UMean" 1e-4 || fail "$each not begun anew"
done

echo "in two runs"
setEntry base/system/controlDict writeFormat binary
averaged whole lbmFieldAverage lbmFunctionObjects "$both"
middle=$(echo $times | awk '{ print $(int(NF/2) + 1) }')
averaged halves lbmFieldAverage lbmFunctionObjects "$both" "$middle"
setEntry halves/system/controlDict endTime 0.5
setEntry halves/system/controlDict startFrom latestTime
"$lbmFoam" -case halves > log.rest 2>&1 || { tail -n 30 log.rest; fail "the rest"; }
expect log.rest 'U: averages of [0-9.e-]+ s go on'
for field in U UMean UPrime2Mean pMean; do cmp "halves/$last/$field" "whole/$last/$field" || fail "in two runs: $field"; done

echo "bad input"
wrong()
{
    rm -rf wrong; cp -r base wrong
    echo "functions { average { type lbmFieldAverage; libs (lbmFunctionObjects); writeControl writeTime; $1 } }" >> wrong/system/controlDict
    refused wrong "$2" "$3"
}
wrong 'fields ( U { mean on; window 0.1; } );' 'averages over windows are' 'controlDict.functions.average'
wrong 'fields ( U { mean off; prime2Mean on; } );' 'entry mean is off' 'controlDict.functions.average'
wrong 'fields ( U { mean on; base day; } );' 'Entry base is day; valid: time iteration' 'controlDict.functions.average'
wrong 'periodicRestart yes; restartPeriod 0; fields ( U { mean on; } );' 'Entry restartPeriod is 0' 'controlDict.functions.average'
# As OpenFOAM's fieldAverage
rm -rf wrong; cp -r base wrong
echo "functions { average { type lbmFieldAverage; libs (lbmFunctionObjects); writeControl writeTime; fields ( V { mean on; } U { mean on; } ); } }" >> wrong/system/controlDict
runIn wrong "$lbmFoam"
expect wrong/log.lbmFoam 'Field V, which is to be averaged, is none of .*: left out' 'U: averages begin' '^End'
echo passed
