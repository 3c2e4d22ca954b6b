/* Reads of images that generated code executes give the colors of emulation_image, to the bit, and the same traces, to
 * the byte: at random places, on edges of texels, far away, and at places that are no numbers. A color that is no
 * number counts as any other. */
#include "expect_error.h"

#include "base/file.h"
#include "emulate_text.h"

#define PLACES "2048"

/* A place from two random words: near the image, on a multiple of half a texel, any number of that many bits, or one of
 * the numbers at which a conversion to integers changes. */
static const char helpers[] =
    "float coordinate(uint kind, int word, float size) {\n"
    "  const float special[16] = {0.0f, -0.0f, 1.0f, -1.0f, 0x1p-24f, -0x1p-24f, -0x1p-60f, 0x1p23f, -0x1p23f,\n"
    "    0x1p31f, -0x1p31f, 0x1p40f, 0x1.fffffep-1f, INFINITY, -INFINITY, NAN};\n"
    "  switch (kind & 3) {\n"
    "  case 0: return (word % 3000000) * 0.000001f * size;\n"
    "  case 1: return ((word % 64) * 0.5f) * (size > 1 ? 1 : 1 / 16.0f);\n"
    "  case 2: return as_float(word);\n"
    "  default: return special[word & 15];\n"
    "  }\n"
    "}\n"
    "float4 shown(float4 c) { return isnan(c) ? (float4)(7) : c; }\n";

/* `%s`: the sampler, the coordinates' type, and how a coordinate is made. */
static const char kernel[] =
    "%s"
    "__kernel void k(__global const int *w, __global float4 *o, read_only image2d_t a, read_only image2d_t b,\n"
    "                read_only image2d_t c) {\n"
    "  const sampler_t s = %s;\n"
    "  const size_t g = get_global_id(0);\n"
    "  const %s at = (%s)(%s, %s);\n"
    "  o[3 * g] = shown(read_imagef(a, s, at));\n"
    "  o[3 * g + 1] = shown(read_imagef(b, s, at));\n"
    "  o[3 * g + 2] = shown(read_imagef(c, s, at));\n"
    "}\n";

static const char body[] = "seed: %u\nbuffers:\n"
                           "  W: {type: int, count: 4096, init: uniform, low: -2147483648, high: 2147483647}\n"
                           "  O: {type: float, count: 24576, init: zero}\n"
                           "  A: {image: [1, 1], order: RGBA, type: %s, init: uniform%s}\n"
                           "  B: {image: [37, 29], order: RGBA, type: %s, init: uniform%s}\n"
                           "  C: {image: [64, 5], order: RGBA, type: %s, init: uniform%s}\n"
                           "launches:\n  - {kernel: k, global: " PLACES ", local: 64, args: [{buffer: W}, {buffer: O}, "
                           "{image: A}, {image: B}, {image: C}]}\n";

static const struct {
  const char *words, *type, *x, *y;
} samplers[] = {
#define NORMALISED "coordinate(g, w[2 * g], 1)", "coordinate(g >> 2, w[2 * g + 1], 1)"
#define TEXELS     "coordinate(g, w[2 * g], 40)", "coordinate(g >> 2, w[2 * g + 1], 40)"
    {"CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST", "float2", NORMALISED},
    {"CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR", "float2", NORMALISED},
    {"CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST", "float2", NORMALISED},
    {"CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR", "float2", NORMALISED},
    {"CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR", "float2", NORMALISED},
    {"CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR", "float2", NORMALISED},
    {"CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST", "float2", TEXELS},
    {"CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR", "float2", TEXELS},
    {"CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST", "int2", "w[2 * g]",
     "w[2 * g + 1] % 64"},
};

static void run(struct emulate_text *t, const char *source, const char *launch, const char *way) {
  const struct emulate_options options = {.trace_directory = "image-traces"};
  setenv("REASSEMBLE_IMAGES", way, 1);
  if (emulate_text_run(t, "images", source, launch, &options))
    fail_msg("%s", t->error.text);
}

static void expect_same_file(const char *path, const char *other) {
  char *a, *b;
  size_t length, other_length;
  struct error error = ERROR_INIT;
  assert_int_equal(file_read(path, 1 << 24, &a, &length, &error), 0);
  assert_int_equal(file_read(other, 1 << 24, &b, &other_length, &error), 0);
  assert_int_equal(length, other_length);
  assert_memory_equal(a, b, length);
  free(a);
  free(b);
}

static void compare(unsigned sampler, unsigned seed, const char *type, const char *range) {
  struct emulate_text called, inlined;
  char source[4096], launch[2048];
  snprintf(source, sizeof source, kernel, helpers, samplers[sampler].words, samplers[sampler].type,
           samplers[sampler].type, samplers[sampler].x, samplers[sampler].y);
  snprintf(launch, sizeof launch, body, seed, type, range, type, range, type, range);
  run(&called, source, launch, "called");
  assert_int_equal(rename(called.result.launches[0].trace_path, "called.rtrace"), 0);
  run(&inlined, source, launch, "inline");
  expect_same_file("called.rtrace", inlined.result.launches[0].trace_path);
  const float *a = called.result.buffers[1], *b = inlined.result.buffers[1];
  size_t differ = 0;
  for (size_t i = 0; i < called.workload->buffers[1].count; i++) {
    if (memcmp(&a[i], &b[i], sizeof *a) != 0)
      fail_msg("%s of %s: number %zu is %a by a call and %a without", samplers[sampler].words, type, i, (double)a[i],
               (double)b[i]);
    differ += a[i] != a[0];
  }
  assert_true(differ > 1000);
  emulate_text_clear(&called);
  emulate_text_clear(&inlined);
}

static void colors_and_traces_are_the_same(void **state) {
  for (unsigned s = 0; s < sizeof samplers / sizeof *samplers; s++) {
    compare(s, 1 + s, "unorm_int8", ", low: 0, high: 255");
    compare(s, 101 + s, "float", ", low: -4, high: 4");
  }
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(colors_and_traces_are_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
