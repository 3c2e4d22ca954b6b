#!/bin/sh
# GL's mediump and operations with RelaxedPrecision, as floats and as halves. Of a capture with 16-bit floats (mediump.rframe: shapes.c on
# lavapipe) pictures agree; of one with decorations (relaxed.rframe: scene.c) `draw` makes halves where it is asked to, and floats are as
# they were. The recorded frames are drawn; with SHAPES and SCENE, the programs, they are captured on this machine as well.
# Usage: mediump.sh REASSEMBLE ROOT SCRATCH [SHAPES SCENE]
set -eu
program=$1 root=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs.sh"
needs spirv-val spirv-opt
[ $# -le 3 ] || needs lavapipe Xvfb spirv-as
rm -rf "$scratch"
mkdir -p "$scratch/relaxed"
cd "$scratch"
halves=$root/datasets/graphics/mediump.rframe relaxed=$root/datasets/graphics/relaxed.rframe cut=$root/datasets/graphics/cut.rframe
if [ $# -gt 3 ]; then
  "$program" trace -q --each-draw --mediump half --frames 1 -o captured -- "$4" mediump >/dev/null
  halves=$scratch/captured/frame-1.rframe
  "$program" trace -q --each-draw --mediump half --frames 1 -o cut -- "$4" cut >/dev/null
  cut=$scratch/cut/frame-1.rframe
  "$program" trace -q --mediump float --frames 1 -o floats -- "$4" mediump >/dev/null
  "$program" draw --no-trace floats/frame-1.rframe -o floats --json | grep -q '"draws_with_halves": 0' || { echo "floats became halves"; exit 1; }
  "$program" draw --each-draw --no-trace "$halves" -o each >drawn
  grep -q "^8 of 8 draws cover Vulkan's samples" drawn || { cat drawn; exit 1; }
  spirv-as --target-env vulkan1.0 "$here/scene.vert.spvasm" -o relaxed/scene.vert.spv
  sed "s/^ *OpDecorate %color Location 0/&$(printf '\\n OpDecorate %%%s RelaxedPrecision' tinted fast darker shade out)/" \
    "$here/scene.frag.spvasm" >relaxed/scene.frag.spvasm
  spirv-as --target-env vulkan1.0 relaxed/scene.frag.spvasm -o relaxed/scene.frag.spv
  "$program" trace -q --frames 1 -o relaxed -- "$5" relaxed/scene.vert.spv relaxed/scene.frag.spv >/dev/null
  relaxed=$scratch/relaxed/frame-1.rframe
fi
name() { basename "$1" .rframe; }

# Shaders of zink, whose mediump is 16-bit floats in SPIR-V.
"$program" draw "$halves" -o half >drawn
grep -q '^mediump is half: the fragment shaders of 8 of 8 draws compute with 16-bit floats' drawn || { cat drawn; exit 1; }
sh "$here/near.sh" drawn 100
"$program" info "$halves" | grep -q 'mediump is half$'
if "$program" draw --mediump float "$halves" -o refused 2>err; then echo "halves were drawn as floats"; exit 1; fi
grep -q 'the capture was made with --mediump half' err

# Texels become halves by dropping digits where only halves of them are used, else by rounding.
"$program" draw --each-draw --no-trace "$cut" -o cut >drawn
grep -q "^3 of 3 draws cover Vulkan's samples" drawn || { cat drawn; exit 1; }

# Decorations: without the option and with float the same bytes, without a half; with half a picture that is nearly that of floats.
"$program" draw "$relaxed" -o plain >drawn
sh "$here/near.sh" drawn 99
"$program" draw --mediump float "$relaxed" -o float >/dev/null
for file in "plain/$(name "$relaxed")"/*; do cmp "$file" "float/$(name "$relaxed")/$(basename "$file")"; done
if grep -l half plain/*/shader-*.cl; then echo "floats became halves"; exit 1; fi
"$program" draw --mediump half "$relaxed" -o half >drawn
grep -q '^mediump is half: the fragment shaders of 2 of 2 draws compute with 16-bit floats' drawn || { cat drawn; exit 1; }
sh "$here/near.sh" drawn 99
drawn=half/$(name "$relaxed")

# The files and answers that follow say which of the two was taken.
grep -q '"mediump": *"half"' "$drawn/passes.json"
if grep -q mediump "plain/$(name "$relaxed")/passes.json"; then echo "floats are named in passes.json"; exit 1; fi
"$program" info "$drawn" | grep -q 'mediump is half$'
"$program" frame --json --gpu mali-g71-mp8 "$drawn" | grep -q '"mediump": *"half"'
"$program" frame --json --gpu mali-g71-mp8 "plain/$(name "$relaxed")" | grep -q '"mediump": *"float"'

# Operations on halves are in the trace, and have the price that those of OpenCL kernels have: two of a vector's elements a slot.
cat >product.cl <<'END'
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void product(global const half4 *a, global half4 *o) { o[get_global_id(0)] = a[get_global_id(0)] * a[get_global_id(0) + 1]; }
END
"$program" trace -q product.cl --kernel product --global 64 --local 64 --arg 'half[512]=uniform' --arg 'half[512]' -o . >/dev/null
for trace in "$drawn/draw-0.fragment.rtrace" product.product.64.64.rtrace; do
  "$program" info --blocks --isa bifrost "$trace" >told
  awk '$1 == "float_mul" && $2 == "f16" && $3 == 4 { found++; if ($5 != 2) { print; exit 1 } } END { exit !found }' told || { cat told; exit 1; }
done
