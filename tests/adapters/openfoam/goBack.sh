# Flows that are lost go back to the last U and p that were read, with shorter steps; after few tries the run ends as ever, and what
# was written stays. What a guard does is told at each time that is written. usage: goBack.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/common.sh"
back='^The flow diverged: once more from what it was [0-9]* time steps before'

run() { "$lbmFoam" -case "$1" > "log.${2:-$1}" 2>&1 || { tail -n 30 "log.${2:-$1}" >&2; fail "${2:-$1}"; }; }

# A throat eight times as fast as the inlet, from rest, that nobody looks at before conditions do
throatCase throat
unseen='startFlow given; checkEvery 100000;'
lbmDict throat "$unseen threads 1;"
cp -r throat told
lbmDict told 'threads 1; referenceSpeed 8; startFlow given;'
run told

echo "from rest to the end"
run throat
expect log.throat "$back" 'made again      [0-9]* lattice steps' 'a flow that diverges goes back'
[ "$(timesOf throat)" = "0 1 2 " ] || fail "times $(timesOf throat)"
"$python" "$here/relativeL2.py" throat/2/U told/2/U 0.1 || fail "U"

echo "function objects see each time step once, in order"
cp -r throat functions
rm -r functions/1 functions/2
cat >> functions/system/controlDict <<'END'
functions
{
    average
    {
        type fieldAverage; libs (fieldFunctionObjects); writeControl writeTime;
        fields (U { mean on; prime2Mean off; base time; });
    }
    residuals { type solverInfo; libs (utilityFunctionObjects); fields (U p); }
    middle { type probes; libs (sampling); fields (p); probeLocations ((1.5 0.5 0.05)); writeControl timeStep; writeInterval 1; }
}
END
run functions
expect log.functions '^The flow diverged: once more'
[ -f functions/2/UMean ] || fail "no average"
grep -v '^#' functions/postProcessing/middle/0/p | awk '
    { d = $1 - last - 0.02; if (d*d > 1e-12 || $2 != $2 + 0) bad = 1; last = $1 } END { exit bad || NR < 100 }' || fail "probes"

echo "large eddies on the lattice"
cp -r throat eddies
rm -r eddies/1 eddies/2
cat > eddies/constant/turbulenceProperties <<'END'
FoamFile { version 2.0; format ascii; class dictionary; object turbulenceProperties; }
simulationType LES;
LES { LESModel Smagorinsky; turbulence on; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; } }
END
setEntry eddies/constant/transportProperties nu 1e-4
lbmDict eddies "$unseen turbulenceOn lattice;"
run eddies
expect log.eddies '^The flow diverged: once more' 'time step       allows for'

echo "a flow that no time step mends ends as ever"
freshCavity hopeless
sed -i 's/^nu .*/nu 1e-5;/' hopeless/constant/transportProperties
setEntry hopeless/system/controlDict endTime 20
setEntry hopeless/system/controlDict writeInterval 20
lbmDict hopeless 'collision bgk; maxGridReynolds 1e6; startFlow given;'
refused hopeless 'once more from' 'FOAM FATAL ERROR' 'The flow diverged' 'Advice for system/lbmDict' 'the last good state on disk is time'
[ "$(grep -c 'once more from' log.hopeless)" -le 8 ] || fail "again and again"
last=$(sed -n 's/.*the last good state on disk is time \([^ ]*\) .*/\1/p' log.hopeless)
[ -f "hopeless/$last/U" ] || fail "time $last is gone"

echo "what a guard does, at each time that is written and at the end"
cp -r told guarded
rm -r guarded/1 guarded/2
setEntry guarded/constant/transportProperties nu 1e-5
setEntry guarded/system/controlDict writeInterval 10
lbmDict guarded 'cells 32;'
run guarded
expect log.guarded '^Guard: viscosity was raised in .* % of the volume at the end, at most in' 'The flow is under-resolved'
[ "$(grep -c '^guard: in .* % of the volume viscosity is raised' log.guarded)" -eq 10 ] || fail "guard: $(grep -c '^guard: in' log.guarded) of 10"
echo passed
