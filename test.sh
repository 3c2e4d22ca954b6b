#!/bin/sh
# Every check that a change must pass: ./test.sh          (CI runs this)
#                                      ./test.sh quick    format and the dev build's tests only
#                                      ./test.sh nightly  the same with twenty times the random cases (about an hour)
set -eu
cd "$(dirname "$0")"
. scripts/packages.sh
need_packages test
mode=${1:-all}
jobs=$(nproc)

echo "== format"
git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror

build() { # preset
  echo "== build: $1"
  cmake --preset "$1" >"/tmp/reassemble-configure-$$.log" 2>&1 || { cat "/tmp/reassemble-configure-$$.log"; exit 1; }
  rm -f "/tmp/reassemble-configure-$$.log"
  cmake --build --preset "$1" -j "$jobs" -- --quiet
}
check() { # preset, ctest arguments...
  preset=$1; shift
  echo "== test: $preset"
  ctest --preset "$preset" -j "$jobs" --timeout 3000 "$@"
}

build dev
case $mode in
  quick) check dev ;;
  all)
    check dev
    build asan && check asan -L 'unit|property|golden|invalid'
    build no-openmp && check no-openmp -L 'unit|cli' ;;
  nightly)
    REASSEMBLE_TEST_ROUNDS=20; export REASSEMBLE_TEST_ROUNDS
    check dev
    build asan && check asan
    build no-openmp && check no-openmp ;;
  *) echo "test.sh: unknown mode '$mode' (quick, nightly or none)" >&2; exit 2 ;;
esac
echo "All checks passed."
