#!/bin/sh
# Pages of real results in a headless Chromium: every plot is there, tables sort, marks answer the pointer, nothing reaches the
# console; light, dark, as wide as a telephone, and on paper. A kernel's name that is markup stays a text.
# Usage: in_browser.sh PROGRAM SOURCE FOLDER [OPENCL_PROGRAM]   (exit 77: there is no browser here)
set -eu
program=$1 source=$2 folder=$3 opencl_program=${4:-}
for browser in chromium-headless-shell chromium chromium-browser google-chrome none; do
  command -v "$browser" >/dev/null 2>&1 && break
done
for need in "$browser" node; do
  command -v "$need" >/dev/null 2>&1 || { echo "skipped: no Chromium or no Node.js (packages.txt, [browser])"; exit 77; }
done
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

run() { # document, command...
  document=$1
  shift
  "$program" "$@" --quiet --json >"$document"
}

check() { # page, plots...
  page=$1
  shift
  node "$source/tests/report/check_page.js" "$browser" "$page" "$@"
}

cat >small.yaml <<'YAML'
schema: reassemble.sweep/1
name: small
gpu: mali-g71-mp8
workloads: [gemm-64, saxpy]
axes:
  - cores: [4, 8, 16]
  - warp_size: [4, 8]
YAML
cat >large.yaml <<'YAML'
schema: reassemble.sweep/1
name: large
gpu: generic-scalar
workloads: [copy1d-float4-128]
axes:
  - cores: [4, 8, 12, 16]
  - execution_engines: [1, 2, 3, 4, 6]
  - arith_cycles: [x0.5, x0.75, x1, x1.5, x2]
  - l1_hit_cycles: [x0.5, x0.75, x1, x1.5, x2]
  - l2_miss_cycles: [x0.5, x0.7, x1, x1.5, x2]
  - barrier_cycles: [x0.5, x1]
YAML
run accuracy.json validate --board hikey960-gemm-variants
run rank.json rank --gpu mali-g71-mp8 gemm-64 gemm-tiled-64 saxpy
run detail.json simulate --gpu mali-g71-mp8 gemm-64 saxpy --detail --timeline timeline.json
run ablation.json simulate --gpu mali-g71-mp8 gemm-64 --ablate
run tune.json tune --board hikey960-gemm-variants --method linear --bootstrap 20
run roofs.json simulate --gpu rtx-3090 gemm-64 saxpy
run parameters.json params --gpu rtx-3090
run sweep.json dse small.yaml
"$program" trace gemm-64 -o traces --quiet >traced
run info.json info traces/gemm-64.rtrace

"$program" report accuracy.json rank.json detail.json ablation.json -o page.html
check page.html accuracy errors ranking causes cycle-stacks core-stacks-saxpy occupancy-saxpy ablation
"$program" report dse-small tune.json roofs.json parameters.json timeline.json info.json -o more.html
check more.html front sensitivities effects heat tuned tuned-accuracy profiles roofline timeline operations-gemm-64

# A program on two GPUs, and when what of it ran.
if [ -n "$opencl_program" ]; then
  "$program" run --quiet --json --gpu mali-g71-mp8,rtx-2080-ti --host-scale 0 --timeline program-timeline.json \
    -- "$opencl_program" >program.json
  "$program" report program.json program-timeline.json -o program.html
  check program.html host program-kernels timeline
fi

# A frame with its pictures, where the program draws (packages.txt, [graphics]).
if "$program" draw "$source/datasets/graphics/scene.rframe" -o drawn --json --quiet >draw.json; then
  run frame.json frame drawn/scene --gpu mali-g71-mp8,mali-t860-mp4
  "$program" report draw.json frame.json -o frame.html
  [ "$(grep -o 'base64,iVBOR' frame.html | wc -l)" -eq 10 ]
  check frame.html fragments-0 frame-stacks draws
else
  echo "no frame: $(cat draw.json)"
fi

# Samples, variants without axes, and an answer for each workload.
printf 'schema: reassemble.sweep/1\nname: drawn\ngpu: mali-g71-mp8\nworkloads: [saxpy]\naxes: [{cores: {from: 4, to: 32, step: 4}}, %s]\n%s\n' \
  '{dispatch: [round_robin, first_free]}' 'sampling: {random: 8}' >drawn.yaml
printf 'schema: reassemble.sweep/1\nname: named\ngpu: mali-g71-mp8\nworkloads: [saxpy, reduction]\nvariants: [%s, %s]\n%s\n' \
  '{name: "<b>many</b>", cores: 16}' '{name: wide, warp_size: 8}' 'objective: per_workload' >named.yaml
run drawn.json dse drawn.yaml
run named.json dse named.yaml
cp "$source/tests/cli/rank_names_other_results/sums.cl" .
run other.json rank --gpu generic-scalar sums.cl --global 64 --arg 'float[64*100]=uniform(0,2)' --arg 'float[64]' --arg 'int[64]' --arg int=100
"$program" report dse-drawn dse-named other.json -o few.html
check few.html front effects heat front-0 front-1 ranking causes

# A sweep of 5,000 designs: the page opens in less than two seconds (check_page.js) and has less than 2 MB.
run large.json dse large.yaml
"$program" report dse-large -o large.html
[ "$(wc -c <large.html)" -lt 2000000 ] || { echo "large.html has $(wc -c <large.html) bytes"; exit 1; }
check large.html front sensitivities effects heat

sed 's|"saxpy"|"</script><script>document.title=1</script><img src=x onerror=alert(1)>"|' detail.json >markup.json
"$program" report markup.json -o markup.html
check markup.html cycle-stacks
! grep -q '<img' markup.html

# A damaged document: its section says so, and the next one is drawn.
printf '{"schema": "reassemble.simulate/1", "gpu": [], "kernels": [{"name": 7, "cycle_stack": "x", "detail": {"lines": 5}}, null]}' >damaged.json
printf '{"schema": "reassemble.rank/1", "gpu": "g", "variants": {"a": 1}}' >damaged-too.json
"$program" report damaged.json damaged-too.json accuracy.json -o damaged.html
check damaged.html accuracy
