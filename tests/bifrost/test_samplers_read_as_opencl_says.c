/* Texture instructions with a sampler, TEXS_2D and TEXC, read what OpenCL 1.2, section 8.2, says, computed in another
 * way: coordinates are brought into the image step by step, and filtered texels are summed in double precision.
 * Formats, sizes, layouts, wrapping, borders, coordinates and active lanes are random: at least 10,000 cases of each
 * row. */
#include "image_bench.h"

#define ROUNDS         5  /* of a picture and a sampler */
#define COORDINATE_ONE 64 /* coordinates are multiples of a 64th of a texel, which floats hold exactly */
#define SAMPLER_BYTES  32
#define TEXTURE_BYTES  32
#define SAMPLER_TYPE   1
#define MOST_INDEX     1

enum wrap { REPEAT = 8, EDGE = 9, BORDER = 11, MIRROR = 12, MIRROR_ONCE = 13, MIRROR_ONCE_BORDER = 15 };

struct sampler {
  uint32_t wrap[2], border[4];
  bool normalised, nearest;
};

/* An instruction in all lanes. */
struct sample {
  const struct operation *row;
  uint32_t bits, uniform, texture, index; /* numbers of the texture and of the sampler */
  struct sampler sampler;
  int32_t point[2][WARP_LANES]; /* in 64ths of a texel */
  uint8_t active;
  bool packs, is_half;
};

static bool is_texc(const struct sample *s) {
  return strcmp(s->row->name, "TEXC") == 0;
}

/* Returns a texel's coordinate within an image, or -1: the border. */
static int32_t brought_in(int32_t at, int32_t size, uint32_t wrap) {
  if (wrap == MIRROR_ONCE || wrap == MIRROR_ONCE_BORDER)
    at = at < 0 ? -1 - at : at;
  while (wrap == REPEAT && at < 0)
    at += size;
  while (wrap == REPEAT && at >= size)
    at -= size;
  while (wrap == MIRROR && (at < 0 || at >= size))
    at = at < 0 ? -1 - at : 2 * size - 1 - at;
  if ((wrap == BORDER || wrap == MIRROR_ONCE_BORDER) && (at < 0 || at >= size))
    return -1;
  return at < 0 ? 0 : at >= size ? size - 1 : at;
}

static void texel_at(const struct image_bench *b, const struct sampler *s, int32_t x, int32_t y, uint32_t out[4]) {
  const int32_t inside[2] = {brought_in(x, (int32_t)b->picture.width, s->wrap[0]),
                             brought_in(y, (int32_t)b->picture.height, s->wrap[1])};
  if (inside[0] < 0 || inside[1] < 0)
    memcpy(out, s->border, sizeof s->border);
  else
    reference_texel(b, (uint32_t)inside[0], (uint32_t)inside[1], out);
}

/* Sets the four components at a point, and the sum of their parts' sizes. */
static void filtered(const struct image_bench *b, const struct sample *s, unsigned lane, double out[4],
                     double size[4]) {
  const double x = (double)s->point[0][lane] / COORDINATE_ONE - 0.5,
               y = (double)s->point[1][lane] / COORDINATE_ONE - 0.5;
  const double right = x - floor(x), lower = y - floor(y);
  memset(out, 0, 4 * sizeof *out);
  memset(size, 0, 4 * sizeof *size);
  for (int i = 0; i < 4; i++) {
    const double weight = (i % 2 ? right : 1 - right) * (i / 2 ? lower : 1 - lower);
    uint32_t texel[4];
    texel_at(b, &s->sampler, (int32_t)floor(x) + i % 2, (int32_t)floor(y) + i / 2, texel);
    for (int k = 0; k < 4; k++) {
      out[k] += weight * single_value(texel[k]);
      size[k] += weight * fabs(single_value(texel[k]));
    }
  }
}

/* Returns component i of what a lane read, as 32 bits. */
static uint32_t component(const struct warp *warp, const struct sample *s, unsigned lane, unsigned i) {
  const uint32_t word = warp->values[BENCH_STAGING + (s->packs ? i / 2 : i)].at[lane];
  return s->packs ? word >> (i % 2 * 16) & 0xffff : word;
}

static bool is_near(const struct sample *s, uint32_t got, double wanted, double size) {
  const double value = s->is_half ? half_number(got) : single_value(got);
  const double bound = size * (s->is_half ? 0x1p-10 : 0x1p-21) + (s->is_half ? 0x1p-24 : 0x1p-126);
  return fabs(value - wanted) <= bound;
}

static bool is_equal(const struct sample *s, uint32_t got, uint32_t wanted) {
  if (s->is_half)
    return got == half_rounded(single_value(wanted), V_NONE);
  return got == (s->packs ? wanted & 0xffff : wanted);
}

static void check_lane(const struct image_bench *b, const struct sample *s, const struct warp *warp, unsigned lane) {
  uint32_t nearest[4];
  double wanted[4] = {0}, size[4] = {0};
  texel_at(b, &s->sampler, (int32_t)floor((double)s->point[0][lane] / COORDINATE_ONE),
           (int32_t)floor((double)s->point[1][lane] / COORDINATE_ONE), nearest);
  if (!s->sampler.nearest)
    filtered(b, s, lane, wanted, size);
  for (unsigned i = 0; i < 4; i++) {
    const uint32_t got = component(warp, s, lane, i);
    if (s->sampler.nearest ? !is_equal(s, got, nearest[i]) : !is_near(s, got, wanted[i], size[i]))
      fail_msg("%s, format %u of %u x %u, wraps %u and %u, %s, point (%d, %d) / 64: component %u is 0x%08x, expected "
               "0x%08x or %.9g",
               s->row->name, b->picture.number, b->picture.width, b->picture.height, s->sampler.wrap[0],
               s->sampler.wrap[1], s->sampler.nearest ? "nearest" : "linear", s->point[0][lane], s->point[1][lane], i,
               got, nearest[i], wanted[i]);
  }
}

/* Images that filters can read: numbers of at most 16 bits, or floats that are not large. */
static void choose_filtered(struct image_bench *b) {
  struct picture *p = &b->picture;
  if (!holds_floats(p)) {
    p->type = random_below(&b->random, 2) ? 3 : 5;
    p->size = 3 + random_below(&b->random, 2);
  }
  set_picture_number(p);
}

/* Floats between -2 and 2 everywhere: their exponents are limited. */
static void limit_floats(struct image_bench *b) {
  const unsigned bytes = component_bytes(&b->picture);
  if (holds_floats(&b->picture))
    for (size_t i = bytes - 1; i < sizeof b->image; i += bytes)
      b->image[i] = (uint8_t)((b->image[i] & 0x80) | (0x38 + (b->image[i] & 7)));
}

static void choose_sampler(struct image_bench *b, struct sample *s) {
  static const uint32_t wraps[] = {REPEAT, EDGE, BORDER, MIRROR, MIRROR_ONCE, MIRROR_ONCE_BORDER};
  s->sampler.normalised = random_below(&b->random, 2);
  for (int d = 0; d < 2; d++)
    s->sampler.wrap[d] = wraps[random_below(&b->random, sizeof wraps / sizeof *wraps)];
  for (int i = 0; i < 4; i++)
    s->sampler.border[i] = single_bits((float)random_below(&b->random, 100) / 64);
  if (s->sampler.normalised) { /* products of coordinates and sizes are exact */
    b->picture.width = 1u << random_below(&b->random, 6);
    b->picture.height = 1u << random_below(&b->random, 6);
  }
}

/* Writes the sampler, and moves the texture where the instruction looks for it. */
static void describe_sampler(struct image_bench *b, const struct sample *s) {
  const size_t at = TABLE_SAMPLER + s->index * SAMPLER_BYTES;
  uint8_t texture[TEXTURE_BYTES];
  put_word(b, at,
           SAMPLER_TYPE | s->sampler.wrap[1] << 12 | s->sampler.wrap[0] << 16 | (uint32_t)s->sampler.normalised << 25 |
               (uint32_t)s->sampler.nearest << 28);
  memcpy(b->tables + at + 16, s->sampler.border, sizeof s->sampler.border);
  memcpy(texture, b->tables + 64, sizeof texture);
  memset(b->tables + 64, 0, sizeof texture);
  memcpy(b->tables + 64 + s->texture * TEXTURE_BYTES, texture, sizeof texture);
}

/* Sets the instruction: TEXS_2D names its texture and sampler, TEXC has a descriptor in its uniform. */
static void choose_instruction(struct image_bench *b, struct sample *s) {
  const bool is_whole = holds_integers(&b->picture), is_signed = b->picture.type == TYPE_SIGNED;
  s->bits = random_access_bits(b, s->row);
  s->texture = random_below(&b->random, MOST_INDEX + 1);
  s->index = random_below(&b->random, MOST_INDEX + 1);
  s->packs = is_texc(s) ? random_below(&b->random, 2) : strcmp(s->row->name, "TEXS_2D.f16") == 0;
  s->is_half = s->packs && !is_whole;
  const uint32_t form = is_whole ? (s->packs ? 12u : 14u) + is_signed : s->packs ? 0 : 4;
  const uint32_t level = 4 + random_below(&b->random, 4);
  s->uniform = 0xf0087800 | form << 24 | level << 20 | s->texture << 4 | s->index;
  if (!is_texc(s))
    s->bits = (s->bits & ~(7u << 6 | 1u << 9 | 7u << 10)) | s->texture << 6 | s->index << 10;
}

static void choose_points(struct image_bench *b, struct sample *s, struct warp *warp) {
  const uint32_t size[2] = {b->picture.width, b->picture.height};
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    for (int d = 0; d < 2; d++) {
      const int32_t point =
          (int32_t)random_below(&b->random, 6 * size[d] * COORDINATE_ONE) - (int32_t)(5 * size[d] * COORDINATE_ONE / 2);
      s->point[d][lane] = point;
      warp->values[1 + d].at[lane] =
          single_bits((float)point / COORDINATE_ONE / (s->sampler.normalised ? (float)size[d] : 1));
    }
  for (unsigned i = 0; i < 4; i++)
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      warp->values[BENCH_STAGING + i].at[lane] = (uint32_t)random_next(&b->random);
  s->active = (uint8_t)(1 + random_below(&b->random, 255));
}

static void run_once(struct image_bench *b, const struct bifrost_shader *shader, struct sample *s) {
  struct bifrost_runner *runner;
  struct error error = ERROR_INIT;
  struct warp before;
  uint8_t taken;
  assert_int_equal(bifrost_runner_create(shader, &b->dispatch, NULL, &runner, NULL), 0);
  memset(runner->warps, 0, sizeof *runner->warps);
  choose_points(b, s, &runner->warps[0]);
  runner->warps[0].alive = 0xff;
  runner->at.lanes = s->active;
  runner->error = &error;
  before = runner->warps[0];
  if (clause_run(runner, &runner->warps[0], shader->clauses, &taken))
    fail_msg("%s", error.text);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    if (s->active >> lane & 1)
      check_lane(b, s, &runner->warps[0], lane);
    else
      for (unsigned i = 0; i < 4; i++)
        assert_int_equal(runner->warps[0].values[BENCH_STAGING + i].at[lane],
                         before.values[BENCH_STAGING + i].at[lane]);
  bifrost_runner_destroy(runner);
}

static void try_sampler(struct image_bench *b, const struct operation *row) {
  struct bifrost_shader *shader;
  struct error error = ERROR_INIT;
  struct sample s = {.row = row};
  choose_picture(b);
  s.sampler.nearest = random_below(&b->random, 2);
  if (!s.sampler.nearest || !is_texc(&s))
    choose_filtered(b);
  choose_sampler(b, &s);
  limit_floats(b);
  choose_instruction(b, &s);
  b->dispatch.architecture = 6 + random_below(&b->random, 2);
  b->dispatch.fau[0] = s.uniform;
  describe(b);
  describe_sampler(b, &s);
  pack_access(b, BENCH_FMA_NOP, s.bits);
  if (bifrost_shader_create(&b->dispatch, &shader, &error))
    fail_msg("%s", error.text);
  for (unsigned i = 0; i < ROUNDS; i++)
    run_once(b, shader, &s);
  bifrost_shader_destroy(shader);
}

static void samplers_equal_their_reference(void **state) {
  static struct image_bench bench;
  unsigned rows = 0;
  (void)state;
  bench.random = (struct random_state){23};
  set_up_images(&bench);
  bench.dispatch.texture_count = bench.dispatch.sampler_count = MOST_INDEX + 1;
  for (const struct operation *row = bifrost_operations; row < bifrost_operations + bifrost_operation_count; row++) {
    if (fuzz_of(row) != FUZZ_SAMPLERS && strcmp(row->name, "TEXC") != 0)
      continue;
    for (unsigned cases = 0; cases < FUZZ_CASES; cases += ROUNDS * WARP_LANES)
      try_sampler(&bench, row);
    rows++;
  }
  assert_int_equal(rows, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(samplers_equal_their_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
