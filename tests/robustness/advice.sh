# Advice that holds: cases as a new user has them run to their end, without system/lbmDict or with no more than what
# lbmFoam itself proposes, put into it mechanically; U is compared to icoFoam's on a mesh twice as fine.
# usage: advice.sh BUILD TUTORIALS WORK [full]; full (or LBM_ADVICE=full) adds the cases that take minutes.
# Prints a table: case, entries, status, relative L2 of U, and what is allowed of it. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
extent=${4:-${LBM_ADVICE:-quick}}
. "$here/advice/cases.sh"
. "$build/env.sh"

failures=0 attempts=0
wrong() { echo "FAILED $*" >&2; failures=$((failures + 1)); }
row() { printf '%-16s %-52s %-9s %-9s %s\n' "$@" >> table; }

# proposals LOG: entries that it proposes, one proposal a line
proposals() { sed -n 's/^    \([a-zA-Z].*;\)  (about .*/\1/p' "$1"; }

# enter CASE ENTRIES: into system/lbmDict, "in place of OTHER;" taking that one out
enter()
{
    [ -f "$1/system/lbmDict" ] || lbmDict "$1" ''
    for key in $(echo "$2" | sed -n 's/.*in place of \([a-zA-Z]*\);.*/\1/p'); do sed -i "/^$key /d" "$1/system/lbmDict"; done
    echo "$2" | sed 's/ in place of [a-zA-Z]*;/;/; s/;;/;/; s/; */;\n/g' | while IFS= read -r entry; do
        [ -n "$entry" ] || continue
        sed -i "/^${entry%% *} /d" "$1/system/lbmDict"
        echo "$entry" >> "$1/system/lbmDict"
    done
}

# attempt CASE LIMIT ENTRIES: on a copy; sets run and status
attempt()
{
    attempts=$((attempts + 1))
    run=$1.$attempts
    rm -rf "$run"
    cp -r "$1" "$run"
    [ -z "$3" ] || enter "$run" "$3"
    status=0
    timeout 900 "$lbmFoam" -case "$run" > "$run/log.lbmFoam" 2>&1 || status=$?
}

# judge CASE LIMIT ENTRIES: of the last attempt, which has to be at its end
judge()
{
    [ $status -eq 0 ] || { row "$1" "$3" "$status" - -; wrong "$1 with '$3': status $status, see $run/log.lbmFoam"; return; }
    difference=$(lbmCompare "$run" "$1Fine" -means 2>&1 | awk '$1 == "U" { print $6; exit }')
    row "$1" "${3:-(no lbmDict)}" ends "$difference" "$2"
    awk -v d="$difference" -v limit="$2" 'BEGIN { exit !(d != "" && d <= limit) }' ||
        wrong "$1 with '$3': U differs by $difference, more than $2"
}

# try CASE LIMIT: as it is; where it is refused, with each change that the refusal proposes
try()
{
    attempt "$1" "$2" ''
    if [ $status -eq 1 ] && grep -q '^What would mend it' "$run/log.lbmFoam"; then
        row "$1" '(no lbmDict)' refused - -
        proposals "$run/log.lbmFoam" > proposed
        [ -s proposed ] || wrong "$1: refused without a proposal"
        while IFS= read -r entries; do
            attempt "$1" "$2" "$entries" < /dev/null
            judge "$1" "$2" "$entries"
        done < proposed
    else
        judge "$1" "$2" ''
    fi
}

# energy CASE ENTRIES: a flow that gains energy from nothing is noticed, and each change proposed then lets it run
energy()
{
    attempt "$1" - "$2"
    row "$1" "$2" "$([ $status -eq 1 ] && echo noticed || echo "$status")" - -
    [ $status -eq 1 ] || wrong "$1 with '$2': status $status though energy grows"
    expect "$run/log.lbmFoam" 'has gained .* % of energy|The flow diverged' 'nearest patch none'
    # The entry that let it start stays, and the last proposal is the dearest
    proposals "$run/log.lbmFoam" | head -n 2 > proposed
    [ -s proposed ] || wrong "$1: no proposal"
    while IFS= read -r entries; do
        attempt "$1" - "$2 $entries" < /dev/null
        row "$1" "$entries" "$([ $status -eq 0 ] && echo ends || echo "$status")" - -
        [ $status -eq 0 ] || wrong "$1 with '$entries': status $status"
    done < proposed
}

makeDuct;        try duct 0.03
makeMixer 2;     try mixer 0.2
makeVortex 32;   energy vortex 'maxGridReynolds 200;'
makeElbow 1;     try elbow 0.15
if [ "$extent" = full ]; then
    makeElbow 10;    try elbow 0.2
    makeMixer 10;    try mixer 0.2
    makePitzDaily;   try pitzDaily 0.15
    makeSpheres;     try spheres 0.12
    # Re 1600 with the length that sines are made of
    makeVortex 64;   energy vortex 'maxGridReynolds 158;'
fi

printf '%-16s %-52s %-9s %-9s %s\n' case entries status 'rel. L2' 'at most'
cat table
[ $failures -eq 0 ] || fail "$failures of $attempts attempts"
echo passed
