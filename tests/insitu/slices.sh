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

# A body before the slice, in grey: a square of 4 x 4 cm of the cavity's 10 x 10, in centimetres
printf 'v 3 3 2\nv 7 3 2\nv 7 7 2\nv 3 7 2\nf 1 2 3\nf 1 3 4\n' > body.obj
insituCase body "scripts (\"$scripts/slices.py\"); arguments (\"--maxSpeed=1\" \"--body=$PWD/body.obj\" \"--bodyScale=0.01\");"
inX lbmFoam body || { tail -n 30 log.body; fail "body"; }
"$python" - lbmFoam/postProcessing/insitu/slices_000020.png body/postProcessing/insitu/slices_000020.png <<'END' || fail "the body is not drawn"
import sys
import numpy
from matplotlib import image
def grey(name):
    picture = image.imread(name)[..., :3]
    flow = ~(picture > 0.99).all(axis=2)
    found = (picture.max(axis=2) - picture.min(axis=2) < 0.08) & (picture.mean(axis=2) > 0.15) & (picture.mean(axis=2) < 0.7)
    return found.sum()/flow.sum()
without, with_body = grey(sys.argv[1]), grey(sys.argv[2])
print(f'grey: {without:.3f} without, {with_body:.3f} with a body')
sys.exit(not (without < 0.02 and 0.1 < with_body < 0.2))
END
