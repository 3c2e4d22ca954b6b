#!/bin/sh
# The shipped frame: what each draw does, and its picture; then fifteen configurations replay it without another trace, each the same
# with one job and two, and tiles lose no quad.
# Usage: draw.sh REASSEMBLE ROOT SCRATCH
set -eu
program=$1 root=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs.sh"
needs spirv-val spirv-opt
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

# The numbers of the literature: primitives and fragments are those of the first table.
"$program" info scene >told
awk '$1 ~ /^[0-9]+$/ { print $1, $2, $3, $6, $8, $10 * $8 / 100 }' told | awk '{ $6 = sprintf("%.0f", $6 / 10) }; 1' >found
diff -u - found <<END
0 0 64 4 5200 408
1 0 64 2 756 73
END
grep -q 'The frame: draws 2, passes 1, vertex lanes 128, primitives 6, fragments 5956 (992.7 a primitive,' told || { cat told; exit 1; }
if "$program" info --blocks scene 2>err; then echo "a frame has no blocks"; exit 1; fi
grep -q 'scene is a frame of many launches; --blocks wants one of its traces' err

# Frames of one command share what they have compiled: the second one has no shader files of its own without traces, and its own with
# them. Their pictures are the same.
cp "$root/datasets/graphics/scene.rframe" again.rframe
"$program" draw --no-trace "$root/datasets/graphics/scene.rframe" again.rframe -o shared >/dev/null
test "$(ls shared/*/shader-*.cl | wc -l)" -eq 2
test "$(ls shared/scene/shader-*.cl | wc -l)" -eq 2
cmp shared/scene/picture.png shared/again/picture.png
cmp shared/scene/picture.png scene/picture.png
"$program" draw --no-picture again.rframe "$root/datasets/graphics/scene.rframe" -o traced >/dev/null
test "$(ls traced/*/shader-*.cl | wc -l)" -eq 4
cmp traced/scene/draw-0.fragment.rtrace scene/draw-0.fragment.rtrace
cmp traced/again/draw-1.vertex.rtrace scene/draw-1.vertex.rtrace
if ls traced/*/*.png 2>/dev/null; then echo "--no-picture wrote pictures"; exit 1; fi

# Checked shaders are kept on disk: a later command checks them again only where another program would check them, the kept ones are
# damaged, or nothing is kept. Traces are the same.
mkdir checkers
validator=$(command -v spirv-val)
printf '#!/bin/sh\necho >>%s/checked\nexec %s "$@"\n' "$scratch" "$validator" >checkers/spirv-val
chmod +x checkers/spirv-val
checks() { # CACHE COUNT WORDS
  : >checked
  PATH="$scratch/checkers:$PATH" REASSEMBLE_CACHE=$1 "$program" draw --no-picture "$root/datasets/graphics/scene.rframe" -o kept >/dev/null
  test "$(wc -l <checked)" -eq "$2" || { echo "$3: $(wc -l <checked) shaders were checked, expected $2"; exit 1; }
  for trace in draw-0.vertex draw-1.fragment; do cmp kept/scene/$trace.rtrace scene/$trace.rtrace; done
}
checks "$scratch/cache" 2 "an empty cache"
checks "$scratch/cache" 0 "a filled cache"
for kept in cache/shaders/*; do printf x >>"$kept"; done
checks "$scratch/cache" 2 "damaged shaders"
checks "$scratch/cache" 0 "new shaders"
echo >>checkers/spirv-val
checks "$scratch/cache" 2 "another checker"
chmod 666 cache/shaders/*
checks "$scratch/cache" 2 "shaders that others may write"
checks none 2 "no cache"

# Damaged files are refused, and the message names them.
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
sed 's/"width": *96/"width": 64/' scene/passes.json >without/passes.json
if "$program" frame without --gpu mali-g71-mp8 -q >out 2>err; then echo "a pass smaller than its quads was accepted"; exit 1; fi
grep -q 'passes.json: the pass of draw 0 has 64x64 pixels, and the draw covers [0-9]*x[0-9]*: the files are not of one frame' err || { cat err; exit 1; }

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

# The lines of the shaders that cost: of two draws two shaders each, by name, line and text; their sum is no more than that of the draws.
tr -d '\n' <tiles.json | tr '{' '\n' | sed -n 's/.*"shader": *"\([^"]*\)".*"cycles": *\([0-9.]*\),.*"text": *"\(.*\)".*/\1 \2 \3/p' >lines
test "$(cut -d' ' -f1 lines | sort -u | wc -l)" -eq 2
awk -v all="$(number tiles.json cycles_of_draws_alone)" 'NF < 3 { bad = 1 } { sum += $2 } NR > 1 && $2 > last { bad = 1 } { last = $2 } END { exit !(NR > 10 && sum > 0.5 * all && sum <= all) || bad }' lines ||
  { head lines; exit 1; }
"$program" frame scene --gpu mali-g71-mp8 -q >text
grep -q '^ *shader-[0-9a-f]*.cl ' text

# The tiler's time: a slow one is all that vertices wait for, and immediate mode has none.
cycles() { number "$1" "$2" | cut -d. -f1; }
"$program" frame scene --gpu mali-g71-mp8 -q --json --tiler-entry 100000 >slow.json
test "$(cycles slow.json vertex_cycles)" -eq $((53 * 100000))
test "$(($(cycles slow.json tiler) + $(cycles tiles.json cycles) - $(cycles slow.json cycles)))" -ge -1
test "$(($(cycles slow.json tiler) + $(cycles tiles.json cycles) - $(cycles slow.json cycles)))" -le 1
"$program" frame scene --gpu mali-g71-mp8 -q --json --tiler-entry 0 >none.json
cmp none.json tiles.json
"$program" frame scene --gpu mali-g71-mp8 -q --json --immediate --tiler-entry 100000 >none.json
test "$(cycles none.json cycles)" -eq "$(cycles immediate.json cycles)"

# Caches beside L1: their reads and those of L1 are what L1 and the GPU's texture cache are asked for, and immediate mode reads depth.
lines() { tr '{' '\n' <"$1" | sed -n 's/.*"cache": *"'"$2"'".*"accesses": *\([0-9]*\).*/\1/p'; }
"$program" frame scene --gpu mali-g71-mp8 -q --json --immediate \
  --set texture_cache_bytes=8192,texture_cache_ways=2,depth_cache_bytes=4096,vertex_cache_bytes=4096 | tr -d '\n' >caches.json
tr -d '\n' <immediate.json >one.json
sed 's/.*"designs"//; s/.*"caches"//' caches.json >last.json
all=0
for cache in L1 texture depth vertex; do
  test "$(lines last.json $cache)" -gt 0
  all=$((all + $(lines last.json $cache)))
done
test $all -eq $(($(lines one.json L1) + $(lines one.json texture)))

# Work tiles: one that covers all of the picture has all fragments on one core, as a GPU of one core has them.
"$program" frame scene --gpu mali-g71-mp8 -q --json --work-tile 4096 >tied.json
"$program" frame scene --gpu mali-g71-mp8 -q --json --set cores=1 | tr -d '\n' | sed 's/.*"gpu"/"gpu"/' >core.json
"$program" frame scene --gpu mali-g71-mp8 -q --json >free.json
tied=$(cycles tied.json fragment_cycles) core=$(cycles core.json fragment_cycles)
test "$tied" -gt "$(cycles free.json fragment_cycles)"
test $((100 * (tied > core ? tied - core : core - tied))) -lt $((5 * core)) # the other cores have no part in L2
# Every quad map has the same reads of textures, and cores that share caches have the misses of fewer of them.
for map in whole fine lines blocks columns quadrants; do
  "$program" frame scene --gpu mali-g71-mp8 -q --json --tile 32 --work-tile 1 --raster-units 2 --quad-map $map \
    --set texture_cache_bytes=8192,texture_cache_ways=2 --set texture_cache_bytes=8192,texture_cache_ways=2,texture_cache_cores=2 |
    tr -d '\n' >"map.json"
  sed 's/.*"designs"//' map.json | tr '{' '\n' | sed -n 's/.*"cache": *"texture".*"accesses": *\([0-9]*\).*"misses": *\([0-9]*\).*/\1 \2/p' >reads
  test "$(cut -d' ' -f1 reads | sort -u | wc -l)" -eq 1
  cut -d' ' -f1 reads | head -1 >>all_reads
done
test "$(sort -u all_reads | wc -l)" -eq 1
refuses_frame() { # WORDS OPTION...
  words=$1
  shift
  if "$program" frame scene --gpu mali-g71-mp8 -q "$@" >out 2>err; then echo "frame $* was accepted"; exit 1; fi
  grep -q -e "$words" err || { cat err; exit 1; }
}
refuses_frame '--quad-map fine: needs --work-tile N' --quad-map fine
refuses_frame '--immediate and --work-tile' --immediate --work-tile 2

for design in "--tile 8" "--tile 16" "--tile 64" "--order rows" "--order snake --raster-units 2" "--late-depth" "--group 32" \
  "--set cores=2" "--set l1_bytes=x4" "--set dispatch=chunked" "--immediate" "--list-entry 64" "--work-tile 1" "--work-tile 2 --raster-units 2 --quad-map blocks --set texture_cache_bytes=8192,texture_cache_cores=2" "--tiler-triangle 1 --tiler-entry 4"; do
  # shellcheck disable=SC2086 # several words
  "$program" frame scene --gpu mali-g71-mp8 -q $design --jobs 1 >one
  # shellcheck disable=SC2086
  "$program" frame scene --gpu mali-g71-mp8 -q $design --jobs 2 >two
  cmp one two
  awk -v design="$design" '$1 == "pass" { exit } $1 == 0 && $7 != 1390 || $1 == 1 && $7 != 223 { print design ": " $0; exit 1 }' one
done
