# Large eddies by Smagorinsky's model: pisoFoam's cavity with a filter of several cells, so that the eddies' viscosity matters,
# by both on the same mesh: U and nut; restarts. usage: eddies.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"

cloneCase "$tutorials/incompressible/pisoFoam/RAS/cavity" fv
# As on the lattice, eddies reach the wall
sed -i 's/nutkWallFunction/zeroGradient/' fv/0/nut
sed -i 's/^(20 20 1)/(40 40 1)/; s/(20 20 1)/(40 40 1)/' fv/system/blockMeshDict
setEntry fv/constant/transportProperties nu 1e-4
setEntry fv/system/controlDict endTime 2
setEntry fv/system/controlDict deltaT 0.002
setEntry fv/system/controlDict writeInterval 1000
cat > fv/constant/turbulenceProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }
simulationType LES;
LES
{
    LESModel Smagorinsky;
    turbulence on;
    delta cubeRootVol;
    cubeRootVolCoeffs { deltaCoeff 6; }
}
END
runIn fv blockMesh
cp -r fv lattice
lbmDict lattice 'collision regularized; threads 1;'
cat >> lattice/system/controlDict <<'END'
functions
{
    stress { type lbmWallShearStress; libs (lbmFunctionObjects); patches (movingWall); writeControl writeTime; }
    lid
    {
        type lbmForces; libs (lbmFunctionObjects); patches (movingWall); rho rhoInf; rhoInf 1; CofR (0 0 0); log no;
        writeControl writeTime;
    }
}
END
runIn fv pisoFoam
timeout 300 "$lbmFoam" -case lattice > log.lattice 2>&1 || { tail -n 30 log.lattice; fail "run"; }
expect log.lattice 'nut +smagorinsky, Cs delta 0.00251'
"$build/bin/lbmCompare" lattice fv -fields '(U nut)' -noPicture -maxRelL1 U=0.05,nut=0.1 > log.compare ||
    { cat log.compare; fail "differs from pisoFoam"; }

# Stress by strain rates, with the viscosity of eddies, which is many times that of the fluid, beside the momentum that links
# give: 40 faces of 25 mm2
awk '/^    movingWall/ { inside = 1 } inside && /^[(].* .* .*[)]$/ { gsub(/[()]/, ""); sum += $1 } inside && /^    }/ { exit }
    END { print sum*2.5e-5 }' lattice/2/wallShearStress > stress
tail -n 1 lattice/postProcessing/lid/0/force.dat | tr -d '()' | awk '{ print $2 }' > force
echo "lid: $(cat stress) N by stress, $(cat force) N by momentum"
paste stress force | awk '{ exit !($1 > 0 && ($1 + $2)^2 < (0.1*$2)^2) }' || fail "stress of eddies on the lid"

# By eddies that follow the gradient of the velocity: WALE by both, whose flows have hardly any viscosity but the fluid's here, and laminar
# differ by 16 % after so few passages of the lid on so few cells (WALE itself changes each by 9 to 10 %); models that OpenFOAM lacks
echo "WALE"
cp -r fv fvWale
rm -rf fvWale/[1-9]*
sed -i 's/LESModel Smagorinsky/LESModel WALE/' fvWale/constant/turbulenceProperties
cp -r fvWale wale
lbmDict wale 'threads 1;'
"$lbmFoam" -dry-run -case wale > log.waleChosen 2>&1 || { tail -n 30 log.waleChosen; fail "plan of WALE"; }
expect log.waleChosen 'kernel +D2Q9 hybridRegularized .* moments'
# It is the model that is compared: without what hybridRegularized takes away besides
lbmDict wale 'threads 1; collision regularized;'
runIn fvWale pisoFoam
timeout 300 "$lbmFoam" -case wale > log.wale 2>&1 || { tail -n 30 log.wale; fail "WALE"; }
expect log.wale 'kernel +D2Q9 regularized' 'nut +WALE, Cw 1.95' 'moments'
"$build/bin/lbmCompare" wale fvWale -fields '(U nut)' -noPicture -maxRelL1 U=0.22,nut=0.37 > log.compareWale ||
    { cat log.compareWale; fail "WALE differs from pisoFoam's"; }
for model in Vreman QR; do
    cp -r wale $model
    rm -rf $model/[1-9]*
    sed -i "s/LESModel WALE/LESModel $model/" $model/constant/turbulenceProperties
    setEntry $model/system/controlDict endTime 0.1
    timeout 300 "$lbmFoam" -case $model > log.$model 2>&1 || { tail -n 30 log.$model; fail "$model"; }
    expect log.$model "nut +$model, c "
done

# Turbulence that no opening feeds dies beside collisions that have eddies on the lattice (lbm/bench/results/turbulence.md)
echo "walls and no opening"
"$lbmFoam" -listKernels > log.kernels 2>&1 || { tail -n 30 log.kernels; fail "kernels"; }
if grep -q '^D3Q27 cumulant nodeField incompressible aa double cpu' log.kernels; then
    cloneCase "$tutorials/incompressible/pimpleFoam/LES/channel395" closed
    runIn closed blockMesh
    "$lbmFoam" -dry-run -case closed > log.closed 2>&1 || { tail -n 30 log.closed; fail "plan of channel395"; }
    expect log.closed 'kernel +D3Q27 cumulant nodeField' "turbulence +WALE, OpenFOAM's on the mesh" 'no opening that feeds the flow: WALE is OpenFOAM'
    lbmDict closed 'turbulenceOn lattice;'
    "$lbmFoam" -dry-run -case closed > log.closedNamed 2>&1 || { tail -n 30 log.closedNamed; fail "plan of channel395 with its eddies named"; }
    expect log.closedNamed 'kernel +D3Q19 hybridRegularized .* moments' 'nut +WALE, Cw 0.325'
    sed -i 's/LESModel  *WALE/LESModel QR/' closed/constant/turbulenceProperties
    lbmDict closed ''
    "$lbmFoam" -dry-run -case closed > log.closedQR 2>&1 || { tail -n 30 log.closedQR; fail "plan of channel395 with QR"; }
    expect log.closedQR 'nut +QR, c '
    sed -i 's/LESModel  *QR/LESModel WALE/' closed/constant/turbulenceProperties
    rm -f closed/0/nut closed/0/nut.*
    "$lbmFoam" -dry-run -case closed > log.closedBare 2>&1 || { tail -n 30 log.closedBare; fail "plan of channel395 without nut, which OpenFOAM's model would have to read"; }
    expect log.closedBare 'kernel +D3Q19 hybridRegularized .* moments' 'nut +WALE, Cw 0.325'
else
    echo "left out: this build has no cumulants with relaxation times by node"
fi

echo "guarded"
cp -r lattice thin
lbmDict thin 'collision trt; threads 1;'
setEntry thin/constant/transportProperties nu 1e-7
timeout 300 "$lbmFoam" -case thin > log.thin 2>&1 || { tail -n 30 log.thin; fail "run of a fluid without viscosity"; }
expect log.thin 'guard +viscosity keeps grid Reynolds numbers below 16' \
    'guard: in [0-9.]+ % of the volume viscosity is raised, up to [0-9.e+]+ times what eddies leave' \
    'Grid Reynolds number 25000: collision trt bears 16; where eddies leave more, viscosity is raised' \
    '^    Way out: a model that adds more viscosity .*, or cells of [0-9.e-]+ m, where none is raised'

# Probes of U and p leave nut, and the guard's tally in cells, to times that ask for them; they see the same flow
echo "probes of U and p alone"
# thinWith NAME: ten time steps of it, from the first on, for functions that come behind
thinWith()
{
    cp -r thin "$1"
    rm -rf "$1"/[1-9]* "$1"/postProcessing
    setEntry "$1/system/controlDict" endTime 0.02
    sed -i '/^functions/,$d' "$1/system/controlDict"
}
for fields in 'U p' 'U p nut'; do
    probed="probed$(echo "$fields" | tr -d ' ')"
    thinWith "$probed"
    cat >> "$probed/system/controlDict" <<END
functions
{
    probes
    {
        type probes; libs ("libsampling.so"); writeControl timeStep; writeInterval 1;
        fields ($fields); probeLocations ((0.05 0.05 0.005));
    }
}
END
    timeout 300 "$lbmFoam" -case "$probed" > "log.$probed" 2>&1 || { tail -n 30 "log.$probed"; fail "$probed"; }
done
tallies() { grep -c '^guard: in' "$1"; }
[ "$(tallies log.probedUp)" -eq 1 ] || fail "$(tallies log.probedUp) tallies of the guard where one time writes"
[ "$(tallies log.probedUpnut)" -ge 5 ] || fail "$(tallies log.probedUpnut) tallies in ten steps with probes of nut"
for field in U p; do
    cmp probedUp/postProcessing/probes/0/$field probedUpnut/postProcessing/probes/0/$field || fail "probes of $field differ"
done

# Nor is anything brought before timeStart and after timeEnd
cp -r probedUpnut probedBetween
rm -rf probedBetween/[1-9]* probedBetween/0.* probedBetween/postProcessing
sed -i 's/type probes;/& timeStart 0.012; timeEnd 0.016;/' probedBetween/system/controlDict
timeout 300 "$lbmFoam" -case probedBetween > log.probedBetween 2>&1 || { tail -n 30 log.probedBetween; fail "probes between two times"; }
[ "$(tallies log.probedBetween)" -eq 4 ] || fail "$(tallies log.probedBetween) tallies with three time steps of probes and one that writes"
for field in U p nut; do
    awk '$1 == 0.012 || $1 == 0.014 || $1 == 0.016' probedUpnut/postProcessing/probes/0/$field > between
    [ "$(wc -l < between)" -eq 3 ] || fail "times of $field: $(cat between)"
    grep -v '^#' probedBetween/postProcessing/probes/0/$field | cmp - between || fail "probes of $field between two times differ"
done

# What a trigger turns on acts at once where its interval has passed meanwhile: here in the fifth time step
cp -r probedUpnut triggered
rm -rf triggered/[1-9]* triggered/0.* triggered/postProcessing
sed -i 's/type probes;/& controlMode trigger; triggerStart 1;/; s/writeControl timeStep; writeInterval 1;/writeControl runTime; writeInterval 0.006;/' \
    triggered/system/controlDict
sed -i '$d' triggered/system/controlDict
cat >> triggered/system/controlDict <<'END'
    trigger
    {
        type runTimeControl; libs (utilityFunctionObjects); executeInterval 2; writeControl none;
        conditions { late { type maxDuration; duration 0.001; } }
        satisfiedAction setTrigger; trigger 1;
    }
}
END
timeout 300 "$lbmFoam" -case triggered > log.triggered 2>&1 || { tail -n 30 log.triggered; fail "probes with a trigger"; }
for field in U p nut; do
    awk '$1 == 0.01' probedUpnut/postProcessing/probes/0/$field > once
    grep -v '^#' triggered/postProcessing/probes/0/$field | head -n 1 | cmp - once || fail "probes of $field with a trigger"
done

# Means of U and p, too
for fields in 'U p' 'U p nut'; do
    averaged="averaged$(echo "$fields" | tr -d ' ')"
    thinWith "$averaged"
    echo 'functions { means { type fieldAverage; libs (fieldFunctionObjects); fields (' >> "$averaged/system/controlDict"
    for field in $fields; do echo "$field { mean on; prime2Mean off; base time; }"; done >> "$averaged/system/controlDict"
    echo '); } }' >> "$averaged/system/controlDict"
    timeout 300 "$lbmFoam" -case "$averaged" > "log.$averaged" 2>&1 || { tail -n 30 "log.$averaged"; fail "$averaged"; }
done
expect log.averagedUp '^    averages  *of means begin at 0 s, before the flow has passed the longest side once \(0.1 s\)' \
    '\(the run ends at 0.02 s, before it has\)'
# planOfMeans NAME ENTRIES: of a run that the flow has time for, with these entries of the means
planOfMeans()
{
    [ -d "$1" ] || cp -r averagedUp "$1"
    setEntry "$1/system/controlDict" endTime 10
    sed -i "s/type  *fieldAverage;/& $2/" "$1/system/controlDict"
    "$lbmFoam" -case "$1" -dry-run > "log.$1" 2>&1 || { tail -n 30 "log.$1"; fail "plan of $1"; }
}
planOfMeans longer ''
expect log.longer '\(timeStart 0.1; would leave it out\)'
# Rounded as the plan rounds it
planOfMeans later 'timeStart 0.09999;'
planOfMeans periodic 'periodicRestart true; restartPeriod 0.5;'
planOfMeans ofOutput 'restartOnOutput true;'
planOfMeans renewed 'restartTime 0.5;'
# From a time that the case was at, without its checkpoint
cp -r lattice onwards
sed -i '/^functions/,$d' onwards/system/controlDict
sed -n '/^functions/,$p' averagedUp/system/controlDict >> onwards/system/controlDict
setEntry onwards/system/controlDict startFrom latestTime
echo 'restart fields;' >> onwards/system/lbmDict
planOfMeans onwards ''
expect log.onwards '^Start: U and p of time 2; its checkpoint is left'
for name in later periodic ofOutput renewed onwards; do
    ! grep -q '^    averages ' "log.$name" || fail "$name: means that are to have no start in them"
done
[ "$(tallies log.averagedUp)" -eq 1 ] || fail "$(tallies log.averagedUp) tallies of the guard where one time writes, with means"
[ "$(tallies log.averagedUpnut)" -ge 5 ] || fail "$(tallies log.averagedUpnut) tallies in ten steps with means of nut"
for field in UMean pMean; do
    cmp averagedUp/0.02/$field averagedUpnut/0.02/$field || fail "$field differs"
done

echo "laminar"
cp -r lattice off
sed -i 's/turbulence on/turbulence off/' off/constant/turbulenceProperties
"$lbmFoam" -dry-run -case off > log.off 2>&1 || { tail -n 30 log.off; fail "turbulence off"; }
! grep -q 'nut' log.off || fail "eddies though turbulence is off"

# A pattern of nut is none of an empty patch's, so that OpenFOAM runs this, nor of a patch whose group is named
echo "wall functions by a pattern"
# byPattern NAME PATCHES: nut of the first time
byPattern()
{
    sed -i '/^boundaryField/,$d' "$1/0/nut"
    echo "boundaryField { $2 }" >> "$1/0/nut"
}
cp -r lattice pattern
rm -rf pattern/[1-9]* pattern/postProcessing
setEntry pattern/system/controlDict endTime 0.01
lbmDict pattern 'collision regularized; threads 1; turbulenceOn lattice;'
cp -r pattern group
byPattern pattern '".*" { type nutkWallFunction; value uniform 0; }'
byPattern group 'wall { type zeroGradient; } ".*" { type nutkWallFunction; value uniform 0; }'
cp -r fv fvPattern
rm -rf fvPattern/[1-9]*
cp pattern/0/nut fvPattern/0/nut
setEntry fvPattern/system/controlDict endTime 0.01
runIn fvPattern pisoFoam
for name in pattern group; do
    "$lbmFoam" -case $name -dry-run > log.$name 2>&1 || { tail -n 30 log.$name; fail "plan of $name"; }
done
expect log.pattern '^    y\+  *about .* movingWall fixedWalls$'
# Its lid moves along itself
setEntry pattern/system/controlDict writeInterval 5
timeout 300 "$lbmFoam" -case pattern > log.onLattice 2>&1 || { tail -n 30 log.onLattice; fail "a pattern, with eddies on the lattice"; }
expect log.onLattice '^wall law: sampled at y\+ '
rm -rf pattern/0.01 pattern/lbmFoam*
setEntry pattern/system/controlDict writeInterval 1000
lbmDict pattern 'collision regularized; threads 1;'
timeout 300 "$lbmFoam" -case pattern > log.onMesh 2>&1 || { tail -n 30 log.onMesh; fail "a pattern, with the model on the mesh"; }
! grep -q '^    y+ ' log.group || fail "a law where a group has none"

# With a model on the mesh it is the mesh's cells that are to be higher, where the law has no viscous layer; Spalding's has one
echo "cells for wall functions on the mesh"
cloneCase "$tutorials/incompressible/pisoFoam/RAS/cavity" ras
sed -i 's/^(20 20 1)/(80 80 1)/; s/(20 20 1)/(80 80 1)/' ras/system/blockMeshDict
runIn ras blockMesh
lbmDict ras 'threads 1;'
cp -r ras spalding
sed -i 's/nutkWallFunction/nutUSpaldingWallFunction/' spalding/0/nut
for name in ras spalding; do
    "$lbmFoam" -case $name -dry-run > log.$name 2>&1 || { tail -n 30 log.$name; fail "plan of $name"; }
    expect log.$name '^    y\+  *about [0-9]+ expected 0.000625 m from walls with a law'
done
# y+ of 11.5 at the wall cell's centre is what the height would bring
awk '/^    y\+ too low/ { for (i = 1; i < NF; ++i) if ($i == "mesh") height = $(i + 1); low = $4
    print "y+ " low ": cells " height " m high"; bad = height/0.00125*low < 11.4 || height/0.00125*low > 11.6; ++n }
    END { exit bad || n != 1 }' log.ras || fail "cells of the mesh for the law"
! grep -q 'y+ too low' log.spalding || fail "Spalding's law has a viscous layer"

echo "restart with another constant"
cp -r lattice again
setEntry again/system/controlDict startFrom latestTime
setEntry again/system/controlDict endTime 2.01
sed -i 's/^}/    SmagorinskyCoeffs { Ck 0.1; Ce 1; }\n}/' again/constant/turbulenceProperties
"$lbmFoam" -case again > log.again 2>&1 || { tail -n 30 log.again; fail "restart"; }
# sqrt(0.1 sqrt(0.1)) 6
expect log.again 'not bit for bit' 'coefficient Cs was 1.0067[0-9]*, is 1.06696[0-9]*$'
echo passed
