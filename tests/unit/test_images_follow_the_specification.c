/* Formats of texels and the choice of texels by samplers, against numbers worked out by hand from OpenCL 1.2, chapter
 * 8; also for the orders that the OpenCL of the other tests has not. Then reads of every kind of image, with every
 * addressing mode, filter and type of coordinates, against a slow reference that follows sections 8.2 and 8.4 line by
 * line in doubles: coordinates are multiples of an eighth and texels are small whole numbers, so that both are exact
 * and have to be equal to the bit. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "tracegen/abi/image_sample.h"

#define MOST_TEXELS 512
#define PLACES      4000

static void expect_color(struct image_format format, const void *texel, float r, float g, float b, float a) {
  const union image_color c = image_load(format, texel);
  const float expected[] = {r, g, b, a};
  for (int i = 0; i < 4; i++)
    assert_true(c.f[i] == expected[i]);
}

static void channels_go_where_the_order_says(void **state) {
  const uint8_t t[] = {255, 0, 51, 204};
  const float low = 51 * (1 / 255.0f), high = 204 * (1 / 255.0f);
  expect_color((struct image_format){IMAGE_R, IMAGE_UNORM_INT8}, t, 1, 0, 0, 1);
  expect_color((struct image_format){IMAGE_A, IMAGE_UNORM_INT8}, t, 0, 0, 0, 1);
  expect_color((struct image_format){IMAGE_RG, IMAGE_UNORM_INT8}, t + 1, 0, low, 0, 1);
  expect_color((struct image_format){IMAGE_RA, IMAGE_UNORM_INT8}, t + 2, low, 0, 0, high);
  expect_color((struct image_format){IMAGE_RGBA, IMAGE_UNORM_INT8}, t, 1, 0, low, high);
  expect_color((struct image_format){IMAGE_BGRA, IMAGE_UNORM_INT8}, t, low, 0, 1, high);
  expect_color((struct image_format){IMAGE_ARGB, IMAGE_UNORM_INT8}, t, 0, low, high, 1);
  expect_color((struct image_format){IMAGE_INTENSITY, IMAGE_UNORM_INT8}, t + 2, low, low, low, low);
  expect_color((struct image_format){IMAGE_LUMINANCE, IMAGE_UNORM_INT8}, t + 2, low, low, low, 1);
  (void)state;
}

static void signed_fractions_reach_minus_one(void **state) {
  const int8_t bytes[] = {-128, -127, 127, 0};
  const int16_t shorts[] = {-32768, 32767};
  expect_color((struct image_format){IMAGE_RGBA, IMAGE_SNORM_INT8}, bytes, -1, -1, 1, 0);
  expect_color((struct image_format){IMAGE_RG, IMAGE_SNORM_INT16}, shorts, -1, 1, 0, 1);
  (void)state;
}

static void what_is_stored_is_rounded_and_kept_in_range(void **state) {
  const union image_color floats = {.f = {0.5f, -3, INFINITY, NAN}};
  const union image_color integers = {.i = {-200, 100, 40000, -5}};
  const union image_color naturals = {.u = {300, 7, 70000, UINT32_MAX}};
  uint8_t u8[4];
  int8_t s8[4];
  uint16_t u16[4];
  image_store((struct image_format){IMAGE_RGBA, IMAGE_UNORM_INT8}, u8, &floats);
  assert_memory_equal(u8, ((uint8_t[]){128, 0, 255, 0}), 4); /* 127.5: to even */
  image_store((struct image_format){IMAGE_BGRA, IMAGE_SNORM_INT8}, s8, &floats);
  assert_memory_equal(s8, ((int8_t[]){127, -128, 64, 0}), 4); /* 63.5: to even */
  image_store((struct image_format){IMAGE_RGBA, IMAGE_SIGNED_INT8}, s8, &integers);
  assert_memory_equal(s8, ((int8_t[]){-128, 100, 127, -5}), 4);
  image_store((struct image_format){IMAGE_RGBA, IMAGE_UNSIGNED_INT16}, u16, &naturals);
  assert_memory_equal(u16, ((uint16_t[]){300, 7, 65535, 65535}), 8);
  image_store((struct image_format){IMAGE_A, IMAGE_UNSIGNED_INT8}, u8, &naturals);
  assert_int_equal(u8[0], 255);
  (void)state;
}

static void only_opencls_formats_are_valid(void **state) {
  struct image_format f;
  assert_true(image_format_from_numbers(0x10b5, 0x10de, &f));
  assert_int_equal(f.order, IMAGE_RGBA);
  assert_int_equal(f.type, IMAGE_FLOAT);
  assert_false(image_format_from_numbers(0x10b6, 0x10de, &f)); /* BGRA of floats */
  assert_false(image_format_from_numbers(0x10b8, 0x10d9, &f)); /* intensity of integers */
  assert_false(image_format_from_numbers(0x10b4, 0x10d4, &f)); /* RGB packed into 16 bits */
  assert_false(image_format_from_numbers(0, 0, &f));
  (void)state;
}

/* The columns that a read at (x, 0.5) touches in an image 4 texels wide and 1 high. */
static void expect_columns(uint32_t sampler, float x, int first, int second, float weight, bool border) {
  char texels[4] = {0};
  const struct image_argument image = {
      .texels = texels, .size = {4, 1, 1}, .row_bytes = 4, .texel_bytes = 1, .format = {IMAGE_R, IMAGE_UNORM_INT8}};
  const float place[] = {x, 0.5f, 0};
  const struct image_sample s = image_sample_point(&image, sampler, place);
  assert_int_equal(s.count, sampler & SAMPLER_LINEAR ? 4 : 1);
  assert_int_equal(s.x[0], first);
  assert_int_equal(s.border[0], border);
  if (s.count == 1)
    return;
  assert_int_equal(s.x[1], second);
  assert_true(fabsf(s.weight[1] - weight) < 1e-6f);
  assert_true(fabsf(s.weight[0] - (1 - weight)) < 1e-6f);
}

static void samplers_choose_texels(void **state) {
  const uint32_t fraction = SAMPLER_NORMALISED, linear = SAMPLER_LINEAR, nearest = SAMPLER_NEAREST;
  expect_columns(nearest | SAMPLER_CLAMP_TO_EDGE, 1.99f, 1, 0, 0, false);
  expect_columns(nearest | SAMPLER_CLAMP_TO_EDGE, -7, 0, 0, 0, false);
  expect_columns(nearest | SAMPLER_CLAMP_TO_EDGE, 4, 3, 0, 0, false);
  expect_columns(nearest | SAMPLER_CLAMP, -0.25f, 0, 0, 0, true);
  expect_columns(nearest | SAMPLER_CLAMP_TO_EDGE, NAN, 0, 0, 0, false);
  expect_columns(nearest | SAMPLER_CLAMP_TO_EDGE, 1e30f, 3, 0, 0, false);
  expect_columns(linear | SAMPLER_CLAMP_TO_EDGE, 1.75f, 1, 2, 0.25f, false);
  expect_columns(linear | SAMPLER_CLAMP_TO_EDGE, 0.25f, 0, 0, 0.75f, false);
  expect_columns(linear | SAMPLER_CLAMP, 0.25f, 0, 0, 0.75f, true);
  expect_columns(fraction | nearest | SAMPLER_CLAMP_TO_EDGE, 0.7f, 2, 0, 0, false);
  expect_columns(fraction | nearest | SAMPLER_REPEAT, -0.2f, 3, 0, 0, false);
  expect_columns(fraction | nearest | SAMPLER_REPEAT, 5.3f, 1, 0, 0, false);
  expect_columns(fraction | linear | SAMPLER_REPEAT, 0.0625f, 3, 0, 0.75f, false);
  expect_columns(fraction | linear | SAMPLER_REPEAT, 0.9375f, 3, 0, 0.25f, false);
  expect_columns(fraction | nearest | SAMPLER_MIRRORED_REPEAT, 1.2f, 3, 0, 0, false);
  expect_columns(fraction | nearest | SAMPLER_MIRRORED_REPEAT, -0.3f, 1, 0, 0, false);
  expect_columns(fraction | linear | SAMPLER_MIRRORED_REPEAT, 0.0625f, 0, 0, 0.75f, false);
  (void)state;
}

/* ---- all kinds of images ---- */

struct image {
  float texels[MOST_TEXELS][4];
  struct image_argument argument;
};

/* Fills an image of floats, whose rows follow each other without gaps. The first channel numbers the texels. */
static void make(struct image *image, enum image_kind kind, uint32_t width, uint32_t height, uint32_t depth,
                 struct image_format format) {
  struct random_state random = {17};
  assert_true(width * height * depth <= MOST_TEXELS);
  for (uint32_t t = 0; t < width * height * depth; t++)
    for (unsigned c = 0; c < 4; c++)
      image->texels[t][c] = c == 0 ? (float)t : (float)random_below(&random, 256);
  image->argument = (struct image_argument){.texels = (char *)image->texels,
                                            .size = {width, height, depth},
                                            .layers = kind == IMAGE_1D_ARRAY ? height : depth,
                                            .row_bytes = width * 16,
                                            .slice_bytes = (uint64_t)width * height * 16,
                                            .texel_bytes = 16,
                                            .format = format,
                                            .kind = (uint8_t)kind};
}

/* ---- the reference ---- */

/* The texels along one dimension and their weights; -1 or the size: the border. */
struct reference_span {
  long at[2];
  double weight[2];
};

static double in_texels(uint32_t sampler, double s, double size) {
  if (!(sampler & SAMPLER_NORMALISED))
    return s;
  if ((sampler & SAMPLER_ADDRESS) == SAMPLER_REPEAT)
    return (s - floor(s)) * size;
  if ((sampler & SAMPLER_ADDRESS) == SAMPLER_MIRRORED_REPEAT)
    return fabs(s - 2.0 * rint(0.5 * s)) * size;
  return s * size;
}

static long addressed(uint32_t sampler, long i, long size) {
  switch (sampler & SAMPLER_ADDRESS) {
  case SAMPLER_REPEAT:
    return i < 0 ? size + i : i > size - 1 ? i - size : i;
  case SAMPLER_CLAMP:
    return i < -1 ? -1 : i > size ? size : i;
  default:
    return i < 0 ? 0 : i > size - 1 ? size - 1 : i;
  }
}

static struct reference_span reference_span(uint32_t sampler, double s, long size) {
  const double u = in_texels(sampler, s, (double)size);
  if (!(sampler & SAMPLER_LINEAR))
    return (struct reference_span){.at = {addressed(sampler, (long)floor(u), size)}, .weight = {1, 0}};
  const long first = (long)floor(u - 0.5);
  const double a = (u - 0.5) - floor(u - 0.5);
  return (struct reference_span){.at = {addressed(sampler, first, size), addressed(sampler, first + 1, size)},
                                 .weight = {1 - a, a}};
}

static double channel(const struct image *image, const long at[3], unsigned c) {
  const uint32_t *size = image->argument.size;
  bool inside = true;
  for (unsigned d = 0; d < 3; d++)
    inside &= at[d] >= 0 && at[d] < (long)size[d];
  const bool opaque = image->argument.format.order == IMAGE_R;
  if (!inside)
    return opaque && c == 3 ? 1 : 0;
  return (double)image->texels[(at[2] * (long)size[1] + at[1]) * (long)size[0] + at[0]][c];
}

/* Writes the color of a read. Returns the number of texels whose weights it adds up. */
static unsigned reference_read(const struct image *image, uint32_t sampler, const double place[3], double color[4]) {
  static const unsigned dimensions[] = {[IMAGE_1D] = 1, [IMAGE_1D_BUFFER] = 1, [IMAGE_1D_ARRAY] = 1,
                                        [IMAGE_2D] = 2, [IMAGE_2D_ARRAY] = 2,  [IMAGE_3D] = 3};
  const unsigned n = dimensions[image->argument.kind];
  struct reference_span spans[3] = {{{0, 0}, {1, 0}}, {{0, 0}, {1, 0}}, {{0, 0}, {1, 0}}};
  for (unsigned d = 0; d < n; d++)
    spans[d] = reference_span(sampler, place[d], (long)image->argument.size[d]);
  if (image->argument.kind == IMAGE_1D_ARRAY || image->argument.kind == IMAGE_2D_ARRAY)
    spans[n].at[0] = (long)fmin(fmax(rint(place[n]), 0), (double)image->argument.size[n] - 1);
  memset(color, 0, 4 * sizeof *color);
  for (unsigned i = 0; i < 8; i++) {
    const long at[3] = {spans[0].at[i & 1], spans[1].at[i >> 1 & 1], spans[2].at[i >> 2]};
    const double weight = spans[0].weight[i & 1] * spans[1].weight[i >> 1 & 1] * spans[2].weight[i >> 2];
    for (unsigned c = 0; c < 4; c++)
      color[c] += weight == 0 ? 0 : weight * channel(image, at, c);
  }
  return sampler & SAMPLER_LINEAR ? 1u << n : 1;
}

/* ---- the comparison ---- */

static void expect_same(const struct image *image, uint32_t sampler, const double place[3], bool by_point) {
  const float point[] = {(float)place[0], (float)place[1], (float)place[2]};
  const int32_t texel[] = {(int32_t)place[0], (int32_t)place[1], (int32_t)place[2]};
  const struct image_argument *a = &image->argument;
  double expected[4];
  /* At integer coordinates there is one texel, whatever the filter is. */
  const unsigned count = reference_read(image, by_point ? sampler : sampler & ~SAMPLER_LINEAR, place, expected);
  const struct image_sample s =
      by_point ? image_sample_point(a, sampler, point) : image_sample_texel(a, sampler, texel);
  const union image_color found = image_sample_color(a, &s);
  assert_int_equal(s.count, count);
  for (unsigned c = 0; c < 4; c++)
    if ((double)found.f[c] != expected[c])
      fail_msg("%s image, sampler 0x%x, %s (%g, %g, %g), channel %u: found %g, expected %g",
               image_kind_name((enum image_kind)a->kind), sampler, by_point ? "point" : "texel", place[0], place[1],
               place[2], c, (double)found.f[c], expected[c]);
  for (unsigned t = 0; t < s.count; t++) {
    const size_t offset = (size_t)(image_texel(a, s.x[t], s.y[t], s.z[t]) - a->texels);
    const size_t linear = ((size_t)s.z[t] * a->size[1] + (size_t)s.y[t]) * a->size[0] + (size_t)s.x[t];
    assert_true(linear < (size_t)a->size[0] * a->size[1] * a->size[2]);
    assert_int_equal(offset, 16 * linear);
  }
}

static double coordinate(struct random_state *random, bool normalised, bool layer, double size) {
  const double eighths = (double)random_below(random, 8 * 24) - 8 * 8; /* -8 to 16 texels */
  return normalised && !layer ? eighths / 32 : eighths / 8 * (layer ? 1 : size / 8 > 1 ? 2 : 1);
}

static void compare(const struct image *image, uint32_t sampler, unsigned seed) {
  struct random_state random = {seed};
  const enum image_kind kind = (enum image_kind)image->argument.kind;
  for (unsigned i = 0; i < PLACES; i++) {
    double place[3], whole[3];
    for (unsigned d = 0; d < 3; d++) {
      const bool layer = image_kind_is_array(kind) && d == image_kind_dimensions(kind);
      place[d] = coordinate(&random, sampler & SAMPLER_NORMALISED, layer, image->argument.size[d]);
      whole[d] = floor(place[d]);
    }
    expect_same(image, sampler, place, true);
    if (!(sampler & SAMPLER_NORMALISED))
      expect_same(image, sampler, whole, false);
  }
}

static const struct {
  enum image_kind kind;
  uint32_t width, height, depth;
} shapes[] = {
    {IMAGE_1D, 13, 1, 1},      {IMAGE_1D, 1, 1, 1}, {IMAGE_1D_BUFFER, 16, 1, 1}, {IMAGE_1D_ARRAY, 7, 5, 1},
    {IMAGE_1D_ARRAY, 1, 1, 1}, {IMAGE_2D, 9, 7, 1}, {IMAGE_2D_ARRAY, 5, 6, 4},   {IMAGE_2D_ARRAY, 8, 1, 2},
    {IMAGE_3D, 7, 6, 5},       {IMAGE_3D, 8, 8, 8}, {IMAGE_3D, 1, 3, 2},
};

static void colors_and_texels_are_those_of_the_reference(void **state) {
  static const uint32_t modes[] = {SAMPLER_NONE,
                                   SAMPLER_CLAMP_TO_EDGE,
                                   SAMPLER_CLAMP,
                                   SAMPLER_NORMALISED | SAMPLER_NONE,
                                   SAMPLER_NORMALISED | SAMPLER_CLAMP_TO_EDGE,
                                   SAMPLER_NORMALISED | SAMPLER_CLAMP,
                                   SAMPLER_NORMALISED | SAMPLER_REPEAT,
                                   SAMPLER_NORMALISED | SAMPLER_MIRRORED_REPEAT};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
      struct image image;
      make(&image, shapes[i].kind, shapes[i].width, shapes[i].height, shapes[i].depth,
           (struct image_format){IMAGE_RGBA, IMAGE_FLOAT});
      compare(&image, modes[m] | SAMPLER_NEAREST, (unsigned)(i * 100 + m));
      compare(&image, modes[m] | SAMPLER_LINEAR, (unsigned)(i * 100 + m + 50));
    }
  (void)state;
}

static void layers_are_the_nearest_that_exist(void **state) {
  static const struct {
    float coordinate;
    int32_t layer;
  } rows[] = {{-7, 0},   {-0.5f, 0}, {0.5f, 0}, {0.75f, 1}, {1.5f, 2},
              {2.5f, 2}, {2.75f, 3}, {3.5f, 3}, {1e30f, 3}, {NAN, 0}};
  struct image image;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    make(&image, IMAGE_1D_ARRAY, 2, 4, 1, (struct image_format){IMAGE_RGBA, IMAGE_FLOAT});
    const float row[] = {0.5f, rows[i].coordinate, 0};
    assert_int_equal(image_sample_point(&image.argument, SAMPLER_NEAREST, row).y[0], rows[i].layer);
    make(&image, IMAGE_2D_ARRAY, 2, 2, 4, (struct image_format){IMAGE_RGBA, IMAGE_FLOAT});
    const float layer[] = {0.5f, 0.5f, rows[i].coordinate};
    const struct image_sample s = image_sample_point(&image.argument, SAMPLER_LINEAR | SAMPLER_NORMALISED, layer);
    assert_int_equal(s.count, 4);
    for (unsigned t = 0; t < s.count; t++)
      assert_int_equal(s.z[t], rows[i].layer);
  }
  (void)state;
}

static void layers_have_to_exist_without_a_sampler(void **state) {
  struct image image;
  make(&image, IMAGE_2D_ARRAY, 5, 4, 3, (struct image_format){IMAGE_RGBA, IMAGE_FLOAT});
  assert_true(image_inside(&image.argument, (int32_t[]){4, 3, 2}));
  assert_false(image_inside(&image.argument, (int32_t[]){4, 3, 3}));
  assert_false(image_inside(&image.argument, (int32_t[]){4, 3, -1}));
  assert_false(image_inside(&image.argument, (int32_t[]){4, 4, 0}));
  make(&image, IMAGE_1D, 5, 1, 1, (struct image_format){IMAGE_RGBA, IMAGE_FLOAT});
  assert_true(image_inside(&image.argument, (int32_t[]){4, 99, 99})); /* only the first counts */
  assert_false(image_inside(&image.argument, (int32_t[]){5, 0, 0}));
  (void)state;
}

static void kinds_have_the_sizes_of_their_types(void **state) {
  static const struct {
    const char *type;
    uint32_t number;
    unsigned dimensions, sizes;
  } rows[] = {{"image1d_t", 0x10f4, 1, 1}, {"image1d_buffer_t", 0x10f6, 1, 1}, {"image1d_array_t", 0x10f5, 1, 2},
              {"image2d_t", 0x10f1, 2, 2}, {"image2d_array_t", 0x10f3, 2, 3},  {"image3d_t", 0x10f2, 3, 3}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    enum image_kind kind, other;
    assert_true(image_kind_of_type(rows[i].type, &kind));
    assert_true(image_kind_from_number(rows[i].number, &other));
    assert_int_equal(kind, other);
    assert_int_equal(image_kind_number(kind), rows[i].number);
    assert_int_equal(image_kind_dimensions(kind), rows[i].dimensions);
    assert_int_equal(image_kind_sizes(kind), rows[i].sizes);
  }
  enum image_kind kind;
  assert_false(image_kind_of_type("image2d_depth_t", &kind));
  assert_false(image_kind_from_number(0x10f0, &kind)); /* a buffer */
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(channels_go_where_the_order_says),
      cmocka_unit_test(signed_fractions_reach_minus_one),
      cmocka_unit_test(what_is_stored_is_rounded_and_kept_in_range),
      cmocka_unit_test(only_opencls_formats_are_valid),
      cmocka_unit_test(samplers_choose_texels),
      cmocka_unit_test(colors_and_texels_are_those_of_the_reference),
      cmocka_unit_test(layers_are_the_nearest_that_exist),
      cmocka_unit_test(layers_have_to_exist_without_a_sampler),
      cmocka_unit_test(kinds_have_the_sizes_of_their_types),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
