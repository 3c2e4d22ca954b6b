#!/bin/sh
# Programs of others on a virtual board, unmodified: clpeak, a tuner of CLBlast and a PyOpenCL program that tunes a kernel. The two that
# tune run on one more Mali in `./test.sh nightly`.
# tuners_and_benchmarks.sh REASSEMBLE SCRATCH TUNE_KERNEL.PY; exits with 77 where none of them is installed.
set -eu
program=$1 scratch=$2 tune_kernel=$3
ran=0
more=$(awk -v rounds="${REASSEMBLE_TEST_ROUNDS:-1}" 'BEGIN { if (rounds > 1) print "mali-t860-mp4" }')
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

fail() {
  echo "$1"
  cat out errors
  exit 1
}

run() { # GPU, words of the program
  gpu=$1
  shift
  ran=1
  "$program" run --gpu "$gpu" --host-scale 0 $options -- "$@" > out 2> errors || fail "$* failed on $gpu"
}

# expect NAME LOW HIGH PATTERN: the number behind the pattern in `out` lies between the two.
expect() {
  found=$(sed -n "s/.*$4 *\([0-9.]*\).*/\1/p" out | head -1)
  awk -v f="${found:-0}" -v low="$2" -v high="$3" 'BEGIN { exit !(f >= low && f <= high) }' ||
    fail "$1: found '$found', expected $2 to $3"
}

if command -v clpeak > /dev/null; then
  options="--compute nothing"
  # 24 engines, 4 lanes, 2 operations, 1037 MHz; a bundle takes two slots of 0.398948 cycles: 249.5 GFLOP/s.
  run mali-g71-mp8 clpeak --compute-sp
  expect "peak of mali-g71-mp8" 224.6 274.5 "float16 :"
  # 68 cores, 64 lanes, 2 operations, 1545 MHz: 13447.7 GFLOP/s.
  run rtx-2080-ti clpeak --compute-sp
  expect "peak of rtx-2080-ti" 12102 14793 "float16 :"
  options=
  run rtx-2080-ti clpeak --kernel-latency
  expect "launch latency of rtx-2080-ti" 3.8 3.82 "Kernel launch latency :"
fi
options=
if command -v clblast_tuner_xaxpy > /dev/null; then
  for gpu in mali-g71-mp8 $more; do
    run $gpu clblast_tuner_xaxpy -n 16384
    grep -q "Best parameters" out || fail "the tuner found no best parameters for $gpu"
    ! grep -q "results differ\|L2 error" out || fail "the tuner found wrong results for $gpu"
  done
fi
if /usr/bin/python3 -c "import pyopencl, numpy" 2> /dev/null; then
  for gpu in mali-g71-mp8 $more rtx-2080-ti; do
    PYOPENCL_NO_CACHE=1 run $gpu /usr/bin/python3 "$tune_kernel"
    grep -q "^fastest on $gpu: " out || fail "the program did not find $gpu"
  done
fi
[ "$ran" = 1 ] || { echo "clpeak, clblast-utils and python3-pyopencl are not installed"; exit 77; }
