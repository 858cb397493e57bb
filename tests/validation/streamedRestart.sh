#!/bin/sh
# streamedRestart.sh FOLDER: on a GPU, a channel with a body, an inlet whose flow changes and interpolated walls, streamed in moments of each
# precision. Who goes on from a checkpoint has the same last bits as who was not stopped: with the same budget, with another one, whose slabs lie
# elsewhere and whose passes are of another length, and after a signal; so has who does not stream, with moments16Single, too. What has to stream
# through less streams in more slabs: that is asked for, too.
# lbmFoam on PATH; 77 where there is no GPU or no kernel for one. Part of lbmFoam, GPL-3.0-or-later.
set -eu
work=$1
. "$(dirname "$(command -v lbmFoam)")/../share/lbmFoam/RunFunctions"

fail() { echo "FAILED: $*" >&2; exit 1; }

rm -rf "$work"
mkdir -p "$work"
cd "$work"
cloneCase "$FOAM_TUTORIALS/incompressible/icoFoam/cavity/cavity" begin # its schemes
rm begin/system/blockMeshDict
mkdir -p begin/constant/triSurface

dict() { printf 'FoamFile { version 2.0; format ascii; class %s; object %s; }\n' "$1" "${2##*/}" > "begin/$2"; cat >> "begin/$2"; }
printf 'o body\ng body\nv 0.7 0.31 0.33\nv 1.23 0.37 0.41\nv 0.79 0.73 0.35\nv 0.83 0.39 0.77\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' \
    > begin/constant/triSurface/body.obj
dict dictionary system/lbmVoxelizeDict << 'END'
surfaces ( "body.obj" );
cellSize 0.01;
box { min (0 0 0); max (2 1 1); patches ( inlet outlet sides sides sides sides ); }
patches { inlet { type patch; } outlet { type patch; } }
END
dict volVectorField 0/U << 'END'
dimensions [0 1 -1 0 0 0 0];
internalField uniform (0 0 0);
boundaryField
{
    inlet { type uniformFixedValue; uniformValue table ((0 (0 0 0)) (0.5 (1 0 0))); }
    outlet { type zeroGradient; } sides { type noSlip; } body { type noSlip; }
}
END
dict volScalarField 0/p << 'END'
dimensions [0 2 -2 0 0 0 0];
internalField uniform 0;
boundaryField
{
    inlet { type zeroGradient; } outlet { type fixedValue; value uniform 0; }
    sides { type zeroGradient; } body { type zeroGradient; }
}
END
dict dictionary constant/transportProperties << 'END'
transportModel Newtonian;
nu 0.02;
END
dict dictionary system/controlDict << 'END'
application lbmFoam;
startFrom latestTime;
startTime 0;
stopAt endTime;
endTime 3;
deltaT 0.1;
writeControl timeStep;
writeInterval 10;
writeFormat binary;
writePrecision 17;
timePrecision 9;
END

timesOf() { (cd "$1" && ls -d [0-9]* | sort -g); }

# entries CASE ENTRIES: of lbmDict
entries()
{
    {
        echo 'FoamFile { version 2.0; format ascii; class dictionary; object lbmDict; }'
        echo "device ${device:-cuda}; storage $storage; precision $precision; collision regularized; checkpoint all; wall linear;"
        echo "$2"
    } > "$1/system/lbmDict"
}

# run CASE ENTRIES: from its latest time on
run()
{
    entries "$1" "$2"
    lbmFoam -case "$1" > "log.$1" 2>&1 && return
    if grep -Eq 'has no GPU kernels|no NVIDIA driver is loaded|no CUDA device is present' "log.$1"; then exit 77; fi
    tail -n 30 "log.$1" >&2
    fail "$1"
}

slabsOf() { sed -n 's/.* \([0-9]* slabs\) stream through the device, [^,]* lower with each step, \([0-9]* steps a pass\).*/\1, \2/p' "log.$1" | head -n 1; }

# streams CASE: says in what slabs
streams()
{
    [ -n "$(slabsOf "$1")" ] || fail "$1 was not streamed"
    echo "$1: $(slabsOf "$1")"
}

# onlyUpTo CASE TIME: later times go
onlyUpTo()
{
    for time in $(timesOf "$1"); do
        [ "$(echo "$time $2" | awk '{ print ($1 > $2) }')" = 0 ] || rm -r "${1:?}/$time"
    done
}

sameBits()
{
    for field in U p; do
        cmp "$1/3/$field" "$2/3/$field" || { wrong=yes; echo "FAILED: $field of $1 and $2 differ" >&2; }
    done
}

# resident: the whole domain on the device, and who goes on so from a checkpoint
resident()
{
    run "$name-whole" ''
    [ -z "$(slabsOf "$name-whole")" ] || fail "$name-whole was streamed"
    cp -r "$name-whole" "$name-whole-on"
    onlyUpTo "$name-whole-on" 1
    run "$name-whole-on" ''
    grep -q 'Start: checkpoint' "log.$name-whole-on" || fail "$name-whole-on began anew"
    sameBits "$name-whole-on" "$name-whole"
}

wrong=no
# One copy of the moments does not stream
storage=moments16Single precision=float name=moments16Single-float
cp -r begin "$name-whole"
resident

for kind in 'moments double' 'moments float' 'moments16 float'; do
    storage=${kind% *} precision=${kind#* } name=$(echo "$kind" | tr ' ' '-')
    for way in whole little more; do cp -r begin "$name-$way"; done
    resident
    # The least that slabs take is told where less is given
    entries begin 'deviceMemory 1 MB;'
    lbmFoam -case begin > "log.$name-least" 2>&1 && fail "$name ran in 1 MB"
    least=$(sed -n 's/.*even for thin slabs of the domain, which ask for \([0-9.e-]*\) GB.*/\1/p' "log.$name-least")
    [ -n "$least" ] || { tail -n 30 "log.$name-least" >&2; fail "$name: what slabs take at least is not told"; }
    little="deviceMemory $(awk -v least="$least" 'BEGIN { printf "%.6g", 1.05*least }') GB;"
    more="deviceMemory $(awk -v least="$least" 'BEGIN { printf "%.6g", 1.3*least }') GB;"

    run "$name-little" "$little"
    streams "$name-little"
    run "$name-more" "$more"
    streams "$name-more"
    [ "$(slabsOf "$name-little")" != "$(slabsOf "$name-more")" ] || fail "$name: both budgets have the same slabs"
    sameBits "$name-more" "$name-little"

    for way in little more; do
        cp -r "$name-little" "$name-on-$way"
        onlyUpTo "$name-on-$way" 1
        eval "run $name-on-$way \"\$$way\""
        grep -q 'Start: checkpoint' "log.$name-on-$way" || fail "$name-on-$way began anew"
        streams "$name-on-$way"
        sameBits "$name-on-$way" "$name-little"
    done

    # Stopped wherever it is, be it within a time step
    cp -r "$name-little" "$name-stopped"
    onlyUpTo "$name-stopped" 1
    lbmFoam -case "$name-stopped" > "log.$name-stopped.first" 2>&1 &
    pid=$!
    until grep -Eqs '^Time = 1\.[2-9]' "log.$name-stopped.first" || ! kill -0 $pid 2> /dev/null; do sleep 0.01; done
    kill -TERM $pid 2> /dev/null || true
    wait $pid || { tail -n 30 "log.$name-stopped.first" >&2; fail "$name-stopped"; }
    grep 'SIGTERM: stopping' "log.$name-stopped.first" || echo "$name-stopped: ended before it was told to"
    run "$name-stopped" "$little"
    sameBits "$name-stopped" "$name-little"
done
[ "$wrong" = no ] || exit 1
echo "whoever goes on has the same last bits"
