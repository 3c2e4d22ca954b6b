#!/bin/sh
# Predicts points of the boards of points and compares MAPE (without the free scale) and Spearman with the rows of results.csv,
# to the digits that stand there. Minutes a board, as traces are made first; ./test.sh nightly runs it. The short form, which
# ./test.sh runs, has the half for judging of the Mali-T860 alone, and holds six points of each RTX board to a bound.
# Usage: boards.sh PROGRAM ROOT [short]
set -eu
program=$1
root=$2
wrong=0

# member JSON KEY: its number
member() { printf '%s\n' "$1" | sed -n "s/.*\"$2\": \([-0-9.e+]*\).*/\1/p" | head -n 1; }

# compare ROW VALUE FORMAT
compare() {
  kept=$(awk -F, -v name="$1" '$1 == name { print $2 }' "$root/tests/accuracy/results.csv")
  # shellcheck disable=SC2059 # the format is one of two below
  found=$(printf "$3" "$2")
  echo "$1: $found (kept: $kept)"
  [ "$found" = "$kept" ] || wrong=1
}

# predict ROW GPU BOARD
predict() {
  scores=$("$program" validate --gpu "$2" --board "$3" --quiet --json)
  compare "$1-mape" "$(member "$scores" raw_mape_percent)" %.1f
  compare "$1-spearman" "$(member "$scores" spearman)" %.3f
}

REASSEMBLE_DATA=$root
export REASSEMBLE_DATA
# hold GPU BOARD: the MAPE after one scale of a few points is below 20 %
hold() {
  scores=$("$program" validate --gpu "$1" --board "$2" --quiet --json)
  found=$(member "$scores" mape_percent)
  echo "$1 on $2: $found %"
  awk -v found="$found" 'BEGIN { exit !(found > 0 && found < 20) }' || wrong=1
}

scores=$("$program" validate --board mali-t860-gemm:test --quiet --json)
compare t860-gemm-test-mape "$(member "$scores" mape_percent)" %.1f
compare t860-gemm-test-spearman "$(member "$scores" spearman)" %.3f
if [ "${3:-}" = short ]; then
  hold rtx-2080-ti-tuned rtx-2080-ti-xgemm:train=6
  hold rtx-3090 rtx-3090-xgemm:train=6
  exit $wrong
fi
predict xgemm-2080-ti-test rtx-2080-ti-tuned rtx-2080-ti-xgemm:test
scores=$("$program" validate --gpu rtx-3090 --board rtx-3090-xgemm:test=60 --quiet --json)
compare xgemm-3090-structure-scaled-mape "$(member "$scores" mape_percent)" %.1f
compare xgemm-3090-structure-spearman "$(member "$scores" spearman)" %.3f
exit $wrong
