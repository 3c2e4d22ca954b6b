#!/bin/sh
# The plain tier of code generation is used where very few work-items run a kernel, the baseline tier where few do, or
# where they run as SIMD groups; else the optimising tier is. Traces do not depend on the tier. Kernels with relaxed arithmetic always get the optimising tier.
# Usage: codegen_tier.sh PROGRAM FOLDER
# shellcheck disable=SC2086 # arguments are lists of words
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >k.cl <<'END_OF_KERNEL'
__kernel void once(__global float *a) { a[get_global_id(0)] = 3 / a[get_global_id(0) ^ 1]; }
__kernel void sums(__global float *a, int n) { /* two loops, and an address that is not affine in the lane */
  float s = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      s += a[(i * 5 + k * (int)get_global_id(0)) & 255];
  a[get_global_id(0)] = s;
}
__kernel void in_simd_groups(__global float *a, __global float *b, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      s += b[i];
  a[get_global_id(0)] = s;
}
END_OF_KERNEL
tier_of() { # arguments
  REASSEMBLE_CACHE=none REASSEMBLE_PHASES=1 "$program" trace k.cl "$@" -o traces --quiet 2>&1 >/dev/null |
    sed -n 's/.*native code (\([a-z]*\) tier).*/\1/p'
}
expect() { # tier, arguments...
  expected=$1
  shift
  found=$(tier_of "$@")
  test "$found" = "$expected" || { echo "found the tier \"$found\", expected \"$expected\": $*"; exit 1; }
}
one="--kernel once --arg float[131072]=2"
two="--kernel sums --arg float[131072]=2 --arg int=3"
simd="--kernel in_simd_groups --arg float[131072] --arg float[64]=2 --arg int=3"
expect plain $one --global 16384 --local 64
expect baseline $one --global 16448 --local 64
expect plain $two --global 4 --local 4
expect baseline $two --global 8 --local 8
expect baseline $one --global 131072 --local 64
expect baseline $two --global 2048 --local 64
expect optimising $two --global 4096 --local 64
expect baseline $simd --global 4096 --local 64
expect optimising $simd --global 4096 --local 4
expect optimising $one --global 64 --local 64 --options -cl-fast-relaxed-math
REASSEMBLE_CODEGEN_TIER=optimising expect optimising $one --global 64 --local 64

# The table of passes is printed on demand, and the kernel after each pass of it.
REASSEMBLE_DUMP_IR=help "$program" trace k.cl $one --global 64 --local 64 -o traces --quiet 2>table >/dev/null
grep -q '^optimise  *inline and optimise' table
REASSEMBLE_DUMP_IR=instrument "$program" trace k.cl $one --global 64 --local 64 -o traces --quiet 2>kernel >/dev/null
grep -q '^define void @reassemble.run' kernel
REASSEMBLE_CACHE=none REASSEMBLE_PHASES=1 "$program" trace k.cl $one --global 64 --local 64 -o traces --quiet 2>phases >/dev/null
for pass in recursion link-builtins optimise code-table instrument; do
  grep -q "^$pass " table && grep -q " $pass\$" phases
done

for workload in gemm-tiled-64 nbody-1024 histogram reduction mandelbrot-256 kmeans-8192; do
  "$program" trace $workload -o baseline --quiet >/dev/null
  REASSEMBLE_CODEGEN_TIER=optimising "$program" trace $workload -o optimising --quiet >/dev/null
done
diff -r baseline optimising
