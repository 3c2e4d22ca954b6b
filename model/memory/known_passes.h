/* Passes that accesses to the scratchpad took before. How many a uniform warp's affine access takes depends on how its
 * lanes lie to each other and on where in a word the first one lies, because moving all lanes by whole words moves all
 * to other banks alike. So each shape of an access is looked at lane by lane once.
 *
 * A direct-mapped table: a shape that is not there is computed again, so the answers do not depend on it. Ownership:
 * known_passes_init allocates, known_passes_clear frees. Errors: false when out of memory. Cost: O(1). Threads: one per
 * core. */
#ifndef MODEL_KNOWN_PASSES_H
#define MODEL_KNOWN_PASSES_H

#include "model/warp/warp.h"

struct access_shape {
  int32_t item_stride[3];
  uint32_t first_item; /* of the warp */
  uint32_t bytes, in_word, op_class;
};

struct known_passes {
  struct access_shape *shapes; /* [KNOWN_PASSES] */
  uint32_t *passes;            /* 0: nothing is known */
};

bool known_passes_init(struct known_passes *known);
void known_passes_clear(struct known_passes *known);
/* Finds the shape of the access that the warp told last, whose words have so many bytes. Returns false where the access
 * has none: divergent warps, addresses that are not affine or wrap at 32 bits. */
bool access_shape_of(const struct warp *warp, const uint32_t *local, uint32_t word_bytes, struct access_shape *shape);
/* Returns where the passes of this shape stand: 0 where they are not known, for the caller to set. */
uint32_t *known_passes_of(struct known_passes *known, const struct access_shape *shape);

#endif
