# The lattice in parts: the same flow, whatever their number, and whoever goes on from a checkpoint.
# usage: parts.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

# Openings that remember, interpolated walls, an inlet whose flow changes
channelMesh whole
lbmDict whole 'cells 80; referenceSpeed 3; maxMach 0.04; checkpoint all; wall interpolated;
    openings { ".*let" { type nonReflecting; lInf 1; } }'
channelField whole U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
    'type uniformFixedValue; uniformValue sine; uniformValueCoeffs { amplitude 1.2; frequency 0.7; scale (1 0 0); level (0.1 0 0); }' \
    'type inletOutlet; inletValue uniform (0.01 0 0); value uniform (0 0 0);' 'type noSlip;'
channelField whole p volScalarField '[0 2 -2 0 0 0 0]' 0 \
    'type zeroGradient;' 'type fixedValue; value uniform 0.01;' 'type zeroGradient;'
setEntry whole/system/controlDict startFrom latestTime
setEntry whole/system/controlDict writeInterval 4
setEntry whole/system/controlDict writePrecision 15

cp -r whole three
echo 'parts 3;' >> three/system/lbmDict
"$lbmFoam" -case whole > log.whole 2>&1 || { tail -n 30 log.whole >&2; fail "one part"; }
"$lbmFoam" -case three > log.three 2>&1 || { tail -n 30 log.three >&2; fail "three parts"; }
expect log.three 'parts  *3'
! grep -q '  parts  ' log.whole || fail "the plan of one part tells of parts"

# sameFields A B TIME: numbers of U and p differ by rounding at most
sameFields()
{
    for field in U p; do
        tr -s '()\n' '  \n' < "$1/$3/$field" > one.numbers
        tr -s '()\n' '  \n' < "$2/$3/$field" > other.numbers
        paste -d' ' one.numbers other.numbers | awk -v most=1e-10 '
            NF % 2 == 0 {
                for (i = 1; i <= NF/2; ++i) {
                    if ($i !~ /^-?[0-9]/) continue
                    d = $i - $(i + NF/2); if (d < 0) d = -d
                    ++n; if (d > most) bad = 1
                }
            }
            END { exit bad || n < 1000 }' || fail "$field of $1 and $2 at $3"
    done
}
set -- $(timesOf whole)
middle=$2
for last; do :; done
sameFields whole three "$last"

# Checkpoints know nothing of parts
for from in 1 3; do
    [ $from = 1 ] && source=whole other=5 || source=three other=2
    rm -rf resumed
    cp -r $source resumed
    for time in $(timesOf resumed); do
        [ "$(echo "$time $middle" | awk '{ print ($1 > $2) }')" = 0 ] || rm -r "resumed/$time"
    done
    setEntry resumed/system/lbmDict parts $other
    "$lbmFoam" -case resumed > log.resumed 2>&1 || { tail -n 30 log.resumed >&2; fail "from $from parts to $other"; }
    expect log.resumed 'Start: checkpoint' 'End'
    sameFields whole resumed "$last"
done
echo "one and three parts agree, and go on as five and two"
