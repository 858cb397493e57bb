# Input that the function object has to refuse, and scripts that fail: message, exit status, and fields that stay whole.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
unset DISPLAY
withoutEgl
freshCavity cavity
n=0

# attempt STATUS NAME ENTRIES PATTERN...: lbmFoam with these entries ends with the status, and says so
attempt()
{
    wanted=$1 name=$2 entries=$3; shift 3
    insituCase case "$entries" > /dev/null
    status=0
    "$lbmFoam" -case case > "log.$name" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || { tail -n 20 "log.$name"; fail "$name: exit status $status"; }
    expect "log.$name" "$@"
    n=$((n + 1))
}
# script NAME TEXT: writes it with what every script has
script()
{
    {
        echo "# script-version: 2.0"
        echo "from paraview import catalyst"
        echo "from paraview.simple import *"
        echo "cells = PVTrivialProducer(registrationName='input')"
        echo "options = catalyst.Options()"
        printf '%s\n' "$2"
    } > "$1.py"
}
script good 'def catalyst_execute(info): pass'
good="scripts (\"$work/good.py\");"

# -- entries
attempt 1 noScripts '' 'scripts' 'system/controlDict'
attempt 1 noFile 'scripts ("nowhere.py");' 'cannot read.*case/nowhere.py' 'system/controlDict'
attempt 1 onError "$good onError maybe;" 'onError is maybe' 'fatal and warn'
attempt 1 backEnd "$good backEnd vapor;" 'backEnd is vapor' 'paraview'
attempt 1 live "$good live localhost;" 'live is .localhost.' 'host:port'
attempt 1 type "$good inputs { input { type cloud; } }" 'type is cloud' 'lattice'
attempt 1 region "$good inputs { input { region solid; } }" 'no mesh solid' 'region0'
attempt 1 patches "$good inputs { input { type walls; patches (hull); } }" 'has no patch' 'movingWall'
attempt 1 fields "$good inputs { input { fields (U k); } }" 'no field k' 'U p density vorticity'
echo file > file
attempt 1 folder "$good outputDirectory \"$work/file/pictures\";" 'Cannot write in.*file/pictures'
sed "s/'input'/'grid'/" good.py > otherChannel.py
attempt 1 channel "scripts (\"$work/otherChannel.py\");" 'No script names one of the channels.*input walls mesh' 'inputs'

# -- scripts
script syntax 'def catalyst_execute(info) pass'
attempt 1 syntax "scripts (\"$work/syntax.py\");" 'executing at time 0.05' 'syntax.py: SyntaxError'
script raising 'def catalyst_execute(info): raise ValueError("at step %d" % info.timestep)'
attempt 1 raising "scripts (\"$work/raising.py\");" 'raising.py: ValueError: at step 10' 'fields.*U p density'
script view "view = CreateView('RenderView')"
attempt 1 display "scripts (\"$work/view.py\");" 'no X server answers .DISPLAY is not set., and EGL finds no device' 'xvfb-run -a'
script array "slice1 = Slice(Input=cells)
contour = Contour(Input=cells)
contour.ContourBy = ['POINTS', 'temperature']
contour.Isosurfaces = [1]
table = CreateExtractor('CSV', contour)"
attempt 1 array "scripts (\"$work/array.py\");" "Contour: no array 'temperature'" 'fields.*U p density'
script kind "extract = CreateExtractor('VTPC', cells)"
attempt 1 kind "scripts (\"$work/kind.py\");" 'cannot write this kind of data'

# -- a script that failed is left out, the other one and the run go on
attempt 0 warn "scripts (\"$work/raising.py\" \"$work/good.py\"); onError warn;" \
    'FOAM Warning' 'raising.py: ValueError: at step 10' 'goes on without it' 'End'
[ "$(grep -c 'ValueError: at step' log.warn)" -eq 2 ] || fail "warn: the script was called again"
[ -s case/0.1/U ] || fail "warn: fields were not written"
cloneCase cavity plain
for entry in 'endTime 0.1' 'writeInterval 20' 'writePrecision 12'; do
    setEntry plain/system/controlDict $entry
done
"$lbmFoam" -case plain > log.plain 2>&1 || fail "plain"
cmp case/0.1/U plain/0.1/U || fail "the script changed the flow"

echo "no module"
mkdir -p alone/lib alone/bin
cp -P "$build"/lib/*.so alone/lib/
rm -f alone/lib/liblbmInsitu[PC]*.so
cp "$build/bin/lbmFoam" alone/bin/
insituCase case "$good" > /dev/null
status=0
LD_LIBRARY_PATH=$work/alone/lib alone/bin/lbmFoam -case case > log.module 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "no module: exit status $status"
expect log.module 'Cannot load the in-situ module' 'ParaView 5.11'

echo "another ParaView than the one it was built with"
sed 's/-pv5\.11\.so/-pv5.99.so/g' "$build/lib/liblbmInsituParaView.so" > alone/lib/liblbmInsituParaView.so
status=0
LD_LIBRARY_PATH=$work/alone/lib alone/bin/lbmFoam -case case > log.version 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "another ParaView: exit status $status"
expect log.version 'Cannot load the in-situ module' '-pv5.99.so.*cannot open shared object' 'ParaView 5.11'

echo "$n bad inputs refused"
