# A tutorial with its own checks, every lbmFoam in it on ranks: bit for bit what one process makes of the same case.
# usage: tutorial.sh BUILD TUTORIALS WORK OURS NAME RANKS SCRIPT [REORDERED [ROUNDED]]; REORDERED: files in which OpenFOAM's
# reconstructPar writes entries of conditions that it does not know in an order of its own, ROUNDED: fields that are the same but for
# rounding, both as patterns. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
name=$5 script=$7
export lbmBuild="$build" lbmRanks="$6" lbmReordered="${8:-}" lbmRounded="${9:-}" lbmAlone="$work/alone"

# Programs as Allrun finds them, but for one
mkdir bin alone
for program in "$build"/bin/*; do ln -s "$program" bin/; done
ln -sf "$here/onRanks.sh" bin/lbmFoam
ln -s "$build/share" share
PATH="$work/bin:$PATH"

mkdir case
cp -r "$ours/$name/." case
overlay=$here/../validation/quick/$name
[ ! -d "$overlay" ] || cp -r "$overlay/." case
"case/$script" || fail "$name on $lbmRanks ranks"
runs=$(ls alone | wc -l)
[ "$runs" -gt 0 ] || fail "$script of $name runs no lbmFoam"
# Whatever the script makes of it
[ ! -e alone/failed ] || fail "$name on $lbmRanks ranks: $(cat alone/failed)"
echo "$name: $runs runs on $lbmRanks ranks are bit for bit those of one process"
