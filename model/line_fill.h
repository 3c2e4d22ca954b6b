/* Lines that are being fetched: what MSHRs (miss status holding registers) hold. Small arrays, searched from end to
 * end. Source: Kroft, "Lockup-free instruction fetch/prefetch cache organization", ISCA 1981. Times are ticks. */
#ifndef MODEL_LINE_FILL_H
#define MODEL_LINE_FILL_H

#include <stdint.h>

struct line_fill {
  uint32_t line;
  uint64_t comes;
};

/* Forgets the lines that have come by `now`. */
void fills_drop(struct line_fill *fills, uint32_t *count, uint64_t now);
/* When the line comes, 0: it is not being fetched. */
uint64_t fills_find(const struct line_fill *fills, uint32_t count, uint32_t line);
/* When `need` of `limit` places are free, all of them if `need` is more; 0: they are. */
uint64_t fills_room(const struct line_fill *fills, uint32_t count, uint32_t limit, uint32_t need);

#endif
