#!/bin/sh
# Builds reassemble and shows its main job: eleven GEMM kernels, emulated, replayed through a model of a Mali-G71 MP8 and compared
# with the cycles measured on a HiKey-960; and writes the comparison as a page of plots, build/demo/accuracy.html.
# Usage: ./demo.sh [PROGRAM]   (a program that is there already is not built)
set -eu
cd "$(dirname "$0")"
build=build/demo
program=${1:-$build/cli/reassemble}
build_program() {
  . scripts/packages.sh
  need_packages run
  log=build/demo.log
  mkdir -p build
  echo "Building (log: $log) ..." >&2
  { cmake --preset release -B "$build" -DREASSEMBLE_TESTS=OFF && cmake --build "$build" --target reassemble; } >"$log" 2>&1 ||
    { tail -n 40 "$log" >&2; exit 1; }
}
make_page() {
  validate --json --quiet | "$program" report - -o "$build/accuracy.html" --quiet >/dev/null
  echo "The same as plots, for a browser: $build/accuracy.html" >&2
}
validate() {
  "$program" validate --gpu mali-g71-mp8 --board hikey960-gemm-variants "$@"
}
test -n "${1:-}" || build_program
validate
test -n "${1:-}" || make_page
