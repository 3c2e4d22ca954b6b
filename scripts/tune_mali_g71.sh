#!/bin/sh
# Finds the fitted latencies of configs/gpus/mali-g71-mp8.yaml anew from the measurements of the HiKey-960, and prints how far to believe
# them: some minutes. The tuned values stand in FILE, from where they go into the GPU's file.
# Usage: scripts/tune_mali_g71.sh FILE [PROGRAM]
set -eu
file=$(realpath "$1")
cd "$(dirname "$0")/.."
program=${2:-build/release/cli/reassemble}
"$program" tune --gpu mali-g71-mp8 --board hikey960-gemm-variants --method gauss_newton --exact \
  --params arith@0.5,l1_hit@3,l1_miss@15,barrier@3,l1_l2_bytes_per_cycle@4.3 --objective mape --penalty 1 \
  --cv loo --bootstrap 400 -o "$file"
