#!/bin/sh
# LLVM's library is loaded when a kernel is compiled. Where it is missing, has not the functions that are called, or is cut off,
# each command that compiles says so and ends with exit code 1, as text and as JSON; traces and --version do without it.
# Usage: libraries.sh PROGRAM PRELOADED-LIBRARY SOURCE FOLDER
set -eu
program=$1
preload=$2
source=$3
folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export REASSEMBLE_DATA="$source" REASSEMBLE_CACHE="$folder/cache"
cat >k.cl <<'END'
kernel void k(global float *a, int n) { a[get_global_id(0)] += n; }
END
launch="k.cl --kernel k --global 64 --local 8 --arg float[64] --arg int=4"

# try TROUBLE CODE TEXT COMMAND...
try() {
  trouble=$1
  expected=$2
  text=$3
  shift 3
  code=0
  LIBRARY_TROUBLE=$trouble LD_PRELOAD=$preload timeout -k 5 60 "$program" "$@" >out 2>errors </dev/null || code=$?
  { [ $code -eq "$expected" ] && cat out errors | grep -q -- "$text"; } ||
    { echo "$trouble, $*: exit code $code, expected $expected and \"$text\": $(cat out errors)"; exit 1; }
}

# Bitcode is kept, native code is not, so that LLVM is needed and clang is not.
without_native_code() { rm -rf cache/kernels; }
"$program" simulate --quiet --gpu mali-g71-mp8 $launch >/dev/null
"$program" trace --quiet $launch -o whole >/dev/null
for trouble in missing foreign; do
  text="cannot load LLVM: /nowhere/libLLVM.so"
  [ $trouble = missing ] || text="has no function LLVM"
  for command in "simulate --gpu mali-g71-mp8 $launch" "rank --gpu mali-g71-mp8 $launch" "trace $launch -o traces" "info k.cl"; do
    without_native_code
    try $trouble 1 "$text" $command --quiet
    [ "$(grep -c "LLVM" errors)" -eq 1 ] || { echo "$command says it more than once: $(cat errors)"; exit 1; }
  done
  without_native_code
  try $trouble 1 '"text": ".*LLVM' trace $launch -o traces --quiet --json
done
[ ! -e traces ] || [ -z "$(ls -A traces)" ] || { echo "left behind: $(ls -A traces)"; exit 1; }
try missing 0 "" simulate --gpu mali-g71-mp8 whole/*.rtrace
try missing 0 "" --version
rm -rf cache
try cut 1 "was cut off by another program, or its disk is full" trace $launch -o traces --quiet
