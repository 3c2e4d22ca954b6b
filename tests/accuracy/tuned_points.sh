#!/bin/sh
# A tuning to points of which some work-groups are replayed gives the same file and the same document with one and with two jobs, and
# two runs of tune_rtx_2080_ti.sh, here on four points, of which the search sees two, give the same GPU file.
# Usage: tuned_points.sh PROGRAM ROOT FOLDER
set -eu
program=$1
REASSEMBLE_DATA=$2
export REASSEMBLE_DATA
rm -rf "$3"
mkdir -p "$3"
cd "$3"
for jobs in 1 2; do
  "$program" tune --quiet --json --exact --board mali-t860-gemm:train=2 --params lsu_tlb_miss --evaluations 4 --cv none \
    --jobs $jobs -o tuned.yaml >$jobs.json
  mv tuned.yaml $jobs.yaml
done
cmp 1.json 2.json
cmp 1.yaml 2.yaml
grep -q '^  lsu_tlb_miss_cycles: {value: [0-9.]*, source: "tuned' 1.yaml

for run in first second; do
  "$REASSEMBLE_DATA/tests/accuracy/tune_rtx_2080_ti.sh" "$program" "$REASSEMBLE_DATA" $run.rtx.yaml train=4 2 2
done
cmp first.rtx.yaml second.rtx.yaml
grep -q '^  l1_miss_cycles: {value: [0-9.]*, source: "tuned' first.rtx.yaml
