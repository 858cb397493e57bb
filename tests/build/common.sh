# Arguments of every test here: source tree, build tree, a folder of its own (made anew).
# Part of lbmFoam, GPL-3.0-or-later.
set -eu
source=$1 build=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() { echo "FAILED: $*" >&2; exit 1; }

# runsWithoutEnvironment PROGRAM: -help of an OpenFOAM program, nothing set, from a foreign folder
runsWithoutEnvironment()
{
    (cd / && env -i "$1" -help) > help.txt 2>&1 || fail "env -i $1 -help ended with an error: $(cat help.txt)"
    grep -q "^Usage: ${1##*/} " help.txt || fail "env -i $1 -help printed no usage: $(cat help.txt)"
}
