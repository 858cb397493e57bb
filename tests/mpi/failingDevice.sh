# A device that fails for good while another one waits for it within a step, and one that fails before a step begins: in one process,
# and of two ranks. The program ends within seconds, and what it says names the device. usage: failingDevice.sh PROGRAM
# Part of lbmFoam, GPL-3.0-or-later.
set -u
program=$1
seconds=60 # to start two devices, and to fail
wrong=0

# failing WHERE HOW DEVICE SECONDS STEPS PROGRAM...: as the program takes them
failing()
{
    how="$1, $2, device $3 after $4 s of $5 steps" kind=$2 device=$3 after=$4 steps=$5
    log="failingDevice.$1.$2.$3.$4.log"
    shift 5
    begin=$(date +%s) status=0
    timeout -k 5 "$seconds" "$@" "$kind" "$device" "$after" "$steps" > "$log" 2>&1 < /dev/null || status=$?
    [ "$status" -ne 77 ] || { cat "$log"; exit 77; }
    said=$(grep -E "cuda:$device \(.*(failure|illegal|fault|error)" "$log" | head -n 1)
    not=
    case $status in
        1) [ -n "$said" ] || not="the device is not named" ;;
        124 | 137) not="nothing ended it within $seconds s" ;;
        *) not="exit status $status" ;;
    esac
    grep -q 'into their ghosts themselves' "$log" || not="rims are not passed"
    passes=no
    ! grep -q ' in a pass' "$log" || passes=yes
    [ "$kind,$passes" = passes,yes ] || [ "$kind,$passes" = steps,no ] || not="$kind: is it in passes: $passes"
    grep -q "^$steps steps" "$log" || not="it did not come to the steps"
    ! grep -Eq 'terminate called|not as it should be' "$log" || not="what it said"
    if [ -z "$not" ]; then echo "$how: $(($(date +%s) - begin)) s, $said"; return; fi
    wrong=1
    echo "FAILED: $how: $not" >&2
    tail -n 20 "$log" >&2
}

# More steps than a device's streams hold, some, and steps of a device that has failed already
for device in 0 1; do
    for course in 'steps 0.5 1000000' 'steps 0.05 1000' 'steps 0 100' 'passes 0.5 1000000' 'passes 0.05 2000'; do
        # shellcheck disable=SC2086    # how, seconds and steps
        set -- $course
        failing alone "$1" "$device" "$2" "$3" "$program"
        failing ranks "$1" "$device" "$2" "$3" mpirun -n 2 "$program"
    done
done
[ "$wrong" -eq 0 ] || exit 1
echo "a device that fails lets nobody wait"
