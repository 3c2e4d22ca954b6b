#!/bin/sh
# Images and samplers as arguments of a kernel file, and the workload that --save keeps: it gives the same trace.
# Usage: images_by_options.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cat >k.cl <<'END'
__kernel void k(read_only image2d_t from, write_only image2d_t to, sampler_t s, float scale) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 c = read_imagef(from, s, convert_float2(at) * scale);
  printf("%d %d\n", (int)(c.x * 255 + 0.5f) / 255, c.x > 0);
  write_imageui(to, at, convert_uint4(c * 100));
}
END
"$program" trace k.cl --kernel k --global 4,4 --local 4,2 --arg 'image.BGRA.unorm_int8[8,6]=255' \
  --arg 'image.R.unsigned_int32[4,4]' --arg sampler=mirrored_repeat,linear,normalized --arg float=0.125 \
  --save saved.yaml -o first >result 2>printed
[ "$(sort -u printed)" = "1 1" ]
"$program" trace saved.yaml -o second >result 2>printed
cmp first/k.k.4x4.4x2.rtrace second/k.rtrace
grep -q 'arg0: {image: \[8,6\], order: "BGRA", type: "unorm_int8", init: constant, low: 255}' saved.yaml
grep -q 'args: \[{image: arg0}, {image: arg1}, {sampler: \[mirrored_repeat,linear,normalized\]}, {float: 0.125}\]' saved.yaml

"$program" trace k.cl --kernel k --global 4,4 --local 4,2 --arg 'image.RGBA.snorm_int16[8,6]=uniform' \
  --arg 'image.R.unsigned_int32[4,4]' --arg sampler=clamp --arg float=1 --save saved.yaml -o first >result 2>printed
grep -q 'init: uniform, low: -32768, high: 32767' saved.yaml
