/* reassemble draw: executes frame captures, compares the pictures and tells what each draw did. */
#include "cli/core/command.h"

#include <limits.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli/core/view.h"

enum { MEDIUMP_CAPTURED, MEDIUMP_FLOAT, MEDIUMP_HALF };

static const char *const mediump[] = {"captured", "float", "half", NULL};

static struct {
  const char *folder;
  bool no_trace, no_picture, each_draw;
  int mediump;
} arguments = {.folder = "."};

static const struct option_row rows[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "DIR",
     .type = OPTION_TEXT,
     .target = &arguments.folder,
     .help = "folder for DIR/<frame>: pictures, shaders as OpenCL C and their traces (.)"},
    {.name = "no-trace", .type = OPTION_FLAG, .target = &arguments.no_trace, .help = "write no traces of the shaders"},
    {.name = "no-picture", .type = OPTION_FLAG, .target = &arguments.no_picture, .help = "write no pictures"},
    {.name = "each-draw",
     .type = OPTION_FLAG,
     .target = &arguments.each_draw,
     .help = "compare every draw with Vulkan's, and go on from Vulkan's targets (of captures made with --each-draw)"},
    {.name = "mediump",
     .argument = "FORMAT",
     .type = OPTION_CHOICE,
     .target = &arguments.mediump,
     .choices = mediump,
     .help = "what mediump floats of fragment shaders are; captured: as `trace --mediump` said"},
    {.name = NULL},
};

#ifdef REASSEMBLE_GRAPHICS

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/draw/draw_agreement.h"
#include "cli/draw/draw_pictures.h"
#include "cli/draw/draw_stages.h"
#include "cli/program/frame_gaps.h"
#include "graphics/execute/kept_shaders.h"

static double ratio(uint64_t a, uint64_t b) {
  return b ? (double)a / (double)b : 0;
}

static void show_draws(const struct frame_execution *x, struct view *view) {
  static const struct view_column columns[] = {{"draw", "draw", NULL, 0, false},
                                               {"pass", "pass", "%d", 0, false},
                                               {"vertices", "vertices", "%d", 0, false},
                                               {"distinct_vertices", "distinct", "%d", 0, false},
                                               {"primitives", "primitives", "%d", 0, false},
                                               {"culled", "culled", "%d", 0, false},
                                               {"clipped", "clipped", "%d", 0, false},
                                               {"quads", "quads", "%d", 0, false},
                                               {"fragments", "fragments", "%d", 0, false},
                                               {"passed", "passed depth", "%d", 0, false},
                                               {"vertex_operations", "ops/vertex", "%.1f", 0, false},
                                               {"fragment_operations", "ops/lane", "%.1f", 0, false},
                                               {"trace_bytes", "trace bytes", "%d", 0, false},
                                               {"missing", "left out, because", NULL, 0, false}};
  struct view_list list;
  view_list_begin(view, "draws", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < x->draw_count; i++) {
    const struct frame_draw_result *d = &x->draws[i];
    VIEW_ROW(&list, view_text(d->directory_name), view_whole(d->pass), view_whole(d->vertices),
             view_whole(d->distinct_vertices), view_whole(d->primitives.primitives),
             view_whole(d->primitives.culled + d->primitives.clipped_away), view_whole(d->primitives.clipped),
             view_whole(d->quads), view_whole(d->fragments), view_whole(d->passed),
             view_real(ratio(d->vertex_instructions, d->distinct_vertices)),
             view_real(ratio(d->fragment_instructions, 4 * d->quads)), view_whole(d->trace_bytes),
             view_text(d->missing[0] ? d->missing : "-"));
  }
  view_list_end(&list);
}

static void show_dispatches(const struct frame_execution *x, struct view *view) {
  static const struct view_column columns[] = {
      {"dispatch", "dispatch", NULL, 0, false},        {"groups", "work-groups", NULL, 0, false},
      {"local", "work-items of each", NULL, 0, false}, {"operations", "operations", "%d", 0, false},
      {"trace_bytes", "trace bytes", "%d", 0, false},  {"missing", "left out, because", NULL, 0, false}};
  struct view_list list;
  if (x->dispatch_count == 0)
    return;
  view_say(view, "\n");
  view_list_begin(view, "dispatches", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < x->dispatch_count; i++) {
    const struct frame_dispatch_result *d = &x->dispatches[i];
    char groups[40], local[40];
    snprintf(groups, sizeof groups, "%ux%ux%u", d->groups[0], d->groups[1], d->groups[2]);
    snprintf(local, sizeof local, "%ux%ux%u", d->local[0], d->local[1], d->local[2]);
    VIEW_ROW(&list, view_text(d->name), view_text(groups), view_text(local), view_whole(d->instructions),
             view_whole(d->trace_bytes), view_text(d->missing[0] ? d->missing : "-"));
  }
  view_list_end(&list);
}

static void show_picture(const struct frame_execution *x, struct view *view) {
  const struct picture_agreement a = frame_execution_compare(x);
  uint64_t fragments = 0;
  for (size_t i = 0; i < x->draw_count; i++)
    fragments += x->draws[i].fragments;
  view_member(view, "picture.pixels", view_whole(a.pixels));
  view_member(view, "picture.equal_ratio", view_real(ratio(a.equal, a.pixels)));
  view_member(view, "picture.near_ratio", view_real(ratio(a.near, a.pixels)));
  view_member(view, "picture.worst", view_whole(a.worst));
  view_member(view, "overdraw", view_real(ratio(fragments, a.pixels)));
  if (!arguments.each_draw)
    view_say(view, "\n%ux%u pixels: %.3f %% equal to Vulkan's, %.3f %% within 1/255, worst %u/255; overdraw %.2f\n",
             x->width, x->height, 100 * ratio(a.equal, a.pixels), 100 * ratio(a.near, a.pixels), a.worst,
             ratio(fragments, a.pixels));
  if (!x->operations)
    return;
  const uint32_t operations = draw_pictures_most(x, x->operations), texels = draw_pictures_most(x, x->texels);
  view_member(view, "operations_most", view_whole(operations));
  view_member(view, "texels_most", view_whole(texels));
  view_say(view, "The most of a pixel, white in operations.png and texels.png: %u operations, %u texels\n", operations,
           texels);
}

static bool belongs_to_a_replay(const char *name) {
  unsigned number;
  char ending[32];
  return strcmp(name, "passes.json") == 0 ||
         (sscanf(name, "draw-%u.%31s", &number, ending) == 2 &&
          (strcmp(ending, "vertex.rtrace") == 0 || strcmp(ending, "control.rtrace") == 0 ||
           strcmp(ending, "evaluation.rtrace") == 0 || strcmp(ending, "geometry.rtrace") == 0 ||
           strcmp(ending, "fragment.rtrace") == 0 || strcmp(ending, "quads") == 0));
}

/* Removes what a replay would take of an earlier run for a part of this one, which may have fewer draws, or not get to
 * its end. */
static int forget_earlier_run(const char *folder, struct error *error) {
  DIR *stream = opendir(folder);
  int status = 0;
  for (const struct dirent *entry; stream && status == 0 && (entry = readdir(stream));)
    if (belongs_to_a_replay(entry->d_name) && unlinkat(dirfd(stream), entry->d_name, 0) != 0 && errno != ENOENT)
      status = error_set(error, ERROR_WORK, "%s/%s: cannot be removed: %s", folder, entry->d_name, strerror(errno));
  if (stream)
    closedir(stream);
  return status;
}

/* Writes what a replay needs of the passes beside the traces. */
static int write_passes(const char *folder, const struct frame_execution *x, struct error *error) {
  struct pass_file file = {
      .passes = x->passes, .pass_count = x->pass_count, .draw_count = x->draw_count, .mediump_half = x->mediump_half};
  char *path = text_format("%s/passes.json", folder);
  file.draws = malloc((x->draw_count + 1) * sizeof *file.draws);
  int status = path && file.draws ? 0 : error_no_memory(error);
  for (size_t i = 0; status == 0 && i < x->draw_count; i++)
    file.draws[i] = x->draws[i].targets;
  if (status == 0)
    status = file_make_directories(folder, error);
  if (status == 0)
    status = pass_file_write(path, &file, error);
  free(file.draws);
  free(path);
  return status;
}

/* Says how mediump was computed, and in how many draws it makes a difference. */
static void show_mediump(const struct frame_execution *x, struct view *view) {
  uint64_t halves = 0;
  for (size_t i = 0; i < x->draw_count; i++)
    halves += x->draws[i].has_halves;
  view_member(view, "mediump", view_text(mediump[x->mediump_half ? MEDIUMP_HALF : MEDIUMP_FLOAT]));
  view_member(view, "draws_with_halves", view_whole(halves));
  if (x->mediump_half)
    view_say(view, "\nmediump is half: the fragment shaders of %llu of %zu draws compute with 16-bit floats\n",
             (unsigned long long)halves, x->draw_count);
}

static int show(const char *folder, const struct frame_execution *x, struct view *view, struct error *error) {
  show_draws(x, view);
  draw_stages_show(x, view);
  show_dispatches(x, view);
  if (!arguments.no_trace && write_passes(folder, x, error) != 0)
    return -1;
  if (arguments.each_draw)
    draw_agreement_show(x, view);
  if (x->unsupported)
    view_say(view, "\nNot executed: %s\n", x->unsupported);
  view_member(view, "not_executed", view_text(x->unsupported));
  show_mediump(x, view);
  if (!x->rgba)
    return 0;
  show_picture(x, view);
  return arguments.no_picture ? 0 : draw_pictures_write(folder, x, error);
}

/* Draws whose shaders were stopped by a mistake or a limit, of all frames. */
static struct {
  size_t count, draws;
  char first[400];
} stopped;

static void count_stopped(const char *path, const struct frame_execution *x) {
  stopped.draws += x->draw_count + x->dispatch_count;
  for (size_t i = 0; i < x->draw_count; i++)
    if (x->draws[i].stopped && stopped.count++ == 0)
      snprintf(stopped.first, sizeof stopped.first, "%s of %.150s): %s", x->draws[i].directory_name, path,
               x->draws[i].missing);
  for (size_t i = 0; i < x->dispatch_count; i++)
    if (x->dispatches[i].stopped && stopped.count++ == 0)
      snprintf(stopped.first, sizeof stopped.first, "%s of %.150s): %s", x->dispatches[i].name, path,
               x->dispatches[i].missing);
}

static int judge_stopped(struct error *error) {
  return stopped.count == 0 ? 0
                            : error_set(error, ERROR_WORK, "%zu of %zu draws did not run to their ends, the first (%s",
                                        stopped.count, stopped.draws, stopped.first);
}

/* Returns whether the capture has what its draws are to be compared with. */
static int check_targets(const struct frame_capture *capture, struct error *error) {
  if (!arguments.each_draw)
    return 0;
  for (uint32_t i = 0; i < capture->record_count; i++)
    if (capture->records[i].kind == FRAME_TARGET_BYTES)
      return 0;
  return error_set(error, ERROR_INPUT,
                   "--each-draw: the capture has no targets of its draws; capture it with `reassemble trace "
                   "--graphics --each-draw`");
}

/* A capture whose shaders have 16-bit floats instead of mediump cannot be drawn with others. */
static int check_mediump(const struct frame_capture *capture, struct error *error) {
  return arguments.mediump == MEDIUMP_FLOAT && capture->mediump_half
             ? error_set(
                   error, ERROR_INPUT,
                   "--mediump float: the capture was made with --mediump half, so that its shaders may have 16-bit "
                   "floats; capture it with `reassemble trace --mediump float`")
             : 0;
}

static int draw(const char *path, struct kept_shaders *kept, const struct options *options, struct view *view,
                struct error *error) {
  struct frame_capture *capture = NULL;
  struct frame_execution execution;
  char *stem = text_stem(path), *folder = stem ? text_format("%s/%s", arguments.folder, stem) : NULL;
  struct frame_execute_options request = {.kept = kept,
                                          .folder = folder,
                                          .traces = !arguments.no_trace,
                                          .timeout_s = options->timeout_s,
                                          .memory_bytes = (size_t)options->memory_bytes,
                                          .max_instructions = (uint64_t)options->max_instructions,
                                          .each_draw = arguments.each_draw};
  int status = folder ? frame_capture_load(path, &capture, error) : error_no_memory(error);
  if (status == 0) {
    request.mediump_half = arguments.mediump == MEDIUMP_HALF || capture->mediump_half;
    const bool fails = check_targets(capture, error) != 0 || check_mediump(capture, error) != 0 ||
                       (request.traces && forget_earlier_run(folder, error) != 0);
    status = fails ? -1 : frame_execute(capture, &request, &execution, error);
    if (status != 0 || !execution.unsupported) {
      frame_capture_destroy(capture);
      capture = NULL;
    }
  }
  if (status == 0) {
    view_element_begin(view, "frames");
    view_member(view, "file", view_text(path));
    view_member(view, "folder", view_text(folder));
    status = show(folder, &execution, view, error);
    if (status == 0 && execution.unsupported)
      status = frame_gaps_find(capture, view, error);
    count_stopped(path, &execution);
    view_object_end(view);
    frame_execution_clear(&execution);
  }
  frame_capture_destroy(capture);
  free(stem);
  free(folder);
  return status;
}

/* Keeps the memory that a draw freed for the next one: fresh pages cost more than what is written to them. */
static void keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 256 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

static int run(const struct options *options, struct error *error) {
  struct view view;
  struct kept_shaders *kept = kept_shaders_create();
  int status = kept ? 0 : error_no_memory(error);
  keep_freed_memory();
  view_begin(&view, options->json, stdout, "reassemble.draw/1");
  for (size_t i = 0; status == 0 && i < options->argument_count; i++)
    status = draw(options->arguments[i], kept, options, &view, error);
  kept_shaders_destroy(kept);
  status = view_end(&view, status, error);
  return status == 0 ? judge_stopped(error) : status;
}

#else

static int run(const struct options *options, struct error *error) {
  return command_without_graphics(options, error);
}

#endif

const struct command command_draw = {
    .word = "draw",
    .arguments = "FRAME.rframe...",
    .help = "Execute captured frames, compare their pictures and record what their shaders did",
    .details =
        "Takes frames that `reassemble trace --graphics` captured. Each draw's shaders become OpenCL C and run in the\n"
        "emulator; triangles are clipped, set up and rasterised into quads; depth, stencil and blending follow. "
        "Writes\n"
        "DIR/<frame>/picture.png and expected.png (Vulkan's own), and the shaders (shader-<digest>.cl), and of\n"
        "each draw their traces (draw-0.vertex.rtrace, draw-0.fragment.rtrace), which info and simulate take. A draw "
        "that uses what is not\n"
        "supported is left out, and its row says why. Where a shader makes a mistake or reaches a limit, its draw is "
        "left\n"
        "out likewise, and the exit code is 1.\n"
        "\n"
        "Examples:\n"
        "  reassemble draw frames/frame-10.rframe -o drawn\n"
        "  reassemble draw frames/*.rframe --json --no-trace\n"
        "  reassemble draw frames/frame-10.rframe --each-draw --no-trace\n"
        "  reassemble draw frames/frame-10.rframe --mediump half -o halves\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
