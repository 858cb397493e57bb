# A domain file: made by lbmVoxelize or lbmFoam, read instead of finding walls again; with and without the mesh the same
# fields bit for bit; cut, altered, of other surfaces, cells and walls it is made anew, and the log says why.
# usage: domainFile.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
PATH="$build/bin:$PATH"

# A slanted tetrahedron in a channel, in a case without the entry
cloneCase "$tutorials/incompressible/icoFoam/cavity/cavity" case
rm -rf case/system/blockMeshDict case/constant/polyMesh
mkdir -p case/constant/triSurface
printf 'o body\ng body\nv 0.7 0.31 0.33\nv 1.23 0.37 0.41\nv 0.79 0.73 0.35\nv 0.83 0.39 0.77\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' \
    > case/constant/triSurface/body.obj
cat > case/system/lbmVoxelizeDict <<'EOF2'
FoamFile { version 2.0; format ascii; class dictionary; object lbmVoxelizeDict; }
surfaces ( "body.obj" );
cells 40;
box { min (0 0 0); max (2 1 1); patches ( inlet outlet sides sides sides sides ); }
patches { inlet { type patch; } outlet { type patch; } }
EOF2
ductField case U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
ductField case p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
setEntry case/constant/transportProperties nu 0.05
for pair in 'endTime 0.1' 'deltaT 0.02' 'writeInterval 5' 'writeFormat binary'; do
    setEntry case/system/controlDict ${pair% *} ${pair#* }
done
lbmDict case ''
cp -r case kept
echo 'domainFile "constant/lbmDomain.h5";' >> kept/system/lbmVoxelizeDict
cp -r kept meshed
cp -r kept elsewhere
kept=constant/lbmDomain.h5

# same CASE: fields are those of the case without a file
same()
{
    for name in U p; do
        grep -av location case/0.1/$name > a; grep -av location "$1/0.1/$name" > b
        cmp -s a b || fail "$1: $name differs"
    done
}

# again CASE: from the start
again()
{
    rm -rf "$1/0.1"
    runIn "$1" lbmFoam
}

# reads CASE N: N domains of the log were read, none made anew
reads()
{
    n=$(grep -c '^Read from .*lbmDomain.h5' "$1/log.lbmFoam") || true
    [ "$n" = "$2" ] && ! grep -q '^Made anew\|^Not kept' "$1/log.lbmFoam" || fail "$1: $n domains were read, not $2"
}

runIn case lbmFoam
! grep -q lbmDomain case/log.lbmFoam || fail "a file without the entry"
"$lbmFoam" -case kept -dry-run > log.dry 2>&1 || fail "a dry run"
[ ! -e kept/$kept ] || fail "a dry run wrote a file"
runIn kept lbmFoam
reads kept 0
same kept
again kept
reads kept 2
same kept

# With the mesh that lbmVoxelize made: exact walls, those that it put into the file
runIn meshed lbmVoxelize
expect meshed/log.lbmVoxelize 'Nodes and walls of the lattice are in'
runIn meshed lbmFoam
reads meshed 1
expect meshed/log.lbmFoam 'Walls are the surfaces' 'the mesh carries fields'
same meshed
rm -r meshed/constant/polyMesh
again meshed
reads meshed 2
same meshed

# anew NAME CHANGE PATTERN...: of a copy of the case
anew()
{
    name=$1 change=$2
    shift 2
    rm -rf other; cp -r kept other; rm -rf other/0.1
    (cd other && eval "$change")
    runIn other lbmFoam
    expect other/log.lbmFoam '^Made anew: .*lbmDomain.h5' "$@"
    [ "$(find other/constant -name '*unfinished*')" = "" ] || fail "$name: something is left"
    again other
    reads other 2
}
size=$(wc -c < kept/$kept)
anew cut "truncate -s $((size / 2)) $kept" 'damaged: .* bytes long'
same other
anew altered "printf x | dd of=$kept bs=1 seek=$((size / 2)) conv=notrunc 2> /dev/null" 'does not match its CRC-32'
same other
anew noFile "cp system/controlDict $kept" 'damaged, or no domain'
same other
anew otherVersion "sed -i '1s/^lbmFoam domain [0-9]*/lbmFoam domain 9/' $kept" 'of form 9, which another version'
same other
anew otherSurface "sed -i 's/^v 0.7 /v 0.6 /' constant/triSurface/body.obj" 'its surface is'
anew otherCells "sed -i 's/^cells .*/cells 44;/' system/lbmVoxelizeDict" 'its box is 40 x 20 x 20, that of the case 44'
anew otherWalls "sed -i 's/sides { type noSlip; }/sides { type fixedValue; value uniform (1 0 0); }/' 0/U" 'its list of walls at rest is'

# A moved wall in system/lbmDict alone: the mesh's cells stay
rm -rf other; cp -r kept other; rm -rf other/0.1
echo 'cellSize 0.04;' >> other/system/lbmDict
runIn other lbmFoam
expect other/log.lbmFoam '^Read from' '^Made anew: .*of the lattice'

# Where the file cannot be: lbmFoam goes on, lbmVoxelize says that its mesh is there
sed -i 's/^domainFile .*/domainFile "nowhere\/lbmDomain.h5";/' elsewhere/system/lbmVoxelizeDict
runIn elsewhere lbmFoam
expect elsewhere/log.lbmFoam 'Not kept: .*nowhere/lbmDomain.h5'
same elsewhere
! lbmVoxelize -case elsewhere > log.elsewhere 2>&1 || fail "lbmVoxelize kept a file nowhere"
expect log.elsewhere 'Entry domainFile: .*nowhere/lbmDomain.h5'
sed -i 's/^domainFile .*/domainFile "";/' elsewhere/system/lbmVoxelizeDict
! "$lbmFoam" -case elsewhere > log.nameless 2>&1 || fail "a file without a name"
expect log.nameless 'Entry domainFile names no file'

# Killed while it writes: what is under the name is whole or not there
rm -f kept/$kept
for pause in 0.1 0.15 0.2 0.25 0.3; do
    timeout -s KILL $pause lbmVoxelize -case kept > /dev/null 2>&1 || true
    [ ! -e kept/$kept ] || { head -c 200 kept/$kept | grep -aq 'bytes follow' || fail "half a file after $pause s"; }
done
rm -rf kept/constant/polyMesh*
again kept
! grep -q '^Made anew.*damaged' kept/log.lbmFoam || fail "half a file was left"
same kept
echo passed
