/* The launches of a pass of two draws, tile-based and in immediate mode, against plain loops over tiles, draws, quads
 * and pixels: which texels are read in which order, which vertices, and which pixels of the targets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graphics/tile/pass_launch.h"
#include "trace/write/writer.h"

enum { WIDTH = 8, HEIGHT = 4, TILE = 4, GROUP = 8, MOST = 400, IMAGE = 64, INPUTS = 1024, OUTPUTS = 2048 };

/* Accesses of a kind in the order of a launch. */
struct list {
  uint32_t at[MOST];
  size_t count;
};

static void push(struct list *l, uint32_t at) {
  assert_true(l->count < MOST);
  l->at[l->count++] = at;
}

static void assert_same(const struct list *found, const struct list *expected) {
  assert_int_equal(found->count, expected->count);
  assert_memory_equal(found->at, expected->at, expected->count * sizeof *expected->at);
}

/* Traces: a work-item reads an input, a texel (fragments) and writes an output. */

static char none[] = "", image[] = "image-7-0", inputs[] = "inputs-0", outputs[] = "outputs-0",
            read_image[] = "read_imagef";

static struct trace_op op(enum trace_op_class c, uint32_t name) {
  return (struct trace_op){.op_class = (uint8_t)c,
                           .type = TYPE_I32,
                           .space = SPACE_GLOBAL,
                           .width = 1,
                           .bytes = c == OP_BRANCH ? 0 : 4,
                           .first_use = TRACE_NO_OP,
                           .name = name};
}

static struct trace *make_trace(const char *path, uint32_t items) {
  struct trace_op ops[] = {op(OP_LOAD, TRACE_NO_NAME), op(OP_LOAD, 0), op(OP_STORE, TRACE_NO_NAME),
                           op(OP_BRANCH, TRACE_NO_NAME)};
  struct trace_block block = {.op_count = 4, .mem_count = 3, .ipdom = TRACE_NO_BLOCK};
  uint32_t mem_ops[] = {0, 1, 2};
  char *names[] = {read_image};
  struct trace_code code = {.ops = ops,
                            .op_count = 4,
                            .blocks = &block,
                            .block_count = 1,
                            .mem_ops = mem_ops,
                            .mem_count = 3,
                            .names = names,
                            .name_count = 1};
  struct trace_buffer buffers[] = {
      {image, IMAGE, 512, SPACE_GLOBAL}, {inputs, INPUTS, 512, SPACE_GLOBAL}, {outputs, OUTPUTS, 512, SPACE_GLOBAL}};
  struct trace_header h = {.kernel = none,
                           .workload = none,
                           .source_file = none,
                           .source_digest = none,
                           .options = none,
                           .front_end = none,
                           .dimensions = 1,
                           .global = {items, 1, 1},
                           .local = {4, 1, 1},
                           .buffers = buffers,
                           .buffer_count = 3};
  struct trace_writer *w;
  struct trace *t;
  struct error error = ERROR_INIT;
  const uint16_t blocks[] = {0};
  assert_int_equal(trace_writer_open(path, &h, &code, &w, &error), 0);
  for (uint32_t g = 0; g < items / 4; g++) {
    assert_int_equal(trace_writer_group_begin(w, g), 0);
    for (uint32_t i = 0; i < 4; i++) {
      const uint32_t item = 4 * g + i, at[] = {INPUTS + 4 * item, IMAGE + 4 * (item * 7 % 128), OUTPUTS + 4 * item};
      assert_int_equal(trace_writer_item(w, i, blocks, 1, at, 3, &error), 0);
    }
    assert_int_equal(trace_writer_group_end(w, &error), 0);
  }
  assert_int_equal(trace_writer_close(w, &error), 0);
  assert_int_equal(trace_load(path, &t, &error), 0);
  return t;
}

/* Draw A covers all of the picture, draw B a part of it; the last quad of A passes no test. */
static struct quad quads_a[8], quads_b[3];
static struct quad_triangle triangles[] = {{.vertices = {0, 1, 2}}, {.vertices = {2, 1, 3}}};
static struct quad_file files[2];

static void make_quads(void) {
  for (int i = 0; i < 8; i++)
    quads_a[i] = (struct quad){.x = (int16_t)(2 * (i % 4)),
                               .y = (int16_t)(2 * (i / 4)),
                               .triangle = i >= 5,
                               .coverage = i == 2 ? 5 : 15,
                               .passed = i == 7   ? 0
                                         : i == 2 ? 5
                                                  : 15};
  quads_b[0] = (struct quad){.x = 4, .y = 0, .coverage = 15, .passed = 15};
  quads_b[1] = (struct quad){.x = 0, .y = 0, .coverage = 15, .passed = 3};
  quads_b[2] = (struct quad){.x = 2, .y = 2, .coverage = 15, .passed = 15};
  for (int d = 0; d < 2; d++)
    files[d] = (struct quad_file){.width = WIDTH,
                                  .height = HEIGHT,
                                  .group_items = 4,
                                  .triangle_count = 2,
                                  .quad_count = d == 0 ? 8 : 3,
                                  .triangles = triangles,
                                  .quads = d == 0 ? quads_a : quads_b};
}

static const struct pass pass = {.width = WIDTH,
                                 .height = HEIGHT,
                                 .target_count = 2,
                                 .has_depth = true,
                                 .targets = {{.image = 9, .pixel_bytes = 4, .loads = true, .stores = true},
                                             {.image = 10, .pixel_bytes = 2, .loads = false, .stores = true}}};
/* A tests and writes depth; B blends and does not. */
static const struct pass_draw draws[] = {{.number = 0, .reads = 2, .writes = 3, .varying_words = 4},
                                         {.number = 1, .reads = 1, .writes = 1, .varying_words = 4}};

struct made {
  struct trace *vertices[2], *fragments[2], *launch, *vertex_launch;
  struct pass_groups groups;
  struct pass_counts counts;
};

static void make_tied(bool immediate, uint32_t work_tile, enum quad_map map, struct made *out) {
  const struct tile_options options = {.tile_pixels = TILE,
                                       .group_items = GROUP,
                                       .raster_units = 2,
                                       .order = TILE_ROWS,
                                       .work_tile = work_tile,
                                       .map = map,
                                       .early_depth = true,
                                       .list_entry_bytes = 8};
  struct pass_input input[2];
  struct pass_launches *launches;
  struct error error = ERROR_INIT;
  make_quads();
  for (int d = 0; d < 2; d++) {
    out->vertices[d] = make_trace("vertices.rtrace", 16);
    out->fragments[d] = make_trace("fragments.rtrace", 4 * files[d].quad_count);
    input[d] = (struct pass_input){&draws[d], {out->vertices[d]}, out->fragments[d], &files[d]};
  }
  assert_int_equal(pass_launches_create(&pass, input, 2, &options, immediate, &launches, &error), 0);
  assert_int_equal(pass_launches_vertices(launches, "pass-vertices.rtrace", &error), 0);
  assert_int_equal(pass_launches_fragments(launches, "pass.rtrace", &out->groups, &error), 0);
  out->counts = *pass_launches_counts(launches);
  pass_launches_destroy(launches);
  assert_int_equal(trace_load("pass.rtrace", &out->launch, &error), 0);
  assert_int_equal(trace_load("pass-vertices.rtrace", &out->vertex_launch, &error), 0);
  assert_int_equal(out->launch->group_count, out->counts.groups);
}

static void make(bool immediate, struct made *out) {
  make_tied(immediate, 0, QUADS_WHOLE, out);
  assert_null(out->groups.homes);
}

static void clear(struct made *m) {
  for (int d = 0; d < 2; d++) {
    trace_destroy(m->vertices[d]);
    trace_destroy(m->fragments[d]);
  }
  free(m->groups.homes);
  free(m->groups.fragments);
  trace_destroy(m->launch);
  trace_destroy(m->vertex_launch);
  remove("vertices.rtrace");
  remove("fragments.rtrace");
  remove("pass-vertices.rtrace");
  remove("pass.rtrace");
}

/* Reading a launch. */

static const struct trace_buffer *buffer_of(const struct trace *t, uint32_t address) {
  for (uint32_t i = 0; i < t->header.buffer_count; i++)
    if (address >= t->header.buffers[i].base && address - t->header.buffers[i].base < t->header.buffers[i].bytes)
      return &t->header.buffers[i];
  fail_msg("address %u is in no buffer", address);
  return NULL;
}

/* Fails where an access to a buffer of that name has another name than `what`; "": none. */
static void check_names(const struct trace *t, const char *name, const char *what) {
  for (uint32_t g = 0; g < t->group_count; g++)
    for (uint32_t item = 0; item < trace_local_size(&t->header); item++) {
      uint32_t addresses[64], block;
      struct trace_cursor cursor;
      trace_cursor_init(&cursor, t, &t->groups[g], item);
      while (trace_cursor_next(&cursor, &block, addresses))
        for (uint32_t m = 0; m < t->code.blocks[block].mem_count; m++) {
          const struct trace_op *o = &t->code.ops[t->code.mem_ops[t->code.blocks[block].first_mem + m]];
          if (strcmp(buffer_of(t, addresses[m])->name, name) == 0)
            assert_string_equal(o->name == TRACE_NO_NAME ? "" : t->code.names[o->name], what);
        }
    }
}

/* The accesses to buffers of that name, as offsets, with the class in the lowest bit: 1 is a store. */
static void accesses_of(const struct trace *t, const char *name, struct list *out) {
  *out = (struct list){.count = 0};
  for (uint32_t g = 0; g < t->group_count; g++)
    for (uint32_t item = 0; item < trace_local_size(&t->header); item++) {
      uint32_t addresses[64], block;
      struct trace_cursor cursor;
      trace_cursor_init(&cursor, t, &t->groups[g], item);
      while (trace_cursor_next(&cursor, &block, addresses))
        for (uint32_t m = 0; m < t->code.blocks[block].mem_count; m++) {
          const struct trace_op *o = &t->code.ops[t->code.mem_ops[t->code.blocks[block].first_mem + m]];
          const struct trace_buffer *b = buffer_of(t, addresses[m]);
          if (strcmp(b->name, name) == 0)
            push(out, (addresses[m] - b->base) << 1 | (o->op_class == OP_STORE));
        }
    }
}

/* The references. */

static void push_texels(struct list *l, uint32_t quad) {
  for (uint32_t lane = 0; lane < 4; lane++)
    push(l, 4 * ((4 * quad + lane) * 7 % 128) << 1);
}

static void texels_by_tile(struct list *l) {
  for (int tile = 0; tile < 2; tile++)
    for (int d = 0; d < 2; d++)
      for (uint32_t q = 0; q < files[d].quad_count; q++)
        if (files[d].quads[q].passed && files[d].quads[q].x / TILE == tile)
          push_texels(l, q);
}

static void tiles_come_one_after_the_other(void **state) {
  struct made m;
  struct list found, expected = {.count = 0};
  (void)state;
  make(false, &m);
  accesses_of(m.launch, "image-7-0", &found);
  texels_by_tile(&expected);
  assert_same(&found, &expected);
  accesses_of(m.launch, "image-9-0", &found);
  assert_int_equal(found.count, 0); /* colors stay in the tile buffer */
  assert_int_equal(m.counts.tiles, 2);
  assert_int_equal(m.counts.triangles, 3 + 3); /* in each tile: two of A, one of B */
  clear(&m);
}

static void texels_of_group(const struct made *m, uint32_t group, struct list *out) {
  struct trace one = *m->launch;
  one.groups += group;
  one.group_count = 1;
  accesses_of(&one, "image-7-0", out);
}

/* Every fragment reads one texel, and nothing else does. */
static void fragments_are_counted_by_group(void **state) {
  struct made m;
  struct list found;
  (void)state;
  for (int immediate = 0; immediate < 2; immediate++) {
    make(immediate, &m);
    for (uint32_t g = 0; g < m.launch->group_count; g++) {
      texels_of_group(&m, g, &found);
      assert_int_equal(m.groups.fragments[g], found.count);
    }
    clear(&m);
  }
}

/* The texels that the work-groups of a home read. */
static void texels_of_home(const struct made *m, uint32_t home, struct list *out) {
  *out = (struct list){.count = 0};
  for (uint32_t g = 0; g < m->launch->group_count; g++) {
    struct list found;
    texels_of_group(m, g, &found);
    for (size_t i = 0; m->groups.homes[g] == home && i < found.count; i++)
      push(out, found.at[i]);
  }
}

/* Two tiles of two by two quads: each its own work tile, or both of one; whole, or quad by quad to four cores of one of
 * two raster units. */
static void tied_tiles_have_the_homes_of_their_quads(void **state) {
  struct made m;
  struct list found, expected = {.count = 0};
  (void)state;
  make_tied(false, 2, QUADS_WHOLE, &m);
  texels_of_home(&m, 0, &found);
  texels_by_tile(&expected);
  assert_same(&found, &expected);
  clear(&m);
  for (int fine = 0; fine < 2; fine++) {
    make_tied(false, 1, fine ? QUADS_FINE : QUADS_WHOLE, &m);
    for (uint32_t home = 0; home < (fine ? 8 : 2); home++) {
      expected.count = 0;
      for (int d = 0; d < 2; d++)
        for (uint32_t q = 0; q < files[d].quad_count; q++) {
          const struct quad *quad = &files[d].quads[q];
          const uint32_t tile = quad->x / TILE, part = quad->x / 2 % 2 + 2 * (quad->y / 2 % 2);
          if (quad->passed && home == (fine ? tile + 2 * part : tile))
            push_texels(&expected, q);
        }
      texels_of_home(&m, home, &found);
      assert_same(&found, &expected);
    }
    clear(&m);
  }
}

static void tiles_read_their_vertices_and_targets(void **state) {
  struct made m;
  struct list found;
  (void)state;
  make(false, &m);
  const uint64_t lists = m.counts.triangles * 8, pixels = (uint64_t)WIDTH * HEIGHT;
  assert_int_equal(m.counts.list_bytes, lists);
  assert_int_equal(m.counts.load_bytes, 4 * pixels);
  assert_int_equal(m.counts.store_bytes, (4 + 2) * pixels);
  accesses_of(m.launch, "outputs-0", &found);
  assert_int_equal(found.count, 3 * m.counts.triangles); /* three vertices of 16 bytes */
  assert_int_equal(m.counts.vertex_bytes, 16 * found.count);
  clear(&m);
}

static void immediate_mode_keeps_the_order_of_draws(void **state) {
  struct made m;
  struct list found, expected = {.count = 0};
  (void)state;
  make(true, &m);
  for (int d = 0; d < 2; d++)
    for (uint32_t q = 0; q < files[d].quad_count; q++)
      if (files[d].quads[q].passed)
        push_texels(&expected, q);
  accesses_of(m.launch, "image-7-0", &found);
  assert_same(&found, &expected);
  clear(&m);
}

/* Adds the accesses of the pixels of a draw to a target, pixel after pixel: a read, then a write. */
static void push_pixels(struct list *l, int draw, uint32_t target) {
  const uint32_t bytes = pass.targets[target].pixel_bytes;
  for (uint32_t q = 0; q < files[draw].quad_count; q++)
    for (uint32_t k = 0; k < 4; k++) {
      const struct quad *quad = &files[draw].quads[q];
      const uint32_t x = (uint32_t)quad->x + (k & 1), y = (uint32_t)quad->y + (k >> 1), at = (y * WIDTH + x) * bytes;
      const int passed = quad->passed >> k & 1, tested = quad->coverage >> k & 1 && target == 1;
      if (draws[draw].reads >> target & 1 && (passed || tested))
        push(l, at << 1);
      if (draws[draw].writes >> target & 1 && passed)
        push(l, at << 1 | 1);
    }
}

static void immediate_mode_accesses_the_pixels(void **state) {
  struct made m;
  uint64_t loads = 0, stores = 0;
  (void)state;
  make(true, &m);
  for (uint32_t t = 0; t < 2; t++) {
    struct list found, expected = {.count = 0};
    push_pixels(&expected, 0, t);
    push_pixels(&expected, 1, t);
    accesses_of(m.launch, t == 0 ? "image-9-0" : "image-10-0", &found);
    assert_same(&found, &expected);
    for (size_t i = 0; i < expected.count; i++)
      *(expected.at[i] & 1 ? &stores : &loads) += pass.targets[t].pixel_bytes;
  }
  assert_int_equal(m.counts.load_bytes, loads);
  assert_int_equal(m.counts.store_bytes, stores);
  assert_int_equal(m.counts.list_bytes, 0);
  clear(&m);
}

/* A triangle that names a vertex which the shader has not written reads the others. */
static void vertices_that_are_not_there_are_not_read(void **state) {
  struct made m;
  struct list found;
  (void)state;
  triangles[0].vertices[1] = 1u << 30;
  make(false, &m);
  accesses_of(m.launch, "outputs-0", &found);
  assert_true(found.count < 3 * m.counts.triangles);
  triangles[0].vertices[1] = 1;
  clear(&m);
}

static void files_of_different_draws_are_refused(void **state) {
  const struct tile_options options = {.tile_pixels = TILE, .group_items = GROUP, .raster_units = 1};
  struct trace *few = make_trace("few.rtrace", 4);
  struct error error = ERROR_INIT;
  struct pass_launches *launches;
  (void)state;
  make_quads();
  const struct pass_input input = {&draws[0], {NULL}, few, &files[0]};
  assert_int_equal(pass_launches_create(&pass, &input, 1, &options, false, &launches, &error), -1);
  assert_string_equal(error.text, "the fragment trace and the file of quads are not of one draw");
  trace_destroy(few);
  remove("few.rtrace");
}

/* Reads of attributes and of shaded vertices, depths, colors and texels have the names by which a GPU tells its caches
 * apart. */
static void accesses_have_the_names_of_what_they_read(void **state) {
  struct made m;
  (void)state;
  make(false, &m);
  check_names(m.vertex_launch, "inputs-0", "vertex");
  check_names(m.vertex_launch, "outputs-0", "");
  check_names(m.launch, "outputs-0", "vertex");
  check_names(m.launch, "image-7-0", "read_imagef");
  clear(&m);
  make(true, &m);
  check_names(m.launch, "image-9-0", "");
  check_names(m.launch, "image-10-0", "depth");
  clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tiles_come_one_after_the_other),
      cmocka_unit_test(fragments_are_counted_by_group),
      cmocka_unit_test(tied_tiles_have_the_homes_of_their_quads),
      cmocka_unit_test(tiles_read_their_vertices_and_targets),
      cmocka_unit_test(immediate_mode_keeps_the_order_of_draws),
      cmocka_unit_test(immediate_mode_accesses_the_pixels),
      cmocka_unit_test(vertices_that_are_not_there_are_not_read),
      cmocka_unit_test(accesses_have_the_names_of_what_they_read),
      cmocka_unit_test(files_of_different_draws_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
