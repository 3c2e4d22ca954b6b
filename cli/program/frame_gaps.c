#include "cli/program/frame_gaps.h"

#ifdef REASSEMBLE_GRAPHICS

#include "graphics/execute/summary/frame_summary.h"

enum { ROWS_SHOWN = 20 };

void frame_gaps_show(const struct frame_summary *s, struct view *view) {
  static const struct view_column columns[] = {{"draw", "draw", NULL, 0, false},
                                               {"command", "lacks what is not captured", NULL, 0, false}};
  struct view_list list;
  if (s->gap_count == 0)
    return;
  view_say(view, "\n");
  view_list_begin(view, "not_captured", columns, sizeof columns / sizeof columns[0], &list);
  list.shown = ROWS_SHOWN;
  list.things = "draws";
  for (size_t i = 0; i < s->gap_count; i++)
    VIEW_ROW(&list, view_text(s->gaps[i].place), view_text(s->gaps[i].command));
  view_list_end(&list);
}

int frame_gaps_find(const struct frame_capture *capture, struct view *view, struct error *error) {
  struct frame_summary summary;
  if (frame_summary_make(capture, &summary, error) != 0)
    return -1;
  frame_gaps_show(&summary, view);
  if (summary.gap_count == 0)
    view_say(view, "No draw lacks a command that is not captured\n");
  frame_summary_clear(&summary);
  return 0;
}

#endif
