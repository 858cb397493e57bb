#!/bin/sh
# matrix.sh DEVICE FOLDER [FAMILY...]: each model that the lattice takes, in populations (aa; ab for what wants gradients) and moments, in double and single precision, on the CPU
# and (DEVICE cuda) a GPU: one small driven box for each, U and T after 40 time steps beside those of double populations on the CPU, as one table.
# FAMILY: lattice:collision, such as D3Q27:cumulant; without any D2Q9:regularized and D3Q19:regularized. matrix.sh make FOLDER: the cases alone,
# for a machine without blockMesh, where DEVICE runs those that it finds. lbmFoam on PATH; 77 where there is a device without an answer.
#   relative L2 of U (with T: the larger of the two, that of T by its spread). Limits: double 1e-11, single 3e-5, and with models that OpenFOAM
#   solves on the mesh from fields which it gets in double precision 1e-9 and 1e-4
#   acts: how far U is from that of the fluid alone. It must be ten times what single precision may be off: a model that does nothing passes else
#   -: this build has no such kernel (lbmFoam says which one has)
# Part of lbmFoam, GPL-3.0-or-later.
set -u
device=$1 work=$2
shift 2
export WM_PROJECT_DIR="${WM_PROJECT_DIR:-/usr/share/openfoam}" # as OpenFOAM's own programs want it
families=${*:-D2Q9:regularized D3Q19:regularized}
models='plain nutOfMesh CrossPowerLaw BirdCarreau HerschelBulkley powerLaw Casson viscosityOfMesh force porous SRF MRF heatOnLattice heatOnMesh
    Smagorinsky WALE Vreman QR elastic'

head() { echo "FoamFile { version 2.0; format ascii; class $1; object $2; }"; }
# field CASE NAME CLASS DIMENSIONS VALUE LID WALLS
field() { { head "$3" "$2"; echo "dimensions $4; internalField uniform $5; boundaryField { lid { $6 } walls { $7 } front { $8 } }"; } > "$1/0/$2"; }
# dict CASE NAME CONTENT
dict() { { head dictionary "${2##*/}"; echo "$3"; } > "$1/$2"; }
transport() { dict "$1" constant/transportProperties "transportModel $2; nu 0.02; $3"; }
turbulence() { dict "$1" constant/turbulenceProperties "simulationType $2; $3"; }
application() { sed -i "s/application [A-Za-z]*/application $2/" "$1/system/controlDict"; }

# base CASE CELLS FRONT: a box of 1 x 1 whose lid moves, CELLS along z of 1/16 each; type of its front and back
base()
{
    mkdir -p "$1/0" "$1/constant" "$1/system"
    front="type noSlip;" frontZero="type zeroGradient;" k='type kqRWallFunction; value uniform 0.01;'
    e='type epsilonWallFunction; value uniform 0.01;' n='type nutkWallFunction; value uniform 0;' a='type calculated; value uniform 0;'
    [ "$3" = wall ] || front='type empty;'
    sides() { if [ "$front" = 'type empty;' ]; then echo "$front"; else echo "$1"; fi; }
    dict "$1" system/blockMeshDict "vertices ((0 0 0) (1 0 0) (1 1 0) (0 1 0) (0 0 $4) (1 0 $4) (1 1 $4) (0 1 $4));
        blocks (hex (0 1 2 3 4 5 6 7) (16 16 $2) simpleGrading (1 1 1));
        boundary (lid { type wall; faces ((3 7 6 2)); } walls { type wall; faces ((0 1 5 4) (0 4 7 3) (1 2 6 5)); }
            front { type $3; faces ((0 3 2 1) (4 5 6 7)); });"
    field "$1" U volVectorField '[0 1 -1 0 0 0 0]' '(0 0 0)' 'type fixedValue; value uniform (1 0 0);' 'type noSlip;' "$front"
    field "$1" p volScalarField '[0 2 -2 0 0 0 0]' 0 "$frontZero" "$frontZero" "$(sides "$frontZero")"
    field "$1" k volScalarField '[0 2 -2 0 0 0 0]' 0.01 "$k" "$k" "$(sides "$k")"
    field "$1" epsilon volScalarField '[0 2 -3 0 0 0 0]' 0.01 "$e" "$e" "$(sides "$e")"
    field "$1" nut volScalarField '[0 2 -1 0 0 0 0]' 0 "$n" "$n" "$(sides "$n")"
    field "$1" alphat volScalarField '[0 2 -1 0 0 0 0]' 0 "$a" "$a" "$(sides "$a")"
    field "$1" sigma volSymmTensorField '[0 2 -2 0 0 0 0]' '(0 0 0 0 0 0)' "$frontZero" "$frontZero" "$(sides "$frontZero")"
    field "$1" T volScalarField '[0 0 0 1 0 0 0]' 300 'type fixedValue; value uniform 305;' 'type fixedValue; value uniform 295;' \
        "$(sides "$frontZero")"
    transport "$1" Newtonian ''
    turbulence "$1" laminar ''
    dict "$1" system/controlDict 'application pimpleFoam; startFrom startTime; startTime 0; stopAt endTime; endTime 0.8; deltaT 0.02;
        writeControl timeStep; writeInterval 40; writeFormat ascii; writePrecision 16; timeFormat general; timePrecision 6; runTimeModifiable false;'
    dict "$1" system/fvSchemes 'ddtSchemes { default Euler; } gradSchemes { default Gauss linear; } divSchemes { default Gauss linear; }
        laplacianSchemes { default Gauss linear corrected; } interpolationSchemes { default linear; } snGradSchemes { default corrected; }
        wallDist { method meshWave; }'
    dict "$1" system/fvSolution 'solvers { ".*" { solver PBiCGStab; preconditioner DILU; tolerance 1e-14; relTol 1e-9; } }
        PIMPLE { nCorrectors 2; pRefCell 0; pRefValue 0; }'
    dict "$1" system/topoSetDict 'actions ( { name core; type cellSet; action new; source boxToCell; box (0.25 0.25 -9) (0.75 0.9 9); }
        { name core; type cellZoneSet; action new; source setToCellZone; set core; } );'
    blockMesh -case "$1" > "$1/log.blockMesh" 2>&1 && topoSet -case "$1" > "$1/log.topoSet" 2>&1 || { tail -n 20 "$1"/log.*; exit 1; }
}

# model CASE NAME
model()
{
    core='selectionMode cellZone; cellZone core;'
    case $2 in
        plain) ;;
        nutOfMesh) turbulence "$1" RAS 'RAS { RASModel kEpsilon; turbulence on; printCoeffs off; }'; transport "$1" Newtonian 'nu 1e-3;' ;;
        CrossPowerLaw) transport "$1" $2 'CrossPowerLawCoeffs { nu0 0.05; nuInf 0.005; m 0.4; n 1; }' ;;
        BirdCarreau) transport "$1" $2 'BirdCarreauCoeffs { nu0 0.05; nuInf 0.005; k 1; n 0.4; }' ;;
        HerschelBulkley) transport "$1" $2 'HerschelBulkleyCoeffs { nu0 0.2; tau0 0.02; k 0.02; n 0.7; }' ;;
        powerLaw) transport "$1" $2 'powerLawCoeffs { nuMin 1e-3; nuMax 0.1; k 0.03; n 0.6; }' ;;
        Casson) transport "$1" $2 'CassonCoeffs { m 0.01; tau0 0.02; nuMin 1e-3; nuMax 0.1; }' ;;
        viscosityOfMesh) transport "$1" strainRateFunction 'strainRateFunctionCoeffs { function polynomial ((0.01 0) (0.01 1)); }' ;;
        force) dict "$1" constant/fvOptions "push { type vectorSemiImplicitSource; $core volumeMode specific;
            injectionRateSuSp { U ((-1 0.5 0) 0); } }" ;;
        porous) dict "$1" constant/fvOptions "plug { type explicitPorositySource; $core explicitPorositySourceCoeffs { $core
            type DarcyForchheimer; d (100 500 100); f (2 2 2); coordinateSystem { origin (0 0 0); e1 (1 0 0); e2 (0 1 0); } } }" ;;
        SRF) application "$1" SRFPimpleFoam; sed 's/object U/object Urel/' "$1/0/U" > "$1/0/Urel"; rm "$1/0/U"
            dict "$1" constant/SRFProperties 'SRFModel rpm; origin (0.5 0.5 0); axis (0 0 1); rpmCoeffs { rpm 20; }' ;;
        MRF) dict "$1" constant/MRFProperties 'zone { cellZone core; active yes; origin (0.5 0.5 0); axis (0 0 1); omega 1; }' ;;
        heat*) application "$1" buoyantBoussinesqPimpleFoam; sed 's/object p;/object p_rgh;/' "$1/0/p" > "$1/0/p_rgh"; rm "$1/0/p"
            transport "$1" Newtonian 'beta 3e-3; TRef 300; Pr 0.7; Prt 0.85;'
            { head uniformDimensionedVectorField g; echo 'dimensions [0 1 -2 0 0 0 0]; value (0 -9.81 0);'; } > "$1/constant/g"
            [ "$2" = heatOnLattice ] && temperature='temperatureOn lattice;' || temperature='temperatureOn mesh;' ;;
        elastic) turbulence "$1" laminar 'laminar { laminarModel Maxwell; MaxwellCoeffs { nuM 0.02; lambda 0.05; } }' ;;
        *) turbulence "$1" LES "LES { LESModel $2; turbulence on; printCoeffs off; delta cubeRootVol; cubeRootVolCoeffs { deltaCoeff 1; } }"
            transport "$1" Newtonian 'nu 2e-3;'; rm "$1/0/nut" ;; # a wall function there would have it on the mesh
    esac
}

cases=$work/cases
makeCases()
{
    [ ! -f "$cases/made" ] || return 0
    rm -rf "$cases"
    mkdir -p "$cases"
    base "$cases/2" 1 empty 0.0625
    base "$cases/3" 8 wall 0.5
    for size in 2 3; do for name in $models; do
        temperature=
        cp -r "$cases/$size" "$cases/$size.$name"
        model "$cases/$size.$name" "$name"
        echo "$temperature" > "$cases/$size.$name/entries"
    done; done
    : > "$cases/made"
}
mkdir -p "$work"
if [ "$device" = make ]; then makeCases; exit; fi
makeCases

columns='cpu:double:populations cpu:double:moments cpu:float:populations cpu:float:moments'
if [ "$device" = cuda ]; then columns="$columns cuda:double:populations cuda:double:moments cuda:float:populations cuda:float:moments"; fi

# one FAMILY MODEL COLUMN: a run in a folder of its own; its status there
one()
{
    IFS=: read -r lattice collision <<END
$1
END
    IFS=: read -r on precision storage <<END
$3
END
    size=3; [ "$lattice" != D2Q9 ] || size=2
    if [ "$storage" = populations ]; then
        case $2 in WALE|Vreman|QR) storage=ab ;; *) storage=aa ;; esac
    fi
    run=$work/$1/$2/$3
    rm -rf "$run"; mkdir -p "$run"
    cp -r "$cases/$size.$2/." "$run"
    dict "$run" system/lbmDict "lattice $lattice; collision $collision; storage $storage; precision $precision; device $on; $(cat "$run/entries")"
    status=0
    OMP_NUM_THREADS=1 timeout 100 lbmFoam -case "$run" > "$run/log" 2>&1 || status=$?
    [ $status = 0 ] || ! grep -Eq 'not built|which this build does not have' "$run/log" || status=missing
    echo $status > "$run/status"
}
# Without a device that answers nothing need be run
if [ "$device" = cuda ]; then
    one "${families%% *}" plain cuda:double:populations
    if grep -E 'has no GPU kernels|no NVIDIA driver is loaded|no CUDA device is present' "$work/${families%% *}/plain/cuda:double:populations/log"; then exit 77; fi
fi
# Side by side: each has one thread and takes a part of a second
most=$(nproc) waiting=0
[ "$most" -le 8 ] || most=8
for family in $families; do for name in $models; do for column in $columns; do
    one "$family" "$name" "$column" &
    waiting=$((waiting + 1))
    [ $((waiting % most)) != 0 ] || wait
done; done; done
wait

# apart A B FIELD: relative L2 of the cells' values, of T by its spread; nothing where one has no number
apart()
{
    paste "$1" "$2" | tr '()' '  ' | awk -v field="$3" '
        /^internalField/ { on = 1 } /^boundaryField/ { exit }
        on == 1 && NF == 0 { on = 2 } # the bracket
        on == 2 && NF >= 2 && NF % 2 == 0 && $1 ~ /^-?[0-9.]/ {
            for (i = 1; i <= NF/2; ++i) { d += ($i - $(i + NF/2))^2; all += $(i + NF/2)^2; mean += $(i + NF/2); ++n }
        }
        END { if (field == "T" && n) all -= mean^2/n; if (n > 250 && all > 0 && d == d + 0 && d < 1e300) printf "%.2e", sqrt(d/all); else print "none" }'
}
# difference A B: of two runs
difference()
{
    for field in U Urel T; do
        [ ! -f "$2/0.8/$field" ] || apart "$1/0.8/$field" "$2/0.8/$field" $field
        echo
    done | awk '/none/ { none = 1 } NF && $1 > most { most = $1 } NF { ++n } END { if (n && !none) print most + 0 }'
}

bad=0 shown=0 notes=
for family in $families; do
    echo "$family"
    { printf 'model acts'; for column in ${columns#* }; do printf ' %s' "$column"; done; echo; } | awk '{ printf "%-16s", $1; for (i = 2; i <= NF; ++i) printf " %22s", $i; print "" }'
    for name in $models; do
        at=$work/$family/$name reference=$work/$family/$name/cpu:double:populations
        row="$name"
        if [ "$(cat "$reference/status")" != 0 ]; then
            if [ "$(cat "$reference/status")" = missing ]; then echo "$name -"; continue; fi
            echo "$name: $(grep -aA3 -m1 FATAL "$reference/log" | tr '\n' ' ')"; bad=$((bad + 1)); continue
        fi
        case $name in nutOfMesh|viscosityOfMesh|elastic|heatOnMesh) double=1e-9 single=1e-4 ;; *) double=1e-11 single=3e-5 ;; esac
        acts=; told=-
        if [ "$name" != plain ]; then
            field=U; [ "$name" != SRF ] || field=Urel
            acts=$(apart "$reference/0.8/$field" "$work/$family/plain/cpu:double:populations/0.8/U" U); told=$acts
            awk -v a="$acts" -v s=$single 'BEGIN { exit !(a > 10*s) }' || { told="$acts!"; bad=$((bad + 1)); }
        fi
        row="$name $told"
        for column in ${columns#* }; do
            case $(cat "$at/$column/status") in
                missing) row="$row -"; continue ;;
                0) found=$(difference "$at/$column" "$reference") ;;
                *) found= ;;
            esac
            limit=$double; case $column in *float*) limit=$single ;; esac
            if awk -v d="${found:-no}" -v limit=$limit 'BEGIN { exit !(d ~ /^[0-9]/ && d + 0 <= limit) }'; then
                shown=$((shown + 1)); row="$row $found"
            else
                bad=$((bad + 1)); row="$row ${found:-none}!"
                [ -n "$found" ] || notes="$notes
$name $column: $(grep -aiA3 -m1 -E 'FATAL|terminate|abort' "$at/$column/log" | tr '\n' ' ')"
            fi
        done
        echo "$row" | awk '{ printf "%-16s", $1; for (i = 2; i <= NF; ++i) printf " %22s", $i; print "" }'
    done
done
[ -z "$notes" ] || echo "$notes"
echo "$shown runs agree with double populations, $bad do not (!)"
[ $bad = 0 ] && [ $shown -gt 0 ]
