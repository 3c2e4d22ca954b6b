#!/bin/sh
# Runs the suite as machine code on emulated GPUs (scripts/bifrost_suite.sh), and compares its rows with those that are kept in
# datasets/bifrost/suite.csv: as many clauses, equal listings, and buffers that agree with PoCL's. How many buffers are equal to the bit
# is up to PoCL and its processor, and is not compared.
# Usage: suite.sh BUILD ROOT SCRATCH [GPU_ID...]; ends with 77 where the driver, qemu or a compiler for 64-bit Arm is missing.
set -eu
build=$1 root=$2 scratch=$3
shift 3
[ $# -gt 0 ] || set -- g71 g72 g31 g52
mkdir -p "$scratch"
missing=$("$root/tools/bifrost-setup" --check | grep missing || :)
[ -e "$build/tracegen/aarch64/libreassemble_bifrost.so" ] || missing="${missing:+$missing; }no compiler for 64-bit Arm"
if [ -n "$missing" ]; then
  echo "skipped: $missing"
  exit 77
fi
for gpu; do
  grep "^$gpu," "$root/datasets/bifrost/suite.csv" >"$scratch/kept.csv"
  workloads=
  for path in $(sed -n 's/^  - //p' "$root/datasets/bifrost/suite.yaml"); do
    ! grep -q "^$gpu,$(echo "$path" | tr / -)," "$scratch/kept.csv" || workloads="$workloads $path"
  done
  "$root/scripts/bifrost_suite.sh" "$build" "$gpu" "$scratch" $workloads | grep "^$gpu," >"$scratch/$gpu.csv"
  for file in "$scratch/kept.csv" "$scratch/$gpu.csv"; do
    sed 's/,[0-9]* of \([0-9]* equal to the bit\)$/,of \1/' "$file" | sort >"$file.compared"
  done
  diff "$scratch/kept.csv.compared" "$scratch/$gpu.csv.compared" || { echo "$gpu: the suite does not give the rows that are kept"; exit 1; }
  echo "$gpu: $(wc -l <"$scratch/$gpu.csv") workloads as kept"
done
