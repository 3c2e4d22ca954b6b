#!/bin/sh
# Two real boards without a GPU: PoCL with one processor and with two. Factors from three programs, measured on both, make the
# times of one those of the other; the whole-program times of all other programs are held out. Both directions are scored, and
# the mean errors must be at most 10.8 %, that of GPU-in-the-loop simulation (Ko, PhD thesis, 2016, section 5.5.7.3).
# Prints a table for each direction and the rows for results.csv. The boards take turns, and of each program's runs the fastest
# counts. The machine should be idle: the load is printed, and stands in the files.
# two_boards.sh REASSEMBLE PROGRAM_SUITE SCRATCH [TURNS]; SCRATCH keeps what was measured, and another run adds to it.
# About 20 s a turn on two idle processors. Exits with 77 where PoCL is missing or there are not two processors.
set -eu
reassemble=$1 suite=$2 scratch=$3 turns=${4:-10}
training=mm2,jacobi,blackscholes
required=10.8
ls /etc/OpenCL/vendors/pocl*.icd > /dev/null 2>&1 || { echo "PoCL is not installed"; exit 77; }
[ "$(nproc)" -ge 2 ] || { echo "there are not two processors"; exit 77; }
mkdir -p "$scratch"
cd "$scratch"
POCL_CACHE_DIR=${POCL_CACHE_DIR:-$PWD/pocl-cache}
export POCL_CACHE_DIR
mkdir -p "$POCL_CACHE_DIR"

{
  echo '{"schema": "reassemble.programs/1", "name": "suite", "programs": ['
  "$suite" | sed "s|.*|  {\"name\": \"&\", \"command\": [\"$suite\", \"&\"]}|" | sed '$!s/$/,/'
  echo ']}'
} > programs.json
for board in one two; do [ -f $board.json ] || cp programs.json $board.json; done

echo "load: $(cat /proc/loadavg)"
turn=1
while [ "$turn" -le "$turns" ]; do
  # The first processor runs the program in both cases; on the second board OpenCL has a second one.
  POCL_MAX_PTHREAD_COUNT=1 "$reassemble" calibrate --quiet --record one.json --name pocl-1 -n 1 one.json
  POCL_MAX_PTHREAD_COUNT=2 "$reassemble" calibrate --quiet --record two.json --name pocl-2 -n 1 two.json
  turn=$((turn + 1))
done
echo "load: $(cat /proc/loadavg)"

failed=0
score() { # DEVICE BOARD NAME-OF-ROW
  echo
  "$reassemble" calibrate "$1.json" "$2.json" --train $training -o "$1-as-$2.json"
  error=$("$reassemble" calibrate "$1.json" "$2.json" --train $training --json | sed -n 's/.*"held_out_error_percent": \([0-9.]*\).*/\1/p')
  echo "row: $3,$(printf %.1f "$error"),%"
  awk -v e="$error" -v r=$required 'BEGIN { exit !(e <= r) }' || failed=1
}
score one two two-boards-one-as-two
score two one two-boards-two-as-one
exit $failed
