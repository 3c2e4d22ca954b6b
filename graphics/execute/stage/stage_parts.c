/* A stage in several launches: their words stay in the processor's second cache, and a process touches few pages. A
 * first frame of glmark2's scene jellyfish, with 854 thousand fragments, takes 85 ms of processor time with kept
 * shaders instead of 128, one of texture, with 157 thousand, 18.3 instead of 21.8 (one run on a busy machine).
 *
 * A shader that stores has one launch, because what it stores is copied back when a launch ends. */
#include <string.h>

#include "graphics/execute/stage/stage_launch.h"
#include "graphics/frame/frame_memory.h"

#define ITEMS_STEP 64 /* work-items: a multiple of those of a work-group */

/* As many work-items as a buffer of the least size has words for. */
uint32_t stage_items_at_once(const struct execution *e, const struct launch *l, const struct shader_source *s) {
  const uint32_t slots = l->inputs.slots > l->outputs.slots ? l->inputs.slots : l->outputs.slots;
  const uint32_t most = e->options->most_items > 0
                            ? e->options->most_items
                            : (uint32_t)(STAGE_LEAST_BYTES / (slots * sizeof(uint32_t))) / ITEMS_STEP * ITEMS_STEP;
  if (e->options->traces || e->options->max_instructions > 0 || l->inputs.count <= most || most <= ITEMS_STEP ||
      ITEMS_STEP % shader_group_items(s) != 0)
    return l->inputs.count;
  for (uint32_t i = 0; i < s->resource_count; i++)
    if (s->resources[i].writes)
      return l->inputs.count;
  return most - ITEMS_STEP; /* the last launch may have a step more */
}

/* The outputs of all launches so far. */
struct gathering {
  const struct stage_exchange *exchange;
  const struct launch *launch;
  uint32_t *words;
};

static uint32_t fill_part(void *user, uint32_t first, struct stage_words *inputs) {
  const struct gathering *g = user;
  return g->exchange->fill(g->exchange->user, first, inputs);
}

static int gather(void *user, const struct stage_words *outputs, struct error *error) {
  const struct gathering *g = user;
  (void)error;
  memcpy(g->words + (size_t)g->launch->first * outputs->slots, outputs->words,
         (size_t)outputs->count * outputs->slots * sizeof *outputs->words);
  return 0;
}

/* Makes room for the outputs of a stage; NULL: memory ran out. */
static uint32_t *gathered_room(struct execution *e, size_t words) {
  if (words > e->gathered_words) {
    frame_memory_give(e->gathered);
    e->gathered = frame_memory_take(words * sizeof *e->gathered);
    e->gathered_words = e->gathered ? words : 0;
  }
  return e->gathered;
}

int stage_emulate_parts(struct execution *e, struct launch *l, const char *name, struct stage *stage, uint32_t most,
                        struct error *error) {
  const uint32_t items = l->inputs.count, launches = (items - 1) / most + 1,
                 even = ((items - 1) / launches / ITEMS_STEP + 1) * ITEMS_STEP;
  struct gathering g = {l->exchange, l, gathered_room(e, (size_t)items * l->outputs.slots)};
  const struct stage_exchange parts = {&g, fill_part, gather};
  struct stage_words all = l->outputs;
  if (!g.words)
    return error_no_memory(error);
  l->exchange = &parts;
  for (uint32_t count; l->first < items; l->first += count) {
    count = items - l->first < even + ITEMS_STEP ? items - l->first : even;
    l->inputs.count = l->outputs.count = count;
    l->range.global[0] = count;
    if (stage_emulate(e, l, name, stage, error))
      return -1;
  }
  all.words = g.words;
  return g.exchange->take(g.exchange->user, &all, error);
}
