/* Loads from images, addresses of texels, stores and texture fetches do what a plain reference does, with random
 * formats, sizes, layouts, coordinates, active lanes and data: at least 10,000 cases of each row of the table. */
#include "image_bench.h"

#define DTSEL  0x70f3e0 /* the first table of attributes; its source is register 1 */
#define ROUNDS 5        /* of a picture */

/* An instruction in all lanes. */
struct access {
  const struct operation *row;
  struct instruction in;
  uint32_t uniform, x[WARP_LANES], y[WARP_LANES];
  uint32_t given[WARP_LANES][4]; /* staging registers before */
  uint8_t active;
  unsigned count; /* of components */
  bool packs, is_half;
};

static bool is_row(const struct access *a, const char *name) {
  return strcmp(a->row->name, name) == 0;
}

/* Stores take components whose loaded form is known: the reference finds bytes that load as the component. */
static void give_storable(struct image_bench *b, uint32_t *given, uint8_t *bytes) {
  const struct picture *p = &b->picture;
  for (unsigned i = 0; i < 4; i++) {
    for (unsigned k = 0; k < component_bytes(p); k++)
      bytes[i * component_bytes(p) + k] = (uint8_t)random_next(&b->random);
    if (p->type == 3 && !holds_floats(p)) /* the least fraction has two forms */
      bytes[i * component_bytes(p)] |= 1;
    if (holds_floats(p)) /* not infinite and no NaN, of which halves have many */
      bytes[i * component_bytes(p) + component_bytes(p) - 1] &= 0xbf;
    given[i] = loaded(p, bytes + i * component_bytes(p));
  }
}

/* Returns whether registers of this form hold what the image has. */
static bool fits(const struct picture *p, uint8_t form) {
  switch (form) {
  case V_F16:
  case V_F32:
    return !holds_integers(p);
  case V_S16:
  case V_S32:
    return holds_integers(p) && p->type == TYPE_SIGNED;
  case V_U16:
  case V_U32:
    return holds_integers(p) && p->type == TYPE_UNSIGNED;
  default:
    return form == V_AUTO || form == V_NO_VALUE;
  }
}

/* Sets the form that a texture's descriptor names for its result. */
static uint32_t choose_fetch(struct image_bench *b, struct access *a) {
  const bool is_whole = holds_integers(&b->picture), is_signed = b->picture.type == TYPE_SIGNED;
  a->packs = random_below(&b->random, 2);
  a->is_half = a->packs && !is_whole;
  const uint32_t form = is_whole ? (a->packs ? 12u : 14u) + is_signed : a->packs ? 0 : 4;
  return 0xf0186800 | form << 24; /* texture 0, two dimensions, a texel of level 0 */
}

/* Sets what the instruction's uniform and modifiers ask for. */
static void choose_form(struct image_bench *b, struct access *a) {
  static const uint8_t counts[] = {V_V2, V_V3, V_V4};
  const uint8_t form = a->in.modifier[T_REGISTER_FORMAT];
  a->count = 1;
  for (unsigned i = 0; i < sizeof counts; i++)
    a->count = a->in.modifier[T_VECSIZE] == counts[i] ? i + 2 : a->count;
  a->packs = form == V_F16 || form == V_S16 || form == V_U16;
  a->is_half = form == V_F16;
  a->uniform = 0;
  if (is_row(a, "ST_CVT"))
    a->uniform = b->picture.number << 12 | component_order(b);
  if (is_row(a, "TEXC")) {
    a->uniform = choose_fetch(b, a);
    a->count = 4;
  }
}

/* Coordinates; those of stores are inside of the image and different. */
static void choose_texels(struct image_bench *b, struct access *a) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    const uint32_t texels = b->picture.width * b->picture.height, at = (random_below(&b->random, texels) & ~7u) + lane;
    const bool inside = is_row(a, "ST_CVT");
    a->x[lane] = inside ? at % texels % b->picture.width : random_below(&b->random, b->picture.width + 2);
    a->y[lane] = inside ? at % texels / b->picture.width : random_below(&b->random, b->picture.height + 2);
    for (unsigned i = 0; i < 4; i++)
      a->given[lane][i] = (uint32_t)random_next(&b->random);
  }
  a->active = (uint8_t)(1 + random_below(&b->random, 255));
}

/* Sets what the image's bytes are after a store. Components that are not given are zero. */
static void expect_stores(struct image_bench *b, struct access *a, uint8_t *wanted) {
  static const uint8_t zeros[16];
  memcpy(wanted, b->image, sizeof b->image);
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    const size_t bytes = component_bytes(&b->picture);
    uint8_t texel[16];
    give_storable(b, a->given[lane], texel);
    memcpy(texel + a->count * bytes, zeros, (4 - a->count) * bytes);
    if (a->active >> lane & 1)
      memcpy(wanted + texel_place(&b->picture, a->x[lane], a->y[lane]), texel, picture_texel_bytes(&b->picture));
  }
}

static void set_registers(const struct image_bench *b, const struct access *a, struct warp *warp) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    const uint64_t address = BENCH_IMAGE + texel_place(&b->picture, a->x[lane], a->y[lane]);
    const bool is_store = is_row(a, "ST_CVT"), packed = !is_store && !is_row(a, "TEXC");
    warp->values[1].at[lane] = is_store ? (uint32_t)address : a->x[lane] | (packed ? a->y[lane] << 16 : 0);
    warp->values[2].at[lane] = is_store ? (uint32_t)(address >> 32) : packed ? 0 : a->y[lane];
    for (unsigned i = 0; i < 4; i++)
      warp->values[BENCH_STAGING + i].at[lane] = a->given[lane][i];
  }
}

/* A fetch's first staging register is the level, 0. */
static void set_level(struct access *a) {
  for (unsigned lane = 0; lane < WARP_LANES && is_row(a, "TEXC"); lane++)
    a->given[lane][0] = 0;
}

/* Sets the staging registers of a lane that runs. */
static void expect_lane(const struct image_bench *b, const struct access *a, unsigned lane, uint32_t wanted[4]) {
  const bool inside = a->x[lane] < b->picture.width && a->y[lane] < b->picture.height;
  const uint64_t address = inside ? BENCH_IMAGE + texel_place(&b->picture, a->x[lane], a->y[lane]) : 0;
  uint32_t texel[4];
  if (is_row(a, "LEA_ATTR_TEX")) {
    const uint32_t words[3] = {(uint32_t)address, (uint32_t)(address >> 32),
                               b->picture.number << 12 | component_order(b)};
    memcpy(wanted, words, sizeof words);
    return;
  }
  reference_texel(b, a->x[lane], a->y[lane], texel);
  for (unsigned i = 0; i < a->count; i++) {
    const uint32_t value = a->is_half ? half_rounded(single_value(texel[i]), V_NONE) : texel[i];
    if (a->packs)
      wanted[i / 2] = i % 2 ? (wanted[i / 2] & 0xffff) | value << 16 : (wanted[i / 2] & 0xffff0000) | (value & 0xffff);
    else
      wanted[i] = value;
  }
}

static bool are_same(const struct access *a, uint32_t got, uint32_t wanted) {
  if (got == wanted || (!a->packs && is_nan(got) && is_nan(wanted)))
    return true;
  for (unsigned at = 0; at < 32; at += 16)
    if ((got >> at & 0xffff) != (wanted >> at & 0xffff) &&
        !(a->is_half && isnan(half_number(got >> at & 0xffff)) && isnan(half_number(wanted >> at & 0xffff))))
      return false;
  return true;
}

static void check_lane(const struct image_bench *b, const struct access *a, const struct warp *warp, unsigned lane) {
  uint32_t wanted[4];
  memcpy(wanted, a->given[lane], sizeof wanted);
  if (a->active >> lane & 1)
    expect_lane(b, a, lane, wanted);
  for (unsigned i = 0; i < 4; i++) {
    const uint32_t got = warp->values[BENCH_STAGING + i].at[lane];
    if (!are_same(a, got, wanted[i]))
      fail_msg("%s, format %u, texel (%u, %u) of %u x %u, register %u: 0x%08x, expected 0x%08x", a->row->name,
               b->picture.number, a->x[lane], a->y[lane], b->picture.width, b->picture.height, i, got, wanted[i]);
  }
}

static void run_once(struct image_bench *b, const struct bifrost_shader *shader, struct access *a) {
  static uint8_t wanted[IMAGE_BYTES];
  struct bifrost_runner *runner;
  struct error error = ERROR_INIT;
  uint8_t taken;
  choose_texels(b, a);
  set_level(a);
  if (is_row(a, "ST_CVT"))
    expect_stores(b, a, wanted);
  assert_int_equal(bifrost_runner_create(shader, &b->dispatch, NULL, &runner, NULL), 0);
  memset(runner->warps, 0, sizeof *runner->warps);
  set_registers(b, a, &runner->warps[0]);
  runner->warps[0].alive = 0xff;
  runner->at.lanes = a->active;
  runner->error = &error;
  if (clause_run(runner, &runner->warps[0], shader->clauses, &taken))
    fail_msg("%s", error.text);
  if (is_row(a, "ST_CVT") && memcmp(b->image, wanted, sizeof b->image) != 0)
    fail_msg("format %u: a store leaves other bytes than the reference", b->picture.number);
  for (unsigned lane = 0; lane < WARP_LANES && !is_row(a, "ST_CVT"); lane++)
    check_lane(b, a, &runner->warps[0], lane);
  bifrost_runner_destroy(runner);
}

static void limit_to_stores(struct image_bench *b) {
  if (b->picture.size == 5 && b->picture.type % 2) /* a float does not hold fractions of 32 bits */
    b->picture.size = 4;
  set_picture_number(&b->picture);
  if (b->picture.width * b->picture.height % 8)
    b->picture.width = 8; /* the lanes store to different texels */
}

/* Runs a random encoding on a random picture. Returns how many cases that were. */
static unsigned try_picture(struct image_bench *b, const struct operation *row) {
  struct bifrost_shader *shader;
  struct error error = ERROR_INIT;
  struct access a = {.row = row};
  unsigned cases = 0;
  const uint32_t bits = random_access_bits(b, row);
  choose_picture(b);
  if (is_row(&a, "ST_CVT"))
    limit_to_stores(b);
  if (!instruction_decode(UNIT_ADD, bits, &a.in) || a.in.operation != row ||
      !fits(&b->picture, a.in.modifier[T_REGISTER_FORMAT]))
    return 0;
  b->dispatch.architecture = 6 + random_below(&b->random, 2);
  choose_form(b, &a);
  b->dispatch.fau[0] = a.uniform;
  describe(b);
  pack_access(b, is_row(&a, "LEA_ATTR_TEX") ? DTSEL : BENCH_FMA_NOP, bits);
  if (bifrost_shader_create(&b->dispatch, &shader, &error))
    fail_msg("%s", error.text);
  for (; cases < ROUNDS * WARP_LANES && shader->tuples[0].slots[UNIT_ADD].action != ACTION_UNSUPPORTED;
       cases += WARP_LANES)
    run_once(b, shader, &a);
  bifrost_shader_destroy(shader);
  return cases;
}

static void images_equal_their_reference(void **state) {
  static struct image_bench bench;
  unsigned rows = 0;
  (void)state;
  bench.random = (struct random_state){20};
  set_up_images(&bench);
  for (const struct operation *row = bifrost_operations; row < bifrost_operations + bifrost_operation_count; row++) {
    if (fuzz_of(row) != FUZZ_IMAGES)
      continue;
    for (unsigned cases = 0, tries = 0; cases < FUZZ_CASES; tries++) {
      cases += try_picture(&bench, row);
      if (tries > 1000000)
        fail_msg("%s cannot be run", row->name);
    }
    rows++;
  }
  assert_int_equal(rows, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(images_equal_their_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
