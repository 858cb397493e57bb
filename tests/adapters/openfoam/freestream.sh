# A box of freestreamVelocity and freestreamPressure around a force that turns the stream aside, as a wing does: p is simpleFoam's up to
# the openings, which let pass what simpleFoam's pressure equation lets pass; a run in two parts ends as the whole one.
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
