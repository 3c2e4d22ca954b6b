/* Draws whose parameters are in buffers. Vulkan 1.3, section 21.4. */
#include <string.h>

#include "graphics/execute/execution.h"

/* Copies bytes of a buffer; returns whether it has them. */
static bool read_words(const struct execution *e, uint32_t buffer, uint64_t offset, uint32_t *words, size_t size) {
  uint64_t bytes;
  const uint8_t *contents = storage_buffer(&e->storage, buffer, &bytes);
  if (!contents || offset > bytes || size > bytes - offset)
    return false;
  memcpy(words, contents + offset, size);
  return true;
}

bool execution_indirect_draw(const struct execution *e, const struct frame_draw_indirect *d, uint32_t index,
                             struct frame_draw *out) {
  uint32_t w[5];
  if (!read_words(e, d->buffer, d->offset + (uint64_t)index * d->stride, w, d->indexed ? sizeof w : 4 * sizeof *w))
    return false;
  *out = d->indexed ? (struct frame_draw){1, w[0], w[1], w[2], w[4], (int32_t)w[3]}
                    : (struct frame_draw){0, w[0], w[1], w[2], w[3], 0};
  return true;
}

uint32_t execution_indirect_count(const struct execution *e, const struct frame_draw_indirect *d) {
  uint32_t count = d->most;
  if (d->count_buffer && read_words(e, d->count_buffer, d->count_offset, &count, sizeof count))
    count = count < d->most ? count : d->most;
  return count;
}

int execution_draw_indirect(struct execution *e, const struct frame_draw_indirect *d, struct error *error) {
  const uint32_t count = execution_indirect_count(e, d);
  int status = 0;
  e->is_one_of_many = count != 1;
  for (uint32_t k = 0; !status && k < count; k++) {
    struct frame_draw draw;
    if (!execution_indirect_draw(e, d, k, &draw))
      break;
    e->draw_index = k;
    status = execution_draw(e, &draw, error);
  }
  e->is_one_of_many = false;
  e->draw_index = 0;
  return status;
}
