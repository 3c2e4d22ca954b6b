#include "graphics/tile/pass_walk.h"

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* The accesses of the list, one a work-item. */
int walk_accesses(struct walk *w, struct error *error) {
  const size_t room = w->all->options->group_items, count = w->accesses.count;
  for (size_t first = 0; first < count; first += room, w->groups++) {
    if (!w->writer)
      continue;
    launch_writer_begin(w->writer);
    for (size_t i = first; i < least(count, first + room); i++)
      if (launch_writer_access(w->writer, &w->accesses.list[i], 1, error))
        return -1;
    if (launch_writer_end(w->writer, error))
      return -1;
  }
  w->accesses.count = 0;
  return 0;
}

int walk_items(struct walk *w, struct launch_lane *lane, uint64_t first, uint64_t count, struct error *error) {
  for (lane->item = first; lane->item < first + count; lane->item++)
    if (launch_writer_lane(w->writer, lane, error))
      return -1;
  return 0;
}

static struct launch_lane fragment_lane(const struct walk *w, size_t draw) {
  struct drawn *d = &w->all->draws[draw];
  return (struct launch_lane){.trace = d->input.fragments, .number = w->numbers[draw], .map = &d->fragment_map};
}

/* The fragments of some quads of a draw. */
int walk_quads(struct walk *w, size_t draw, const uint32_t *quads, size_t count, struct error *error) {
  const size_t room = w->all->options->group_items / 4;
  struct launch_lane lane = fragment_lane(w, draw);
  for (size_t first = 0; first < count; first += room, w->groups++) {
    if (!w->writer)
      continue;
    launch_writer_begin(w->writer);
    for (size_t i = first; i < least(count, first + room); i++)
      if (walk_items(w, &lane, (uint64_t)quads[i] * 4, 4, error))
        return -1;
    if (launch_writer_end(w->writer, error))
      return -1;
  }
  return 0;
}
