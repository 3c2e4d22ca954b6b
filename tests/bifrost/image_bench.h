/* A random image in the memory of an emulated GPU, its descriptors, and what its texels are, for the tests of the
 * instructions that access images. Written from the descriptions of formats and tables; reads nothing of the
 * emulator. */
#ifndef TEST_IMAGE_BENCH_H
#define TEST_IMAGE_BENCH_H

#include "expect_error.h"

#include "base/random.h"
#include "clause_packer.h"
#include "fuzzed_rows.h"
#include "reference_numbers.h"
#include "tracegen/bifrost/exec/warp.h"

#define BENCH_CODE       ((uint64_t)0x100000000)
#define BENCH_TABLES     ((uint64_t)0x200000000)
#define BENCH_IMAGE      ((uint64_t)0x300000000)
#define BENCH_STAGING    8
#define BENCH_FMA_NOP    0x701963
#define IMAGE_BYTES      65536
#define TABLE_BYTES      256
#define TABLE_SAMPLER    160 /* where the sampler's descriptor stands among the tables */
#define ROW_PADDING      64
#define MOST_SIDE        40
#define TYPE_UNSIGNED    4
#define TYPE_SIGNED      6
#define SIZE_OF_FLOATS   7
#define SINGLE_PRECISION 5 /* the type of floats of 32 bits */

struct picture {
  uint32_t width, height, type, size, components, number; /* of the format */
  bool tiled;
};

struct image_bench {
  uint8_t code[PACKED_CLAUSE_BYTES], tables[TABLE_BYTES], image[IMAGE_BYTES];
  struct bifrost_region regions[3];
  struct bifrost_memory memory;
  struct bifrost_dispatch dispatch;
  struct random_state random;
  struct picture picture;
};

static inline bool holds_floats(const struct picture *p) {
  return p->size == SIZE_OF_FLOATS;
}

static inline bool holds_integers(const struct picture *p) {
  return !holds_floats(p) && (p->type == TYPE_UNSIGNED || p->type == TYPE_SIGNED);
}

static inline unsigned component_bytes(const struct picture *p) {
  return holds_floats(p) ? (p->type == SINGLE_PRECISION ? 4 : 2) : 1u << (p->size - 3);
}

static inline size_t picture_texel_bytes(const struct picture *p) {
  return p->components * component_bytes(p);
}

static inline void set_picture_number(struct picture *p) {
  p->number = p->type << 5 | (p->components - 1) << 3 | p->size;
}

static inline void choose_picture(struct image_bench *b) {
  struct picture *p = &b->picture;
  const uint32_t counts[] = {1, 2, 4};
  p->width = 1 + random_below(&b->random, MOST_SIDE);
  p->height = 1 + random_below(&b->random, MOST_SIDE);
  p->components = counts[random_below(&b->random, 3)];
  p->tiled = random_below(&b->random, 2);
  p->size = random_below(&b->random, 4) ? 3 + random_below(&b->random, 3) : SIZE_OF_FLOATS;
  p->type = holds_floats(p) ? SINGLE_PRECISION + random_below(&b->random, 2) : 3 + random_below(&b->random, 4);
  set_picture_number(p);
}

/* Returns the bytes from a row to the next one, of tiles where there are tiles. */
static inline size_t picture_row_bytes(const struct picture *p) {
  const size_t texel = picture_texel_bytes(p);
  return p->tiled ? ((size_t)p->width + 15) / 16 * 256 * texel : p->width * texel + ROW_PADDING;
}

/* Returns the place of a texel in bytes; in a tile bit by bit. */
static inline size_t texel_place(const struct picture *p, uint32_t x, uint32_t y) {
  const size_t texel = picture_texel_bytes(p);
  const char *order = "y3 e3 y2 e2 y1 e1 y0 e0"; /* e: x xor y */
  size_t place = 0;
  if (!p->tiled)
    return y * picture_row_bytes(p) + x * texel;
  for (const char *at = order; *at; at += at[2] ? 3 : 2)
    place = 2 * place + (((*at == 'e' ? x ^ y : y) >> (at[1] - '0')) & 1);
  return (size_t)(y / 16) * picture_row_bytes(p) + ((size_t)(x / 16) * 256 + place) * texel;
}

/* Returns what a register of 32 bits holds of a component in memory. */
static inline uint32_t loaded(const struct picture *p, const uint8_t *from) {
  const unsigned bits = 8 * component_bytes(p);
  uint64_t value = 0;
  for (unsigned i = 0; i < bits / 8; i++)
    value |= (uint64_t)from[i] << (8 * i);
  const int64_t negative = value >> (bits - 1) ? (int64_t)value - ((int64_t)1 << bits) : (int64_t)value;
  if (holds_floats(p))
    return bits == 32 ? (uint32_t)value : single_bits((float)half_number((uint32_t)value));
  if (p->type == TYPE_UNSIGNED)
    return (uint32_t)value;
  if (p->type == TYPE_SIGNED)
    return (uint32_t)negative;
  if (p->type == 5)
    return single_bits((float)((double)value / (ldexp(1, (int)bits) - 1)));
  return single_bits((float)fmax(-1, (double)negative / (ldexp(1, (int)bits - 1) - 1)));
}

/* Sets the components of the texel at (x, y); zeros outside of the image. */
static inline void reference_texel(const struct image_bench *b, uint32_t x, uint32_t y, uint32_t out[4]) {
  const struct picture *p = &b->picture;
  memset(out, 0, 4 * sizeof *out);
  if (x >= p->width || y >= p->height)
    return;
  out[3] = holds_integers(p) ? 1 : single_bits(1);
  for (unsigned i = 0; i < p->components; i++)
    out[i] = loaded(p, b->image + texel_place(p, x, y) + i * component_bytes(p));
}

static inline void put_word(struct image_bench *b, size_t at, uint32_t word) {
  memcpy(b->tables + at, &word, sizeof word);
}

/* Returns the bits of a format that say in which order the components stand. */
static inline uint32_t component_order(const struct image_bench *b) {
  return b->dispatch.architecture == 6 ? 03210 : 0;
}

/* Writes the tables: an attribute, its buffer, a texture and its surface. */
static inline void describe(struct image_bench *b) {
  const struct picture *p = &b->picture;
  const uint32_t format = p->number << 12 | component_order(b), row = (uint32_t)picture_row_bytes(p);
  memset(b->tables, 0, sizeof b->tables);
  put_word(b, 0, format << 10);
  put_word(b, 32, (uint32_t)BENCH_IMAGE | (p->tiled ? 6 : 5));
  put_word(b, 36, (uint32_t)(BENCH_IMAGE >> 32));
  put_word(b, 48, 32 | (p->width - 1) << 16);
  put_word(b, 52, p->height - 1);
  put_word(b, 56, row);
  put_word(b, 64, 2 | 2 << 4 | format << 10);
  put_word(b, 68, (p->width - 1) | (p->height - 1) << 16);
  put_word(b, 72, 03210 | (p->tiled ? 1 : 2) << 12);
  put_word(b, 80, (uint32_t)BENCH_TABLES + 128);
  put_word(b, 84, (uint32_t)(BENCH_TABLES >> 32));
  put_word(b, 128, (uint32_t)BENCH_IMAGE);
  put_word(b, 132, (uint32_t)(BENCH_IMAGE >> 32));
  put_word(b, 136, row);
}

/* Packs a clause of one tuple, whose ADD unit reads the registers 1 and 2 and the uniform. */
static inline void pack_access(struct image_bench *b, uint32_t fma, uint32_t add) {
  struct clause clause = {.tuple_count = 1, .header = {.staging_register = BENCH_STAGING}};
  clause.tuples[0] =
      (struct clause_tuple){(uint64_t)3 << 31 | 40 << 8 | 3 << 14 | 1 << 20 | (uint64_t)2 << 25 | 0x80, fma, add};
  pack_clause(&clause, b->code);
}

/* Returns random bits of a row whose sources are the registers 1 and 2 and the uniform. */
static inline uint32_t random_access_bits(struct image_bench *b, const struct operation *row) {
  const uint32_t bits = ((uint32_t)random_next(&b->random) & 0xffe00) | 0 | 1 << 3;
  const uint32_t third =
      row->sources[0] && row->sources[1] && row->sources[2] ? 4u << 6 : (uint32_t)random_next(&b->random) & 0x1c0;
  return ((bits | third) & ~row->mask) | row->bits;
}

static inline bool is_nan(uint32_t bits) {
  return (bits & 0x7fffffff) > 0x7f800000;
}

static inline void set_up_images(struct image_bench *b) {
  b->regions[0] = (struct bifrost_region){BENCH_CODE, PACKED_CLAUSE_BYTES, b->code, true};
  b->regions[1] = (struct bifrost_region){BENCH_TABLES, TABLE_BYTES, b->tables, false};
  b->regions[2] = (struct bifrost_region){BENCH_IMAGE, IMAGE_BYTES, b->image, false};
  b->memory = (struct bifrost_memory){b->regions, 3};
  b->dispatch = (struct bifrost_dispatch){.memory = &b->memory,
                                          .warp_lanes = 8,
                                          .groups = {1, 1, 1},
                                          .local = {8, 1, 1},
                                          .shader = BENCH_CODE,
                                          .fau_count = 1,
                                          .attributes = BENCH_TABLES,
                                          .attribute_buffers = BENCH_TABLES + 32,
                                          .textures = BENCH_TABLES + 64,
                                          .samplers = BENCH_TABLES + TABLE_SAMPLER,
                                          .attribute_count = 1,
                                          .texture_count = 1,
                                          .sampler_count = 1};
  for (size_t i = 0; i < sizeof b->image; i++)
    b->image[i] = (uint8_t)random_next(&b->random);
}

#endif
