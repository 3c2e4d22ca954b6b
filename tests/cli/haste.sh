#!/bin/sh
# Code is made in haste where few work-items run it, or in rows, and else takes its time: the traces, and what checks say, are
# the same. Kernels with relaxed arithmetic are never made in haste.
# Usage: haste.sh PROGRAM FOLDER
# shellcheck disable=SC2086 # arguments are lists of words
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >k.cl <<'END_OF_KERNEL'
__kernel void once(__global float *a) { a[get_global_id(0)] = 3 / a[get_global_id(0) ^ 1]; }
__kernel void sums(__global float *a, int n) { /* two loops, and an address that no row has */
  float s = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      s += a[(i * 5 + k * (int)get_global_id(0)) & 255];
  a[get_global_id(0)] = s;
}
__kernel void in_rows(__global float *a, __global float *b, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      s += b[i];
  a[get_global_id(0)] = s;
}
END_OF_KERNEL
hasty() { # arguments
  REASSEMBLE_PHASES=1 "$program" trace k.cl "$@" -o traces --quiet 2>&1 >/dev/null | grep -q 'native code in haste'
}
expect() { # yes or no, arguments...
  expected=$1
  shift
  found=no
  if hasty "$@"; then found=yes; fi
  test $found = $expected || { echo "in haste: $found, expected $expected: $*"; exit 1; }
}
one="--kernel once --arg float[131072]=2"
two="--kernel sums --arg float[131072]=2 --arg int=3"
rows="--kernel in_rows --arg float[131072] --arg float[64]=2 --arg int=3"
expect yes $one --global 131072 --local 64
expect yes $two --global 2048 --local 64
expect no $two --global 4096 --local 64
expect yes $rows --global 4096 --local 64
expect no $rows --global 4096 --local 4
expect no $one --global 64 --local 64 --options -cl-fast-relaxed-math
REASSEMBLE_HASTE=never expect no $one --global 64 --local 64

for workload in gemm-tiled-64 nbody-1024 histogram reduction mandelbrot-256 kmeans-8192; do
  "$program" trace $workload -o soon --quiet >/dev/null
  REASSEMBLE_HASTE=never "$program" trace $workload -o late --quiet >/dev/null
done
diff -r soon late
