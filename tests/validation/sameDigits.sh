# Sourced: sameDigits A B BOUND: whether the fields at the last time of two cases on one mesh, and what function objects tabulated, agree but for
# BOUND times their size (fields in L2, columns of tables at worst). Says how far they lie apart.
# Part of lbmFoam, GPL-3.0-or-later.
sameDigits()
{
    lbmCompare "$1" "$2" -noPicture -maxRelL2 "U=$3,p=$3" > "$1/log.sameDigits" 2>&1 || { tail -n 40 "$1/log.sameDigits" >&2; return 1; }
    grep -E 'relL2|limit' "$1/log.sameDigits" || true
    for table in $(cd "$1" && find postProcessing -type f -not -path "*/lbmCompare/*" 2> /dev/null); do
        [ -f "$2/$table" ] || { echo "$2: no $table" >&2; return 1; }
        # A row that one has alone
        [ "$(wc -l < "$1/$table")" = "$(wc -l < "$2/$table")" ] || { echo "$table: not as many rows" >&2; return 1; }
        printf '%s: ' "$table"
        paste "$1/$table" "$2/$table" | tr '()' '  ' | awk -v bound="$3" '
            !/#/ && NF % 2 { odd = 1 }
            !/#/ {
                ++rows
                for (i = 1; i <= NF/2; ++i) {
                    d = $i - $(i + NF/2); if (d < 0) d = -d
                    size = $i < 0 ? -$i : $i
                    if (!(d <= 1e300)) odd = 1 # no number
                    if (d > apart[i]) apart[i] = d
                    if (size > most[i]) most[i] = size
                }
            }
            END {
                for (i in most) if (apart[i] > worst*most[i]) worst = apart[i]/most[i]
                printf "%d rows, at most %.3g apart, limit %g\n", rows, worst, bound
                exit !(rows > 0 && !odd && worst <= bound)
            }' || return 1
    done
}
