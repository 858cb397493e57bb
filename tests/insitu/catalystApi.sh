# The back end for the Catalyst API with the API's own reference implementation, which dumps what it is handed: the dump
# can be replayed, and holds the fields that the solvers wrote.
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
unset DISPLAY
export CATALYST_IMPLEMENTATION_NAME=stub

for solver in lbmFoam icoFoam; do
    : > $solver.py
    insituCase $solver "scripts (\"$work/$solver.py\"); backEnd catalyst; parameters { Re 10; }
        inputs { cells { fields (U p); } walls { type walls; fields (p patchID); } }"
    mkdir dump.$solver
    CATALYST_DATA_DUMP_DIRECTORY=$work/dump.$solver $solver -case $solver > log.$solver 2>&1 ||
        { tail -n 30 log.$solver; fail "$solver"; }
    expect log.$solver 'catalyst insitu: Catalyst API 2' '2 times' 'End'
    "$python" "$here/dump.py" dump.$solver/execute_invc1_params.conduit_bin.1.0 $solver/0.1 || fail "$solver: dump"
    if command -v catalyst_replay > /dev/null; then
        catalyst_replay dump.$solver > log.replay 2>&1 || { cat log.replay; fail "$solver: replay"; }
        echo "replayed"
    fi
done
