#!/bin/sh
# Tunes the five latencies of configs/gpus/mali-g71-mp8.yaml to the HiKey-960, in the same way for both front ends: each kernel is
# predicted by a tuning that did without it (loo), then by one that also chose penalty and write policy without it (nested).
# docs/accuracy.md has the scores of the default front end, docs/bifrost.md those of machine code. Minutes; needs tools/bifrost-setup.
# Usage: scripts/tune_machine_code.sh [PROGRAM [GPU]]   GPU: datasets/bifrost/g71-machine-code.yaml, or mali-g71-mp8 for the default front end
set -eu
cd "$(dirname "$0")/.."
program=${1:-build/release/cli/reassemble} gpu=${2:-datasets/bifrost/g71-machine-code.yaml}
tune() {
  "$program" tune --gpu "$gpu" --board hikey960-gemm-variants --exact --penalty 1 \
    --params arith@0.5,l1_hit@3,l1_miss@15,barrier@3,l1_l2_bytes_per_cycle@4.3 "$@"
}
tune --method gauss_newton --objective mape --cv loo
tune --nested --choose penalty=0.3/1/3,l1_write=write_through/write_back
