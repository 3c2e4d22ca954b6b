#include "graphics/tile/tile_launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graphics/tile/tile_code.h"
#include "trace/write/writer.h"

struct binning {
  const struct trace *fragments;
  const struct quad_file *file;
  const struct tile_options *options;
  struct tile_counts *counts;
  uint32_t columns, rows;
  uint32_t *order;  /* of tiles */
  uint32_t *begins; /* by tile: its first place in `quads`; one more than tiles */
  uint32_t *quads;  /* numbers of quads, tile by tile, in API order */
};

/* Binning. */

static bool is_shaded(const struct binning *b, const struct quad *q) {
  return !b->options->early_depth || b->file->late_tests || q->passed;
}

static uint32_t tile_of(const struct binning *b, const struct quad *q) {
  return (uint32_t)q->y / b->options->tile_pixels * b->columns + (uint32_t)q->x / b->options->tile_pixels;
}

/* A counting sort, which keeps the order within a tile. */
static int sort_quads(struct binning *b, struct error *error) {
  const uint32_t tiles = b->columns * b->rows;
  b->begins = calloc((size_t)tiles + 2, sizeof *b->begins);
  b->quads = malloc(((size_t)b->file->quad_count + 1) * sizeof *b->quads);
  if (!b->begins || !b->quads)
    return error_set(error, ERROR_WORK, "out of memory");
  for (uint32_t i = 0; i < b->file->quad_count; i++)
    if (is_shaded(b, &b->file->quads[i]))
      b->begins[tile_of(b, &b->file->quads[i]) + 2]++;
  for (uint32_t t = 2; t < tiles + 2; t++) {
    b->counts->tiles += b->begins[t] > 0;
    b->begins[t] += b->begins[t - 1];
  }
  for (uint32_t i = 0; i < b->file->quad_count; i++)
    if (is_shaded(b, &b->file->quads[i]))
      b->quads[b->begins[tile_of(b, &b->file->quads[i]) + 1]++] = i;
  b->counts->shaded = b->begins[tiles];
  return 0;
}

static uint64_t count_groups(const struct binning *b) {
  const uint32_t room = b->options->group_items / 4;
  uint64_t groups = 0;
  for (uint32_t t = 0; t < b->columns * b->rows; t++)
    groups += (b->begins[t + 1] - b->begins[t] + room - 1) / room;
  return groups;
}

static void count_primitives(const struct binning *b) {
  for (uint32_t t = 0; t < b->columns * b->rows; t++)
    for (uint32_t i = b->begins[t]; i < b->begins[t + 1]; i++)
      b->counts->primitive_tiles +=
          i == b->begins[t] || b->file->quads[b->quads[i]].triangle != b->file->quads[b->quads[i - 1]].triangle;
}

/* Writing. */

#define BLOCK_BITS   6                                    /* footprints count blocks of 64 bytes */
#define TOUCHED_SIZE ((size_t)1 << (32 - BLOCK_BITS - 3)) /* a bit for each block of the arena */

struct launch {
  const struct binning *b;
  uint8_t *touched;
  struct tile_code code;
  struct trace_writer *writer;
  uint16_t *blocks;
  uint32_t *addresses, *found;
  size_t block_room, address_room;
  uint32_t group, item;
};

static int write_filler(struct launch *l, struct error *error) {
  const uint16_t blocks[2] = {0, (uint16_t)(l->code.code.block_count - 1)};
  return trace_writer_item(l->writer, l->item++, blocks, 2, NULL, 0, error);
}

static void count_read(struct launch *l, const struct trace_op *op, uint32_t address) {
  const bool texel = op->name != TRACE_NO_NAME;
  const uint32_t block = address >> BLOCK_BITS;
  struct tile_counts *c = l->b->counts;
  *(texel ? &c->texels : &c->buffer_reads) += 1;
  if (!(l->touched[block >> 3] & 1u << (block & 7)))
    *(texel ? &c->image_footprint : &c->buffer_footprint) += 1u << BLOCK_BITS;
  l->touched[block >> 3] |= (uint8_t)(1u << (block & 7));
}

/* Appends the kept addresses of one execution of a block. */
static bool take_block(struct launch *l, uint32_t block, size_t *blocks, size_t *addresses) {
  const struct trace_code *old = &l->b->fragments->code;
  const struct trace_block *k = &old->blocks[block];
  if (!array_room(&l->blocks, &l->block_room, *blocks + 2, sizeof *l->blocks) ||
      !array_room(&l->addresses, &l->address_room, *addresses + k->mem_count + 1, sizeof *l->addresses))
    return false;
  l->blocks[(*blocks)++] = (uint16_t)(block + 1);
  for (uint32_t m = 0; m < k->mem_count; m++) {
    const uint32_t op = old->mem_ops[k->first_mem + m];
    if (!l->code.kept[op])
      continue;
    l->addresses[(*addresses)++] = l->found[m];
    count_read(l, &old->ops[op], l->found[m]);
  }
  return true;
}

/* The work-item of the fragment trace that shaded a lane. */
static int write_lane(struct launch *l, uint32_t quad, uint32_t lane, struct error *error) {
  const uint32_t size = l->b->file->group_items;
  const uint64_t id = (uint64_t)quad * 4 + lane;
  struct trace_cursor cursor;
  size_t blocks = 1, addresses = 0;
  uint32_t block;
  if (!array_room(&l->blocks, &l->block_room, 2, sizeof *l->blocks))
    return error_set(error, ERROR_WORK, "out of memory");
  l->blocks[0] = 0;
  trace_cursor_init(&cursor, l->b->fragments, &l->b->fragments->groups[id / size], (uint32_t)(id % size));
  while (trace_cursor_next(&cursor, &block, l->found))
    if (!take_block(l, block, &blocks, &addresses))
      return error_set(error, ERROR_WORK, "out of memory");
  return trace_writer_item(l->writer, l->item++, l->blocks, blocks, l->addresses, addresses, error);
}

static int write_group(struct launch *l, uint32_t first, uint32_t count, struct error *error) {
  int status = trace_writer_group_begin(l->writer, l->group++);
  l->item = 0;
  for (uint32_t i = 0; !status && i < 4 * count; i++)
    status = write_lane(l, l->b->quads[first + i / 4], i % 4, error);
  while (!status && l->item < l->b->options->group_items)
    status = write_filler(l, error);
  return status ? -1 : trace_writer_group_end(l->writer, error);
}

static int write_tiles(struct launch *l, struct error *error) {
  const struct binning *b = l->b;
  const uint32_t room = b->options->group_items / 4;
  for (uint32_t i = 0; i < b->columns * b->rows; i++) {
    const uint32_t end = b->begins[b->order[i] + 1];
    for (uint32_t at = b->begins[b->order[i]]; at < end; at += room)
      if (write_group(l, at, end - at < room ? end - at : room, error))
        return -1;
  }
  return 0;
}

static int write_launch(struct launch *l, const char *path, struct error *error) {
  struct trace_header h = l->b->fragments->header;
  h.dimensions = 1;
  h.global[0] = l->b->counts->groups * l->b->options->group_items;
  h.local[0] = l->b->options->group_items;
  h.local_bytes = 0;
  h.ir = NULL;
  h.ir_count = 0;
  h.sample = (struct index_ranges){0};
  if (trace_writer_open(path, &h, &l->code.code, &l->writer, error))
    return -1;
  if (write_tiles(l, error)) {
    trace_writer_abort(l->writer);
    return -1;
  }
  return trace_writer_close(l->writer, error);
}

static int write(const struct binning *b, const char *path, struct error *error) {
  struct launch l = {.b = b,
                     .found = malloc((b->fragments->code.mem_count + 1) * sizeof *l.found),
                     .touched = calloc(1, TOUCHED_SIZE)};
  int status = l.found && l.touched ? tile_code_create(b->fragments, &l.code, error)
                                    : error_set(error, ERROR_WORK, "out of memory");
  if (!status)
    status = write_launch(&l, path, error);
  tile_code_clear(&l.code);
  free(l.blocks);
  free(l.addresses);
  free(l.found);
  free(l.touched);
  return status;
}

static int check(const struct trace *t, const struct quad_file *f, const struct tile_options *o, struct error *error) {
  if (o->tile_pixels < 2 || (o->tile_pixels & (o->tile_pixels - 1)) || o->group_items < 4 || o->group_items % 4)
    return error_set(error, ERROR_INPUT,
                     "a tile's side must be a power of two from 2 on, and a work-group whole quads");
  if (trace_local_size(&t->header) != f->group_items ||
      (uint64_t)t->group_count * f->group_items < (uint64_t)f->quad_count * 4)
    return error_set(error, ERROR_INPUT, "the fragment trace and the file of quads are not of one draw");
  return 0;
}

int tile_launch_write(const struct trace *fragments, const struct quad_file *file, const struct tile_options *options,
                      const char *path, struct tile_counts *counts, struct error *error) {
  struct binning b = {.fragments = fragments, .file = file, .options = options, .counts = counts};
  *counts = (struct tile_counts){.quads = file->quad_count};
  if (check(fragments, file, options, error))
    return -1;
  b.columns = (file->width + options->tile_pixels - 1) / options->tile_pixels;
  b.rows = (file->height + options->tile_pixels - 1) / options->tile_pixels;
  b.order = tile_order_list(options->order, b.columns, b.rows, options->raster_units);
  int status = b.order ? sort_quads(&b, error) : error_set(error, ERROR_WORK, "out of memory");
  if (!status) {
    counts->groups = count_groups(&b);
    count_primitives(&b);
    status = counts->groups ? write(&b, path, error) : 0;
  }
  free(b.order);
  free(b.begins);
  free(b.quads);
  return status;
}
