# cellSize auto: what the plan says is within the budget and uses most of it, for a mesh and for surfaces; a run that goes on
# keeps its cells whatever the budget is by then, bit for bit.
# usage: autoCellSize.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
PATH="$build/bin:$PATH"

# fills LOG: the share that is used is from 90 to 100 %, and finer cells would take more
fills()
{
    sed -n 's/.*(entry cellSize auto), \([0-9.e+]*\) % of .*would take \([0-9.e+]*\) %.*/\1 \2/p' "$1" | tail -n 1 > share
    awk '$1 >= 90 && $1 <= 100 && $2 > $1 { good = 1 } END { exit !good }' share || { cat share; fail "$1: the budget is not filled"; }
}
# cellSizeOf LOG: as the plan tells it
cellSizeOf() { sed -n 's/^ *cell size *\([0-9.e-]*\) m.*/\1/p' "$1" | tail -n 1; }

freshCavity cavity
lbmDict cavity 'cellSize auto; deviceMemory 5 MB; collision regularized; maxGridReynolds 1e6; checkpoint all;'
for pair in 'endTime 0.01' 'writeInterval 1'; do setEntry cavity/system/controlDict ${pair% *} ${pair#* }; done
runIn cavity lbmFoam
fills cavity/log.lbmFoam
first=$(cellSizeOf cavity/log.lbmFoam)
[ -n "$first" ] || fail "no cell size"

rm -rf on; cp -r cavity on; rm -rf on/0.01
sed -i 's/deviceMemory 5 MB/deviceMemory 9 MB/' on/system/lbmDict
setEntry on/system/controlDict startFrom latestTime
runIn on lbmFoam
[ "$(cellSizeOf on/log.lbmFoam)" = "$first" ] || fail "a run that goes on has other cells"
for name in U p; do cmp on/0.01/$name cavity/0.01/$name || fail "$name differs"; done

rm -rf fresh; cp -r cavity fresh; rm -rf fresh/0.0*
sed -i 's/deviceMemory 5 MB/deviceMemory 9 MB/' fresh/system/lbmDict
lbmFoam -case fresh -dry-run > log.fresh 2>&1 || fail "a larger budget"
fills log.fresh
[ "$(cellSizeOf log.fresh)" != "$first" ] || fail "the budget is not what decides"

# What is used holds what the plan tells of the lattice, the start and the law, which is a good part of it here
echo "walls with a law link by link"
rm -rf law; cp -r cavity law; rm -rf law/0.0*
echo 'turbulenceOn lattice;' >> law/system/lbmDict
echo 'FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }
simulationType LES; LES { LESModel Smagorinsky; turbulence on; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; } }' \
    > law/constant/turbulenceProperties
echo 'transportModel Newtonian;' >> law/constant/transportProperties
sed 's/volVectorField/volScalarField/; s/object .*U;/object nut;/; s/^dimensions.*/dimensions [0 2 -1 0 0 0 0];/; s/^internalField.*/internalField uniform 0;/
    s/type  *\(fixedValue\|noSlip\);/type nutUSpaldingWallFunction; value uniform 0;/; /value  *uniform (/d' law/0/U > law/0/nut
lbmFoam -case law -dry-run > log.law 2>&1 || { tail -n 20 log.law; fail "walls with a law"; }
fills log.law
awk '$1 ~ /^(populations|geometry|start)$/ { sum += $2 } $1 == "wall" && $2 == "law" { law = $3; sum += law }
    /entry cellSize auto/ { for (i = 1; i < NF; ++i) if ($(i + 1) == "%") { used = $i/100*5; break } }
    END { print "law " law " MB of " sum " MB, used " used " MB"; exit !(law > 0.1*sum && used >= 0.99*sum) }' log.law || fail "the law is not in the budget"

echo "surfaces alone"
rm -rf body; cp -r cavity body; rm -rf body/0.0*
bodyInChannel body auto 'type fixedValue; value uniform (1 0 0);'
lbmDict body 'deviceMemory 200 MB;'
lbmFoam -case body -dry-run > log.body 2>&1 || { tail -n 20 log.body; fail "surfaces"; }
fills log.body
! lbmVoxelize -case body > log.voxelize 2>&1 || fail "lbmVoxelize takes auto"
expect log.voxelize 'Entry cellSize is auto: lbmFoam finds out' 'lbmVoxelizeDict'
echo passed
