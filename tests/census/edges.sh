# What enters leaves where walls with a wall function go round edges: TJunction, of whose flow 5 % were lost at its two, with its
# inlet's pressure at once.
# usage: edges.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$1/env.sh"
fail() { echo "FAILED: $*"; exit 1; }
export OMP_WAIT_POLICY=passive
rm -rf "$3"; mkdir -p "${3%/*}"
cp -r "$2/incompressible/pimpleFoam/RAS/TJunction" "$3" && cd "$3" || exit 1
find . -name '*.gz' -exec gunzip -f {} +
sed -i 's/^endTime .*/endTime 0.1;/; /^functions/,$d' system/controlDict
sed -i '/p0 *table/,/);/c\        p0 constant 40;' 0/p
blockMesh > log.blockMesh || fail "$(tail -n 3 log.blockMesh)"
lbmFoam > log.lbmFoam 2>&1 || fail "$(grep -A2 FATAL log.lbmFoam)"
# Flow rates through patches, of U as it is written
lbmCompare . . > log.lbmCompare 2>&1 || fail "$(tail -n 3 log.lbmCompare)"
awk '$1 == "inlet" { in_ = -$2 }  $1 ~ /^outlet/ { out += $2 }
    END { print "enters " in_ ", leaves " out " m3/s"; exit !(in_ > 0.002 && out > 0.99*in_ && out < 1.01*in_) }' log.lbmCompare \
    || fail "flow rates"
