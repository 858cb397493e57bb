# The slices script, the same file for lbmFoam and icoFoam: pictures that show something, and the values that the
# solver wrote.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

for solver in lbmFoam icoFoam; do
    insituCase $solver "scripts (\"$scripts/slices.py\"); arguments (\"--maxSpeed=1\" \"--table=1\");"
    inX $solver $solver || { tail -n 30 log.$solver; fail "$solver"; }
    expect log.$solver 'catalyst insitu: ParaView 5.11' 'to start up' '2 times, .* s in all, .* % of the run' 'End'
    output=$solver/postProcessing/insitu
    [ "$(ls "$output" | tr '\n' ' ')" = "slices_000010.csv slices_000010.png slices_000020.csv slices_000020.png " ] ||
        fail "$solver: wrote $(ls "$output")"
    "$python" "$here/compare.py" "$output/slices_000020.csv" $solver/0.1 U || fail "$solver: values"
    "$python" "$here/pixels.py" "$output/slices_000020.png" || fail "$solver: picture"
done
