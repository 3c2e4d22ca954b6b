/* reassemble frame: replays the draws of an executed frame on a GPU, tile by tile. */
#include "cli/core/command.h"

#include "cli/core/option_rows.h"

#ifdef REASSEMBLE_GRAPHICS

#include <stdlib.h>

#include "cli/core/temporary.h"
#include "cli/core/view.h"
#include "cli/frame/frame_draws.h"
#include "cli/replay/designs.h"

static struct option_list gpus, sets;
static int64_t tile = 16, group = 64, units = 1;
static int order = TILE_Z;
static bool late_depth;

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
    {.name = NULL},
};

struct totals {
  double vertex, fragment, stack[SIM_STACK_COUNT];
};

static const struct sim_result *result_of(const struct sim_result *results, size_t kernel) {
  return kernel == NO_LAUNCH ? NULL : &results[kernel];
}

static void add_to(struct totals *t, const struct sim_result *vertex, const struct sim_result *fragment) {
  const struct sim_result *both[] = {vertex, fragment};
  t->vertex += vertex ? vertex->cycles : 0;
  t->fragment += fragment ? fragment->cycles : 0;
  for (int k = 0; k < 2; k++) {
    double values[SIM_STACK_COUNT] = {0};
    if (both[k])
      sim_stack_values(&both[k]->stack, values);
    for (int c = 0; c < SIM_STACK_COUNT; c++)
      t->stack[c] += values[c];
  }
}

static double share(double a, double b) {
  return b > 0 ? a / b : 0;
}

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
    add_to(totals, v, f);
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

static void show_total(const struct gpu *gpu, const struct totals *t, struct view *view) {
  const double cycles = t->vertex + t->fragment, seconds = share(cycles, gpu->spec.clock_hz);
  view_member(view, "cycles", view_real(cycles));
  view_member(view, "time_ns", view_real(1e9 * seconds));
  view_say(view,
           "\n%s: %.0f cycles (%.0f of vertices), %.1f us, one draw after the other\n%% of the cycles:", gpu->name,
           cycles, t->vertex, 1e6 * seconds);
  for (int c = 0; c < SIM_STACK_COUNT; c++) {
    char key[64];
    snprintf(key, sizeof key, "cycle_stack.%s", sim_stack_names[c]);
    view_member(view, key, view_real(t->stack[c]));
    if (t->stack[c] > 0)
      view_say(view, " %s %.1f", sim_stack_names[c], 100 * share(t->stack[c], cycles));
  }
  view_say(view, "\n");
}

static int show(const struct designs *designs, const struct replay *replay, const struct frame_draws *draws,
                const char *folder, bool json, struct error *error) {
  struct view view;
  view_begin(&view, json, stdout, "reassemble.frame/1");
  view_member(&view, "folder", view_text(folder));
  view_array(&view, "designs");
  for (size_t i = 0; i < designs->count; i++) {
    struct totals totals = {0};
    view_element_begin(&view, "designs");
    view_member(&view, "gpu", view_text(designs->items[i].gpu->name));
    if (i > 0)
      view_say(&view, "\n");
    show_draws(draws, i == 0 ? designs->items[0].results : designs->items[i].results, &view, &totals);
    show_total(designs->items[i].gpu, &totals, &view);
    view_object_end(&view);
  }
  (void)replay;
  return view_end(&view, 0, error);
}

static int check_options(struct error *error) {
  if (tile & (tile - 1))
    return error_set(error, ERROR_INPUT, "--tile: found %lld, expected a power of two", (long long)tile);
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
                                     .early_depth = !late_depth};
  struct designs designs = {0};
  struct replay replay = {0};
  struct frame_draws draws = {0};
  int status = check_options(error);
  if (status == 0)
    status = designs_load(&designs, &gpus, &sets, error);
  if (status == 0) {
    replay.gpu = designs.items[0].gpu;
    status = frame_draws_load(options->arguments[0], &tiles, scratch, &replay, options, &draws, error);
  }
  if (status == 0)
    status = replay_simulate(&replay, options->jobs, options->quiet, error);
  if (status == 0)
    status = designs_replay(&designs, &replay, options, error);
  if (status == 0)
    status = show(&designs, &replay, &draws, options->arguments[0], options->json, error);
  free(draws.list);
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
    .details = "FOLDER is what `reassemble draw` wrote for a frame. The fragments of each draw are sorted into tiles, "
               "and the\n"
               "quads of a tile fill work-groups in API order; vertices are a launch of their own. All launches run on "
               "the model\n"
               "one after the other. The same folder serves every tile size, order and GPU.\n"
               "\n"
               "Examples:\n"
               "  reassemble frame drawn/frame-10 --gpu mali-g71-mp8\n"
               "  reassemble frame drawn/frame-10 --gpu mali-g71-mp8 --tile 32 --order rows --late-depth\n"
               "  reassemble frame drawn/frame-10 --gpu mali-g71-mp8 --set cores=4 --set l2_bytes=x2 --json\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = 1,
    .run = run,
};
