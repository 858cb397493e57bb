#!/bin/sh
# Every #include of lbm/ goes the way that the layers allow. Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

# What a folder may include besides itself
cat > allowed <<'END'
lattice
api
geometry api
physics lattice api
boundary lattice api physics
device lattice api
storage lattice api geometry physics boundary device
solver lattice api geometry physics boundary device storage model
model api geometry
surface lattice api device
reference lattice api
bench lattice api geometry physics boundary device storage solver model
outside api model surface
END
cd "$source"
grep -rnE '^ *#include "lbm/' --include='*.[hcCH]pp' --include='*.cu*' --include='*.ipp' --include='*.[CH]' \
    lbm adapters catalyst plugin > "$work/includes"
awk -F: -v allowed="$work/allowed" '
    BEGIN {
        while ((getline line < allowed) > 0) {
            n = split(line, word, " ")
            for (i = 1; i <= n; ++i) may[word[1] " " word[i]] = 1
        }
    }
    {
        split($1, from, "/"); split($3, quoted, "\""); split(quoted[2], to, "/")
        room = from[1] == "lbm" ? from[2] : "outside"
        # lbmBench with surfaces is bench, too
        if (from[1] == "adapters" && from[2] == "bench") room = "bench"
        if (room != to[2] && !((room " " to[2]) in may)) { print $1 ":" $2 ": " room " must not include " quoted[2]; bad = 1 }
    }
    END { if (NR < 100) { print "only " NR " includes were found"; bad = 1 } exit bad }
' "$work/includes" || fail "includes against the direction of the layers"
echo passed
