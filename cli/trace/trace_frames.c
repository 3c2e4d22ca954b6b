#include "cli/trace/trace_frames.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/core/view.h"
#include "cli/program/program_draws.h"

const char *const trace_frames_mediump[] = {"float", "half", NULL};

bool trace_frames_wanted(const struct trace_frames *wanted, const struct options *options) {
  if (wanted->graphics || wanted->frames || wanted->each_draw || wanted->mediump == MEDIUMP_HALF)
    return true;
  const char *library = program_draws(options->arguments[0]);
  if (library && !options->quiet)
    fprintf(stderr, "reassemble: %s draws with %s: frames are captured (--graphics)\n", options->arguments[0], library);
  return library != NULL;
}

#ifdef REASSEMBLE_GRAPHICS

#include "cli/program/frame_gaps.h"
#include "graphics/frame/frame_capture.h"
#include "graphics/program/frame_program.h"

static const char *layer_folder(void) {
  const char *chosen = getenv("REASSEMBLE_VULKAN_LAYER");
  if (chosen && *chosen)
    return chosen;
  return access(REASSEMBLE_VULKAN_LAYER_INSTALLED "/reassemble_vulkan_layer.json", R_OK) == 0
             ? REASSEMBLE_VULKAN_LAYER_INSTALLED
             : REASSEMBLE_VULKAN_LAYER_BUILT;
}

static uint32_t count_kind(const struct frame_capture *capture, enum frame_record_kind kind) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < capture->record_count; i++)
    count += capture->records[i].kind == (uint32_t)kind;
  return count;
}

static void show(const char *path, uint32_t frame, const struct frame_capture *capture, struct view_list *list) {
  VIEW_ROW(list, view_text(path), view_whole(frame), view_whole(count_kind(capture, FRAME_BEGIN_PASS)),
           view_whole(count_kind(capture, FRAME_DRAW) + count_kind(capture, FRAME_DRAW_INDIRECT)),
           view_whole(count_kind(capture, FRAME_UNSUPPORTED)));
}

/* Checks what the program's process wrote, and compresses it where the layer has not. */
static int take_frame(const struct frame_program *request, uint32_t frame, struct view_list *list, uint64_t *incomplete,
                      struct error *error) {
  struct frame_capture *capture;
  char path[PATH_MAX];
  frame_program_path(request, frame, path, sizeof path);
  if (access(path, R_OK) != 0)
    return 0;
  if (frame_capture_load(path, &capture, error) != 0)
    return -1;
  const int status = capture->is_packed ? 0 : frame_capture_save(capture, path, error);
  if (status == 0)
    show(path, frame, capture, list);
  *incomplete += count_kind(capture, FRAME_UNSUPPORTED);
  frame_capture_destroy(capture);
  return status;
}

/* Names the draws that lack a command, if the capture does not hold one: an element of "incomplete". */
static int name_draws(const struct frame_program *request, uint32_t frame, struct view *view, struct error *error) {
  struct frame_capture *capture;
  char path[PATH_MAX];
  int status = 0;
  frame_program_path(request, frame, path, sizeof path);
  if (access(path, R_OK) != 0)
    return 0;
  if (frame_capture_load(path, &capture, error) != 0)
    return -1;
  if (count_kind(capture, FRAME_UNSUPPORTED) > 0) {
    view_element_begin(view, "incomplete");
    view_member(view, "file", view_text(path));
    view_say(view, "\n%s\n", path);
    status = frame_gaps_find(capture, view, error);
    view_object_end(view);
  }
  frame_capture_destroy(capture);
  return status;
}

static int take_frames(const struct frame_program *request, const struct options *options, struct error *error) {
  static const struct view_column columns[] = {{"file", "file", NULL, 0, false},
                                               {"frame", "frame", "%d", 0, false},
                                               {"passes", "passes", "%d", 0, false},
                                               {"draws", "draws", "%d", 0, false},
                                               {"unsupported", "unsupported commands", "%d", 0, false}};
  struct view view;
  struct view_list list;
  uint64_t incomplete = 0;
  int status = 0;
  view_begin(&view, options->json, stdout, "reassemble.frames/1");
  view_list_begin(&view, "frames", columns, sizeof columns / sizeof columns[0], &list);
  for (uint32_t frame = request->first; status == 0 && frame <= request->last; frame++)
    status = take_frame(request, frame, &list, &incomplete, error);
  view_list_end(&list);
  view_array(&view, "incomplete");
  for (uint32_t frame = request->first; status == 0 && incomplete > 0 && frame <= request->last; frame++)
    status = name_draws(request, frame, &view, error);
  return view_end(&view, status, error);
}

int trace_frames_run(const char *folder, const struct trace_frames *wanted, const struct options *options,
                     struct error *error) {
  struct frame_program request = {.arguments = options->arguments,
                                  .argument_count = options->argument_count,
                                  .folder = folder,
                                  .layer = layer_folder(),
                                  .each_draw = wanted->each_draw,
                                  .mediump_half = wanted->mediump == MEDIUMP_HALF,
                                  .timeout_s = options->timeout_s};
  uint32_t captured;
  if (frame_program_range(wanted->frames ? wanted->frames : "10", &request.first, &request.last, error) != 0)
    return -1;
  if (wanted->most > 0 && wanted->most <= (int64_t)(request.last - request.first))
    request.last = request.first + (uint32_t)wanted->most - 1;
  if (frame_program_run(&request, &captured, error) != 0)
    return -1;
  return take_frames(&request, options, error);
}

#else

int trace_frames_run(const char *folder, const struct trace_frames *wanted, const struct options *options,
                     struct error *error) {
  (void)folder, (void)wanted, (void)options;
  return error_set(
      error, ERROR_WORK,
      "--graphics: this program was built without the headers of Vulkan and SPIR-V (Debian: apt-get install "
      "libvulkan-dev spirv-headers)");
}

#endif
