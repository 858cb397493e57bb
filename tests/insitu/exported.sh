# A script that ParaView itself saved (save_catalyst_state) for another case: runs on both solvers with nothing changed but
# the name of an array.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
needX

xvfb-run -a -s "-noreset" /usr/bin/pvpython "$here/export.py" other.vtu other.py > log.export 2>&1 ||
    { cat log.export; fail "pvpython"; }
expect other.py "registrationName='other\." 'script-version: 2.0' temperature
sed 's/temperature/p/g' other.py > fitted.py
for solver in lbmFoam icoFoam; do
    insituCase $solver "scripts (\"$work/fitted.py\"); inputs { other.vtu { fields (p); } }"
    inX $solver $solver || { tail -n 30 log.$solver; fail "$solver"; }
    picture=$solver/postProcessing/insitu/RenderView1_000020.png
    [ -s "$picture" ] || fail "$solver: no picture in $(ls $solver/postProcessing/insitu)"
    [ -s $solver/postProcessing/insitu/cells_000020.csv ] || fail "$solver: no table"
    "$python" "$here/compare.py" $solver/postProcessing/insitu/cells_000020.csv $solver/0.1 p || fail "$solver: values"
done
