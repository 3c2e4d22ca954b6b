#!/bin/sh
# Finds the tuned numbers of configs/gpus/mali-t860-mp4.yaml anew, from the 14 sizes of mali-t860-gemm that are for choosing, of which none is for
# judging. What is minimised (the MAPE alone, or with a share of the rank correlation) and how strong the penalty is are chosen by a
# cross-validation inside these 14. Exact replays, no random choice: the same program gives the same file. Ten to twenty
# evaluations, of 7 s of processor time each, and as many again where the choice is not the MAPE.
# Usage: tune_mali_t860.sh PROGRAM ROOT OUT [EVALUATIONS]; the values of OUT go into the GPU's file.
set -eu
program=$1
root=$2
out=$3
evaluations=${4:-20}
REASSEMBLE_DATA=$root
export REASSEMBLE_DATA

# tuned OPTION...: one tuning; its document becomes $OUT.json
tuned() {
  "$program" tune --quiet --json --exact --gpu mali-t860-mp4 --board mali-t860-gemm:train --evaluations "$evaluations" \
    --params lsu_tlb_miss@8.2 -o "$out" "$@" >"$out.json"
}

# chosen KEY: its value in what all 14 sizes choose
chosen() { sed -n "s/.*\"choice\": \".*$1=\([^,\"]*\).*/\1/p" "$out.json" | tail -n 1; }

tuned --nested --choose objective=mape/mape:0.9+spearman:0.1/mape:0.7+spearman:0.3,penalty=0.7/2.1/6.3 --penalty 2.1
objective=$(chosen objective)
penalty=$(chosen penalty)
echo "chosen: objective $objective, penalty $penalty %"
[ "$objective $penalty" = "mape 2.1" ] || tuned --objective "$objective" --penalty "$penalty"
