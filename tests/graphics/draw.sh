#!/bin/sh
# The shipped frame: what each draw does, and its picture; then twelve configurations replay it without another trace, each the same
# with one job and two, and tiles lose no quad.
# Usage: draw.sh REASSEMBLE ROOT SCRATCH
set -eu
program=$1 root=$2 scratch=$3
for need in spirv-val spirv-opt; do
  command -v $need >/dev/null || { echo "skipped: no $need (Debian: spirv-tools)"; exit 77; }
done
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
"$program" draw "$root/datasets/graphics/scene.rframe" -o . >drawn
# draw, pass, vertices, distinct, primitives, culled, clipped, quads, fragments, passed depth
awk '/^draw-/ { $11 = $12 = $13 = ""; print }' drawn | sed 's/ *$//' >found
diff -u - found <<END
draw-0 0 12 8 4 0 0 1390 5200 4080
draw-1 0 6 4 2 0 0 223 756 729
END
sh "$here/near.sh" drawn 99
# Each draw by itself covers Vulkan's samples and has its colors, and a capture that has no targets says so.
"$program" draw --each-draw --no-trace "$root/datasets/graphics/scene.rframe" -o each >drawn
grep -q "^2 of 2 draws cover Vulkan's samples" drawn || { cat drawn; exit 1; }
if "$program" draw --each-draw "$root/datasets/graphics/flat.rframe" -o each 2>err; then echo "flat.rframe has no targets"; exit 1; fi
grep -q 'the capture has no targets of its draws' err

for file in picture.png expected.png overdraw.png operations.png texels.png draw-0.fragment.rtrace draw-0.quads; do test -s "scene/$file"; done
test "$(ls scene/shader-*.cl | wc -l)" -eq 2 # of both draws

# What is damaged is refused by its name, and named.
refuses() { # FILE WORDS
  if "$program" draw "$1" -o . >out 2>err; then echo "$1 was accepted"; exit 1; fi
  grep -q "$2" err || { cat err; exit 1; }
}
head -c 1000 "$root/datasets/graphics/scene.rframe" >cut.rframe
refuses cut.rframe 'cut.rframe: the compressed records are damaged'
echo nothing >other.rframe
refuses other.rframe 'other.rframe: this is no frame capture'
cp -r scene damaged
head -c 100 scene/draw-0.quads >damaged/draw-0.quads
if "$program" frame damaged --gpu mali-g71-mp8 -q >out 2>err; then echo "damaged quads were accepted"; exit 1; fi
grep -q 'the file of quads is damaged' err

# Limits: a draw whose shader reaches one is left out, and the exit code says so; a trace of too much work is refused before its quads
# are sorted.
for more in "" --no-trace; do
  # shellcheck disable=SC2086 # nothing, or a word
  if "$program" draw "$root/datasets/graphics/scene.rframe" -o limited --max-instructions 5000 $more >out 2>err; then
    echo "draw: a limit was reached, and the exit code is 0"; exit 1
  fi
  grep -q '2 of 2 draws did not run to their ends, the first (draw-0 of .*more than 5000 .*--max-instructions allows more' err || { cat err; exit 1; }
  grep -q '^draw-1 ' out
done
if "$program" frame scene --gpu mali-g71-mp8 -q --max-instructions 5000 >out 2>err; then echo "frame: the limit was passed"; exit 1; fi
grep -q 'scene/draw-0.fragment.rtrace: the launch executes .* more than the limit of 5e+03' err || { cat err; exit 1; }

# A pass without its file cannot be replayed; the message says what writes it.
cp -r scene without
rm without/passes.json
if "$program" frame without --gpu mali-g71-mp8 -q >out 2>err; then echo "a folder without passes was accepted"; exit 1; fi
grep -q 'passes.json: is not there; `reassemble draw' err
echo '{"schema": "reassemble.passes/1", "passes": [], "draws": [{"number": 0, "pass": 3}]}' >without/passes.json
if "$program" frame without --gpu mali-g71-mp8 -q >out 2>err; then echo "a draw of no pass was accepted"; exit 1; fi
grep -q 'passes.json: pass: found 3' err || { cat err; exit 1; }

# The pass loads depth, and stores color and depth: 4 bytes a pixel each. In immediate mode pixels are accessed one by one.
"$program" frame scene --gpu mali-g71-mp8 -q --json >tiles.json
"$program" frame scene --gpu mali-g71-mp8 -q --json --immediate >immediate.json
number() { tr ',{}' '\n\n\n' <"$1" | sed -n "s/^ *\"$2\": *//p" | sed "s|\\.0\$||" | tail -1; }
test "$(number tiles.json target_load_bytes)" -eq $((96 * 64 * 4))
test "$(number tiles.json target_store_bytes)" -eq $((96 * 64 * 8))
test "$(number tiles.json list_entries)" -eq 53
test "$(number immediate.json list_entries)" -eq 0
# Draw 0 tests depth and writes all; draw 1 tests and blends.
test "$(number immediate.json target_load_bytes)" -eq $((4 * (5200 + 756 + 729)))
test "$(number immediate.json target_store_bytes)" -eq $((4 * (4080 * 2 + 729)))

for design in "--tile 8" "--tile 16" "--tile 64" "--order rows" "--order snake --raster-units 2" "--late-depth" "--group 32" \
  "--set cores=2" "--set l1_bytes=x4" "--set dispatch=chunked" "--immediate" "--list-entry 64"; do
  # shellcheck disable=SC2086 # several words
  "$program" frame scene --gpu mali-g71-mp8 -q $design --jobs 1 >one
  # shellcheck disable=SC2086
  "$program" frame scene --gpu mali-g71-mp8 -q $design --jobs 2 >two
  cmp one two
  awk -v design="$design" '$1 == "pass" { exit } $1 == 0 && $7 != 1390 || $1 == 1 && $7 != 223 { print design ": " $0; exit 1 }' one
done
