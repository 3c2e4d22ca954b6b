/* The addresses of a pass's targets, row after row, and lists of accesses to memory. Private to graphics/tile.
 *
 * Ownership: access_list_clear frees. Errors: memory. */
#ifndef GRAPHICS_PASS_LAYOUT_H
#define GRAPHICS_PASS_LAYOUT_H

#include "graphics/tile/frame_arena.h"
#include "graphics/tile/launch_writer.h"
#include "graphics/drawn/pass_file.h"

struct access_list {
  struct launch_access *list;
  size_t count, room;
};

struct pass_layout {
  const struct pass *pass;
  uint32_t bases[PASS_MOST_TARGETS];
};

int pass_layout_targets(const struct pass *pass, struct frame_arena *arena, struct pass_layout *out,
                        struct error *error);

/* Appends accesses of 16 bytes that cover a range; its end takes smaller ones. */
bool access_list_range(struct access_list *list, uint32_t address, uint64_t bytes, bool stores, enum launch_what what);
/* Appends that of a pixel; a pixel outside of the pass has none. */
bool access_list_pixel(struct access_list *list, const struct pass_layout *layout, uint32_t target, uint32_t x,
                       uint32_t y, bool stores);
void access_list_clear(struct access_list *list);

#endif
