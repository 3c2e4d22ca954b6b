#!/bin/sh
# Writes a GPU file like configs/gpus/rtx-2080-ti-tuned.yaml: tunes prices of operations and the latency of L2 to measured configurations of Xgemm on an RTX
# 2080 Ti, of which none is for judging. The clock is not tuned: docs/accuracy-xgemm.md says where it comes from. Searches on recorded
# launches (docs/retiming.md) of SEARCH points that stand for all (40; 0: all); each result is replayed exactly on all points. No random choice:
# the same program and points give the same file (tests/accuracy/tuned_points.sh).
# Usage: tune_rtx_2080_ti.sh PROGRAM ROOT OUT [POINTS [EVALUATIONS [SEARCH]]]; POINTS is a choice of the board's points (train: all 150 for fitting).
set -eu
program=$1
root=$2
out=$3
points=${4:-train}
evaluations=${5:-16}
search=${6:-40}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
REASSEMBLE_DATA=$root
export REASSEMBLE_DATA

# The parameters that are set before the tuning.
cat >"$work/fixed" <<'END'
  clock_hz: {value: 1935M, source: "chosen on rtx-2080-ti-xgemm:train together with lsu_access_cycles: the scale of least MAPE is 1 (docs/accuracy-xgemm.md); the board does not state its clock"}
  lsu_access_cycles: {value: 0.25, source: "chosen on rtx-2080-ti-xgemm:train: 0, 0.25 or 0.4 on 33 of its points (docs/accuracy-xgemm.md)"}
  dram_bytes_per_cycle: {value: 318.3, source: "NVIDIA, 'NVIDIA Turing GPU Architecture' white paper (WP-09183-001, 2018), table 4: 616 GB/s, at the clock of 1935 MHz"}
  branch_price: {value: 0.5, source: "assumed: half of the branches of a loop are not executed, as compilers unroll; not tuned"}
END
{
  printf 'schema: reassemble.gpu/1\nname: rtx-2080-ti-tuned\nabout: start of a tuning\nbase: rtx-2080-ti\nparameters:\n'
  cat "$work/fixed"
} >"$work/rtx-2080-ti-tuned.yaml"

if [ "$search" -gt 0 ]; then set -- --search-on "$search"; else set --; fi
"$program" tune --quiet --cv none "$@" --tolerance 0.02 --evaluations "$evaluations" --gpu "$work/rtx-2080-ti-tuned.yaml" \
  --board "rtx-2080-ti-xgemm:$points" --params integer_price@0.25,address_price@0.33,memory_price@1.35,l1_miss@137 \
  --journal "$out.journal" -o "$work/tuned.yaml"

{
  printf 'schema: reassemble.gpu/1\nname: rtx-2080-ti-tuned\n'
  printf 'about: NVIDIA GeForce RTX 2080 Ti with prices of operations and a latency tuned to measured configurations of Xgemm\n'
  printf 'base: rtx-2080-ti\nparameters:\n'
  cat "$work/fixed"
  sed -n '/^parameters:/,$ { /^parameters:/d; p; }' "$work/tuned.yaml" | sed "s|$work/rtx-2080-ti-tuned.yaml|rtx-2080-ti|g"
} >"$out"
