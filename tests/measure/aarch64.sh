#!/bin/sh
# aarch64.sh SOURCE SCRATCH NATIVE: the program for boards is built for 64-bit Arm, needs no library but libc's, and runs (emulated by
# qemu): it lists what the native program lists, and without OpenCL says so and leaves no file.
set -eu
source=$1 scratch=$2 native=$3
fail() { echo "$1"; exit 1; }
mkdir -p "$scratch"
cmake -S "$source" --preset aarch64 -B "$scratch/build" >"$scratch/configure.log" 2>&1 || { cat "$scratch/configure.log"; exit 1; }
cmake --build "$scratch/build" >"$scratch/build.log" 2>&1 || { cat "$scratch/build.log"; exit 1; }
program=$scratch/build/cli/reassemble
cd "$scratch"

aarch64-linux-gnu-readelf -h "$program" | grep -q AArch64 || fail "not a program for 64-bit Arm"
aarch64-linux-gnu-readelf -d "$program" | sed -n 's/.*Shared library: \[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|ld-linux-aarch64)\.so' &&
  fail "needs libraries that a board may lack"

on_board() { qemu-aarch64 "$program" "$@"; }
for what in workloads gpus boards; do
  on_board list $what --json >board.txt
  "$native" list $what --json >native.txt
  cmp board.txt native.txt || fail "list $what differs"
done
on_board measure gemm-64 2>messages && fail "measured without OpenCL"
grep -q 'libOpenCL.so.1' messages || { cat messages; fail "the message does not say that there is no OpenCL"; }
on_board measure --gpu mali-g71-mp8 -o board.json gemm-64 2>messages && fail "measured without OpenCL"
[ ! -e board.json ] || fail "a board file without measurements was written"
on_board simulate gemm-64 2>messages && fail "a board simulates nothing"
grep -q 'unknown command "simulate"' messages || fail "simulate is no command there"
