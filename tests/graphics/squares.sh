#!/bin/sh
# A Vulkan program that launches compute shaders and draws nothing: each submit is a frame, whose launch is traced as that of a kernel,
# with the constant that the pipeline states.
# Usage: squares.sh REASSEMBLE SQUARES SCRATCH
set -eu
program=$1 squares=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs.sh"
needs lavapipe Xvfb spirv-as spirv-val spirv-opt
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
spirv-as --target-env vulkan1.0 "$here/squares.comp.spvasm" -o squares.spv
"$program" trace -q --graphics --frames 1..2 -o . -- "$squares" squares.spv >captured
grep -q 'frame-2.rframe *2 *0 *0 *0' captured || { cat captured; exit 1; }
"$program" draw frame-1.rframe frame-2.rframe -o . >drawn
test "$(grep -c '^dispatch-0 *4x1x1 *64x1x1' drawn)" -eq 2 || { cat drawn; exit 1; }
"$program" simulate -q --gpu mali-g71-mp8 frame-1/dispatch-0.rtrace >/dev/null
# The specialised constant is in the shader, and the length of the buffer's array.
grep -q 'v[0-9]* = (uint)0x9u' frame-1/shader-*.cl
grep -q 'v[0-9]* = 200;' frame-1/shader-*.cl
