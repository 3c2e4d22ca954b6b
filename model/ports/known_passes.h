/* A table of the passes that accesses to the scratchpad take. The passes of a uniform warp's affine access depend only
 * on the distances between its lanes and on where in a word the first one lies, because moving all lanes by whole words
 * moves all to other banks alike. So each shape of an access is examined lane by lane only once.
 *
 * The table is direct-mapped. A shape that it does not hold is computed again, so results do not depend on it.
 * Ownership: known_passes_init allocates, known_passes_clear frees. Errors: false when out of memory. Cost: O(1).
 * Threads: one for each core. */
#ifndef MODEL_KNOWN_PASSES_H
#define MODEL_KNOWN_PASSES_H

#include "model/warp/warp.h"

struct access_shape {
  int32_t item_stride[3];
  uint32_t first_item; /* first work-item of the warp */
  uint32_t bytes, in_word, op_class;
  uint32_t role; /* enum atomic_role: the caller sets it */
};

struct known_passes {
  struct access_shape *shapes; /* [KNOWN_PASSES] */
  uint32_t *passes;            /* [KNOWN_PASSES]; 0: the passes are not known */
};

bool known_passes_init(struct known_passes *known);
void known_passes_clear(struct known_passes *known);
/* Writes the shape of the warp's present access; words have `word_bytes` bytes. Returns false for an access without a
 * shape: divergent warps, addresses that are not affine or wrap at 32 bits. */
bool access_shape_of(const struct warp *warp, const uint32_t *local, uint32_t word_bytes, struct access_shape *shape);
/* Returns the entry for the passes of this shape. It is 0 if they are not known; the caller then sets it. */
uint32_t *known_passes_of(struct known_passes *known, const struct access_shape *shape);

#endif
