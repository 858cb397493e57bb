# Scripts that draw, where no X server answers and EGL does: the pictures are those that an X server gives, and the log says what drew
# them; in OpenFOAM's solvers, too, and on two processes. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
unset DISPLAY
status=0
"$python" "$here/egl.py" || status=$?
case $status in
    0) ;;
    77) exit 77 ;;
    *) fail "EGL cannot be asked" ;;
esac

for way in x egl; do
    insituCase $way "scripts (\"$scripts/slices.py\" \"$scripts/streamlines.py\" \"$scripts/cinema.py\");
        arguments (\"--phi=2\" \"--theta=1\");"
done
"$lbmFoam" -case egl > log.egl 2>&1 || { tail -n 30 log.egl; fail "without an X server"; }
expect log.egl 'Pictures are drawn without an X server, by EGL: ' '2 times, .* s in all' 'End'
[ "$(grep -c 'by EGL' log.egl)" -eq 1 ] || fail "said more than once"

if command -v mpirun > /dev/null; then
    insituCase ranks "scripts (\"$scripts/slices.py\"); arguments (\"--maxSpeed=1\");"
    parts ranks 2
    mpirun --oversubscribe -n 2 icoFoam -parallel -case ranks > log.ranks 2>&1 || { tail -n 30 log.ranks; fail "icoFoam"; }
    [ "$(grep -c 'by EGL' log.ranks)" -eq 1 ] || fail "two processes: $(grep 'by EGL' log.ranks)"
    "$python" "$here/pixels.py" ranks/postProcessing/insitu/slices_000020.png || fail "picture of two processes"
fi

inX "$lbmFoam" x || { tail -n 30 log.x; fail "with an X server"; }
! grep 'by EGL' log.x || fail "EGL where an X server answers"
"$python" - <<'PYTHON' || fail "pictures differ"
import glob
import numpy
from matplotlib import image

names = [name[2:] for name in sorted(glob.glob("x/postProcessing/insitu/*.png"))]
assert len(names) == 2*(1 + 1 + 2), names
for name in names:
    x, egl = (image.imread(way + "/" + name)[..., :3] for way in ("x", "egl"))
    assert x.shape == egl.shape and len(numpy.unique(x.reshape(-1, 3), axis=0)) > 50, name
    # Edges are the driver's, which need not be the same
    apart = (abs(x - egl).max(axis=2) > 0.1).mean()
    print(f"{name}: {apart:.4f} of the pixels differ")
    assert apart < 0.01, name
PYTHON
