#!/bin/sh
# Workloads run on the open driver and an emulated GPU, and pass their own checks. Without the driver there is nothing to test.
# Usage: open_driver.sh PROGRAM ROOT SCRATCH; ends with 77 where the driver, qemu or a compiler for 64-bit Arm is missing.
set -eu
program=$1 root=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
if ! "$program" trace --frontend bifrost --gpu-id g71 saxpy -o traces >out 2>err; then
  if grep -qE "tools/bifrost-setup|qemu-aarch64|compiler for 64-bit Arm" err; then
    echo "skipped: $(cat err)"
    exit 77
  fi
  cat err
  exit 1
fi
"$program" info traces/saxpy.rtrace | grep -q "machine code of g71"
# Images: the workload's check compares the filtered image with its own.
"$program" trace --frontend bifrost --gpu-id g52 sobel-image-256 -o traces --record-jobs
"$program" info traces/sobel-image-256.0.rbifrost | grep -q "machine code of g52"
# Threads change no byte of a trace, and chosen work-groups are traced alone.
"$program" trace --frontend bifrost --gpu-id g71 saxpy -o threads --jobs 3
cmp traces/saxpy.rtrace threads/saxpy.rtrace
"$program" trace --frontend bifrost --gpu-id g71 saxpy -o sample --groups 0,2
"$program" info sample/saxpy.rtrace | grep -q "sampled        2 of the work-groups"
