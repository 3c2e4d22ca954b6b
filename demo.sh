#!/bin/sh
# Builds reassemble and shows its main job: eleven GEMM kernels, emulated, replayed through a model of a Mali-G71 MP8 and compared
# with the cycles measured on a HiKey-960: first each by a tuning without it, then all on the GPU as it ships. Writes the
# comparison as a page of plots, build/demo/accuracy.html.
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
# The comparison, without the list of latencies behind it (`reassemble params --sources` has these).
compare() {
  table=$(validate)
  echo "$table" | awk '/^Latencies of/ { ended = 1; exit } NR > 1 { print held } { held = $0 } END { if (!ended) print held }'
}
validate() {
  "$program" validate --gpu mali-g71-mp8 --board hikey960-gemm-variants "$@"
}
# The honest score first: write policy and penalty are chosen, and latencies fitted, without the kernel that is predicted.
nested() {
  "$program" tune --gpu mali-g71-mp8 --board hikey960-gemm-variants --quiet --exact --penalty 1 \
    --params arith@0.5,l1_hit@3,l1_miss@15,barrier@3,l1_l2_bytes_per_cycle@4.3 \
    --nested --choose penalty=0.3/1/3,l1_write=write_through/write_back |
    awk '/^nested, held out/ { print "Each kernel predicted by a tuning that chose without it: MAPE " $4 " %, Spearman " $8 }'
}
test -n "${1:-}" || build_program
nested
echo
compare
test -n "${1:-}" || make_page
