#!/bin/sh
# What lbmBench --suite seed004 prints is what towers.py draws. Skips without Python. Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

command -v python3 > /dev/null || { echo "skipped: no python3"; exit 77; }
draw="python3 $source/lbm/bench/towers.py"
"$build/bin/lbmBench" --suite seed004 --scale 0.0625 --fold 4 --steps-at-once 8 --threads 1,2 --repeats 1 > suite.txt

# drawn FIGURE RESULT WORD...: words stand in the picture, no number of which is none
drawn()
{
    figure=$1 result=$2
    shift 2
    $draw "$figure" "$result" > "$figure.svg" || fail "$figure of $result"
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$figure.svg" || fail "$figure.svg is no XML"
    for word; do grep -q -- "$word" "$figure.svg" || fail "$figure.svg of $result lacks '$word'"; done
    ! grep -qi '[^a-z]nan[^a-z]\|[^a-z]inf[^a-z]' "$figure.svg" || fail "$figure.svg holds what is no number"
}
drawn figure7 suite.txt 'two passes' 'memory: ' 'arithmetic'
drawn figure8 suite.txt 'TorreFold&lt;4,8>' "the paper's: 230" 'reached: '
drawn figure9 suite.txt 'TorreFold&lt;2,8>' "the paper's: 820" 'stepwise, ideal: '
drawn figure11 suite.txt '32^3 nodes' 'values of a node'
together=$source/lbm/bench/results/h200-seed004-together.txt
drawn figure10 "$together" 'links allow' "the paper's: 1310" '>64<'
drawn figure12 "$together" 'ReFoldTF&lt;112,16>' 'ConeTorre&lt;8,16>' 'reached, n = 16' 'link: '
reached=$(awk '/^towers/ { printf "reached: %.0f", $4; exit }' suite.txt)
grep -q "$reached<" figure8.svg || fail "figure8.svg lacks '$reached' of suite.txt"

! $draw figure10 suite.txt > none.svg 2> found || fail "figure10 was drawn of a suite without a device"
grep -q 'no part of the suite with Figures 10 and 12' found || fail "figure10 without a device: $(cat found)"
! $draw figure13 suite.txt 2> found || fail "figure13 was drawn"
grep -q '^usage: towers.py figure7|' found || fail "figure13: $(cat found)"
echo passed
