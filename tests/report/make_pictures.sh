#!/bin/sh
# Makes the pictures of docs/pictures anew; look at them before they are committed. Not a test.
# Usage: make_pictures.sh PROGRAM SOURCE OPENCL_PROGRAM [BROWSER]
set -eu
program=$1 source=$(realpath "$2") opencl_program=$3 browser=${4:-chromium-headless-shell}
export REASSEMBLE_DATA="$source"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >search.yaml <<'YAML'
schema: reassemble.sweep/1
name: search
gpu: mali-g71-mp8
workloads: [gemm-64, gemm-tiled-64, saxpy]
axes:
  - cores: [4, 6, 8, 12, 16]
  - warp_size: [4, 8, 16]
  - l2_miss_cycles: [x0.5, x1, x2]
YAML
"$program" rank --gpu mali-g71-mp8 gemm-variants --json --quiet >rank.json
"$program" simulate --gpu mali-g71-mp8 gemm-64 --detail --json --quiet >source.json
"$program" validate --board hikey960-gemm-variants --json --quiet >accuracy.json
"$program" dse search.yaml --quiet >answers
"$program" run --gpu mali-g71-mp8,rtx-2080-ti --host-scale 0 --timeline timeline.json --json --quiet -- "$opencl_program" >program.json
"$program" draw "$source/datasets/graphics/scene.rframe" -o drawn --quiet >draw
"$program" frame drawn/scene --gpu mali-g71-mp8,mali-t860-mp4 --json --quiet >frame.json
"$program" report timeline.json program.json -o program.html
"$program" report frame.json -o frame.html
"$program" report rank.json -o rank.html
"$program" report source.json -o source.html
"$program" report accuracy.json -o accuracy.html
"$program" report dse-search -o sweep.html
node "$source/tests/report/take_pictures.js" "$browser" "$source/docs/pictures"
ls -l "$source/docs/pictures"
