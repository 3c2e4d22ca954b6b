#ifdef REASSEMBLE_GRAPHICS

#include "cli/draw/draw_agreement.h"

static double ratio(uint64_t a, uint64_t b) {
  return b ? (double)a / (double)b : 0;
}

/* A draw agrees where 99 % of its pixels are within 1/255 of Vulkan's, none differs by more than 4/255, and as many
 * samples passed the tests. */
static bool agrees(const struct frame_draw_result *d) {
  const struct draw_agreement *a = &d->agreement;
  return !d->missing[0] && a->missing == 0 && (!a->counted || a->samples == d->passed) &&
         100 * a->near >= 99 * a->pixels && a->worst <= 4.0001;
}

static void show_disagreeing(const struct frame_execution *x, struct view *view) {
  static const struct view_column columns[] = {{"draw", "draw", NULL, 0, false},
                                               {"vulkan_samples", "Vulkan's samples", "%d", 0, false},
                                               {"samples", "samples", "%d", 0, false},
                                               {"only_vulkan", "pixels of Vulkan alone", "%d", 0, false},
                                               {"pixels", "pixels", "%d", 0, false},
                                               {"equal_ratio", "equal", "%.5f", 0, false},
                                               {"near_ratio", "within 1/255", "%.5f", 0, false},
                                               {"worst", "worst of 255", "%.1f", 0, false},
                                               {"reason", "may be because of", NULL, 0, false}};
  struct view_list list;
  view_list_begin(view, "disagreeing", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < x->draw_count; i++) {
    const struct frame_draw_result *d = &x->draws[i];
    const struct draw_agreement *a = &d->agreement;
    if (a->compared && !agrees(d))
      VIEW_ROW(&list, view_text(d->directory_name), view_whole(a->samples), view_whole(d->passed),
               view_whole(a->missing), view_whole(a->pixels), view_real(ratio(a->equal, a->pixels)),
               view_real(ratio(a->near, a->pixels)), view_real(a->worst),
               view_text(d->missing[0] ? d->missing : a->reason));
  }
  view_list_end(&list);
}

static void show_not_compared(const struct frame_execution *x, struct view *view) {
  static const struct view_column columns[] = {{"draw", "draw", NULL, 0, false},
                                               {"reason", "not compared, because", NULL, 0, false}};
  struct view_list list;
  view_say(view, "\n");
  view_list_begin(view, "not_compared", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < x->draw_count; i++) {
    const struct frame_draw_result *d = &x->draws[i];
    if (!d->agreement.compared)
      VIEW_ROW(&list, view_text(d->directory_name), view_text(d->missing[0] ? d->missing : d->agreement.not_compared));
  }
  view_list_end(&list);
}

void draw_agreement_show(const struct frame_execution *x, struct view *view) {
  uint64_t compared = 0, agreeing = 0;
  for (size_t i = 0; i < x->draw_count; i++) {
    compared += x->draws[i].agreement.compared;
    agreeing += x->draws[i].agreement.compared && agrees(&x->draws[i]);
  }
  view_member(view, "compared_draws", view_whole(compared));
  view_member(view, "agreeing_draws", view_whole(agreeing));
  view_say(view,
           "\n%llu of %llu draws cover Vulkan's samples, 99 %% of their pixels within 1/255, none beyond 4/255%s\n",
           (unsigned long long)agreeing, (unsigned long long)compared, agreeing < compared ? "; the others:" : "");
  if (agreeing < compared)
    show_disagreeing(x, view);
  if (compared < x->draw_count)
    show_not_compared(x, view);
}

#else
typedef int without_graphics; /* a file has to declare something */
#endif
