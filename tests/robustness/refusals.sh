# Runs refusals.table.
# usage: refusals.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

# -- what changes may call, in a case's folder
setNu() { sed -i "s/^nu .*/nu $1;/" constant/transportProperties; }
# rheology MODEL ENTRIES: in place of nu
rheology()
{
    sed -i '/^nu/d' constant/transportProperties
    echo "transportModel $1; ${1}Coeffs { $2 }" >> constant/transportProperties
}
# turbulence ENTRIES: as constant/turbulenceProperties
turbulence()
{
    echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }' \
        > constant/turbulenceProperties
    echo "$1" >> constant/turbulenceProperties
}
# newtonian: constant/transportProperties as OpenFOAM's models ask for it
newtonian() { echo 'transportModel Newtonian;' >> constant/transportProperties; }
# stresses: 0/nut, k, epsilon and R
stresses()
{
    sed "s/object *p;/object nut;/; s/\[0 2 -2/[0 2 -1/; s/uniform 0;/uniform 1e-3;/" 0/p > 0/nut
    sed "s/object *p;/object k;/; s/uniform 0;/uniform 1;/" 0/p > 0/k
    sed "s/object *p;/object epsilon;/; s/\[0 2 -2/[0 2 -3/; s/uniform 0;/uniform 1;/" 0/p > 0/epsilon
    sed "s/object *p;/object R;/; s/volScalarField/volSymmTensorField/; s/uniform 0;/uniform (1 0 0 1 0 1);/" 0/p > 0/R
}
halve() { truncate -s "$(($(wc -c < "$1")/2))" "$1"; }
# swapLines FILE A B: the first lines A and B of a list, which begins with line (
swapLines()
{
    awk -v a="$2" -v b="$3" '
        $0 == "(" { inList = 1 }
        inList && $0 == a && !seenA { print b; seenA = 1; next }
        inList && $0 == b && !seenB { print a; seenB = 1; next }
        { print }' "$1" > swapped
    mv swapped "$1"
}
# binaryMesh: constant/polyMesh in binary files
binaryMesh() { sed -i 's/^writeFormat .*/writeFormat binary;/' system/controlDict; blockMesh > /dev/null; }
# faceOf NUMBER: its line in constant/polyMesh/faces
faceOf() { awk -v n="$1" '$0 == "(" { first = NR + 1 } first && NR == first + n { print; exit }' constant/polyMesh/faces; }
# countOf FILE COUNT: another number before the list
countOf() { sed -i "0,/^[0-9][0-9]*\$/s//$2/" "constant/polyMesh/$1"; }
# binaryStl WORD: a tetrahedron, one coordinate of which is these four bytes (hexadecimal, sign and exponent first)
binaryStl()
{
    python3 - "$1" > constant/triSurface/body.stl <<'END'
import struct, sys
p = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
triangles = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
odd = struct.unpack('>f', bytes.fromhex(sys.argv[1]))[0]
out = b'\0'*80 + struct.pack('<I', len(triangles))
for i, t in enumerate(triangles):
    numbers = [0.0]*3 + [float(c) for k in t for c in p[k]]
    if i == 1: numbers[7] = odd
    out += struct.pack('<12fH', *numbers, 0)
sys.stdout.buffer.write(out)
END
}
useObj()
{
    printf "$1" > constant/triSurface/body.obj
    sed -i 's/body.stl/body.obj/' system/lbmVoxelizeDict
}

# -- the cases that are changed
makeCase_cavity() { freshCavity cavity; }

makeCase_wedge()
{
    freshCavity wedge
    sed -i 's|^scale .*|scale 1;|; /^vertices/,/^);/c\
vertices ((1 0 -0.0437) (2 0 -0.0873) (2 1 -0.0873) (1 1 -0.0437) (1 0 0.0437) (2 0 0.0873) (2 1 0.0873) (1 1 0.0437));
        /^    frontAndBack/,/^    }/c\
    front { type wedge; faces ((4 5 6 7)); }\
    back { type wedge; faces ((0 3 2 1)); }' wedge/system/blockMeshDict
    runIn wedge blockMesh
    for field in U p; do
        sed -i 's/^    frontAndBack/    "front|back"/; s/type *empty;/type wedge;/' wedge/0/$field
    done
}

# The cavity with a turbulence model and all that its equations need
makeCase_kEpsilon()
{
    freshCavity kEpsilon
    (
        cd kEpsilon
        newtonian
        stresses
        turbulence 'simulationType RAS; RAS { RASModel kEpsilon; turbulence on; printCoeffs off; }'
        sed -i 's/^ *div(phi,U) .*/&\
    div(phi,k) Gauss upwind;\
    div(phi,epsilon) Gauss upwind;/' system/fvSchemes
        sed -i 's/^solvers/&\
{\
    "(k|epsilon)" { solver PBiCGStab; preconditioner DILU; tolerance 1e-6; relTol 0; }/; /^solvers/,/U/{/^{$/d}' system/fvSolution
    )
}

makeCase_heated() { (here=$here/../adapters/openfoam; heatedCavity heated 'threads 1;'); }

# The middle of the elbow's bounding box lies outside of it
makeCase_elbow()
{
    cloneCase "$tutorials/incompressible/icoFoam/elbow" elbow
    gunzip -c "$tutorials/incompressible/icoFoam/elbow/elbow.msh.gz" > elbow/elbow.msh
    runIn elbow fluentMeshToFoam elbow.msh
    sed -i 's/^nu .*/nu 100;/' elbow/constant/transportProperties
    lbmDict elbow 'cellSize 1000;'
}

makeCase_channel()
{
    channelMesh channel
    channelField channel U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' \
        'type pressureInletOutletVelocity; value uniform (0 0 0);' 'type zeroGradient;' 'type noSlip;'
    channelField channel p volScalarField '[0 2 -2 0 0 0 0]' 0 \
        'type fixedValue; value uniform 4.8;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
}

makeCase_surface()
{
    mkdir -p surface/system surface/constant/triSurface
    gunzip -c "$tutorials/resources/geometry/flange.stl.gz" > surface/constant/triSurface/body.stl
    cp "$tutorials"/incompressible/icoFoam/cavity/cavity/system/controlDict surface/system/
    {
        echo 'FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }'
        echo 'surfaces ( "body.stl" );'
        echo 'cells 20;'
    } > surface/system/lbmVoxelizeDict
}

listing() { (cd "$1" && find . -type f | sort); }

# attempt NAME CHANGE: runs the program on a changed copy, output to log.NAME
attempt()
{
    name=$1
    rm -rf bad
    cp -r "$base" bad
    (cd bad && PATH="$build/bin:$PATH" && eval "$2") || fail "$name: its change"
    before=$(listing bad)
    status=0
    timeout 60 "$build/bin/$program" -case bad > "log.$name" 2>&1 || status=$?
    n=$((n + 1))
    case $status in
        1) grep -Eq 'FOAM FATAL (IO )?ERROR' "log.$name" || wrong "no FATAL ERROR" ;;
        *) wrong "exit status $status" ;;
    esac
    [ "$(listing bad)" = "$before" ] || wrong "files were left behind"
}

# The table is run to its end
wrong() { echo "FAILED $name: $1" >&2; failures=$((failures + 1)); }

n=0 failures=0 base='' program='' name=''
while IFS= read -r line; do
    case $line in
        '' | '#'*) ;;
        '== '*)
            set -- $line
            base=$2 program=$3
            "makeCase_$base"
            ;;
        '    ! '*)
            if grep -Eq -- "${line#    ! }" "log.$name"; then wrong "'${line#    ! }' in log.$name"; fi
            ;;
        '    '*)
            grep -Eq -- "${line#    }" "log.$name" || wrong "no '${line#    }' in log.$name"
            ;;
        *) attempt "${line%% *}" "${line#* }" ;;
    esac
done < "$here/refusals.table"

[ $failures -eq 0 ] || fail "$failures things in $n refusals"
[ $n -ge 60 ] || fail "only $n refusals were found in the table"
echo "$n bad inputs refused"
