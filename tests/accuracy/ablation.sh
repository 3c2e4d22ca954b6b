#!/bin/sh
# Measures the value of each mechanism on a board of each family: the MAPE after one scale with the mechanism off, the others on. Compares each
# with its row of results.csv, "ablation-BOARD-MECHANISM", to a tenth of a percent; a mechanism without a row is wrong as well. Prints
# the rows as they would have to be. Some ten minutes, half of them for the points of the RTX 2080 Ti; ./test.sh nightly runs it.
# Usage: ablation.sh PROGRAM ROOT [hikey960|t860|rtx-2080-ti]
set -eu
program=$1
root=$2
wrong=0

# rows NAME OPTION...: one line a mechanism that the GPU uses, "ablation-NAME-MECHANISM,VALUE"; the whole model is "none"
rows() {
  name=$1
  shift
  "$program" validate --ablate --json --quiet "$@" | awk -v name="$name" '
    function text(line) { sub(/^[^:]*: "?/, "", line); sub(/"?,?$/, "", line); return line }
    /"ablation": \[/ { inside = 1 }
    inside && /"kind":/ { kind = text($0) }
    inside && /"mechanism":/ { mechanism = text($0) }
    inside && /"mape_percent_with_one_scale":/ && kind != "step" {
      printf "ablation-%s-%s,%.1f\n", name, kind == "all" ? "none" : mechanism, text($0)
    }'
}

# compare NAME OPTION...
compare() {
  found=$(rows "$@")
  [ -n "$found" ] || { echo "no ablation of $1"; wrong=1; }
  for row in $found; do
    kept=$(awk -F, -v name="${row%,*}" '$1 == name { print $2 }' "$root/tests/accuracy/results.csv")
    echo "$row (kept: ${kept:-none})"
    [ "${row#*,}" = "$kept" ] || wrong=1
  done
}

REASSEMBLE_DATA=$root
export REASSEMBLE_DATA
case ${3:-} in '' | hikey960) compare hikey960 --board hikey960-gemm-variants ;; esac
case ${3:-} in '' | t860) compare t860 --board mali-t860-gemm:train=4 ;; esac
case ${3:-} in '' | rtx-2080-ti) compare rtx-2080-ti --gpu rtx-2080-ti-tuned --board rtx-2080-ti-xgemm:train=8 ;; esac
exit $wrong
