#ifdef REASSEMBLE_GRAPHICS

#include "cli/draw/draw_stages.h"

static double ratio(uint64_t a, uint64_t b) {
  return b ? (double)a / (double)b : 0;
}

static void show_patches(const struct frame_execution *x, struct view *view) {
  static const struct view_column columns[] = {{"draw", "draw", NULL, 0, false},
                                               {"patches", "patches", "%d", 0, false},
                                               {"vertices", "vertices of each", "%d", 0, false},
                                               {"points", "points of all", "%d", 0, false},
                                               {"control_operations", "ops/vertex of a patch", "%.1f", 0, false},
                                               {"evaluation_operations", "ops/point", "%.1f", 0, false}};
  struct view_list list;
  size_t count = 0;
  for (size_t i = 0; i < x->draw_count; i++)
    count += x->draws[i].patches > 0;
  if (count == 0)
    return;
  view_say(view, "\n");
  view_list_begin(view, "tessellation", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < x->draw_count; i++) {
    const struct frame_draw_result *d = &x->draws[i];
    if (d->patches > 0)
      VIEW_ROW(&list, view_text(d->directory_name), view_whole(d->patches), view_whole(d->patch_vertices),
               view_whole(d->patch_points), view_real(ratio(d->control_instructions, d->patches * d->patch_vertices)),
               view_real(ratio(d->evaluation_instructions, d->patch_points)));
  }
  view_list_end(&list);
}

static void show_geometry(const struct frame_execution *x, struct view *view) {
  static const struct view_column columns[] = {{"draw", "draw", NULL, 0, false},
                                               {"primitives", "primitives taken", "%d", 0, false},
                                               {"invocations", "invocations", "%d", 0, false},
                                               {"vertices", "vertices emitted", "%d", 0, false},
                                               {"operations", "ops/work-item", "%.1f", 0, false}};
  struct view_list list;
  size_t count = 0;
  for (size_t i = 0; i < x->draw_count; i++)
    count += x->draws[i].geometry_invocations > 0;
  if (count == 0)
    return;
  view_say(view, "\n");
  view_list_begin(view, "geometry", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < x->draw_count; i++) {
    const struct frame_draw_result *d = &x->draws[i];
    if (d->geometry_invocations > 0)
      VIEW_ROW(&list, view_text(d->directory_name), view_whole(d->geometry_primitives),
               view_whole(d->geometry_invocations), view_whole(d->geometry_vertices),
               view_real(ratio(d->geometry_instructions, d->geometry_primitives * d->geometry_invocations)));
  }
  view_list_end(&list);
}

void draw_stages_show(const struct frame_execution *x, struct view *view) {
  show_patches(x, view);
  show_geometry(x, view);
}

#endif
