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
# --most bounds the frames that are captured, of a range with an end and of one without. Without a bound the range ends with the
# program, or after a time.
frames() { # NUMBERS OPTION...
  wanted=$1
  shift
  rm -rf bounded
  "$program" trace -q --graphics "$@" -o bounded -- "$squares" squares.spv >captured
  test "$(sed -n 's/.*frame-\([0-9]*\).rframe .*/\1/p' captured | tr '\n' ' ')" = "$wanted" || { echo "$*:"; cat captured; exit 1; }
  test "$(ls bounded | wc -l)" -eq "$(echo "$wanted" | wc -w)"
}
frames "1 2 " --frames 1..2
frames "1 " --frames 1..2 --most 1
frames "1 " --frames 1.. --most 1
frames "2 " --frames 2.. --most 1
frames "1 2 " --frames 1..
frames "1 2 " --frames 1.. --most 7 --stop-after 100
if "$program" trace -q --graphics --frames 2..1 -o bounded -- "$squares" squares.spv 2>err; then echo "--frames 2..1 was accepted"; exit 1; fi
grep -q -e '--frames: found "2..1", expected a number or a range, counted from 1: 10, 10..12, 10..' err
if "$program" trace -q --frames 1 --stop-after 0.5 -o bounded -- sleep 100 2>err; then echo "sleep draws nothing"; exit 1; fi
grep -q 'sleep ended before it had drawn frame 1' err || { cat err; exit 1; }
