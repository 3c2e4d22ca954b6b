/* reassemble frame: replays the draws of an executed frame on a GPU, tile by tile. */
#include "cli/core/command.h"

#include "cli/core/option_rows.h"

#ifdef REASSEMBLE_GRAPHICS

#include <stdlib.h>

#include "cli/core/temporary.h"
#include "cli/core/view.h"
#include "cli/frame/frame_lines.h"
#include "cli/frame/frame_passes.h"
#include "cli/replay/designs.h"

static struct option_list gpus, sets;
static int64_t tile = 16, group = 64, units = 1, work_tile, list_entry = 8, tiler_triangle, tiler_entry;
static int order = TILE_Z, quad_map = QUADS_WHOLE;
static bool late_depth, immediate;

static const struct option_row rows[] = {
    DESIGN_ROWS(gpus, sets),
    {.name = "tile",
     .argument = "N",
     .type = OPTION_INT,
     .target = &tile,
     .minimum = 2,
     .maximum = 4096,
     .help = "side of a tile in pixels, a power of two (16)"},
    {.name = "order",
     .argument = "ORDER",
     .type = OPTION_CHOICE,
     .target = &order,
     .choices = tile_order_names,
     .help = "of the tiles"},
    {.name = "raster-units",
     .argument = "N",
     .type = OPTION_INT,
     .target = &units,
     .minimum = 1,
     .maximum = 1024,
     .help = "the units take turns, each with its own piece of the tiles (1)"},
    {.name = "work-tile",
     .argument = "N",
     .type = OPTION_INT,
     .target = &work_tile,
     .minimum = 0,
     .maximum = 4096,
     .help = "squares of N x N tiles are tied to cores, in turn along the order of tiles (0: a core that is free takes "
             "the next work-group)"},
    {.name = "quad-map",
     .argument = "MAP",
     .type = OPTION_CHOICE,
     .target = &quad_map,
     .choices = quad_map_names,
     .help = "deals the quads of a tile out among four cores of its raster unit (needs --work-tile)"},
    {.name = "group",
     .argument = "N",
     .type = OPTION_INT,
     .target = &group,
     .minimum = 4,
     .maximum = 4096,
     .help = "work-items of a work-group, which holds quads of one tile; a multiple of 4 (64)"},
    {.name = "late-depth",
     .type = OPTION_FLAG,
     .target = &late_depth,
     .help = "shade all quads (else those that fail the depth test in API order are left out before shading)"},
    {.name = "immediate",
     .type = OPTION_FLAG,
     .target = &immediate,
     .help = "draw in API order without tiles: tests and blending access the targets in memory"},
    {.name = "list-entry",
     .argument = "BYTES",
     .type = OPTION_INT,
     .target = &list_entry,
     .minimum = 0,
     .maximum = 4096,
     .help = "bytes that a triangle takes in the polygon list of a tile (8)"},
    {.name = "tiler-triangle",
     .argument = "CYCLES",
     .type = OPTION_INT,
     .target = &tiler_triangle,
     .minimum = 0,
     .maximum = 1000000,
     .help = "cycles of the tiler for each triangle that covers pixels (0)"},
    {.name = "tiler-entry",
     .argument = "CYCLES",
     .type = OPTION_INT,
     .target = &tiler_entry,
     .minimum = 0,
     .maximum = 1000000,
     .help = "cycles of the tiler for each entry that it writes to a polygon list (0)"},
    {.name = NULL},
};

struct totals {
  struct sim_counters counters; /* of the passes */
  double tiler, vertex, fragment, alone, stack[SIM_STACK_COUNT];
};

static const struct sim_result *result_of(const struct sim_result *results, size_t kernel) {
  return kernel == NO_LAUNCH ? NULL : &results[kernel];
}

static void add_launch(struct totals *t, const struct sim_result *launch) {
  double values[SIM_STACK_COUNT] = {0};
  if (launch) {
    sim_stack_values(&launch->stack, values);
    sim_counters_add(&t->counters, &launch->counters);
  }
  for (int c = 0; c < SIM_STACK_COUNT; c++)
    t->stack[c] += values[c];
}

static double share(double a, double b) {
  return b > 0 ? a / b : 0;
}

/* Each draw alone, as if no other were there. */
static void show_draws(const struct frame_draws *draws, const struct sim_result *results, struct view *view,
                       struct totals *totals) {
  static const struct view_column columns[] = {{"draw", "draw", "%d", 0, false},
                                               {"vertex_cycles", "vertex cycles", "%.0f", 0, false},
                                               {"fragment_cycles", "fragment cycles", "%.0f", 0, false},
                                               {"tiles", "tiles", "%d", 0, false},
                                               {"triangles_per_tile", "triangles/tile", "%.1f", 0, false},
                                               {"work_groups", "work-groups", "%d", 0, false},
                                               {"quads", "quads", "%d", 0, false},
                                               {"shaded", "shaded", "%d", 0, false},
                                               {"texels_per_lane", "texels/lane", "%.2f", 0, false},
                                               {"image_footprint_bytes", "images KiB", "%.1f", 1 / 1024.0, false},
                                               {"buffer_footprint_bytes", "buffers KiB", "%.1f", 1 / 1024.0, false},
                                               {"l1_miss_ratio", "L1 miss %", "%.2f", 100, false},
                                               {"dram_bytes", "DRAM KiB", "%.1f", 1 / 1024.0, false}};
  struct view_list list;
  view_list_begin(view, "draws", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < draws->count; i++) {
    const struct frame_draw_launches *d = &draws->list[i];
    const struct sim_result *v = result_of(results, d->vertex), *f = result_of(results, d->fragment);
    totals->alone += (v ? v->cycles : 0) + (f ? f->cycles : 0);
    VIEW_ROW(&list, view_whole(d->number), view_real(v ? v->cycles : 0), view_real(f ? f->cycles : 0),
             view_whole(d->counts.tiles), view_real(share((double)d->counts.primitive_tiles, (double)d->counts.tiles)),
             view_whole(d->counts.groups), view_whole(d->counts.quads), view_whole(d->counts.shaded),
             view_real(share((double)d->counts.texels, 4.0 * (double)d->counts.shaded)),
             view_real((double)d->counts.image_footprint), view_real((double)d->counts.buffer_footprint),
             view_real(f ? share((double)f->counters.l1_misses, (double)f->counters.l1_accesses) : 0),
             view_real(f ? (double)f->counters.dram_bytes : 0));
  }
  view_list_end(&list);
}

/* Returns the cycles of a launch beside which so many bytes move between memory and tiles, and adds what they take
 * longer to the launch's waiting for bandwidth. Shading hides the transfers until memory is the bottleneck. */
static double beside(const struct gpu *gpu, const struct sim_result *launch, uint64_t bytes, struct totals *t) {
  const double cycles = launch ? launch->cycles : 0, rate = gpu->spec.dram_bytes_per_cycle;
  const double all = (launch ? (double)launch->counters.dram_bytes : 0) + (double)bytes;
  const double more = rate > 0 && all / rate > cycles ? all / rate - cycles : 0;
  t->stack[STACK_bandwidth] += more;
  return cycles + more;
}

/* Returns the cycles of a pass's vertices beside which the tiler sorts their triangles: it works while vertices are
 * shaded, and a pass's fragments wait for all lists. */
static double beside_tiler(const struct pass_counts *counts, double vertex, struct totals *t) {
  const double tiler =
      (double)tiler_triangle * (double)counts->binned + (double)tiler_entry * (double)counts->triangles;
  const double more = !immediate && tiler > vertex ? tiler - vertex : 0;
  t->tiler += more;
  return vertex + more;
}

/* All draws of a pass together. */
static void show_passes(const struct frame_passes *passes, const struct gpu *gpu, const struct sim_result *results,
                        struct view *view, struct totals *totals) {
  static const struct view_column columns[] = {{"pass", "pass", "%d", 0, false},
                                               {"draws", "draws", "%d", 0, false},
                                               {"vertex_cycles", "vertex cycles", "%.0f", 0, false},
                                               {"fragment_cycles", "fragment cycles", "%.0f", 0, false},
                                               {"tiles", "tiles", "%d", 0, false},
                                               {"list_entries", "list entries", "%d", 0, false},
                                               {"list_bytes", "lists KiB", "%.1f", 1 / 1024.0, false},
                                               {"vertex_bytes", "vertices KiB", "%.1f", 1 / 1024.0, false},
                                               {"target_load_bytes", "loads KiB", "%.1f", 1 / 1024.0, false},
                                               {"target_store_bytes", "stores KiB", "%.1f", 1 / 1024.0, false},
                                               {"dram_bytes", "DRAM KiB", "%.1f", 1 / 1024.0, false}};
  struct view_list list;
  view_list_begin(view, "passes", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < passes->count; i++) {
    const struct frame_pass_launches *p = &passes->list[i];
    const struct sim_result *v = result_of(results, p->vertex), *f = result_of(results, p->fragment);
    const uint64_t lists = p->counts.list_bytes, targets = immediate ? 0 : p->counts.load_bytes + p->counts.store_bytes;
    const double vertex = beside_tiler(&p->counts, beside(gpu, v, lists, totals), totals);
    const double fragment = beside(gpu, f, lists + targets, totals);
    add_launch(totals, v);
    add_launch(totals, f);
    totals->vertex += vertex;
    totals->fragment += fragment;
    VIEW_ROW(&list, view_whole(p->number), view_whole(p->draws), view_real(vertex), view_real(fragment),
             view_whole(p->counts.tiles), view_whole(p->counts.triangles), view_real((double)p->counts.list_bytes),
             view_real((double)p->counts.vertex_bytes), view_real((double)p->counts.load_bytes),
             view_real((double)p->counts.store_bytes),
             view_real((v ? (double)v->counters.dram_bytes : 0) + (f ? (double)f->counters.dram_bytes : 0) +
                       (double)(2 * lists + targets)));
  }
  view_list_end(&list);
}

/* The caches of the cores, over all passes. */
static void show_caches(const struct gpu *gpu, const struct sim_counters *c, struct view *view) {
  static const struct view_column columns[] = {
      {"cache", "cache", NULL, 0, false},         {"bytes", "KiB a core", "%.1f", 1 / 1024.0, false},
      {"accesses", "line reads", "%d", 0, false}, {"hits", "hits", "%d", 0, false},
      {"misses", "misses", "%d", 0, false},       {"miss_ratio", "miss %", "%.2f", 100, false}};
  const struct {
    const char *name;
    int64_t bytes;
    uint64_t accesses, misses;
  } caches[] = {{"L1", gpu->spec.l1_bytes, c->l1_accesses, c->l1_misses},
                {"texture", gpu->spec.texture_cache_bytes, c->texture_accesses, c->texture_misses},
                {"depth", gpu->spec.depth_cache_bytes, c->depth_accesses, c->depth_misses},
                {"vertex", gpu->spec.vertex_cache_bytes, c->vertex_accesses, c->vertex_misses}};
  struct view_list list;
  view_list_begin(view, "caches", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++)
    if (caches[i].bytes > 0)
      VIEW_ROW(&list, view_text(caches[i].name), view_real((double)caches[i].bytes), view_whole(caches[i].accesses),
               view_whole(caches[i].accesses - caches[i].misses), view_whole(caches[i].misses),
               view_real(share((double)caches[i].misses, (double)caches[i].accesses)));
  view_list_end(&list);
}

static void show_total(const struct gpu *gpu, const struct totals *t, struct view *view) {
  const double cycles = t->vertex + t->fragment, seconds = share(cycles, gpu->spec.clock_hz);
  view_member(view, "cycles", view_real(cycles));
  view_member(view, "cycles_of_draws_alone", view_real(t->alone));
  view_member(view, "time_ns", view_real(1e9 * seconds));
  view_say(view,
           "\n%s: %.0f cycles (%.0f of vertices), %.1f us, pass after pass; its draws one after the other: %.0f\n"
           "%% of the cycles:",
           gpu->name, cycles, t->vertex, 1e6 * seconds, t->alone);
  for (int c = 0; c < SIM_STACK_COUNT; c++) {
    char key[64];
    snprintf(key, sizeof key, "cycle_stack.%s", sim_stack_names[c]);
    view_member(view, key, view_real(t->stack[c]));
    if (t->stack[c] > 0)
      view_say(view, " %s %.1f", sim_stack_names[c], 100 * share(t->stack[c], cycles));
  }
  if (tiler_triangle > 0 || tiler_entry > 0) {
    view_member(view, "cycle_stack.tiler", view_real(t->tiler));
    view_say(view, " tiler %.1f", 100 * share(t->tiler, cycles));
  }
  view_say(view, "\n");
}

static int show(const struct designs *designs, const struct frame_draws *draws, const struct frame_passes *passes,
                const char *folder, bool json, struct error *error) {
  struct view view;
  view_begin(&view, json, stdout, "reassemble.frame/1");
  view_member(&view, "folder", view_text(folder));
  view_member(&view, "mediump", view_text(passes->mediump_half ? "half" : "float"));
  if (passes->mediump_half)
    view_say(&view, "mediump is half\n\n");
  view_array(&view, "designs");
  for (size_t i = 0; i < designs->count; i++) {
    struct totals totals = {0};
    view_element_begin(&view, "designs");
    view_member(&view, "gpu", view_text(designs->items[i].gpu->name));
    if (i > 0)
      view_say(&view, "\n");
    show_draws(draws, designs->items[i].results, &view, &totals);
    view_say(&view, "\n");
    show_passes(passes, designs->items[i].gpu, designs->items[i].results, &view, &totals);
    view_say(&view, "\n");
    show_caches(designs->items[i].gpu, &totals.counters, &view);
    view_say(&view, "\n");
    if (frame_lines_show(draws, designs->items[i].results, totals.alone, folder, &view, error) != 0)
      return view_end(&view, -1, error);
    show_total(designs->items[i].gpu, &totals, &view);
    view_object_end(&view);
  }
  return view_end(&view, 0, error);
}

static int check_options(struct error *error) {
  if (tile & (tile - 1))
    return error_set(error, ERROR_INPUT, "--tile: found %lld, expected a power of two", (long long)tile);
  if (quad_map != QUADS_WHOLE && work_tile == 0)
    return error_set(error, ERROR_INPUT,
                     "--quad-map %s: needs --work-tile N: quads can be dealt out only where tiles are tied to cores",
                     quad_map_names[quad_map]);
  if (immediate && work_tile > 0)
    return error_set(error, ERROR_INPUT, "--immediate and --work-tile: without tiles none can be tied to a core");
  if (group % 4)
    return error_set(error, ERROR_INPUT,
                     "--group: found %lld, expected a multiple of 4: a work-group holds whole quads", (long long)group);
  return 0;
}

static int replay_frame(const struct options *options, const char *scratch, struct error *error) {
  const struct tile_options tiles = {.tile_pixels = (uint32_t)tile,
                                     .group_items = (uint32_t)group,
                                     .raster_units = (uint32_t)units,
                                     .order = (enum tile_order)order,
                                     .work_tile = (uint32_t)work_tile,
                                     .map = (enum quad_map)quad_map,
                                     .early_depth = !late_depth,
                                     .list_entry_bytes = (uint32_t)list_entry};
  struct designs designs = {0};
  struct replay replay = {0};
  struct frame_draws draws = {0};
  struct frame_passes passes = {0};
  int status = check_options(error);
  if (status == 0)
    status = designs_load(&designs, &gpus, &sets, error);
  if (status == 0) {
    replay.gpu = designs.items[0].gpu;
    status = frame_draws_load(options->arguments[0], &tiles, scratch, &replay, options, &draws, error);
  }
  if (status == 0)
    status = frame_passes_load(options->arguments[0], &tiles, immediate, scratch, &replay, options, &passes, error);
  if (status == 0)
    status = replay_simulate(&replay, options->jobs, options->quiet, error);
  if (status == 0)
    status = designs_replay(&designs, &replay, options, error);
  if (status == 0)
    status = show(&designs, &draws, &passes, options->arguments[0], options->json, error);
  free(draws.list);
  free(passes.list);
  replay.gpu = NULL;
  replay_clear(&replay);
  designs_clear(&designs);
  return status;
}

static int run(const struct options *options, struct error *error) {
  char *scratch;
  if (temporary_create(&scratch, error) != 0)
    return -1;
  const int status = replay_frame(options, scratch, error);
  temporary_remove(scratch);
  return status;
}

#else

static int run(const struct options *options, struct error *error) {
  return command_without_graphics(options, error);
}

static const struct option_row rows[] = {{.name = NULL}};

#endif

const struct command command_frame = {
    .word = "frame",
    .arguments = "FOLDER",
    .help = "Replay the draws of an executed frame on a GPU, tile by tile",
    .details =
        "FOLDER is what `reassemble draw` wrote for a frame. The fragments of each draw are sorted into tiles, "
        "and the\n"
        "quads of a tile fill work-groups in API order; vertices are a launch of their own. The first table has\n"
        "each draw alone, the second all draws of a pass together: all vertices, then tile by tile the\n"
        "fragments, beside the traffic of polygon lists and targets; the last has the lines of the shaders that\n"
        "cost most. The same folder serves every tile size, order and GPU.\n"
        "\n"
        "Examples:\n"
        "  reassemble frame drawn/frame-10 --gpu mali-g71-mp8\n"
        "  reassemble frame drawn/frame-10 --gpu mali-g71-mp8 --tile 32 --order rows --late-depth\n"
        "  reassemble frame drawn/frame-10 --gpu rtx-2080-ti --immediate\n"
        "  reassemble frame drawn/frame-10 --gpu mali-g71-mp8 --set cores=4 --set l2_bytes=x2 --json\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = 1,
    .run = run,
};
