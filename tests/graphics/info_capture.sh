#!/bin/sh
# `info` of each shipped capture has the vertices and primitives that an execution finds, and the samples that the capture holds; damaged
# files are refused.
# Usage: info_capture.sh REASSEMBLE ROOT SCRATCH
set -eu
program=$1 root=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs.sh"
needs spirv-val spirv-opt
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
members() { sed -n "s/^ *\"\\($1\\)\": *//p" "$2"; }
for frame in "$root"/datasets/graphics/*.rframe; do
  "$program" info --json "$frame" >info.json
  case $frame in */stages.rframe | */emitted.rframe | */divided.rframe | */chosen.rframe) continue ;; esac # draws that are not executed, or whose primitives a shader makes
  "$program" draw --no-trace --no-picture --json "$frame" -o . >draw.json
  members 'vertices\|primitives' draw.json >expected
  members 'vertices\|primitives' info.json >found
  test -s found
  diff -u expected found || { echo "$frame"; exit 1; }
done
"$program" draw --each-draw --no-trace --no-picture --json "$root/datasets/graphics/scene.rframe" -o . | sed -n 's/^ *"passed": *//p' >expected
"$program" info --json "$root/datasets/graphics/scene.rframe" | sed -n 's/^ *"passed": *//p' >found
diff -u expected found
test "$(wc -l <found)" -eq 2
"$program" info "$root/datasets/graphics/chosen.rframe" >told
grep -q '^ *0 .* a viewport (gl_ViewportIndex) is not supported' told
grep -q "^ *1 .* a target's layer (gl_Layer) is not supported" told
if grep -q '^ *2 .* not supported' told; then cat told; exit 1; fi
"$program" info "$root/datasets/graphics/flat.rframe" >told
grep -q 'A capture holds no results of shaders, so that it does not say: fragments, primitives a tile' told
"$program" info --json "$root/datasets/graphics/flat.rframe" | grep -q '"passed": null'

refuses() { # FILE WORDS
  if "$program" info "$1" >out 2>err; then echo "$1 was accepted"; exit 1; fi
  grep -q -e "$2" err || { cat err; exit 1; }
  test ! -s out
}
head -c 1000 "$root/datasets/graphics/scene.rframe" >cut.rframe
refuses cut.rframe 'cut.rframe: the compressed records are damaged'
head -c 10 "$root/datasets/graphics/scene.rframe" >head.rframe
refuses head.rframe 'head.rframe: this is no frame capture'
: >empty.rframe
refuses empty.rframe 'empty.rframe: this is no frame capture'
refuses absent.rframe 'absent.rframe: '
if "$program" info --blocks "$root/datasets/graphics/scene.rframe" >out 2>err; then echo "a capture has no blocks"; exit 1; fi
grep -q 'scene.rframe is a frame of many launches; --blocks wants one of its traces' err || { cat err; exit 1; }

# The size of tiles: a larger tile has no fewer primitives, and one that holds the picture has all.
"$program" draw --no-picture "$root/datasets/graphics/scene.rframe" -o . >/dev/null
"$program" info scene | head -1 | grep -q '^scene, tiles of 16x16 pixels$'
for tile in 4 16 128; do "$program" info --tile $tile --json scene | sed -n 's/^ *"primitives_per_tile": *//p' | head -1; done >found
sort -c -n found
test "$(tail -1 found)" = 4.0,
if "$program" info --tile 12 scene >out 2>err; then echo "--tile 12 was accepted"; exit 1; fi
grep -q -e '--tile: found 12, expected a power of two' err || { cat err; exit 1; }
