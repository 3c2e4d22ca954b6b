#include "graphics/tile/tile_launch.h"

#include <stdlib.h>

#include "graphics/tile/launch_writer.h"
#include "graphics/tile/tile_bins.h"

#define BLOCK_BITS   6                                    /* footprints count blocks of 64 bytes */
#define TOUCHED_SIZE ((size_t)1 << (32 - BLOCK_BITS - 3)) /* a bit for each block of the arena */

struct drawing {
  const struct quad_file *file;
  const struct tile_options *options;
  struct tile_counts *counts;
  struct tile_grid grid;
  struct tile_bins bins;
  uint32_t *order; /* of tiles */
  uint8_t *touched;
  struct frame_arena arena;
  struct launch_code code;
  struct launch_writer writer;
  struct launch_lane lane;
};

static uint32_t quads_of(const struct drawing *d, uint32_t tile) {
  return d->bins.begins[tile + 1] - d->bins.begins[tile];
}

static void count_tiles(const struct drawing *d) {
  const uint32_t room = d->options->group_items / 4, tiles = d->grid.columns * d->grid.rows;
  d->counts->shaded = d->bins.begins[tiles];
  for (uint32_t t = 0; t < tiles; t++) {
    d->counts->tiles += quads_of(d, t) > 0;
    d->counts->groups += (quads_of(d, t) + room - 1) / room;
    d->counts->primitive_tiles += tile_bins_triangles(&d->bins, d->file, t);
  }
}

static void count_read(void *user, const struct trace_op *op, uint32_t address) {
  const struct drawing *d = user;
  const bool texel = op->name != TRACE_NO_NAME;
  const uint32_t block = address >> BLOCK_BITS;
  struct tile_counts *c = d->counts;
  *(texel ? &c->texels : &c->buffer_reads) += 1;
  if (!(d->touched[block >> 3] & 1u << (block & 7)))
    *(texel ? &c->image_footprint : &c->buffer_footprint) += 1u << BLOCK_BITS;
  d->touched[block >> 3] |= (uint8_t)(1u << (block & 7));
}

static int write_quad(struct drawing *d, uint32_t quad, struct error *error) {
  for (uint32_t i = 0; i < 4; i++) {
    d->lane.item = (uint64_t)quad * 4 + i;
    if (launch_writer_lane(&d->writer, &d->lane, error))
      return -1;
  }
  return 0;
}

static int write_tile(struct drawing *d, uint32_t tile, struct error *error) {
  uint32_t at = d->bins.begins[tile];
  while (at < d->bins.begins[tile + 1]) {
    launch_writer_begin(&d->writer);
    while (at < d->bins.begins[tile + 1] && !launch_writer_is_full(&d->writer))
      if (write_quad(d, d->bins.quads[at++], error))
        return -1;
    if (launch_writer_end(&d->writer, error))
      return -1;
  }
  return 0;
}

static int write_tiles(struct drawing *d, struct error *error) {
  for (uint32_t i = 0; i < d->grid.columns * d->grid.rows; i++)
    if (write_tile(d, d->order[i], error))
      return -1;
  return 0;
}

static int write(struct drawing *d, const struct trace *fragments, const char *path, uint32_t *by_group,
                 struct error *error) {
  struct arena_map map = {0};
  int status = arena_map_create(&d->arena, &fragments->header, &map, error);
  if (!status)
    status = launch_code_create(&fragments, 1, true, &d->code, error);
  if (!status)
    status = launch_writer_open(path, fragments->header.workload, &d->code, &d->arena, d->counts->groups,
                                d->options->group_items, &d->writer, error);
  if (!status) {
    d->writer.fragments = by_group;
    d->lane = (struct launch_lane){.trace = fragments, .map = &map, .accessed = count_read, .user = d};
    status = write_tiles(d, error);
    if (status)
      launch_writer_abort(&d->writer);
    else
      status = launch_writer_close(&d->writer, error);
  }
  launch_code_clear(&d->code);
  arena_map_clear(&map);
  frame_arena_clear(&d->arena);
  return status;
}

int tile_launch_check(const struct trace *t, const struct quad_file *f, struct error *error) {
  if (trace_local_size(&t->header) != f->group_items ||
      (uint64_t)t->group_count * f->group_items < (uint64_t)f->quad_count * 4)
    return error_set(error, ERROR_INPUT, "the fragment trace and the file of quads are not of one draw");
  return 0;
}

static int check(const struct trace *t, const struct quad_file *f, const struct tile_options *o, struct error *error) {
  if (o->tile_pixels < 2 || (o->tile_pixels & (o->tile_pixels - 1)) || o->group_items < 4 || o->group_items % 4)
    return error_set(error, ERROR_INPUT,
                     "a tile's side must be a power of two from 2 on, and a work-group whole quads");
  return tile_launch_check(t, f, error);
}

int tile_launch_write(const struct trace *fragments, const struct quad_file *file, const struct tile_options *options,
                      const char *path, struct tile_counts *counts, uint32_t **by_group, struct error *error) {
  struct drawing d = {.file = file,
                      .options = options,
                      .counts = counts,
                      .grid = tile_grid_of(file->width, file->height, options->tile_pixels)};
  *counts = (struct tile_counts){.quads = file->quad_count};
  *by_group = NULL;
  if (check(fragments, file, options, error) || tile_bins_create(file, &d.grid, options->early_depth, &d.bins, error))
    return -1;
  d.order = tile_order_list(options->order, d.grid.columns, d.grid.rows, options->raster_units);
  d.touched = calloc(1, TOUCHED_SIZE);
  int status = d.order && d.touched ? 0 : error_no_memory(error);
  if (!status) {
    count_tiles(&d);
    *by_group = calloc(counts->groups + 1, sizeof **by_group);
    status = !*by_group ? error_no_memory(error) : counts->groups ? write(&d, fragments, path, *by_group, error) : 0;
  }
  if (status) {
    free(*by_group);
    *by_group = NULL;
  }
  free(d.order);
  free(d.touched);
  tile_bins_clear(&d.bins);
  return status;
}
