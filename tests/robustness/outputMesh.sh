# Entry outputMesh of lbmVoxelizeDict: cells of several sizes that close, have the boundary of cells of one size and are the same from
# lbmVoxelize and in memory, alone, after a restart, from a domain file; total forces do not change with them; what makes no mesh is refused by name.
# usage: outputMesh.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
PATH="$build/bin:$PATH"
python=$(command -v /usr/bin/python3 || command -v python3) || { echo "no python3"; exit 77; }

# The inlet opens after the start: the start is at rest whatever the mesh is
cloneCase "$tutorials/incompressible/icoFoam/cavity/cavity" plain
bodyInChannel plain 0.025 'type uniformFixedValue; uniformValue table ((0 (0 0 0)) (0.05 (1 0 0)));'
for pair in 'endTime 0.1' 'deltaT 0.01' 'writeInterval 5' 'writeFormat binary' 'writePrecision 12' 'startFrom latestTime'; do
    setEntry plain/system/controlDict ${pair% *} ${pair#* }
done
cat >> plain/system/controlDict <<'END'
functions
{
    forces { type lbmForces; libs (lbmFunctionObjects); patches (body); rho rhoInf; rhoInf 1; CofR (1 0.5 0.5); log no; }
}
END
lbmDict plain 'startFlow given;'

# with CASE ENTRIES: the same with an outputMesh of those
with()
{
    rm -rf "$1"; cp -r plain "$1"; rm -rf "$1"/0.* "$1/postProcessing"
    echo "outputMesh { $2 }" >> "$1/system/lbmVoxelizeDict"
}

# same CASE CASE: fields of the end
same()
{
    for name in U p; do
        # Headers may name the folder
        grep -av location "$1/0.1/$name" > a; grep -av location "$2/0.1/$name" > b
        cmp -s a b || fail "$name of $1 and $2 differ"
    done
}

echo "the mesh"
cat > mesh.py <<'END'
# mesh.py UNIFORM GRADED CUT: each edge of a cell belongs to two of its faces, neighbours differ by no more than a factor of
# two, patches have the same area in both; in the third, whose cells do not fit into the box, those of the box have
import re, sys

def read(case):
    folder = case + "/constant/polyMesh/"
    text = lambda name: open(folder + name).read().split("\n(\n", 1)[1].rsplit("\n)", 1)[0]
    points = [tuple(map(float, p.split())) for p in re.findall(r"\(([^()]+)\)", text("points"))]
    faces = [list(map(int, f.split())) for f in re.findall(r"\d+\(([^()]+)\)", text("faces"))]
    owner, neighbour = (list(map(int, text(name).split())) for name in ("owner", "neighbour"))
    boundary = re.findall(r"^    (\w+)\n    {(.*?)}", open(folder + "boundary").read(), re.S | re.M)
    patches = {n: [int(re.search(k + r" +(\d+)", t).group(1)) for k in ("startFace", "nFaces")] for n, t in boundary}
    return points, faces, owner, neighbour, patches

def area(face):
    sum = [0, 0, 0]
    for i in range(1, len(face) - 1):
        a, b = ([q - o for q, o in zip(face[j], face[0])] for j in (i, i + 1))
        for k in range(3): sum[k] += (a[(k + 1) % 3]*b[(k + 2) % 3] - a[(k + 2) % 3]*b[(k + 1) % 3])/2
    return (sum[0]**2 + sum[1]**2 + sum[2]**2)**0.5

def areas(mesh):
    points, faces, _, _, patches = mesh
    return {name: sum(area([points[p] for p in f]) for f in faces[at:at + n]) for name, (at, n) in patches.items()}

def cells(mesh):
    points, faces, owner, neighbour, _ = mesh
    edges, low, high = {}, {}, {}
    for i, face in enumerate(faces):
        for cell in [owner[i]] + neighbour[i:i + 1]:
            for p, q in zip(face, face[1:] + face[:1]):
                edge = cell, min(p, q), max(p, q)
                edges[edge] = edges.get(edge, 0) + 1
            x = [points[p] for p in face]
            low[cell] = list(map(min, *x, low.get(cell, x[0])))
            high[cell] = list(map(max, *x, high.get(cell, x[0])))
    assert set(edges.values()) == {2}, "cells are open along edges"
    size = [max(h - l for h, l in zip(high[c], low[c])) for c in range(len(low))]
    for a, b in zip(owner, neighbour): assert 0.49 < size[a]/size[b] < 2.1, "neighbours of %g and %g m" % (size[a], size[b])
    return size

uniform, graded = read(sys.argv[1]), read(sys.argv[2])
one, other = areas(uniform), areas(graded)
assert list(one) == list(other) == ["body", "inlet", "outlet", "sides"], other
for name in one: assert abs(one[name] - other[name]) < 1e-9*one[name], "area of " + name
assert graded[4]["body"][1] == uniform[4]["body"][1], "the body has other faces"
assert graded[4]["inlet"][1] < uniform[4]["inlet"][1]/8, "the inlet is as fine as the box"
size = cells(graded)
for s in set(round(x, 6) for x in size): print("%6d cells of %g m" % (sum(abs(x - s) < 1e-5 for x in size), s))
assert set(round(s, 6) for s in size) == {0.05, 0.1, 0.2}, set(size)
assert len(cells(uniform)) > 4*len(size)
cut = areas(read(sys.argv[3]))
for name in "inlet", "outlet", "sides": assert abs(one[name] - cut[name]) < 1e-9*one[name], "area of %s, cut: %g" % (name, cut[name])
END
box='box (0.5 0.25 0.25) (1.5 0.8 0.8);'
with uniform 'cellSize 0.05;'
with graded "$box cellSize 0.05; maxCellSize 0.2;"
with cut "$box cellSize 0.057; maxCellSize 0.2;"
for name in uniform graded cut; do
    setEntry $name/system/controlDict writeFormat ascii
    runIn $name lbmVoxelize
    runIn $name checkMesh -allTopology
    expect $name/log.checkMesh 'Mesh OK'
    # Whoever makes which of its faces
    rm -rf more $name/constant/polyMesh/sets; cp -r $name more; rm -r more/constant/polyMesh
    OMP_NUM_THREADS=5 runIn more lbmVoxelize
    diff -r $name/constant/polyMesh more/constant/polyMesh > log.more || fail "$name: another mesh by more threads"
done
expect graded/log.lbmVoxelize 'entry outputMesh: 40 x 20 x 20 cells of 0.05 m if all were small, of up to 0.2 m outside its box' \
    'of 0.05 m, .* of 0.1 m, .* of 0.2 m'
"$python" mesh.py uniform graded cut || fail "the mesh"
planned=$(awk '$1 == "inlet" { print $3 }' graded/log.lbmVoxelize)
found=$(awk '$1 == "inlet" { at = 1 } at && $1 == "nFaces" { print $2 + 0; exit }' graded/constant/polyMesh/boundary)
[ "$planned" = "$found" ] || fail "inlet: planned $planned faces, found $found"

echo "the same from lbmVoxelize, after a restart and from a domain file"
with memory "$box cellSize 0.05; maxCellSize 0.2;"
echo 'exactWalls yes;' >> memory/system/lbmVoxelizeDict
for name in meshed restarted kept; do cp -r memory $name; done
runIn memory lbmFoam
[ ! -e memory/constant/polyMesh ] || fail "a mesh was written"
runIn meshed lbmVoxelize
runIn meshed lbmFoam
expect meshed/log.lbmFoam 'the mesh carries fields'
same memory meshed
setEntry restarted/system/controlDict endTime 0.05
runIn restarted lbmFoam
setEntry restarted/system/controlDict endTime 0.1
runIn restarted lbmFoam
expect restarted/log.lbmFoam 'Start: checkpoint'
same memory restarted
echo 'domainFile "constant/lbmDomain.h5";' >> kept/system/lbmVoxelizeDict
runIn kept lbmFoam
rm -rf kept/0.1 kept/0.05
runIn kept lbmFoam
[ "$(grep -c '^Read from .*lbmDomain.h5' kept/log.lbmFoam)" = 2 ] || fail "the domain file was not read"
same memory kept

echo "forces"
runIn plain lbmFoam
with coarse 'cellSize 0.1;'
runIn coarse lbmFoam
for name in memory coarse; do
    # Of all faces: their sum, in digits that do not depend on its order
    paste plain/postProcessing/forces/0/force.dat $name/postProcessing/forces/0/force.dat | tr -d '()' | awk '
        !/^#/ { for (i = 2; i <= 4; ++i) { d = $i - $(i + 10); if (d < 0) d = -d; if (d > 1e-9) bad = 1; } ++n; if ($2 > 0.1) ++felt; }
        END { exit !(n == 10 && felt && !bad) }' || fail "$name: forces are not those without outputMesh"
done
cmp -s plain/0.1/U memory/0.1/U && fail "the mesh has no part in it" || true

echo "plans"
with planned "$box cellSize 0.0125; maxCellSize 0.1;"
sed -i 's/^cellSize .*/cellSize 0.0125;/' planned/system/lbmVoxelizeDict
for sketch in 0 2e4; do
    "$lbmFoam" -case planned -dry-run -sketch $sketch > log.sketch$sketch 2>&1 || { tail -n 20 log.sketch$sketch; fail "plan"; }
done
sed -n 's/^    mesh cells *\([0-9]*\).*/\1/p' log.sketch0 log.sketch2e4 > cells
paste -s cells | awk '{ print "mesh cells " $1 ", by a sketch " $2; exit !(NF == 2 && $2 > 0.7*$1 && $2 < 1.4*$1) }' || fail "cells of a sketch"
expect log.sketch2e4 'the mesh is a sketch, too'

# cellSize auto: the lattice is what memory holds beside this mesh
with auto "$box cellSize 0.05;"
sed -i 's/^cellSize .*/cellSize auto;/' auto/system/lbmVoxelizeDict
lbmDict auto 'deviceMemory 200 MB;'
"$lbmFoam" -case auto -dry-run > log.auto 2>&1 || { tail -n 20 log.auto; fail "cellSize auto"; }
expect log.auto '\(entry cellSize auto\), [0-9.]+ % of 0.2 GB' 'mesh cells +3[0-9]+:'
runIn auto lbmVoxelize
for log in log.auto auto/log.lbmVoxelize; do sed -n 's/^Cells *\([0-9]*\),.*/\1/p' $log; done | uniq > cells
[ "$(wc -l < cells)" = 1 ] || fail "lbmVoxelize makes other cells where cellSize is auto"

echo "what makes no mesh"
# refuse NAME ENTRIES PATTERN...
refuse()
{
    what=$1
    with bad "$2"
    shift 2
    [ -z "${also:-}" ] || (cd bad && eval "$also")
    refused bad 'FOAM FATAL IO ERROR' 'lbmVoxelizeDict' "$@"
    # Of the lattice lbmFoam alone knows
    [ "$what" != fine ] || return 0
    ! lbmVoxelize -case bad > log.voxelize 2>&1 || fail "$what: lbmVoxelize"
    [ ! -e bad/constant/polyMesh ] || fail "$what: left a mesh"
    expect log.voxelize "$@"
}
refuse outside 'box (5 0 0) (6 1 1); cellSize 0.05;' 'Entry box: .* lies outside the domain, .* to \(2 1 1\) m: look along x' 'outputMesh'
refuse thin 'box (0.5 0.5 0.5) (1 1 0.52); cellSize 0.05;' 'Entry box: .* 0.02 m wide along z, less than a cell \(cellSize 0.05 m\)'
refuse turned 'box (1 1 1) (0.5 0.5 0.5); cellSize 0.05;' 'give its lower corner and its upper one'
refuse halfBox 'box (0.5 0.5 0.5); cellSize 0.05;' 'outputMesh'
refuse solid 'box (0.83 0.43 0.41) (0.88 0.46 0.45); cellSize 0.025;' 'Entry box: it holds no cell'
refuse fine 'cellSize 0.02;' 'Entry cellSize: cells of 0.02 m are smaller than those of the lattice, 0.025 m'
refuse negative 'cellSize -1;' 'cellSize'
refuse largest "$box cellSize 0.05; maxCellSize 0.04;" 'Entry maxCellSize is 0.04 m, less than the cellSize of 0.05 m'
refuse boxless 'cellSize 0.05; maxCellSize 0.4;' 'Entry maxCellSize is of cells outside a box, and entry box is missing'
refuse unknown "$box cellsize 0.05;" 'Unknown entry cellsize' 'Valid entries are: .*maxCellSize'
also="sed -i 's/^cellSize .*/cellSize auto;/' system/lbmVoxelizeDict" refuse automatic "$box" 'Entry cellSize is missing'
also='sed -i "s/^patches {/patches { sides { type cyclic; neighbourPatch sides; }/" system/lbmVoxelizeDict' \
    refuse cyclic "$box cellSize 0.05;" 'Entry box: patch sides is cyclic'
# What memory holds is coarser than these cells
for dict in system/lbmVoxelizeDict system/lbmDict; do
    [ $dict = system/lbmDict ] && spacing='cellSize auto;' || spacing=''
    with coarse "$box cellSize 0.025;"
    [ "$spacing" ] || sed -i 's/^cellSize .*/cellSize auto;/' coarse/system/lbmVoxelizeDict
    lbmDict coarse "$spacing deviceMemory 25 MB;"
    for sketch in 0 2e4 ''; do
        ! "$lbmFoam" -case coarse ${sketch:+-dry-run -sketch $sketch} > log.coarse 2>&1 || { tail -n 20 log.coarse; fail "cells finer than an automatic lattice's ($dict)"; }
        expect log.coarse 'Entry cellSize: cells of 0.025 m are smaller than those of the lattice, 0.0[2-9]' 'auto: more memory'
    done
done
# A finer lattice of lbmDict's takes finer cells
with finer 'cellSize 0.02;'
lbmDict finer 'cellSize 0.02;'
"$lbmFoam" -case finer -dry-run > log.finer 2>&1 || { tail -n 20 log.finer; fail "cells as those of lbmDict's lattice"; }
# A body of so few faces, the only wall, that around one of them are more: OpenFOAM's models would overrun what they gather these in
rm -rf few; cp -r plain few; rm -rf few/0.*
awk 'BEGIN { r = 0.6; y = 0.01; z = 0.02; print "o body\ng body"
    printf "v %g %g %g\nv %g %g %g\nv 0 %g %g\nv 0 %g %g\nv 0 %g %g\nv 0 %g %g\n", -r,y,z, r,y,z, -r,z, r,z, y,-r, y,r
    print "f 1 3 6\nf 3 2 6\nf 2 4 6\nf 4 1 6\nf 3 1 5\nf 2 3 5\nf 4 2 5\nf 1 4 5" }' > few/constant/triSurface/body.obj
cat > few/system/lbmVoxelizeDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }
surfaces ("body.obj");
cellSize 0.1666666667;
box { min (-2.5 -2.4 -2.4); max (5 2.4 2.4); patches (inlet outlet sides sides sides sides); }
insidePoint (-2.2 0.1 0.1);
patches { inlet { type patch; } outlet { type patch; } sides { type symmetry; } body { type wall; } }
outputMesh { box (-1 -1 -1) (3 1 1); cellSize 0.5; }
END
sed -i 's/sides { type [a-zA-Z]*; }/sides { type symmetry; }/' few/0/U few/0/p
sed 's/class volScalarField; object p/class volScalarField; object nut/; s/0 2 -2 0/0 2 -1 0/; s/{ type \(zeroGradient\|fixedValue\)[^}]*}/{ type calculated; value uniform 0; }/g' few/0/p > few/0/nut
echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; } simulationType LES; LES { LESModel WALE; delta cubeRootVol; cubeRootVolCoeffs { } }' > few/constant/turbulenceProperties
setEntry few/system/controlDict application pisoFoam
setEntry few/constant/transportProperties transportModel Newtonian
! "$lbmFoam" -case few > log.few 2>&1 || { tail -n 20 log.few; fail "a wall of few faces"; }
expect log.few 'The mesh is too coarse for wall body, which has 24 faces' 'Way out: smaller cells there'
# With smaller ones they are made
sed -i 's/cellSize 0.5; }/cellSize 0.3333333334; }/' few/system/lbmVoxelizeDict
"$lbmFoam" -case few > log.few 2>&1 || { tail -n 20 log.few; fail "a wall of more faces"; }
echo passed
