# A steady case with a model on the mesh and a reference speed that is too low for its start: it goes on with a lower guard and shorter
# lattice steps, and so does a run that begins with its checkpoint. With entries that forbid both it ends.
# usage: cautious.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$1/env.sh"
fail() { echo "FAILED: $*"; exit 1; }
export OMP_WAIT_POLICY=passive
rm -rf "$3"; mkdir -p "$3"; cd "$3" || exit 1
header='FoamFile { version 2.0; format ascii; class dictionary; object lbmDict; }'
fresh()
{
    cp -r "$2/incompressible/simpleFoam/backwardFacingStep2D" "$1" && cd "$1" || exit 1
    find . -name '*.gz' -exec gunzip -f {} +
    sed -i "s/^endTime .*/endTime $3;/; s/^startFrom .*/startFrom latestTime;/; s/^writeInterval .*/writeInterval 24;/; s/^writeFormat .*/writeFormat binary;/; /^functions/,\$d" \
        system/controlDict
    blockMesh > log.blockMesh || fail "blockMesh"
}
(
    fresh whole "$2" 48
    echo "$header checkpoint all; referenceSpeed 20;" > system/lbmDict
    lbmFoam > log.lbmFoam 2>&1 || fail "the whole run: $(grep -A2 FATAL log.lbmFoam)"
    grep -q "the lattice time step follows the flow\|once more from the beginning" log.lbmFoam || fail "nothing was told"
    cp -r ../whole ../parts && cd ../parts || exit 1
    rm -r 48
    lbmFoam > log.lbmFoam 2>&1 || fail "the second part"
    grep -q "^Start: .*checkpoint" log.lbmFoam || fail "no checkpoint was read: $(grep ^Start log.lbmFoam)"
    last() { grep "$1" "$2/log.lbmFoam" | tail -n 1; }
    told='keeps grid Reynolds numbers below'
    guard=$(last "$told" ../whole | sed 's/.*below \([0-9.]*\).*/\1/')
    grep -q "$told $guard\$" log.lbmFoam || fail "the guard of the checkpoint, $guard, is lost: $(last "$told" .)"
    [ "$(last '^lattice:' . | cut -d , -f 1)" = "$(last '^lattice:' ../whole | cut -d , -f 1)" ] ||
        fail "other lattice steps after the checkpoint: $(last '^lattice:' .)"
) || exit 1
(
    fresh bold "$2" 20
    echo "$header collision regularized; maxGridReynolds 300; referenceSpeed 44.2;" > system/lbmDict
    lbmFoam > log.lbmFoam 2>&1 && fail "runs with what is too bold: the case shows nothing any more"
    grep -q "The flow diverged" log.lbmFoam || fail "ended otherwise"
) || exit 1
echo "a diverging start was mended; with entries against it the run ended with its diagnosis"
