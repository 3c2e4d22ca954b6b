#!/bin/sh
# Tunes rtx-3090 to measured configurations of Xgemm on an RTX 3090, of which none is for judging: prices of operations, the latency of L2
# and the clock, which is the board's free scale. What public sources state (rates, sizes, latencies of L1 and of shared memory) stays.
# Searches on recorded launches (docs/retiming.md), each result replayed exactly, and says what the points determine and what
# refits without a twentieth of the points reach; no random choice: the same program and points give the same file.
# Usage: tune_rtx_3090.sh PROGRAM ROOT OUT [POINTS [EVALUATIONS]]; POINTS is a choice of the board's points (train: all 150 for fitting).
set -eu
REASSEMBLE_DATA=$2
export REASSEMBLE_DATA
"$1" tune --quiet --tolerance 0.02 --evaluations "${5:-20}" --gpu rtx-3090 --board "rtx-3090-xgemm:${4:-train}" \
  --params integer_price,float_price,memory_price,l1_miss,clock_hz --journal "$3.journal" -o "$3"
