# What the in-situ tests share. Arguments: BUILD TUTORIALS WORK SCRIPTS MISSING, the last one empty where nothing is.
# Part of lbmFoam, GPL-3.0-or-later.
scripts=$4
if [ -n "$5" ]; then
    echo "skipped: no $5"
    exit 77
fi
. "$(dirname "$0")/../adapters/openfoam/common.sh"
. "$build/env.sh"

# Root has to allow scripts (see catalyst/README.md)
mkdir -p "$work/site/etc"
echo 'InfoSwitches { allowInsituAsAdministrator 1; }' > "$work/site/etc/controlDict"
export WM_PROJECT_SITE="$work/site"

# insituCase CASE ENTRIES: the cavity with twenty time steps, of which the last one is written in full precision, and a
# function object catalyst with these entries
insituCase()
{
    freshCavity "$1"
    setEntry "$1/system/controlDict" endTime 0.1
    setEntry "$1/system/controlDict" writeInterval 20
    setEntry "$1/system/controlDict" writePrecision 12
    cat >> "$1/system/controlDict" <<END
functions
{
    insitu
    {
        type catalyst; libs (lbmFunctionObjects);
        executeControl timeStep; executeInterval 10;
        $2
    }
}
END
}

# A container's user is often root
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# parts CASE N [DIVISION]: decomposed in so many, one above the other or as it says ("2 1 1")
parts()
{
    cat > "$1/system/decomposeParDict" <<END
FoamFile { version 2.0; format ascii; class dictionary; object decomposeParDict; }
numberOfSubdomains $2;
method simple;
simpleCoeffs { n (${3:-1 $2 1}); delta 0.001; }
END
    runIn "$1" decomposePar
}

# run NAME RANKS [AROUND...]: lbmFoam in NAME.RANKS, of a case NAME; AROUND: such as xvfb-run with its options; $division: see parts
run()
{
    case=$1.$2 ranks=$2
    cp -r "$1" "$case"
    shift 2
    if [ "$ranks" -eq 1 ]; then
        "$@" "$lbmFoam" -case "$case" > "log.$case" 2>&1 || { tail -n 30 "log.$case"; fail "$case"; }
    else
        parts "$case" "$ranks" "${division:-1 $ranks 1}"
        "$@" mpirun --oversubscribe -n "$ranks" "$lbmFoam" -parallel -case "$case" > "log.$case" 2>&1 ||
            { tail -n 30 "log.$case"; fail "$case"; }
        expect "log.$case" "nProcs : $ranks"
    fi
    expect "log.$case" '2 times, .* s in all' 'End'
}

# alike NAME RANKS PATTERN: and there are files in whose names the pattern is
alike()
{
    "$python" "$here/alike.py" "$1.1/postProcessing/insitu" "$1.$2/postProcessing/insitu" > "log.alike" 2>&1 ||
        { cat log.alike; fail "$1: one process and $2 ranks"; }
    grep -q "$3" log.alike || fail "$1: no $3: $(cat log.alike)"
    grep 'pixels' log.alike || true
}

# needX: what follows needs an X server
needX()
{
    command -v xvfb-run > /dev/null || { echo "skipped from here: no xvfb-run"; exit 77; }
}

# inX SOLVER CASE: under an X server; output to log.CASE; returns the solver's status
inX()
{
    needX
    xvfb-run -a -s -noreset "$1" -case "$2" > "log.$2" 2>&1
}

# EGL finds no driver from now on, whatever is installed
withoutEgl() { export __EGL_VENDOR_LIBRARY_FILENAMES=/nowhere; }
