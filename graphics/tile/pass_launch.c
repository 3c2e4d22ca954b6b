#include "graphics/tile/pass_launch.h"

#include <stdlib.h>
#include <string.h>

#include "graphics/tile/pass_walk.h"

static int put_fragments(struct walk *w, struct error *error) {
  return w->all->immediate ? walk_draws(w, error) : walk_tiles(w, error);
}

/* Vertices. */

/* Writes all work-items of a trace. */
static int put_trace(struct walk *w, const struct trace *t, size_t number, struct arena_map *map, struct error *error) {
  const uint64_t items = (uint64_t)t->group_count * trace_local_size(&t->header), room = w->all->options->group_items;
  struct launch_lane lane = {.trace = t, .number = number, .map = map};
  for (uint64_t first = 0; first < items; first += room, w->groups++) {
    if (!w->writer)
      continue;
    launch_writer_begin(w->writer);
    if (walk_items(w, &lane, first, items - first < room ? items - first : room, error) ||
        launch_writer_end(w->writer, error))
      return -1;
  }
  return 0;
}

static int put_vertices(struct walk *w, struct error *error) {
  struct pass_launches *a = w->all;
  for (size_t i = 0; i < a->count; i++) {
    struct drawn *d = &a->draws[i];
    for (size_t k = 0; k < PASS_STAGES; k++)
      if (d->input.before[k] &&
          put_trace(w, d->input.before[k], w->numbers[i * PASS_STAGES + k], &d->before_maps[k], error))
        return -1;
  }
  return 0;
}

/* Writing a launch. */

typedef int put_launch(struct walk *walk, struct error *error);

static int write_groups(struct walk *w, put_launch *put, const struct launch_code *code, const char *name,
                        const char *path, const struct pass_groups *lists, struct error *error) {
  struct launch_writer writer;
  const uint64_t groups = w->groups;
  if (launch_writer_open(path, name, code, &w->all->arena, groups, w->all->options->group_items, &writer, error))
    return -1;
  writer.homes = lists->homes;
  writer.fragments = lists->fragments;
  w->writer = &writer;
  if (put(w, error)) {
    launch_writer_abort(&writer);
    return -1;
  }
  return launch_writer_close(&writer, error);
}

/* Gives numbers to the traces of one stage. */
static size_t list_traces(struct walk *w, bool fragments, const struct trace **traces) {
  size_t count = 0;
  const size_t stages = fragments ? 1 : PASS_STAGES;
  for (size_t i = 0; i < w->all->count * stages; i++) {
    const struct pass_input *input = &w->all->draws[i / stages].input;
    const struct trace *t = fragments ? input->fragments : input->before[i % stages];
    w->numbers[i] = count;
    if (t)
      traces[count++] = t;
  }
  return count;
}

static int make_lists(const struct pass_launches *a, uint64_t groups, struct pass_groups *lists, struct error *error) {
  lists->fragments = calloc(groups + 1, sizeof *lists->fragments);
  if (a->tile_homes)
    lists->homes = calloc(groups + 1, sizeof *lists->homes);
  return lists->fragments && (lists->homes || !a->tile_homes) ? 0 : error_no_memory(error);
}

/* `lists`: filled for fragments, and left empty for vertices. */
static int write_launch(struct pass_launches *a, bool fragments, const char *path, uint64_t *groups,
                        struct pass_groups *lists, struct error *error) {
  struct walk w = {.all = a, .numbers = calloc(PASS_STAGES * a->count + 1, sizeof *w.numbers)};
  const struct trace **traces = calloc(PASS_STAGES * a->count + 1, sizeof *traces);
  put_launch *put = fragments ? put_fragments : put_vertices;
  struct launch_code code = {0};
  int status = w.numbers && traces ? 0 : error_no_memory(error);
  if (!status) {
    const size_t count = list_traces(&w, fragments, traces);
    status = launch_code_create(traces, count, fragments, &code, error);
  }
  if (!status)
    status = put(&w, error);
  *groups = w.groups;
  if (!status && fragments)
    status = make_lists(a, w.groups, lists, error);
  if (!status && w.groups > 0)
    status = write_groups(&w, put, &code, fragments ? "fragments" : "vertices", path, lists, error);
  launch_code_clear(&code);
  access_list_clear(&w.accesses);
  free(w.numbers);
  free(w.part);
  free(traces);
  return status;
}

int pass_launches_vertices(struct pass_launches *a, const char *path, struct error *error) {
  struct pass_groups none = {0};
  return write_launch(a, false, path, &a->counts.vertex_groups, &none, error);
}

int pass_launches_fragments(struct pass_launches *a, const char *path, struct pass_groups *groups,
                            struct error *error) {
  *groups = (struct pass_groups){0};
  const int status = write_launch(a, true, path, &a->counts.groups, groups, error);
  if (status) {
    free(groups->homes);
    free(groups->fragments);
    *groups = (struct pass_groups){0};
  }
  return status;
}

/* Sorting and laying out. */

/* Takes the outputs of the last stage. Vertices that a geometry shader emits are taken to lie one behind the other. */
static void find_outputs(struct drawn *d, const struct trace_header *h, const struct arena_map *map) {
  for (uint32_t i = 0; i < h->buffer_count; i++)
    if (strcmp(h->buffers[i].name, "outputs-0") == 0) {
      d->outputs = map->bases[i];
      d->output_bytes = h->buffers[i].bytes;
    }
}

/* The quads of a draw lie inside the pass: both files are of one frame. */
static int check_size(const struct pass_launches *a, const struct pass_input *in, struct error *error) {
  const struct pass *p = a->pass;
  uint32_t right = 0, bottom = 0;
  for (uint32_t i = 0; i < in->quads->quad_count; i++) {
    const struct quad *q = &in->quads->quads[i];
    right = (uint32_t)q->x >= right ? (uint32_t)q->x + 1 : right;
    bottom = (uint32_t)q->y >= bottom ? (uint32_t)q->y + 1 : bottom;
  }
  if (right <= p->width && bottom <= p->height)
    return 0;
  return error_at(error, ERROR_INPUT, "passes.json", 0, 0, NULL,
                  "the pass of draw %u has %ux%u pixels, and the draw covers %ux%u: the files are not of one frame",
                  in->draw->number, p->width, p->height, right, bottom);
}

static int take_draw(struct pass_launches *a, struct drawn *d, struct error *error) {
  const struct pass_input *in = &d->input;
  for (size_t k = 0; k < PASS_STAGES; k++) {
    if (!in->before[k])
      continue;
    if (arena_map_create(&a->arena, &in->before[k]->header, &d->before_maps[k], error))
      return -1;
    find_outputs(d, &in->before[k]->header, &d->before_maps[k]);
  }
  if (!in->quads)
    return 0;
  return tile_launch_check(in->fragments, in->quads, error) || check_size(a, in, error) ||
                 arena_map_create(&a->arena, &in->fragments->header, &d->fragment_map, error) ||
                 tile_bins_create(in->quads, &a->grid, false, &d->all, error) ||
                 tile_bins_create(in->quads, &a->grid, a->options->early_depth, &d->shaded, error)
             ? -1
             : 0;
}

static struct tile_grid grid_of(const struct pass_launches *a) {
  uint32_t width = a->pass->width, height = a->pass->height;
  for (size_t i = 0; i < a->count; i++) {
    const struct quad_file *f = a->draws[i].input.quads;
    width = f && f->width > width ? f->width : width;
    height = f && f->height > height ? f->height : height;
  }
  return tile_grid_of(width, height, a->options->tile_pixels);
}

/* Counts the bytes that a pass moves in addition to those of its shaders: polygon lists, which have an entry for
 * each pair of a triangle and a tile in which it covers a pixel, and the targets that tiles load and store. */
static void count_tiles(struct pass_launches *a) {
  const uint64_t pixels = (uint64_t)a->pass->width * a->pass->height;
  a->counts.tiles = (uint64_t)a->grid.columns * a->grid.rows;
  for (uint32_t t = 0; t < a->counts.tiles; t++)
    for (size_t i = 0; i < a->count; i++)
      if (a->draws[i].all.begins)
        a->counts.triangles += tile_bins_triangles(&a->draws[i].all, a->draws[i].input.quads, t);
  for (size_t i = 0; i < a->count; i++)
    a->counts.binned += a->draws[i].input.quads ? a->draws[i].input.quads->triangle_count : 0;
  a->counts.list_bytes = a->counts.triangles * a->options->list_entry_bytes;
  for (uint32_t t = 0; t < a->pass->target_count; t++) {
    a->counts.load_bytes += a->pass->targets[t].loads ? pixels * a->pass->targets[t].pixel_bytes : 0;
    a->counts.store_bytes += a->pass->targets[t].stores ? pixels * a->pass->targets[t].pixel_bytes : 0;
  }
}

static int take_draws(struct pass_launches *a, const struct pass_input *inputs, struct error *error) {
  for (size_t i = 0; i < a->count; i++)
    a->draws[i].input = inputs[i];
  a->grid = grid_of(a);
  for (size_t i = 0; i < a->count; i++)
    if (take_draw(a, &a->draws[i], error))
      return -1;
  const struct tile_options *o = a->options;
  const bool tied = o->work_tile > 0 && !a->immediate; /* then units share the tiles by their homes */
  a->order = tile_order_list(o->order, a->grid.columns, a->grid.rows, tied ? 1 : o->raster_units);
  if (tied)
    a->tile_homes = tile_homes(&a->grid, o->work_tile, o->order, o->raster_units, quad_map_parts(o->map));
  if (!a->order || (tied && !a->tile_homes))
    return error_no_memory(error);
  if (!a->immediate)
    count_tiles(a);
  return pass_layout_targets(a->pass, &a->arena, &a->layout, error);
}

int pass_launches_create(const struct pass *pass, const struct pass_input *inputs, size_t count,
                         const struct tile_options *options, bool immediate, struct pass_launches **out,
                         struct error *error) {
  struct pass_launches *a = calloc(1, sizeof *a);
  *out = NULL;
  if (!a)
    return error_no_memory(error);
  *a = (struct pass_launches){.pass = pass,
                              .options = options,
                              .immediate = immediate,
                              .count = count,
                              .draws = calloc(count + 1, sizeof *a->draws)};
  const int status = a->draws ? take_draws(a, inputs, error) : error_no_memory(error);
  if (status)
    pass_launches_destroy(a);
  else
    *out = a;
  return status;
}

const struct pass_counts *pass_launches_counts(const struct pass_launches *a) {
  return &a->counts;
}

void pass_launches_destroy(struct pass_launches *a) {
  if (!a)
    return;
  for (size_t i = 0; a->draws && i < a->count; i++) {
    for (size_t k = 0; k < PASS_STAGES; k++)
      arena_map_clear(&a->draws[i].before_maps[k]);
    arena_map_clear(&a->draws[i].fragment_map);
    tile_bins_clear(&a->draws[i].all);
    tile_bins_clear(&a->draws[i].shaded);
  }
  free(a->draws);
  free(a->order);
  free(a->tile_homes);
  frame_arena_clear(&a->arena);
  free(a);
}
