# What Allrun and Alltest share: packages, OpenFOAM's headers, configuration and build. To be sourced
# by a POSIX shell in the repository's root.
# Part of lbmFoam, GPL-3.0-or-later.

foamVersion=1912.200626
# Libraries of OpenFOAM whose headers are needed (folders below its src/)
foamLibraries='OpenFOAM OSspecific/POSIX fileFormats surfMesh meshTools dynamicMesh finiteVolume
    lagrangian/basic sampling fvOptions parallel/decompose/decompose parallel/reconstruct/reconstruct functionObjects/forces transportModels
    TurbulenceModels/turbulenceModels TurbulenceModels/incompressible'

: "${HOME:=$(getent passwd "$(id -u)" | cut -d: -f6)}"
export HOME
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lbmFoam
foamTree=$cache/openfoam-${foamVersion%%.*}
startTime=$(date +%s)

say() { printf '[%4d s] %s\n' $(($(date +%s) - startTime)) "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# logged LOG command...: output goes to LOG, and to the screen if the command fails
logged()
{
    log=$1; shift
    "$@" > "$log" 2>&1 && return
    tail -n 60 "$log" >&2
    die "'$*' failed, see $log"
}

missingPackages()
{
    sed 's/#.*//' cmake/packages.txt | while read -r package; do
        [ -n "$package" ] || continue
        case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
            installed) ;;
            *) printf '%s ' "$package" ;;
        esac
    done
}

installPackages()
{
    command -v dpkg-query >/dev/null ||
        die "needs Debian 12 (or install what cmake/packages.txt lists and use cmake by hand)"
    missing=$(missingPackages)
    if [ -z "$missing" ]; then
        say "packages: all there"
        return
    fi
    install="apt-get install -y --no-install-recommends $missing"
    [ "$(id -u)" = 0 ] || die "packages are missing; as root: apt-get update && $install"
    say "packages: installing $missing"
    export DEBIAN_FRONTEND=noninteractive
    logged build/log.packages apt-get -o DPkg::Lock::Timeout=600 update
    tellSizes $missing
    logged build/log.packages apt-get -o DPkg::Lock::Timeout=600 ${install#apt-get}
}

# What apt would fetch and unpack, as it says it itself
tellSizes()
{
    LC_ALL=C apt-get install --assume-no --no-install-recommends "$@" 2>/dev/null |
        sed -nE 's/^(Need to get|After this operation, ).*/&/p' |
        while read -r line; do say "packages: $line"; done
}

# Debian packs no headers of OpenFOAM: they are in the source package, which comes from a deb-src twin
# of the machine's own sources in a private apt configuration.
privateApt()
{
    mkdir -p "$1/parts" "$1/lists/partial" "$1/cache/archives/partial"
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -e "$file" ] || continue
        sed 's/^[Tt]ypes:.*/Types: deb-src/' "$file" > "$1/parts/${file##*/}"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -e "$file" ] || continue
        sed -n 's/^deb[[:space:]]/deb-src /p' "$file" > "$1/parts/${file##*/}"
    done
    [ ! -e "$1/parts/sources.list" ] || mv "$1/parts/sources.list" "$1/parts/main.list"
    cat > "$1/apt.conf" <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$1/parts";
Dir::State::Lists "$1/lists";
Dir::Cache "$1/cache";
APT::Sandbox::User "root";
END
}

# One folder of links a library, as wmakeLnInclude makes them (a library is a folder with Make/)
linkHeaders()
{
    find "$1" -type d -name Make -printf '%h\n' | while read -r library; do
        mkdir "$library/lnInclude"
        (
            cd "$library/lnInclude"
            find .. \( -name lnInclude -o -name Make -o -name noLink \) -prune \
                -o -type f -name '*.[CHh]' -print | sort | xargs -r ln -sf -t .
        )
    done
}

# Joined by && for `logged` switches `set -e` off
downloadHeaders()
{
    for library in $foamLibraries; do
        printf '%s\n' "*/src/$library/*.[CHh]" "*/src/$library/*Make/files"
    done > "$1/wanted"
    export APT_CONFIG="$1/apt/apt.conf"
    # Sources that are of no use here (no source packages, not reachable) must not stop this one
    apt-get -qq -o Acquire::http::Timeout=30 update || true
    (
        cd "$1" && apt-get -qq source --download-only --tar-only "openfoam=$foamVersion-1" &&
        tar -xjf "openfoam_$foamVersion.orig.tar.bz2" --strip-components=1 \
            --wildcards --files-from=wanted &&
        linkHeaders src
    ) &&
    unset APT_CONFIG
}

fetchHeaders()
{
    have=$(dpkg-query -W -f '${Version}' libopenfoam)
    case $have in
        $foamVersion-*) ;;
        *) die "libopenfoam is $have, but lbmFoam is written for $foamVersion (Debian 12)" ;;
    esac
    stamp=$(echo "$foamVersion" $foamLibraries)
    if [ "$(cat "$foamTree/.complete" 2>/dev/null)" = "$stamp" ]; then
        say "OpenFOAM headers: $foamTree"
        return
    fi
    say "OpenFOAM headers: fetching the source package into $foamTree"
    mkdir -p "$cache"
    fresh=$(mktemp -d "$cache/openfoam.XXXXXX")
    privateApt "$fresh/apt"
    logged build/log.headers downloadHeaders "$fresh"
    [ -e "$fresh/src/OpenFOAM/lnInclude/argList.H" ] || die "no headers in the source package"
    rm -rf "$fresh/apt" "$fresh/wanted" "$fresh"/*.tar.*
    printf '%s\n' "$stamp" > "$fresh/.complete"
    rm -rf "$foamTree"
    mv -T "$fresh" "$foamTree"
}

# tellProgress LOG: once a minute how far the build is that writes there, until the script ends
tellProgress()
{
    while sleep 60 > /dev/null 2>&1 && kill -0 $$; do
        step=$(sed -nE 's/^\[ *([0-9]+(%|\/[0-9]+))\].*/\1/p' "$1" | tail -n 1)
        [ -z "$step" ] || say "building: $step"
    done 2>/dev/null
}

# buildTree TARGET...: these targets, or all
buildTree()
{
    # make compiles what needs a library only once that is linked, and its last unit leaves the other cores idle
    export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
    say "configuring (preset release${LBM_KERNELS:+, kernels: $LBM_KERNELS})"
    logged build/log.configure cmake --preset release -DOPENFOAM_SRC="$foamTree/src" \
        ${LBM_KERNELS:+-DLBM_KERNELS="$LBM_KERNELS"}
    grep -e 'left out' build/log.configure || true
    say "building on $(nproc) processors (log: build/log.build)"
    : > build/log.build
    tellProgress build/log.build &
    trap "kill $! 2>/dev/null || :" EXIT
    logged build/log.build cmake --build build --parallel "$(nproc)" ${1:+--target "$@"}
    kill $! 2>/dev/null || :
    trap - EXIT
    say "built: $(ls build/bin | tr '\n' ' ')"
}

# setUp TARGET...: all that comes before running something
setUp()
{
    mkdir -p build
    installPackages
    fetchHeaders
    buildTree "$@"
}
