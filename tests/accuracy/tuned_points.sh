#!/bin/sh
# A tuning to points of which some work-groups are replayed gives the same file and the same document with one and with two jobs, and
# tune_rtx_2080_ti.sh, here on four points, of which the search sees two, ends with a tuned GPU file; two runs of it (./test.sh
# nightly) give the same one. The tuning of the RTX
# 2080 Ti that is run with one and two jobs begins with a price that is three times too high, so that it has to search on recorded launches
# and on exact ones until the price is lower.
# Usage: tuned_points.sh PROGRAM ROOT FOLDER
set -eu
program=$1
REASSEMBLE_DATA=$2
export REASSEMBLE_DATA
rm -rf "$3"
mkdir -p "$3"
cd "$3"

# tune_twice NAME OPTION...: writes NAME.json and NAME.yaml with two jobs, after it has compared them with those of one job
tune_twice() {
  name=$1
  shift
  for jobs in 1 2; do
    "$program" tune --quiet --json --cv none --jobs $jobs -o tuned.yaml "$@" >$jobs.json
    mv tuned.yaml $jobs.yaml
  done
  cmp 1.json 2.json
  cmp 1.yaml 2.yaml
  mv 2.json "$name.json"
  mv 2.yaml "$name.yaml"
}

tune_twice t860 --exact --board mali-t860-gemm:train=2 --params lsu_tlb_miss --evaluations 4
grep -q '^  lsu_tlb_miss_cycles: {value: [0-9.]*, source: "tuned' t860.yaml

tune_twice rtx --gpu rtx-2080-ti-tuned --board rtx-2080-ti-xgemm:train=3 --evaluations 8 --tolerance 0.05 --penalty 0 \
  --params memory_price@4,l1_miss@60
awk '/"evaluations":/ { all = $2 + 0 } /"exact_evaluations":/ { exact = $2 + 0 }
  END { print all " evaluations, " exact " of them exact"; exit all < 4 || exact < 2 }' rtx.json
awk '/^  memory_price:/ { split($3, value, ","); print "memory_price " value[1]; exit !(value[1] > 0.3 && value[1] < 3.9) }' rtx.yaml

runs=$(awk -v rounds="${REASSEMBLE_TEST_ROUNDS:-1}" 'BEGIN { print (rounds > 1 ? "first second" : "first") }')
for run in $runs; do
  "$REASSEMBLE_DATA/tests/accuracy/tune_rtx_2080_ti.sh" "$program" "$REASSEMBLE_DATA" $run.rtx.yaml train=4 2 2
done
[ "$runs" = first ] || cmp first.rtx.yaml second.rtx.yaml
grep -q '^  l1_miss_cycles: {value: [0-9.]*, source: "tuned' first.rtx.yaml
