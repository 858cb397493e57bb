# Scripts of function object catalyst run where dynamic code of OpenFOAM's would: not where the user's or site's switch
# allowSystemOperations is off, and as root only if allowInsituAsAdministrator is on. A case cannot allow itself.
# usage: insituPermission.sh BUILD TUTORIALS WORK
# Part of lbmFoam, GPL-3.0-or-later.
. "$(dirname "$0")/../adapters/openfoam/common.sh"

freshCavity cavity
setEntry cavity/system/controlDict endTime 0.01
cat >> cavity/system/controlDict <<END
functions { insitu { type catalyst; libs (lbmFunctionObjects); scripts ("$work/script.py"); } }
InfoSwitches { allowSystemOperations 1; allowInsituAsAdministrator 1; }
END
# No channel: who may run it is refused for that, before anything of ParaView's is loaded
echo "pass" > script.py

# switches NAME VALUE ...: of the site's controlDict
export WM_PROJECT_SITE="$work/site" HOME="$work/home" # nor what whoever runs this has allowed
switches()
{
    mkdir -p site/etc
    { echo 'InfoSwitches {'; printf '%s %s;\n' "$@"; echo '}'; } > site/etc/controlDict
}

# attempt NAME PATTERN...: lbmFoam ends with status 1, and says so
attempt()
{
    name=$1; shift
    status=0
    "$lbmFoam" -case cavity > "log.$name" 2>&1 || status=$?
    [ "$status" -eq 1 ] || fail "$name: exit status $status"
    expect "log.$name" "$@"
}

allowed='No script names one of the channels'
if [ "$(id -u)" -eq 0 ]; then
    attempt administrator 'not run with administrator rights' 'allowInsituAsAdministrator 1;' \
        '~/.OpenFOAM/1912/controlDict' 'system/controlDict'
else
    attempt user "$allowed"
fi
switches allowInsituAsAdministrator 1
attempt allowed "$allowed"
switches allowInsituAsAdministrator 1 allowSystemOperations 0
attempt forbidden 'scripts are programs' 'allowSystemOperations 1;' 'system/controlDict'
! grep -q "$allowed" log.forbidden || fail "the script was read"
echo "scripts run only where they are allowed"
