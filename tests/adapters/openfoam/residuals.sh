# Residuals in OpenFOAM's form: lines of the log and columns of function object solverInfo as it comes, beside OpenFOAM's own
# of a turbulence model; against what written fields have changed. usage: residuals.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

run() { "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }; }

# residual CASE FIELD NUMBER: in the log, of the iteration of that number
residual() { sed -n "s/^latticeBoltzmann:  Solving for $2, Initial residual = \([^,]*\), Final residual = \1, No Iterations [1-9][0-9]*\$/\1/p" "log.$1" | sed -n "$3p"; }

# column CASE NAME NUMBER: of solverInfo.dat, in the row of that number; each row has as many columns as the header
column()
{
    awk -v name="$2" -v row="$3" '
        /^# Time/ { for (i = 3; i <= NF; ++i) if ($i == name) at = i - 1; columns = NF - 1; next }
        /^#/ { next }
        NF != columns { exit 1 }
        ++n == row { print $at }' "$1"/postProcessing/residuals*/0/solverInfo.dat || fail "$1: columns of solverInfo.dat"
}

# same WHAT A B SHARE
same()
{
    echo "$1: $2, $3"
    awk -v a="$2" -v b="$3" -v share="$4" 'BEGIN { exit !(b > 0 && (a - b)^2 <= (share*b)^2) }' || fail "$1: $2 and $3"
}

# values CASE TIME FIELD: of cells, a line each
values() { awk '/^internalField/ { n = 1 } /^boundaryField/ { exit } n && /^\(?[-0-9.]/ && NF > 0' "$1/$2/$3" | tr -d '()' | sed 1d; }

# changed CASE BEFORE NOW FIELD COMPONENT: root mean square of that, by that of U, or of p about its mean
changed()
{
    values "$1" "$2" "$4" > before
    values "$1" "$3" "$4" > now
    paste before now | awk -v c="$5" '
        { n = NF/2; d = $(n + c) - $c; changed += d*d; mean += $(n + c); sum += $(n + c)^2
          if (n == 3) all += $(n + 1)^2 + $(n + 2)^2 + $(n + 3)^2 }
        END { if (NR < 100) exit 1; if (n == 1) all = sum - mean*mean/NR; print sqrt(changed/all) }'
}

echo "a channel of as many nodes as cells: what fields have changed"
channelMesh channel
channelField channel U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
channelField channel p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
for entry in 'startFrom latestTime' 'deltaT 1' 'endTime 8' 'writeInterval 1' 'writePrecision 12'; do setEntry channel/system/controlDict $entry; done
sed -i '/^ddtSchemes/,/}/s/default .*/default steadyState;/' channel/system/fvSchemes
echo 'SIMPLE { residualControl { U 1e-9; } }' >> channel/system/fvSolution
lbmDict channel 'cells 80; checkpoint all; threads 1;'
cp -r channel transient
cp -r channel parted
echo 'functions { #includeFunc residuals
}' >> channel/system/controlDict
run channel
for i in 2 8; do
    same "Ux of iteration $i, log and fields" "$(residual channel Ux $i)" "$(changed channel $((i - 1)) $i U 1)" 1e-4
    same "Uy of iteration $i, log and fields" "$(residual channel Uy $i)" "$(changed channel $((i - 1)) $i U 2)" 1e-4
    same "p of iteration $i, log and fields" "$(residual channel p $i)" "$(changed channel $((i - 1)) $i p 1)" 1e-4
    for name in Ux Uy p; do
        same "$name of iteration $i, solverInfo and log" "$(column channel ${name}_initial $i)" "$(residual channel $name $i)" 1e-5
    done
done
if grep -q 'Solving for Uz' log.channel; then fail "the empty direction"; fi
[ "$(column channel U_solver 8)" = latticeBoltzmann ] && [ "$(column channel U_converged 8)" = false ] || fail "solver and converged"
same "lattice steps of an iteration" "$(column channel p_iters 8)" "$(sed -n 's/^lattice: \([0-9]*\) steps.*/\1/p' log.channel | tail -n 1)" 0

echo "half-way, and on: the same lines"
setEntry parted/system/controlDict endTime 4
run parted
setEntry parted/system/controlDict endTime 8
mv log.parted log.first
run parted
same "p of iteration 8 after a restart" "$(residual parted p 4)" "$(residual channel p 8)" 0
same "Ux of the first iteration after a restart" "$(residual parted Ux 1)" "$(residual channel Ux 5)" 0

echo "a transient case: where a function object reads them"
sed -i '/^ddtSchemes/,/}/s/default .*/default Euler;/' transient/system/fvSchemes
sed -i '/^SIMPLE/d' transient/system/fvSolution
for entry in 'deltaT 0.02' 'endTime 0.1' 'writeInterval 5'; do setEntry transient/system/controlDict $entry; done
run transient
if grep -q 'Solving for' log.transient; then fail "lines that nobody asked for"; fi
echo 'functions { #includeFunc residuals
}' >> transient/system/controlDict
rm -r transient/0.1
run transient
same "p of the last time step" "$(column transient p_initial 5)" "$(residual transient p 5)" 1e-5

echo "pitzDaily with kEpsilon: OpenFOAM's columns beside the lattice's, also in iterations that do not solve for k"
cloneCase "$tutorials/incompressible/simpleFoam/pitzDaily" pitzDaily
runIn pitzDaily blockMesh
sed -i '/^functions/,$d' pitzDaily/system/controlDict
echo 'functions { #includeFunc residuals(U,p,k,epsilon)
}' >> pitzDaily/system/controlDict
for entry in 'endTime 6' 'writeInterval 6'; do setEntry pitzDaily/system/controlDict $entry; done
lbmDict pitzDaily 'coupleEvery 2;'
run pitzDaily
for name in Ux_initial Uy_final p_initial k_initial epsilon_initial epsilon_iters; do
    [ -n "$(column pitzDaily $name 6)" ] || fail "no $name"
done
same "k" "$(column pitzDaily k_initial 6)" "$(sed -n 's/.*Solving for k, Initial residual = \([^,]*\),.*/\1/p' log.pitzDaily | tail -n 1)" 1e-5
same "Ux" "$(column pitzDaily Ux_initial 6)" "$(residual pitzDaily Ux 6)" 1e-5

echo "temperature on the lattice"
heatedCavity heated 'threads 1; temperatureOn lattice;'
sed -i '/^functions/,$d' heated/system/controlDict
echo 'functions { #includeFunc residuals(U,p_rgh,T)
}' >> heated/system/controlDict
for entry in 'endTime 4' 'writeInterval 1' 'writePrecision 12'; do setEntry heated/system/controlDict $entry; done
run heated
same "T, log and solverInfo" "$(column heated T_initial 4)" "$(residual heated T 4)" 1e-5
values heated 3 T > before
values heated 4 T > now
# Walls have 295 and 305 K
same "T, log and fields" "$(residual heated T 4)" \
    "$(paste before now | awk '{ c += ($2 - $1)^2 } END { print sqrt(c/NR)/5 }')" 1e-3
echo passed
