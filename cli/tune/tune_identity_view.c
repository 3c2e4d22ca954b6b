/* Shows which parameters the data determine, at the tuned values. */
#include "cli/tune/tune_view.h"

#include <math.h>
#include <stdio.h>

static const char *key_of(const struct tune_report *r, size_t axis) {
  return r->tune->setup.space->axes[axis].param->key;
}

/* Correlations of a parameter with the others, by key. */
static struct view_value correlations(const struct tune_report *r, size_t p, const struct view *view) {
  const struct identification *id = r->identification;
  if (!view_is_json(view))
    return view_absent();
  json_t *object = json_object();
  for (size_t a = 0; a < id->axis_count; a++) {
    const double c = id->correlation[p][id->axes[a]];
    if (id->axes[a] != p)
      json_object_set_new(object, key_of(r, id->axes[a]), isfinite(c) ? json_real(c) : json_null());
  }
  return view_json(object);
}

/* The objective at multiples of the tuned value, with the other parameters fixed and refitted. */
static struct view_value profile(const struct identity *identity, struct view *view) {
  static const struct view_column columns[] = {{.key = "factor"}, {.key = "fixed"}, {.key = "refitted"}};
  struct view_list list;
  view_items_begin(view, columns, 3, &list);
  for (int s = 0; s < PROFILE_STEPS; s++)
    VIEW_ROW(&list, view_real(profile_factors[s]), view_real(identity->fixed[s]), view_real(identity->refitted[s]));
  return view_items_end(&list);
}

/* A value that is not computed is not a number; people see "-" for it. */
static struct view_value cost(double value) {
  return isfinite(value) ? view_real(value) : view_null();
}

static void show_parameters(const struct tune_report *r, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "key", .title = "parameter"},
      {.key = "sensitivity", .title = "moves times %/%", .format = "%.3f"},
      {.key = "amplification"},
      {.title = "error per 1 %", .format = "%s"},
      {.key = "determined"},
      {.key = "correlations"},
      {.key = "profile"},
      {.title = "objective at x0.5", .format = "%.2f"},
      {.title = "x0.8", .format = "%.2f"},
      {.title = "x1.25", .format = "%.2f"},
      {.title = "x2", .format = "%.2f"},
      {.title = "others refitted x0.5", .format = "%.2f"},
      {.title = "x2", .format = "%.2f"},
      {.title = ""},
  };
  const struct identification *id = r->identification;
  struct view_list list;
  view_list_begin(view, "parameters", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t a = 0; a < id->axis_count; a++) {
    const size_t p = id->axes[a];
    const struct identity *i = &id->identities[p];
    const bool determined = i->amplification < undetermined_amplification;
    char amplification[64];
    snprintf(amplification, sizeof amplification, i->amplification < 1000 ? "%.1f %%" : "> 1000 %%", i->amplification);
    VIEW_ROW(&list, view_text(key_of(r, p)), view_real(i->sensitivity), view_real(i->amplification),
             view_text(amplification), view_truth(determined), correlations(r, p, view), profile(i, view),
             cost(i->fixed[0]), cost(i->fixed[1]), cost(i->fixed[2]), cost(i->fixed[3]), cost(i->refitted[0]),
             cost(i->refitted[PROFILE_STEPS - 1]), view_text(determined ? "" : "not determined"));
  }
  view_list_end(&list);
}

static void say_pairs(const struct tune_report *r, struct view *view) {
  const struct identification *id = r->identification;
  for (size_t a = 0; a < id->axis_count; a++)
    for (size_t b = a + 1; b < id->axis_count; b++) {
      const double c = id->correlation[id->axes[a]][id->axes[b]];
      if (fabs(c) >= trade_off_correlation)
        view_say(view, "%s and %s trade off (correlation %+.2f): the data determine them only together\n",
                 key_of(r, id->axes[a]), key_of(r, id->axes[b]), c);
    }
}

static void show_flat(const struct tune_report *r, struct view *view) {
  static const double least_component = 0.2; /* of a unit vector, for people */
  const struct identification *id = r->identification;
  view_array(view, "flat_directions");
  for (size_t i = 0; i < id->flat_count; i++) {
    view_element_begin(view, "flat_directions");
    view_say(view, "flat direction:");
    for (size_t a = 0; a < id->axis_count; a++) {
      const double component = id->flat[i][id->axes[a]];
      view_member(view, key_of(r, id->axes[a]), view_real(component));
      if (fabs(component) >= least_component)
        view_say(view, " %+.2f %s", component, key_of(r, id->axes[a]));
    }
    view_say(view, "\n");
    view_object_end(view);
  }
}

void tune_identity_show(const struct tune_report *r, struct view *view) {
  if (!view_is_json(view) && r->identification->axis_count == 0)
    return;
  view_say(view, "\nWhat the data determine, at the tuned values (objective %.2f):\n", r->tune->cost);
  view_object_begin(view, "identification");
  show_parameters(r, view);
  say_pairs(r, view);
  show_flat(r, view);
  view_object_end(view);
}
