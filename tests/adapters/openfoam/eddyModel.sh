# OpenFOAM's own function objects beside eddies that live on the lattice: a block in a duct. Each beside another way to what it says
# (eddyModel.py, postProcess, momentum of links), and in form beside pimpleFoam's; restarts; filter widths that are the mesh's.
# usage: eddyModel.sh BUILD TUTORIALS WORK. Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
command -v subsetMesh > /dev/null && command -v topoSet > /dev/null || { echo "skipped: no subsetMesh or topoSet"; exit 77; }

# A block of 4 x 4 cells across a duct of 20 cells, 8 cells deep
freshCavity base
boxMesh base '2 1 0.4' '40 20 8' <<'END'
    inlet { type patch; faces ((0 4 7 3)); }
    outlet { type patch; faces ((1 2 6 5)); }
    sides { type wall; faces ((0 1 5 4) (3 7 6 2) (0 3 2 1) (4 5 6 7)); }
    body { type wall; faces (); }
END
cat > base/system/topoSetDict <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object topoSetDict; }
actions
(
    { name fluid; type cellSet; action new; source boxToCell; box (0.6 0.4 -1) (0.8 0.6 1); }
    { name fluid; type cellSet; action invert; }
);
END
rm base/0/*
runIn base topoSet
runIn base subsetMesh fluid -overwrite -patch body
ductField base U volVectorField '[0 1 -1 0 0 0 0]' '(1 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type zeroGradient;' 'type noSlip;'
ductField base p volScalarField '[0 2 -2 0 0 0 0]' 0 'type zeroGradient;' 'type fixedValue; value uniform 0;' 'type zeroGradient;'
ductField base nut volScalarField '[0 2 -1 0 0 0 0]' 0 'type calculated; value uniform 0;' 'type calculated; value uniform 0;' 'type zeroGradient;'
cat > base/constant/transportProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object transportProperties; }
transportModel Newtonian;
nu 0.002;
END
cat > base/constant/turbulenceProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }
simulationType LES;
LES
{
    LESModel Smagorinsky;
    turbulence on;
    printCoeffs off;
    delta cubeRootVol;
    cubeRootVolCoeffs { deltaCoeff 2; }
}
END
# As pimpleFoam needs them
sed -i 's/^divSchemes *$/&\n{ div((nuEff*dev2(T(grad(U))))) Gauss linear; }\n&/' base/system/fvSchemes
sed -i 's/^    U *$/    "U.*"/; s/^PISO/PIMPLE/' base/system/fvSolution
setEntry base/system/controlDict endTime 0.1
setEntry base/system/controlDict deltaT 0.01
setEntry base/system/controlDict writeInterval 1
setEntry base/system/controlDict writePrecision 12

# Entries that these share, what looks at the model, and what looks at fields alone
cat > shared <<'END'
interval 1;
forceEntries { patches (body); rho rhoInf; rhoInf 1.2; CofR (0 0 0); log no; writeControl timeStep; writeInterval $interval; }
coefficientEntries { magUInf 1; lRef 0.2; Aref 0.08; dragDir (1 0 0); liftDir (0 1 0); pitchAxis (0 0 1); }
fieldEntries { libs (fieldFunctionObjects); log no; writeControl writeTime; }
END
cat > ofModel <<'END'
    forces { type forces; libs (forces); $forceEntries; }
    forceCoeffs { type forceCoeffs; libs (forces); $forceEntries; $coefficientEntries; }
    sidesForces { type forces; libs (forces); $forceEntries; patches (sides); }
    stress { type wallShearStress; $fieldEntries; }
    layers { type yPlus; $fieldEntries; }
    model { type turbulenceFields; $fieldEntries; fields (k epsilon nut nuEff R devReff); }
    means
    {
        type fieldAverage; $fieldEntries;
        fields
        (
            U { mean on; prime2Mean on; base time; }
            p { mean on; prime2Mean on; base time; }
            nut { mean on; prime2Mean off; base time; }
        );
    }
END
cat > ofFields <<'END'
    swirl { type vorticity; $fieldEntries; }
    cores { type Q; $fieldEntries; }
    places
    {
        type probes; libs (sampling); fields (U p nut); probeLocations ((1.025 0.525 0.225) (0.325 0.225 0.125));
        writeControl timeStep; writeInterval $interval;
    }
    lines
    {
        type sets; libs (sampling); writeControl writeTime; interpolationScheme cell; setFormat raw; fields (U nut);
        sets ( wake { type midPoint; axis x; start (0.81 0.525 0.225); end (1.99 0.525 0.225); } );
    }
    planes
    {
        type surfaces; libs (sampling); writeControl writeTime; surfaceFormat raw; fields (U nut); interpolationScheme cell;
        surfaces ( middle { type cuttingPlane; planeType pointAndNormal; pointAndNormalDict { point (1 0.525 0.225); normal (0 0 1); } interpolate false; } );
    }
END
cat > own <<'END'
    ownForces { type lbmForces; libs (lbmFunctionObjects); $forceEntries; }
    ownSidesForces { type lbmForces; libs (lbmFunctionObjects); $forceEntries; patches (sides); }
END

# watch CASE FILE...: these are its function objects
watch()
{
    sed -i '/^interval/,$d' "$1/system/controlDict"
    of=$1; shift
    { cat shared; echo 'functions {'; cat "$@"; echo '}'; } >> "$of/system/controlDict"
}
# lattice CASE: runs it
lattice() { timeout 300 "$lbmFoam" -case "$1" > "log.$1" 2>&1 || { tail -n 40 "log.$1"; fail "$1"; }; }
check() { "$python" "$here/eddyModel.py" "$@" || fail "$*"; }

# centres CASE TIME: field C, of cells and faces
centres()
{
    cp -r "$1" centres
    watch centres
    runIn centres postProcess -func writeCellCentres -time "$2"
    mv "centres/$2/C" "$1/$2/C"
    rm -r centres
}

echo "form"
cp -r base fv
cp -r base short
watch fv ofModel ofFields
sed 's/nut { mean on; prime2Mean off; base time; }/& k { mean on; prime2Mean off; base time; }/' ofModel > ofModelAndK
watch short ofModelAndK ofFields
lbmDict short 'collision regularized; threads 2; checkpoint all;'
runIn fv pimpleFoam
lattice short
expect log.short 'nut +smagorinsky, Cs delta 0.0167'
for name in fv short; do
    (cd $name && find postProcessing -type f | sort) > files.$name
    (cd $name && for file in $(cat ../files.$name); do
        echo "$file"; grep '^#' "$file" || true; tail -n 1 "$file" | tr -s ' ' | sed 's/[-+]*[0-9][-+.e0-9]*/N/g'; done) > forms.$name
    ls $name/0.1 | grep -v '^phi$' > fields.$name
done
cmp files.fv files.short || { diff files.fv files.short; fail "files of function objects"; }
cmp forms.fv forms.short || { diff forms.fv forms.short; fail "headers and columns"; }
# k is written, too, of which OpenFOAM's algebraic models keep no field, and its mean
{ cat fields.fv; echo k; echo kMean; } | sort > wanted
sort fields.short | cmp - wanted || { sort fields.short | diff - wanted; fail "fields"; }
for field in nut yPlus wallShearStress turbulenceProperties:R UPrime2Mean; do
    for name in fv short; do sed -n '/dimensions/p' "$name/0.1/$field"; done | uniq | wc -l | grep -qx 1 || fail "dimensions of $field"
done

echo "means"
check means short 0.1

echo "restart"
cp -r short whole
for time in $(timesOf short); do awk -v t="$time" 'BEGIN { exit !(t > 0.055) }' && rm -r "short/$time"; done
rm -r short/postProcessing
setEntry short/system/controlDict startFrom latestTime
lattice short
expect log.short 'Start: checkpoint'
for field in U p nut k wallShearStress yPlus turbulenceProperties:k turbulenceProperties:R turbulenceProperties:devReff; do
    cmp "whole/0.1/$field" "short/0.1/$field" || fail "$field of a run that went on"
done
# Means are read from files of 12 digits
for field in UMean UPrime2Mean kMean; do check same "short/0.1/$field" "whole/0.1/$field"; done

echo "values"
cp -r base long
watch long ofModel ofFields own
setEntry long/system/controlDict endTime 2
setEntry long/system/controlDict writeInterval 100
setEntry long/system/controlDict interval 100
lbmDict long 'collision regularized; threads 2;'
lattice long
check model long 2 0.1 0.094 1.048 0.002 0.025
check forces long 2 body forces 1.2 0.0025
check forces long 2 sides sidesForces 1.2 0.0025
# Momentum that links hand over; of the block, 4 cells wide, OpenFOAM takes the pressure of cells' centres
drag() { tail -n 1 "long/postProcessing/$1/0/force.dat" | tr -d '()' | awk '{ print $2 }'; }
for pair in 'forces ownForces 0.15' 'sidesForces ownSidesForces 0.08'; do
    set -- $pair
    echo "$1 $(drag "$1") N, by momentum $(drag "$2") N"
    awk -v a="$(drag "$1")" -v b="$(drag "$2")" -v most="$3" 'BEGIN { exit !(b > 0 && (a - b)^2 < (most*b)^2) }' || fail "$1"
done
tail -n 1 long/postProcessing/forceCoeffs/0/coefficient.dat |
    awk -v f="$(drag forces)" '{ exit !($2 > 0 && ($2 - f/(0.5*1.2*0.08))^2 < 1e-16*$2^2) }' || fail "forceCoeffs"
# From what was written, by OpenFOAM's own program
mkdir other
cp -r long/constant long/system other
mkdir other/2
cp long/2/U long/2/p long/2/nut other/2
watch other ofFields
setEntry other/system/controlDict interval 1
runIn other postProcess -time 2 -fields '(U p nut)'
for field in vorticity Q; do check same "long/2/$field" "other/2/$field"; done
for file in lines/2/wake_U.xy lines/2/wake_nut.xy planes/2/U_middle.raw planes/2/nut_middle.raw; do
    check same "long/postProcessing/$file" "other/postProcessing/$file"
done
for field in U p nut; do
    tail -n 1 "long/postProcessing/places/0/$field" > one
    tail -n 1 "other/postProcessing/places/2/$field" > another
    check same one another
done

echo "a wall law"
cp -r base law
watch law ofModel own
setEntry law/system/controlDict endTime 2
setEntry law/system/controlDict writeInterval 100
setEntry law/system/controlDict interval 100
setEntry law/constant/transportProperties nu 1e-5
sed -i 's/zeroGradient;/nutUSpaldingWallFunction; value uniform 0;/' law/0/nut
lbmDict law 'collision regularized; threads 2; turbulenceOn lattice;'
lattice law
check model law 2 0.1 0.094 1.048 1e-5 0.025
check forces law 2 sides sidesForces 1.2 0.0025
centres law 2
check law law 2 1e-5 0.05

echo "filter widths of the mesh"
echo 'wallDist { method meshWave; }' >> base/system/fvSchemes
for delta in cubeRootVol vanDriest Prandtl; do
    cp -r base $delta
    watch $delta
    setEntry $delta/system/controlDict endTime 0.02
    sed -i "s/delta .*/delta $delta; ${delta}Coeffs { deltaCoeff 2; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 2; } }/; /^    cubeRootVolCoeffs/d" \
        $delta/constant/turbulenceProperties
    lbmDict $delta 'collision regularized; threads 2; turbulenceOn mesh;'
    [ $delta = cubeRootVol ] || lbmDict $delta 'collision regularized; threads 2;'
    lattice $delta
    expect log.$delta "turbulence +Smagorinsky, OpenFOAM's on the mesh" "Selecting LES delta type $delta"
done
centres cubeRootVol 0.02
for delta in vanDriest Prandtl; do check filter $delta 0.02 cubeRootVol; done

echo "other models"
for model in WALE Vreman QR; do
    cp -r base $model
    watch $model ofModel
    setEntry $model/system/controlDict endTime 0.02
    sed -i "s/LESModel .*/LESModel $model; ${model}Coeffs { Ck 0.2; Ce 0.9; }/" $model/constant/turbulenceProperties
    lbmDict $model 'threads 2;'
    lattice $model
    check model $model 0.02 0.1 0.2 0.9 0.002 0.025
done
# Off: where OpenFOAM lacks the model none is registered
setEntry Vreman/system/controlDict startFrom startTime
sed -i 's/turbulence on/turbulence off/' Vreman/constant/turbulenceProperties
refused Vreman 'Function object stress of type wallShearStress needs a turbulence model' 'lbmWallShearStress'
watch Vreman
lattice Vreman
echo passed
