#!/bin/sh
# Workloads and a program run on the open driver and an emulated GPU, and pass their own checks. What the driver or the GPU
# refuses is named. Without the driver there is nothing to test.
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

# A program of a user: built for 64-bit Arm against the driver's OpenCL loader, it runs as it is. 27 launches.
libraries=$("$root/tools/bifrost-setup" --check | sed -n 's/^driver: //p')/usr/lib/aarch64-linux-gnu
compiler=$(command -v aarch64-linux-gnu-gcc || echo cc)
"$compiler" -std=gnu11 -O1 "$root/tests/bifrost/live/application.c" -o application -idirafter /usr/include \
  -L "$libraries" -l:libOpenCL.so.1
"$program" trace --frontend bifrost --gpu-id g71 -o application-traces -- ./application "$root/tests/bifrost/live/application.cl" >rows
[ "$(ls application-traces/*.rtrace | wc -l)" = 27 ]
for kernel in divergent sums histogram neighbours places twice nothing records; do
  grep -q " $kernel " rows || { echo "no trace of kernel $kernel"; exit 1; }
done
"$program" simulate --gpu mali-g71-mp8 application-traces/application.0.rtrace >/dev/null

# refuse NAME TEXT: the workload's message has this text, and it leaves no trace.
refuse() {
  if "$program" trace --frontend bifrost --gpu-id g71 "./$1.yaml" -o refused 2>message; then
    echo "$1 is not refused"
    exit 1
  fi
  grep -q "$2" message || { echo "$1: expected \"$2\", found:"; cat message; exit 1; }
  [ -z "$(ls refused 2>/dev/null)" ] || { echo "$1 leaves a trace"; exit 1; }
}
workload() { # NAME KERNEL LOCAL
  printf '%s\n' "__kernel void k(__global float *a) { $2 }" >"$1.cl"
  printf 'schema: reassemble.workload/1\nname: %s\nsource: %s.cl\nbuffers: {a: {type: float, count: 1024}}\n' "$1" "$1" >"$1.yaml"
  printf 'launches: [{kernel: k, global: [1024], local: [%s], args: [{buffer: a}]}]\n' "$3" >>"$1.yaml"
}
workload unknown-name 'a[0] = b;' 64
refuse unknown-name "use of undeclared identifier 'b'"
workload large-group 'a[get_global_id(0)] = 1;' 512
refuse large-group "no work-group of this size (256 work-items at most)"
workload outside 'a[get_global_id(0) + 100000000] = 1;' 64
refuse outside "STORE.i32 at 0x.* is outside of GPU memory"
workload divided-barrier 'if (get_local_id(0) < 3) barrier(CLK_LOCAL_MEM_FENCE); a[get_local_id(0)] = 1;' 64
refuse divided-barrier "not all work-items of the warp reach the barrier together"
# Doubles inside of a kernel become floats, which is said.
workload doubles 'a[get_global_id(0)] = (float)((double)a[get_global_id(0)] / 3.0);' 64
"$program" trace --frontend bifrost --gpu-id g71 ./doubles.yaml -o doubles 2>message
grep -q "double is float" message
