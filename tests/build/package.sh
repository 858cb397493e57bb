#!/bin/sh
# The Debian package of this build: what it holds runs from where it is unpacked, and comes with all that it is linked with.
# Part of lbmFoam, GPL-3.0-or-later.
. "${0%/*}/common.sh"

command -v dpkg-deb > /dev/null && command -v cpack > /dev/null || { echo "skipped: no dpkg-deb or cpack"; exit 77; }
rm -rf pack root
(cd "$build" && cpack -G DEB -B "$work/pack") > cpack.txt 2>&1 || { tail -n 20 cpack.txt; fail "cpack"; }
package=$(ls pack/*.deb)
dpkg-deb -x "$package" root
[ ! -e root/usr/env.sh ] || fail "env.sh lies in /usr"
[ ! -e root/usr/include ] && [ -z "$(find root -name '*.a')" ] || fail "holds what compilers alone want"
! grep -rlF "$build" root/usr/bin root/usr/lib > found || fail "names the build tree: $(cat found)"
for program in lbmFoam lbmVoxelize lbmCompare; do
    runsWithoutEnvironment "$work/root/usr/bin/$program"
done
env -i root/usr/bin/lbmBench --list > kernels.txt || fail "lbmBench --list"

# Libraries' packages are its own, among its dependencies, or those of the one library that is loaded where ParaView is
depends=" $(dpkg-deb -f "$package" Depends | sed 's/([^)]*)//g; s/,/ /g') libc6 libgcc-s1 "
for file in root/usr/bin/* root/usr/lib/*.so; do
    case $file in *InsituParaView.so) continue ;; esac
    for library in $(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
        [ ! -e "root/usr/lib/$library" ] || continue
        case $library in ld-linux*) continue ;; esac
        path=$(env -i ldd "$file" | awk -v name="$library" '$1 == name { print $3 }')
        [ -n "$path" ] || fail "$file misses $library"
        path=$(readlink -f "$path")
        owner=$( (dpkg -S "$path" || dpkg -S "${path#/usr}") 2> /dev/null | head -n 1 | cut -d: -f1)
        case $depends in
            *" $owner "*) ;;
            *) fail "$file needs $library of '$owner', on which the package does not depend:$depends" ;;
        esac
    done
done
echo "$(du -h "$package" | cut -f1) $(basename "$package")"
