# Steady cases with a model of turbulence: single precision by itself, with double's flow; what lbmDict says, laminar and transient
# cases and checkpoints of double stay.
# usage: steadyModel.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

run() { timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "$1"; }; }

# precision CASE WHICH [LATTICE]: that of its kernel
precision() { expect "log.$1" "kernel +${3:-D2Q9} .* $2 cpu"; }

# sameFlow A B: U and p within what single precision may be off
sameFlow()
{
    "$build/bin/lbmCompare" "$1" "$2" -noPicture > log.compare 2>&1 || { tail -n 20 log.compare; fail "lbmCompare"; }
    awk '$1 == "U" || $1 == "p" { print $1 " in float: " $6; ++n; if ($6 > 1e-3) bad = 1 } END { exit bad || n != 2 }' log.compare || fail "$1 has another flow than $2"
}

steadyChannel channel
lbmDict channel 'threads 1;'
for name in double fromDouble parts laminar transient hybrid hybridDouble duct; do cp -r channel $name; done

echo "float by itself, with double's flow"
run channel
precision channel float
expect log.channel 'single precision \(entry precision of system/lbmDict\)' 'The flow is not steady: U still changes by [1-9][0-9.]* % in the time'
lbmDict double 'threads 1; precision double;'
run double
precision double double
sameFlow channel double

echo "with hybridRegularized"
for name in hybrid hybridDouble; do setEntry $name/system/controlDict endTime 30; done
lbmDict hybrid 'threads 1; collision hybridRegularized;'
lbmDict hybridDouble 'threads 1; collision hybridRegularized; precision double;'
for name in hybrid hybridDouble; do run $name; done
precision hybrid float 'D2Q9 hybridRegularized'
precision hybridDouble double 'D2Q9 hybridRegularized'
sameFlow hybrid hybridDouble

echo "and in three dimensions"
setEntry duct/system/controlDict endTime 30
sed -i 's/80 20 1/40 10 2/' duct/system/blockMeshDict
sed -i 's/type empty/type symmetry/' duct/system/blockMeshDict duct/0/*
runIn duct blockMesh
cp -r duct ductDouble
lbmDict duct 'threads 1; lattice D3Q19; collision regularized;'
lbmDict ductDouble 'threads 1; lattice D3Q19; collision regularized; precision double;'
for name in duct ductDouble; do run $name; done
precision duct float D3Q19
precision ductDouble double D3Q19
sameFlow duct ductDouble

echo "a checkpoint of double goes on so, one of float bit for bit"
setEntry fromDouble/system/controlDict endTime 30
lbmDict fromDouble 'threads 1; precision double;'
run fromDouble
setEntry fromDouble/system/controlDict endTime 60
lbmDict fromDouble 'threads 1;'
run fromDouble
precision fromDouble double
expect log.fromDouble 'bit for bit'
cmp fromDouble/60/U double/60/U || fail "U of the run that began in double"
setEntry parts/system/controlDict endTime 30
run parts
setEntry parts/system/controlDict endTime 60
run parts
precision parts float
cmp parts/60/U channel/60/U || fail "U after a restart"

echo "laminar and transient cases are double's"
setEntry laminar/constant/turbulenceProperties simulationType laminar
setEntry laminar/constant/transportProperties nu 0.05
setEntry laminar/system/controlDict endTime 2
run laminar
precision laminar double
sed -i 's/default steadyState/default Euler/; s/bounded //' transient/system/fvSchemes
setEntry transient/system/controlDict application pisoFoam
setEntry transient/system/controlDict deltaT 0.02
setEntry transient/system/controlDict endTime 0.04
run transient
precision transient double

echo "Mach numbers: 0.2 of what a model averages, in time, too, and 0.1 of others"
# mach NAME MOST: no larger, and at least three quarters of it
mach()
{
    sed -n 's/^ *Ma  *\([0-9.e-]*\)$/\1/p' "log.$1" | head -n 1 | awk -v most="$2" '{ found = $1 > 0.75*most && $1 <= 1.001*most } END { exit !found }' ||
        fail "$1: Mach number $(grep -m 1 '^ *Ma ' "log.$1") in place of $2"
}
mach channel 0.2
mach transient 0.2
cp -r transient eddies
rm -rf eddies/[1-9]* eddies/0.*
setEntry eddies/constant/turbulenceProperties simulationType LES
cat >> eddies/constant/turbulenceProperties <<'END'
LES { LESModel kEqn; turbulence on; printCoeffs off; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; } }
END
run eddies
mach eddies 0.1

echo "nothing flows through: what k has still to change counts, not the time of a passage"
cp -r duct closed
rm -rf closed/[1-9]*
boxMesh closed '0.25 0.5 0.1' '3 20 1' <<'END'
    inlet { type cyclic; neighbourPatch outlet; faces ((0 4 7 3)); }
    outlet { type cyclic; neighbourPatch inlet; faces ((1 2 6 5)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
END
for field in U p k epsilon nut; do
    for patch in inlet outlet; do setEntry closed/0/$field boundaryField/$patch '{ type cyclic; }'; done
    setEntry closed/0/$field boundaryField/frontAndBack '{ type empty; }'
done
for field in k epsilon; do setEntry closed/0/$field internalField 'uniform 0.001'; done
cat > closed/system/fvOptions <<END
$foamHead
mean { type meanVelocityForce; active yes; selectionMode all; fields (U); Ubar (1 0 0); relaxation 0.2; }
END
for entry in 'endTime 6000' 'writeInterval 6000'; do setEntry closed/system/controlDict $entry; done
lbmDict closed 'threads 1;'
cp -r closed long
setEntry closed/system/fvSolution SIMPLE '{ residualControl { "(U|k|epsilon)" 1e-4; } }'
cp -r closed cut
run closed
run long
expect log.closed 'change of k in that time: .*\(steady at 0.01\), to come: ' 'The flow is steady: stopping after time'
gradient() { sed -n 's/.*pressure gradient = //p' "log.$1" | tail -n 1; }
echo "pressure gradient $(gradient closed) after $(timesOf closed | tr ' ' '\n' | sort -n | tail -n 1) iterations, $(gradient long) after 6000"
awk -v a="$(gradient closed)" -v b="$(gradient long)" 'BEGIN { exit !(b > 0 && (a/b - 1)^2 < 0.02^2) }' || fail "it ends before k has come to rest"
echo "half-way, and on: it ends where it would have"
last=$(timesOf closed | tr ' ' '\n' | sort -n | tail -n 1)
for entry in endTime writeInterval; do setEntry cut/system/controlDict $entry $((last - 30)); done
run cut
[ -d cut/$((last - 30)) ] || fail "nothing was written half-way"
for entry in endTime writeInterval; do setEntry cut/system/controlDict $entry 6000; done
run cut
[ "$(sed -n 's/The flow is steady: stopping after time \([0-9]*\),.*/\1/p' log.cut)" = "$last" ] || fail "ends at another iteration"
cmp cut/$last/U closed/$last/U || fail "U after a restart"

echo "entries for the case's own solver, by its name"
cp -r laminar byName
rm -rf byName/[1-9]*
setEntry byName/system/controlDict application simpleFoam
printf '_simpleFoam { endTime 1; }\n${_${FOAM_EXECUTABLE}};\n#remove _simpleFoam\n' >> byName/system/controlDict
run byName
expect log.byName '^Time = 1$'
! grep -q '^Time = 2$' log.byName || fail "endTime of simpleFoam's own"
