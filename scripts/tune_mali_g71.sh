#!/bin/sh
# Makes configs/gpus/mali-g71-mp8-tuned.yaml anew from the measurements of the HiKey-960, and prints how far to believe it: some minutes.
# Usage: scripts/tune_mali_g71.sh [PROGRAM]
set -eu
cd "$(dirname "$0")/.."
program=${1:-build/release/cli/reassemble}
rm -f configs/gpus/mali-g71-mp8-tuned.yaml
"$program" tune --gpu mali-g71-mp8-rows --board hikey960-gemm-variants --method linear --exact \
  --params arith@2,store@4,l1_hit@3,l1_miss@15,barrier --objective mape:0.8+spearman:0.2 --penalty 1 \
  --cv loo --bootstrap 400 -o configs/gpus/mali-g71-mp8-tuned.yaml
