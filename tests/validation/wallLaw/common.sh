# What the ladder of walls with a wall function shares. Sourced with BUILD set.
set -eu
# $BUILD
set +u; . $BUILD/share/lbmFoam/RunFunctions; set -u
export OMP_NUM_THREADS=1
src=$(dirname "$0")/../../adapters/openfoam/turbulence.sh
eval "$(sed -n '/^turbulentChannel()/,/^# turbulentField/p;/^turbulentField()/,/^# Velocity along/p' $src)"
lbmDict() { { echo 'FoamFile { version 2.0; format ascii; class dictionary; object lbmDict; }'; echo "$2"; } > "$1/system/lbmDict"; }
