# Open ends of surfaces, one region split at edges, and patches cut out by shapes: the flow is that of the surface whose regions
# are the patches, bit for bit where these have the same order; what fits no rim, piece or shape is refused with a list of those that there are.
# usage: rims.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
rm -rf "$work"; mkdir -p "$work"; cd "$work"
PATH="$build/bin:$PATH"

# A bent duct: three sections of four corners each, its ends oblique to the axes
vertices='v 0 0 0\nv 0.1 1 0\nv 0.1 1 1\nv 0 0 1\nv 1 0 0\nv 1 1 0\nv 1 1 1\nv 1 0 1\nv 2 0.5 0\nv 1.7 1.5 0\nv 1.7 1.5 1\nv 2 0.5 1\n'
sides='f 1 6 2\nf 1 5 6\nf 2 7 3\nf 2 6 7\nf 3 8 4\nf 3 7 8\nf 4 5 1\nf 4 8 5\n'
sides=$sides'f 5 10 6\nf 5 9 10\nf 6 11 7\nf 6 10 11\nf 7 12 8\nf 7 11 12\nf 8 9 5\nf 8 12 9\n'
inlet='f 1 2 3\nf 1 3 4\n'
outlet='f 9 11 10\nf 9 12 11\n'
printf "${vertices}g sides\n${sides}g inlet\n${inlet}g outlet\n${outlet}" > regions.obj
printf "${vertices}g sides\n${sides}" > open.obj
printf "${vertices}g sides\n${sides}${inlet}${outlet}" > one.obj

cloneCase "$tutorials/incompressible/icoFoam/cavity/cavity" case
rm -rf case/system/blockMeshDict case/constant/polyMesh
mkdir -p case/constant/triSurface
cp ./*.obj case/constant/triSurface/

# field NAME CLASS DIMENSIONS VALUE INLET OUTLET WALLS
field()
{
    cat > "case/0/$1" <<EOF
FoamFile { version 2.0; format ascii; class $2; object $1; }
dimensions $3;
internalField uniform $4;
boundaryField { inlet { $5 } outlet { $6 } "sides.*" { $7 } }
EOF
}
field U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
field p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
setEntry case/constant/transportProperties nu 0.05
for pair in 'endTime 0.2' 'deltaT 0.02' 'writeInterval 10' 'writeFormat binary'; do
    setEntry case/system/controlDict ${pair% *} ${pair#* }
done
lbmDict case ''

# surfaces CASE FILE ENTRIES: its lbmVoxelizeDict
surfaces()
{
    printf '%s\n' 'FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }' \
        "surfaces ( \"$2\" ); cellSize 0.05;" "$3" > "$1/system/lbmVoxelizeDict"
}
types='patches { inlet { type patch; } outlet { type patch; } }'
rims='rims { inlet (0.05 0.5 0.5); outlet (1.85 1 0.5); }'

# same NAME FILE ENTRIES [TOLERANCE]: the flow is that of the regions
same()
{
    cp -r case "$1"
    surfaces "$1" "$2" "$3"
    runIn "$1" lbmFoam
    for name in U p; do
        # names of patches have an order of their own
        "$python" "$here/internalField.py" "regions/0.2/$name" "$1/0.2/$name" ${4:-} || fail "$1: $name differs"
    done
}
python=python3; [ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
cp -r case regions
surfaces regions regions.obj "$types"
runIn regions lbmFoam
same rims open.obj "$rims"
expect rims/log.lbmFoam 'inlet +\(0.05 0.5 0.5\) +\(-0.99[0-9]* 0.099[0-9]* 0\)' 'the surface is closed'
# The order of patches is that of areas: sums over openings round another way
same split one.obj "split { featureAngle 60; names { inlet (0.05 0.5 0.5); outlet (1.85 1 0.5); } } $types" 1e-12
same cut one.obj "cutPatches { inlet { type box; min (-1 -1 -1); max (0.11 2 2); }
    outlet { type plane; point (2 0.5 0); normal (1 0.3 0); } } $types"
# The default names, and what 0/U is to say of them
cp -r case unnamed
surfaces unnamed open.obj ''
sed -i 's/inlet/rim1/; s/outlet/rim0/' unnamed/0/U unnamed/0/p
runIn unnamed lbmFoam
"$python" "$here/internalField.py" regions/0.2/U unnamed/0.2/U 1e-12 || fail "unnamed: U differs"
# Walls as before: nothing flows
cp -r case walls
surfaces walls open.obj 'rims { default wall; }'
sed -i 's/inlet {[^}]*} outlet {[^}]*}//' walls/0/U walls/0/p
(cd walls && lbmVoxelize -dry-run > log.voxelize 2>&1) || fail "default wall"
expect walls/log.voxelize '\(hole\).*sides: default wall' 'inside by winding number' 'sides +wall +[0-9]+ faces'

# The report
(cd rims && lbmVoxelize -report > log.report 2>&1) || { tail -n 20 rims/log.report; fail "-report"; }
expect rims/log.report '^Rims of open surfaces' '^ +outlet +\(1.85 1 0.5\)'
"$python" - <<'END' || fail "geometry.json"
import json
rims = json.load(open("rims/postProcessing/lbmVoxelize/geometry.json"))["rims"]
assert [r["patch"] for r in rims] == ["outlet", "inlet"], rims
assert abs(rims[0]["area"] - 1.09**0.5) < 1e-12 and rims[0]["surface"] == "sides", rims[0]
assert abs(rims[1]["centre"][0] - 0.05) < 1e-12, rims[1]
END

# refuse NAME FILE ENTRIES PATTERN...
refuse()
{
    name=$1 file=$2 entries=$3
    shift 3
    rm -rf bad; cp -r case bad
    surfaces bad "$file" "$entries"
    status=0
    "$lbmFoam" -case bad -dry-run > "log.$name" 2>&1 || status=$?
    [ $status = 1 ] || fail "$name: exit status $status"
    expect "log.$name" 'FOAM FATAL (IO )?ERROR' "$@"
}
refuse unnamedRims open.obj '' 'Region rim0 of the surfaces is no patch' 'rim0 +\(1.85 1 0.5\)' 'rim1 +\(0.05 0.5 0.5\)'
refuse noRim open.obj 'rims { inlet (0.05 0.5 0.5); outlet (1850 1000 500); }' 'outlet: no rim is at the point' 'nearest one, rim0' \
    'scale acts on' 'rim1 +\(0.05 0.5 0.5\)' 'lbmVoxelizeDict'
refuse twice open.obj 'rims { inlet (0.05 0.5 0.5); outlet (0.05 0.5 0.4); }' 'inlet and outlet mean the same rim'
refuse closed one.obj "$rims" 'The surfaces have no rim'
refuse otherDefault open.obj 'rims { default none; }' 'none' 'patch'
refuse notAPoint open.obj 'rims { inlet rim0; }' 'lbmVoxelizeDict'
refuse angle one.obj 'split { featureAngle 270; }' 'between 0 and 180'
refuse noAngle one.obj 'split { names { inlet (0 0 0); } }' 'featureAngle'
refuse noRegion one.obj 'split { featureAngle 60; regions ( vessel ); }' 'no region .*vessel' 'sides'
refuse farPiece one.obj 'split { featureAngle 60; names { inlet (-49.7 5.475 0.5); } }' 'away from the nearest piece' 'sides_0: centre'
refuse edge one.obj 'split { featureAngle 60; names { inlet (0 0 0.5); } }' 'as near to one piece as to another'
refuse onePiece one.obj 'split { featureAngle 60; names { inlet (0.05 0.5 0.5); outlet (0.05 0.5 0.4); } }' 'mean the same piece'
refuse noShape one.obj 'cutPatches { inlet { type box; min (5 5 5); max (6 6 6); } }' "holds no triangle's centre" 'scale acts on'
refuse shapeType one.obj 'cutPatches { inlet { type boxes; min (5 5 5); max (6 6 6); } }' 'Unknown searchableSurface type boxes'
refuse noVolume one.obj 'cutPatches { inlet { type plate; origin (0 0 0); span (1 1 0); } }' 'holds no volume'
refuse noNormal one.obj 'cutPatches { inlet { type plane; point (0 0 0); normal (0 0 0); } }' 'normal'

# One duct in the other: which of them the flow passes is not known
awk '$1 == "v" { print "v", $2, 0.25 + 0.5*$3, 0.25 + 0.5*$4; next } $1 == "g" { print "g inner"; next } { print }' open.obj > inner.obj
cp inner.obj case/constant/triSurface/
rm -rf bad
refuse nested 'open.obj" "inner.obj' 'rims { inlet (0.05 0.9 0.9); }' 'one of this rim and rim[0-9] lies in the other'
# Seen along its normal the rim crosses itself
printf "${vertices}g sides\n${sides}" | sed 's/^v 2 0.5 1$/v A/; s/^v 1.7 1.5 1$/v 2 0.5 1/; s/^v A$/v 1.7 1.5 1/' > crossed.obj
cp crossed.obj case/constant/triSurface/
refuse crossed crossed.obj 'rims { inlet (0.05 0.5 0.5); outlet (1.85 1 0.5); }' 'crosses itself|has no area'

# A small hole besides is none of the ends, and no patch
{
    printf "${vertices}v 0.5 0.5 1\\nv 0.55 0.5 1\\nv 0.5 0.55 1\\ng sides\\n${sides}" | sed '/^f 3 8 4$/d; /^f 3 7 8$/d'
    printf 'f 4 14 8\nf 4 13 14\nf 8 14 7\nf 7 14 15\nf 7 15 3\nf 3 15 13\nf 3 13 4\n'
} > torn.obj
cp torn.obj case/constant/triSurface/
cp -r case torn
surfaces torn torn.obj "$rims"
(cd torn && lbmFoam -dry-run > log.lbmFoam 2>&1) || { tail -n 20 torn/log.lbmFoam; fail "a small hole"; }
expect torn/log.lbmFoam '\(hole\).*cells across' 'The surfaces are not closed: 3 open edges'
echo passed
