/* Words of a stage's inputs and outputs, and their slots. */
#include <stdlib.h>

#include "graphics/execute/execution.h"

/* A trace lists the sizes of buffers, so they are close to what is needed there. Elsewhere memory that nothing touches
 * costs nothing. The steps are assumed: with larger ones the code for a few fragments would serve a whole screen. */
#define LEAST_TRACED_BYTES ((size_t)64 << 10)

size_t stage_bytes(const struct stage_words *w, bool traced) {
  const size_t needed = (size_t)w->count * w->slots * sizeof *w->words, step = traced ? 2 : 4;
  size_t bytes = traced ? LEAST_TRACED_BYTES : STAGE_LEAST_BYTES;
  while (bytes < needed)
    bytes *= step;
  return bytes;
}

int stage_words_create(struct stage_words *w, uint32_t count, uint32_t slots, struct error *error) {
  *w = (struct stage_words){.count = count, .slots = slots};
  w->words = calloc((size_t)count * slots + 1, sizeof *w->words);
  return w->words ? 0 : error_no_memory(error);
}

int stage_output_slot(const struct shader_source *source, const struct shader_slot *slot) {
  for (uint32_t i = 0; i < source->output_count; i++) {
    const struct shader_slot *o = &source->outputs[i];
    if (o->component == slot->component && o->location == slot->location && o->builtin == slot->builtin &&
        o->is_second == slot->is_second && o->of_patch == slot->of_patch)
      return (int)i;
  }
  return -1;
}
