# Files of latticeImage: gradients are those of the velocities in them; XDMF as ParaView opens it, over a restart; the run is the same
# with and without; what a thread writes is whole after a signal, and a disk that ends is told.
# usage: imageFiles.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
python=/usr/bin/python3
"$python" -c 'import numpy, paraview.simple, vtkmodules.vtkIOXML, vtkmodules.util.numpy_support' > /dev/null 2>&1 ||
    { echo "skipped: no /usr/bin/python3 with numpy, VTK and ParaView"; exit 77; }

# functions CASE ENTRIES
functions()
{
    sed -i '/^functions/,$d' "$1/system/controlDict"
    printf 'functions\n{\n%s\n}\n' "$2" >> "$1/system/controlDict"
}
image='type latticeImage; libs (lbmFunctionObjects); writeControl writeTime;'

# A duct around a body, whose walls lie obliquely, with eddies on the lattice
freshCavity plain
bodyInChannel plain 0.05 'type fixedValue; value uniform (1 0 0);'
setEntry plain/system/controlDict deltaT 0.02
setEntry plain/system/controlDict endTime 0.08
setEntry plain/system/controlDict writeInterval 1
setEntry plain/system/controlDict writePrecision 12
cat > plain/constant/turbulenceProperties <<'FOAM'
FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }
simulationType LES;
LES { LESModel Smagorinsky; delta cubeRootVol; turbulence on; cubeRootVolCoeffs {} SmagorinskyCoeffs { Ck 0.094; Ce 1.048; } }
FOAM
setEntry plain/constant/transportProperties nu 0.005
cp -r plain images
functions images "
    whole { $image fields (U p Q vorticity nut); }
    box { $image fields (Q nut vorticity); box (0.5 0.2 0.2) (1.5 0.8 0.8); }
    plane { $image fields (Q vorticity); box (0 0.51 0) (2 0.51 1); }
    coarse { $image fields (U Q); coarsen 4; }
    thin { $image fields (U); box (0 0.51 0) (1.9 0.51 1); coarsen 4; }
    nodes { $image fields (U Q); coarsen 4; values nodes; }
    series { $image fields (U p Q); coarsen 2; format xdmf; }
    twin { $image fields (U p Q); coarsen 2; }"
for case in plain images; do
    timeout 300 "$lbmFoam" -case $case > log.$case 2>&1 || { tail -n 30 log.$case; fail "$case"; }
done
expect log.images 'latticeImage plane: [0-9.e-]+ s to read, [0-9.e-]+ s for the one before' \
    'thin: \(2 0 0\) layers of nodes at the upper ends fill no cell'
for time in $(timesOf plain | sed 's/^0 //'); do
    for field in U p; do cmp "plain/$time/$field" "images/$time/$field" || fail "images change $field at $time"; done
done
! find images -name '*.begun' | grep . || fail "an unfinished file is left"
[ "$(ls images/postProcessing/whole/*.vti | wc -l)" -eq 4 ] || fail "images are missing: $(ls images/postProcessing/whole)"
setEntry images/system/controlDict startFrom latestTime
setEntry images/system/controlDict endTime 0.12
timeout 300 "$lbmFoam" -case images > log.again 2>&1 || { tail -n 30 log.again; fail "restart"; }
[ "$(grep -c '"name"' images/postProcessing/twin/twin.vti.series)" -eq 6 ] || fail "the series has not all six times"

"$python" - <<'PYTHON' || fail "values"
from vtkmodules.vtkIOXML import vtkXMLImageDataReader
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy

dx = 0.05

def image(name, time='0.08'):
    """{field: [z][y][x](component)}, low corner"""
    reader = vtkXMLImageDataReader()
    reader.SetFileName(f"images/postProcessing/{name}/{name}_{time}.vti")
    reader.Update()
    data = reader.GetOutput()
    n = [d - 1 for d in data.GetDimensions()][::-1]
    cells = data.GetCellData()
    fields = {cells.GetArrayName(i): vtk_to_numpy(cells.GetArray(i)) for i in range(cells.GetNumberOfArrays())}
    return {k: v.reshape(n + ([3] if v.ndim == 2 else [])) for k, v in fields.items()}, data.GetOrigin()

def slopes(fluid, u, h):
    """Central where both neighbours are fluid, else one-sided: [z][y][x][component][along x, y, z]"""
    g = np.zeros(u.shape + (3,))
    for along in range(3):
        axis = 2 - along
        up, down = u.copy(), u.copy()
        steps = np.zeros(fluid.shape)
        low = [slice(None)]*3; low[axis] = slice(None, -1); low = tuple(low)
        high = [slice(None)]*3; high[axis] = slice(1, None); high = tuple(high)
        both = fluid[low] & fluid[high]
        up[low] = np.where(both[..., None], u[high], up[low]); steps[low] += both
        down[high] = np.where(both[..., None], u[low], down[high]); steps[high] += both
        g[..., along] = (up - down)/np.maximum(steps, 1)[..., None]/h
    return g

def close(what, found, expected, tolerance=2e-4):
    assert found.shape == expected.shape, (what, found.shape, expected.shape)
    off = abs(found - expected).max()/abs(expected).max()
    assert off < tolerance, (what, off)

def q_of(g):
    trace = np.einsum('...aa', g)
    return 0.5*(trace**2 - np.einsum('...ab,...ba', g, g))

def curl_of(g):
    return np.stack([g[..., 2, 1] - g[..., 1, 2], g[..., 0, 2] - g[..., 2, 0], g[..., 1, 0] - g[..., 0, 1]], axis=-1)

whole, origin = image("whole")
fluid = whole["fluid"] == 1
assert fluid.shape == (20, 20, 40) and 10 < (~fluid).sum() < 1000, (fluid.shape, (~fluid).sum())
g = slopes(fluid, whole["U"].astype(float), dx)
# Beside the body its edges may lie between two fluid nodes, which an image does not show
padded = np.pad(fluid, 1, constant_values=True)
clear = np.all([padded[1 + k:21 + k, 1 + j:21 + j, 1 + i:41 + i] for k in (-1, 0, 1) for j in (-1, 0, 1) for i in (-1, 0, 1)], axis=0)
assert fluid.sum() - clear.sum() < 600, (fluid.sum(), clear.sum())
close("Q", whole["Q"][clear], q_of(g)[clear])
close("vorticity", whole["vorticity"][clear], curl_of(g)[clear])
apart = abs(whole["Q"] - q_of(g))[fluid] > 1e-3*abs(whole["Q"]).max()
assert apart.sum() < 60, apart.sum()
# Smagorinsky: Ck sqrt(Ck/Ce) delta^2 |2 S|, S without its trace, which is small here; a guard may add
S = 0.5*(g + np.swapaxes(g, -1, -2))
nut = 0.094*np.sqrt(0.094/1.048)*dx**2*np.sqrt(2*np.einsum('...ab,...ab', S, S))
off = abs(whole["nut"][clear] - nut[clear])
assert np.median(off/np.maximum(nut[clear], 1e-12)) < 0.02 and whole["nut"][fluid].min() >= 0, (whole["nut"][clear], nut[clear])

# A box has what the whole has there, its layer of nodes outside counted
box, low = image("box")
x, y, z = [round((low[a] - origin[a])/dx) for a in range(3)]
nz, ny, nx = box["fluid"].shape
assert (nx, ny, nz) == (20, 12, 12), box["fluid"].shape
for field in ("Q", "vorticity", "nut"):
    close(f"box {field}", box[field], whole[field][z:z + nz, y:y + ny, x:x + nx], 1e-5)
plane, low = image("plane")
y = round((low[1] - origin[1])/dx)
assert plane["Q"].shape == (20, 1, 40)
for field in ("Q", "vorticity"):
    close(f"plane {field}", plane[field], whole[field][:, y:y + 1], 1e-5)

# Means of the fluid nodes, and gradients between cells
coarse, _ = image("coarse")
n = fluid.astype(float).reshape(5, 4, 5, 4, 10, 4)
u = (whole["U"]*fluid[..., None]).astype(float).reshape(5, 4, 5, 4, 10, 4, 3)
count = n.sum(axis=(1, 3, 5))
means = u.sum(axis=(1, 3, 5))/np.maximum(count, 1)[..., None]
close("coarse fluid", coarse["fluid"], count/64, 1e-6)
close("coarse U", coarse["U"], means, 1e-5)
close("coarse Q", coarse["Q"], q_of(slopes(count > 0, means, 4*dx))*(count > 0), 1e-4)

# One layer in the box: cells around it, which reach beyond the box
thin, low = image("thin")
n, u = (v[:, 9:13, :36].reshape((5, 4, 4, 9, 4) + v.shape[3:]).sum(axis=(1, 2, 4)) for v in (fluid.astype(float), (whole["U"]*fluid[..., None]).astype(float)))
assert abs(low[1] - 0.45) < 1e-9 and thin["U"].shape == (5, 1, 9, 3), (low, thin["U"].shape)
close("thin U", thin["U"][:, 0], u/np.maximum(n, 1)[..., None], 1e-5)

nodes, _ = image("nodes")
middle = (slice(1, None, 4),)*3
close("nodes U", nodes["U"], whole["U"][middle], 1e-6)
close("nodes Q", nodes["Q"], (q_of(slopes(fluid[middle], whole["U"][middle].astype(float), 4*dx))*fluid[middle]), 1e-4)
PYTHON

"$python" - "$work" <<'PYTHON' || fail "XDMF"
import sys
from paraview.simple import OpenDataFile, XDMFReader
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

name = sys.argv[1] + "/images/postProcessing/series/series.xdmf"
for reader in OpenDataFile(name), XDMFReader(FileNames=[name]):
    times = list(reader.TimestepValues)
    assert np.allclose(times, [0.02, 0.04, 0.06, 0.08, 0.1, 0.12]), times
    for time in times:
        reader.UpdatePipeline(time)
        found = reader.GetClientSideObject().GetOutputDataObject(0)
        while hasattr(found, "GetBlock"):
            found = found.GetBlock(0)
        twin = vtkXMLImageDataReader()
        twin.SetFileName(f"images/postProcessing/twin/twin_{time:g}.vti")
        twin.Update()
        twin = twin.GetOutput()
        assert found.GetDimensions() == twin.GetDimensions() and np.allclose(found.GetBounds(), twin.GetBounds())
        for field in "U", "p", "Q", "fluid":
            a, b = (vtk_to_numpy(data.GetCellData().GetArray(field)) for data in (found, twin))
            assert (a == b).all() and abs(a).max() > 0, (time, field)
PYTHON

echo "controlDict changed after a restart from an earlier time: files that it left behind are not in the series"
cp -r images later
setEntry later/system/controlDict startFrom startTime
setEntry later/system/controlDict startTime 0.04
setEntry later/system/controlDict endTime 500
setEntry later/system/controlDict functions/series/writeControl timeStep
setEntry later/system/controlDict functions/series/writeInterval 4
"$lbmFoam" -case later > log.later 2>&1 &
pid=$!
until grep -q '^Time = 0.2$' log.later; do
    kill -0 $pid 2> /dev/null || { tail -n 30 log.later; fail "later: ended before the change"; }
    sleep 0.1
done
cp later/system/controlDict edited
setEntry edited functions/series/fields '(U p)'
setEntry edited functions/series/writeInterval 1
setEntry edited stopAt writeNow
# OpenFOAM allows for clocks that differ (fileModificationSkew)
touch -d '+1 minute' edited
mv edited later/system/controlDict
status=0; wait $pid || status=$?
[ "$status" -eq 0 ] || { tail -n 30 log.later; fail "later: exit status $status"; }
series=later/postProcessing/series/series.xdmf
! grep -q '"Q"' $series || fail "the change was not read"
for time in 0.02 0.04 0.08; do grep -q "series_$time.h5:" $series || fail "no $time in the series: $(grep h5: $series)"; done
! grep -E 'series_0\.(06|1)\.h5:' $series || fail "times of the run before"

echo "a box that changes: what was before is not in the series"
setEntry images/system/controlDict functions/series/coarsen 4
setEntry images/system/controlDict endTime 0.14
timeout 300 "$lbmFoam" -case images > log.changed 2>&1 || { tail -n 30 log.changed; fail "changed box"; }
[ "$(grep -c '<Time' images/postProcessing/series/series.xdmf)" -eq 1 ] || fail "a series of two grids"
expect log.changed 'latticeImage series: 6 files are not in the series: of another grid'

echo "a disk that ends"
cp -r plain limited
setEntry limited/system/controlDict writeInterval 100
functions limited "large { type latticeImage; libs (lbmFunctionObjects); writeControl timeStep; fields (U p); format FORMAT; }"
for format in vtk xdmf; do
    rm -rf limited/postProcessing limited/0.*
    sed -i "s/format [A-Zvx][a-zA-Z]*; }/format $format; }/" limited/system/controlDict
    status=0
    (ulimit -f 200; exec timeout 300 "$lbmFoam" -case limited > log.limited 2>&1) || status=$?
    [ "$status" -eq 1 ] || { tail -n 20 log.limited; fail "$format: exit status $status"; }
    expect log.limited 'latticeImage large: .*postProcessing/large/large_0.02.*(File too large|No space left)' 'FOAM FATAL ERROR'
    ! find limited -name '*.begun' -o -name '*.xdmf' -o -name '*.series' | grep . || fail "$format: $(ls limited/postProcessing/large)"
done

echo "parts: the same files"
cp -r plain parts
echo 'parts 3;' >> parts/system/lbmDict
functions parts "
    whole { $image fields (U p Q vorticity nut); }
    coarse { $image fields (U Q); coarsen 4; }"
timeout 300 "$lbmFoam" -case parts > log.parts 2>&1 || { tail -n 30 log.parts; fail "parts"; }
for file in whole/whole_0.08.vti coarse/coarse_0.08.vti; do
    cmp "images/postProcessing/$file" "parts/postProcessing/$file" || fail "parts: $file"
done

echo "the run goes on while a file is written: opening a pipe waits for who reads it"
cp -r plain slow
setEntry slow/system/controlDict writeInterval 100
functions slow "each { type latticeImage; libs (lbmFunctionObjects); writeControl timeStep; writeInterval 2; fields (U); }"
mkdir -p slow/postProcessing/each
mkfifo slow/postProcessing/each/each_0.04.vti.begun
"$lbmFoam" -case slow > log.slow 2>&1 &
pid=$!
waited=0
until grep -q '^Time = 0.06' log.slow; do
    kill -0 $pid 2> /dev/null || { tail -n 30 log.slow; fail "slow: ended"; }
    waited=$((waited + 1))
    [ $waited -lt 1200 ] || { kill -9 $pid; fail "the run waits for a file"; }
    sleep 0.1
done
[ -p slow/postProcessing/each/each_0.04.vti.begun ] || fail "slow: nothing waited"
timeout 60 cat slow/postProcessing/each/each_0.04.vti.begun > /dev/null
status=0; wait $pid || status=$?
# A pipe has no places to write at
[ "$status" -eq 1 ] || { tail -n 30 log.slow; fail "slow: exit status $status"; }
expect log.slow 'latticeImage each: .*each_0.04.vti.begun cannot be written'

echo "a signal"
cp -r plain stopped
# Times of the run before: a signal may come ahead of the last of them
rm -rf stopped/0.*
functions stopped "each { $image fields (U p Q); }"
setEntry stopped/system/controlDict endTime 2000
"$lbmFoam" -case stopped > log.stopped 2>&1 &
pid=$!
until [ -s stopped/postProcessing/each/each_0.06.vti ]; do
    kill -0 $pid 2> /dev/null || { tail -n 30 log.stopped; fail "ended before it was stopped"; }
    sleep 0.02
done
kill -TERM $pid
status=0; wait $pid || status=$?
[ "$status" -eq 0 ] || { tail -n 30 log.stopped; fail "stopped: exit status $status"; }
! find stopped -name '*.begun' | grep . || fail "an unfinished file is left"
last=$(timesOf stopped | tr ' ' '\n' | grep . | tail -n 1)
grep -q "each_$last.vti" stopped/postProcessing/each/each.vti.series || fail "no image of the last time, $last"
for file in stopped/postProcessing/each/*.vti; do
    tail -c 12 "$file" | grep -q '</VTKFile>' || fail "$file is cut"
done
echo passed
