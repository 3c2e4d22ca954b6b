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
grep -q -- '- {image: arg1}  # --arg "image.R.unsigned_int32\[4,4\]"$' saved.yaml
grep -q -- '- {sampler: \[mirrored_repeat,linear,normalized\]}  # --arg "sampler=mirrored_repeat,linear,normalized"$' saved.yaml
grep -q -- '- {float: 0.125}  # --arg "float=0.125"$' saved.yaml

"$program" trace k.cl --kernel k --global 4,4 --local 4,2 --arg 'image.RGBA.snorm_int16[8,6]=uniform' \
  --arg 'image.R.unsigned_int32[4,4]' --arg sampler=clamp --arg float=1 --save saved.yaml -o first >result 2>printed
grep -q 'init: uniform, low: -32768, high: 32767' saved.yaml

# Other kinds of images: by the number of sizes, or by a word behind the type.
cat >v.cl <<'END'
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
__kernel void v(read_only image3d_t from, read_only image2d_array_t layers, read_only image1d_t row,
                read_only image1d_buffer_t numbers, write_only image3d_t to) {
  const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  printf("%d %d\n", (int)get_image_depth(from), (int)get_image_array_size(layers));
  write_imagef(to, at, read_imagef(from, at) + read_imagef(layers, at) + read_imagef(row, at.x) +
               convert_float4(read_imagei(numbers, at.x)));
}
END
"$program" trace v.cl --kernel v --global 4,4,2 --local 4,4,1 --arg 'image.R.float[4,4,3]=2' \
  --arg 'image.R.float.2d_array[4,4,5]=1' --arg 'image.RGBA.half_float[4]=index' \
  --arg 'image.R.signed_int8.1d_buffer[4]=uniform' --arg 'image.RGBA.float[4,4,2]' --save saved.yaml -o first \
  >result 2>printed
[ "$(sort -u printed)" = "3 5" ]
"$program" trace saved.yaml -o second >result 2>printed
cmp first/v.v.4x4x2.4x4.rtrace second/v.rtrace
grep -q 'arg0: {image: \[4,4,3\], order: "R", type: "float", init: constant, low: 2}' saved.yaml
grep -q 'arg1: {image: \[4,4,5\], order: "R", type: "float", kind: "2d_array", init: constant, low: 1}' saved.yaml
grep -q 'arg3: .*kind: "1d_buffer", init: uniform, low: -128, high: 127}' saved.yaml
if "$program" trace v.cl --kernel v --global 4,4,2 --local 4,4,1 --arg 'image.R.float.5d[4,4,3]' 2>message; then exit 1; fi
if "$program" simulate --quiet --gpu generic-scalar v.cl --global 4,4,2 2>message; then exit 1; fi
grep -qF ' --arg from=image.RGBA.unorm_int8[WIDTH,HEIGHT,DEPTH]=uniform ' message
grep -qF ' --arg layers=image.RGBA.unorm_int8.2d_array[WIDTH,HEIGHT,LAYERS]=uniform ' message
grep -qF ' --arg row=image.RGBA.unorm_int8[WIDTH]=uniform ' message
grep -qF ' --arg numbers=image.RGBA.unorm_int8.1d_buffer[WIDTH]=uniform ' message
