# A box of freestreamVelocity and freestreamPressure around a force that turns the stream aside, as a wing does: p is simpleFoam's up to
# the openings, which let pass what simpleFoam's pressure equation lets pass; a run in two parts ends as the whole one. A stream at 45 degrees
# to the boundaries stays even, and with the force in it is pimpleFoam's.
# usage: freestream.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

freshCavity whole
boxMesh whole '10 10 1' '40 40 1' <<'END'
    inlet { type patch; faces ((0 4 7 3) (0 1 5 4)); }
    outlet { type patch; faces ((1 2 6 5) (3 7 6 2)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
END
# field NAME CLASS DIMENSIONS VALUE TYPE
field()
{
    cat > "whole/0/$1" <<END
FoamFile { version 2.0; format ascii; class $2; object $1; }
dimensions $3;
internalField uniform $4;
boundaryField { "(inlet|outlet)" { type $5; freestreamValue \$internalField; } frontAndBack { type empty; } }
END
}
field U volVectorField '[0 1 -1 0 0 0 0]' '(1 0.14 0)' freestreamVelocity
field p volScalarField '[0 2 -2 0 0 0 0]' 0 freestreamPressure
cat > whole/constant/turbulenceProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }
simulationType laminar;
END
cat > whole/constant/transportProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object transportProperties; }
transportModel Newtonian;
nu 0.02;
END
cat > whole/constant/fvOptions <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object fvOptions; }
wing
{
    type vectorSemiImplicitSource;
    selectionMode cellSet;
    cellSet wing;
    volumeMode absolute;
    injectionRateSuSp { U ((-0.05 -0.4 0) 0); }
}
END
cat > whole/system/topoSetDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
actions ( { name wing; type cellSet; action new; source boxToCell; box (4.4 4.4 -1) (5.6 5.6 2); } );
END
cat > whole/system/fvSchemes <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object fvSchemes; }
ddtSchemes { default steadyState; }
gradSchemes { default Gauss linear; }
divSchemes { default none; div(phi,U) bounded Gauss linearUpwind grad(U); div((nuEff*dev2(T(grad(U))))) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
END
cat > whole/system/fvSolution <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object fvSolution; }
solvers
{
    p { solver GAMG; smoother GaussSeidel; tolerance 1e-7; relTol 0.05; }
    U { solver smoothSolver; smoother GaussSeidel; tolerance 1e-8; relTol 0.05; }
}
SIMPLE { residualControl { p 1e-5; U 1e-5; } }
relaxationFactors { fields { p 0.3; } equations { U 0.7; } }
END
for entry in 'application simpleFoam' 'startFrom latestTime' 'deltaT 1' 'endTime 800' 'writeInterval 100' 'writePrecision 12'; do
    setEntry whole/system/controlDict "${entry%% *}" "${entry#* }"
done
runIn whole topoSet
cp -r whole finiteVolume
simpleFoam -case finiteVolume > log.simpleFoam 2>&1 || fail "simpleFoam: $(tail -n 3 log.simpleFoam)"
lbmDict whole 'checkpoint all;'
"$lbmFoam" -case whole > log.whole 2>&1 || { tail -n 30 log.whole; fail "the whole run"; }
"$build/bin/lbmCompare" whole finiteVolume -noPicture > log.compare 2>&1 || { tail -n 20 log.compare; fail "lbmCompare"; }
awk '$1 == "U" || $1 == "p" { print $1 " off by " $6; if ($6 > ($1 == "U" ? 0.01 : 0.15)) bad = 1 } END { exit bad }' log.compare || fail "not simpleFoam's"

cp -r whole parts
last=$(timesOf whole | awk '{ print $NF }')
rm -r "parts/$last"
"$lbmFoam" -case parts > log.parts 2>&1 || { tail -n 30 log.parts; fail "the second part"; }
expect log.parts '^Start: .*checkpoint'
for field in U p; do cmp "whole/$last/$field" "parts/$last/$field" || fail "$field of a run in two parts"; done
echo "the same in two parts"

# At 45 degrees time steps count. Openings and the fluid beside them answer each other through sound: what is stirred up in the middle of an
# even stream leaves it. Told half the way to what is right at once, openings had 15 dynamic pressures beside them, from rounding on
mkdir oblique
cp -r whole/0 whole/constant whole/system oblique
sed -i 's/(1 0.14 0)/(0.7 0.7 0)/' oblique/0/U
sed -i 's/steadyState/Euler/; s/bounded //' oblique/system/fvSchemes
cat > oblique/system/fvSolution <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object fvSolution; }
solvers
{
    "p.*" { solver GAMG; smoother GaussSeidel; tolerance 1e-7; relTol 0.01; }
    "U.*" { solver smoothSolver; smoother GaussSeidel; tolerance 1e-8; relTol 0.05; }
}
PIMPLE { nCorrectors 2; }
END
for entry in 'application pimpleFoam' 'deltaT 0.05' 'endTime 20' 'writeControl timeStep' 'writeInterval 400'; do
    setEntry oblique/system/controlDict "${entry%% *}" "${entry#* }"
done
lbmDict oblique ''
cp -r oblique even
rm even/constant/fvOptions
cat > even/system/setFieldsDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object setFieldsDict; }
defaultFieldValues ();
regions ( boxToCell { box (2 2 -1) (3 2.5 2); fieldValues ( volVectorFieldValue U (0.8 0.65 0) ); } );
END
runIn even setFields
for mach in 0.1 0.03; do
    rm -rf even/20
    lbmDict even "maxMach $mach;"
    "$lbmFoam" -case even > log.even 2>&1 || { tail -n 30 log.even; fail "the even stream"; }
    awk '/^\(/ { gsub(/[()]/, ""); if (NF == 3) for (i = 1; i < 3; i++) { d = $i - 0.7; if (d < 0) d = -d; if (d > most) most = d } }
        END { print "even but for " most + 0 " m/s"; exit most > 1e-3 }' even/20/U || fail "a stream does not become even (maxMach $mach)"
done

cp -r oblique pimple
pimpleFoam -case pimple > log.pimpleFoam 2>&1 || fail "pimpleFoam: $(tail -n 3 log.pimpleFoam)"
"$lbmFoam" -case oblique > log.oblique 2>&1 || { tail -n 30 log.oblique; fail "the stream at 45 degrees"; }
"$build/bin/lbmCompare" oblique pimple -noPicture > log.compare 2>&1 || { tail -n 20 log.compare; fail "lbmCompare"; }
awk '$1 == "U" || $1 == "p" { print "at 45 degrees " $1 " off by " $6; if ($6 > ($1 == "U" ? 0.01 : 0.15)) bad = 1 } END { exit bad }' log.compare || fail "not pimpleFoam's"
