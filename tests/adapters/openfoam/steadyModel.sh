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

channelMesh channel
setEntry channel/constant/transportProperties transportModel Newtonian
setEntry channel/constant/transportProperties nu 1e-4
for entry in 'startFrom latestTime' 'deltaT 1' 'endTime 60' 'writeInterval 30' 'writeFormat binary' 'writePrecision 12'; do
    setEntry channel/system/controlDict "${entry%% *}" "${entry#* }"
done
head='FoamFile { version 2.0; format ascii; class dictionary; object any; }'
cat > channel/system/fvSchemes <<END
$head
ddtSchemes { default steadyState; }
gradSchemes { default Gauss linear; }
divSchemes { default none; "div\(phi,.*\)" bounded Gauss upwind; div((nuEff*dev2(T(grad(U))))) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
wallDist { method meshWave; }
END
cat > channel/system/fvSolution <<END
$head
solvers
{
    p { solver GAMG; smoother GaussSeidel; tolerance 1e-7; relTol 0.05; }
    ".*" { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-8; relTol 0.05; }
}
SIMPLE { }
PISO { nCorrectors 2; }
relaxationFactors { equations { ".*" 0.7; } }
END
echo "$head simulationType RAS; RAS { RASModel kEpsilon; turbulence on; printCoeffs off; }" > channel/constant/turbulenceProperties
channelField channel U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
channelField channel p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
channelField channel k volScalarField '[0 2 -2 0 0 0 0]' 0.01 'type fixedValue; value uniform 0.01;' 'type zeroGradient;' 'type kqRWallFunction; value uniform 0.01;'
channelField channel epsilon volScalarField '[0 2 -3 0 0 0 0]' 0.01 'type fixedValue; value uniform 0.01;' 'type zeroGradient;' 'type epsilonWallFunction; value uniform 0.01;'
channelField channel nut volScalarField '[0 2 -1 0 0 0 0]' 0 'type calculated; value uniform 0;' 'type calculated; value uniform 0;' 'type nutkWallFunction; value uniform 0;'
lbmDict channel 'threads 1;'
for name in double fromDouble parts laminar transient hybrid hybridDouble duct; do cp -r channel $name; done

echo "float by itself, with double's flow"
run channel
precision channel float
expect log.channel 'single precision \(entry precision of system/lbmDict\)'
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
setEntry transient/system/controlDict deltaT 0.01
setEntry transient/system/controlDict endTime 0.02
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

echo "entries for the case's own solver, by its name"
cp -r laminar byName
rm -rf byName/[1-9]*
setEntry byName/system/controlDict application simpleFoam
printf '_simpleFoam { endTime 1; }\n${_${FOAM_EXECUTABLE}};\n#remove _simpleFoam\n' >> byName/system/controlDict
run byName
expect log.byName '^Time = 1$'
! grep -q '^Time = 2$' log.byName || fail "endTime of simpleFoam's own"
