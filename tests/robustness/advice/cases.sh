# The cases of advice.sh, NAME as a user has it, NAMEFine for icoFoam with cells half as wide, already run.
# Part of lbmFoam, GPL-3.0-or-later.
python=${python:-python3}
incompressible=$tutorials/incompressible

# control CASE END DELTAT: writes at the end alone
control()
{
    cat > "$1/system/controlDict" <<END
FoamFile { version 2.0; format ascii; class dictionary; object controlDict; }
application icoFoam;
startFrom startTime;
startTime 0;
stopAt endTime;
endTime $2;
deltaT $3;
writeControl runTime;
writeInterval ${4:-$2};
writeFormat ascii;
writePrecision 8;
timeFormat general;
timePrecision 8;
END
}

# forIcoFoam CASE: schemes and solvers of the elbow's case
forIcoFoam()
{
    cp "$incompressible"/icoFoam/elbow/system/fvSchemes "$incompressible"/icoFoam/elbow/system/fvSolution "$1/system/"
    echo 'PISO { pRefCell 0; pRefValue 0; } solvers { p { solver GAMG; smoother GaussSeidel; } }' >> "$1/system/fvSolution"
}

# viscosity CASE NU
viscosity()
{
    echo "FoamFile { version 2.0; format ascii; class dictionary; object transportProperties; } nu $2;" \
        > "$1/constant/transportProperties"
}

# field CASE NAME CLASS DIMENSIONS VALUE PATCHES
field()
{
    echo "FoamFile { version 2.0; format ascii; class $3; object $2; } dimensions $4; internalField $5; boundaryField { $6 }" \
        > "$1/0/$2"
}
fieldU() { field "$1" U volVectorField '[0 1 -1 0 0 0 0]' "$2" "$3"; }
fieldP() { field "$1" p volScalarField '[0 2 -2 0 0 0 0]' 'uniform 0' "$2"; }

# sourceTerm CASE FORCE: along x, as fvOptions has it
sourceTerm()
{
    cat > "$1/constant/fvOptions" <<END
FoamFile { version 2.0; format ascii; class dictionary; object fvOptions; }
push
{
    type vectorSemiImplicitSource;
    selectionMode all;
    volumeMode specific;
    injectionRateSuSp { U (($2 0 0) 0); }
}
END
}

# periodicBox CASE CELLS LENGTH PATCHES: side 1 in y and z, LENGTH along x with front and back cyclic
periodicBox()
{
    mkdir -p "$1/0" "$1/constant" "$1/system"
    control "$1" 1 1
    forIcoFoam "$1"
    cat > "$1/system/blockMeshDict" <<END
FoamFile { version 2.0; format ascii; class dictionary; object blockMeshDict; }
vertices ((0 0 0) ($3 0 0) ($3 1 0) (0 1 0) (0 0 1) ($3 0 1) ($3 1 1) (0 1 1));
blocks (hex (0 1 2 3 4 5 6 7) ($2) simpleGrading (1 1 1));
boundary
(
    left { type cyclic; neighbourPatch right; faces ((0 4 7 3)); }
    right { type cyclic; neighbourPatch left; faces ((1 2 6 5)); }
    $4
);
END
    runIn "$1" blockMesh
}

# jump STEP: from the right to the left, what the force is to icoFoam, which has no fvOptions
jump()
{
    echo "left { type fixedJump; patchType cyclic; jump uniform $1; value uniform 0; }
        right { type fixedJump; patchType cyclic; value uniform 0; }"
}

# A square duct by a body force, a little after its start
makeDuct()
{
    walls='walls { type wall; faces ((0 1 5 4) (3 7 6 2) (0 3 2 1) (4 5 6 7)); }'
    cyclic='left { type cyclic; } right { type cyclic; }'
    for duct in duct ductFine; do
        n=16
        [ $duct = duct ] || n=32
        periodicBox $duct "4 $n $n" 0.25 "$walls"
        viscosity $duct 0.05
        fieldU $duct 'uniform (0 0 0)' "$cyclic walls { type noSlip; }"
    done
    control duct 2 0.05
    control ductFine 2 0.025
    sourceTerm duct 0.68
    fieldP duct "$cyclic walls { type zeroGradient; }"
    fieldP ductFine "$(jump -0.17) walls { type zeroGradient; }"
    runIn ductFine icoFoam
}

# sphereBox CASE CELLS: one sphere of diameter 0.6 in the middle of a periodic cube, cut out of cells; at rest
sphereBox()
{
    periodicBox "$1" "$2 $2 $2" 1 'low { type cyclic; neighbourPatch high; faces ((0 1 5 4)); }
        high { type cyclic; neighbourPatch low; faces ((3 7 6 2)); }
        near { type cyclic; neighbourPatch far; faces ((0 3 2 1)); }
        far { type cyclic; neighbourPatch near; faces ((4 5 6 7)); }
        sphere { type wall; faces (); }'
    echo 'FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
        actions ( { name fluid; type cellSet; action new; source sphereToCell; centre (0.5 0.5 0.5); radius 0.3; }
            { name fluid; type cellSet; action invert; } );' > "$1/system/topoSetDict"
    runIn "$1" topoSet
    runIn "$1" subsetMesh fluid -patch sphere -overwrite
    viscosity "$1" 0.05
    sides='"(low|high|near|far)" { type cyclic; }'
    fieldU "$1" 'uniform (0 0 0)' "left { type cyclic; } right { type cyclic; } $sides sphere { type noSlip; }"
    fieldP "$1" "left { type cyclic; } right { type cyclic; } $sides sphere { type zeroGradient; }"
}

# An array of spheres by a body force
makeSpheres()
{
    sphereBox spheres 20
    sphereBox spheresFine 40
    control spheres 1 0.02
    control spheresFine 1 0.01
    sourceTerm spheres 1
    fieldP spheresFine "$(jump -1) $sides sphere { type zeroGradient; }"
    runIn spheresFine icoFoam
}

# OpenFOAM's mixerVessel2D, laminar, its zone at rest and its rotor turning
makeMixer()
{
    for mixer in mixer mixerFine; do
        cloneCase "$incompressible/simpleFoam/mixerVessel2D" $mixer
        gunzip -f $mixer/system/blockMeshDict.m4.gz
        (cd $mixer && m4 system/blockMeshDict.m4 > system/blockMeshDict)
        runIn $mixer blockMesh
        forIcoFoam $mixer
        setEntry $mixer/constant/MRFProperties MRF1/active no
        setEntry $mixer/constant/turbulenceProperties simulationType laminar
        sed -i '/rotor/,/}/s/type .*/type rotatingWallVelocity; origin (0 0 0); axis (0 0 1); omega 1; value uniform (0 0 0);/' \
            $mixer/0/U
    done
    control mixer "$1" 0.02
    control mixerFine "$1" 0.01
    runIn mixerFine refineMesh -overwrite
    runIn mixerFine icoFoam
}

# Taylor-Green vortex at 157 times the viscosity a cell: periodic, on N^3 cells
makeVortex()
{
    periodicBox vortex "$1 $1 $1" 1 'low { type cyclic; neighbourPatch high; faces ((0 1 5 4)); }
        high { type cyclic; neighbourPatch low; faces ((3 7 6 2)); }
        near { type cyclic; neighbourPatch far; faces ((0 3 2 1)); }
        far { type cyclic; neighbourPatch near; faces ((4 5 6 7)); }'
    sides='"(left|right|low|high|near|far)" { type cyclic; }'
    viscosity vortex "$(awk -v n="$1" 'BEGIN { print 1/(157*n) }')"
    control vortex 2 0.01 0.04
    fieldP vortex "$sides"
    field vortex U volVectorField '[0 1 -1 0 0 0 0]' "$(awk -v n="$1" 'BEGIN {
        print "nonuniform List<vector> " n*n*n " ("
        k = 8*atan2(1, 1)/n
        for (z = 0.5; z < n; ++z) for (y = 0.5; y < n; ++y) for (x = 0.5; x < n; ++x)
            print "(" sin(k*x)*cos(k*y)*cos(k*z), -cos(k*x)*sin(k*y)*cos(k*z), "0)"
        print ")"
    }')" "$sides"
}

# OpenFOAM's elbow as it is, for so many of its ten seconds
makeElbow()
{
    cloneCase "$incompressible/icoFoam/elbow" elbow
    gunzip -c "$incompressible/icoFoam/elbow/elbow.msh.gz" > elbow/elbow.msh
    runIn elbow fluentMeshToFoam elbow.msh
    control elbow "$1" 0.05
    rm -rf elbowFine
    cp -r elbow elbowFine
    control elbowFine "$1" 0.02
    "$python" "$here/advice/halveTriangles.py" elbowFine
    runIn elbowFine icoFoam
}

# OpenFOAM's pitzDaily, laminar: Re 508 with the step's height, for a short while after its start
makePitzDaily()
{
    for pitz in pitzDaily pitzDailyFine; do
        cloneCase "$incompressible/pimpleFoam/RAS/pitzDaily" $pitz
        setEntry $pitz/constant/turbulenceProperties simulationType laminar
        setEntry $pitz/constant/transportProperties nu 5e-4
        runIn $pitz blockMesh
        forIcoFoam $pitz
    done
    control pitzDaily 0.002 1e-4
    control pitzDailyFine 0.002 2e-5
    runIn pitzDailyFine refineMesh -overwrite
    runIn pitzDailyFine icoFoam
}
