#!/bin/sh
# clpeak prints the peak that a GPU file implies, within a tenth: lanes of all engines, a multiplication and an addition each,
# at the file's clock and price of an issue slot and of floats, or at the rate of their pipe. peaks.sh REASSEMBLE [GPU...]; without GPUs all that ship, as in the nightly run.
# Exits with 77 without clpeak.
set -eu
program=$1
shift
command -v clpeak > /dev/null || { echo "clpeak is not installed"; exit 77; }
[ $# -gt 0 ] || set -- $("$program" list gpus | awk 'NR > 1 { print $1 }')
failed=0
for gpu in "$@"; do
  # Slots of a multiply-add and lane: a tuple of Bifrost takes two, a vector of four lanes of Midgard's two.
  case $("$program" params --gpu "$gpu" | awk '$1 == "issue" { print $2 }'):$gpu in
  bundles:*) slots=2 ;;
  *:mali-t860*) slots=0.5 ;;
  *) slots=1 ;;
  esac
  implied=$("$program" params --gpu "$gpu" | awk -v slots=$slots '{ v[$1] = $2 } END {
    cycles = v["arith_cycles"] * v["float_price"] * slots
    if (cycles < v["fma_pipe_cycles"])
      cycles = v["fma_pipe_cycles"]
    print v["cores"] * v["execution_engines"] * v["warp_size"] * 2 * v["clock_hz"] * 1e-9 / cycles }')
  printed=$("$program" run --gpu "$gpu" --host-scale 0 --compute nothing -- clpeak --compute-sp |
    awk '$1 ~ /^float/ && $3 > most { most = $3 } END { print most + 0 }')
  echo "$gpu: $printed GFLOP/s, the file implies $implied"
  awk -v p="$printed" -v i="$implied" 'BEGIN { exit !(p > 0.9 * i && p < 1.1 * i) }' || failed=1
done
exit $failed
