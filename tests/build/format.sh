#!/bin/sh
# Sources are laid out as .clang-format says. Skips where clang-format 14 is missing: others lay out otherwise.
# OpenFOAM's conventions (.C, .H) and ParaView's (catalyst/plugin) are beyond it.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

case $(clang-format --version 2> /dev/null) in
    *' version 14.'*) ;;
    *) echo "skipped: no clang-format 14"; exit 77 ;;
esac
cd "$source"
find lbm adapters catalyst tests ! -path 'catalyst/plugin/*' -type f \
    \( -name '*.[ch]pp' -o -name '*.ipp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.h' \) > "$work/sources"
[ "$(wc -l < "$work/sources")" -gt 100 ] || fail "only $(wc -l < "$work/sources") sources were found"
xargs clang-format --dry-run --Werror < "$work/sources" 2> "$work/found" && { echo passed; exit; }
sed -n 's/:[0-9]*:[0-9]*: error:.*//p' "$work/found" | sort | uniq -c >&2
fail "these files (with how many places) are not laid out as .clang-format says: clang-format -i FILE mends one"
