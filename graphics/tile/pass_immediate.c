/* Immediate mode: fragments in API order, and the accesses of their tests and of blending. */
#include <stdlib.h>

#include "graphics/tile/pass_walk.h"

static uint32_t least_u32(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* The accesses of a pixel: tests and blending read, and fragments that passed write. */
static bool add_pixel(struct walk *w, const struct drawn *d, const struct quad *q, unsigned pixel) {
  struct pass_launches *a = w->all;
  const struct pass *p = a->pass;
  const bool passed = q->passed & 1u << pixel;
  const uint32_t x = (uint32_t)q->x + (pixel & 1), y = (uint32_t)q->y + (pixel >> 1);
  for (int stores = 0; stores < 2; stores++)
    for (uint32_t t = 0; t < p->target_count; t++) {
      const bool depth = p->has_depth && t == p->target_count - 1;
      const size_t before = w->accesses.count;
      if (!((stores ? d->input.draw->writes : d->input.draw->reads) >> t & 1) || !(passed || (depth && !stores)))
        continue;
      if (!access_list_pixel(&w->accesses, &a->layout, t, x, y, stores))
        return false;
      if (w->accesses.count > before && w->writer)
        *(stores ? &a->counts.store_bytes : &a->counts.load_bytes) += p->targets[t].pixel_bytes;
    }
  return true;
}

/* The work-group with the accesses of some quads' pixels, a work-item each. */
static int put_pixels(struct walk *w, const struct drawn *d, uint32_t first, uint32_t count, struct error *error) {
  bool begun = false;
  for (uint32_t i = 0; i < 4 * count; i++) {
    const struct quad *q = &d->input.quads->quads[first + i / 4];
    w->accesses.count = 0;
    if (q->coverage & 1u << i % 4 && !add_pixel(w, d, q, i % 4))
      return error_no_memory(error);
    if (w->accesses.count == 0)
      continue;
    w->groups += !begun;
    if (!begun && w->writer)
      launch_writer_begin(w->writer);
    begun = true;
    if (w->writer && launch_writer_access(w->writer, w->accesses.list, w->accesses.count, error))
      return -1;
  }
  w->accesses.count = 0;
  return begun && w->writer ? launch_writer_end(w->writer, error) : 0;
}

static int put_draw(struct walk *w, size_t number, struct error *error) {
  const struct drawn *d = &w->all->draws[number];
  const uint32_t room = w->all->options->group_items / 4, quads = d->input.quads->quad_count;
  uint32_t *shaded = malloc(room * sizeof *shaded);
  int status = shaded ? 0 : error_no_memory(error);
  for (uint32_t first = 0; !status && first < quads; first += room) {
    const uint32_t count = least_u32(room, quads - first);
    size_t runs = 0;
    for (uint32_t i = first; i < first + count; i++)
      if (tile_bins_shades(d->input.quads, &d->input.quads->quads[i], w->all->options->early_depth))
        shaded[runs++] = i;
    status = walk_quads(w, number, shaded, runs, error) || put_pixels(w, d, first, count, error) ? -1 : 0;
  }
  free(shaded);
  return status;
}

int walk_draws(struct walk *w, struct error *error) {
  for (size_t i = 0; i < w->all->count; i++)
    if (w->all->draws[i].input.quads && put_draw(w, i, error))
      return -1;
  return 0;
}
