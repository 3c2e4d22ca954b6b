#include "cli/info/info_capture.h"

#include <string.h>

#include "cli/core/command.h"

#define ENDING ".rframe"

bool info_capture_is(const char *file) {
  const size_t length = strlen(file), ending = strlen(ENDING);
  return length > ending && strcmp(file + length - ending, ENDING) == 0;
}

#ifdef REASSEMBLE_GRAPHICS

#include "cli/program/frame_gaps.h"
#include "graphics/execute/summary/frame_summary.h"

static const char *const not_known[] = {"fragments",      "primitives_per_tile",   "fragments_per_primitive",
                                        "overdraw",       "operations_per_vertex", "operations_per_lane",
                                        "texels_per_lane"};

static struct view_value whole_if(bool known, uint64_t value) {
  return known ? view_whole(value) : view_null();
}

static struct view_value real_if(bool known, uint64_t value) {
  return known ? view_real((double)value) : view_null();
}

static void show_draws(const struct frame_summary *s, struct view *view) {
  static const struct view_column columns[] = {{"draw", "draw", "%d", 0, false},
                                               {"pass", "pass", "%d", 0, false},
                                               {"topology", "topology", NULL, 0, false},
                                               {"vertices", "vertices", "%d", 0, false},
                                               {"instances", "instances", "%d", 0, false},
                                               {"primitives", "primitives", "%d", 0, false},
                                               {"attribute_words", "attributes", "%d", 0, false},
                                               {"vertex_instructions", "vertex code", "%d", 0, false},
                                               {"fragment_instructions", "fragment code", "%d", 0, false},
                                               {"images", "images", "%d", 0, false},
                                               {"passed", "passed samples", "%d", 0, false},
                                               {"pass_pixels", NULL, "%d", 0, false},
                                               {"attribute_bytes", "attributes KiB", "%.1f", 1 / 1024.0, false},
                                               {"index_bytes", "indices KiB", "%.1f", 1 / 1024.0, false},
                                               {"uniform_bytes", "uniforms KiB", "%.1f", 1 / 1024.0, false},
                                               {"storage_bytes", "storage KiB", "%.1f", 1 / 1024.0, false},
                                               {"image_bytes", "images KiB", "%.1f", 1 / 1024.0, false},
                                               {"storage_image_bytes", "storage images KiB", "%.1f", 1 / 1024.0, false},
                                               {"target_bytes", "targets KiB", "%.1f", 1 / 1024.0, false},
                                               {"left_out", "not executed, because", NULL, 0, false}};
  struct view_list list;
  view_list_begin(view, "draws", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < s->draw_count; i++) {
    const struct frame_draw_summary *d = &s->draws[i];
    VIEW_ROW(&list, view_whole(d->number), view_whole(d->pass), view_text(d->topology),
             whole_if(d->has_vertices, d->vertices), whole_if(d->has_vertices, d->instances),
             whole_if(d->has_indices, d->primitives), view_whole(d->attribute_words),
             view_whole(d->vertex_instructions), view_whole(d->fragment_instructions), view_whole(d->images),
             whole_if(d->has_passed, d->passed), view_whole(d->pixels),
             real_if(d->has_indices, d->bytes[RESOURCE_ATTRIBUTES]),
             real_if(d->has_vertices, d->bytes[RESOURCE_INDICES]), view_real((double)d->bytes[RESOURCE_UNIFORMS]),
             view_real((double)d->bytes[RESOURCE_STORAGE]), view_real((double)d->bytes[RESOURCE_IMAGES]),
             view_real((double)d->bytes[RESOURCE_STORAGE_IMAGES]), view_real((double)d->bytes[RESOURCE_TARGETS]),
             view_text(d->left_out[0] ? d->left_out : NULL));
  }
  view_list_end(&list);
}

static void show_resources(const struct frame_summary *s, struct view *view) {
  static const struct view_column columns[] = {{"resource", "resource", NULL, 0, false},
                                               {"objects", "objects", "%d", 0, false},
                                               {"bytes", "KiB that commands can reach", "%.1f", 1 / 1024.0, false}};
  static const char *const names[RESOURCE_COUNT] = {"attributes", "indices",        "uniforms", "storage buffers",
                                                    "images",     "storage images", "targets"};
  struct view_list list;
  view_say(view, "\n");
  view_list_begin(view, "resources", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t r = 0; r < RESOURCE_COUNT; r++)
    VIEW_ROW(&list, view_text(names[r]), view_whole(s->resources[r].objects), view_real((double)s->resources[r].bytes));
  view_list_end(&list);
}

static void show_records(const struct frame_summary *s, struct view *view) {
  static const struct view_column columns[] = {{"record", "record", NULL, 0, false},
                                               {"count", "number", "%d", 0, false}};
  struct view_list list;
  view_say(view, "\n");
  view_list_begin(view, "records", columns, sizeof columns / sizeof columns[0], &list);
  for (uint32_t kind = 0; kind < FRAME_KIND_COUNT; kind++)
    if (s->counts[kind] > 0)
      VIEW_ROW(&list, view_text(frame_kind_name(kind)), view_whole(s->counts[kind]));
  view_list_end(&list);
}

static void show_total(const struct frame_summary *s, struct view *view) {
  uint64_t vertices = 0, primitives = 0, unknown = 0;
  for (size_t i = 0; i < s->draw_count; i++) {
    vertices += s->draws[i].vertices;
    primitives += s->draws[i].primitives;
    unknown += !s->draws[i].has_indices;
  }
  view_member(view, "draw_count", view_whole(s->draw_count));
  view_member(view, "passes", view_whole(s->pass_count));
  view_member(view, "dispatches", view_whole(s->dispatch_count));
  view_member(view, "draws_with_unknown_vertices", view_whole(unknown));
  view_member(view, "draw_numbers_are_known", view_truth(s->numbers_are_known));
  view_say(view, "\nThe frame: draws %zu, passes %u, dispatches %u, vertices %llu, primitives %llu\n", s->draw_count,
           s->pass_count, s->dispatch_count, (unsigned long long)vertices, (unsigned long long)primitives);
  if (unknown > 0)
    view_say(view,
             "%llu draws have parameters or indices that a shader or a copy of texels may write: their vertices "
             "are not known\n",
             (unsigned long long)unknown);
  if (!s->numbers_are_known)
    view_say(view, "A device computes how many draws a command is: `reassemble draw` may number later draws "
                   "differently\n");
}

static void show_not_known(const char *file, struct view *view) {
  json_t *names = json_array();
  for (size_t i = 0; i < sizeof not_known / sizeof not_known[0]; i++)
    json_array_append_new(names, json_string(not_known[i]));
  view_member(view, "not_known", view_json(names));
  view_say(
      view,
      "\nA capture holds no results of shaders, so that it does not say: fragments, primitives a tile, fragments a "
      "primitive,\noverdraw, operations and texels of a lane, and which bytes are touched. `reassemble draw %s -o "
      "DIR`\nexecutes it, and `reassemble info DIR/FRAME` shows them.\n",
      file);
}

static void show(const char *file, const struct frame_capture *capture, const struct frame_summary *s,
                 struct view *view) {
  const struct frame_present *picture = capture->picture;
  view_element_begin(view, "captures");
  view_member(view, "file", view_text(file));
  view_member(view, "frame", picture ? view_whole(picture->number) : view_null());
  view_member(view, "width", picture ? view_whole(picture->width) : view_null());
  view_member(view, "height", picture ? view_whole(picture->height) : view_null());
  view_member(view, "mediump", view_text(capture->mediump_half ? "half" : "float"));
  if (picture)
    view_say(view, "%s: frame %u, %ux%u pixels", file, picture->number, picture->width, picture->height);
  else
    view_say(view, "%s: a frame without a picture", file);
  view_say(view, capture->mediump_half ? ", mediump is half\n" : "\n");
  show_draws(s, view);
  show_total(s, view);
  frame_gaps_show(s, view);
  show_resources(s, view);
  show_records(s, view);
  show_not_known(file, view);
  view_object_end(view);
}

int info_capture_show(const char *file, const struct options *options, struct view *view, struct error *error) {
  struct frame_capture *capture;
  struct frame_summary summary;
  (void)options;
  if (frame_capture_load(file, &capture, error) != 0)
    return -1;
  const int status = frame_summary_make(capture, &summary, error);
  if (status == 0) {
    show(file, capture, &summary, view);
    frame_summary_clear(&summary);
  }
  frame_capture_destroy(capture);
  return status;
}

#else

int info_capture_show(const char *file, const struct options *options, struct view *view, struct error *error) {
  (void)file;
  (void)view;
  return command_without_graphics(options, error);
}

#endif
