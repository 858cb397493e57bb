# kill -9 at chosen moments of writing, replacing and purging: what stands under a time's name is of one run, the user's
# own files stay, and the next start finds what was left.
# usage: kills.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"
preload=$build/tests/lib/libkillAt.so
export OMP_NUM_THREADS=1

# killed CASE N: runs it until its N-th change on the disk
killed()
{
    status=0
    (LD_PRELOAD=$preload LBM_KILL_AT=$2 LBM_LACKS=${lacks:-} exec "$lbmFoam" -case "$1") > "log.killed" 2>&1 || status=$?
    [ "$status" -eq 137 ] || { tail -n 20 log.killed >&2; fail "$1, change $2: exit status $status"; }
}

# changes CASE: a whole run, its changes on the disk in CASE.changes
changes()
{
    rm -f "$1.changes"
    LD_PRELOAD=$preload LBM_KILL_LOG=$work/$1.changes LBM_LACKS=${lacks:-} "$lbmFoam" -case "$1" > "log.$1" 2>&1 ||
        { tail -n 20 "log.$1" >&2; fail "$1"; }
}

# ofOneRun CASE TIME RUN...: its U, p and checkpoint are those of one of these runs
ofOneRun()
{
    case=$1 time=$2; shift 2
    for run; do
        same=yes
        for file in U p uniform/lbmCheckpoint.h5; do
            cmp -s "$run/$time/$file" "$case/$time/$file" || same=
        done
        [ -z "$same" ] || return 0
    done
    fail "change $n: $case/$time is of no single run: $(cd "$case/$time" && ls -R)"
}

freshCavity base
setEntry base/system/controlDict endTime 0.01
setEntry base/system/controlDict writeInterval 2
lbmDict base 'checkpoint all;'
cp -r base old
"$lbmFoam" -case old > log.old 2>&1 || fail "the first run"
echo kept > old/0.01/notes
mkdir old/0.01/own; echo kept > old/0.01/own/notes
sed -i 's/uniform (1 0 0)/uniform (2 0 0)/' old/0/U
cp -r old new
changes new
for file in U uniform/lbmCheckpoint.h5; do ! cmp -s old/0.01/$file new/0.01/$file || fail "the runs do not differ"; done

echo "a time that is there is replaced"
# Around what replaces and what removes, each kind of change
chosen=$(awk '$2 ~ /^(open|write|truncate|sync)$/ { next } /0\.01|madeBy|unfinished/ { print $1 }' new.changes)
total=$(echo "$chosen" | wc -l)
i=0
for n in $chosen; do
    i=$((i + 1))
    # A dozen of them, the last ones all
    [ $((i % (total/8 + 1))) = 0 ] || [ $i -gt $((total - 4)) ] || continue
    rm -rf killed; cp -r old killed
    killed killed "$n"
    ofOneRun killed 0.01 old new
    for file in notes own/notes; do [ "$(cat killed/0.01/$file)" = kept ] || fail "change $n: 0.01/$file"; done
done
"$lbmFoam" -case killed > log.again 2>&1 || { tail -n 20 log.again >&2; fail "the start after the last kill"; }
ofOneRun killed 0.01 new
[ "$(ls killed)" = "$(ls new)" ] || fail "left: $(ls killed)"

echo "where the file system exchanges no folders and has no hard links"
lacks=exchange,links
rm -rf plain; cp -r old plain
changes plain
ofOneRun plain 0.01 new
[ "$(cat plain/0.01/own/notes)" = kept ] || fail "copies"
n=$(awk '$2 == "rename" && $3 ~ /0\.01$/ { print $1 }' plain.changes | tail -n 1)
rm -rf killed; cp -r old killed
killed killed "$n"
setEntry killed/system/controlDict startFrom latestTime
"$lbmFoam" -case killed > log.completed 2>&1 || { tail -n 20 log.completed >&2; fail "the start after the kill between two renames"; }
expect log.completed 'Completing .*0.01' 'Start: checkpoint .*0.01'
ofOneRun killed 0.01 new
[ "$(ls killed)" = "$(ls new)" ] || fail "left: $(ls killed)"
lacks=

echo "times are purged"
cp -r base purged
for entry in 'purgeWrite 2' 'writeInterval 1' 'endTime 0.02'; do setEntry purged/system/controlDict $entry; done
cp -r purged all
changes all
[ "$(timesOf all)" = "0 0.015 0.02 " ] || fail "purgeWrite: $(timesOf all)"
chosen=$(awk '/rename.*0.00|unlink|rmdir/ { print $1 }' all.changes)
total=$(echo "$chosen" | wc -l)
i=0
for n in $chosen; do
    i=$((i + 1))
    [ $((i % (total/6 + 1))) = 0 ] || continue
    rm -rf killed; cp -r purged killed
    killed killed "$n"
    for time in $(timesOf killed); do
        case $time in 0 | *.unfinished) continue ;; esac
        for file in U p uniform/time uniform/lbmCheckpoint.h5; do
            [ -s "killed/$time/$file" ] || fail "change $n: $time without $file"
        done
    done
done

echo "the latest checkpoint alone is kept"
cp -r base latest
setEntry latest/system/controlDict writeInterval 1
lbmDict latest 'checkpoint latest;'
cp -r latest killed-latest
changes latest
n=$(awk '/unlink.*0.005.uniform.lbmCheckpoint/ { print $1 }' latest.changes)
killed killed-latest "$n"
[ "$(ls killed-latest/*/uniform/lbmCheckpoint.h5 | wc -l)" = 2 ] || fail "not killed between the two checkpoints"
setEntry killed-latest/system/controlDict startFrom latestTime
"$lbmFoam" -case killed-latest > log.latest 2>&1 || fail "the start with two checkpoints"
[ "$(ls killed-latest/*/uniform/lbmCheckpoint.h5)" = killed-latest/0.01/uniform/lbmCheckpoint.h5 ] || fail "two checkpoints"
echo passed
