/* Loads from images, addresses of texels, stores and texture fetches do what a plain reference does, with random
 * formats, sizes, layouts, coordinates and data: at least 10,000 cases of each. */
#include "expect_error.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "clause_packer.h"
#include "tracegen/bifrost/exec/warp.h"

#define CASES       10000
#define CODE        ((uint64_t)0x100000000)
#define TABLES      ((uint64_t)0x200000000)
#define IMAGE       ((uint64_t)0x300000000)
#define IMAGE_BYTES 65536
#define TABLE_BYTES 256
#define FMA_NOP     0x701963
#define DTSEL       0x70f3e0 /* the first table of attributes; its source is register 1 */
#define STAGING     8
#define MOST_SIDE   40

enum what { LOADS, ADDRESSES, STORES, FETCHES, WHATS };

/* Instructions of the ADD unit: their sources are registers 1 and 2, and the uniform. */
static const uint32_t encodings[WHATS] = {
    [LOADS] = 0x40600 | 3 << 11 | 1 << 3 | 4 << 6,     /* LD_ATTR_TEX.v4, with a register format */
    [ADDRESSES] = 0xc0600 | 3 | 1 << 3 | 4 << 6,       /* LEA_ATTR_TEX: the first source is the FMA unit's result */
    [STORES] = 0xc9800 | 3 << 9 | 0 | 1 << 3 | 4 << 6, /* ST_CVT.v4 */
    [FETCHES] = 0xd7000 | 0 | 1 << 3 | 4 << 6};        /* TEXC */

struct picture {
  uint32_t width, height, type, size, components, number; /* of the format */
  bool tiled;
};

struct bench {
  uint8_t code[PACKED_CLAUSE_BYTES], tables[TABLE_BYTES], image[IMAGE_BYTES], wanted[IMAGE_BYTES];
  struct bifrost_region regions[3];
  struct bifrost_memory memory;
  struct bifrost_dispatch dispatch;
  struct random_state random;
  struct picture picture;
  uint32_t x[WARP_LANES], y[WARP_LANES], given[WARP_LANES][4];
};

static bool is_float(const struct picture *p) {
  return p->size == 7;
}

static unsigned component_bytes(const struct picture *p) {
  return is_float(p) ? (p->type == 5 ? 4 : 2) : 1u << (p->size - 3);
}

static void choose_picture(struct bench *b) {
  struct picture *p = &b->picture;
  const uint32_t counts[] = {1, 2, 4};
  p->width = 1 + random_below(&b->random, MOST_SIDE);
  p->height = 1 + random_below(&b->random, MOST_SIDE);
  p->components = counts[random_below(&b->random, 3)];
  p->tiled = random_below(&b->random, 2);
  p->size = random_below(&b->random, 4) ? 3 + random_below(&b->random, 3) : 7;
  p->type = p->size == 7 ? 5 + random_below(&b->random, 2) : 3 + random_below(&b->random, 4);
  p->number = p->type << 5 | (p->components - 1) << 3 | p->size;
}

/* The place of a texel, bit by bit. */
static size_t texel_place(const struct picture *p, uint32_t x, uint32_t y) {
  const size_t texel = p->components * component_bytes(p);
  const char *order = "y3 e3 y2 e2 y1 e1 y0 e0"; /* e: x xor y */
  size_t place = 0;
  if (!p->tiled)
    return y * (p->width * texel + 64) + x * texel;
  for (const char *at = order; *at; at += at[2] ? 3 : 2)
    place = 2 * place + (((*at == 'e' ? x ^ y : y) >> (at[1] - '0')) & 1);
  return (size_t)(y / 16) * (((size_t)p->width + 15) / 16 * 256 * texel) + (size_t)(x / 16) * 256 * texel +
         place * texel;
}

static double half_reference(uint32_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                      : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                     : ldexp(fraction, -24);
  return bits & 0x8000 ? -size : size;
}

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Returns what a register holds of a component in memory. */
static uint32_t loaded(const struct picture *p, const uint8_t *from) {
  const unsigned bits = 8 * component_bytes(p);
  uint64_t value = 0;
  for (unsigned i = 0; i < bits / 8; i++)
    value |= (uint64_t)from[i] << (8 * i);
  const int64_t negative = value >> (bits - 1) ? (int64_t)value - ((int64_t)1 << bits) : (int64_t)value;
  if (is_float(p))
    return bits == 32 ? (uint32_t)value : float_bits((float)half_reference((uint32_t)value));
  if (p->type == 4)
    return (uint32_t)value;
  if (p->type == 6)
    return (uint32_t)negative;
  if (p->type == 5)
    return float_bits((float)((double)value / (ldexp(1, (int)bits) - 1)));
  return float_bits((float)fmax(-1, (double)negative / (ldexp(1, (int)bits - 1) - 1)));
}

static bool is_whole(const struct picture *p) {
  return !is_float(p) && (p->type == 4 || p->type == 6);
}

/* The registers' contents for the texel at (x, y); zeros outside of the image. */
static void reference_texel(const struct bench *b, uint32_t x, uint32_t y, uint32_t out[4]) {
  const struct picture *p = &b->picture;
  memset(out, 0, 4 * sizeof *out);
  if (x >= p->width || y >= p->height)
    return;
  out[3] = is_whole(p) ? 1 : float_bits(1);
  for (unsigned i = 0; i < p->components; i++)
    out[i] = loaded(p, b->image + texel_place(p, x, y) + i * component_bytes(p));
}

/* Stores are of components whose loaded form is known: the reference finds bytes that load as the component. */
static void give_storable(struct bench *b, unsigned lane, uint8_t *bytes) {
  const struct picture *p = &b->picture;
  for (unsigned i = 0; i < 4; i++) {
    for (unsigned k = 0; k < component_bytes(p); k++)
      bytes[i * component_bytes(p) + k] = (uint8_t)random_next(&b->random);
    if (p->type == 3 && !is_float(p)) /* the least fraction has two forms */
      bytes[i * component_bytes(p)] |= 1;
    if (is_float(p)) /* not infinite and no NaN, of which halves have many */
      bytes[i * component_bytes(p) + component_bytes(p) - 1] &= 0xbf;
    b->given[lane][i] = loaded(p, bytes + i * component_bytes(p));
  }
}

static void put_word(struct bench *b, size_t at, uint32_t word) {
  memcpy(b->tables + at, &word, sizeof word);
}

/* The tables: an attribute, its buffer, a texture and its surface. */
static void describe(struct bench *b) {
  const struct picture *p = &b->picture;
  const size_t texel = p->components * component_bytes(p);
  const uint32_t order = b->dispatch.architecture == 6 ? 03210 : 0, format = p->number << 12 | order;
  const uint32_t row = (uint32_t)(p->tiled ? ((size_t)p->width + 15) / 16 * 256 * texel : p->width * texel + 64);
  memset(b->tables, 0, sizeof b->tables);
  put_word(b, 0, format << 10);
  put_word(b, 32, (uint32_t)IMAGE | (p->tiled ? 6 : 5));
  put_word(b, 36, (uint32_t)(IMAGE >> 32));
  put_word(b, 48, 32 | (p->width - 1) << 16);
  put_word(b, 52, p->height - 1);
  put_word(b, 56, row);
  put_word(b, 64, 2 | 2 << 4 | format << 10);
  put_word(b, 68, (p->width - 1) | (p->height - 1) << 16);
  put_word(b, 72, 03210 | (p->tiled ? 1 : 2) << 12);
  put_word(b, 80, (uint32_t)TABLES + 128);
  put_word(b, 84, (uint32_t)(TABLES >> 32));
  put_word(b, 128, (uint32_t)IMAGE);
  put_word(b, 132, (uint32_t)(IMAGE >> 32));
  put_word(b, 136, row);
}

static uint32_t uniform_of(const struct bench *b, enum what what) {
  const uint32_t order = b->dispatch.architecture == 6 ? 03210 : 0;
  const uint32_t result = is_whole(&b->picture) ? 14 : 4;
  return what == STORES    ? b->picture.number << 12 | order
         : what == FETCHES ? 0xf0186800 | result << 24 /* texture 0, two dimensions, a texel of level 0 */
                           : 0;
}

static void pack(struct bench *b, enum what what) {
  struct clause clause = {.tuple_count = 1, .header = {.staging_register = STAGING}};
  const uint32_t format = what == LOADS ? (is_whole(&b->picture) ? 3u : 1u) << 13 : 0;
  clause.tuples[0] = (struct clause_tuple){(uint64_t)3 << 31 | 40 << 8 | 3 << 14 | 1 << 20 | (uint64_t)2 << 25 | 0x80,
                                           what == ADDRESSES ? DTSEL : FMA_NOP, encodings[what] | format};
  pack_clause(&clause, b->code);
}

static void set_registers(struct bench *b, struct warp *warp, enum what what) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    const uint64_t address = IMAGE + texel_place(&b->picture, b->x[lane], b->y[lane]);
    const bool packed = what == LOADS || what == ADDRESSES;
    warp->values[1].at[lane] = what == STORES ? (uint32_t)address : b->x[lane] | (packed ? b->y[lane] << 16 : 0);
    warp->values[2].at[lane] = what == STORES ? (uint32_t)(address >> 32) : packed ? 0 : b->y[lane];
    for (unsigned i = 0; i < 4; i++)
      warp->values[STAGING + i].at[lane] = what == STORES ? b->given[lane][i] : 0;
  }
}

/* Coordinates; those of stores are inside of the image and different. */
static void choose_texels(struct bench *b, enum what what) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    const uint32_t texels = b->picture.width * b->picture.height, at = (random_below(&b->random, texels) & ~7u) + lane;
    const bool inside = what == STORES;
    b->x[lane] = inside ? at % texels % b->picture.width : random_below(&b->random, b->picture.width + 2);
    b->y[lane] = inside ? at % texels / b->picture.width : random_below(&b->random, b->picture.height + 2);
  }
}

static void expect_stores(struct bench *b) {
  memcpy(b->wanted, b->image, sizeof b->wanted);
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    uint8_t bytes[16];
    give_storable(b, lane, bytes);
    memcpy(b->wanted + texel_place(&b->picture, b->x[lane], b->y[lane]), bytes,
           b->picture.components * component_bytes(&b->picture));
  }
}

static bool is_nan(uint32_t bits) {
  return (bits & 0x7fffffff) > 0x7f800000;
}

static void check_lane(const struct bench *b, const struct warp *warp, enum what what, unsigned lane) {
  uint32_t wanted[4] = {0};
  const bool inside = b->x[lane] < b->picture.width && b->y[lane] < b->picture.height;
  const uint64_t address = inside ? IMAGE + texel_place(&b->picture, b->x[lane], b->y[lane]) : 0;
  if (what != ADDRESSES)
    reference_texel(b, b->x[lane], b->y[lane], wanted);
  else
    memcpy(wanted, (uint32_t[]){(uint32_t)address, (uint32_t)(address >> 32), uniform_of(b, STORES)}, 12);
  for (unsigned i = 0; i < (what == ADDRESSES ? 3 : 4); i++) {
    const uint32_t got = warp->values[STAGING + i].at[lane];
    if (got != wanted[i] && !(is_nan(got) && is_nan(wanted[i])))
      fail_msg("instruction %d, format %u, texel (%u, %u) of %u x %u, component %u: 0x%08x, expected 0x%08x", what,
               b->picture.number, b->x[lane], b->y[lane], b->picture.width, b->picture.height, i, got, wanted[i]);
  }
}

static void run_once(struct bench *b, const struct bifrost_shader *shader, enum what what) {
  struct bifrost_runner *runner;
  struct error error = ERROR_INIT;
  uint8_t taken;
  choose_texels(b, what);
  if (what == STORES)
    expect_stores(b);
  assert_int_equal(bifrost_runner_create(shader, &b->dispatch, NULL, &runner, NULL), 0);
  memset(runner->warps, 0, sizeof *runner->warps);
  set_registers(b, &runner->warps[0], what);
  runner->warps[0].alive = runner->at.lanes = 0xff;
  runner->error = &error;
  if (clause_run(runner, &runner->warps[0], shader->clauses, &taken))
    fail_msg("%s", error.text);
  if (what == STORES && memcmp(b->image, b->wanted, sizeof b->image) != 0)
    fail_msg("format %u: a store leaves other bytes than the reference", b->picture.number);
  for (unsigned lane = 0; lane < WARP_LANES && what != STORES; lane++)
    check_lane(b, &runner->warps[0], what, lane);
  bifrost_runner_destroy(runner);
}

static void try_picture(struct bench *b, enum what what) {
  struct bifrost_shader *shader;
  struct error error = ERROR_INIT;
  choose_picture(b);
  if (what == STORES && b->picture.size == 5 && b->picture.type % 2) /* a float does not hold fractions of 32 bits */
    b->picture.number -= b->picture.size-- - 4;
  if (what == STORES && b->picture.width * b->picture.height % 8)
    b->picture.width = 8; /* the lanes store to different texels */
  b->dispatch.architecture = 6 + random_below(&b->random, 2);
  b->dispatch.fau[0] = uniform_of(b, what);
  describe(b);
  pack(b, what);
  if (bifrost_shader_create(&b->dispatch, &shader, &error))
    fail_msg("%s", error.text);
  for (unsigned i = 0; i < 5; i++)
    run_once(b, shader, what);
  bifrost_shader_destroy(shader);
}

static void set_up(struct bench *b) {
  b->regions[0] = (struct bifrost_region){CODE, PACKED_CLAUSE_BYTES, b->code, true};
  b->regions[1] = (struct bifrost_region){TABLES, TABLE_BYTES, b->tables, false};
  b->regions[2] = (struct bifrost_region){IMAGE, IMAGE_BYTES, b->image, false};
  b->memory = (struct bifrost_memory){b->regions, 3};
  b->dispatch = (struct bifrost_dispatch){.memory = &b->memory,
                                          .warp_lanes = 8,
                                          .groups = {1, 1, 1},
                                          .local = {8, 1, 1},
                                          .shader = CODE,
                                          .fau_count = 1,
                                          .attributes = TABLES,
                                          .attribute_buffers = TABLES + 32,
                                          .textures = TABLES + 64,
                                          .attribute_count = 1,
                                          .texture_count = 1};
  for (size_t i = 0; i < sizeof b->image; i++)
    b->image[i] = (uint8_t)random_next(&b->random);
}

static void images_equal_their_reference(void **state) {
  static struct bench bench = {.random = {20}};
  (void)state;
  set_up(&bench);
  for (int what = 0; what < WHATS; what++)
    for (unsigned cases = 0; cases < CASES; cases += 5 * WARP_LANES)
      try_picture(&bench, (enum what)what);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(images_equal_their_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
