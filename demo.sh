#!/bin/sh
# Builds reassemble and shows its main job: eleven GEMM kernels, emulated, replayed through a model of a Mali-G71 MP8 and compared
# with the cycles measured on a HiKey-960.
set -eu
cd "$(dirname "$0")"
. scripts/packages.sh
need_packages run
build=build/demo
log=build/demo.log
mkdir -p build
echo "Building (log: $log) ..." >&2
{ cmake --preset release -B "$build" -DREASSEMBLE_TESTS=OFF && cmake --build "$build" --target reassemble; } >"$log" 2>&1 ||
  { tail -n 40 "$log" >&2; exit 1; }
exec "$build/cli/reassemble" validate --gpu mali-g71-mp8 --board hikey960-gemm-variants
