/* Shows the draws of an executed frame in the numbers that the literature on graphics tabulates. */
#include "cli/info/info.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

static void path_in(const char *folder, const char *name, char *path) {
  snprintf(path, PATH_MAX, "%s/%s", folder, name);
}

bool info_frame_is(const char *input) {
  char path[PATH_MAX];
  path_in(input, "passes.json", path);
  return file_is_folder(input) && access(path, F_OK) == 0;
}

#ifdef REASSEMBLE_GRAPHICS

#include "cli/replay/trace_budget.h"
#include "graphics/drawn/pass_file.h"
#include "graphics/tile/tile_bins.h"

/* Sums over the lanes of a stage. */
struct stage_sums {
  uint64_t lanes, operations, texels;
  uint64_t input_bytes, image_bytes, buffer_bytes; /* footprints */
};

struct draw_sums {
  struct stage_sums vertices, fragments;
  uint32_t tile_pixels;
  uint64_t primitives, covered, passed, tiles, primitive_tiles;
};

static double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}

/* Returns the texels that all lanes read. */
static uint64_t texels_of(const struct trace *t, const struct trace_summary *s) {
  uint64_t texels = 0;
  for (uint32_t b = 0; b < t->code.block_count; b++)
    for (uint32_t m = 0; m < t->code.blocks[b].mem_count; m++) {
      const struct trace_op *op = &t->code.ops[t->code.mem_ops[t->code.blocks[b].first_mem + m]];
      texels += op->op_class == OP_LOAD && op->name != TRACE_NO_NAME ? s->blocks[b] : 0;
    }
  return texels;
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* The buffers of a stage have the names that graphics/execute/stage/stage.c gives them. */
static void add_footprint(struct stage_sums *sums, const char *buffer, uint64_t bytes) {
  if (begins(buffer, "inputs"))
    sums->input_bytes += bytes;
  else if (begins(buffer, "image") || begins(buffer, "texels"))
    sums->image_bytes += bytes;
  else if (!begins(buffer, "outputs"))
    sums->buffer_bytes += bytes;
}

static int sum_stage(const char *path, const struct options *options, struct stage_sums *sums, struct error *error) {
  struct trace *trace;
  struct trace_summary summary;
  if (trace_load_within(path, options, &trace, error) != 0)
    return -1;
  int status = trace_summary_compute(trace, &summary, error);
  if (status == 0) {
    sums->lanes = trace->header.global[0];
    sums->operations = trace->work_item_instructions;
    sums->texels = texels_of(trace, &summary);
    for (uint32_t b = 0; b < trace->header.buffer_count; b++)
      add_footprint(sums, trace->header.buffers[b].name, summary.footprint[b]);
  }
  trace_summary_clear(&summary);
  trace_destroy(trace);
  return status;
}

static int sum_tiles(const struct quad_file *file, struct draw_sums *d, struct error *error) {
  const struct tile_grid grid = tile_grid_of(file->width, file->height, d->tile_pixels);
  struct tile_bins bins;
  if (tile_bins_create(file, &grid, false, &bins, error) != 0)
    return -1;
  for (uint32_t t = 0; t < grid.columns * grid.rows; t++) {
    d->tiles += bins.begins[t + 1] > bins.begins[t];
    d->primitive_tiles += tile_bins_triangles(&bins, file, t);
  }
  tile_bins_clear(&bins);
  return 0;
}

static int sum_quads(const char *path, struct draw_sums *d, struct error *error) {
  struct quad_file file;
  if (quad_file_load(path, &file, error) != 0)
    return -1;
  d->primitives = file.triangle_count;
  for (uint32_t q = 0; q < file.quad_count; q++) {
    d->covered += (unsigned)__builtin_popcount(file.quads[q].coverage);
    d->passed += (unsigned)__builtin_popcount(file.quads[q].passed);
  }
  const int status = sum_tiles(&file, d, error);
  quad_file_clear(&file);
  return status;
}

/* A draw that covers no pixel has no fragments. */
static int sum_draw(const char *folder, uint32_t number, const struct options *options, struct draw_sums *d,
                    struct error *error) {
  char path[PATH_MAX], name[64];
  snprintf(name, sizeof name, "draw-%u.vertex.rtrace", number);
  path_in(folder, name, path);
  if (access(path, R_OK) == 0 && sum_stage(path, options, &d->vertices, error) != 0)
    return -1;
  snprintf(name, sizeof name, "draw-%u.quads", number);
  path_in(folder, name, path);
  if (access(path, R_OK) != 0)
    return 0;
  if (sum_quads(path, d, error) != 0)
    return -1;
  snprintf(name, sizeof name, "draw-%u.fragment.rtrace", number);
  path_in(folder, name, path);
  return sum_stage(path, options, &d->fragments, error);
}

static void show_draw(const struct pass_draw *draw, const struct pass *pass, const struct draw_sums *d,
                      struct view_list *list) {
  const struct stage_sums *v = &d->vertices, *f = &d->fragments;
  VIEW_ROW(list, view_whole(draw->number), view_whole(draw->pass), view_whole(v->lanes),
           view_real(ratio((double)v->input_bytes / 4, (double)v->lanes)), view_whole(draw->varying_words),
           view_whole(d->primitives), view_real(ratio((double)d->primitive_tiles, (double)d->tiles)),
           view_whole(d->covered), view_real(ratio((double)d->covered, (double)d->primitives)),
           view_real(ratio((double)d->passed, (double)d->covered)),
           view_real(ratio((double)d->covered, (double)pass->width * pass->height)),
           view_real(ratio((double)v->operations, (double)v->lanes)),
           view_real(ratio((double)f->operations, (double)f->lanes)),
           view_real(ratio((double)f->texels, (double)f->lanes)), view_real((double)v->input_bytes),
           view_real((double)(v->image_bytes + f->image_bytes)),
           view_real((double)(v->buffer_bytes + f->buffer_bytes)));
}

static void add(struct draw_sums *all, const struct draw_sums *d) {
  all->primitives += d->primitives;
  all->covered += d->covered;
  all->vertices.lanes += d->vertices.lanes;
  all->fragments.lanes += d->fragments.lanes;
  all->fragments.operations += d->fragments.operations;
  all->fragments.texels += d->fragments.texels;
}

/* Bytes of all targets, each image once, and the pixels of the largest pass. */
static uint64_t bytes_of_targets(const struct pass_file *file, uint64_t *pixels) {
  uint64_t bytes = 0;
  *pixels = 0;
  for (size_t p = 0; p < file->pass_count; p++) {
    const struct pass *pass = &file->passes[p];
    const uint64_t area = (uint64_t)pass->width * pass->height;
    *pixels = area > *pixels ? area : *pixels;
    for (uint32_t t = 0; t < pass->target_count; t++) {
      bool seen = false;
      for (size_t q = 0; q < p && !seen; q++)
        for (uint32_t u = 0; u < file->passes[q].target_count && !seen; u++)
          seen = file->passes[q].targets[u].image == pass->targets[t].image;
      bytes += seen ? 0 : area * pass->targets[t].pixel_bytes;
    }
  }
  return bytes;
}

static void show_total(const struct pass_file *file, const struct draw_sums *all, struct view *view) {
  uint64_t pixels;
  const uint64_t targets = bytes_of_targets(file, &pixels);
  view_member(view, "passes", view_whole(file->pass_count));
  view_member(view, "draw_count", view_whole(file->draw_count));
  view_member(view, "overdraw", view_real(ratio((double)all->covered, (double)pixels)));
  view_member(view, "target_footprint_bytes", view_whole(targets));
  view_say(view,
           "\nThe frame: draws %zu, passes %zu, vertex lanes %llu, primitives %llu, fragments %llu (%.1f a primitive,\n"
           "%.2f for each pixel of the largest pass), operations a lane %.1f, texels a lane %.2f, targets %.1f KiB\n",
           file->draw_count, file->pass_count, (unsigned long long)all->vertices.lanes,
           (unsigned long long)all->primitives, (unsigned long long)all->covered,
           ratio((double)all->covered, (double)all->primitives), ratio((double)all->covered, (double)pixels),
           ratio((double)all->fragments.operations, (double)all->fragments.lanes),
           ratio((double)all->fragments.texels, (double)all->fragments.lanes), (double)targets / 1024);
}

static int show_draws(const char *folder, const struct pass_file *file, uint32_t tile_pixels,
                      const struct options *options, struct view *view, struct error *error) {
  static const struct view_column columns[] = {
      {"draw", "draw", "%d", 0, false},
      {"pass", "pass", "%d", 0, false},
      {"vertex_lanes", "vertex lanes", "%d", 0, false},
      {"attribute_words", "attributes", "%.1f", 0, false},
      {"varying_words", "varyings", "%d", 0, false},
      {"primitives", "primitives", "%d", 0, false},
      {"primitives_per_tile", "a tile", "%.1f", 0, false},
      {"fragments", "fragments", "%d", 0, false},
      {"fragments_per_primitive", "a primitive", "%.1f", 0, false},
      {"passed_ratio", "passed %", "%.1f", 100, false},
      {"overdraw", "overdraw", "%.2f", 0, false},
      {"operations_per_vertex", "ops/vertex", "%.1f", 0, false},
      {"operations_per_lane", "ops/lane", "%.1f", 0, false},
      {"texels_per_lane", "texels/lane", "%.2f", 0, false},
      {"attribute_footprint_bytes", "attributes KiB", "%.1f", 1 / 1024.0, false},
      {"image_footprint_bytes", "images KiB", "%.1f", 1 / 1024.0, false},
      {"buffer_footprint_bytes", "buffers KiB", "%.1f", 1 / 1024.0, false}};
  struct view_list list;
  struct draw_sums all = {0};
  int status = 0;
  view_list_begin(view, "draws", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; status == 0 && i < file->draw_count; i++) {
    struct draw_sums d = {.tile_pixels = tile_pixels};
    status = sum_draw(folder, file->draws[i].number, options, &d, error);
    if (status == 0)
      show_draw(&file->draws[i], &file->passes[file->draws[i].pass], &d, &list);
    add(&all, &d);
  }
  view_list_end(&list);
  if (status == 0)
    show_total(file, &all, view);
  return status;
}

int info_frame_show(const char *folder, uint32_t tile_pixels, const struct options *options, struct view *view,
                    struct error *error) {
  struct pass_file file;
  char path[PATH_MAX];
  path_in(folder, "passes.json", path);
  if (pass_file_load(path, &file, error) != 0)
    return -1;
  view_element_begin(view, "frames");
  view_member(view, "folder", view_text(folder));
  view_member(view, "tile_pixels", view_whole(tile_pixels));
  view_member(view, "mediump", view_text(file.mediump_half ? "half" : "float"));
  view_say(view, "%s, tiles of %ux%u pixels%s\n", folder, tile_pixels, tile_pixels,
           file.mediump_half ? ", mediump is half" : "");
  const int status = show_draws(folder, &file, tile_pixels, options, view, error);
  view_object_end(view);
  pass_file_clear(&file);
  return status;
}

#else

int info_frame_show(const char *folder, uint32_t tile_pixels, const struct options *options, struct view *view,
                    struct error *error) {
  (void)folder;
  (void)tile_pixels;
  (void)view;
  return command_without_graphics(options, error);
}

#endif
