#include "graphics/tile/pass_layout.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

enum { MOST_ACCESS = 16 };

int pass_layout_targets(const struct pass *pass, struct frame_arena *arena, struct pass_layout *out,
                        struct error *error) {
  out->pass = pass;
  for (uint32_t t = 0; t < pass->target_count; t++) {
    const struct pass_target *target = &pass->targets[t];
    char name[32];
    snprintf(name, sizeof name, "image-%u-0", target->image % 1000000);
    if (target->pixel_bytes > 0 &&
        frame_arena_share(arena, name, (uint64_t)pass->width * pass->height * target->pixel_bytes, &out->bases[t],
                          error))
      return -1;
  }
  return 0;
}

static bool add(struct access_list *l, struct launch_access access) {
  if (!array_room(&l->list, &l->room, l->count + 1, sizeof *l->list))
    return false;
  l->list[l->count++] = access;
  return true;
}

bool access_list_range(struct access_list *l, uint32_t address, uint64_t bytes, bool stores, enum launch_what what) {
  uint32_t step = MOST_ACCESS;
  while (bytes > 0) {
    while (step > bytes)
      step /= 2;
    if (!add(l, (struct launch_access){address, (uint8_t)step, stores, (uint8_t)what}))
      return false;
    address += step;
    bytes -= step;
  }
  return true;
}

bool access_list_pixel(struct access_list *l, const struct pass_layout *layout, uint32_t target, uint32_t x, uint32_t y,
                       bool stores) {
  const struct pass *p = layout->pass;
  const uint32_t bytes = p->targets[target].pixel_bytes;
  const bool depth = p->has_depth && target == p->target_count - 1;
  return x >= p->width || y >= p->height ||
         access_list_range(l, layout->bases[target] + (y * p->width + x) * bytes, bytes, stores,
                           depth ? LAUNCH_DEPTH : LAUNCH_COLOR);
}

void access_list_clear(struct access_list *l) {
  free(l->list);
  *l = (struct access_list){0};
}
