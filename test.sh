#!/bin/sh
# Every check that a change must pass: ./test.sh          (CI runs this)
#                                                         (with a third of the random cases: the tests of functions, of bad input and of
#                                                         readers with the address sanitizer, all others in the dev build, with OpenMP and,
#                                                         where it matters, by MPI without it; threads by the thread sanitizer;
#                                                         30 seconds of libFuzzer for each target of tests/fuzz)
#                                      ./test.sh quick    format and the dev build's tests only
#                                      ./test.sh sanitizers  every workload under the address, undefined-behaviour and
#                                                         thread sanitizers (about ten minutes)
#                                      ./test.sh aarch64  the program for boards, built for 64-bit Arm and run by qemu
#                                      ./test.sh sweeps   the shipped sweeps of docs/thesis-sweeps.md, with their times
#                                      ./test.sh fuzz [SECONDS]  libFuzzer on every target of tests/fuzz, ten minutes each
#                                      ./test.sh determinism  six builds, by gcc and clang, on 1, 2 and 3 threads: the same bytes;
#                                                         and the same predictions on 64-bit Arm, where qemu is
#                                      ./test.sh allocations  every allocation of every command fails once, and the command
#                                                         has to end cleanly (80 minutes; $REASSEMBLE_TEST_COMMANDS
#                                                         chooses command lines)
#                                      ./test.sh nightly  every test in every build with twenty times the random cases (about an
#                                                         hour), mistakes that tests have to find, and the shipped sweeps
set -eu
cd "$(dirname "$0")"
. scripts/packages.sh
need_packages test
mode=${1:-all}
case $mode in aarch64 | nightly) need_packages aarch64 ;; esac
jobs=$(nproc)

echo "== format"
git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror

build() { # preset, targets (all of them when none is named)
  echo "== build: $1"
  cmake --preset "$1" >"/tmp/reassemble-configure-$$.log" 2>&1 || { cat "/tmp/reassemble-configure-$$.log"; exit 1; }
  rm -f "/tmp/reassemble-configure-$$.log"
  preset=$1; shift
  cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"} -- --quiet
}
check() { # preset, ctest arguments...
  preset=$1; shift
  echo "== test: $preset"
  ctest --preset "$preset" -j "$jobs" --timeout 3000 "$@"
}

sweeps() { # the shipped ones to their ends; their answers are those that are kept in tests/accuracy/sweeps
  echo "== sweeps"
  build release reassemble
  for path in configs/sweeps/*.yaml; do
    tests/accuracy/sweep.sh "$PWD/build/release/cli/reassemble" build/sweeps "$(basename "$path" .yaml)" --jobs "$jobs"
  done
}

search() { # seconds, how many targets at a time
  echo "== libFuzzer: $1 s for each target, $2 at a time"
  build fuzz fuzz_libfuzzer
  tests/fuzz/search.sh -j "$2" "$PWD/build/fuzz/tests/fuzz/fuzz_libfuzzer" "$PWD" "$PWD/build/fuzz/search" "$1"
}

determinism() {
  tests/determinism/matrix.sh "$PWD" "$PWD/build/determinism"
  if printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' | aarch64-linux-gnu-gcc -x c -o /dev/null - 2>/dev/null && { command -v qemu-aarch64-static || command -v qemu-aarch64; } >/dev/null; then
    tests/determinism/aarch64.sh "$PWD" "$PWD/build/determinism/aarch64" build/determinism/build-gcc-O3/cli/reassemble
  else
    echo "64-bit Arm: skipped, needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user-static"
  fi
}

allocations() { # in a release build: what is tried are some hundred thousand runs
  build release reassemble fail_allocation fail_each
  ! grep -q '^build program_gemm:' build/release/build.ninja || build release program_gemm
  program=$PWD/build/release/tests/programs/program_gemm
  [ -x "$program" ] || program=
  POCL_CACHE_DIR=$PWD/build/release/pocl-cache REASSEMBLE_TEST_ROUNDS=all tests/faults/allocations.sh "$PWD/build/release/cli/reassemble" \
    "$PWD/build/release/tests/faults/fail_allocation.so" "$PWD/build/release/tests/faults/fail_each" "$PWD" "$PWD/build/release/allocations" "$program"
}

# One command a line: behind && the shell's -e would not see a failure.
case $mode in all | sweeps | fuzz | determinism | allocations) ;; *) build dev ;; esac
case $mode in
  quick)
    check dev ;;
  all)
    REASSEMBLE_TEST_ROUNDS=0.35; export REASSEMBLE_TEST_ROUNDS
    build dev unsanitized_tests
    check dev -LE '^asan$'
    build asan sanitized_tests
    check asan -L 'unit|property|golden|invalid|fuzz' -LE long
    check asan -L sanitized -L smallest
    build tsan reassemble
    check tsan -L sanitized -L irregular
    REASSEMBLE_FUZZ_SEED=1; export REASSEMBLE_FUZZ_SEED # what a search finds by chance is for the other modes
    search 30 $((4 * jobs)) ;; # four for each processor: a quarter of the time, and of the executions
  aarch64)
    check dev -R measure/aarch64 --no-tests=error ;;
  sanitizers)
    build asan reassemble
    check asan -L sanitized
    build tsan
    check tsan -L 'sanitized|unit|property|golden|programs' ;;
  fuzz)
    search "${2:-600}" "$jobs" ;;
  determinism)
    determinism ;;
  allocations)
    allocations ;;
  sweeps)
    sweeps ;;
  nightly)
    REASSEMBLE_TEST_ROUNDS=20; export REASSEMBLE_TEST_ROUNDS
    check dev
    build asan
    check asan
    build tsan
    check tsan -L 'sanitized|unit|property|golden|programs'
    build mpi
    check mpi
    search 120 "$jobs"
    echo "== mutations"
    tests/mutation/mutate.sh
    echo "== every allocation"
    allocations
    echo "== determinism"
    determinism
    echo "== boards of points"
    build release reassemble
    tests/accuracy/boards.sh "$PWD/build/release/cli/reassemble" "$PWD"
    echo "== baselines"
    tests/accuracy/baselines.py "$PWD/build/release/cli/reassemble" "$PWD" hikey960 t860
    echo "== peaks of all GPUs"
    tests/virtual_board/peaks.sh "$PWD/build/release/cli/reassemble"
    echo "== the suite as machine code"
    build release
    tests/bifrost/live/suite.sh "$PWD/build/release" "$PWD" "$PWD/build/release/bifrost-suite" || [ $? = 77 ]
    echo "== prices of operations beside machine code"
    scripts/rule_counts.py "$PWD/build/release/cli/reassemble" "$PWD/build/release/rules" datasets/bifrost/rules-g71.csv >build/release/rules.csv
    diff datasets/bifrost/rules-g71.csv build/release/rules.csv
    echo "== a tuner of CLBlast (813 configurations)"
    tests/virtual_board/tune_xgemm.sh "$PWD/build/release/cli/reassemble" "$PWD/datasets/boards/rtx-2080-ti-xgemm.csv.zst" \
      "$PWD/build/release/tuner-session" || echo "the tuner's choice or time is off, or it is not installed"
    echo "== tuners of CLBlast, beside an H200"
    tests/virtual_board/tune_kernels.sh "$PWD/build/release/cli/reassemble" "$PWD" h200 "$PWD/build/release/tuned-kernels" ||
      echo "a tuner ended with an error, or it is not installed"
    echo "== two boards"
    build release program_suite
    tests/virtual_board/two_boards.sh "$PWD/build/release/cli/reassemble" "$PWD/build/release/tests/virtual_board/program_suite" \
      "$PWD/build/release/two-boards"
    echo "== ablation"
    tests/accuracy/ablation.sh "$PWD/build/release/cli/reassemble" "$PWD" hikey960
    sweeps ;;
  *) echo "test.sh: unknown mode '$mode' (quick, sanitizers, aarch64, fuzz, determinism, allocations, sweeps, nightly or none)" >&2; exit 2 ;;
esac
echo "All checks passed."
