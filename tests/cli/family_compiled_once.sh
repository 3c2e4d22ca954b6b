#!/bin/sh
# The configurations of a parametrised workload are compiled once: bitcode for each set of build options, native code for each
# configuration, whatever the number of jobs; and a second `rank` compiles nothing and prints the same.
# Usage: family_compiled_once.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >tiled.cl <<'END'
kernel void tiled(global const float *a, global float *b, int n) {
  local float t[TILE][TILE];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  t[ly][lx] = a[y * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int k = 0; k < ROUNDS; k++)
    s += t[ly][(lx + k) % TILE] * 0.5f;
  b[y * n + x] = s;
}
END
cat >tiled.yaml <<'END'
schema: reassemble.workload/1
name: tiled
source: tiled.cl
parameters: {N: 64, TILE: 8, ROUNDS: 4}
require: ["N % TILE == 0"]
options: "-DTILE=${TILE} -DROUNDS=${ROUNDS}"
buffers:
  A: {type: float, count: "${N * N}", init: uniform, low: 0, high: 1}
  B: {type: float, count: "${N * N}"}
launches:
  - {kernel: tiled, global: ["${N}", "${N}"], local: ["${TILE}", "${TILE}"], args: [{buffer: A}, {buffer: B}, {int: "${N}"}]}
END
variants=
for n in 32 64; do
  for tile in 4 8; do
    for rounds in 1 2 3; do
      variants="$variants tiled.yaml:N=$n,TILE=$tile,ROUNDS=$rounds"
    done
  done
done

# Ranks all with the cache $1 and $2 jobs, into the file $3.
rank() {
  REASSEMBLE_CACHE=$1 "$program" rank --gpu mali-g71-mp8 --jobs "$2" --quiet --json $variants >"$3"
}

# Prints the names and inodes of what the cache $1 holds.
kept() {
  (cd "$1" && ls -i bitcode kernels)
}

rank none 1 none.json
for jobs in 1 2; do
  rank "$folder/cache$jobs" "$jobs" first.json
  kept "cache$jobs" >first.txt
  rank "$folder/cache$jobs" "$jobs" second.json
  kept "cache$jobs" >second.txt
  cmp none.json first.json
  cmp none.json second.json
  cmp first.txt second.txt # nothing was made again
  [ "$(ls "cache$jobs/bitcode" | wc -l)" = 6 ] || { echo "$jobs jobs: sources were compiled more than once"; exit 1; }
  [ "$(ls "cache$jobs/kernels" | wc -l)" = 12 ] || { echo "$jobs jobs: kernels were compiled more than once"; exit 1; }
done
