#!/bin/sh
# The scene, captured on this machine's lavapipe, has the passes and draws of the shipped frame, and its picture is drawn as closely.
# Usage: capture.sh REASSEMBLE SCENE SCRATCH
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs.sh"
needs lavapipe Xvfb spirv-as spirv-val spirv-opt
rm -rf "$3"
sh "$here/record.sh" "$1" "$2" "$3" | tail -1 | grep -q 'frame-1.rframe *1 *1 *2 *0'
"$1" draw --no-trace "$3/frame-1.rframe" -o "$3" >"$3/drawn"
sh "$here/near.sh" "$3/drawn" 99
"$1" draw --each-draw --no-trace "$3/frame-1.rframe" -o "$3" >"$3/drawn"
grep -q "^2 of 2 draws cover Vulkan's samples" "$3/drawn" || { cat "$3/drawn"; exit 1; }
# A frame that an earlier capture has left is not taken for one of this program, which draws one.
mkdir "$3/left"
cp "$3/frame-1.rframe" "$3/left/frame-3.rframe"
"$1" trace -q --graphics --frames 1..3 -o "$3/left" -- "$2" "$3/scene.vert.spv" "$3/scene.frag.spv" >"$3/listed"
test "$(grep -c rframe "$3/listed")" -eq 1
grep -q 'frame-1.rframe *1 *1 *2 *0' "$3/listed"
test ! -e "$3/left/frame-3.rframe"
# A second subpass is not captured: the draw in it is named, by the command, by `info` and by `draw`, which go on.
mkdir "$3/subpasses"
"$1" trace -q --graphics --frames 1 -o "$3/subpasses" -- "$2" "$3/scene.vert.spv" "$3/scene.frag.spv" two >"$3/listed"
grep -q 'frame-1.rframe *1 *1 *2 *2$' "$3/listed" || { cat "$3/listed"; exit 1; }
"$1" info "$3/subpasses/frame-1.rframe" >"$3/told"
"$1" draw --no-trace "$3/subpasses/frame-1.rframe" -o "$3/subpasses" >"$3/drawn"
for output in listed told drawn; do
  sed -n 's/^\(before draw-[0-9]\|draw-[0-9]\)  *\(a render .*\|vk[A-Za-z]*\)$/\1 \2/p' "$3/$output" >"$3/found"
  diff -u - "$3/found" <<END || { cat "$3/$output"; exit 1; }
before draw-0 a render pass of several subpasses
draw-1 vkCmdNextSubpass
END
done
"$1" info --json "$3/subpasses/frame-1.rframe" | tr -d ' \n' |
  grep -q '"not_captured":\[{"draw":"beforedraw-0","command":"arenderpassofseveralsubpasses"},{"draw":"draw-1","command":"vkCmdNextSubpass"}\]'
"$1" trace -q --json --graphics --frames 1 -o "$3/subpasses" -- "$2" "$3/scene.vert.spv" "$3/scene.frag.spv" | tr -d ' \n' | grep -q '"incomplete":\[\]'
